"""A failure log, and which part of it is used."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Self

from asking.moments import Moment
from asking.reading import LogReading


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureLogReading(LogReading):
    """A failure log, and which part of it: a system, from a moment until another."""

    log: Path | None = None
    format: str | None = None
    system: str | None = None
    since: Moment | None = None
    until: Moment | None = None
    strict: bool = False

    @classmethod
    def of(cls, asked: LogReading) -> Self:
        """Return what another request says of its log."""
        names = [field.name for field in fields_of(cls) if hasattr(asked, field.name)]
        return cls(**{name: getattr(asked, name) for name in names})
