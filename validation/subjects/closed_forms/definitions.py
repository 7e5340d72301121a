"""The definitions behind the closed forms, evaluated at 60 digits and more.

A simulation shows little where failures are very rare or very many. There the formulas are
compared with the model as it is defined in words, written independently of `perfmodel` and
without regard to speed or cancellation. Each function takes the arguments of its formula.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["ROADS", "exactly"]

Number = Any  # mpmath has no types

_DIGITS = 60
_MORE = 40  # further digits for differences of moments, which cancel


def exactly(function: Callable[..., Number], point: dict[str, Any]) -> Number:
    """Return the value from the definition at a point, with digits to spare."""
    with mp.workdps(_DIGITS + _MORE):
        return function(**{name: _number(value) for name, value in point.items()})


def _number(value: Any) -> Any:
    return mp.mpf(value) if isinstance(value, float) else value


def _cut(span: Number, mtbf: Number) -> tuple[Number, Number, Number]:
    """Return P(an uptime exceeds `span`), and the mean and variance of an uptime that does not."""
    x = span / mtbf
    over = mp.exp(-x)
    if span == 0:
        return over, mp.mpf(0), mp.mpf(0)
    mean = mtbf * (1 - x / mp.expm1(x))
    variance = mtbf**2 * (1 - x**2 * mp.exp(x) / mp.expm1(x) ** 2)
    return over, mean, variance


def _tries(success: Number, mean: Number, variance: Number) -> tuple[Number, Number]:
    """Return mean and variance of the cost of all failed tries before the first success."""
    failures = (1 - success) / success
    return failures * mean, failures * variance + failures / success * mean**2


def _job(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = 0.0,
    downtime: Number = 0.0,
    final_checkpoint: bool = True,
) -> tuple[Number, Number, Number, Number]:
    """Return mean and variance of the makespan, the mean time lost, and the time without failure.

    A segment is tried until an uptime exceeds it; a failed try costs its uptime, and a downtime
    after which a recovery is tried in the same way, each failed one at another downtime.
    """
    over, lost, spread = _cut(recovery_cost, mtbf)
    again = _tries(over, lost + downtime, spread)
    repair = downtime + recovery_cost + again[0]
    mean = variance = wasted = busy = mp.mpf(0)
    for count, length in _pieces(work, interval, checkpoint_cost, final_checkpoint):
        over, lost, spread = _cut(length, mtbf)
        cost = _tries(over, lost + repair, spread + again[1])
        mean += count * (length + cost[0])
        variance += count * cost[1]
        wasted += count * _tries(over, lost, spread)[0]
        busy += count * length
    return mean, variance, wasted, busy


def _pieces(
    work: Number, interval: Number, checkpoint_cost: Number, final_checkpoint: bool
) -> list[tuple[int, Number]]:
    """Return pairs (number of segments, their length with checkpoint)."""
    # A remainder below 2^-48 of the work is rounding of the ratio: the last segment is whole then.
    count = max(int(mp.ceil(work / interval * (1 - mp.mpf(2) ** -48))), 1)
    last = min(work - (count - 1) * interval, interval)
    return [
        (count - 1, interval + checkpoint_cost),
        (1, last + (checkpoint_cost if final_checkpoint else 0)),
    ]


def expected_makespan(work: Number, **job: Number) -> Number:
    """Return the mean wall time of a job."""
    return _job(work, **job)[0]


def makespan_variance(work: Number, **job: Number) -> Number:
    """Return the variance of the wall time of a job."""
    return _job(work, **job)[1]


def _async_job(
    work: Number,
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    latency: Number,
    recovery_cost: Number = 0.0,
    downtime: Number = 0.0,
    slowdown: Number = 0.0,
    in_flight: str = "overlap",
) -> tuple[Number, Number]:
    """Return mean and variance of the makespan of a job whose snapshots drain.

    From a cold start a durable snapshot takes all of segment, copy and drain without a failure.
    After a durable one the next takes its distance in time, or an uptime and a cold start.
    """
    over, lost, spread = _cut(recovery_cost, mtbf)
    again = _tries(over, lost + downtime, spread)
    repair = downtime + recovery_cost + again[0]
    mean = variance = mp.mpf(0)
    pieces = _pieces(work, interval, 0, True)
    for place, (count, length) in enumerate(piece for piece in pieces if piece[0]):
        busy = length + checkpoint_cost + latency
        over, lost, spread = _cut(busy, mtbf)
        cost = _tries(over, lost + repair, spread + again[1])
        cold, cold_variance = busy + cost[0], cost[1]
        drained = latency if slowdown == 1 else min(latency, length / (1 - slowdown))
        computed = length + slowdown * drained
        distance = max(computed, latency) + checkpoint_cost
        if in_flight == "overlap":
            distance = max(computed + checkpoint_cost, latency)
        over, lost, spread = _cut(distance, mtbf)
        bad = lost + repair + cold
        warm = over * distance + (1 - over) * bad
        square = over * distance**2 + (1 - over) * (spread + again[1] + cold_variance + bad**2)
        starts = 1 if place == 0 else 0
        mean += starts * cold + (count - starts) * warm
        variance += starts * cold_variance + (count - starts) * (square - warm**2)
    return mean, variance


def expected_makespan_async(work: Number, **job: Number) -> Number:
    """Return the mean wall time of a job whose snapshots drain."""
    return _async_job(work, **job)[0]


def makespan_variance_async(work: Number, **job: Number) -> Number:
    """Return the variance of the wall time of a job whose snapshots drain."""
    return _async_job(work, **job)[1]


def efficiency(work: Number, **job: Number) -> Number:
    """Return the work over the mean wall time."""
    return work / _job(work, **job)[0]


def waste(work: Number, **job: Number) -> Number:
    """Return 1 less the efficiency."""
    return 1 - work / _job(work, **job)[0]


def expected_failures(work: Number, mtbf: Number, **job: Number) -> Number:
    """Return the mean number of failures: their rate is constant while the job is up."""
    return _job(work, mtbf=mtbf, **job)[0] / mtbf


def expected_lost_time(work: Number, **job: Number) -> Number:
    """Return the mean time spent in tries that failed."""
    return _job(work, **job)[2]


def expected_failure_slowdown(work: Number, mtbf: Number, **job: Number) -> Number:
    """Return the mean delay over the failure-free time, for jobs that a failure strikes."""
    mean, _, _, busy = _job(work, mtbf=mtbf, final_checkpoint=False, **job)
    return (mean - busy) / (busy * -mp.expm1(-busy / mtbf))


def expected_manual_wait(duration: Number, walltime: Number, mtbf: Number) -> Number:
    """Return the mean time from the end of an uptime below `duration` to `walltime`."""
    return walltime - _cut(duration, mtbf)[1]


def failure_probability(duration: Number, mtbf: Number) -> Number:
    """Return the probability of an uptime below `duration`."""
    return 1 - mp.exp(-duration / mtbf)


def _busy(mtbf: Number, downtime: Number) -> tuple[Number, Number]:
    """Return mean and variance of a busy period of fixed repairs, by a sum over generations.

    Each repair is followed by a Poisson number of others, so that Y = D + Y_1 + ... + Y_N.
    """
    load = downtime / mtbf
    mean = downtime / (1 - load)
    return mean, load * mean**2 / (1 - load)


def busy_period_mean(mtbf: Number, downtime: Number) -> Number:
    """Return the mean busy period of fixed repairs."""
    return _busy(mtbf, downtime)[0]


def busy_period_variance(mtbf: Number, downtime: Number) -> Number:
    """Return the variance of the busy period of fixed repairs."""
    return _busy(mtbf, downtime)[1]


def busy_period_transform(s: Number, mtbf: Number, downtime: Number) -> Number:
    """Return E[exp(-s Y)]: the least root of y = exp(-D (s + (1 - y)/M)), by Lambert's W."""
    load = downtime / mtbf
    return -mp.lambertw(-load * mp.exp(-downtime * s - load)).real / load


def _wsj(
    work: Number, mtbf: Number, downtime: Number, interval: Number, checkpoint_cost: Number
) -> tuple[Number, Number]:
    """Return mean and variance: a Poisson number of failures, each a busy period and a rework."""
    repair, spread = _busy(mtbf, downtime)
    _, rework, scatter = _cut(interval, mtbf)
    failures = work / mtbf
    mean = work * (1 + checkpoint_cost / interval) + failures * (repair + rework)
    return mean, failures * (spread + scatter + (repair + rework) ** 2)


def wsj_mean(work: Number, **task: Number) -> Number:
    """Return the mean in the process of wsj."""
    return _wsj(work, **task)[0]


def wsj_variance(work: Number, **task: Number) -> Number:
    """Return the variance in the process of wsj."""
    return _wsj(work, **task)[1]


def optimal_interval(mtbf: Number, checkpoint_cost: Number) -> Number:
    """Return the interval of least mean time per work, in closed form."""
    return mtbf * (1 + mp.lambertw(-mp.exp(-1 - checkpoint_cost / mtbf)).real)


def regret(interval: Number, mtbf: Number, checkpoint_cost: Number) -> Number:
    """Return the relative increase of the time per work of a long job over that at the optimum."""

    def pace(span: Number) -> Number:
        return mp.expm1((span + checkpoint_cost) / mtbf) / span

    return pace(interval) / pace(optimal_interval(mtbf, checkpoint_cost)) - 1


def optimal_interval_wsj(mtbf: Number, checkpoint_cost: Number) -> Number:
    """Return the interval of least mean in the process of wsj; inf if no checkpoint is best."""
    cost = checkpoint_cost / mtbf

    def overhead(x: Number) -> Number:
        return cost / x + 1 - x / mp.expm1(x)

    def slope(x: Number) -> Number:
        return x**2 * (x * mp.exp(x) - mp.exp(x) + 1) / mp.expm1(x) ** 2 - cost

    # The slope rises up to about x = 1.7 and falls beyond: a minimum lies below that.
    low, high = mp.mpf("1e-9"), mp.mpf("1.6")
    if slope(high) < 0:
        return mp.inf
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return mtbf * low if overhead(low) < 1 else mp.inf


def promised_probability(duration: Number, nodes: int, node_mtbf: Number) -> Number:
    """Return the probability that the first failure of the nodes comes after `duration`."""
    return mp.exp(-duration / node_mtbf) ** nodes


def longest_promise(probability: Number, nodes: int, node_mtbf: Number) -> Number:
    """Return the time that the first failure exceeds with this probability."""
    return -node_mtbf * mp.log(probability) / nodes


def checkpoint_gain(
    failure_probability: Number, unsaved: Number, checkpoint_cost: Number
) -> Number:
    """Return the mean cost without the checkpoint less that with it, up to the next checkpoint."""
    p, interval, cost = failure_probability, mp.mpf(1), checkpoint_cost
    without = p * (unsaved + interval + cost)
    return without - (p * (interval + 2 * cost) + (1 - p) * cost)


def risk_based_interval(
    interval: Number, mtbf: Number, checkpoint_cost: Number
) -> tuple[Number, Number]:
    """Return the work at the first request for which `checkpoint_gain` is not negative.

    If the gain is 0 to 12 digits there, return the work at the next request as well.
    """
    risk = 1 - mp.exp(-(interval + 2 * checkpoint_cost) / mtbf)
    requests = checkpoint_cost / (risk * interval)
    slack = mp.mpf("1e-12")
    return (
        interval * max(mp.ceil(requests * (1 - slack)), mp.mpf(1)),
        interval * max(mp.ceil(requests * (1 + slack)), mp.mpf(1)),
    )


def recovery_charge(runtime: Number, nodes: int, price: Number, allowance: Number) -> Number:
    """Return the price of the node-hours less the allowance."""
    return runtime * nodes * price - runtime * nodes * allowance


def _waits(places: int, load: Number) -> Number:
    """Return the probability of having to wait, from the probabilities of 0, 1, ... jobs."""
    offered = places * load
    term = total = mp.mpf(1)
    for jobs in range(1, places):
        term *= offered / jobs
        total += term
    full = term * offered / places / (1 - load)
    return full / (total + full)


def expected_head_delay(
    service_time: Number, places: int, load: Number, downtime: Number
) -> Number:
    """Return the mean of the repair or the first end of another job, if all places are busy."""
    first = downtime
    if places > 1:
        rate = (places - 1) / service_time
        first = (1 - mp.exp(-rate * downtime)) / rate
    return _waits(places, load) / load * first


def expected_rear_delay(
    service_time: Number, load: Number, downtime: Number, scv: Number
) -> Number:
    """Return the mean busy period that begins with the repair and with all waiting work."""
    waiting = load / (1 - load) * service_time * (1 + scv) / 2
    return (downtime + waiting) / (1 - load)


def expected_resubmission_delay(
    remaining: Number, service_time: Number, places: int, load: Number
) -> Number:
    """Return the walltime left plus the mean wait of a newcomer."""
    return remaining + _waits(places, load) * service_time / (places * (1 - load))


ROADS: dict[str, Callable[..., Number]] = {
    road.__name__: road
    for road in (
        expected_makespan,
        makespan_variance,
        expected_makespan_async,
        makespan_variance_async,
        efficiency,
        waste,
        expected_failures,
        expected_lost_time,
        expected_failure_slowdown,
        expected_manual_wait,
        failure_probability,
        busy_period_mean,
        busy_period_variance,
        busy_period_transform,
        wsj_mean,
        wsj_variance,
        optimal_interval,
        optimal_interval_wsj,
        regret,
        promised_probability,
        longest_promise,
        checkpoint_gain,
        risk_based_interval,
        recovery_charge,
        expected_head_delay,
        expected_rear_delay,
        expected_resubmission_delay,
    )
}
