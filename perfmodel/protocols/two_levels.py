"""Checkpoints on two levels: most are local copies that survive a share of the failures."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from .._checks import FloatArray
from ..completion import CompletionTime
from ..interval import best_segments
from ..levels import (
    exact_makespan_two_levels,
    expected_makespan_two_levels,
    optimal_pattern_two_levels,
)
from ..training import training_shares_memory
from .protocol import MANY, Losses, Plan, Protocol
from .situation import Situation

_FEW = 16  # segments up to which every pattern is tried
_NEAR = 4  # lengths and numbers of patterns on either side that are tried together


class TwoLevels(Protocol):
    """Local copies, and every so many one that survives all failures."""

    name = "two_levels"
    needs = ("local_cost", "survived")
    cost = "local_cost"
    short = known_as = plural = "two levels"
    writes = "Write checkpoints on two levels after every {interval} of work"
    drawn: ClassVar[tuple[str, str] | None] = ("checkpoint_cost", "durable checkpoint")
    quick = False
    shares = "training_shares_memory"
    formulas = (
        "optimal_pattern_two_levels",
        "expected_makespan_two_levels",
        "exact_makespan_two_levels",
    )

    def plan(self, job: Situation) -> Plan:
        """Return the best pattern that a search finds."""
        long = optimal_pattern_two_levels(**_levels(job))

        def mean(counts: FloatArray, every: FloatArray) -> FloatArray:
            with np.errstate(all="ignore"):
                return self.mean(job, job.work / counts, every)

        most = float(np.clip(np.round(job.work / long.interval), 1.0, MANY))
        every = min(long.durable_every, most)
        alone = float(best_segments(job.work, mtbf=job.mtbf, checkpoint_cost=job.checkpoint_cost))
        # Also patterns of one length: as many as a long job would have, or one fewer or more.
        patterns = np.maximum(np.round(most / every) + np.array([-1.0, 0.0, 1.0]), 1.0)
        each = np.maximum(np.round(most / patterns), 1.0)
        few, some = np.tril_indices(_FEW)  # all pairs of few segments
        counts = np.array([min(alone, MANY), most, most, *(patterns * each), *(few + 1.0)])
        lengths = np.array([1.0, every, most, *each, *(some + 1.0)])
        start = int(np.argmin(mean(counts, lengths)))
        count, every, time = _descend(mean, float(counts[start]), float(lengths[start]))
        return Plan(job.work / count, count, time, durable_every=every)

    def mean(
        self, job: Situation, interval: FloatArray, durable_every: FloatArray | float = 1.0
    ) -> FloatArray:
        """Return the exact mean at each interval."""
        return np.asarray(
            expected_makespan_two_levels(job.work, **_pattern(job, interval, durable_every))
        )

    def law(
        self, job: Situation, interval: float, durable_every: float = 1.0
    ) -> CompletionTime | None:
        """Return the exact law."""
        return exact_makespan_two_levels(job.work, **_pattern(job, interval, durable_every))

    def losses(
        self, job: Situation, interval: float, durable_every: float, delays: dict[str, float]
    ) -> Losses | None:
        """Return the classes of a run with local copies, as those of one with copies in memory."""
        with np.errstate(all="ignore"):
            shares = training_shares_memory(
                interval=interval,
                durable_every=durable_every,
                mtbf=job.mtbf,
                survived=job.survived or 0.0,
                memory_cost=job.local_cost or 0.0,
                checkpoint_cost=job.checkpoint_cost,
                memory_restore=max(job.local_recovery - delays["warm_up"], 0.0),
                **delays,
            )
        losses = {name.replace("memory", "local"): loss for name, loss in shares.losses().items()}
        return {"goodput": float(shares.goodput)} | {
            name: float(loss) for name, loss in losses.items()
        }


def _levels(job: Situation) -> dict[str, Any]:
    return {
        "mtbf": job.mtbf,
        "survived": job.survived,
        "local_cost": job.local_cost,
        "durable_cost": job.checkpoint_cost,
        "local_recovery": job.local_recovery,
    }


def _pattern(
    job: Situation, interval: FloatArray | float, durable_every: FloatArray | float
) -> dict[str, Any]:
    return {
        "interval": interval,
        "durable_every": durable_every,
        "durable_recovery": job.recovery_cost,
        "downtime": job.downtime,
        **_levels(job),
    }


def _descend(
    mean: Callable[[FloatArray, FloatArray], FloatArray], count: float, every: float
) -> tuple[float, float, float]:
    """Return segments, checkpoints per durable one and the mean, where no move is better.

    A move changes one of both numbers, or the length or the number of patterns, by any power of 2.
    """
    time = float(mean(np.asarray(count), np.asarray(every)))
    while True:
        far = 2.0 ** np.arange(math.frexp(count)[1])
        step = np.concatenate([-far, far])
        patterns, none = math.ceil(count / every), np.zeros_like(step)
        near = np.arange(-_NEAR, _NEAR + 1.0)
        k = [
            count + step,
            count + none,
            patterns * (every + step),
            (patterns + step) * every,
            ((patterns + near)[:, None] * (every + near)).ravel(),
        ]
        m = [
            every + none,
            every + step,
            every + step,
            every + none,
            np.tile(every + near, near.size),
        ]
        counts = np.clip(np.concatenate(k), 1.0, MANY)
        lengths = np.clip(np.concatenate(m), 1.0, counts)
        times = mean(counts, lengths)
        best = int(np.argmin(times))
        if not times[best] < time * (1.0 - 1e-14):
            return count, every, time
        count, every, time = float(counts[best]), float(lengths[best]), float(times[best])
