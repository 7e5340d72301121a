"""The jobs of a log on several clusters, by scenario and policy, or a study of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from asking.refusals import Field, Said
from asking.requests import refuse_idle

from ..plain import frame_of, strict, without
from ..progress import SILENT, Progress
from ..studies.answer import StudyAnswer, study_answer
from ..studies.request import refuse_idle_study, refuse_with_study
from .plays import grid_measures, grid_replay, grid_row, recorded_row
from .request import GridRequest
from .scenarios import policies_of_grid, scenarios_of_grid
from .setup import GridSetup, grid_setup
from .study import plan_of_scenarios

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import GridReplay

__all__ = ["GridAnswer", "GridRun", "grid"]


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
    _refuse_idle(request)
    of_search = ("search_period", "search_rounds", "search_budget", "search_weights")
    lead = Said("{} ls", Field("policies"))
    refuse_idle(request, *of_search, unless="ls" in policies, lead=lead)
    refuse_idle_study(request, study)
    refuse_with_study(request, study, "runs", "by_class", "use_over_time")
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
    for scenario, policy in pairs:
        found = []
        for run in _runs(request, parts, scenario, policy, progress):
            found.append(grid_measures(run.result, request))
            if each is not None:
                each(run)
        rows.append(grid_row(scenario, policy, found, request))
    recorded = recorded_row(parts.recorded, parts.workload, parts.grid)
    return GridAnswer(request, parts, tuple(rows), recorded)


def _runs(
    request: GridRequest, parts: GridSetup, scenario: str, policy: str, progress: Progress
) -> Iterator[GridRun]:
    """Yield the replay of each seed, of which only random policies have more than one."""
    from ...cluster.grid import SEEDED

    for seed in range(request.seed, request.seed + (request.runs if policy in SEEDED else 1)):
        progress.begin(f"{scenario} {policy}, seed {seed}")
        result = grid_replay(parts, scenario, policy, seed, request)
        yield GridRun(scenario, policy, seed, parts, result)


def _refuse_idle(request: GridRequest) -> None:
    """Refuse what is said of failures and requirements that the replays do not have."""
    read, like = request.failures is not None, request.failures_like is not None
    drawn = request.mtbf is not None or like
    of_mtbf = ("weibull_shape", "burst_size", "mttr")
    refuse_idle(request, *of_mtbf, unless=request.mtbf is not None, lead=Field("mtbf"))
    lead = Said("{} or {}", Field("mtbf"), Field("failures_like"))
    refuse_idle(request, "lemon_share", "from_first_use", unless=drawn, lead=lead)
    lead = Said("{} above 1 or {}", Field("burst_size"), Field("failures_like"))
    refuse_idle(request, "burst_span", unless=like or request.burst_size > 1.0, lead=lead)
    lead = Said("{} above 0", Field("lemon_share"))
    refuse_idle(request, "lemon_factor", unless=request.lemon_share > 0.0, lead=lead)
    refuse_idle(request, "unknown_repair", unless=read, lead=Field("failures"))
    lead = Said("{} or {}", Field("failures"), Field("failures_like"))
    refuse_idle(request, "failure_format", unless=read or like, lead=lead)
    dated = read or request.maintenance is not None
    lead = Said("{} or {}", Field("failures"), Field("maintenance"))
    refuse_idle(request, "origin", unless=dated, lead=lead)
    rebuilt = request.requirements == "reconstruct"
    lead = Said("{} reconstruct", Field("requirements"))
    refuse_idle(request, "reconstruct_by", unless=rebuilt, lead=lead)
    lead = Said("{}, {} or {}", lead, Field("scale_runtimes"), Field("from_first_use"))
    placed = rebuilt or request.scale_runtimes or request.from_first_use
    refuse_idle(request, "partitions", "partition_map", unless=placed, lead=lead)
    planned = request.kill or request.estimates == "walltime"
    lead = Said("{} walltime or {}", Field("estimates"), Field("kill"))
    refuse_idle(request, "missing_walltime", "walltime_factor", unless=planned, lead=lead)


def _untimed(row: dict[str, Any]) -> dict[str, Any]:
    plain = without(row, "scheduler_s")
    return plain | {"sd": without(row["sd"], "scheduler_s")} if "sd" in row else plain
