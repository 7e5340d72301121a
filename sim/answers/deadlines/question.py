"""Which deadlines a site can promise: replays of accuracy and confidence, or a study of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from asking.plain import strict
from asking.units import human_count

from ..attempts import attempt_table, places_in_queue, ranges
from ..plain import frame_of, without
from ..progress import SILENT, Progress
from ..replays.requests import PromisesRequest
from ..replays.setup import last_end
from ..studies.answer import StudyAnswer, study_answer
from ..studies.plan import Factor, Measure, Plan, plain_numbers
from .setup import PromisesSetup, cells_of, forecaster_of, heeded, promises_setup, with_seed

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import PromiseReplay

__all__ = ["MEASURES", "Finished", "PromisesAnswer", "cell_label", "promises"]

MEASURES = (
    Measure("qos", "QoS", "number"),
    Measure("utilization", "in use", "share"),
    Measure("lost_work_node_s", "lost", "node_h"),
    Measure("kept", "kept", "share"),
    Measure("mean_wait_s", "mean wait", "time"),
)
Cell = tuple[float | None, float]


class Finished(Protocol):
    """Cells that were played before, by accuracy and confidence, and where others are kept."""

    def get(self, key: Any) -> dict[str, Any] | None:
        """Return the numbers of a cell, if it is finished."""

    def add(self, key: Any, result: dict[str, Any]) -> None:
        """Keep the numbers of a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class PromisesAnswer:
    """The numbers of each pair of accuracy and confidence; `parts` are what was replayed."""

    request: PromisesRequest
    parts: PromisesSetup
    rows: tuple[dict[str, Any], ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read, drawn and assumed."""
        return self.parts.notes

    def to_dict(self, *, timed: bool = False) -> dict[str, Any]:
        """Return the answer as plain data, with `timed` also how long computing took."""
        rows = [row if timed else without(row, "engine_s") for row in self.rows]
        found: dict[str, Any] = strict(
            {"results": rows, "seed": self.request.seed, "notes": list(self.notes)}
        )
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return a row of numbers for each pair, times in [s]."""
        return frame_of(self.rows, "engine_s")


def promises(
    request: PromisesRequest,
    *,
    each: Callable[[pd.DataFrame, Mapping[str, Any]], None] | None = None,
    finished: Callable[[PromisesRequest, PromisesSetup], Finished | None] | None = None,
    progress: Progress = SILENT,
) -> PromisesAnswer | StudyAnswer:
    """Promise the jobs of a log deadlines, and count which are kept.

    Parameters
    ----------
    request : PromisesRequest
        The log, the failures, the predictor and what users ask for; durations in [s].
    each : function of a DataFrame and a mapping, optional
        Called for each cell with a row per attempt of a job and what was promised, and with its
        accuracy and confidence: the rows are too many to be kept.
    finished : function, optional
        Returns of the parts the cells that need not be played again.
    progress : Progress
        Told of what is played.

    Returns
    -------
    PromisesAnswer, or StudyAnswer
        The latter where the request has a `study` of several seeds.

    Raises
    ------
    Refused
        If what is asked does not go together, or a field has no effect; a ValueError that names
        the fields.
    ValueError
        If a file cannot be read as what it is to be.
    """
    request.check()
    study = request.study
    if study.wanted:
        request = replace(request, seed=study.first_seed(request.seed))
    parts = promises_setup(request)
    if study.wanted:
        return study_answer(
            *(request, _plan(request, parts, cells_of(request))),
            facts=[
                ("machine", human_count(parts.processors, "processor")),
                ("jobs", f"{len(parts.workload):,}"),
            ],
            notes=parts.notes,
            files=(),
            progress=progress,
        )
    known = None if finished is None else finished(request, parts)
    rows = tuple(_rows(request, parts, known, each, progress))
    return PromisesAnswer(request, parts, rows)


def _rows(
    request: PromisesRequest,
    parts: PromisesSetup,
    finished: Finished | None,
    each: Callable[[pd.DataFrame, Mapping[str, Any]], None] | None,
    progress: Progress,
) -> Iterator[dict[str, Any]]:
    """Yield the numbers of every cell; play those that are not finished."""
    unasked: tuple[float | None, PromiseReplay] | None = None
    cells = list(cells_of(request))
    for accuracy, confidence in cells:
        row = None if finished is None else finished.get([accuracy, confidence])
        if row is None:
            asked = heeded(request, accuracy, confidence)
            if asked == 0.0 and unasked is not None and unasked[0] == accuracy:
                done = unasked[1]  # the same replay again
            else:
                done = _replay(request, parts, accuracy, asked, progress, replays=len(cells))
                unasked = (accuracy, done) if asked == 0.0 else unasked
            row = _row(request, parts, done, accuracy, confidence)
            if finished is not None:
                finished.add([accuracy, confidence], row)
            if each is not None:
                cell = {"accuracy": accuracy, "confidence": confidence}
                each(_attempts(parts, done), cell)
        yield row


def _replay(
    request: PromisesRequest,
    parts: PromisesSetup,
    accuracy: float | None,
    confidence: float,
    progress: Progress,
    *,
    replays: int | None = None,
) -> PromiseReplay:
    from ...cluster import replay_promises

    with progress.replay(cell_label(accuracy, confidence), len(parts.workload)) as report:
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
            replays=replays,
            progress=report,
        )


def _row(
    request: PromisesRequest,
    parts: PromisesSetup,
    done: PromiseReplay,
    accuracy: float | None,
    confidence: float,
) -> dict[str, Any]:
    """Return the numbers of a cell."""
    from ...metrics import brier_score, calibration

    drawn = None
    if request.failures is None:
        until = last_end(done.replay)
        drawn = int(np.searchsorted(parts.failures.time, until, side="right"))
    records, attempts = done.replay.job_records, done.replay.attempt_records
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


def _attempts(parts: PromisesSetup, done: PromiseReplay) -> pd.DataFrame:
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
    cells: Mapping[str, Cell]

    def __call__(self, cell: str, seed: int) -> dict[str, int | float | str]:
        """Return the metrics of the replay."""
        request, parts = with_seed(self.request, self.parts, seed)
        done = _replay(request, parts, *self.cells[cell], SILENT)
        row = _row(request, parts, done, *self.cells[cell])
        return plain_numbers(row, "accuracy", "confidence", "engine_s")


def _plan(request: PromisesRequest, parts: PromisesSetup, pairs: Sequence[Cell]) -> Plan:
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
        measures=MEASURES,
    )


def cell_label(accuracy: float | None, confidence: float) -> str:
    """Return what a cell is called.

    Parameters
    ----------
    accuracy : float or None, [-]
        Of the forecaster; None where it is fitted to it.
    confidence : float, [-]
        With which users ask for their deadlines.

    Returns
    -------
    str
        Such as ``a=0.5 U=0.9``.
    """
    return f"U={confidence:g}" if accuracy is None else f"a={accuracy:g} U={confidence:g}"
