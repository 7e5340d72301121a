"""How far a record may be from a law fitted to it, and whether its durations are independent."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from .._checks import FloatArray
from ..lifetimes import Lifetime
from ._kaplan_meier import kaplan_meier

LEVEL = 0.99

# Distance times the root of the count that 99 of 100 records do not exceed, where the family is
# right and fitted to the record; simulated for 10 to 1,500 durations, gamma with shapes from 0.1.
_LIMITS = {"exponential": 1.29, "weibull": 1.04, "gamma": 1.25, "lognormal": 1.06}


def distance(law: Lifetime, observed: FloatArray, cut: FloatArray, half: float = 0.0) -> float:
    """Return the largest distance of the cdf from the Kaplan-Meier estimate, [-].

    Where durations were cut off, distances count less as the estimate becomes uncertain, by the
    weights of the bands of Hall and Wellner (Biometrika 67, 1980; not seen, compared with simulated
    records in the tests); without any, this is Kolmogorov's distance. A rounded duration spans
    `half` to either side.
    """
    steps = kaplan_meier(observed, cut)
    weights = np.ones(steps.times.size)
    if cut.size:
        counts = np.unique(observed, return_counts=True)[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            at_risk = counts * (1.0 - steps.before) / (steps.after - steps.before)
            spread = observed.size * np.cumsum(counts / (at_risk * (at_risk - counts)))
            weights = 1.0 / ((1.0 - steps.after) * (1.0 + spread))
        weights[~np.isfinite(weights)] = 0.0  # no duration is left to measure a distance by
    below = np.abs(law.cdf(steps.times - half) - steps.before)
    above = np.abs(law.cdf(steps.times + half) - steps.after)
    return float(np.max(weights * np.maximum(below, above)))


def distance_limit(family: str, count: int) -> float:
    """Return the distance, [-], that 99 of 100 records of `count` durations stay below.

    The records are of that family, whose parameters were fitted to each of them.
    """
    return _LIMITS[family] / math.sqrt(count)


def quantiles(observed: FloatArray, cut: FloatArray, fractions: FloatArray) -> FloatArray:
    """Return the durations, [time], that these shares of the record do not exceed.

    Shape of `fractions`; nan where the record was cut off before it reached that share.
    """
    steps = kaplan_meier(observed, cut)
    place = np.searchsorted(steps.after, fractions * (1.0 - 1e-12))
    return np.where(place < steps.times.size, np.append(steps.times, np.nan)[place], np.nan)


def rank_correlation(durations: FloatArray) -> float:
    """Return the correlation, [-], of each duration's rank with that of the next one."""
    ordered = np.sort(durations)
    ranks = np.searchsorted(ordered, durations, "left") + np.searchsorted(
        ordered, durations, "right"
    )
    first, second = ranks[:-1] - ranks[:-1].mean(), ranks[1:] - ranks[1:].mean()
    scale = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / scale if scale > 0.0 else 0.0


def correlation_limit(count: int) -> float:
    """Return the correlation, [-], that 99 of 100 records of independent durations stay below."""
    return float(special.ndtri(LEVEL)) / math.sqrt(count - 1)
