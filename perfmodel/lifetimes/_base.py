"""The base class of laws of durations: it checks arguments; laws supply the underscored methods.

The shortest of several durations is a law as well, here because the base class makes it of any law.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from .._checks import (
    ArrayLike,
    ComplexArray,
    FloatArray,
    answer,
    finite,
    fraction,
    nonempty,
    positive,
    scalar,
    times,
    transform_points,
    whole,
)
from .._shown import facts_html
from .._special import power_of_two, product, times_exp
from ._shortest import chances_of_guides, chances_of_nearly_all, mean_of_atoms, mean_of_density

_HIGHEST = 2  # moments up to the second
_CROWD = 3
MOST_CV = 1e150  # its square is a float
LEAST = 2.0**-1022  # a smaller parameter has lost digits
_LEGENDRE = np.polynomial.legendre.leggauss(200)
_NODES, _WEIGHTS = 0.5 * (1.0 + _LEGENDRE[0]), 0.5 * _LEGENDRE[1]


class Lifetime(ABC):
    """A law of nonnegative durations.

    Times may be any real number, `inf` included: a law gives no mass to times below 0.
    Methods take arrays and return float64 arrays of the same shape, or take and return numbers.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def mean(self) -> float:
        """The mean duration, [time]."""

    @property
    @abstractmethod
    def scv(self) -> float:
        """The squared coefficient of variation, variance/mean^2, [-]."""

    @property
    def variance(self) -> float:
        """The variance, [time^2]."""
        std = self.std
        return std * std

    @property
    def std(self) -> float:
        """The standard deviation, [time]."""
        return self.mean * math.sqrt(self.scv)

    def plot(self, ax: Any = None, *, unit: str | None = None) -> Any:
        """Draw the probability to last longer than each time; return the axes.

        `unit` names the unit of time at the axis; new axes are made where `ax` is None.
        ImportError without matplotlib, the extra `plot`.
        """
        from ..figures import draw_survival

        return draw_survival({type(self).__name__: self}, unit=unit, ax=ax)

    def _repr_html_(self) -> str:
        own: dict[str, Any] = {}
        if is_dataclass(self):
            own = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        facts = {
            name: f"{value.size:,} values" if isinstance(value, np.ndarray) else value
            for name, value in own.items()
        }
        moments = {"mean": self.mean, "standard deviation": self.std, "median": self.ppf(0.5)}
        return facts_html(type(self).__name__, {**facts, **moments})

    def cdf(self, t: ArrayLike) -> FloatArray:
        """Return the probability of at most `t` [time], [-]; relatively accurate near 0."""
        return self._at(t, self._cdf, before=0.0)

    def sf(self, t: ArrayLike) -> FloatArray:
        """Return the probability of more than `t` [time], [-]; relatively accurate near 0."""
        return self._at(t, self._sf, before=1.0)

    def pdf(self, t: ArrayLike) -> FloatArray:
        """Return the density at `t` [time], [1/time]; TypeError for a law without a density."""
        return self._at(t, self._pdf, before=0.0)

    def hazard(self, t: ArrayLike) -> FloatArray:
        """Return pdf/sf at `t` [time], [1/time], also where sf underflows; TypeError as `pdf`."""
        return self._at(t, self._hazard, before=0.0)

    def cumulative_hazard(self, t: ArrayLike) -> FloatArray:
        """Return -log sf at `t` [time], [-], also where sf underflows."""
        return self._at(t, self._cumulative_hazard, before=0.0)

    def ppf(self, q: ArrayLike) -> FloatArray:
        """Return the smallest duration with cdf >= `q` in [0, 1], [time]; inf where unbounded."""
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            return answer(np.asarray(self._ppf(fraction("q", q)), dtype=np.float64), q)

    def partial_moment(self, t: ArrayLike, order: int = 1) -> FloatArray:
        """Return E[T^order; T <= t], [time^order], for `order` 1 or 2; accurate near 0 too."""
        power = int(scalar(whole, "order", order))
        if power > _HIGHEST:
            raise ValueError(f"order must be 1 or 2, got {power}")
        return self._at(t, lambda past: self._partial_moment(past, power), before=0.0)

    def scaled(self, factor: float) -> Self:
        """Return the law of `factor` times the duration, [time]; `factor` finite and > 0, [-]."""
        times = scalar(positive, "factor", factor)
        try:
            return self._scaled(times)
        except ValueError as error:
            raise ValueError(
                f"factor must leave the parameters of the law within the floats, got {factor!r}: "
                f"then {error}"
            ) from None

    def first_of(self, count: int) -> Lifetime:
        """Return the law of the shortest of `count` such durations, [time].

        Of a Weibull law, exponential ones among them, the shortest is one too. Of other laws it is
        one of its own, with everything but a transform: `laplace` raises TypeError.
        """
        several = scalar(whole, "count", count)
        return self if several == 1.0 else self._first_of(several)

    def atoms(self) -> tuple[FloatArray, FloatArray] | None:
        """Return the durations [time] of a law that has no others, ascending, and their chances.

        None for a law with others, or of which they are not known.
        """
        return None

    def laplace(self, s: ArrayLike) -> npt.NDArray[Any]:
        """Return E[exp(-s T)], [-].

        Parameters
        ----------
        s : array_like, [1/time]
            Real or complex, finite, real part >= 0; its modulus up to 1e300/mean.

        Returns
        -------
        ndarray, [-]
            float64 for real `s`, complex128 for complex `s`; the shape of `s`.

        Raises
        ------
        ValueError
            If an element is not finite, has a negative real part or a modulus that is too large.

        Notes
        -----
        Closed form, or for Weibull and LogNormal a quadrature on a rotated path, see
        `perfmodel.lifetimes._laplace`.
        """
        points = transform_points(s)
        most = 1e300 / min(max(self.mean, 1e-8), 1e300)  # beyond, s T has no digits
        if (np.abs(points) > most).any():
            raise ValueError(
                f"s must be at most 1e300/mean = {most:.3g} in modulus, "
                f"got {points[np.abs(points) > most].flat[0]}"
            )
        values = self._laplace(points.astype(np.complex128).ravel()).reshape(points.shape)
        real_or_not: npt.NDArray[Any] = values if np.iscomplexobj(points) else values.real.copy()
        return answer(real_or_not, s)

    @property
    def abscissa(self) -> float:
        """How far left of 0 `laplace_complement` reaches, [1/time]; 0 unless the tail is light."""
        return 0.0

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], relatively accurate also near 0 where a law knows how.

        Parameters
        ----------
        s : ndarray, [1/time]
            Complex, Re s > -abscissa. Not checked: an inversion asks for many thousands.

        Returns
        -------
        ndarray, [-]
            complex128, the shape of `s`.
        """
        return np.asarray(1.0 - self._laplace(s.ravel()).reshape(s.shape))

    def log_growth(self, rate: ArrayLike) -> FloatArray:
        """Return log E[exp(rate T)], [-], which is near `rate` times the mean for small rates.

        Parameters
        ----------
        rate : array_like, [1/time]
            Of either sign, finite.

        Returns
        -------
        ndarray, [-]
            inf where the tail is too heavy for the mean to exist, which a law of your own says by
            its `abscissa`; the shape of `rate`.
        """
        rates = finite("rate", rate)
        with np.errstate(all="ignore"):
            return answer(self._log_growth(np.atleast_1d(rates)).reshape(rates.shape), rate)

    def _log_growth(self, rate: FloatArray) -> FloatArray:
        """By the transform, which a law with a light tail knows left of 0 as well."""
        known = rate < self.abscissa
        s = np.where(known, -rate, 0.0).astype(np.complex128)
        short = self.laplace_complement(s).real
        long = self._laplace(s).real
        found = np.where(np.abs(short) < 0.5, np.log1p(-short), np.log(long))
        return np.where(known | (rate <= 0.0), found, np.inf)

    def _at(
        self, t: ArrayLike, function: Callable[[FloatArray], FloatArray], *, before: float
    ) -> FloatArray:
        past = nonempty("t", times("t", t))
        with np.errstate(all="ignore"):  # inf, 0 and underflow are answers here
            return answer(np.where(past < 0.0, before, function(np.maximum(past, 0.0))), t)

    @abstractmethod
    def _cdf(self, t: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _sf(self, t: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _pdf(self, t: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _hazard(self, t: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _cumulative_hazard(self, t: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _ppf(self, q: FloatArray) -> FloatArray: ...

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        """By quadrature; nodes crowd at 0, where a cdf may rise as a root."""
        end = np.minimum(t, self._ppf(np.asarray(1.0 - 1e-15)))
        at = end[..., None] * _NODES**_CROWD
        below = np.sum(_WEIGHTS * _CROWD * _NODES ** (_CROWD * order - 1) * self._cdf(at), axis=-1)
        return np.asarray(end**order * (self._cdf(end) - order * below))

    @abstractmethod
    def _scaled(self, factor: float) -> Self: ...

    def _first_of(self, count: float) -> Lifetime:
        return Shortest(self, count)

    @abstractmethod
    def _laplace(self, s: ComplexArray) -> ComplexArray: ...


@dataclass(frozen=True, slots=True)
class Shortest(Lifetime):
    """The shortest of `count` independent durations; made by `Lifetime.first_of`.

    Parameters
    ----------
    law : Lifetime, [time]
        Law of each of them.
    count : float, [-]
        How many; whole and >= 2.
    """

    law: Lifetime
    count: float

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        unit, mean, _ = _moments(self)
        return unit * mean

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        return _moments(self)[2]

    @property
    def std(self) -> float:
        """The standard deviation, [time]."""
        unit, mean, scv = _moments(self)
        return float(product(unit, mean, math.sqrt(scv))) if mean < math.inf else math.inf

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(-np.expm1(-self._cumulative_hazard(t)))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-self._cumulative_hazard(t)))

    def _pdf(self, t: FloatArray) -> FloatArray:
        others = np.exp((1.0 - self.count) * self.law._cumulative_hazard(t))
        return np.asarray(self.count * self.law._pdf(t) * others)

    def _hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.count * self.law._hazard(t))

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.count * self.law._cumulative_hazard(t))

    def _ppf(self, q: FloatArray) -> FloatArray:
        one = -np.expm1(np.log1p(-q) / self.count)
        found, before = self.law._ppf(one), self.law._ppf(one * (1.0 - 4e-16))
        # Rounding may lead beyond a step of the cdf.
        return np.where(self._cdf(before) >= q, before, found)

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        unit, law = _in_own_unit(self)
        found = law.mean_of(t / unit, lambda x: x**order)
        return product(*[unit] * order, found)

    def mean_of(self, t: FloatArray, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return E[function(T); T <= t]; the law should be in its own unit."""
        atoms = self.law.atoms()
        if atoms is not None:
            left = self.law._sf(atoms[0]) ** self.count
            return mean_of_atoms(t, function, atoms[0], left)
        guides = self.law._ppf(chances_of_guides(self.count))
        density, hazard = self._pdf, self._cumulative_hazard
        return mean_of_density(t, function, guides, density=density, hazard=hazard)

    def _scaled(self, factor: float) -> Self:
        return replace(self, law=self.law.scaled(factor))

    def _first_of(self, count: float) -> Self:
        return replace(self, count=self.count * count)

    def _laplace(self, s: ComplexArray) -> NoReturn:
        raise TypeError(
            f"law must have a transform, got the shortest of {self.count:g} of {self.law}: "
            "fit a law to it"
        )


@lru_cache(maxsize=64)
def _moments(law: Shortest) -> tuple[float, float, float]:
    """Return a unit of time, the mean in it, and the squared coefficient of variation."""
    end = np.asarray(np.inf)
    with np.errstate(all="ignore"):  # inf, 0 and underflow are answers here
        unit, law = _in_own_unit(law)
        mean = float(law.mean_of(end, lambda t: t))
        if not 0.0 < mean < math.inf:
            return unit, mean, 0.0 if mean == 0.0 else math.inf
        # About the mean, so that nothing cancels where all are about as long.
        return unit, mean, float(law.mean_of(end, lambda t: (t / mean - 1.0) ** 2))


@lru_cache(maxsize=64)
def _in_own_unit(law: Shortest) -> tuple[float, Shortest]:
    """Return a unit, a power of two, and the law in it: nearly all durations are below some units.

    The parameters of the law stay floats.
    """
    with np.errstate(all="ignore"):
        few, all_ = law._ppf(chances_of_nearly_all(law.count))
    if not few < math.inf:
        return 1.0, law
    unit = power_of_two(max(float(few), min(float(all_), sys.float_info.max) * 1e-300))
    try:
        return unit, law._scaled(1.0 / unit)
    except ValueError:  # parameters that would leave their range, as those of a bathtub
        return 1.0, law


def within_floats(parameter: float, mean: object, cv: object) -> float:
    """Return a `parameter` of a law of this mean and cv, or raise if no float holds it."""
    if not 0.0 < parameter < math.inf:
        raise ValueError(
            f"mean, cv must be those of a law whose parameters are floats, got {mean!r} and {cv!r}"
        )
    return parameter


def std_of(mean: float, scv: float, log_mean: float, log_ratio: float) -> float:
    """Return the standard deviation, by log E[T] and log(E[T^2]/E[T]^2) where scv overflows."""
    if 0.0 < mean < math.inf and scv < math.inf:
        return mean * math.sqrt(scv)
    spread = log_ratio if log_ratio > 1.0 else math.log(math.expm1(log_ratio))
    if log_ratio > 1.0:
        spread += math.log1p(-math.exp(-log_ratio))
    return float(times_exp(1.0, log_mean + 0.5 * spread))


def log_moment_ratio(cv: float) -> float:
    """Return log(E[T^2]/E[T]^2) = log(1 + cv^2) for any size of `cv`."""
    return math.log1p(cv * cv) if cv < 1.0 else 2.0 * math.log(math.hypot(1.0, cv))
