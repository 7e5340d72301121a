"""Options that say how a failure log is read: the same wherever one is."""

from __future__ import annotations

from ...answers.requests.reading import JobLogReading, LogReading
from .filling import options_of
from .types import F

__all__ = [
    "job_log_reading",
    "log_reading",
    "log_reading_beside_a_state",
]


def log_reading(command: F) -> F:
    """Add the options, in the order in which the help shows them."""
    return options_of(LogReading)(command)


def log_reading_beside_a_state(command: F) -> F:
    """Add the options to a command whose --state is another thing."""
    return options_of(LogReading, states="--failure-state")(command)


def job_log_reading(command: F) -> F:
    """Add the options of job logs alone."""
    return options_of(JobLogReading)(command)
