"""The method of `reference` at 30 digits in mpmath, as the model is written on paper.

Nothing is rearranged here for the sake of digits: what cancels is paid for with more of them. A
time takes a second or a few, of which sums over values of a repair are compiled where 31 digits
suffice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

from ..laws import Law
from .exponential_sums import ExponentialSum
from .reference import Excess, excess_of_job, pieces_of, steps_of

__all__ = ["sf_of_job"]

Number = Any  # mpmath has no types
Transform = Callable[[Number], tuple[Number, Number]]  # E[exp(-s D)] and E[D exp(-s D)]

_DIGITS = 30
_PERIOD = 22  # digits that what comes round again has lost
_SETTLED = 1e-14  # the quadratures of laws without a closed transform reach 20 digits
_PER_PERIOD = 8.0
_EFFORT = 1_500_000  # terms times exponentials in each
_NEWTON = 6  # evaluations of one repair for one of the busy period
_TERMS = (96, 192, 384, 768, 1536)
_SPARE = 9  # digits of the working precision that 31 may lack; _PERIOD / 2 of them are lost
_ROOT = 0.6  # share of the digits at which a step of Newton's method leaves none to be found


def sf_of_job(
    t: float,
    *,
    mtbf: float,
    recovery_cost: float,
    downtime: float | Law,
    downtime_at_risk: bool,
    **job: Any,
) -> tuple[float, float]:
    """Return P(T - start > t), [-], and how far it may be off; nan where that takes too long."""
    known = excess_of_job(
        mtbf=mtbf,
        recovery_cost=recovery_cost,
        downtime=downtime,
        downtime_at_risk=downtime_at_risk,
        **job,
    )
    pieces = pieces_of(**job)
    longest = max(length for _, length in pieces)
    lost = (longest + recovery_cost) / mtbf / math.log(10.0)
    with mp.workdps(_DIGITS + int(min(lost, 400.0)) + 5):
        rate = 1 / mp.mpf(mtbf)
        once, values = _repair(downtime)
        down = _down(once, rate, at_risk=downtime_at_risk)

        def attempt(s: Number, span: Number) -> Number:
            return rate / (rate + s) * (1 - mp.exp(-(rate + s) * span))

        def transform(s: Number) -> Number:
            one = down(s)
            recovery = mp.mpf(recovery_cost)
            repair = one * mp.exp(-(s + rate) * recovery) / (1 - attempt(s, recovery) * one)
            total = mp.mpf(1)
            for count, length in pieces:
                span = mp.mpf(length)
                done = mp.exp(-rate * span) / (1 - attempt(s, span) * repair)
                total *= done**count
            return total

        finest, _ = steps_of(downtime, recovery_cost)
        least = max(_PER_PERIOD * t / finest, known.least(t))
        most = _EFFORT // (values * (_NEWTON if downtime_at_risk else 1))
        if least > most:
            return math.nan, math.nan
        return _inverted(transform, t, most, least, known)


def _inverted(
    transform: Callable[[Number], Number],
    time: float,
    most: int,
    least: float,
    known: Excess,
) -> tuple[float, float]:
    """Sum the alternating series; its partial sums are averaged with binomial weights."""
    t = mp.mpf(time)
    damping = _PERIOD * mp.log(10)
    front = mp.exp(damping / 2) / t
    sums: list[Number] = []
    value = away = math.nan
    for count in _TERMS:
        if count > most:
            break
        for k in range(len(sums), count):
            s = (damping + 2j * mp.pi * k) / (2 * t)
            term = (-1) ** k * ((1 - transform(s)) / s).real * (1 if k else mp.mpf(1) / 2)
            sums.append((sums[-1] if sums else mp.mpf(0)) + term)
        if count < least:
            continue
        # Sums may agree between the same resonances of equal repairs, and of recoveries.
        fine, *coarse = (
            _averaged(sums, count // n) * front for n in ((1, 2, 4, 8)[: 4 if least else 2])
        )
        value, away = float(fine), float(max(abs(fine - each) for each in coarse))
        if away <= _SETTLED * known.some and not known.rises(time, count):
            break
    settled = away <= 1e-9 * known.some and not known.rises(time, count)
    return value, 10.0 * away + 1e-18 if settled else math.nan


def _averaged(sums: list[Number], count: int) -> Number:
    order = count // 2
    first = count - order - 1
    total = mp.fsum(math.comb(order, k) * sums[first + k] for k in range(order + 1))
    return total / mp.mpf(2) ** order


def _down(once: Transform, rate: Number, *, at_risk: bool) -> Callable[[Number], Number]:
    """Return the transform of the time down, which failures prolong if `at_risk`."""
    if not at_risk:
        return lambda s: once(s)[0]

    near: list[Number] = []  # the root at the s before

    def root(s: Number, y: Number) -> Number:
        for _ in range(60):
            value, slope = once(s + rate * (1 - y))
            step = (y - value) / (1 - rate * slope)
            y -= step
            if abs(step) < mp.mpf(10) ** (-_ROOT * mp.mp.dps):
                break
        return y

    def busy(s: Number) -> Number:
        y = root(s, near[0]) if near else mp.inf
        if not abs(y) <= 1:  # only one root is a transform, none other is in the unit disc
            y = mp.mpf(1)
            for _ in range(4):
                y = once(s + rate * (1 - y))[0]
            y = root(s, y)
        near[:] = [y]
        return y

    return busy


def _repair(downtime: float | Law) -> tuple[Transform, int]:
    """Return the transform of one repair, and of how many exponentials it is made."""
    if not isinstance(downtime, Law):
        return _of_values([mp.mpf(downtime)], [mp.mpf(1)]), 1
    name, parameters = downtime.name, downtime.parameters
    if name == "Exponential":
        return _of_phases((1.0,), parameters), 1
    if name == "HyperExponential":
        return _of_phases(*parameters), 2
    if name == "Gamma":
        return _of_stages(*map(mp.mpf, parameters)), 2
    if name == "Empirical":
        values = [mp.mpf(value) for value in parameters[0]]
        return _of_many(values, [mp.mpf(1) / len(values)] * len(values)), len(values)
    nodes = _normal_nodes if name == "LogNormal" else _exponential_nodes
    values, weights = nodes(*parameters)
    return _of_many(values, weights), len(values)


def _of_stages(shape: Number, scale: Number) -> Transform:
    return lambda s: (
        (1 + s * scale) ** -shape,
        shape * scale * (1 + s * scale) ** (-shape - 1),
    )


def _of_phases(shares: tuple[float, ...], means: tuple[float, ...]) -> Transform:
    pairs = [(mp.mpf(p), mp.mpf(m)) for p, m in zip(shares, means, strict=True)]
    whole = mp.fsum(p for p, _ in pairs)
    return lambda s: (
        mp.fsum(p / whole / (1 + m * s) for p, m in pairs),
        mp.fsum(p / whole * m / (1 + m * s) ** 2 for p, m in pairs),
    )


def _of_many(values: list[Number], weights: list[Number]) -> Transform:
    """Return the same as `_of_values`, compiled where its 31 digits suffice."""
    if mp.mp.dps > _DIGITS + _SPARE:
        return _of_values(values, weights)
    return ExponentialSum(values, weights)


def _of_values(values: list[Number], weights: list[Number]) -> Transform:
    def transform(s: Number) -> tuple[Number, Number]:
        terms = [w * mp.exp(-s * x) for x, w in zip(values, weights, strict=True)]
        return mp.fsum(terms), mp.fsum(x * term for x, term in zip(values, terms, strict=True))

    return transform


def _normal_nodes(mu: float, sigma: float) -> tuple[list[Number], list[Number]]:
    """Return the trapezoidal rule for exp(mu + sigma u), u normal, on a turned path."""
    turn = min(math.pi / 4.0, 2.5 * sigma)
    fastest = sigma * 50.0 / math.tan(turn) + turn / sigma
    step = 2.0 * math.pi / (fastest + 24.0)
    return _turned(
        [v * step for v in range(-int(10.0 / step), int((10.0 + 2.0 * sigma) / step))],
        -turn / sigma,
        lambda u: mp.exp(-u * u / 2),
        lambda u: mp.exp(mu + sigma * u),
    )


def _exponential_nodes(shape: float, scale: float) -> tuple[list[Number], list[Number]]:
    """Return the same for scale e^(u / shape) with e^u exponential and u = v - e^-v.

    The weight then falls as fast before the bulk as after it, which saves two nodes of three.
    """
    height = -mp.mpf(min(math.pi / 4.0, 0.8 / shape)) * shape
    per_unit = 64 if shape > 0.25 else 80
    places = [mp.mpf(k) / per_unit for k in range(-4 * per_unit - 8, 5 * per_unit + 8)]
    path = [mp.mpc(v - mp.exp(-v), height) for v in places]
    weights = [mp.exp(u - mp.exp(u)) * (1 + mp.exp(-v)) for u, v in zip(path, places, strict=True)]
    total = mp.fsum(weights)
    return [scale * mp.exp(u / shape) for u in path], [weight / total for weight in weights]


def _turned(
    places: list[float],
    height: float,
    density: Callable[[Number], Number],
    value: Callable[[Number], Number],
) -> tuple[list[Number], list[Number]]:
    path = [mp.mpc(v, height) for v in places]
    weights = [density(u) for u in path]
    total = mp.fsum(weights)
    return [value(u) for u in path], [weight / total for weight in weights]
