"""How many examples hypothesis draws: fewer where they are the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

__all__ = ["examples", "some"]

T = TypeVar("T")


def examples(every: int) -> int:
    """Return `every`, drawn afresh by `make validate`, or the eighth that `make test` repeats."""
    return every if _all() else max(every // 8, 1)


def some(every: Sequence[T], number: int) -> Sequence[T]:
    """Return `every` in `make validate`; in `make test` the first, and another by its number."""
    return every if _all() else (every[0], every[1 + number % (len(every) - 1)])


def _all() -> bool:
    return settings.get_current_profile_name() == "explore"
