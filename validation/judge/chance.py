"""Probabilities of false alarms, and the parts that all comparisons with samples share."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from .verdict import Verdict

__all__ = [
    "TIE",
    "FloatArray",
    "alpha_of",
    "false_alarms",
    "mean_and_stderr",
    "once_per_sample",
    "refused",
    "relative",
    "replications",
    "standardised",
    "too_few",
    "z_limit",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]
T = TypeVar("T")

TIE = 1e-9  # relative distance below which two times count as equal: rounding moves an atom


def z_limit(alpha: float) -> float:
    """Return the |z| that a standard normal variable exceeds with probability `alpha`."""
    return float(-ndtri(alpha / 2.0))


def alpha_of(z: float) -> float:
    """Return the probability that a standard normal variable exceeds |z| in absolute value."""
    return float(2.0 * ndtr(-abs(z)))


def false_alarms(alpha: float, comparisons: int) -> float:
    """Return the probability that any of independent comparisons rejects a right formula."""
    return float(-np.expm1(comparisons * np.log1p(-alpha)))


def replications(sample: npt.ArrayLike) -> FloatArray:
    """Return the sample as float64, or raise ValueError if it has fewer than two values."""
    values = np.asarray(sample, dtype=np.float64)
    if values.ndim != 1:  # else the array itself, so that it is known again
        values = values.ravel()
    if values.size < 2:
        raise ValueError(f"sample must be at least 2 replications, got {values.size}")
    return values


def once_per_sample(function: Callable[[FloatArray], T]) -> Callable[[FloatArray], T]:
    """Remember what `function` found on each read-only sample for as long as the sample lives.

    A formula and its mutants are compared with the same sample of millions.
    """
    known: dict[int, T] = {}

    @wraps(function)
    def found(values: FloatArray) -> T:
        if values.flags.writeable:
            return function(values)
        key = id(values)
        if key not in known:
            known[key] = function(values)
            weakref.finalize(values, known.pop, key)
        return known[key]

    return found


@once_per_sample
def mean_and_stderr(values: FloatArray) -> tuple[float, float]:
    """Return the sample mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size))


def standardised(difference: float, stderr: float, *, scale: float) -> float:
    """Return the difference in standard errors, 0 if it is rounding of values like `scale`."""
    if stderr <= TIE * abs(scale) and abs(difference) <= TIE * abs(scale):
        return 0.0
    return float(difference / stderr) if stderr > 0.0 else float(np.copysign(np.inf, difference))


def relative(error: float, scale: float) -> float:
    """Return error/|scale|, and 0 where both are 0."""
    if error == 0.0:
        return 0.0
    return float(error / abs(scale)) if scale != 0.0 else float("inf")


def too_few(count: int, resolution: float, tolerance: float) -> str:
    """Return the note that a sample is too small to show an error of `tolerance`."""
    return (
        f"{count} replications resolve a relative error of {resolution:.2g}, "
        f"not the {tolerance:g} asked for"
    )


def refused(predicted: float, observed: float, why: str) -> Verdict:
    """Return a verdict without an answer."""
    nan = float("nan")
    return Verdict(
        "exact", predicted, observed, nan, nan, nan, passed=False, note=why, answered=False
    )
