"""How often to checkpoint on a machine whose failures depend on the time since the last one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ..setups.job import Job

if TYPE_CHECKING:
    from ...lifetimes import AbstractLifetime

__all__ = ["Aged", "aged"]

_MOST = 2000  # segments of which a makespan is told: the time taken grows as their square


@dataclass(frozen=True, slots=True)
class Aged:
    """The best constant interval, and the best intervals by age; durations in [s].

    Useful shares are those of a long job that each failure puts on a machine as good as new.
    """

    law: str
    cv: float
    interval_s: float
    useful_share: float
    exponential_interval_s: float
    exponential_useful_share: float
    expected_makespan_s: float | None
    intervals_s: list[float] | None
    intervals_useful_share: float | None


def aged(job: Job, law: AbstractLifetime, text: str, *, sequence: bool) -> Aged:
    """Return the best interval under a law, and the best ones by age if they are wanted."""
    from ...ageing import (
        expected_makespan_ageing,
        optimal_interval_ageing,
        optimal_intervals_ageing,
        useful_share_ageing,
    )
    from ...interval import optimal_interval

    costs = {"checkpoint_cost": job.checkpoint_cost, "recovery_cost": job.recovery_cost}
    try:
        best = optimal_interval_ageing(uptime=law, **costs)
        plain = float(optimal_interval(checkpoint_cost=job.checkpoint_cost, mtbf=law.mean))
        shares = [
            useful_share_ageing(each, uptime=law, downtime=job.downtime, **costs)
            for each in (best, plain)
        ]
        intervals = optimal_intervals_ageing(uptime=law, **costs) if sequence else None
        by_age = None
        if intervals is not None:
            by_age = useful_share_ageing(intervals, uptime=law, downtime=job.downtime, **costs)
        makespan = None
        segments = max(1, round(job.work / best))
        if segments <= _MOST:
            makespan = float(
                expected_makespan_ageing(
                    job.work,
                    interval=job.work / segments,
                    uptime=law,
                    checkpoint_cost=job.checkpoint_cost,
                    recovery_cost=job.recovery_cost,
                    downtime=job.downtime,
                )
            )
    except (ArithmeticError, ValueError) as error:
        raise click.UsageError(
            f"--uptime-law must leave time for work and checkpoints, got {text!r} ({error})"
        ) from None
    return Aged(
        text,
        math.sqrt(law.scv),
        best,
        shares[0],
        plain,
        shares[1],
        makespan if makespan is not None and math.isfinite(makespan) else None,
        None if intervals is None else intervals.tolist(),
        by_age,
    )
