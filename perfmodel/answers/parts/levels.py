"""What a job gains if most checkpoints are copies that survive some failures only."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from asking.refusals import Field, Refused, Said
from asking.units import human_duration

from ...levels import Level, LevelPattern, expected_pattern_time, optimal_pattern_levels
from ..known.job import Job
from ..requests.job import IntervalRequest
from ..requests.levels import LocalCopy

_LEAST, _MOST = 1e-8, 100.0  # costs over the MTBF of which patterns are searched


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
    steps: int | None
    levels: tuple[Layer, ...]
    efficiency: float
    overhead: float
    single_interval_s: float
    single_steps: int | None
    single_efficiency: float
    single_overhead: float


def layered(
    job: Job, copies: Sequence[LocalCopy], *, asked: IntervalRequest | None = None
) -> Layered:
    """Return the best pattern with `copies` below the checkpoint of the job."""
    _refuse_beyond(job, copies, stated=asked is None or asked.says("checkpoint_cost"))
    lower = sorted(copies, key=lambda copy: (copy.survives, copy.cost))
    levels = [Level(copy.cost, copy.recovery, copy.survives) for copy in lower]
    last = Level(job.checkpoint_cost, job.recovery_cost, 1.0)
    machine: _Machine = {"mtbf": job.mtbf.value, "downtime": job.downtime}
    best, steps = _best([*levels, last], job, machine)
    alone, single_steps = _best([last], job, machine)
    every = [*itertools.accumulate((1 + n for n in best.counts), initial=1, func=operator.mul)]
    return Layered(
        best.interval,
        steps,
        tuple(
            Layer(level.cost, level.recovery, level.survives, number if used else 0)
            for level, number, used in zip([*levels, last], every, [*best.counts, 1], strict=True)
        ),
        best.efficiency,
        1.0 / best.efficiency - 1.0,
        alone.interval,
        single_steps,
        alone.efficiency,
        1.0 / alone.efficiency - 1.0,
    )


class _Machine(TypedDict):
    mtbf: float
    downtime: float


def _best(levels: list[Level], job: Job, machine: _Machine) -> tuple[LevelPattern, int | None]:
    """Return the best pattern, its interval in whole steps, and how many."""
    best = optimal_pattern_levels(levels, **machine)
    work = math.prod(1 + count for count in best.counts)

    def slowed(interval: float) -> float:
        time = expected_pattern_time(levels, interval=interval, counts=best.counts, **machine)
        return time / (work * interval)

    interval, steps = job.in_steps(best.interval, slowed)
    if steps is None:
        return best, None
    return replace(best, interval=interval, efficiency=1.0 / slowed(interval)), steps


def _refuse_beyond(job: Job, copies: Sequence[LocalCopy], *, stated: bool) -> None:
    """Refuse times too far from the MTBF for a search over patterns, by the options they are of."""
    cost = Field("checkpoint_cost") if stated else "the checkpoint"
    times: list[tuple[object, float, float]] = [
        (cost, job.checkpoint_cost, _LEAST),
        (Field("recovery_cost"), job.recovery_cost, 0.0),
    ]
    for copy in copies:
        times.append((Said("the cost of a {}", Field("levels")), copy.cost, _LEAST))
        times.append((Said("the recovery of a {}", Field("levels")), copy.recovery, 0.0))
    for name, time, least in times:
        if not least <= time / job.mtbf.value <= _MOST:
            rule = f"{least:g} to {_MOST:g}" if least else f"at most {_MOST:g}"
            raise Refused(
                "{} must be {} times the MTBF of {} with {}, got {}",
                name,
                rule,
                human_duration(job.mtbf.value),
                Field("levels"),
                human_duration(time),
            )
