"""How often to checkpoint on a machine whose failures depend on the time since the last one."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from asking.refusals import Field, Refused

from ..known.job import Job

if TYPE_CHECKING:
    from ..._checks import FloatArray
    from ...lifetimes import Lifetime
    from .advice import Advice

_MOST = 2000  # segments of which a makespan is told: the time taken grows as their square


@dataclass(frozen=True, slots=True)
class Aged:
    """The best constant interval, and the best intervals by age; durations in [s].

    Useful shares are those of a long job that each failure puts on a machine as good as new.
    """

    law: str
    cv: float
    interval_s: float
    steps: int | None
    useful_share: float
    exponential_interval_s: float
    exponential_useful_share: float
    expected_makespan_s: float | None
    intervals_s: list[float] | None
    intervals_useful_share: float | None

    def plain(self, advice: Advice) -> dict[str, Any]:
        """Return what is recommended under the law, beside what `advice` has for exponential."""
        job = advice.job
        interval = min(self.interval_s, job.work)
        return {
            "recommended_interval_s": interval,
            "recommended_period_s": interval + job.checkpoint_cost,
            "recommended_steps": self.steps,
            "best_segments": round(job.work / interval),
            "expected_makespan_s": self.expected_makespan_s,
            "ageing": asdict(self),
            "exponential": advice.recommended(),
        }


def aged(job: Job, law: Lifetime, text: str, *, sequence: bool) -> Aged:
    """Return the best interval under a law, and the best ones by age if they are wanted."""
    from ...ageing import (
        expected_makespan_ageing,
        optimal_interval_ageing,
        optimal_intervals_ageing,
        useful_share_ageing,
    )
    from ...interval import optimal_interval, regret

    costs = {"checkpoint_cost": job.checkpoint_cost, "recovery_cost": job.recovery_cost}
    try:

        def useful(intervals: Any) -> float:
            return useful_share_ageing(intervals, uptime=law, downtime=job.downtime, **costs)

        best = optimal_interval_ageing(uptime=law, **costs)
        best, steps = job.in_steps(best, lambda each: -useful(each))
        long = float(optimal_interval(checkpoint_cost=job.checkpoint_cost, mtbf=law.mean))
        memoryless = {"mtbf": law.mean, "checkpoint_cost": job.checkpoint_cost}
        plain, _ = job.in_steps(long, lambda each: regret(each, **memoryless))
        intervals, by_age = None, None
        if sequence:
            intervals = _in_steps(optimal_intervals_ageing(uptime=law, **costs), job.step_time)
            by_age = useful(intervals)
        makespan = None
        segments = max(1, round(job.work / best))
        cut = job.work / segments if steps is None else best
        if segments <= _MOST:
            makespan = float(
                expected_makespan_ageing(
                    job.work,
                    interval=cut,
                    uptime=law,
                    checkpoint_cost=job.checkpoint_cost,
                    recovery_cost=job.recovery_cost,
                    downtime=job.downtime,
                )
            )
    except (ArithmeticError, ValueError) as error:
        raise Refused(
            "{} must leave time for work and checkpoints, got {!r} ({})",
            Field("uptime_law"),
            text,
            error,
        ) from None
    return Aged(
        text,
        math.sqrt(law.scv),
        best,
        steps,
        useful(best),
        plain,
        useful(plain),
        makespan if makespan is not None and math.isfinite(makespan) else None,
        None if intervals is None else intervals.tolist(),
        by_age,
    )


def _in_steps(intervals: FloatArray, step: float | None) -> FloatArray:
    """Return each of the intervals by age in the next whole number of steps, [s]."""
    if step is None:
        return intervals
    return np.asarray(step * np.maximum(np.rint(intervals / step), 1.0))
