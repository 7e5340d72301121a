"""The two tiers: seconds with a fixed seed, minutes with a fresh one."""

from __future__ import annotations

from .judge.run import Tier
from .judge.trial import trials
from .subjects import CASES, FULL

__all__ = ["COMPARISONS", "full", "quick"]

COMPARISONS = sum(trial.case.chance for trial in trials(CASES))
_MORE = sum(trial.case.chance for trial in trials(FULL))


def quick(seed: int | None = None) -> Tier:
    """Return the tier that runs inside pytest: same seed, same verdicts."""
    return Tier("quick", 20070926 if seed is None else seed, 400_000, COMPARISONS)


def full(seed: int) -> Tier:
    """Return the tier for releases, which sees errors less than half as large."""
    return Tier("full", seed, 2_000_000, COMPARISONS + _MORE)
