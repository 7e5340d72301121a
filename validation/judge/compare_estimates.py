"""Comparisons of estimates from data: one estimate, and the coverage of intervals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .chance import relative, standardised, z_limit
from .verdict import Verdict

__all__ = ["compare_coverage", "compare_estimate"]


def compare_estimate(
    truth: float, estimate: float, stderr: float, *, alpha: float, tolerance: float
) -> Verdict:
    """Judge an estimate by its own standard error, from data drawn with a known truth."""
    z = standardised(estimate - truth, stderr, scale=truth)
    limit = z_limit(alpha)
    resolution = relative(limit * stderr, truth)
    note, answered = "", True
    if not abs(z) <= limit:  # so written that nan is bad
        note = f"|z| exceeds {limit:.2f}"
    elif not resolution <= tolerance:
        note = f"its standard error resolves {resolution:.2g}, not the {tolerance:g} asked for"
        answered = False
    return Verdict(
        "exact",
        truth,
        estimate,
        stderr,
        z,
        resolution,
        passed=not note,
        note=note,
        answered=answered,
    )


def compare_coverage(
    nominal: float, hits: npt.ArrayLike, *, alpha: float, tolerance: float, stated: float
) -> Verdict:
    """Judge how often intervals contain the truth; the share may miss `nominal` by `stated`."""
    covered = np.asarray(hits, dtype=np.bool_)
    observed = float(covered.mean())
    stderr = float(np.sqrt(nominal * (1.0 - nominal) / covered.size))
    noise = z_limit(alpha) * stderr
    away = abs(observed - nominal)
    note, answered = "", True
    if away > stated + noise:
        note = f"coverage {observed:.1%}, stated {nominal:.0%} within {stated:.1%}"
    elif noise > tolerance:
        note = f"{covered.size} intervals resolve {noise:.2g}, not the {tolerance:g} asked for"
        answered = False
    return Verdict(
        "approximation",
        nominal,
        observed,
        stderr,
        (observed - nominal) / stderr,
        noise,
        passed=not note,
        note=note,
        answered=answered,
    )
