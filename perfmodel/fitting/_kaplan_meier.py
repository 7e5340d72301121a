"""Kaplan and Meier's estimate of the cdf from a record in which some durations were cut off.

Where durations were watched from some age on only, they are at risk from that age on, and the
estimate is that of the law of durations longer than the least of these ages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray
from ..lifetimes import Lifetime


@dataclass(frozen=True, slots=True)
class Steps:
    """The Kaplan-Meier estimate of a cdf: before and after each of its steps, up to `last`.

    It is that of durations longer than `first`.
    """

    times: FloatArray
    before: FloatArray
    after: FloatArray
    last: float
    first: float = 0.0


def kaplan_meier(observed: FloatArray, cut: FloatArray, entered: FloatArray | None = None) -> Steps:
    """Estimate the cdf from durations seen to end and cut off; of equal ones, ends come first."""
    times, counts = np.unique(observed, return_counts=True)
    at_risk = (
        observed.size
        - np.searchsorted(np.sort(observed), times, side="left")
        + cut.size
        - np.searchsorted(np.sort(cut), times, side="left")
    )
    first = 0.0
    if entered is not None and entered.size:  # one age for each duration
        later = entered.size - np.searchsorted(np.sort(entered), times, side="left")
        at_risk = at_risk - later
        first = float(entered.min())
    after: FloatArray = 1.0 - np.cumprod(1.0 - counts / at_risk, dtype=np.float64)
    before = np.concatenate([[0.0], after[:-1]])
    return Steps(times, before, after, float(max(times[-1], cut.max(initial=0.0))), first)


def ks_distance(law: Lifetime, steps: Steps, half: float) -> float:
    """Return the largest gap to the estimate; a rounded value spans `half` to either side."""

    def cdf(t: FloatArray) -> FloatArray:
        if steps.first == 0.0:
            return law.cdf(t)
        gone = law.cumulative_hazard(np.maximum(t, steps.first))
        return np.asarray(-np.expm1(law.cumulative_hazard(steps.first) - gone))

    gaps = [
        np.abs(cdf(steps.times - half) - steps.before),
        np.abs(cdf(steps.times + half) - steps.after),
    ]
    if steps.last > steps.times[-1] + half:  # the estimate is level up to there
        gaps.append(np.abs(cdf(np.asarray([steps.last])) - steps.after[-1:]))
    return float(max(gap.max() for gap in gaps))
