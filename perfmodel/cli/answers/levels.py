"""What a job gains if most checkpoints are copies that survive some failures only."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from dataclasses import dataclass

from ...levels import Level, optimal_pattern_levels
from ..requests.levels import LocalCopy
from ..setups.job import Job

__all__ = ["Layer", "Layered", "layered"]


@dataclass(frozen=True, slots=True)
class Layer:
    """One level of the best pattern; `every` is in checkpoints of any level, 0 if it is unused."""

    cost_s: float
    recovery_s: float
    survives: float
    every: int


@dataclass(frozen=True, slots=True)
class Layered:
    """The best pattern of a long job on several levels, and on the last alone; in [s]."""

    interval_s: float
    levels: tuple[Layer, ...]
    efficiency: float
    overhead: float
    single_interval_s: float
    single_efficiency: float
    single_overhead: float


def layered(job: Job, copies: Sequence[LocalCopy]) -> Layered:
    """Return the best pattern with `copies` below the checkpoint of the job."""
    lower = sorted(copies, key=lambda copy: (copy.survives, copy.cost))
    levels = [Level(copy.cost, copy.recovery, copy.survives) for copy in lower]
    last = Level(job.checkpoint_cost, job.recovery_cost, 1.0)
    best = optimal_pattern_levels([*levels, last], mtbf=job.mtbf.value, downtime=job.downtime)
    alone = optimal_pattern_levels([last], mtbf=job.mtbf.value, downtime=job.downtime)
    every = [*itertools.accumulate((1 + n for n in best.counts), initial=1, func=operator.mul)]
    return Layered(
        best.interval,
        tuple(
            Layer(level.cost, level.recovery, level.survives, number if used else 0)
            for level, number, used in zip([*levels, last], every, [*best.counts, 1], strict=True)
        ),
        best.efficiency,
        1.0 / best.efficiency - 1.0,
        alone.interval,
        alone.efficiency,
        1.0 / alone.efficiency - 1.0,
    )
