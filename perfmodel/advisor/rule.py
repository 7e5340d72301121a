"""How long to compute until the next checkpoint, of single numbers and in microseconds.

The same optimum as `perfmodel.interval`, which takes arrays and loads more than numpy.
"""

from __future__ import annotations

import math

_SERIES = 1e-3  # below it, the series of the root has every digit
_CERTAIN = 1.0 - 1e-14  # above it, so has its first approximation


def best_interval(rate: float, cost: float, latency: float = 0.0) -> float:
    """Return the optimal work per segment, [s]; a snapshot must be durable before the next.

    The root of (1 - r w) exp(r (w + C)) = 1 for the rate r, or the latency if that is longer and no
    longer than the MTBF.
    """
    if rate == 0.0:
        return math.inf
    return max(_ratio(rate * cost) / rate, min(1.0 / rate, latency))


def interval_by_age(risk: float, shape: float, age: float, cost: float) -> tuple[float, float]:
    """Return work per segment, [s], that follows the failure rate k r t^(k-1), and the rate, [1/s].

    That is taken in the middle of the work, `age` + w/2 after the last failure.
    """
    # In logarithms the right side falls by at most (k - 1)/2 for each step of the left.
    damping = 1.0 / (1.0 + max(0.5 * (shape - 1.0), 0.0))
    rate = risk ** (1.0 / shape)
    interval = best_interval(rate, cost)
    for _ in range(40):
        rate = shape * risk * (age + 0.5 * interval) ** (shape - 1.0)
        ratio = best_interval(rate, cost) / interval
        interval *= ratio**damping
        if abs(ratio - 1.0) < 1e-6:
            break
    return interval, rate


def _ratio(cost: float) -> float:
    """Return x in [0, 1) with (1 - x) exp(x + cost) = 1."""
    root = math.sqrt(2.0 * cost)
    if root < _SERIES:
        return root * (1.0 - root * (1.0 / 3.0 - root * (1.0 / 36.0 + root / 270.0)))
    x = -math.expm1(-1.0 - cost)
    if x > _CERTAIN:
        return x
    # Newton's method for -log(1 - x) - x = cost, which is convex: from above it only falls.
    x = min(x, root / (1.0 + root / 3.0))
    for _ in range(60):
        step = (-math.log1p(-x) - x - cost) * (1.0 - x) / x
        x -= step
        # What is left is step^2 / (2 x (1 - x)); smaller steps may be rounding, and go on for ever.
        if step * step <= 1e-16 * x * x * (1.0 - x):
            break
    return x


def expected_loss(interval: float, rate: float, cost: float, recovery_cost: float) -> float:
    """Return the share of time that checkpoints, rework and recoveries take, [-]."""
    if rate == 0.0:
        return cost / (interval + cost) if interval < math.inf else 0.0
    whole = rate * (interval + cost)
    if whole > 700.0:
        return 1.0
    return 1.0 - rate * interval * math.exp(-rate * recovery_cost) / math.expm1(whole)


def excess_of_waiting(
    delay: float, interval: float, rate: float, cost: float, recovery_cost: float
) -> float:
    """Return the expected time that one checkpoint loses by coming `delay` seconds late, [s].

    Against an endless job with the optimal `interval`; inf where exp overflows.
    """
    if rate == 0.0:
        return 0.0
    exponent = rate * (interval + cost + recovery_cost)
    late = rate * delay
    if exponent + late > 700.0:
        return math.inf
    more = math.expm1(late) - late if late > 1e-4 else late * late * (0.5 + late / 6.0)
    return math.exp(exponent) * more / rate
