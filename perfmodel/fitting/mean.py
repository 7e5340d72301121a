"""What measured costs leave open about their mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer, fraction, positive, shown
from ..formula import Formula, Trend
from .posterior import AbstractPosterior

_LEAST = 1e-9  # of the mean: a smaller deviation is rounding


@dataclass(frozen=True, slots=True)
class MeanPosterior(AbstractPosterior):
    """What measured values leave open about their mean: a Student law, cut at 0.

    Parameters
    ----------
    mean, error : float, [time]
        Of the values: their mean, and its standard error; > 0.
    degrees : float, [-]
        Of freedom; > 0.
    """

    mean: float
    error: float
    degrees: float
    dimensions = 1

    @property
    def median(self) -> float:
        """The mean that is exceeded with probability 1/2, [time]."""
        return float(self.ppf(0.5))

    def cdf(self, mean: ArrayLike) -> FloatArray:
        """Return the probability of a mean of at most `mean` [time], > 0, [-]."""
        asked = (positive("mean", mean) - self.mean) / self.error
        found = (special.stdtr(self.degrees, asked) - self._below) / (1.0 - self._below)
        return answer(np.asarray(found), mean)

    def sf(self, mean: ArrayLike) -> FloatArray:
        """Return the probability of a mean of more than `mean` [time], > 0, [-]."""
        asked = (positive("mean", mean) - self.mean) / self.error
        return answer(np.asarray(special.stdtr(self.degrees, -asked) / (1.0 - self._below)), mean)

    def ppf(self, q: ArrayLike) -> FloatArray:
        """Return the mean that is not exceeded with probability `q` in [0, 1], [time]."""
        share = fraction("q", q)
        # The upper half by what is left above it, which has more digits.
        above = (1.0 - share) * (1.0 - self._below)
        low = special.stdtrit(self.degrees, self._below + share * (1.0 - self._below))
        high = -special.stdtrit(self.degrees, np.clip(above, 1e-300, 0.5))
        ends = np.where(above < 0.5, np.where(above > 0.0, high, np.inf), low)
        return answer(np.maximum(self.mean + self.error * ends, 0.0), q)

    @property
    def _below(self) -> float:
        """Probability that the law that is not cut gives to means below 0, [-]."""
        return float(special.stdtr(self.degrees, -self.mean / self.error))

    def at(self, points: FloatArray) -> list[Any]:
        """Return the quantiles of the points, [time]; shape of `points` (n, 1)."""
        return list(self.ppf(points[:, 0]))


def mean_posterior(samples: ArrayLike) -> MeanPosterior:
    r"""Law of what measured values leave open about their mean, as of the cost of a checkpoint.

    .. math:: \frac{\theta - \bar x}{s/\sqrt{n}} \sim t_{n-1},\quad \theta > 0

    Parameters
    ----------
    samples : array_like, [time]
        Measured, each for itself; shape (n,) with n >= 2, > 0, not all the same.

    Returns
    -------
    MeanPosterior
        With `ppf`, `cdf`, `sf` and `median`; to be given to `credible_interval` in place of a
        cost, or of any other time that varies about a mean.

    Raises
    ------
    ValueError
        If `samples` are not two or more that differ.

    Notes
    -----
    Exact for independent normal values and the prior that is even in the mean and in the logarithm
    of the deviation: an interval of 95 % then holds the mean in 95 % of all records, however few
    values there are. Of skewed values it holds it less often: of ten that have a gamma law with a
    coefficient of variation of 0.5 in 94 %, of 1 in 90 %. Formulas take a cost for a constant; how
    much its variation matters by itself is not in the limits.
    Source: textbook, the law first in [1]_.

    Judged for samples 2 to 100. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Student, "The probable error of a mean", Biometrika 6, 1908 (not seen).

    Examples
    --------
    Five checkpoints, in seconds.

    >>> posterior = mean_posterior([61.0, 58.0, 75.0, 66.0, 60.0])
    >>> posterior.ppf([0.025, 0.5, 0.975]).round(2).tolist()
    [55.53, 64.0, 72.47]
    """
    found = positive("samples", samples)
    if found.ndim != 1 or found.size < 2:
        raise ValueError(f"samples must be at least two numbers in a row, got {shown(samples)}")
    unit = float(found.max())
    mean = float(np.mean(found / unit))
    deviation = float(np.std(found / unit, ddof=1))
    if not deviation > _LEAST * mean:
        raise ValueError(
            f"samples must differ, got {shown(samples)}: equal ones leave nothing open; "
            "give the cost itself"
        )
    error = deviation / math.sqrt(found.size)
    return MeanPosterior(mean * unit, error * unit, found.size - 1.0)


ROWS = (
    Formula(
        mean_posterior,
        "textbook",
        "Student posterior",
        "exact",
        ranges={"samples": (2.0, 100.0)},
        trend=Trend(),
    ),
)
