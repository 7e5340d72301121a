"""Likelihoods of durations seen whole, cut off or rounded, and their maximum by Newton's method.

A duration seen whole counts with its density, one still running when the observation ended
with sf, one recorded on a grid with the probability of its cell. Of one that was watched only from
some age on, the sf at that age divides all of these. Parameters are transformed so
that the whole real line is allowed, and derivatives are central differences of sixth order: the
sums over the sample are kept, so that they cost little, and they reach 1e-11 of a standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from .._checks import FloatArray
from .._special import stirling_error
from ..lifetimes import Exponential, Gamma, Lifetime, LogNormal, Weibull
from ._condense import condense

_OFFSETS = np.array([1.0, 2.0, 3.0])
_FIRST = np.array([3 / 4, -3 / 20, 1 / 60])
_SECOND = np.array([3 / 2, -3 / 20, 1 / 90])

_NARROW = 1e-7  # width over duration: up to there density times width is the mass, to 1e-15
_STEPS = 200
_FARTHEST = 300.0  # in logarithms: a search that gets this far has passed no maximum
_NONE: FloatArray = np.empty(0)


@dataclass(frozen=True, slots=True)
class Sample:
    """Durations by how they were seen; `lower` and `upper` are the edges of rounded ones.

    Equal censored or rounded values are kept once, with their count. The whole ones are kept with
    their sums: mean, mean log(t/mean), mean and variance of log t. A cell so narrow that the
    density is constant in it counts as a point, with the log of its width in `log_widths`.
    `entered` are the ages > 0 from which on durations were watched.
    """

    exact: FloatArray
    log_exact: FloatArray
    mean: float
    log_gap: float
    log_mean: float
    log_variance: float
    censored: FloatArray
    censored_counts: FloatArray
    lower: FloatArray
    upper: FloatArray
    cell_counts: FloatArray
    log_widths: float
    entered: FloatArray
    entered_counts: FloatArray

    @classmethod
    def of(
        cls,
        observed: FloatArray,
        censored: FloatArray,
        resolution: float | None,
        entered: FloatArray = _NONE,
    ) -> Sample:
        """Build a sample of `observed` and `censored` durations, rounded to `resolution` if any."""
        cut, cut_counts = np.unique(censored, return_counts=True)
        width = 0.0 if resolution is None else resolution
        whole = width <= _NARROW * observed
        exact = observed[whole]
        rounded, cell_counts = np.unique(observed[~whole], return_counts=True)
        ages, age_counts = np.unique(entered[entered > 0.0], return_counts=True)
        logs = np.log(exact)
        mean = float(exact.mean()) if exact.size else 1.0
        return cls(
            exact,
            logs,
            mean,
            _mean_log_gap(exact) if exact.size else 0.0,
            float(logs.mean()) if exact.size else 0.0,
            float(logs.var()) if exact.size else 0.0,
            cut,
            cut_counts.astype(np.float64),
            np.maximum(rounded - 0.5 * width, 0.0),
            rounded + 0.5 * width,
            cell_counts.astype(np.float64),
            exact.size * math.log(width) if width > 0.0 else 0.0,
            ages,
            age_counts.astype(np.float64),
        )

    @property
    def failures(self) -> float:
        """The number of durations that were seen to end."""
        return self.exact.size + float(self.cell_counts.sum())

    def log_likelihood(self, law: Lifetime, log_density: float) -> float:
        """Return `log_density`, that of the whole durations, plus what the others contribute."""
        at_lower = law.cumulative_hazard(self.lower) if self.lower.size else self.lower
        at_upper = law.cumulative_hazard(self.upper) if self.upper.size else self.upper
        cut = law.cumulative_hazard(self.censored) if self.censored.size else self.censored
        with np.errstate(divide="ignore", invalid="ignore"):
            cells = np.log(-np.expm1(at_lower - at_upper)) - at_lower
        whole = log_density + self.log_widths
        if self.entered.size:
            whole += float(self.entered_counts @ np.asarray(law.cumulative_hazard(self.entered)))
        return float(whole + self.cell_counts @ cells - self.censored_counts @ np.asarray(cut))

    def condensed(self) -> Sample:
        """Return the sample with many censored durations replaced by few weighted ones."""
        late = self.censored > 0.0  # a duration cut off at 0 says nothing
        if not late.any():
            return self
        points, weights = condense(self.censored[late], self.censored_counts[late])
        if points.size == np.count_nonzero(late):
            return self
        return replace(self, censored=points, censored_counts=weights)

    def typical(self) -> FloatArray:
        """Return every duration once, rounded ones in the middle of their cell."""
        cells = np.repeat(0.5 * (self.lower + self.upper), self.cell_counts.astype(np.intp))
        return np.concatenate([self.exact, cells])


@dataclass(frozen=True, slots=True)
class Family:
    """A family of laws by its transformed parameters, its log density, and where to start.

    `log_density` takes a law that `law` made, and is that of the whole durations. `start` takes
    durations and a mean; it returns a first point, and for each coordinate the step that matters
    to the likelihood of one duration. `in_unit` takes a law of durations in multiples of a unit
    and that unit; it returns the law of the durations.
    """

    parameters: tuple[str, ...]
    law: Callable[[FloatArray], Lifetime]
    log_density: Callable[[Any, Sample], float]
    start: Callable[[FloatArray, float], tuple[FloatArray, FloatArray]]
    in_unit: Callable[[Any, float], Lifetime]


@dataclass(frozen=True, slots=True)
class Maximum:
    """Where the log-likelihood is largest, its value, and the inverse observed information."""

    point: FloatArray
    value: float
    covariance: FloatArray


def maximise(family: Family, sample: Sample) -> Maximum | None:
    """Return the maximum-likelihood estimate of `family` from `sample`; None if there is none."""
    short = sample.condensed()
    maximum = _maximise(family, short)
    if short is sample or maximum is None:
        return maximum
    law = family.law(maximum.point)
    value = sample.log_likelihood(law, family.log_density(law, sample))
    if abs(value - maximum.value) < 1e-11 * abs(value):
        return maximum
    return _maximise(family, sample)  # the law is too steep for the condensed sample


def _maximise(family: Family, sample: Sample) -> Maximum | None:
    def objective(point: FloatArray) -> float:
        with np.errstate(all="ignore"):  # a step too far is refused by its value
            try:
                law = family.law(point)
            except (ValueError, OverflowError):
                return -math.inf
            value = sample.log_likelihood(law, family.log_density(law, sample))
        return value if math.isfinite(value) else -math.inf

    # First from a mean that counts the censored durations, then from that of the seen ones.
    durations = sample.typical()
    total = float(durations.sum() + sample.censored @ sample.censored_counts)
    total -= float(sample.entered @ sample.entered_counts)
    for mean in (total / sample.failures, float(durations.mean())):
        try:
            point, scale = family.start(durations, mean)
        except (ValueError, ZeroDivisionError):  # the middles of their cells do not differ
            return None
        maximum = _climb(objective, point, scale, sample.failures)
        if maximum is not None:
            return maximum
    return None


def _climb(
    objective: Callable[[FloatArray], float],
    start: FloatArray,
    first_scale: FloatArray,
    failures: float,
) -> Maximum | None:
    """Maximise by Newton's method; steps may grow while they succeed, and shrink when they fail."""
    point, scale, reach, stalled = start, first_scale, 1.0, 0
    for _ in range(_STEPS):
        value, slope, curvature = _derivatives(objective, point, 0.02 * scale)
        if not (np.isfinite(slope).all() and np.isfinite(curvature).all()):
            if np.max(scale / first_scale) < 1e-6:
                return None
            scale = 0.1 * scale  # the differences reach beyond the range of the law
            continue
        step = _ascent(slope, curvature, scale, reach)
        if np.max(np.abs(step) / scale) < 1e-6:  # the next step would be about its square
            return _summit(objective, point + step, scale)
        size = 1.0
        while not objective(point + size * step) > value and size > 1e-4:
            size *= 0.5
        stalled = stalled + 1 if size <= 1e-4 else 0
        if stalled == 3:  # what is left of the slope is rounding
            return _summit(objective, point, scale)
        reach = min(2.0 * reach, 100.0) if size == 1.0 else max(size * reach, 0.01)
        point = point + size * step
        if np.max(np.abs(point - start)) > _FARTHEST:
            return None
        information = np.maximum(np.abs(np.diag(curvature)), 1e-300) / failures
        scale = np.clip(1.0 / np.sqrt(information), 0.1 * first_scale, 3.0 * first_scale)
    return None


def _summit(
    objective: Callable[[FloatArray], float], point: FloatArray, scale: FloatArray
) -> Maximum | None:
    """Return the maximum at `point`, or None where the likelihood is level or still rises."""
    value, slope, curvature = _derivatives(objective, point, 0.02 * scale)
    scaled = -curvature * np.outer(scale, scale)
    if not np.isfinite(scaled).all() or np.linalg.eigvalsh(scaled).min() <= 1e-9:
        return None
    if np.max(np.abs(np.linalg.solve(scaled, slope * scale))) > 1e-3:
        return None
    return Maximum(point, value, np.asarray(np.linalg.inv(-curvature), dtype=np.float64))


def _mean_log_gap(durations: FloatArray) -> float:
    """Return the mean of log(t/mean), accurate also where all durations are nearly equal."""
    mean = float(durations.mean())
    excess = (durations - mean) / mean
    logs = np.where(
        excess > -0.5, np.log1p(np.maximum(excess, -0.5)), np.log(durations) - math.log(mean)
    )
    return float((logs - excess).mean())  # the mean excess is 0; taking it off cuts rounding


def gradient(function: Callable[[FloatArray], float], point: FloatArray) -> FloatArray:
    """Return the slope of a smooth `function` at `point`."""
    return _derivatives(function, point, np.full(point.size, 1e-2))[1]


def _derivatives(
    function: Callable[[FloatArray], float], point: FloatArray, step: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    """Return value, gradient and Hessian by central differences."""
    with np.errstate(invalid="ignore"):  # of two points beyond the range of the law
        return _differences(function, point, step)


def _differences(
    function: Callable[[FloatArray], float], point: FloatArray, step: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    centre = function(point)
    axes = np.diag(step)
    slope, curvature = np.empty(point.size), np.empty((point.size, point.size))
    for i, axis in enumerate(axes):
        ahead = np.array([function(point + k * axis) for k in _OFFSETS])
        behind = np.array([function(point - k * axis) for k in _OFFSETS])
        slope[i] = _FIRST @ (ahead - behind) / step[i]
        curvature[i, i] = _SECOND @ (ahead + behind - 2.0 * centre) / step[i] ** 2
        for j in range(i):
            curvature[i, j] = curvature[j, i] = _mixed(function, point, axis, axes[j]) / (
                step[i] * step[j]
            )
    return centre, slope, curvature


def _mixed(
    function: Callable[[FloatArray], float], point: FloatArray, a: FloatArray, b: FloatArray
) -> float:
    """Return the mixed second difference along a and b, extrapolated from steps 1 and 2."""
    near, far = (
        (
            function(point + k * (a + b))
            - function(point + k * (a - b))
            - function(point - k * (a - b))
            + function(point - k * (a + b))
        )
        / (4.0 * k * k)
        for k in (1.0, 2.0)
    )
    return (4.0 * near - far) / 3.0


def _ascent(
    slope: FloatArray, curvature: FloatArray, scale: FloatArray, reach: float
) -> FloatArray:
    """Return Newton's step, or a cautious uphill one where the function is not concave."""
    scaled = curvature * np.outer(scale, scale)
    values, vectors = np.linalg.eigh(-scaled)
    values = np.abs(values)
    largest = float(values.max())
    values = np.maximum(values, 1e-6 * largest) if largest > 0.0 else np.ones_like(values)
    step = scale * (vectors @ ((vectors.T @ (slope * scale)) / values))
    return np.asarray(step / max(1.0, float(np.max(np.abs(step) / scale)) / reach))


def _exponential_log_density(law: Exponential, sample: Sample) -> float:
    return -sample.exact.size * (math.log(law.mean) + sample.mean / law.mean)


def _weibull_log_density(law: Weibull, sample: Sample) -> float:
    logs = sample.log_exact - math.log(law.scale)
    rise = law.shape * logs - np.exp(law.shape * logs) - sample.log_exact
    return logs.size * math.log(law.shape) + float(rise.sum())


def _gamma_log_density(law: Gamma, sample: Sample) -> float:
    a, ratio = law.shape, sample.mean / law.mean
    # The logarithm of the ratio by whichever of the two has the digits.
    near = ratio > 0.5
    log_ratio = math.log1p(ratio - 1.0) if near else math.log(sample.mean) - math.log(law.mean)
    gap = sample.log_gap + log_ratio - (ratio - 1.0)
    if a < 10.0:
        constant = a * math.log(a) - a - float(special.gammaln(a))
    else:
        constant = 0.5 * math.log(a / (2.0 * math.pi)) - stirling_error(a)
    return sample.exact.size * (a * gap + constant - sample.log_mean)


def _lognormal_log_density(law: LogNormal, sample: Sample) -> float:
    square = (sample.log_variance + (sample.log_mean - law.mu) ** 2) / (2.0 * law.sigma**2)
    constant = math.log(law.sigma) + 0.5 * math.log(2.0 * math.pi)
    return -sample.exact.size * (sample.log_mean + constant + square)


def _start_exponential(durations: FloatArray, mean: float) -> tuple[FloatArray, FloatArray]:
    del durations
    return np.array([math.log(mean)]), np.ones(1)


def _start_weibull(durations: FloatArray, mean: float) -> tuple[FloatArray, FloatArray]:
    shape = 1.28 / float(np.log(durations).std())
    excess = math.log(mean / float(durations.mean()))  # above 0 when some were cut off
    log_scale = float(np.log(durations).mean()) + 0.5772156649015329 / shape + excess
    return np.array([math.log(shape), log_scale]), np.array([1.0, 1.0 / shape])


def _start_gamma(durations: FloatArray, mean: float) -> tuple[FloatArray, FloatArray]:
    spread = -_mean_log_gap(durations)
    root = math.sqrt((spread - 3.0) ** 2 + 24.0 * spread)
    shape = (3.0 - spread + root) / (12.0 * spread)
    return np.array([math.log(shape), math.log(mean)]), np.array([1.0, shape**-0.5])


def _start_lognormal(durations: FloatArray, mean: float) -> tuple[FloatArray, FloatArray]:
    logs = np.log(durations)
    sigma = float(logs.std())
    excess = math.log(mean / float(durations.mean()))  # above 0 when some were cut off
    return np.array([float(logs.mean()) + excess, math.log(sigma)]), np.array([sigma, 1.0])


FAMILIES = {
    "exponential": Family(
        ("mean",),
        lambda p: Exponential(math.exp(p[0])),
        _exponential_log_density,
        _start_exponential,
        lambda law, unit: Exponential(law.mean * unit),
    ),
    "weibull": Family(
        ("shape", "scale"),
        lambda p: Weibull(math.exp(p[0]), math.exp(p[1])),
        _weibull_log_density,
        _start_weibull,
        lambda law, unit: Weibull(law.shape, law.scale * unit),
    ),
    # shape and mean: their estimates are independent, those of shape and scale are not
    "gamma": Family(
        ("shape", "scale"),
        lambda p: Gamma(math.exp(p[0]), math.exp(p[1] - p[0])),
        _gamma_log_density,
        _start_gamma,
        lambda law, unit: Gamma(law.shape, law.scale * unit),
    ),
    "lognormal": Family(
        ("mu", "sigma"),
        lambda p: LogNormal(p[0], math.exp(p[1])),
        _lognormal_log_density,
        _start_lognormal,
        lambda law, unit: LogNormal(law.mu + math.log(unit), law.sigma),
    ),
}
