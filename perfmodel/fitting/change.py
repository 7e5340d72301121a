"""Whether a rate of failures has changed, from two counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer, broadcast, comparable, positive, whole
from ..formula import Formula, Trend
from .mtbf import confidence_level

_MOST = 1e12


@dataclass(frozen=True, slots=True)
class RateChange:
    """The rate of failures now over that before, its interval, and its significance.

    Parameters
    ----------
    ratio : float or ndarray, [-]
        Rate now over rate before; inf where nothing failed before, nan where nothing ever failed.
    lower, upper : float or ndarray, [-]
        Ends of its confidence interval, 0 and inf where a side is not known.
    p_value : float or ndarray, [-]
        Probability of counts at least as unequal, on either side, if the rate has not changed.
    confidence : float, [-]
        Of the interval.
    """

    ratio: float | FloatArray
    lower: float | FloatArray
    upper: float | FloatArray
    p_value: float | FloatArray
    confidence: float


def rate_change(
    failures_before: ArrayLike,
    observed_before: ArrayLike,
    failures: ArrayLike,
    observed: ArrayLike,
    *,
    confidence: float = 0.95,
) -> RateChange:
    r"""Ratio of two failure rates with its interval, and whether it may be 1.

    .. math::
        p = \min(1, 2 \min(P(X \le x), P(X \ge x))), \quad
        X \sim \mathrm{Bin}\left(n, \frac{t}{s + t}\right)

    with x failures in the time t now, and n = x + y with the y failures in the time s before. The
    ends of the interval are the ratios of which one side of a test with such shares has
    (1 - confidence)/2.

    Parameters
    ----------
    failures_before : array_like, [-]
        y, whole number >= 0, at most 1e12.
    observed_before : array_like, [time]
        s, total uptime observed before, of all nodes together; > 0.
    failures : array_like, [-]
        x, whole number >= 0, at most 1e12.
    observed : array_like, [time]
        t, total uptime observed now; > 0.
    confidence : float, [-]
        In (0, 1).

    Returns
    -------
    RateChange
        Numbers, or arrays of the shape of all counts and times broadcast together. Where nothing
        ever failed the ratio is nan, the interval 0 to inf and the p-value 1: nothing is known.

    Notes
    -----
    Bound: for Poisson failures of one rate, a change is found at level a with a probability of at
    most a, and each end of the interval errs with at most (1 - confidence)/2; often with less, as
    counts are whole. Failures in bursts break that: then count bursts.
    Source: the conditional test of [1]_; the interval is that of a binomial share by [2]_.

    Judged for failures_before 0 to 100000, failures 0 to 100000, observed/observed_before 0.001 to
    1000, confidence 0.001 to 0.999. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Przyborowski and H. Wilenski, "Homogeneity of results in testing samples from Poisson
       series", Biometrika 31, 1940. Not seen.
    .. [2] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in
       the case of the binomial", Biometrika 26, 1934. Not seen.

    Examples
    --------
    >>> found = rate_change(10, 1000.0, 24, 1000.0)
    >>> round(found.ratio, 3), round(found.lower, 3), round(found.upper, 3), round(found.p_value, 4)
    (2.4, 1.106, 5.623, 0.0243)
    """
    before, past, now, present = broadcast(
        failures_before=whole("failures_before", failures_before, least=0),
        observed_before=positive("observed_before", observed_before),
        failures=whole("failures", failures, least=0),
        observed=positive("observed", observed),
    )
    for name, counts in (("failures_before", before), ("failures", now)):
        if (counts > _MOST).any():
            raise ValueError(
                f"{name} must be at most {_MOST:g}, of which a test has digits, "
                f"got {float(counts.max())!r}"
            )
    comparable(observed_before=past, observed=present)
    level = confidence_level(confidence)
    half = 0.5 * (1.0 - level)
    scale = present / past
    share = scale / (1.0 + scale)
    many = np.where(now == 0.0, 1.0, special.betainc(np.maximum(now, 1.0), before + 1.0, share))
    few = np.where(before == 0.0, 1.0, special.betaincc(now + 1.0, np.maximum(before, 1.0), share))
    p_value = np.minimum(1.0, 2.0 * np.minimum(few, many))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = now / before / scale
        least = special.betaincinv(np.maximum(now, 1.0), before + 1.0, half)
        most = special.betainccinv(now + 1.0, np.maximum(before, 1.0), half)
        lower = np.where(now == 0.0, 0.0, least / (1.0 - least) / scale)
        upper = np.where(before == 0.0, np.inf, most / (1.0 - most) / scale)
    given = (failures_before, observed_before, failures, observed)
    found, low, high, probability = (
        float(number) if number.ndim == 0 else answer(number, *given)
        for number in (ratio, lower, upper, p_value)
    )
    return RateChange(found, low, high, probability, level)


ROWS = (
    Formula(
        rate_change,
        "textbook",
        "conditional test",
        "bound",
        ranges={
            "failures_before": (0.0, 1e5),
            "failures": (0.0, 1e5),
            "observed/observed_before": (1e-3, 1e3),
            "confidence": (1e-3, 0.999),
        },
        trend=Trend(),
    ),
)
