"""Replays with promised deadlines: one cell of accuracy and confidence, or a study of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...output.attempts import attempt_table, places_in_queue, ranges
from ...output.progress import job_progress
from ...requests.replay import PromisesRequest
from ...setups.replays import PromisesSetup, forecaster_of, last_end, with_seed
from .study import Factor, Measure, Plan, plain_numbers

if TYPE_CHECKING:
    import pandas as pd

    from sim.cluster import PromiseReplay

__all__ = ["cell_label", "plan_of_promises", "promises_attempts", "promises_replay", "promises_row"]

_MEASURES = (
    Measure("qos", "QoS", "number"),
    Measure("utilization", "in use", "share"),
    Measure("lost_work_node_s", "lost", "node_h"),
    Measure("kept", "kept", "share"),
    Measure("mean_wait_s", "mean wait", "time"),
)


def promises_replay(
    request: PromisesRequest,
    parts: PromisesSetup,
    accuracy: float | None,
    confidence: float,
    *,
    watch: bool = True,
) -> PromiseReplay:
    """Return the replay of a cell, under a progress line if `watch`."""
    from sim.cluster import replay_promises

    label = cell_label(accuracy, confidence)
    with job_progress(len(parts.workload), label, watch=watch) as report:
        return replay_promises(
            parts.workload,
            processors=parts.processors,
            forecaster=forecaster_of(request, parts, accuracy),
            confidence=confidence,
            within_accuracy=request.within_accuracy,
            failures=parts.failures,
            checkpoint_interval=request.checkpoint_interval,
            checkpoint_cost=request.checkpoint_cost,
            checkpointing=request.checkpoints,
            progress=report,
        )


def promises_row(
    request: PromisesRequest,
    parts: PromisesSetup,
    done: PromiseReplay,
    accuracy: float | None,
    confidence: float,
) -> dict[str, Any]:
    """Return the numbers of a cell."""
    from dataclasses import asdict

    from sim.metrics import brier_score, calibration

    drawn = None
    if request.failures is None:
        until = last_end(done.replay)
        drawn = int(np.searchsorted(parts.failures.time, until, side="right"))
    records = done.replay.job_records
    attempts = done.replay.attempt_records
    return {
        "accuracy": accuracy,
        "confidence": confidence,
        "qos": done.quality_of_service,
        "utilization": done.utilization,
        "lost_work_node_s": done.lost_work,
        "kept": float(np.mean(done.kept)),
        "mean_promised": float(np.mean(done.promised)),
        "brier": brier_score(done.promised, done.kept),
        "mean_wait_s": float(np.nanmean(records.first_start - records.submit)),
        "failures": int(records.failures.sum()),
        "failures_drawn": drawn,
        "checkpoint_node_s": float((attempts.checkpoint * attempts.processors).sum()),
        "makespan_s": float(np.nanmax(records.end) - records.submit[0]),
        "jobs": int(records.job.size),
        "calibration": [asdict(row) for row in calibration(done.promised, done.kept)],
        "engine": done.replay.engine,
        "engine_s": done.replay.engine_s,
    }


def promises_attempts(parts: PromisesSetup, done: PromiseReplay) -> pd.DataFrame:
    """Return one row per attempt; `promised`, `deadline` and `kept` are those of its job."""
    table = attempt_table(done.replay, ranges, parts.job_ids)
    job = places_in_queue(table)
    return table.assign(
        promised=done.promised[job], deadline=done.deadline[job], kept=done.kept[job]
    )


@dataclass(frozen=True, slots=True)
class _Replays:
    """The replay of a cell with the failures and the forecasts of a seed."""

    request: PromisesRequest
    parts: PromisesSetup
    cells: Mapping[str, tuple[float | None, float]]

    def __call__(self, cell: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        request, parts = with_seed(self.request, self.parts, seed)
        done = promises_replay(request, parts, *self.cells[cell], watch=False)
        row = promises_row(request, parts, done, *self.cells[cell])
        return plain_numbers(row, "accuracy", "confidence", "engine_s")


def plan_of_promises(
    request: PromisesRequest, parts: PromisesSetup, pairs: Sequence[tuple[float | None, float]]
) -> Plan:
    """Return a plan of the pairs of accuracy and confidence."""
    cells = {cell_label(*pair): pair for pair in pairs}
    return Plan(
        play=_Replays(request, replace(parts, job_ids={}), cells),
        cells={
            name: {
                "accuracy": Factor(accuracy, "-" if accuracy is None else f"{accuracy:g}"),
                "confidence": Factor(confidence, f"{confidence:g}"),
            }
            for name, (accuracy, confidence) in cells.items()
        },
        headings={"accuracy": "accuracy", "confidence": "confi-\ndence"},
        measures=_MEASURES,
    )


def cell_label(accuracy: float | None, confidence: float) -> str:
    """Return what a cell is called."""
    return f"U={confidence:g}" if accuracy is None else f"a={accuracy:g} U={confidence:g}"
