"""Estimates from a sample, with their confidence.

Streaming, because a million makespans need not be kept for four numbers; mergeable, because they
are made in blocks. Confidence statements are large-sample ones (central limit theorem) except
`dkw_half_width`, which holds for every sample size and every law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ._checks import number, numbers, whole

__all__ = ["Moments", "dkw_half_width", "quantile_interval", "student_quantile"]


@dataclass(frozen=True, slots=True)
class Moments:
    """Count, mean and central power sums of a sample, updated without keeping it.

    Parameters
    ----------
    count : int
        Sample size.
    mean : float
        Sample mean; 0 for an empty sample.
    second, third, fourth : float
        Sums of the powers of the deviations from the mean.

    Examples
    --------
    >>> both = Moments.of([1.0, 2.0]) + Moments.of([3.0, 6.0])
    >>> both.mean, round(both.variance, 6)
    (3.0, 4.666667)
    """

    count: int = 0
    mean: float = 0.0
    second: float = 0.0
    third: float = 0.0
    fourth: float = 0.0

    @classmethod
    def of(cls, values: npt.ArrayLike) -> Moments:
        """Return the moments of an array of any shape."""
        array = numbers("values", values)
        if array.size == 0:
            return cls()
        mean = float(array.mean())
        deviation = array - mean
        square = deviation * deviation
        return cls(
            count=array.size,
            mean=mean,
            second=float(square.sum()),
            third=float((square * deviation).sum()),
            fourth=float((square * square).sum()),
        )

    def __add__(self, other: Moments) -> Moments:
        """Return the moments of the two samples taken together."""
        n, m = self.count, other.count
        if n == 0 or m == 0:
            return other if n == 0 else self
        total, delta = n + m, other.mean - self.mean
        # Both samples' deviations, shifted from their own mean to the common one.
        a, b = -delta * m / total, delta * n / total
        return Moments(
            count=total,
            mean=self.mean + delta * m / total,
            second=self.second + n * a * a + other.second + m * b * b,
            third=self._third_about(-a) + other._third_about(-b),
            fourth=self._fourth_about(-a) + other._fourth_about(-b),
        )

    @property
    def variance(self) -> float:
        """Unbiased sample variance; nan below two values."""
        return self.second / (self.count - 1) if self.count > 1 else math.nan

    @property
    def std(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def mean_stderr(self) -> float:
        """Standard error of the mean; nan below two values."""
        return math.sqrt(self.variance / self.count) if self.count > 1 else math.nan

    @property
    def variance_stderr(self) -> float:
        """Standard error of the variance, from the fourth moment; nan below four values."""
        n = self.count
        if n < 4:
            return math.nan
        spread = self.fourth / n - (n - 3) / (n - 1) * (self.second / n) ** 2
        return math.sqrt(max(spread, 0.0) / n)

    def mean_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return where the true mean lies, with the given confidence."""
        reach = _normal_quantile(confidence) * self.mean_stderr
        return self.mean - reach, self.mean + reach

    def _third_about(self, shift: float) -> float:
        """Return the sum of cubes about a point `shift` from the mean."""
        return self.third - 3 * shift * self.second - self.count * shift**3

    def _fourth_about(self, shift: float) -> float:
        square = shift * shift
        return (
            self.fourth
            - 4 * shift * self.third
            + 6 * square * self.second
            + self.count * square * square
        )


def quantile_interval(
    samples: npt.ArrayLike, probability: float, confidence: float = 0.95
) -> tuple[float, float]:
    """Return two order statistics that enclose a quantile, whatever the law.

    The ranks are those between which a binomial count falls with the given confidence (normal
    approximation, rounded outwards); an end that the sample cannot give is infinite.

    Parameters
    ----------
    samples : array_like
        Independent draws, in any unit; non-empty.
    probability : float, [-]
        Of the quantile, in (0, 1).
    confidence : float, [-]
        In (0, 1).

    Returns
    -------
    (float, float)
        Lower and upper end, in the unit of the samples.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is not of numbers.

    Examples
    --------
    >>> quantile_interval(np.arange(100.0), 0.5)
    (40.0, 60.0)
    """
    ordered = np.sort(numbers("samples", samples))
    if ordered.size == 0:
        raise ValueError(f"samples must be non-empty, got shape {np.shape(samples)}")
    n, q = ordered.size, _open_fraction("probability", probability)
    reach = _normal_quantile(confidence) * math.sqrt(n * q * (1.0 - q))
    low, high = math.floor(n * q - reach), math.ceil(n * q + reach)
    return (
        float(ordered[low]) if low >= 0 else -math.inf,
        float(ordered[high]) if high < n else math.inf,
    )


def dkw_half_width(count: int, confidence: float = 0.95) -> float:
    """Return how far an empirical cdf may be from the true one, everywhere at once.

    The inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant: exact at any
    sample size, for every law.

    Parameters
    ----------
    count : int
        Sample size; >= 1.
    confidence : float, [-]
        In (0, 1).

    Returns
    -------
    float, [-]
        Largest distance to expect.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is not a number.

    Examples
    --------
    >>> round(dkw_half_width(10_000), 6)
    0.013581
    """
    n, level = whole("count", count), _open_fraction("confidence", confidence)
    return math.sqrt(math.log(2.0 / (1.0 - level)) / (2.0 * n))


def _normal_quantile(confidence: float) -> float:
    return NormalDist().inv_cdf(0.5 + 0.5 * _open_fraction("confidence", confidence))


def _open_fraction(name: str, value: float) -> float:
    fraction = number(name, value)
    if not 0.0 < fraction < 1.0:
        raise ValueError(f"{name} must be in (0, 1), got {fraction!r}")
    return fraction


def student_quantile(probability: float, degrees: int) -> float:
    """Return the quantile of Student's law.

    Parameters
    ----------
    probability : float, [-]
        In (0, 1).
    degrees : int
        Of freedom; >= 1.

    Returns
    -------
    float, [-]
        To 1e-11 of itself below 10^5 degrees.

    Raises
    ------
    ValueError
        If an argument is outside its range.

    Notes
    -----
    The finite sums of the law for whole degrees (Abramowitz and Stegun 26.7.3, 26.7.4, not seen),
    inverted by halving the angle. From 10^5 degrees on the normal quantile z, which is smaller by
    some (z^3 + z)/4 over the degrees: 2.4e-5 at most for 95 %.

    Examples
    --------
    >>> round(student_quantile(0.975, 9), 4)
    2.2622
    """
    if not 0.0 < probability < 1.0:
        raise ValueError(f"probability must be in (0, 1), got {probability!r}")
    if degrees < 1:
        raise ValueError(f"degrees must be >= 1, got {degrees!r}")
    if degrees >= 100_000:
        return NormalDist().inv_cdf(probability)
    low, high = 0.0, math.pi / 2.0
    goal = abs(2.0 * probability - 1.0)
    for _ in range(60):
        angle = (low + high) / 2.0
        low, high = (angle, high) if _between(angle, degrees) < goal else (low, angle)
    return math.copysign(math.sqrt(degrees) * math.tan((low + high) / 2.0), probability - 0.5)


def _between(angle: float, degrees: int) -> float:
    """Return the chance of |t| < sqrt(degrees) tan(angle)."""
    cosine, square = math.cos(angle), math.cos(angle) ** 2
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = 0.0
    for k in range(1 + odd, degrees, 2):
        total += term
        term *= square * k / (k + 1)
    total *= math.sin(angle)
    return 2.0 / math.pi * (angle + total) if odd else total
