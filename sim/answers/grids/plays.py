"""What the replays of a scenario and policy on a grid have in common, and what the log has."""

from __future__ import annotations

from dataclasses import asdict
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..logs.recorded import Recorded
from ..plain import without
from ..replays.measures import recorded_measures, spread, use
from .means import means_of
from .request import GridRequest
from .setup import GridSetup

if TYPE_CHECKING:
    from ...cluster import Grid, GridReplay, Workload

_MEASURES = (
    "mean_slowdown",
    "mean_response_s",
    "mean_wait_s",
    "completed",
    "killed",
    "kills",
    "killed_at_walltime",
    "cancelled",
    "unfinished",
    "mean_killed_length_s",
    "utilization",
    "scheduler_s",
)


def grid_replay(
    parts: GridSetup,
    scenario: str,
    policy: str,
    seed: int,
    request: GridRequest,
    *,
    replays: int | None = None,
) -> GridReplay:
    """Return the replay of a scenario under the policy of this name and seed, one of `replays`."""
    from ...cluster import replay_grid
    from ...cluster.grid import SCENARIOS, LocalSearch

    required, failing = SCENARIOS[scenario]
    searching = LocalSearch(
        seed,
        request.search_period,
        request.search_rounds,
        request.search_budget,
        request.search_weights,
    )
    return replay_grid(
        parts.workload,
        parts.grid.with_suitability(parts.suitability if required else None),
        policy=searching if policy == "ls" else policy,
        seed=seed,
        order=parts.order,
        event_order=request.event_order,
        estimates=request.estimates,
        kill_at_walltime=request.kill,
        scale=parts.scale,
        failures=parts.feeds.every if failing else None,
        recovery=request.on_failure,
        cancel_stranded=not request.keep_stranded,
        replays=replays,
    )


def grid_measures(result: GridReplay, request: GridRequest) -> dict[str, Any]:
    """Return the numbers of one replay, by cluster and by class too."""
    from ...metrics import bounded_slowdown, means_by_class, wait

    metrics, jobs = result.metrics, result.replay.job_records
    slowdown = bounded_slowdown(jobs)
    by_cluster = {name: asdict(numbers) for name, numbers in result.use_by_cluster.items()}
    found = {
        "engine": result.replay.engine,
        **{name: metrics[name] for name in _MEASURES if name != "kills"},
        "kills": sum(one["kills"] for one in by_cluster.values()),
        **spread(np.where(np.isnan(slowdown), nan, wait(jobs)), slowdown),
        "by_cluster": by_cluster,
    }
    if request.by_class:
        table = result.replay.jobs
        classes = means_by_class(table[table["response"].notna()])
        found["by_class"] = classes.to_dict("records")
    if request.use_over_time is not None:
        found["use_over_time"] = use(result.replay, request.use_over_time)
    return found


def grid_row(
    scenario: str, policy: str, found: list[dict[str, Any]], request: GridRequest
) -> dict[str, Any]:
    """Return the means over the seeds of what `grid_measures` gives, with their spread."""
    from ...cluster.grid import SCENARIOS

    seeds = len(found)
    use_of_first = found[0].get("use_over_time")  # other seeds may last for more periods
    means = means_of([without(metrics, "use_over_time") for metrics in found])
    row = {"scenario": scenario, "policy": policy, "seeds": seeds, **means}
    if use_of_first is not None:
        row["use_over_time"] = use_of_first
    if request.by_class:  # only now, as another seed may end jobs of other classes
        row["by_class"] = [one for one in row["by_class"] if one["jobs"] > 0.0]
    if seeds > 1:
        row["sd"] = {
            name: _deviation(np.array([metrics[name] for metrics in found])) for name in _MEASURES
        }
    _, failing = SCENARIOS[scenario]
    if failing:
        kills = {name: numbers["kills"] for name, numbers in row["by_cluster"].items()}
        total = sum(kills.values())
        row["killed_share"] = {name: n / total if total else nan for name, n in kills.items()}
    return row


def recorded_row(
    recorded: Recorded | None, workload: Workload, grid: Grid
) -> dict[str, Any] | None:
    """Return what the log itself says of the jobs, or None where it has no waits."""
    found = recorded_measures(recorded, workload, size=grid.size)
    if recorded is None or found is None:
        return None
    response = recorded.waits(workload) + workload.runtime
    return found | {"mean_slowdown": float(np.nanmean(response / workload.runtime))}


def _deviation(values: Any) -> float:
    """Return the standard deviation over the seeds for which the number is known."""
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if known.size > 1 else nan
