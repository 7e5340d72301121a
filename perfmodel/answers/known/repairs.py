"""The law of repairs or uptimes that a request describes, in both libraries."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from asking.refusals import Field, Refused

from ..requests.repairs import FAMILIES, RepairLaw
from .job import Job

if TYPE_CHECKING:
    from ...lifetimes import Lifetime

CLASSES = {
    "exponential": "Exponential",
    "gamma": "Gamma",
    "hyperexponential": "HyperExponential",
    "lognormal": "LogNormal",
    "weibull": "Weibull",
}


def repairs_of(wanted: RepairLaw, job: Job) -> Lifetime:
    """Return the law, [s]; ``log`` draws among the repairs of the log of the job."""
    if wanted.family == "log":
        from ...lifetimes import Empirical

        repairs = None if job.mtbf.log is None else job.mtbf.log.uptimes.repairs
        if repairs is None:
            raise Refused(
                "{} log must come with {}, got it alone", Field("downtime_law"), Field("log")
            )
        if not repairs.size:
            raise Refused(
                "{} log must have repairs in the {}, got none", Field("downtime_law"), Field("log")
            )
        return Empirical(repairs)
    return lifetime_of(wanted, "downtime_law")


def lifetime_of(wanted: RepairLaw, name: str) -> Lifetime:
    """Return the law, [s], of a family that the field `name` names."""
    law = _built_in(wanted, name) if wanted.family in CLASSES else _added(wanted, name)
    if not 0.0 < law.mean < math.inf:
        raise Refused("{} must have a mean that floats hold, got {!r}", Field(name), wanted.text)
    return law


def _built_in(wanted: RepairLaw, name: str) -> Lifetime:
    from ... import lifetimes

    family = getattr(lifetimes, CLASSES[wanted.family])
    law: Lifetime
    try:
        if wanted.family == "exponential":
            law = family(wanted.mean)
        elif wanted.shape is not None:
            unit = family(wanted.shape, 1.0).mean
            law = family(wanted.shape, wanted.mean / unit)
        else:
            law = family.from_mean(wanted.mean, cv=wanted.cv)
    except (ArithmeticError, ValueError) as error:
        raise Refused(
            "{} must be a law that floats can hold, got {!r} ({})", Field(name), wanted.text, error
        ) from None
    return law


def _added(wanted: RepairLaw, name: str) -> Lifetime:
    """Return the law of a family that a package adds."""
    from asking.plugins import loaded

    from ...lifetimes import Lifetime

    make = loaded("law", wanted.family, FAMILIES)
    try:
        law = make(**dict(wanted.given))
    except Exception as error:  # whatever code of a package raises
        raise Refused(
            "{} must be a law of {}, got {!r} ({}: {})",
            *(Field(name), wanted.family, wanted.text, type(error).__name__, error),
        ) from error
    if not isinstance(law, Lifetime):
        raise Refused("{} must name a Lifetime, got {!r} of {}", Field(name), law, wanted.family)
    return law
