"""Facts of one job whose checkpoints are durable some time after their copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call import Arguments
from ..public_names import Public
from ._fact import Fact, first, mean_of, ordered, same

__all__ = ["FACTS"]

_OF_DRAINS = ("latency", "slowdown", "in_flight")


def _synchronous(job: Arguments) -> Arguments:
    return {key: value for key, value in job.items() if key not in _OF_DRAINS}


def _without_latency_it_is_synchronous(public: Public, **job: Any) -> str:
    at_once = {**job, "latency": np.zeros_like(job["latency"], dtype=float)}
    shape = np.zeros(np.broadcast_shapes(*(np.shape(v) for v in _numbers(job).values())))
    said = []
    for name in ("expected_makespan", "makespan_variance"):
        plain = getattr(public, name)(**_synchronous(job))
        found = getattr(public, f"{name}_async")(**at_once)
        said.append(same(f"{name} with and without a latency of 0", plain + shape, found))
    return first(said)


def _numbers(job: Arguments) -> Arguments:
    given = {**job, "downtime": mean_of(job.get("downtime", 0.0))}
    return {key: value for key, value in given.items() if key != "in_flight"}


def _downtime_is_a_factor(public: Public, **job: Any) -> str:
    down = mean_of(job.get("downtime", 0.0))
    with np.errstate(all="ignore"):
        alone = np.asarray(public.expected_makespan_async(**{**job, "downtime": 0.0}))
        load = np.where(np.isinf(job["mtbf"]), 0.0, np.asarray(down) / job["mtbf"])
        expected = (1.0 + load) * alone
    return same("(1 + D/mu) E[T] without downtime", expected, public.expected_makespan_async(**job))


def _makespan_is_between(public: Public, **job: Any) -> str:
    """Compare with a copy that is durable at once, and with one that is as long as its drain."""
    rest = {**_synchronous(job), "final_checkpoint": True}
    cost, latency = np.asarray(job["checkpoint_cost"]), np.asarray(job["latency"])
    if not np.max(cost + latency) < 1e290:
        return ""
    slowdown = np.asarray(job.get("slowdown", 0.0))
    found = public.expected_makespan_async(**job)
    if np.max(slowdown) > 0.0:  # then a drain costs work as well
        return ordered("mean without a slowdown", _unslowed(public, job), found)
    if job.get("in_flight", "overlap") == "skip":
        return ""
    longest = public.expected_makespan(**{**rest, "checkpoint_cost": cost + latency})
    at_once = public.expected_makespan(**rest)
    return first(
        (
            ordered("mean of copies durable at once and later", at_once, found),
            ordered("mean of drains beside work and of drains alone", found, longest),
        )
    )


def _unslowed(public: Public, job: Arguments) -> Any:
    if job.get("in_flight", "overlap") == "skip":
        return 0.0
    shape = np.zeros(np.shape(job.get("slowdown", 0.0)))
    return np.asarray(public.expected_makespan_async(**{**job, "slowdown": 0.0})) + shape


def _two_buffers_are_no_slower(public: Public, **job: Any) -> str:
    one, two = (
        public.expected_makespan_async(**{**job, "in_flight": rule})
        for rule in ("single_buffer", "overlap")
    )
    return ordered("mean with two buffers and with one", two, one)


def _law_has_the_moments(public: Public, **job: Any) -> str:
    mean = float(public.expected_makespan_async(**job))
    if not mean < 1e140:
        return ""
    law = public.exact_makespan_async(**job)
    variance = float(public.makespan_variance_async(**job))
    return first(
        (
            same("mean of the law and the closed one", law.mean, mean, 1e-8),
            same("variance of both", law.variance, variance, least=1e-9 * mean * mean),
        )
    )


def _no_interval_beats_the_optimum(public: Public, **costs: Any) -> str:
    """Compare the mean time per unit of work in a long job: that of one more segment."""
    best = np.asarray(public.optimal_interval_async(**costs))
    if costs.get("in_flight") == "skip" or not ((best > 1e-100) & (best < 1e100)).all():
        return ""

    def per_work(factor: float) -> Any:
        interval = factor * best
        one, two = (
            np.asarray(public.expected_makespan_async(n * interval, interval=interval, **costs))
            for n in (1.0, 2.0)
        )
        return (two - one) / interval

    with np.errstate(all="ignore"):
        least = per_work(1.0)
        # The difference of two means has no digits where drains are much longer than segments.
        drain = np.asarray(costs["latency"]) / costs["mtbf"]
        if not ((least < 1e100) & (drain < 10.0)).all():
            return ""
        others = [per_work(factor) for factor in (0.1, 0.5, 0.9, 0.999, 1.001, 1.1, 2.0, 10.0)]
    return first(ordered("cost at the optimum and elsewhere", least, other) for other in others)


def _without_latency_it_is_the_optimum(public: Public, **costs: Any) -> str:
    plain = public.optimal_interval(mtbf=costs["mtbf"], checkpoint_cost=costs["checkpoint_cost"])
    found = public.optimal_interval_async(**{**costs, "latency": 0.0})
    shape = np.zeros(np.shape(found))
    alone = (1.0 - np.asarray(costs.get("slowdown", 0.0))) * costs["latency"]
    most = np.maximum(costs["mtbf"], alone if costs.get("in_flight") == "skip" else 0.0)
    return first(
        (
            same("optimum without latency and the synchronous one", found, plain + shape),
            ordered("optimum and mtbf", public.optimal_interval_async(**costs), most),
        )
    )


FACTS: tuple[Fact, ...] = (
    Fact("no latency: synchronous", "expected_makespan_async", _without_latency_it_is_synchronous),
    Fact("downtime is a factor of drains", "expected_makespan_async", _downtime_is_a_factor),
    Fact("drains cost something", "expected_makespan_async", _makespan_is_between),
    Fact("two buffers are no slower", "expected_makespan_async", _two_buffers_are_no_slower),
    Fact("law of drains has the moments", "exact_makespan_async", _law_has_the_moments),
    Fact("no interval drains better", "optimal_interval_async", _no_interval_beats_the_optimum),
    Fact("no latency: the optimum", "optimal_interval_async", _without_latency_it_is_the_optimum),
)
