"""Weibull durations: hazard falling (shape < 1) or rising (shape > 1) as a power of age."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import special

from .._checks import BoolArray, ComplexArray, FloatArray, positive, scalar
from .._special import log_ratio, product, times_exp
from ._base import LEAST, Lifetime, Shortest, log_moment_ratio, std_of, within_floats
from ._laplace import weibull_complement, weibull_transform

_HALVINGS, _DIGITS = 60, 42.0
_HIGH_PEAK = 40.0  # beyond, no step between floats resolves the peak
_LARGEST_GAMMA = 171.0  # beyond, gamma(x) overflows
_LATE = 500.0  # cumulative hazards up to which a series in them has digits
_LEAST_RATIO = 1e-290  # a smaller one has lost digits
_OVERFLOW = 709.0  # of an exponent
_ORDERS = np.arange(2.0, 50.0)
_SERIES = special.zeta(_ORDERS) * (-1.0) ** _ORDERS * (2.0**_ORDERS - 2.0) / _ORDERS


@dataclass(frozen=True, slots=True)
class Weibull(Lifetime):
    """Weibull durations, sf = exp(-(t/scale)^shape).

    Parameters
    ----------
    shape : float, [-]
        Below 1: failures come in bursts; above 1: wear; > 0.
    scale : float, [time]
        The quantile of 1 - 1/e; > 0.
    """

    shape: float
    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", scalar(positive, "shape", self.shape))
        object.__setattr__(self, "scale", scalar(positive, "scale", self.scale))

    @classmethod
    def from_mean(cls, mean: float, *, cv: float) -> Self:
        """Return the law of this `mean` [time] and coefficient of variation `cv` > 0."""
        average, variation = scalar(positive, "mean", mean), scalar(positive, "cv", cv)
        exponent = _exponent_of(variation)
        scale = float(times_exp(average, -special.gammaln(1.0 + exponent)))
        return cls(1.0 / exponent, within_floats(scale, mean, cv))

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        return float(self._whole(1))

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        with np.errstate(over="ignore"):
            return float(np.expm1(_log_ratio_at(1.0 / self.shape)))

    @property
    def std(self) -> float:
        """The standard deviation, [time]."""
        inverse = 1.0 / self.shape
        log_mean = math.log(self.scale) + float(special.gammaln(1.0 + inverse))
        return std_of(self.mean, self.scv, log_mean, _log_ratio_at(inverse))

    def _whole(self, order: int) -> FloatArray:
        """Return E[T^order]."""
        a = 1.0 + order / self.shape
        if a < _LARGEST_GAMMA:
            return product(*[self.scale] * order, np.float64(special.gamma(a)))
        return times_exp(1.0, special.gammaln(a) + order * math.log(self.scale))

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(-np.expm1(-self._cumulative_hazard(t)))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-self._cumulative_hazard(t)))

    def _pdf(self, t: FloatArray) -> FloatArray:
        sf = self._sf(t)
        return np.where(sf > 0.0, self._hazard(t) * sf, 0.0)

    def _hazard(self, t: FloatArray) -> FloatArray:
        x = t / self.scale
        rate = np.asarray(self.shape / self.scale * x ** (self.shape - 1.0))
        lost = _lost(x, t)
        if lost.any():
            power = (self.shape - 1.0) * log_ratio(t[lost], self.scale)
            rate[lost] = times_exp(np.float64(self.shape) / self.scale, power)
        return rate

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        x = t / self.scale
        hazard = np.asarray(x**self.shape)
        lost = _lost(x, t)
        if lost.any():
            hazard[lost] = times_exp(1.0, self.shape * log_ratio(t[lost], self.scale))
        return hazard

    def _ppf(self, q: FloatArray) -> FloatArray:
        hazard = -np.log1p(-q)
        x = hazard ** (1.0 / self.shape)
        far = times_exp(self.scale, np.log(hazard) / self.shape)
        return np.where((x > _LEAST_RATIO) & (x < np.inf) | (q == 0.0), self.scale * x, far)

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        return self._moment_of_first(t, order, 1.0)

    def _moment_of_first(self, t: FloatArray, order: int, count: float) -> FloatArray:
        a = 1.0 + order / self.shape
        hazard = count * self._cumulative_hazard(t)
        # Of the share of t^order nothing overflows, however large the moment may become.
        early = hazard < min(a, _LATE)
        near = np.where(early, hazard, 0.0)
        share = near * np.exp(-near) * special.hyp1f1(1.0, a + 1.0, near) / a
        whole = self._whole(order)
        if count > 1.0:
            powers = special.gammaln(a) + order * (
                math.log(self.scale) - math.log(count) / self.shape
            )
            whole = times_exp(1.0, powers)
        late = product(whole, special.gammainc(a, hazard))
        return np.where(early, product(*[t] * order, share), late)

    def _scaled(self, factor: float) -> Self:
        return replace(self, scale=self.scale * factor)

    def _first_of(self, count: float) -> Lifetime:
        scale = float(times_exp(self.scale, -math.log(count) / self.shape))
        return replace(self, scale=scale) if scale >= LEAST else _ShortestWeibull(self, count)

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return weibull_transform(self.shape, s * self.scale)

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s >= 0."""
        return weibull_complement(self.shape, s * self.scale)

    def _log_growth(self, rate: FloatArray) -> FloatArray:
        found = Lifetime._log_growth(self, np.minimum(rate, 0.0))
        if self.shape == 1.0:
            least = np.where(rate * self.scale < 1.0, -np.log1p(-rate * self.scale), np.inf)
            return np.where(rate > 0.0, least, found)
        if self.shape < 1.0:
            return np.where(rate > 0.0, np.inf, found)
        for place in np.flatnonzero(rate > 0.0):
            found.flat[place] = _growth_of_wear(self.shape, float(rate.flat[place]) * self.scale)
        return found


@dataclass(frozen=True, slots=True)
class _ShortestWeibull(Shortest):
    """The first of so many Weibull durations that no float holds the scale of their law."""

    law: Weibull

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        with np.errstate(all="ignore"):
            return float(self._partial_moment(np.asarray(np.inf), 1))

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-], of any scale."""
        return self.law.scv

    @property
    def std(self) -> float:
        """The standard deviation, [time]."""
        inverse = 1.0 / self.law.shape
        log_mean = math.log(self.law.scale) + float(special.gammaln(1.0 + inverse))
        log_mean -= math.log(self.count) * inverse
        return std_of(self.mean, self.scv, log_mean, _log_ratio_at(inverse))

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        return self.law._moment_of_first(t, order, self.count)


def _lost(x: FloatArray, t: FloatArray) -> BoolArray:
    """Return which ratios x of times t have lost digits."""
    return np.asarray(((x < _LEAST_RATIO) & (t > 0.0)) | ((x == np.inf) & (t < np.inf)))


def _growth_of_wear(k: float, rate: float) -> float:
    """Return log E[exp(rate T)] for shape k > 1, scale 1 and rate > 0, by the trapezoidal rule.

    With T = e^(x/k) the integrand is exp(rate e^(x/k) - e^x + x), which has one peak.
    """
    if rate < 0.5:  # one less, which keeps the digits of small rates
        step = 0.05
        x = step * np.arange(-_DIGITS / step, math.log(2.0 * _DIGITS) / step)
        less = np.expm1(rate * np.exp(x / k)) * np.exp(x - np.exp(x))
        return math.log1p(float(np.sum(less)) * step)
    low, high = 0.0, max(1.0, math.log(2.0 * (rate + 1.0)) * k / (k - 1.0) + 2.0)
    for _ in range(_HALVINGS):  # the peak, where the derivative of the logarithm is 0
        peak = 0.5 * (low + high)
        rising = rate / k * math.exp(peak / k - peak) + math.exp(-peak) > 1.0
        low, high = (peak, high) if rising else (low, peak)
    if peak > _HIGH_PEAK:  # as narrow as it is, its height is all
        return (k - 1.0) * math.exp(peak) if peak < _OVERFLOW else math.inf
    top = math.exp(peak)
    width = 1.0 / math.sqrt(top * (1.0 - 1.0 / k) + 1.0 / k)
    step = min(0.15, 0.2 * width)
    # Around a high peak the integrand is a bell curve; else its left tail falls as e^x.
    left, right = (20.0 * width, 20.0 * width) if top > 1e4 else (_DIGITS, 10.0)
    steps = np.arange(-left, right, step)
    at = rate * top ** (1.0 / k)
    powers = at * np.expm1(steps / k) - top * np.expm1(steps) + steps
    total = float(np.sum(np.exp(powers))) * step
    return float(at - top + peak + math.log(total))


def _log_ratio_at(x: float) -> float:
    """Return log(E[T^2]/E[T]^2) at shape 1/x."""
    if x < 0.2:  # the two log-gammas cancel; their Taylor series does not
        return float(np.sum(_SERIES * x**_ORDERS))
    return float(special.gammaln(1.0 + 2.0 * x) - 2.0 * special.gammaln(1.0 + x))


def _exponent_of(cv: float) -> float:
    """Return x with `_log_ratio_at(x)` = log(1 + cv^2)."""
    if cv == 1.0:  # exactly exponential: the hazard at 0 jumps with the last digit of the shape
        return 1.0
    target = log_moment_ratio(cv)
    # The ratio is convex and rises from 0: Newton from above goes down to the root.
    x = math.sqrt(target / math.log(2.0)) if target < math.log(2.0) else target + 0.31
    for _ in range(100):
        if x < 0.2:
            slope = float(np.sum(_SERIES * _ORDERS * x ** (_ORDERS - 1.0)))
        else:
            slope = float(2.0 * (special.digamma(1.0 + 2.0 * x) - special.digamma(1.0 + x)))
        step = (_log_ratio_at(x) - target) / slope
        x -= step
        if abs(step) <= 4e-16 * x:
            break
    return x
