"""A picture of a replay: who ran where and when, below the number of jobs waiting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from .._checks import FloatArray

if TYPE_CHECKING:
    from sim.cluster import Replay
    from sim.records import AttemptRecords

__all__ = ["draw"]

MOST_BARS = 4000
_DAY = 86_400.0


def draw(result: Replay, path: Path) -> None:
    """Write a PNG: a bar per attempt where they can be told apart, else processors in use."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise click.UsageError(
            "--plot must have matplotlib: pip install 'perfmodel[plot]'"
        ) from None
    mpl.use("Agg")
    from matplotlib import pyplot

    records, attempts = result.job_records, result.attempt_records
    origin = float(records.submit.min()) if records.submit.size else 0.0
    figure, (above, below) = pyplot.subplots(
        2, 1, figsize=(11, 6), sharex=True, height_ratios=[1, 3], layout="constrained"
    )
    started = ~np.isnan(records.first_start)
    above.step(
        *_level(records.submit[started] - origin, records.first_start[started] - origin),
        where="post",
        color="tab:orange",
    )
    above.set_ylabel("jobs waiting")
    start, end = attempts.start - origin, attempts.end - origin
    if start.size <= MOST_BARS:
        _bars(below, attempts, origin, result.size)
        below.set_ylabel("processors")
    else:
        below.step(*_level(start, end, attempts.processors), where="post", color="tab:blue")
        below.set_ylabel("processors in use")
    below.set_ylim(0, result.size)
    below.set_xlabel("days since the first submission")
    figure.suptitle(f"{result.policy}: {len(records.job):,} jobs on {result.size:,} processors")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _level(up: FloatArray, down: FloatArray, size: Any = None) -> tuple[FloatArray, FloatArray]:
    """Return times [day] and how much is in use after each of them."""
    size = np.ones(up.size) if size is None else size
    time = np.concatenate((up, down))
    order = np.argsort(time, kind="stable")
    return time[order] / _DAY, np.cumsum(np.concatenate((size, -size))[order])


def _bars(axes: Any, attempts: AttemptRecords, origin: float, size: int) -> None:
    from sim.records import Outcome

    colours = ["tab:blue", "tab:cyan", "tab:green", "tab:olive", "tab:purple", "tab:brown"]
    start, end = (attempts.start - origin) / _DAY, (attempts.end - origin) / _DAY
    failed = attempts.outcome == Outcome.FAILED
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
