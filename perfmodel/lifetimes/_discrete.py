"""Laws without a density: a constant, and a recorded sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NoReturn, Self

import numpy as np

from .._checks import ComplexArray, FloatArray, nonnegative, scalar
from .._special import power_of_two, product
from ._base import Lifetime


@dataclass(frozen=True, slots=True)
class Deterministic(Lifetime):
    """Always the same duration.

    Parameters
    ----------
    value : float, [time]
        The duration; >= 0.
    """

    value: float
    scv = 0.0
    abscissa = math.inf  # nowhere has the transform a singularity

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", scalar(nonnegative, "value", self.value))

    @classmethod
    def from_mean(cls, mean: float, *, cv: float = 0.0) -> Self:
        """Return the constant `mean` [time]; its coefficient of variation can only be 0."""
        if scalar(nonnegative, "cv", cv) != 0.0:
            raise ValueError(f"cv must be 0 for Deterministic, got {cv!r}")
        return cls(scalar(nonnegative, "mean", mean))

    @property
    def mean(self) -> float:
        """The duration itself, [time]."""
        return self.value

    def atoms(self) -> tuple[FloatArray, FloatArray]:
        """Return the duration [time], and 1."""
        return np.array([self.value]), np.ones(1)

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.where(t >= self.value, 1.0, 0.0)

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.where(t >= self.value, 0.0, 1.0)

    def _pdf(self, t: FloatArray) -> NoReturn:
        _refuse_density(self)

    def _hazard(self, t: FloatArray) -> NoReturn:
        _refuse_density(self)

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        return np.where(t >= self.value, np.inf, 0.0)

    def _ppf(self, q: FloatArray) -> FloatArray:
        return np.full(q.shape, self.value)

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        return np.where(t >= self.value, np.float64(self.value) ** order, 0.0)

    def _scaled(self, factor: float) -> Self:
        return replace(self, value=self.value * factor)

    def _first_of(self, count: float) -> Self:
        return self

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return np.asarray(np.exp(-self.value * s))

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s > -abscissa."""
        return np.asarray(-np.expm1(-s * self.value))

    def _log_growth(self, rate: FloatArray) -> FloatArray:
        return np.asarray(rate * self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Empirical(Lifetime):
    """Durations drawn from a record, each with the same probability.

    Two laws are equal when their samples are, whatever the order. The variance is that of
    this law, not the unbiased estimate for the one behind the sample.

    Parameters
    ----------
    samples : array_like, [time]
        Shape (n,), n >= 1; >= 0. Kept as a sorted read-only copy.
    """

    samples: FloatArray
    abscissa = math.inf  # nowhere has the transform a singularity

    def __post_init__(self) -> None:
        samples = np.sort(nonnegative("samples", self.samples), axis=None)
        if np.ndim(self.samples) != 1:
            raise ValueError(
                f"samples must be a list of numbers, got shape {np.shape(self.samples)}"
            )
        samples.flags.writeable = False
        object.__setattr__(self, "samples", samples)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Empirical):
            return NotImplemented
        return np.array_equal(self.samples, other.samples)

    def __hash__(self) -> int:
        return hash(self.samples.tobytes())

    @property
    def mean(self) -> float:
        """The sample mean, [time]."""
        return self._unit * float((self.samples / self._unit).mean())

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]; 0 for a sample of zeros."""
        mean = self.mean
        return float(np.mean((self.samples / mean - 1.0) ** 2)) if mean > 0.0 else 0.0

    @property
    def _unit(self) -> float:
        """Return a power of two, in which the longest is about 1."""
        longest = float(self.samples[-1])
        return power_of_two(longest) if longest > 0.0 else 1.0

    def atoms(self) -> tuple[FloatArray, FloatArray]:
        """Return the different durations [time], ascending, and their shares of the record."""
        values, counts = np.unique(self.samples, return_counts=True)
        return values, counts / self.samples.size

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.searchsorted(self.samples, t, side="right") / self.samples.size)

    def _sf(self, t: FloatArray) -> FloatArray:
        count = self.samples.size
        return np.asarray((count - np.searchsorted(self.samples, t, side="right")) / count)

    def _pdf(self, t: FloatArray) -> NoReturn:
        _refuse_density(self)

    def _hazard(self, t: FloatArray) -> NoReturn:
        _refuse_density(self)

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(0.0 - np.log(self._sf(t)))

    def _ppf(self, q: FloatArray) -> FloatArray:
        count = self.samples.size
        rank = np.ceil(q * count)
        # q * count may round to just above a whole number.
        rank = np.maximum(rank - ((rank - 1.0) / count >= q), 1.0)
        return np.asarray(self.samples[rank.astype(np.intp) - 1])

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        unit = self._unit
        sums = np.append(0.0, np.cumsum((self.samples / unit) ** order)) / self.samples.size
        found = sums[np.searchsorted(self.samples, t, side="right")]
        return product(*[unit] * order, found)

    def _scaled(self, factor: float) -> Self:
        return replace(self, samples=self.samples * factor)

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return self._sums(np.exp, s)

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s > -abscissa."""
        sums = self._sums(lambda power: -np.expm1(power), s.ravel())
        return sums.reshape(s.shape)

    def _log_growth(self, rate: FloatArray) -> FloatArray:
        # From the duration that weighs most, so that nothing overflows.
        base = np.where(rate > 0.0, self.samples[-1], self.samples[0])
        powers = rate[..., None] * (self.samples - base[..., None])
        return np.asarray(rate * base + np.log1p(np.mean(np.expm1(powers), axis=-1)))

    def _sums(
        self, function: Callable[[ComplexArray], ComplexArray], s: ComplexArray
    ) -> ComplexArray:
        """Return the mean of function(-s value) at each of `s`, shape (n,)."""
        values, weights = self.atoms()
        rows = max(1, 2**20 // values.size)
        parts = [
            function(-s[start : start + rows, None] * values) @ weights
            for start in range(0, s.size, rows)
        ]
        return np.concatenate(parts)


def _refuse_density(law: Deterministic | Empirical) -> NoReturn:
    raise TypeError(f"law must have a density, got {type(law).__name__}: use cdf or sf")
