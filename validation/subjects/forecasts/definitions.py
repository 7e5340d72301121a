"""What a forecast is by its definition: counts step by step, and averages over rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import special, stats

from validation.judge.chance import FloatArray

__all__ = ["average", "learnt_mean", "useful_share"]

_POINTS = 4001
DAY = 86_400.0


def average(
    value: Callable[[FloatArray], FloatArray],
    weights: Sequence[float],
    shapes: Sequence[float],
    means: Sequence[float],
) -> float:
    """Return the mean of a function of the rate: even steps of its logarithm for each gamma law."""
    total = 0.0
    for weight, shape, mean in zip(weights, shapes, means, strict=True):
        # Rates that are rare count where few others let a job get on.
        low = min(stats.gamma.ppf(1e-14, shape), max(stats.gamma.ppf(1e-300, shape), 1e-12))
        high = stats.gamma.isf(1e-300, shape)
        logs, step = np.linspace(math.log(low), math.log(high), _POINTS, retstep=True)
        law = np.exp(shape * logs - np.exp(logs) - special.gammaln(shape)) * step
        kept = law > 1e-300
        total += weight * float(value(np.exp(logs[kept]) * mean / shape) @ law[kept])
    return total / sum(weights)


def useful_share(
    rate: FloatArray, interval: float, cost: float, recovery: float, downtime: float
) -> FloatArray:
    """Return work over mean time of a segment and its failures, each tried until it succeeds."""
    busy = interval + cost
    with np.errstate(over="ignore"):
        failures = np.expm1(rate * busy) * np.exp(rate * recovery)
        return np.asarray(interval / ((1.0 / rate + downtime) * failures))


def learnt_mean(
    failures: FloatArray,
    now: float,
    window: float,
    half_lives: Sequence[float],
    spreads: Sequence[float],
) -> float:
    """Return the mean rate of a mixture that is learnt by its definition, [1/s].

    Failures an hour apart are heads of clusters. At the end of each step, a quarter of the window,
    each half-life knows the heads before it; the steps from which a whole window of the past is
    left weigh what each pair would have said of it, in every window or in half of them.
    """
    step = max(window / (4.0 if now >= 3.0 * window else 8.0), DAY)
    steps = int(now / step)
    ends = [now - step * (steps - at) for at in range(steps + 1)]
    logs = np.zeros((2, len(half_lives), len(spreads)))
    last = np.zeros(len(half_lives))
    for end in ends:
        for h, half in enumerate(half_lives):
            count, time = _remembered(failures, ends, end, half)
            seen = int((failures < end).sum() if end < now else (failures <= end).sum())
            shape = count + 1.0
            mean = shape / (time + max(end, step) / (seen + 0.5))
            if end == ends[-1]:
                last[h] = mean
            if not 0.0 < end <= now - window:
                continue
            came = int(((failures >= end) & (failures < end + window)).sum())
            chances = []
            for spread in spreads:
                relative = 1.0 / shape + spread * (1.0 + 1.0 / shape)
                law = stats.nbinom(1.0 / relative, 1.0 / (1.0 + relative * mean * window))
                chances.append(float(law.pmf(came)))
            halves = [0.5 * (chance + chances[0]) for chance in chances]  # the first is the least
            logs[:, h] += min(step / window, 1.0) * np.log([chances, halves])
    weights = np.exp(logs - logs.max()).sum(axis=(0, 2))
    return float((weights / weights.sum()) @ last)


def _remembered(
    failures: FloatArray, ends: Sequence[float], now: float, half: float
) -> tuple[float, float]:
    """Return faded heads and time until `now`; what is left before the first step fades whole."""
    fade = 0.0 if math.isinf(half) else math.log(2.0) / half
    count = time = 0.0
    for at, (begin, end) in enumerate(zip([0.0, *ends], ends, strict=False)):
        if end > now:
            break
        first = at == 0
        age = now - end if first else now - 0.5 * (begin + end)
        last = end == ends[-1]
        inside = (failures >= begin) & ((failures <= end) if last else (failures < end))
        count += float(inside.sum()) * math.exp(-fade * age)
        time += (end - begin) * math.exp(-fade * age)
    return count, time
