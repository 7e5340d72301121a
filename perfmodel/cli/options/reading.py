"""Options that say how a failure log is read: the same wherever one is."""

from __future__ import annotations

from ...answers.requests.reading import OF_JOBS as OF_JOB_LOGS
from ...answers.requests.reading import READING, JobLogReading, LogReading
from .filling import options_of, refuse_idle
from .types import F

__all__ = [
    "OF_JOBS",
    "job_log_reading",
    "log_reading",
    "log_reading_beside_a_state",
    "refuse_idle_reading",
]

OF_JOBS = tuple(f"--{name}" for name in OF_JOB_LOGS)


def log_reading(command: F) -> F:
    """Add the options, in the order in which the help shows them."""
    return options_of(LogReading)(command)


def log_reading_beside_a_state(command: F) -> F:
    """Add the options to a command whose --state is another thing."""
    return options_of(LogReading, states="--failure-state")(command)


def job_log_reading(command: F) -> F:
    """Add the options of job logs alone."""
    return options_of(JobLogReading)(command)


def refuse_idle_reading(*, unless: bool, lead: str, but: tuple[str, ...] = ()) -> None:
    """Refuse the options where no failure log is read, all `but` those with a meaning there."""
    flags = [f"--{name.replace('_', '-')}".replace("states", "state") for name in READING]
    refuse_idle(*(flag for flag in flags if flag not in but), unless=unless, lead=lead)
