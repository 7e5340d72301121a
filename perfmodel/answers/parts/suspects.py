"""Nodes of a failure log that fail more often than chance explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...lemons import bad_nodes

if TYPE_CHECKING:
    from sim.traces import Uptimes

FALSE_ALARM = 0.05  # of all nodes of a log together
_UNNAMED = "-1"


@dataclass(frozen=True, slots=True)
class Suspect:
    """A node that fails too often, with the failures to be expected of it."""

    system: str
    node: str
    failures: int
    expected: float
    probability: float


def suspects(found: Uptimes) -> tuple[Suspect, ...]:
    """Test each node against the mean of its system; return the bad ones, worst first."""
    systems: dict[str, list[int]] = {}
    for place, unit in enumerate(found.units):
        if unit.node != _UNNAMED and unit.observed > 0.0:
            systems.setdefault(unit.system, []).append(place)
    named = []
    for system, places in systems.items():
        units = [found.units[place] for place in places]
        tested = bad_nodes(
            [unit.failures for unit in units],
            observed=[unit.observed for unit in units],
            false_alarm=FALSE_ALARM / len(systems),
        )
        named += [
            Suspect(
                system,
                units[place].node,
                units[place].failures,
                float(tested.expected[place]),
                float(min(tested.probability[place] * len(systems), 1.0)),
            )
            for place in tested.bad.nonzero()[0].tolist()
        ]
    return tuple(sorted(named, key=lambda suspect: suspect.probability))
