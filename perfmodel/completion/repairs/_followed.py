"""A repair and then a recovery of a law of its own, neither of which repeats any work."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..._checks import ComplexArray, FloatArray
from ...lifetimes import Lifetime
from .._first_failures import UptimeAndRepair, Visit, regular
from ._recorded_sums import RecordedSums, full, merged, plus, recorded_sums
from ._repair import LawRepair, Repair
from ._weighted_values import WeightedValues

_ALWAYS = WeightedValues(np.zeros(1), np.ones(1))
_MOST = 20_000  # sums of all failures that are kept
_NOTHING = 1e-18  # the probability of one more failure
_LOST = 1e-14  # of busy periods, of which only some are known
_COUNTABLE = 500.0  # failures: beyond, their law is inverted
_EACH = 50  # equal sums to each that is kept


@dataclass(frozen=True)
class FollowedRepair(Repair):
    """A repair and then a recovery, independent of each other.

    Parameters
    ----------
    repair, recovery : Repair
        The first may be a busy period.
    known : UptimeAndRepair
        What is known in time of both together.
    """

    repair: Repair
    recovery: Repair
    known: UptimeAndRepair

    @property
    def mean(self) -> float:
        """The mean, [time]; inf where it does not exist."""
        return self.repair.mean + self.recovery.mean

    @property
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist."""
        return self.repair.variance + self.recovery.variance

    @property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]; 0 for a heavy tail."""
        return min(self.repair.abscissa, self.recovery.abscissa)

    @property
    def spacing(self) -> float:
        """What every one takes, [time]; 0 unless they are all equal."""
        still = self.repair.mean == 0.0
        return self.recovery.spacing if still else 0.0

    def first_failures(self, rate: float) -> UptimeAndRepair:
        """Return what is known in time; no uptime is repeated, whatever its `rate` [1/time]."""
        del rate
        return self.known

    def struck(self, mtbf: float) -> Repair:
        """Return it with a repair that failures, one in each `mtbf` [time], prolong."""
        return followed(self.repair.struck(mtbf), self.recovery, 1.0 / mtbf)

    def steps(self, failures: float) -> WeightedValues | None:
        """Return the sum of a Poisson number of them if that has few values, else None, [time]."""
        if not isinstance(self.known, _Jumps):
            return None
        one = self.known.known.sums[0]
        if 1.0 - float(one.weights.sum()) > _LOST or failures > _COUNTABLE:
            return None
        sums, weight = _ALWAYS, math.exp(-failures)
        values, weights = [sums.values], [weight * sums.weights]
        count, left = 0, 1.0 - weight
        while left > _NOTHING or count < failures:
            count += 1
            if sums.values.size * one.values.size > _MOST * _EACH:
                return None
            sums, weight = plus(sums, one), weight * failures / count
            values.append(sums.values)
            weights.append(weight * sums.weights)
            left = weight  # of a series that falls from here on
        return merged(np.concatenate(values), np.concatenate(weights))

    def _complement(self, s: ComplexArray) -> ComplexArray:
        one, other = self.repair.complement(s), self.recovery.complement(s)
        return np.asarray(one + other - one * other)


def followed(repair: Repair, recovery: Repair, rate: float) -> FollowedRepair:
    """Return a repair and then a recovery.

    Parameters
    ----------
    repair, recovery : Repair
        In one unit of time.
    rate : float, [1/time]
        Of failures during a repair.

    Returns
    -------
    FollowedRepair
        With the jumps and kinks of its first failures, where `repair` takes one of a few values.
    """
    first = _ALWAYS if repair.mean == 0.0 else _values(repair, rate)
    second = _values(recovery, rate)
    known: UptimeAndRepair = _Nothing()
    if first is not None and second is not None:
        both = second if repair.mean == 0.0 else plus(first, second)
        known = _Jumps(recorded_sums(both, rate, both))
    elif first is not None and isinstance(recovery, LawRepair):
        known = _Shifted(first, recovery.law, recovery, rate)
    return FollowedRepair(repair, recovery, known)


def _values(repair: Repair, rate: float) -> WeightedValues | None:
    known = repair.first_failures(rate)
    return known.sums[0] if isinstance(known, RecordedSums) else None


@dataclass(frozen=True, slots=True)
class _Nothing:
    """Nothing is known in time: laws with a density leave a smooth sum."""

    depth: int = 0
    rough: float = 0.0

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return none, [1/time]."""
        del delay, span
        return np.empty(0)

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of what is known, [-]: nothing."""
        return np.zeros_like(s)

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]: nothing."""
        del visits
        return np.zeros(t.shape)


@dataclass(frozen=True, slots=True)
class _Jumps:
    """One of finitely many values; spans of visits add no time."""

    known: RecordedSums

    @property
    def depth(self) -> int:
        """How many failures are known in time."""
        return self.known.depth

    @property
    def rough(self) -> float:
        """Largest value, [time]."""
        return self.known.rough

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return heights at which nearly all values are in step, [1/time]."""
        return self.known.resonances(delay, span)

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one, [-]."""
        return self.known.downtime(s)

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]."""
        total = np.zeros(t.shape)
        for visit in visits:
            sums = self.known.sums[visit.order - 1]
            passed = np.searchsorted(sums.values, t, side="right")
            total += _mass(visit, self.known.rate) * np.append(0.0, np.cumsum(sums.weights))[passed]
        return total


@dataclass(frozen=True, slots=True)
class _Shifted:
    """One of finitely many values, and then a recovery of a law with a cdf."""

    values: WeightedValues
    law: Lifetime
    recovery: Repair
    rate: float
    depth: int = 1

    @property
    def rough(self) -> float:
        """Up to where the sum has kinks, [time]."""
        narrow = self.law.scv < 1.0
        return float(self.values.values[-1]) + (float(self.law.ppf(1.0 - 1e-15)) if narrow else 0.0)

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return those of a narrow law, [1/time]."""
        del span
        mean = float(self.values.weights @ self.values.values / self.values.weights.sum())
        return regular(delay + mean + self.law.mean) if self.law.scv < 1.0 else np.empty(0)

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one, [-]."""
        return np.asarray(self.values.transform(s) * self.recovery.transform(s))

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]."""
        total = np.zeros(t.shape)
        for value, weight in zip(self.values.values, self.values.weights, strict=True):
            total += weight * self.law.cdf(np.maximum(t - value, 0.0))
        return total * sum(_mass(visit, self.rate) for visit in visits)


def _mass(visit: Visit, rate: float) -> float:
    return visit.weight * full(visit, rate)
