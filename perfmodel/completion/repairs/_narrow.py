"""Lognormal and Weibull repairs that are not wide: their transform, as a short sum.

In the variable that makes the law standard the trapezoidal rule is exact to rounding, as long as
its nodes resolve the waves of exp(-s T). The narrower the law, the sooner its transform is nearly
0, so that a few hundred nodes reach there: that many recorded repairs have the same transform. A
Weibull transform falls exponentially but for a series in powers of 1/s, which is used beyond.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from ..._checks import ComplexArray
from ...lifetimes import LogNormal, Weibull
from ._fixed_point import BusyPeriod
from ._quadrature import ByQuadrature
from ._repair import LawRepair
from ._weighted_values import WeightedValues

# Up to which cv of lognormal and from which shape of Weibull repairs the sums have up to 550 terms.
NARROW_CV = 0.2
NARROW_SHAPE = 1.25
_NATS = 34.0  # exp(-34) is 2e-15, which is nothing beside 1


@dataclass(frozen=True)
class NarrowRepair(LawRepair):
    """A repair with the transform of a short sum up to |s| = `reach`, and what is left beyond.

    Parameters
    ----------
    law : Lifetime
        Of one repair.
    values : WeightedValues
        Nodes and weights of the quadrature.
    reach : float, [1/time]
        Where the sum ceases to be exact.
    scale, exponent : float, [time], [-]
        Beyond, the transform is a series in powers of (scale s)^-exponent; nothing if it is inf.
    """

    values: WeightedValues
    reach: float
    scale: float
    exponent: float
    abscissa = 0.0  # the sum is exact only to the right of it

    def first_failures(self, rate: float) -> ByQuadrature:
        """Return what is known in time of uptimes that failures end at `rate`, [1/time]."""
        return ByQuadrature(rate, self.law, self, unstruck=False)

    def struck(self, mtbf: float) -> BusyPeriod:
        """Return this repair where failures, one in each `mtbf` [time], prolong it."""
        known = ByQuadrature(1.0 / mtbf, self.law, self, unstruck=True)
        return BusyPeriod(self, mtbf, known, values=self.values, reach=self.reach)

    def _complement(self, s: ComplexArray) -> ComplexArray:
        near = np.abs(s) <= self.reach
        if near.all():
            return self.values.complement(s)
        result = np.empty_like(s)
        result[near] = self.values.complement(s[near])
        result[~near] = 1.0 - self._rest(s[~near])
        return result

    def _rest(self, s: ComplexArray) -> ComplexArray:
        """Return the transform beyond the reach, [-]."""
        if math.isinf(self.exponent):
            return np.zeros_like(s)
        return _powers(self.exponent, s * self.scale)


def narrow_lognormal(law: LogNormal) -> NarrowRepair:
    """Return the short sum for a cv up to `NARROW_CV`."""
    sigma = law.sigma
    # At s = iu the integrand's saddle is as deep as the transform is small.
    u = np.geomspace(8.0, 80.0, 300) / sigma
    turned: ComplexArray = np.asarray(1j * sigma**2 * u)
    saddle = special.lambertw(turned, 0)
    depth = (saddle * (saddle + 2.0)).real / (2.0 * sigma**2)
    reach = float(u[np.argmax(depth > _NATS)])
    top = 8.6
    waves = reach * sigma * math.exp(top * sigma)
    z = np.linspace(-top, top, int(top / math.pi * (waves + 9.0)) + 2)
    weights = np.exp(-0.5 * z * z)
    return NarrowRepair(
        law,
        WeightedValues(np.exp(law.mu + sigma * z), weights / weights.sum()),
        reach * math.exp(-law.mu),
        1.0,
        math.inf,
    )


def narrow_weibull(law: Weibull) -> NarrowRepair:
    """Return the short sum for a shape beyond `NARROW_SHAPE`."""
    k = law.shape
    turn = math.sin(0.5 * math.pi / (k - 1.0)) if k > 2.0 else 1.0
    reach = k * (_NATS / ((k - 1.0) * turn)) ** ((k - 1.0) / k)
    low, high = -39.0, math.log(40.0)
    waves = reach / k * math.exp(high / k)
    x = np.linspace(low, high, int((high - low) / (2.0 * math.pi) * (waves + 25.0)) + 2)
    weights = (x[1] - x[0]) * np.exp(x - np.exp(x))
    return NarrowRepair(
        law,
        WeightedValues(law.scale * np.exp(x / k), weights / weights.sum()),
        reach / law.scale,
        law.scale,
        k,
    )


def _powers(k: float, s: ComplexArray) -> ComplexArray:
    """Return the sum of -Gamma(jk + 1)/j! (-s^-k)^j up to its smallest term."""
    total = np.zeros_like(s)
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
