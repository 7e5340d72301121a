"""The laws of completion times by a second method: the plain transform, one time after the other.

Written from the process, apart from `perfmodel`: no windows, no failures subtracted, no tables.
The Bromwich integral is summed as an alternating series and its partial sums are averaged with
binomial weights, which is Euler's method for it [1]_. Double precision resolves about 1e-10 of
the probability of any failure; `law_digits` does the same at 30 digits.

References
----------
.. [1] J. Abate and W. Whitt, "Numerical inversion of Laplace transforms of probability
   distributions", ORSA Journal on Computing 7, 1995. The article was not seen; derived here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from ..laws import Law
from .exponential_sums import fallen_and_slope

__all__ = ["Excess", "excess_of_job", "excess_of_task", "pieces_of", "steps_of"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
FloatArray: TypeAlias = npt.NDArray[np.float64]
Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]
Both: TypeAlias = Callable[[ComplexArray], tuple[ComplexArray, ComplexArray]]

_DAMPING = 24.0  # as much is lost to rounding, exp(12) * 1e-16, as to the period, exp(-24)
_NOISE = 2e-10
_TERMS = (192, 768, 3072, 12288, 49152, 196608)
_EFFORT = 4_000_000  # terms times values of the repair
_UNSETTLED = 1e-6  # beyond, more terms may move the value anywhere
_AT_RISK = 12  # evaluations of one repair for one of the busy period
_PER_PERIOD = 8.0  # terms for each of the least repairs that fit into the time
_BLUR = 6.0  # terms that a jump spreads over
_TURNS, _FINE = 40, 4.0  # in which steps are looked for, and heights per turn and root of steps
_STEP = 1e-11  # of Newton's method, relative: what is left after it is its square
_DEEP = 38.0  # exp(-38) is nothing beside 1 in double precision


@dataclass(frozen=True, slots=True)
class Excess:
    """The time beyond a completion without failures.

    Parameters
    ----------
    complement : callable
        1 - E[exp(-s E)] for complex s [1/time] with Re s > 0 and Im s >= 0.
    some : float, [-]
        Probability of any failure.
    finest : float, [time]
        Below it the law has no steps; equal repairs make a staircase of it.
    values : int, [-]
        How many exponentials one value of the transform takes.
    last, ramp : float, [time]
        The longest repair if there is one, else inf, and how long a jump after it takes.
    steps : tuple of float, [time]
        What many failures cost alike, in the whole and in part.
    """

    complement: Transform
    some: float
    finest: float
    values: int
    last: float = math.inf
    ramp: float = 0.0
    steps: tuple[float, ...] = ()

    def sf(self, t: float) -> tuple[float, float]:
        """Return P(E > t), [-], for t > 0 [time], and how far it may be off; nan if unknown."""
        value = away = math.nan
        settled = False
        for count in _TERMS:
            if count * self.values > _EFFORT:
                break
            if count < _PER_PERIOD * t / self.finest and count < _TERMS[-1]:
                continue
            if self._jumps(t, _BLUR * t / count):
                continue
            k = np.arange(count)
            s = np.asarray((_DAMPING + 2j * np.pi * k) / (2.0 * t), dtype=np.complex128)
            with np.errstate(all="ignore"):  # nan is an answer here: unknown
                terms = (self.complement(s) / s).real * (-1.0) ** k
            terms[0] *= 0.5
            sums = np.cumsum(terms) * (math.exp(0.5 * _DAMPING) / t)
            value, *others = (_averaged(sums, count // n) for n in (1, 2, 4, 8))
            aways = [abs(value - other) for other in others]
            # Sums may agree between the same resonances of equal repairs, and of recoveries.
            away, farther = max(aways) if math.isfinite(self.finest) else aways[0], aways[1]
            settled = away <= 0.1 * _NOISE * self.some and not self.rises(t, count)
            if settled:
                break
            # Two sums that have not settled may agree by chance; three hardly ever do.
            away = max(away, farther)
        if not (settled or away <= _UNSETTLED * self.some) or count < self.least(t):
            return value, math.nan
        return value, 10.0 * away + _NOISE * self.some

    def least(self, t: float) -> float:
        """Return how many terms pass the heights at which the shortest steps are in step."""
        return _PER_PERIOD * t / min(self.steps, default=math.inf)

    def rises(self, t: float, count: int) -> bool:
        """Tell whether terms matter again beyond the first `count`, where steps are in step."""
        line = 0.5 * _DAMPING / t
        for step in self.steps:
            turn = 2.0 * math.pi / step
            fine = max(16.0, _FINE * math.sqrt(min(t / step, 4096.0)))
            heights = np.arange(fine, _TURNS * fine) * (turn / fine)
            heights = heights[heights > 0.4 * math.pi * count / t]
            s = np.asarray(line + 1j * heights, dtype=np.complex128)
            with np.errstate(all="ignore"):
                size = np.abs((1.0 - self.complement(s)) / s) * math.exp(0.5 * _DAMPING)
            # A rise is narrower than an eighth of a turn.
            if np.any(size * turn / (8.0 * math.pi) > 0.1 * _NOISE * self.some):
                return True
        return False

    def _jumps(self, t: float, blur: float) -> bool:
        """Tell whether there is a jump nearby: sums settle at half of it, on either side."""
        if math.isinf(self.last):
            return False
        count = max(1, math.floor((t + blur) / self.last))
        narrow = count * self.ramp < 4.0 * blur
        return narrow and -blur < t - count * self.last < count * self.ramp + blur


def excess_of_job(
    *,
    mtbf: float,
    recovery_cost: float,
    downtime: float | Law,
    downtime_at_risk: bool,
    **job: Any,
) -> Excess:
    """Return the excess of a job whose segments are tried until one attempt is not struck."""
    rate = 1.0 / mtbf
    pieces = pieces_of(**job)
    down = _down(downtime, rate, at_risk=downtime_at_risk)

    def complement(s: ComplexArray) -> ComplexArray:
        z = s + rate
        lasting = down(s)
        kept = np.exp(-z * recovery_cost)  # a recovery that is not struck
        # 1 - d (rate + s kept)/z and 1 - d rate (1 - kept)/z: their quotient is 1 - rho.
        still = lasting + (1.0 - lasting) * s * -np.expm1(-z * recovery_cost) / z
        again = lasting + (1.0 - lasting) * (s + rate * kept) / z
        total = np.zeros(s.shape, dtype=np.complex128)
        for count, length in pieces:
            grown = np.exp(rate * length)
            struck = rate * -np.expm1(-z * length) / z
            more = (s * np.expm1(rate * length) + rate * np.expm1(-s * length)) / z
            total += count * _log1p(more + grown * struck * still / again)
        return np.asarray(-np.expm1(-total))

    some = -math.expm1(-rate * sum(count * length for count, length in pieces))
    finest, values = steps_of(downtime, recovery_cost)
    values *= _AT_RISK if downtime_at_risk else 1
    last = longest_of(downtime) + recovery_cost
    ramp = max(length for _, length in pieces) + (recovery_cost if downtime_at_risk else 0.0)
    # Shorter ones than an attempt vary as attempts do.
    span = max(length for _, length in pieces)
    alike = (finest, finest - recovery_cost, recovery_cost)
    steps = tuple(step for step in alike if span < step < math.inf)
    return Excess(complement, some, finest, values, last, ramp, steps)


def excess_of_task(
    *, work: float, mtbf: float, downtime: float | Law, interval: float, checkpoint_cost: float
) -> Excess:
    """Return the excess of a task in the process of wsj: a compound Poisson sum."""
    del checkpoint_cost
    rate = 1.0 / mtbf
    down = _down(downtime, rate, at_risk=True)
    share = -math.expm1(-rate * interval)

    def complement(s: ComplexArray) -> ComplexArray:
        lasting, z = down(s), s + rate
        rework = (s * share + rate * (1.0 - share) * np.expm1(-s * interval)) / (z * share)
        return np.asarray(-np.expm1(-work * rate * (rework + (1.0 - rework) * lasting)))

    finest, values = steps_of(downtime, 0.0)
    some = -math.expm1(-rate * work)
    return Excess(complement, some, finest, _AT_RISK * values, longest_of(downtime), interval)


def pieces_of(
    *, work: float, interval: float, checkpoint_cost: float, final_checkpoint: bool = True
) -> tuple[tuple[int, float], ...]:
    """Return how many segments there are of which length, checkpoints included."""
    count = max(math.ceil(work / interval * (1.0 - 2.0**-48)), 1)
    last = work - (count - 1) * min(interval, work) if count > 1 else work
    end = checkpoint_cost if final_checkpoint else 0.0
    return ((count - 1, interval + checkpoint_cost), (1, last + end))


def steps_of(downtime: float | Law, recovery: float) -> tuple[float, int]:
    """Return the finest step that repairs of this law make, and the values they are made of."""
    if not isinstance(downtime, Law):
        return downtime + recovery, 1
    match downtime.name, downtime.parameters:
        case "Empirical", (values,):
            return min(values) + recovery, len(set(values))
        case "LogNormal", (mu, sigma):
            return math.exp(mu) + recovery if sigma < 0.5 else math.inf, 500
        case "Weibull", (shape, scale):
            return scale + recovery if shape > 2.0 else math.inf, 800
        case "Gamma", (shape, scale):
            return shape * scale + recovery if shape > 4.0 else math.inf, 1
        case _:
            return math.inf, 1


def longest_of(downtime: float | Law) -> float:
    """Return the longest repair where repairs take few values, inf where they take any."""
    if not isinstance(downtime, Law):
        return downtime
    return float(max(downtime.parameters[0])) if downtime.name == "Empirical" else math.inf


def _averaged(sums: FloatArray, count: int) -> float:
    order = count // 2
    k = np.arange(order + 1)
    log_weight = special.gammaln(order + 1.0) - special.gammaln(k + 1.0)
    weights = np.exp(log_weight - special.gammaln(order - k + 1.0) - order * math.log(2.0))
    return float(weights @ sums[count - order - 1 : count])


def _log1p(z: ComplexArray) -> ComplexArray:
    size = 0.5 * np.log1p(z.real * (2.0 + z.real) + z.imag**2)
    large = np.abs(z) > 0.5
    size[large] = np.log(np.abs(1.0 + z[large]))
    return np.asarray(size + 1j * np.arctan2(z.imag, 1.0 + z.real))


def _down(downtime: float | Law, rate: float, *, at_risk: bool) -> Transform:
    """Return 1 - E[exp(-s Y)] of the time down Y, which failures prolong if `at_risk`."""
    both = _repair(downtime)
    if not at_risk:
        return lambda s: both(s)[0]

    def busy(s: ComplexArray) -> ComplexArray:
        y, _ = both(s)
        for _ in range(4):
            y, _ = both(s + rate * y)
        open_ = np.arange(s.size)
        for _ in range(60):  # Newton's method, from near enough
            once, slope = both(s[open_] + rate * y[open_])
            step = (y[open_] - once) / (1.0 - rate * slope)
            y[open_] -= step
            open_ = open_[np.abs(step) > _STEP * np.abs(y[open_])]
            if open_.size == 0:
                break
        # Only one root is a transform: no farther from 1 than 1.
        return np.where(np.abs(1.0 - y) <= 1.0 + 1e-12, y, np.nan)

    return busy


def _repair(downtime: float | Law) -> Both:
    """Return s -> 1 - E[exp(-s D)] of one repair, and its derivative E[D exp(-s D)]."""
    if not isinstance(downtime, Law):
        return _from_values(np.array([downtime]), np.array([1.0]))
    roads: dict[str, Callable[..., Both]] = {
        "Exponential": lambda mean: _from_phases((1.0,), (mean,)),
        "HyperExponential": _from_phases,
        "Gamma": _from_stages,
        "Empirical": _from_record,
        "LogNormal": lambda mu, sigma: _from_values(*_normal_nodes(mu, sigma)),
        "Weibull": lambda shape, scale: _from_values(*_exponential_nodes(shape, scale)),
    }
    return roads[downtime.name](*downtime.parameters)


def _from_stages(shape: float, scale: float) -> Both:
    def both(s: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
        log = _log1p(s * scale)
        slope = shape * scale * np.exp(-(shape + 1.0) * log)
        return np.asarray(-np.expm1(-shape * log)), np.asarray(slope)

    return both


def _from_record(values: tuple[float, ...]) -> Both:
    found, counts = np.unique(values, return_counts=True)
    return _from_values(found, counts / len(values))


def _from_phases(shares: tuple[float, ...], means: tuple[float, ...]) -> Both:
    def both(s: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
        pairs = list(zip(shares, means, strict=True))
        once = sum(p * m * s / (1.0 + m * s) for p, m in pairs)
        return np.asarray(once), np.asarray(sum(p * m / (1.0 + m * s) ** 2 for p, m in pairs))

    return both


def _from_values(values: Any, weights: Any) -> Both:
    """Return the transforms of values, which may lie on a path in the complex plane."""
    path, share = (np.asarray(one, dtype=np.complex128) for one in (values, weights))
    return lambda s: fallen_and_slope(s, path, share)


def _normal_nodes(mu: float, sigma: float) -> tuple[ComplexArray, ComplexArray]:
    """Return the trapezoidal rule for exp(mu + sigma u) with u normal, on a turned path.

    Turning the path keeps exp(-s x) from oscillating faster than it falls.
    """
    turn = min(0.25 * np.pi, 2.5 * sigma)
    fastest = sigma * _DEEP / math.tan(turn) + turn / sigma
    v = np.arange(-8.6, 8.6 + 2.0 * sigma, 2.0 * np.pi / (fastest + 13.0))
    u = v - 1j * turn / sigma
    weights = np.exp(-0.5 * u**2)
    return np.exp(mu + sigma * u), weights / weights.sum()


def _exponential_nodes(shape: float, scale: float) -> tuple[ComplexArray, ComplexArray]:
    """Return the same for scale e^(u / shape) with e^u exponential."""
    turn = min(0.25 * np.pi, 0.8 / shape)
    fastest = _DEEP / (shape * math.tan(turn)) + 2.0 * _DEEP * math.tan(turn * shape)
    v = np.arange(-38.0, 4.8, 2.0 * np.pi / (fastest + 40.0))
    u = v - 1j * turn * shape
    weights = np.exp(u - np.exp(u))
    return scale * np.exp(u / shape), weights / weights.sum()
