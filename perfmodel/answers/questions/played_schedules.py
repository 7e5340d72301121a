"""Schedules of a parallel job, played: their mean beside the one that was predicted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sim.application import Machine

    from ...partition import Machines, Schedule

_LEAST = 1e-6  # of a share, between checkpoints that cost nothing


@dataclass(frozen=True, slots=True)
class Played:
    """How often it was played, the mean and half of its 95 % interval [s], by which seed."""

    plays: int
    mean_s: float
    half_width_s: float
    seed: int


def played_schedules(
    machines: Machines, schedules: Sequence[Schedule], plays: int, seed: int
) -> Played:
    """Play schedules, by turns where there are several; repairs are lognormal, [s].

    The interval of one schedule is that of its plays, of several that of their means.
    """
    from sim.application import simulate_parallel_makespans

    each = math.ceil(plays / len(schedules))
    walls = np.array(
        [
            simulate_parallel_makespans(
                found.shares.tolist(),
                [_machine(machines, int(at), float(share)) for at, share in _pairs(found)],
                replications=each,
                seed=seed + number,
            )
            for number, found in enumerate(schedules)
        ]
    )
    sample = walls.mean(axis=1) if len(schedules) > 1 else walls[0]
    half = math.inf
    if sample.size > 1:
        half = _quantile(sample.size - 1) * float(sample.std(ddof=1)) / math.sqrt(sample.size)
    return Played(walls.size, float(walls.mean()), half, seed)


def _quantile(freedom: int) -> float:
    from scipy import special

    return float(special.stdtrit(freedom, 0.975))


def _pairs(found: Schedule) -> Any:
    return zip(found.chosen.tolist(), found.shares.tolist(), strict=True)


def _machine(machines: Machines, at: int, share: float) -> Machine:
    from sim.application import Machine
    from sim.samplers import LogNormal

    speed, mtbf, mttr, cv, interval, cost = (float(column[at]) for column in machines.columns)
    log_variance = math.log1p(cv * cv)
    scattered = mttr > 0.0 and cv > 0.0
    repair = (
        LogNormal(math.log(mttr) - 0.5 * log_variance, math.sqrt(log_variance))
        if scattered
        else mttr
    )
    return Machine(
        speed=speed,
        mtbf=mtbf,
        downtime=repair,
        interval=interval if interval > 0.0 else _LEAST * share / speed,
        checkpoint_cost=cost,
    )
