"""A picture of a replay: who ran where and when, below the number of jobs waiting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import FloatArray
from .units import human_duration

if TYPE_CHECKING:
    from sim.cluster import Replay
    from sim.records import AttemptRecords

__all__ = ["draw"]

MOST_BARS = 4000
_BINS = 500
_DAY = 86_400.0


def draw(result: Replay, path: Path, unit: str = "processors") -> None:
    """Write a PNG: a bar per attempt where they can be told apart, else means over time."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    from sim.records import Outcome

    records, attempts = result.job_records, result.attempt_records
    origin = float(records.submit.min()) if records.submit.size else 0.0
    figure, (above, below) = pyplot.subplots(
        2, 1, figsize=(11, 6), sharex=True, height_ratios=[1, 3], layout="constrained"
    )
    waited = records.first_start > records.submit
    submit, first = records.submit[waited] - origin, records.first_start[waited] - origin
    start, end = attempts.start - origin, attempts.end - origin
    failed = attempts.outcome == Outcome.FAILED
    above.set_ylabel("jobs waiting")
    if start.size <= MOST_BARS:
        above.step(*_level(submit, first), where="post", color="tab:orange")
        _bars(below, attempts, failed, origin, result.size)
        below.set_ylabel(unit)
    else:
        edges = np.linspace(0.0, end.max(), _BINS + 1)
        days = edges / _DAY
        above.stairs(_means(edges, submit, first), days, fill=True, color="tab:orange")
        in_use = _means(edges, start, end, attempts.processors)
        below.stairs(in_use, days, fill=True, color="tab:blue", label="in use")
        if failed.any():
            hit = _means(edges, start[failed], end[failed], attempts.processors[failed])
            below.stairs(hit, days, fill=True, color="tab:red", label="of these, until a failure")
            below.legend(loc="upper left")
        below.set_ylabel(f"{unit}, means over {human_duration(float(edges[1]))}")
    below.set_ylim(0, result.size)
    below.set_xlabel("days since the first submission")
    figure.suptitle(f"{result.policy}: {len(records.job):,} jobs on {result.size:,} {unit}")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _level(up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return times [day] and how many are up after each of them."""
    time = np.concatenate((up, down))
    order = np.argsort(time, kind="stable")
    steps = np.concatenate((np.ones(up.size), np.full(down.size, -1.0)))
    return time[order] / _DAY, np.cumsum(steps[order])


def _means(edges: FloatArray, up: FloatArray, down: FloatArray, size: Any = 1.0) -> FloatArray:
    """Return the mean of what is up between each two edges; `size` is what each counts for."""
    weight = np.broadcast_to(np.asarray(size, dtype=np.float64), up.shape)

    def before(times: FloatArray) -> FloatArray:
        """Return at each edge the integral of what came by then."""
        order = np.argsort(times)
        place = np.searchsorted(times[order], edges)
        count = np.concatenate(([0.0], np.cumsum(weight[order])))[place]
        moment = np.concatenate(([0.0], np.cumsum((weight * times)[order])))[place]
        return np.asarray(edges * count - moment)

    return np.asarray(np.diff(before(up) - before(down)) / np.diff(edges))


def _bars(axes: Any, attempts: AttemptRecords, failed: Any, origin: float, size: int) -> None:
    colours = ["tab:blue", "tab:cyan", "tab:green", "tab:olive", "tab:purple", "tab:brown"]
    start, end = (attempts.start - origin) / _DAY, (attempts.end - origin) / _DAY
    for index, pieces in _places(start, end, attempts.processors, size):
        for first, count in pieces:
            axes.broken_barh(
                [(start[index], end[index] - start[index])],
                (first, count),
                facecolors="tab:red" if failed[index] else colours[index % len(colours)],
                edgecolors="white",
                linewidth=0.2,
            )


def _places(
    start: FloatArray, end: FloatArray, processors: Any, size: int
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Give every attempt the lowest processors free at its start; yield them as runs.

    A plain machine does not number its processors: any assignment is as true as another.
    """
    free = np.ones(size, dtype=bool)
    held: dict[int, Any] = {}
    # Ends before starts at one instant.
    events = sorted(
        [(t, 0, i) for i, t in enumerate(end)] + [(t, 1, i) for i, t in enumerate(start)]
    )
    for _, is_start, index in events:
        if not is_start:
            free[held.pop(index, np.empty(0, np.int64))] = True
            continue
        mine = np.flatnonzero(free)[: processors[index]]
        free[mine] = False
        held[index] = mine
        breaks = np.flatnonzero(np.diff(mine) > 1)
        firsts = mine[np.concatenate(([0], breaks + 1))]
        lasts = mine[np.concatenate((breaks, [mine.size - 1]))]
        yield index, [(int(a), int(b - a + 1)) for a, b in zip(firsts, lasts, strict=True)]
