"""That nothing but a constant rate is known of the failures to come, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asking.refusals import Said


@dataclass(frozen=True, slots=True)
class Unforeseen:
    """Why a constant rate counts, at the mean so far; empty where nothing else was asked for."""

    why: str = ""

    @classmethod
    def with_log(cls, log: object, why: str) -> Unforeseen:
        """Return that it is so with a log; without one nothing else was asked for."""
        return cls() if log is None else cls(why)

    @classmethod
    def of_others(cls, machine: int, nodes: int) -> Unforeseen:
        """Return that the log is of another number of nodes."""
        return cls(f"the log is of {machine:,} nodes, not of {nodes:,}")

    def reasons(self) -> tuple[str, ...]:
        """Return why, in a sentence; none where nothing else was asked for."""
        if not self.why:
            return ()
        return (Said("No forecast: {}. A constant rate counts, at the mean so far.", self.why),)

    def plain(self) -> dict[str, Any]:
        """Return for JSON that a constant rate counts, and why."""
        return {"law": "constant", "no_forecast": str(self.why)} if self.why else {}
