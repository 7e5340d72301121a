"""Facts of one job with checkpoints on two levels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..call import Arguments
from ..public_names import Public
from ._fact import Fact, first, ordered, same

__all__ = ["FACTS"]


def _one_level_is_synchronous(public: Public, **job: Any) -> str:
    """Write every checkpoint to the durable level, from which every failure recovers alike."""
    recovery = job.get("durable_recovery", 0.0)
    all_durable = {**job, "durable_every": 1, "local_recovery": recovery, "rule": "bare"}
    plain = {key: job[key] for key in ("work", "interval", "mtbf", "downtime") if key in job}
    shape = np.zeros(np.broadcast_shapes(*(np.shape(value) for value in job.values())))
    said = []
    for name in ("expected_makespan", "makespan_variance"):
        one = getattr(public, name)(
            **plain, checkpoint_cost=job["durable_cost"], recovery_cost=recovery
        )
        two = getattr(public, f"{name}_two_levels")(**all_durable)
        # As documented for rare failures; short intervals are those of the work at least.
        rarity = float(np.max(np.divide(job["mtbf"], np.minimum(job["interval"], job["work"]))))
        slack = 1e-9 + (1e-15 * rarity if name == "makespan_variance" else 0.0)
        if slack < 0.1:
            said.append(same(f"{name} of one level", one + shape, two, slack))
    return first(said)


def _downtime_is_a_factor(public: Public, **job: Any) -> str:
    down = np.asarray(job.get("downtime", 0.0), dtype=float)
    with np.errstate(all="ignore"):
        alone = np.asarray(public.expected_makespan_two_levels(**{**job, "downtime": 0.0}))
        expected = (1.0 + down / job["mtbf"]) * alone
    found = public.expected_makespan_two_levels(**job)
    return same("(1 + D/mu) E[T] without downtime", expected, found)


def _rules_are_ordered(public: Public, **job: Any) -> str:
    """Expect a reinstated copy to help where it is no slower to read than the durable one."""
    local = np.minimum(job.get("local_recovery", 0.0), job.get("durable_recovery", 0.0))
    bare, reinstated = (
        public.expected_makespan_two_levels(**{**job, "local_recovery": local, "rule": rule})
        for rule in ("bare", "reinstated")
    )
    return ordered("mean with a copy reinstated and without", reinstated, bare)


def _no_pattern_is_better(public: Public, **costs: Any) -> str:
    best = public.optimal_pattern_two_levels(**costs)
    recovery = costs.pop("local_recovery", 0.0)
    if not (math.isfinite(best.durable_every) and best.interval < 10.0 * costs["mtbf"]):
        return ""

    def per_work(interval: float, every: float) -> float:
        job: Arguments = {**costs, "local_recovery": recovery}
        work = interval * every
        mean = public.expected_makespan_two_levels(
            work, interval=interval, durable_every=every, **job
        )
        return float(mean) / work

    if not 1e-280 < best.interval < 1e280 or best.durable_every > 1e7:
        return ""
    least = per_work(best.interval, best.durable_every)
    others = [(best.interval * f, best.durable_every) for f in (0.5, 0.99, 1.01, 2.0)]
    others += [(best.interval, max(1.0, best.durable_every + d)) for d in (-1.0, 1.0)]
    return first(
        ordered("cost of the best pattern and of another", least, per_work(*other))
        for other in others
    )


FACTS: tuple[Fact, ...] = (
    Fact("one level is synchronous", "expected_makespan_two_levels", _one_level_is_synchronous),
    Fact("downtime is a factor of levels", "expected_makespan_two_levels", _downtime_is_a_factor),
    Fact("a reinstated copy helps", "expected_makespan_two_levels", _rules_are_ordered),
    Fact("no pattern is better", "optimal_pattern_two_levels", _no_pattern_is_better),
)
