"""A page of HTML from a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from asking.kinds import LOG_FILE, OUTPUT_FILE, one_of
from asking.requests import Asked, argument, opt

from ..report.sources import KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest(Asked):
    """The file to report on, told by its first lines where `kind` is None.

    `further` are options of the command that reads it; `out` None is beside nothing else, here.
    """

    source: Path = field(metadata=argument(LOG_FILE))
    further: tuple[str, ...] = ()
    out: Path | None = opt(OUTPUT_FILE, "The page to write.  [default: SOURCE.html, here]")
    kind: str | None = opt(one_of(*KINDS), "What SOURCE is.  [default: by its first lines]")
