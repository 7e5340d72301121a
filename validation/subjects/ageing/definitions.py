"""The moments of a renewed job from the equations of the whole time, at 200 digits.

Nothing is centred here and no cell has a mean of its own: first and second moments of the whole
time follow from the partial moments of the law alone. Each fault changes one rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np

from validation.judge.chance import FloatArray

from ..laws import Law, predictable

__all__ = ["FAULTS", "moments"]

_DIGITS = 200  # rare failures: a variance may be 1e-130 of the mean squared
_ROUNDING = 2.0**-48

FAULTS = (
    "downtime dropped",
    "recovery not at risk",
    "checkpoint not at risk",
    "recovery before the start",
    "exponential of the same mean",
)


def moments(fault: str = "", **job: Any) -> tuple[float, float]:
    """Return mean and variance of the makespan, with a fault if one is named."""
    return _moments(fault, tuple(sorted(job.items())))


@lru_cache(maxsize=512)
def _moments(fault: str, items: tuple[tuple[str, Any], ...]) -> tuple[float, float]:
    job = dict(items)
    with mp.workdps(_DIGITS):
        mean, square = _solved(fault, job)
        return float(mean), float(square - mean**2)


def _partial_of_first(law: Law, nodes: int) -> Callable[[Any, int], Any]:
    """Return E[X^order; X <= t] of the first of some uptimes, by quadrature of its cdf."""
    node = predictable(law)

    def below(t: Any) -> Any:
        return -np.expm1(-nodes * node.cumulative_hazard(t))

    @cache
    def partial(t: Any, n: int) -> Any:
        end = float(t)
        area = math.fsum(_WEIGHTS * n * _PLACES ** (n - 1) * below(end * _PLACES)) if n else 0.0
        return mp.mpf(end**n * (float(below(end)) - area))

    return partial


def _places_and_weights() -> tuple[FloatArray, FloatArray]:
    """Return a rule for integrals from 0 to 1 of 20 points on each of 121 pieces, finer to 0."""
    points, weights = np.polynomial.legendre.leggauss(20)
    ends = 2.0 ** np.arange(-60.0, 0.25, 0.5)
    half = 0.5 * np.diff(ends, prepend=0.0)[:, None]
    return (ends[:, None] - half + half * points).ravel(), (half * weights).ravel()


_PLACES, _WEIGHTS = _places_and_weights()


def _partial(law: Law) -> Callable[[Any, int], Any]:
    """Return E[X^order; X <= t] of a law."""
    shape, scale = map(mp.mpf, (1.0, *law.parameters)[-2:])
    if law.name == "LogNormal":
        mu, sigma = shape, scale
        return lru_cache(maxsize=None)(
            lambda t, n: (
                mp.exp(n * mu + (n * sigma) ** 2 / 2)
                * mp.ncdf((mp.log(t) - mu) / sigma - n * sigma)
            )
        )
    if law.name == "Gamma":
        return lru_cache(maxsize=None)(
            lambda t, n: scale**n * mp.gammainc(shape + n, 0, t / scale) / mp.gamma(shape)
        )
    # Weibull, and the exponential law as its shape 1.
    return lru_cache(maxsize=None)(
        lambda t, n: scale**n * mp.gammainc(1 + n / shape, 0, (t / scale) ** shape)
    )


def _solved(fault: str, job: dict[str, Any]) -> tuple[Any, Any]:
    law, nodes = job["uptime"], job.pop("nodes", 1)
    if fault == "exponential of the same mean":
        mean = _partial(law)(mp.mpf(10) ** 6 * mp.mpf(float(law.parameters[-1])), 1)
        law = Law("Exponential", (float(mean),))
    partial = _partial(law) if nodes == 1 else _partial_of_first(law, nodes)
    number = {
        k: mp.mpf(float(v)) for k, v in job.items() if k not in {"uptime", "final_checkpoint"}
    }
    work, interval, cost = number["work"], number["interval"], number["checkpoint_cost"]
    recovery, down = number.get("recovery_cost", mp.mpf(0)), number.get("downtime", mp.mpf(0))
    if fault == "downtime dropped":
        down = mp.mpf(0)
    count = max(1, int(mp.ceil(work / interval * (1 - _ROUNDING))))
    last = work - (count - 1) * min(interval, work)
    end = cost if job.get("final_checkpoint", True) else mp.mpf(0)
    safe = mp.mpf(0)
    if fault == "checkpoint not at risk":
        safe, cost, end = cost * (count - 1) + end, mp.mpf(0), mp.mpf(0)
    risky = mp.mpf(0) if fault == "recovery not at risk" else recovery
    down = down + recovery - risky
    periods = [interval + cost] * (count - 1) + [last + end]
    firsts, squares = [mp.mpf(0)] * (count + 1), [mp.mpf(0)] * (count + 1)

    def uptime(left: int, begin: Any) -> tuple[Any, Any, Any, Any]:
        """Return constants and the weights of starting again with everything left."""
        edges = [mp.mpf(0)]
        reach = begin
        for period in periods[count - left :]:
            reach += period
            edges.append(reach)
        known = [[partial(edge, n) if edge > 0 else mp.mpf(0) for n in range(3)] for edge in edges]
        first, second = edges[-1] * (1 - known[-1][0]), edges[-1] ** 2 * (1 - known[-1][0])
        again, more = mp.mpf(0), mp.mpf(0)
        for done in range(left):
            p, m, q = (known[done + 1][n] - known[done][n] for n in range(3))
            first += m + down * p
            second += q + 2 * down * m + down**2 * p
            if done == 0:
                again, more = p, 2 * (m + down * p)
            else:
                first += p * firsts[left - done]
                second += p * squares[left - done] + 2 * (m + down * p) * firsts[left - done]
        return first, second, again, more

    for left in range(1, count + 1):
        first, second, again, more = uptime(left, risky)
        firsts[left] = first / (1 - again)
        squares[left] = (second + more * firsts[left]) / (1 - again)
    begin = risky if fault == "recovery before the start" else mp.mpf(0)
    first, second, again, more = uptime(count, begin)
    mean = first + again * firsts[count]
    square = second + more * firsts[count] + again * squares[count]
    return mean + safe, square + 2 * safe * mean + safe**2
