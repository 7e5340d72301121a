"""A failure log whose uptimes and repairs are to be fitted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .job import Instant
from .reading import LogReading

__all__ = ["FitRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FitRequest(LogReading):
    """A failure log and the part of it to use; `nodes` is how many there are, failed or not.

    With `lifetimes` the log is a table of them, in `duration_column`; `censored_column` says which
    were cut off.
    """

    log: Path
    format: str | None = None
    system: str | None = None
    since: Instant | None = None
    until: Instant | None = None
    by: Literal["system", "node"] = "system"
    nodes: int | None = None
    strict: bool = False
    lifetimes: bool = False
    duration_column: str | None = None
    censored_column: str | None = None
