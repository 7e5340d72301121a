"""What data leave open about an argument: an MTBF by its failures, a law by its likelihood."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    fraction,
    positive,
    positive_or_inf,
    shown,
    whole,
)
from ..formula import Formula, Trend

if TYPE_CHECKING:
    from ..lifetimes import Lifetime

_FARTHEST = 25.0  # standard errors: of farther laws of few durations no formula has digits


class AbstractPosterior(ABC):
    """What data leave open about one argument of a formula: a law of its possible values."""

    __slots__ = ()

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """How many uniform numbers make a value, [-]."""

    @abstractmethod
    def at(self, points: FloatArray) -> list[Any]:
        """Return the values at points in (0, 1), shape (n, dimensions); uniform points give draws.

        Of one dimension, the value rises with the point.
        """


@dataclass(frozen=True, slots=True)
class MtbfPosterior(AbstractPosterior):
    """What a count of failures leaves open about an MTBF: its inverse has a gamma law.

    Parameters
    ----------
    shape : float or ndarray, [-]
        Of the gamma law; > 0.
    observed_time : float or ndarray, [time]
        The rate of the gamma law, as a time; > 0.
    """

    shape: float | FloatArray
    observed_time: float | FloatArray
    dimensions = 1

    @property
    def mean(self) -> FloatArray:
        """T/(k - 1) for a shape k, [time]; inf up to a shape of 1."""
        more = np.asarray(self.shape) - 1.0
        with np.errstate(divide="ignore", over="ignore"):
            mean = self.observed_time / np.maximum(more, 0.0)
        return answer(np.asarray(mean))

    @property
    def median(self) -> FloatArray:
        """The MTBF that is exceeded with probability 1/2, [time]."""
        return self.ppf(0.5)

    def cdf(self, mtbf: ArrayLike) -> FloatArray:
        """Return the probability of an MTBF of at most `mtbf` [time], > 0, [-]."""
        shape, time, asked = self._beside(mtbf=positive_or_inf("mtbf", mtbf))
        with np.errstate(over="ignore"):
            return answer(np.asarray(special.gammaincc(shape, time / asked)), mtbf)

    def sf(self, mtbf: ArrayLike) -> FloatArray:
        """Return the probability of an MTBF of more than `mtbf` [time], > 0, [-]."""
        shape, time, asked = self._beside(mtbf=positive_or_inf("mtbf", mtbf))
        with np.errstate(over="ignore"):
            return answer(np.asarray(special.gammainc(shape, time / asked)), mtbf)

    def ppf(self, q: ArrayLike) -> FloatArray:
        """Return the MTBF that is not exceeded with probability `q` in [0, 1], [time]."""
        shape, time, asked = self._beside(q=fraction("q", q))
        with np.errstate(divide="ignore", over="ignore"):
            return answer(np.asarray(time / special.gammainccinv(shape, asked)), q)

    def _beside(self, **asked: FloatArray) -> tuple[FloatArray, ...]:
        """Return shape, time and what is asked for, broadcast together or refused by name."""
        own = {"shape": np.asarray(self.shape), "observed_time": np.asarray(self.observed_time)}
        return broadcast(**own, **asked)

    def at(self, points: FloatArray) -> list[FloatArray]:
        """Return the quantiles of the points, [time]; shape of `points` (n, 1)."""
        q = points[:, 0].reshape(-1, *(1,) * np.ndim(self.shape))
        return list(self.ppf(q))


@dataclass(frozen=True, slots=True)
class LawPosterior(AbstractPosterior):
    """What a record leaves open about a fitted law: its transformed parameters are Student's t.

    Asymptotic, as the intervals of `fit_lifetime` are.

    Parameters
    ----------
    family : str
        Name of the family.
    point : tuple of float
        Estimates of the parameters, transformed so that they may be any numbers.
    covariance : tuple of tuples of float
        Of the estimates: the inverse observed information, made larger for few durations.
    unit : float, [time]
        Of the durations that these parameters belong to.
    end : float, [-]
        The longest duration of a bathtub, in that unit; inf for the other families.
    degrees : float, [-]
        Of freedom; of inf the parameters are normal, as those of a bathtub.
    """

    family: str
    point: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    unit: float
    end: float = math.inf
    degrees: float = math.inf

    @property
    def dimensions(self) -> int:
        """The number of parameters, [-]."""
        return len(self.point)

    def at(self, points: FloatArray) -> list[Lifetime]:
        """Return laws, [time]; shape of `points` (n, parameters)."""
        from ._bathtub_family import family_of

        family = family_of(self.family, self.end)
        spread = np.linalg.cholesky(np.array(self.covariance))
        drawn = np.array(self.point) + self._student(special.ndtri(points)) @ spread.T
        return [family.in_unit(family.law(point), self.unit) for point in drawn]

    def _student(self, normal: FloatArray) -> FloatArray:
        """Return as many points of a t law of all dimensions, in the same directions."""
        if math.isinf(self.degrees):
            return normal
        size = np.sqrt(np.sum(normal**2, axis=-1, keepdims=True))
        rarer = special.chdtrc(self.dimensions, size**2)
        # By the upper tail, in which the digits of the farthest are.
        square = 1.0 / special.fdtri(self.degrees, self.dimensions, rarer)
        longer = np.minimum(np.sqrt(self.dimensions * square), _FARTHEST)
        return normal * np.where(size > 0.0, longer / np.where(size > 0.0, size, 1.0), 0.0)


def mtbf_posterior(
    failures: ArrayLike,
    observed_time: ArrayLike,
    *,
    truncation: Literal["time", "failure"] = "time",
) -> MtbfPosterior:
    r"""Law of what a count of failures leaves open about an MTBF.

    .. math:: \frac{1}{\mu} \sim \Gamma(k, T),\quad
              k = n + \tfrac{1}{2} \text{ (time)},\quad k = n \text{ (failure)}

    Parameters
    ----------
    failures : array_like, [-]
        n, whole number >= 0, and above 0 with the `truncation` ``failure``.
    observed_time : array_like, [time]
        T, total uptime observed, of all nodes together; > 0.
    truncation : {"time", "failure"}, [-]
        What ended the observation: ``time``, that was fixed beforehand, or ``failure`` number n.

    Returns
    -------
    MtbfPosterior
        With `ppf`, `cdf`, `sf`, `median` and `mean`, of the shape of both arguments broadcast
        together; to be given to `credible_interval` in place of an mtbf.

    Notes
    -----
    Exact for Poisson failures and Jeffreys' prior. Where a failure ended the observation, T/mtbf
    has a gamma law whatever the mtbf: an interval of 95 % then holds the mtbf in 95 % of all
    records. Where a time did, no interval does that for every mtbf, because failures come in whole
    numbers: averaged over mtbfs that expect 1 to 1000 failures it holds the mtbf in 95.1 %, at
    single ones in 91.6 to 97.2 % where 3 or more failures are expected in T, and in 90.4 to 98.8 %
    where one is. Where less than 0.0005 are expected it never does: after a record without a
    failure `mtbf_confidence` gives the safer limit. The mean of the mtbf is infinite up to a shape
    of 1, that is after no failure, and after one that ended the record.
    Source: textbook, the prior first in [1]_.

    Judged for failures 0 to 100000. Errors: see `perfmodel`.

    References
    ----------
    .. [1] H. Jeffreys, "An invariant form for the prior probability in estimation problems",
       Proceedings of the Royal Society A 186, 1946 (not seen).

    Examples
    --------
    >>> posterior = mtbf_posterior(10, 1000.0)
    >>> posterior.ppf([0.025, 0.5, 0.975]).round(2).tolist()
    [56.37, 98.34, 194.5]
    """
    if truncation not in ("time", "failure"):
        raise ValueError(f"truncation must be 'time' or 'failure', got {shown(truncation)}")
    n, time = broadcast(
        failures=whole("failures", failures, least=int(truncation == "failure")),
        observed_time=positive("observed_time", observed_time),
    )
    shape = n + 0.5 if truncation == "time" else n.copy()
    return MtbfPosterior(
        *(
            float(part) if part.ndim == 0 else answer(part, failures, observed_time)
            for part in (shape, time.copy())
        )
    )


ROWS = (
    Formula(
        mtbf_posterior,
        "textbook",
        "gamma posterior",
        "exact",
        ranges={"failures": (0.0, 1e5)},
        trend=Trend(rising=("observed_time",), falling=("failures",)),
    ),
)
