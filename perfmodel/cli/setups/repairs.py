"""The law of repairs or uptimes that a request describes, in both libraries."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from ..requests.repairs import RepairLaw
from .job import Job

if TYPE_CHECKING:
    from ...lifetimes import AbstractLifetime

__all__ = ["lifetime_of", "repairs_of", "sampler_of"]

_CLASSES = {
    "exponential": "Exponential",
    "gamma": "Gamma",
    "hyperexponential": "HyperExponential",
    "lognormal": "LogNormal",
    "weibull": "Weibull",
}


def repairs_of(wanted: RepairLaw, job: Job) -> AbstractLifetime:
    """Return the law, [s]; ``log`` draws among the repairs of the log of the job."""
    if wanted.family == "log":
        from ...lifetimes import Empirical

        repairs = None if job.mtbf.log is None else job.mtbf.log.uptimes.repairs
        if repairs is None:
            raise click.UsageError("--downtime-law log must come with --log, got it alone")
        if not repairs.size:
            raise click.UsageError("--downtime-law log must have repairs in the --log, got none")
        return Empirical(repairs)
    return lifetime_of(wanted, "--downtime-law")


def lifetime_of(wanted: RepairLaw, flag: str) -> AbstractLifetime:
    """Return the law, [s], of a family that the option `flag` names."""
    from ... import lifetimes

    family = getattr(lifetimes, _CLASSES[wanted.family])
    law: AbstractLifetime
    try:
        if wanted.family == "exponential":
            law = family(wanted.mean)
        elif wanted.shape is not None:
            unit = family(wanted.shape, 1.0).mean
            law = family(wanted.shape, wanted.mean / unit)
        else:
            law = family.from_mean(wanted.mean, cv=wanted.cv)
    except (ArithmeticError, ValueError) as error:
        raise click.UsageError(
            f"{flag} must be a law that floats can hold, got {wanted.text!r} ({error})"
        ) from None
    if not 0.0 < law.mean < math.inf:
        raise click.UsageError(f"{flag} must have a mean that floats hold, got {wanted.text!r}")
    return law


def sampler_of(law: AbstractLifetime) -> Any:
    """Return the same law as a sampler of `sim`, which has the same names and parameters."""
    from sim import samplers

    family = getattr(samplers, type(law).__name__)
    return family(*(getattr(law, field.name) for field in fields(law)))  # type: ignore[arg-type]
