"""A scenario file to plan for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from asking.kinds import LOG_FILE
from asking.requests import Asked, argument, flag


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest(Asked):
    """The file; None asks for an example of one."""

    scenario: Path | None = field(default=None, metadata=argument(LOG_FILE))
    example: bool = flag("Print a scenario to start from.")
