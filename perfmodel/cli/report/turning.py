"""The best interval under other MTBFs and costs: what the figure shows that a reader turns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from asking.units import human_duration, natural_unit

from ..._checks import FloatArray
from ...answers.drawn import span_below
from ...answers.shown import percent
from ...planning import Plan
from ...protocols.table import protocol_of

# Factors of the plan's own MTBF and cost: each place of a slider has a curve of its own.
_MTBFS = tuple(2.0 ** (0.25 * power) for power in range(-8, 9))
_COSTS = tuple(2.0**power for power in range(-2, 3))
_POINTS = 64
_AROUND = 6.0  # how far from the shortest and the longest best interval
_ABOVE = 4.0  # times the largest of the least overheads
_REGRET = 0.01
_FINE = 17  # points between two of a curve, where it leaves the band
_SAME = 0.005  # percent


@dataclass(frozen=True, slots=True)
class Turning:
    """Curves of time beyond the work [%] over the interval, by MTBF (rows) and cost (columns).

    `intervals`, `planned`, and the `best` and `near` of each curve are in `unit`; the sentence
    `said` has these numbers. `near` are the ends of what takes at most 1 % longer than the best.
    """

    unit: str
    turned: str
    mtbfs: tuple[str, ...]
    costs: tuple[str, ...]
    intervals: FloatArray
    planned: float
    ends: tuple[float, float]
    curves: tuple[tuple[Mapping[str, Any], ...], ...]

    @property
    def start(self) -> tuple[int, int]:
        """Where the plan itself stands among the rows and the columns."""
        return len(self.mtbfs) // 2, len(self.costs) // 2


def turning_of(plan: Plan) -> Turning | None:
    """Return the curves about a plan; None where its protocol has no interval to turn."""
    chosen, job = plan.checkpoint, plan.job
    if chosen is None or job is None:
        return None
    protocol, ahead = protocol_of(chosen.protocol), plan.mtbf_ahead
    if protocol.drawn is None:
        return None
    job = job if ahead is None else replace(job, mtbf=ahead.value)
    name, turned = protocol.drawn
    now: float = getattr(job, name)
    costs: list[Any] = [{name: now * factor} for factor in _COSTS]
    factors = _MTBFS[::2] if job.ages else _MTBFS  # each curve of such a job takes 30 ms
    jobs = [[replace(job, mtbf=job.mtbf * often, **cost) for cost in costs] for often in factors]
    found = [[protocol.to_draw(each) for each in row] for row in jobs]
    best = np.array([[min(interval, job.work) for interval, _ in row] for row in found])
    unit, size = natural_unit(chosen.interval)
    last = max(min(best.max() * _AROUND, job.work), 2.0 * chosen.interval)
    intervals = np.geomspace(min(best.min(), chosen.interval) / _AROUND, last, _POINTS)

    def curve(row: int, column: int) -> dict[str, Any]:
        model, at, every = jobs[row][column], best[row, column], found[row][column][1]
        asked = np.concatenate([[at, chosen.interval], intervals])
        beyond = 100.0 * (protocol.means(model, asked, every) / job.work - 1.0)
        least, planned, over = float(beyond[0]), float(beyond[1]), beyond[2:]
        level = least + _REGRET * (100.0 + least)
        fine, more = intervals, over
        for _ in range(2):
            new = _about_the_ends(fine, more <= level)
            if new.size:
                times = 100.0 * (protocol.means(model, new, every) / job.work - 1.0)
                order = np.argsort(np.append(fine, new))
                fine, more = np.append(fine, new)[order], np.append(more, times)[order]
        near = span_below(fine, more, level)
        longer = 100.0 * ((100.0 + planned) / (100.0 + least) - 1.0)
        same = "just as long" if longer < _SAME else f"{percent(0.01 * longer, 2)} % longer"
        return {
            "beyond": over,
            "best": at / size,
            "least": least,
            "near": None if near is None else (near[0] / size, near[1] / size),
            "said": f"Best every {human_duration(float(at))}: the job takes "
            f"{percent(0.01 * least, 2)} % more than its work. With the plan's "
            f"{human_duration(chosen.interval)} it "
            + (f"takes {same}." if math.isfinite(longer) else "never ends."),
        }

    curves = tuple(
        tuple(curve(row, column) for column in range(len(_COSTS))) for row in range(len(factors))
    )
    least = [each["least"] for row in curves for each in row if math.isfinite(each["least"])]
    if not least or not min(least) > 0.0:
        return None
    return Turning(
        unit=unit,
        turned=turned,
        mtbfs=tuple(human_duration(job.mtbf * factor) for factor in factors),
        costs=tuple(human_duration(now * factor) for factor in _COSTS),
        intervals=intervals / size,
        planned=chosen.interval / size,
        ends=(0.8 * min(least), _ABOVE * max(least)),
        curves=curves,
    )


def _about_the_ends(intervals: FloatArray, inside: npt.NDArray[np.bool_]) -> FloatArray:
    """Return further intervals, close together where a curve enters a band and leaves it."""
    turns = np.flatnonzero(np.diff(inside))
    parts = [np.geomspace(intervals[at], intervals[at + 1], _FINE)[1:-1] for at in turns]
    return np.concatenate(parts) if parts else np.empty(0)
