"""A study of replays on a grid: failures, and what random policies draw, of each seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..studies.plan import Factor, Measure, Plan, plain_numbers
from .plays import grid_measures, grid_replay
from .request import GridRequest
from .setup import GridSetup, of_seed

MEASURES = (
    Measure("mean_slowdown", "slowdown", "number"),
    Measure("mean_response_s", "response", "time"),
    Measure("mean_wait_s", "wait", "time"),
    Measure("kills", "attempts\nkilled", "number"),
    Measure("cancelled", "jobs\ncancelled", "number"),
)


@dataclass(frozen=True, slots=True)
class _Replays:
    """The replay of a scenario and policy with the failures and the moves of a seed."""

    request: GridRequest
    parts: GridSetup
    cells: dict[str, tuple[str, str]]

    def __call__(self, cell: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        request = replace(self.request, seed=seed)
        result = grid_replay(of_seed(self.parts, request), *self.cells[cell], seed, request)
        return plain_numbers(grid_measures(result, request), "scheduler_s")


def plan_of_scenarios(
    request: GridRequest, parts: GridSetup, pairs: Sequence[tuple[str, str]]
) -> Plan:
    """Return a plan of scenarios and policies; policies are compared with the first of each."""
    cells = {f"{scenario} {policy}": (scenario, policy) for scenario, policy in pairs}
    first: dict[str, str] = {}
    for cell, (scenario, _) in cells.items():
        first.setdefault(scenario, cell)
    return Plan(
        play=_Replays(request, replace(parts, recorded=None), cells),
        cells={
            cell: {"scenario": Factor(scenario, scenario), "policy": Factor(policy, policy)}
            for cell, (scenario, policy) in cells.items()
        },
        headings={"scenario": "scenario", "policy": "policy"},
        measures=MEASURES,
        baselines={
            cell: first[scenario]
            for cell, (scenario, _) in cells.items()
            if cell != first[scenario]
        },
    )
