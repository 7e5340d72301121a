"""What replays of plain machines and of grids tell beyond their means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from asking.refusals import Field, Refused

from ..logs.recorded import Recorded
from .requests import ReplayRequest

if TYPE_CHECKING:
    from ...cluster import Replay, Workload

__all__ = [
    "by_class",
    "cut_warnings",
    "measures_of",
    "recorded_measures",
    "spread",
    "use",
]

FloatArray = npt.NDArray[np.float64]

_BOUND = 10.0  # of the bounded slowdown, [s]


def spread(wait: FloatArray, bounded_slowdown: FloatArray) -> dict[str, dict[str, float]]:
    """Return percentiles of the known waits [s] and slowdowns, by their number."""
    from ...metrics import PERCENTILES, percentiles

    def named(values: FloatArray) -> dict[str, float]:
        return dict(zip(map(str, PERCENTILES), percentiles(values), strict=True))

    return {
        "wait_percentiles_s": named(wait),
        "bounded_slowdown_percentiles": named(bounded_slowdown),
    }


def by_class(result: Replay) -> list[dict[str, Any]]:
    """Return the means of each class of size and length that has jobs, all together last."""
    from ...metrics import means_by_class

    table = means_by_class(result.jobs)
    rows = table[table["jobs"] > 0].to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def measures_of(result: Replay, request: ReplayRequest) -> dict[str, Any]:
    """Return percentiles, and what else of the measures here the request asks for."""
    from ...metrics import bounded_slowdown, wait

    found: dict[str, Any] = spread(wait(result.job_records), bounded_slowdown(result.job_records))
    if request.checkpoints_in_walltime:
        found["cut_node_h"] = _cut_node_hours(result)
    if request.by_class:
        found["by_class"] = by_class(result)
    if request.use_over_time is not None:
        found["use_over_time"] = use(result, request.use_over_time)
    return found


def _cut_node_hours(result: Replay) -> float:
    """Return what the jobs held that only checkpoints brought to their walltime, [node h]."""
    from ...metrics import cut_by_checkpoints

    attempts = result.attempt_records
    cut = cut_by_checkpoints(result.job_records)[attempts.position]
    held = (attempts.end - attempts.start) * attempts.processors
    return float(held[cut].sum()) / 3600.0


def cut_warnings(objects: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a line for each replay in which checkpoints brought jobs to their walltime."""
    found = []
    for name, row in objects.items():
        cut = row["cut_by_checkpoints"]
        if cut:
            delivered = sum(
                row[f"{part}_node_h"] for part in ("useful", "lost", "checkpoint", "recovery")
            )
            found.append(
                f"warning: {name}: checkpoints made {cut:,} of {row['jobs']:,} jobs reach their "
                f"walltime, which would have come to their end without; they held "
                f"{100.0 * row['cut_node_h'] / delivered:.1f} % of the time in use"
            )
    return found


def use(result: Replay, step: float) -> dict[str, list[float]]:
    """Return the use of the machine and the queue in periods of `step` [s]; a list per column."""
    from ...metrics import use_over_time

    try:
        table = use_over_time(
            result.job_records, result.attempt_records, size=result.size, step=step
        )
    except ValueError as error:
        raise Refused("{}: {}", Field("use_over_time"), error) from error
    return {str(name): column.tolist() for name, column in table.items()}


def recorded_measures(
    recorded: Recorded | None, workload: Workload, *, size: int
) -> dict[str, Any] | None:
    """Return what the log itself says of these jobs, by the names of a replay.

    None where the log knows no wait of them. The machine is that of the replay; its use is known
    where all waits are.
    """
    if recorded is None:
        return None
    wait = recorded.waits(workload)
    known = ~np.isnan(wait)
    if not known.any():
        return None
    response = wait + workload.runtime
    slowdown = np.maximum(response / np.maximum(workload.runtime, _BOUND), 1.0)
    span = float((workload.submit + response)[known].max() - workload.submit.min())
    held = float((workload.runtime * workload.processors).sum())
    return {
        "jobs": int(known.sum()),
        "mean_wait_s": float(wait[known].mean()),
        "mean_response_s": float(response[known].mean()),
        "mean_bounded_slowdown": float(slowdown[known].mean()),
        "utilization": held / (size * span) if known.all() and span > 0.0 else float("nan"),
        **spread(wait, slowdown),
    }
