"""A scenario file to plan for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["PlanRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """The file; None asks for an example of one."""

    scenario: Path | None = None
    example: bool = False
