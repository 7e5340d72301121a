"""How many examples hypothesis draws: fewer where they are the same in every run."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["examples"]


def examples(every: int) -> int:
    """Return `every`, drawn afresh by `make validate`, or the quarter that `make test` repeats."""
    return every // 4 if settings.get_current_profile_name() == "repeat" else every
