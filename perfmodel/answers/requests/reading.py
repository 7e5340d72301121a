"""A failure log, and which part of it is used."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as fields_of
from datetime import datetime
from pathlib import Path
from typing import Self, TypeAlias

from asking.reading import LogReading

__all__ = ["FailureLogReading", "Instant"]

# A date of a log's own clock, or seconds from its origin.
Instant: TypeAlias = datetime | float


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureLogReading(LogReading):
    """A failure log, and which part of it: a system, from an instant until another."""

    log: Path | None = None
    format: str | None = None
    system: str | None = None
    since: Instant | None = None
    until: Instant | None = None
    strict: bool = False

    @classmethod
    def of(cls, asked: LogReading) -> Self:
        """Return what another request says of its log."""
        names = [field.name for field in fields_of(cls) if hasattr(asked, field.name)]
        return cls(**{name: getattr(asked, name) for name in names})
