"""The jobs of a log on several clusters, by scenario and policy, or a study of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from asking.plain import strict

from ..plain import frame_of, without
from ..progress import SILENT, Progress
from ..studies.answer import StudyAnswer, study_answer
from .plays import grid_measures, grid_replay, grid_row, recorded_row
from .request import GridRequest
from .scenarios import policies_of_grid, scenarios_of_grid
from .setup import GridSetup, grid_setup
from .study import plan_of_scenarios

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import GridReplay


@dataclass(frozen=True, slots=True, eq=False)
class GridRun:
    """One replay of a grid: of a scenario and policy, with a seed."""

    scenario: str
    policy: str
    seed: int
    parts: GridSetup
    result: GridReplay


@dataclass(frozen=True, slots=True, eq=False)
class GridAnswer:
    """The numbers of each scenario and policy, means over seeds where a policy is random.

    `parts` are what was replayed, `recorded` what the log itself says, where it has waits.
    """

    request: GridRequest
    parts: GridSetup
    rows: tuple[dict[str, Any], ...]
    recorded: dict[str, Any] | None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read, drawn and assumed."""
        return self.parts.notes

    def to_dict(self, *, timed: bool = False) -> dict[str, Any]:
        """Return the answer as plain data, with `timed` also how long computing took."""
        parts, failures = self.parts, self.parts.feeds.every
        found: dict[str, Any] = strict(
            {
                "jobs": len(parts.workload),
                "clusters": len(parts.grid.clusters),
                "processors": parts.grid.size,
                "failures": 0 if failures is None else len(failures),
                "requirements": parts.requirements,
                "results": list(self.rows if timed else map(_untimed, self.rows)),
                **({} if self.recorded is None else {"recorded": self.recorded}),
                "seed": self.request.seed,
                "notes": list(self.notes),
            }
        )
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return a row of numbers for each scenario and policy, times in [s]."""
        return frame_of(self.rows, "scheduler_s")


def grid(
    request: GridRequest,
    *,
    each: Callable[[GridRun], None] | None = None,
    progress: Progress = SILENT,
) -> GridAnswer | StudyAnswer:
    """Replay the jobs of a log on several clusters.

    Parameters
    ----------
    request : GridRequest
        The log, the clusters, their failures and what jobs require; durations in [s].
    each : function of a GridRun, optional
        Called with every replay: they are too many to be kept.
    progress : Progress
        Told of what is played.

    Returns
    -------
    GridAnswer, or StudyAnswer
        The latter where the request has a `study` of several seeds.

    Raises
    ------
    Refused
        If what is asked does not go together, or a field has no effect; a ValueError that names
        the fields.
    ValueError
        If a file cannot be read as what it is to be.
    """
    policies, study = policies_of_grid(request), request.study
    request.check()
    if study.wanted:
        request = replace(request, seed=study.first_seed(request.seed))
    parts = grid_setup(request)
    pairs = [(name, policy) for name in scenarios_of_grid(request, parts) for policy in policies]
    if study.wanted:
        return study_answer(
            *(request, plan_of_scenarios(request, parts, pairs)),
            facts=parts.facts,
            notes=parts.notes,
            files=parts.files,
            progress=progress,
        )
    rows = []
    count = sum(len(_seeds(request, policy)) for _, policy in pairs)
    for scenario, policy in pairs:
        found = []
        for seed in _seeds(request, policy):
            progress.begin(f"{scenario} {policy}, seed {seed}")
            result = grid_replay(parts, scenario, policy, seed, request, replays=count)
            found.append(grid_measures(result, request))
            if each is not None:
                each(GridRun(scenario, policy, seed, parts, result))
        rows.append(grid_row(scenario, policy, found, request))
    recorded = recorded_row(parts.recorded, parts.workload, parts.grid)
    return GridAnswer(request, parts, tuple(rows), recorded)


def _seeds(request: GridRequest, policy: str) -> range:
    """Return the seeds of the replays, of which only random policies have more than one."""
    from ...cluster.grid import SEEDED

    return range(request.seed, request.seed + (request.runs if policy in SEEDED else 1))


def _untimed(row: dict[str, Any]) -> dict[str, Any]:
    plain = without(row, "scheduler_s")
    return plain | {"sd": without(row["sd"], "scheduler_s")} if "sd" in row else plain
