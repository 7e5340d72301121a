"""Transforms of lognormal and Weibull repairs that are not wide, as short sums.

In the variable that makes the law standard the trapezoidal rule is exact to rounding, as long as
its nodes resolve the waves of exp(-s T). The narrower the law, the sooner its transform is gone,
so that a few hundred nodes reach there: a record of that many repairs has the same transform. A
Weibull transform dies exponentially but for a series in powers of 1/s, which is used beyond.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from ...lifetimes import LogNormal, Weibull
from ._weighted_values import WeightedValues

__all__ = ["NarrowRepair", "is_narrow", "narrow_repair"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

_NARROW = 0.2  # coefficient of variation of lognormal repairs up to which the sums stay short
_LEAST_SHAPE = 1.25  # of Weibull ones
_NATS = 34.0  # below exp(-34) nothing is left


@dataclass(frozen=True, slots=True)
class NarrowRepair:
    """A record with the same transform up to |s| = `reach`, and what is left beyond.

    Parameters
    ----------
    record : WeightedValues
        Nodes and weights of the quadrature.
    reach : float, [1/time]
        Where the record ceases to be exact.
    law : LogNormal or Weibull
        Whose transform beyond is a series, or nothing.
    """

    record: WeightedValues
    reach: float
    law: LogNormal | Weibull

    @property
    def abscissa(self) -> float:
        """The record is exact right of 0 only, [1/time]."""
        return 0.0

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)] for Re s >= 0, [-]."""
        return np.asarray(1.0 - self.complement(s))

    def rest(self, s: ComplexArray) -> ComplexArray:
        """Return the transform beyond the reach, [-]."""
        if isinstance(self.law, LogNormal):
            return np.zeros(s.shape, dtype=np.complex128)
        return _powers(self.law.shape, s * self.law.scale)

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)] for Re s >= 0, relatively accurate also near 0."""
        near = np.abs(s) <= self.reach
        if near.all():
            return self.record.complement(s)
        result = np.empty(s.shape, dtype=np.complex128)
        result[near] = self.record.complement(s[near])
        result[~near] = 1.0 - self.rest(s[~near])
        return result


def is_narrow(law: LogNormal | Weibull) -> bool:
    """Tell whether `narrow_repair` is made for this law."""
    if isinstance(law, LogNormal):
        return law.scv < _NARROW**2
    return law.shape > _LEAST_SHAPE


def narrow_repair(law: LogNormal | Weibull) -> NarrowRepair:
    """Return the short sums for this law."""
    return _lognormal(law) if isinstance(law, LogNormal) else _weibull(law)


def _lognormal(law: LogNormal) -> NarrowRepair:
    sigma = law.sigma
    # At s = iu the integrand's saddle is as deep as the transform is small.
    u = np.geomspace(8.0, 80.0, 300) / sigma
    turned: ComplexArray = np.asarray(1j * sigma**2 * u, dtype=np.complex128)
    saddle = special.lambertw(turned, 0)
    depth = (saddle * (saddle + 2.0)).real / (2.0 * sigma**2)
    reach = float(u[np.argmax(depth > _NATS)])
    top = 8.6
    waves = reach * sigma * math.exp(top * sigma)
    z = np.linspace(-top, top, int(top / math.pi * (waves + 9.0)) + 2)
    weights = np.exp(-0.5 * z * z)
    return NarrowRepair(
        WeightedValues(np.exp(law.mu + sigma * z), weights / weights.sum()),
        reach * math.exp(-law.mu),
        law,
    )


def _weibull(law: Weibull) -> NarrowRepair:
    k = law.shape
    turn = math.sin(0.5 * math.pi / (k - 1.0)) if k > 2.0 else 1.0
    reach = k * (_NATS / ((k - 1.0) * turn)) ** ((k - 1.0) / k)
    low, high = -39.0, math.log(40.0)
    waves = reach / k * math.exp(high / k)
    x = np.linspace(low, high, int((high - low) / (2.0 * math.pi) * (waves + 25.0)) + 2)
    weights = (x[1] - x[0]) * np.exp(x - np.exp(x))
    return NarrowRepair(
        WeightedValues(law.scale * np.exp(x / k), weights / weights.sum()),
        reach / law.scale,
        law,
    )


def _powers(k: float, s: ComplexArray) -> ComplexArray:
    """Return the sum of -Gamma(jk + 1)/j! (-s^-k)^j up to its smallest term."""
    total = np.zeros(s.shape, dtype=np.complex128)
    if s.size == 0:
        return total
    log_s = np.log(s)
    nearest = float(log_s.real.min())
    size = math.inf
    for j in range(1, 60):
        log_term = math.lgamma(j * k + 1.0) - math.lgamma(j + 1.0)
        if not log_term - j * k * nearest < size:
            break
        size = log_term - j * k * nearest
        with np.errstate(under="ignore"):
            total -= (-1.0) ** j * np.exp(log_term - j * k * log_s)
        if size < -_NATS - 4.0:
            break
    return total
