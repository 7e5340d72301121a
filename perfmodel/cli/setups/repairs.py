"""The law of repairs that a request describes, in both libraries."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from ..requests.repairs import RepairLaw
from .job import Job

if TYPE_CHECKING:
    from ...lifetimes import AbstractLifetime

__all__ = ["repairs_of", "sampler_of"]

_CLASSES = {
    "exponential": "Exponential",
    "gamma": "Gamma",
    "hyperexponential": "HyperExponential",
    "lognormal": "LogNormal",
    "weibull": "Weibull",
}


def repairs_of(wanted: RepairLaw, job: Job) -> AbstractLifetime:
    """Return the law, [s]; ``log`` draws among the repairs of the log of the job."""
    from ... import lifetimes

    if wanted.family == "log":
        repairs = None if job.mtbf.log is None else job.mtbf.log.uptimes.repairs
        if repairs is None:
            raise click.UsageError("--downtime-law log must come with --log, got it alone")
        if not repairs.size:
            raise click.UsageError("--downtime-law log must have repairs in the --log, got none")
        return lifetimes.Empirical(repairs)
    family = getattr(lifetimes, _CLASSES[wanted.family])
    try:
        law: AbstractLifetime = (
            family(wanted.mean)
            if wanted.family == "exponential"
            else family.from_mean(wanted.mean, cv=wanted.cv)
        )
    except (ArithmeticError, ValueError) as error:
        raise click.UsageError(
            f"--downtime-law must be a law that floats can hold, got {wanted.text!r} ({error})"
        ) from None
    return law


def sampler_of(law: AbstractLifetime) -> Any:
    """Return the same law as a sampler of `sim`, which has the same names and parameters."""
    from sim import samplers

    family = getattr(samplers, type(law).__name__)
    return family(*(getattr(law, field.name) for field in fields(law)))  # type: ignore[arg-type]
