"""Comparisons that end in a number: z, resolution, pass or fail.

Every comparison with a sample takes `alpha`, the probability of a false alarm, and `tolerance`,
the relative error that it must be able to show. If the sample is too small to show it, the
verdict has no answer: a check that cannot fail is not a check.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from .chance import (
    TIE,
    FloatArray,
    mean_and_stderr,
    once_per_sample,
    refused,
    relative,
    replications,
    standardised,
    too_few,
    z_limit,
)
from .verdict import Kind, Verdict

__all__ = [
    "approximation_error",
    "compare_at_most",
    "compare_least",
    "compare_mean",
    "compare_number",
    "compare_order",
    "compare_ratio",
    "compare_variance",
    "measure_distance",
]

HEAVIEST = 0.05  # if one replication has a larger share of the sum of squares, z is meaningless


def compare_mean(
    predicted: float, sample: npt.ArrayLike, *, alpha: float, tolerance: float
) -> Verdict:
    """Judge a predicted mean against the mean of independent replications."""
    return _agree(predicted, _summary(replications(sample)), alpha, tolerance)


def compare_variance(
    predicted: float, sample: npt.ArrayLike, *, alpha: float, tolerance: float
) -> Verdict:
    """Judge a predicted variance; its standard error comes from the fourth moment."""
    values = replications(sample)
    # Equal makespans still differ in their last digits by rounding: that is not a variance.
    rounding = (1e-6 * mean_and_stderr(values)[0]) ** 2
    return _agree(predicted, _of_squares(values), alpha, tolerance, scale=rounding)


def compare_ratio(
    predicted: float,
    numerator: npt.ArrayLike,
    denominator: npt.ArrayLike,
    *,
    alpha: float,
    tolerance: float,
) -> Verdict:
    """Judge a ratio of two means from paired replications."""
    above, below = replications(numerator), replications(denominator)
    ratio = float(above.mean() / below.mean())
    # The ratio to first order in its two means: these values have its mean and standard error.
    values = ratio + (above - ratio * below) / below.mean()
    return _agree(predicted, _summary(values), alpha, tolerance)


def compare_at_most(
    limit: float, sample: npt.ArrayLike, *, scale: float, alpha: float, tolerance: float
) -> Verdict:
    """Judge that a mean is no larger than a limit; rejects if it is larger by more than noise.

    Resolution and `tolerance` are relative to `scale`, as the mean may be near 0.
    """
    observed, stderr = mean_and_stderr(replications(sample))
    z = standardised(observed - limit, stderr, scale=scale)
    most = float(-ndtri(alpha))
    resolution = relative(most * stderr, scale)
    note, answered = f"at most {limit:.4g} is allowed", True
    passed = bool(z <= most)  # so written that nan is bad
    if passed and not resolution <= tolerance:
        note, answered, passed = too_few(np.size(sample), resolution, tolerance), False, False
    return Verdict(
        "approximation",
        limit,
        observed,
        stderr,
        z,
        resolution,
        passed=passed,
        note=note,
        answered=answered,
    )


def compare_order(
    smaller: npt.ArrayLike, larger: npt.ArrayLike, *, alpha: float, kind: Kind = "exact"
) -> Verdict:
    """Judge that one mean is below another, from replications that share random numbers.

    Passes only if the difference is significant: `alpha` is the probability that noise passes.
    """
    low, high = replications(smaller), replications(larger)
    difference, stderr = mean_and_stderr(high - low)
    z = standardised(difference, stderr, scale=float(low.mean()))
    limit = float(-ndtri(alpha))
    seen = z > limit
    return Verdict(
        kind,
        float(low.mean()),
        float(high.mean()),
        stderr,
        z,
        relative(limit * stderr, float(low.mean())),
        passed=seen,
        note="" if seen else "the mean predicted to be smaller is not",
        answered=abs(z) > limit,
    )


def compare_least(
    least: npt.ArrayLike, others: Iterable[npt.ArrayLike], *, alpha: float
) -> Verdict:
    """Judge that one mean is below each of several; return the verdict on the nearest of them."""
    orders = (compare_order(least, other, alpha=alpha) for other in others)
    return min(orders, key=lambda verdict: verdict.z)


def compare_number(predicted: float, reference: float, *, tolerance: float) -> Verdict:
    """Judge a number against the same quantity computed otherwise, without random numbers."""
    same = predicted == reference  # so may two infinite numbers be
    error = 0.0 if same else relative(abs(predicted - reference), reference)
    good = error <= tolerance
    return Verdict(
        "exact",
        float(predicted),
        float(reference),
        0.0,
        0.0 if good else float("inf"),
        tolerance,
        passed=good,
        note="" if good else f"off by {error:.3g} relative",
    )


def approximation_error(
    approximate: npt.ArrayLike,
    exact: npt.ArrayLike,
    *,
    stated: float,
    loosest: float = 2.0,
) -> Verdict:
    """Judge the stated error of an approximation by the largest one over its stated range.

    `observed` is the largest relative error. It may not exceed the stated one, nor may the
    stated one exceed it more than `loosest` times: a stated error far too large is not useful.
    """
    reference = np.asarray(exact, dtype=np.float64)
    errors = np.abs(np.asarray(approximate, dtype=np.float64) / reference - 1.0)
    largest = float(np.max(errors))  # nan propagates, and every comparison below is then false
    note = ""
    if not largest <= stated:
        note = f"the error reaches {largest:.3%}, stated {stated:.3%}"
    elif stated > loosest * largest:
        note = f"the error never exceeds {largest:.3%}, stated {stated:.3%}"
    return Verdict(
        "approximation",
        stated,
        largest,
        0.0,
        0.0 if not note else float("inf"),
        0.0,
        passed=not note,
        note=note or f"largest error {largest:.3%}",
    )


def measure_distance(
    predicted: float, sample: npt.ArrayLike, *, alpha: float, stated: float | None = None
) -> Verdict:
    """Report the distance of a prediction from a process that it describes only approximately.

    Without a `stated` relative distance the verdict always passes; with one, the observed distance
    must not exceed it by more than noise.
    """
    values = replications(sample)
    observed, stderr = mean_and_stderr(values)
    away = predicted / observed - 1.0
    noise = z_limit(alpha) * stderr / observed
    good = stated is None or abs(away) - noise <= stated
    return Verdict(
        "distance",
        predicted,
        observed,
        stderr,
        standardised(observed - predicted, stderr, scale=predicted),
        noise,
        passed=bool(good),
        note=f"{away:+.2%} from it" + (f", stated {stated:.2%}" if stated is not None else ""),
    )


@dataclass(frozen=True, slots=True)
class _Summary:
    """Mean and standard error of a sample, its size, and why they are meaningless if they are."""

    observed: float
    stderr: float
    size: int
    refusal: str


@once_per_sample
def _summary(values: FloatArray) -> _Summary:
    return _Summary(*mean_and_stderr(values), values.size, _refusal(values))


@once_per_sample
def _of_squares(values: FloatArray) -> _Summary:
    """Return the summary of squares whose mean is the variance."""
    return _summary((values - values.mean()) ** 2 * (values.size / (values.size - 1)))


def _agree(
    predicted: float, sample: _Summary, alpha: float, tolerance: float, *, scale: float = 0.0
) -> Verdict:
    observed, stderr = sample.observed, sample.stderr
    if not np.isfinite(predicted):
        return refused(predicted, observed, f"no finite sample can confirm {predicted}")
    scale = max(scale, abs(predicted))
    z = standardised(observed - predicted, stderr, scale=scale)
    limit = z_limit(alpha)
    resolution = relative(limit * stderr, scale)
    note = sample.refusal
    answered = not note
    if answered and abs(z) > limit:
        note = f"|z| exceeds {limit:.2f}"
    elif answered and not resolution <= tolerance:
        note, answered = too_few(sample.size, resolution, tolerance), False
    return Verdict(
        "exact",
        float(predicted),
        observed,
        stderr,
        z,
        resolution,
        passed=not note,
        note=note,
        answered=answered,
    )


def _refusal(values: FloatArray) -> str:
    """Return why z is meaningless for these replications, or an empty string."""
    if not np.isfinite(values).all():
        return f"{np.count_nonzero(~np.isfinite(values))} replications are not finite"
    if np.ptp(values) <= TIE * np.abs(values).max():
        return ""
    squares = (values - values.mean()) ** 2
    total = float(squares.sum())
    # In a small sample each value has a large share; it resolves too little anyway.
    if values.size > 10.0 / HEAVIEST and float(squares.max()) > HEAVIEST * total:
        return (
            f"one of {values.size} replications has {float(squares.max()) / total:.0%} of the "
            "spread: the tail is too heavy for this sample"
        )
    return ""
