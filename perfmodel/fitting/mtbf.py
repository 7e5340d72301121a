"""The mean time between failures, from a count of failures in an observed time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer, broadcast, fraction, positive, shown, whole
from .._special import lower_gamma_inverse
from ..formula import Formula, Trend


@dataclass(frozen=True, slots=True)
class MtbfConfidence:
    """An MTBF estimate with its interval, [time]; `upper` is inf when nothing failed."""

    mtbf: float | FloatArray
    lower: float | FloatArray
    upper: float | FloatArray
    confidence: float


def mtbf_confidence(
    failures: ArrayLike, observed_time: ArrayLike, *, confidence: float = 0.95
) -> MtbfConfidence:
    r"""MTBF and its confidence interval from a count of failures in a fixed time.

    .. math:: \left[\frac{2T}{\chi^2_{1 - \alpha/2;\,2n + 2}},
              \frac{2T}{\chi^2_{\alpha/2;\,2n}}\right],\quad
              n = 0:\ \left[\frac{T}{-\log \alpha}, \infty\right)

    Parameters
    ----------
    failures : array_like, [-]
        n, whole number >= 0.
    observed_time : array_like, [time]
        T, total uptime observed, of all nodes together; > 0.
    confidence : float, [-]
        1 - alpha, in (0, 1).

    Returns
    -------
    MtbfConfidence
        Numbers, or arrays of the shape of both arguments broadcast together.

    Notes
    -----
    Bound: for Poisson failures and a time fixed beforehand each side errs with probability at most
    alpha/2, less where no whole n gives exactly that. Without a failure the interval is
    one-sided and its one side errs with alpha.
    Source: textbook, first in [1]_; the Poisson tail is a chi-square tail.

    Judged for confidence 0.001 to 0.999. Errors: see `perfmodel`.

    References
    ----------
    .. [1] F. Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28, 1936
       (not seen).

    Examples
    --------
    >>> estimate = mtbf_confidence(10, 1000.0)
    >>> round(estimate.lower, 2), round(estimate.upper, 2)
    (54.38, 208.53)
    """
    n, time = broadcast(
        failures=whole("failures", failures, least=0),
        observed_time=positive("observed_time", observed_time),
    )
    level = confidence_level(confidence)
    half = 0.5 * (1.0 - level)
    most = np.where(n == 0.0, -np.log1p(-level), special.gammainccinv(n + 1.0, half))
    least = lower_gamma_inverse(np.maximum(n, 1.0), half)
    with np.errstate(divide="ignore", over="ignore"):
        mtbf, upper = time / n, np.where(n == 0.0, np.inf, time / least)
        lower = time / most
    found, low, high = (
        float(end) if end.ndim == 0 else answer(end, failures, observed_time)
        for end in (mtbf, lower, upper)
    )
    return MtbfConfidence(found, low, high, level)


def confidence_level(confidence: float) -> float:
    """Return `confidence` as a float in (0, 1), or raise."""
    level = fraction("confidence", confidence)
    if level.ndim != 0 or not 0.0 < level < 1.0:
        raise ValueError(f"confidence must be a number in (0, 1), got {shown(confidence)}")
    return float(level)


ROWS = (
    Formula(
        mtbf_confidence,
        "textbook",
        "chi-square limits",
        "bound",
        ranges={"failures": (0.0, 1e6), "confidence": (1e-3, 0.999)},
        trend=Trend(rising=("observed_time",), falling=("failures",)),
    ),
)
