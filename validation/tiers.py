"""The two tiers: quick (a fixed seed, the default run) and full (a fresh seed, larger samples)."""

from __future__ import annotations

from .judge.run import Tier
from .judge.trial import trials
from .subjects import CASES, FULL

__all__ = ["COMPARISONS", "full", "quick"]

COMPARISONS = sum(trial.case.chance for trial in trials(CASES))
_MORE = sum(trial.case.chance for trial in trials(FULL))


def quick(seed: int | None = None) -> Tier:
    """Return the tier that runs inside pytest, with the same seed every time."""
    return Tier("quick", 20070926 if seed is None else seed, 400_000, COMPARISONS)


def full(seed: int) -> Tier:
    """Return the tier for releases; five times the sample shows errors less than half as large."""
    return Tier("full", seed, 2_000_000, COMPARISONS + _MORE)
