"""A page of HTML from a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["ReportRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """The file to report on, told by its first lines where `kind` is None.

    `further` are options of the command that reads it; `out` None is beside nothing else, here.
    """

    source: Path
    further: tuple[str, ...] = ()
    out: Path | None = None
    kind: str | None = None
