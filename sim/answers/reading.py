"""How a log is to be read, where its columns do not say it, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import asking.reading as asked

from ..traces.parsing.limits import Limits

__all__ = ["JobLogReading", "JobReading", "LogReading"]

USUAL = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLogReading(asked.JobLogReading):
    """How a job log is read.

    With `strict` a malformed line is refused; `limits` say how much a file may hold, and change
    no answer.
    """

    strict: bool = False
    limits: Limits = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReading(asked.LogReading):
    """How a job log and a failure log are read; `strict` and `limits` as of a job log."""

    strict: bool = False
    limits: Limits = USUAL


JobReading: TypeAlias = JobLogReading | LogReading
