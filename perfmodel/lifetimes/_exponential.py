"""Exponential durations and their mixtures."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from .._checks import ComplexArray, FloatArray, fraction, positive, scalar, shown
from ._base import LEAST, MOST_CV, Lifetime, within_floats
from ._gamma import gamma_moment


@dataclass(frozen=True, slots=True)
class Exponential(Lifetime):
    """Memoryless durations.

    Parameters
    ----------
    mean : float, [time]
        The mean; > 0.
    """

    mean: float = field()
    scv = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", scalar(positive, "mean", self.mean))

    @classmethod
    def from_mean(cls, mean: float, *, cv: float = 1.0) -> Self:
        """Return the law of this `mean` [time]; its coefficient of variation can only be 1."""
        if scalar(positive, "cv", cv) != 1.0:
            raise ValueError(f"cv must be 1 for Exponential, got {cv!r}")
        return cls(mean)

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(-np.expm1(-t / self.mean))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-t / self.mean))

    def _pdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-t / self.mean) / self.mean)

    def _hazard(self, t: FloatArray) -> FloatArray:
        return np.full(t.shape, np.float64(1.0) / self.mean)

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(t / self.mean)

    def _ppf(self, q: FloatArray) -> FloatArray:
        return np.asarray(-self.mean * np.log1p(-q))

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        return _partial_moment(t, self.mean, order)

    def _scaled(self, factor: float) -> Self:
        return replace(self, mean=self.mean * factor)

    def _first_of(self, count: float) -> Lifetime:
        mean = self.mean / count
        # A smaller number has lost digits.
        return replace(self, mean=mean) if mean >= LEAST else Lifetime._first_of(self, count)

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return np.asarray(1.0 / (1.0 + self.mean * s))

    @property
    def abscissa(self) -> float:
        """Where the transform has its pole, [1/time]."""
        return 1.0 / self.mean

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s > -abscissa."""
        return np.asarray(self.mean * s / (1.0 + self.mean * s))


@dataclass(frozen=True, slots=True)
class HyperExponential(Lifetime):
    """An exponential law chosen at random.

    Parameters
    ----------
    probabilities : sequence of float, [-]
        Of each branch; >= 0 with sum 1.
    means : sequence of float, [time]
        One per branch; > 0.
    """

    probabilities: tuple[float, ...]
    means: tuple[float, ...]

    def __post_init__(self) -> None:
        weights = fraction("probabilities", self.probabilities)
        means = positive("means", self.means)
        for name, array in (("probabilities", weights), ("means", means)):
            if array.ndim != 1:
                raise ValueError(f"{name} must be a list of numbers, got shape {array.shape}")
        if weights.shape != means.shape:
            raise ValueError(
                f"means must be one per probability, got {means.size} for {weights.size}"
            )
        if abs(math.fsum(weights) - 1.0) > 1e-12:
            raise ValueError(
                f"probabilities must be >= 0 with sum 1, got {shown(weights.tolist())}"
            )
        object.__setattr__(self, "probabilities", tuple(weights.tolist()))
        object.__setattr__(self, "means", tuple(means.tolist()))

    @classmethod
    def from_mean(cls, mean: float, *, cv: float) -> Self:
        """Return two branches of equal share in the `mean` [time], for any `cv` >= 1."""
        average, variation = scalar(positive, "mean", mean), scalar(positive, "cv", cv)
        if variation < 1.0:
            raise ValueError(f"cv must be >= 1 for HyperExponential, got {cv!r}")
        if variation > MOST_CV:
            raise ValueError(f"cv must be at most 1e+150 for HyperExponential, got {cv!r}")
        root = math.sqrt((variation - 1.0) / (1.0 + variation**2) * (variation + 1.0))
        rare = 1.0 / ((1.0 + variation**2) * (1.0 + root))  # (1 - root)/2 without cancellation
        often = 1.0 - rare
        means = (average / (2.0 * often), average / (2.0 * rare))
        return cls((often, rare), tuple(within_floats(each, mean, cv) for each in means))

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        return math.fsum(p * m for p, m in zip(self.probabilities, self.means, strict=True))

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, >= 1."""
        p, m = self._live()
        return float(1.0 + 2.0 * np.sum(p * (m / self.mean - 1.0) ** 2))

    def _live(self) -> tuple[FloatArray, FloatArray]:
        p, m = np.array(self.probabilities), np.array(self.means)
        return p[p > 0.0], m[p > 0.0]

    def _shares(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return p and m with branches last, and exp(-t/m) relative to the slowest branch."""
        p, m = self._live()
        slowest = t[..., None] / m.max()
        gap = np.where(slowest < np.inf, t[..., None] / m - slowest, np.inf)
        decay = np.where(m < m.max(), np.exp(-gap), 1.0)
        return p, m, decay

    def _cdf(self, t: FloatArray) -> FloatArray:
        p, m = self._live()
        return np.asarray(-np.sum(p * np.expm1(-t[..., None] / m), axis=-1))

    def _sf(self, t: FloatArray) -> FloatArray:
        p, m = self._live()
        return np.asarray(np.sum(p * np.exp(-t[..., None] / m), axis=-1))

    def _pdf(self, t: FloatArray) -> FloatArray:
        p, m = self._live()
        return np.asarray(np.sum(p / m * np.exp(-t[..., None] / m), axis=-1))

    def _hazard(self, t: FloatArray) -> FloatArray:
        p, m, decay = self._shares(t)
        return np.asarray(np.sum(p / m * decay, axis=-1) / np.sum(p * decay, axis=-1))

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        p, m, decay = self._shares(t)
        late = t / m.max() - np.log(np.sum(p * decay, axis=-1))
        cdf = self._cdf(t)
        return np.where(cdf < 0.5, -np.log1p(-np.minimum(cdf, 0.5)), late)

    def _ppf(self, q: FloatArray) -> FloatArray:
        # The cumulative hazard is concave: Newton from below never overshoots.
        found = np.full(q.shape, np.inf)
        target = -np.log1p(-q[q < 1.0])
        t = np.zeros_like(target)
        for _ in range(200):
            step = (target - self._cumulative_hazard(t)) / self._hazard(t)
            t = t + step
            if np.all(np.abs(step) <= 4e-16 * t):
                break
        found[q < 1.0] = t
        return found

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        p, m = self._live()
        return np.asarray(np.sum(p * _partial_moment(t[..., None], m, order), axis=-1))

    def _scaled(self, factor: float) -> Self:
        return replace(self, means=tuple(mean * factor for mean in self.means))

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        p, m = self._live()
        return np.asarray(np.sum(p / (1.0 + m * s[..., None]), axis=-1))

    @property
    def abscissa(self) -> float:
        """Where the slowest branch has its pole, [1/time]."""
        return 1.0 / float(self._live()[1].max())

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s > -abscissa."""
        p, m = self._live()
        return sum((q * x * s / (1.0 + x * s) for q, x in zip(p, m, strict=True)), np.zeros_like(s))


def _partial_moment(t: FloatArray, mean: float | FloatArray, order: int) -> FloatArray:
    """Return E[T^order; T <= t] of an exponential law."""
    return gamma_moment(t, mean, 1.0, order)
