"""Time two functions in turns, so that other load on the machine affects both."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

__all__ = ["in_turns"]


def in_turns(
    ours: Callable[[], object], rival: Callable[[], object], *, rounds: int
) -> tuple[float, float]:
    """Return the median seconds of one call of each; the first call of each is not counted."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds + 1):
        for call, taken in zip((ours, rival), times, strict=True):
            begun = perf_counter()
            call()
            if turn:
                taken.append(perf_counter() - begun)
    return median(times[0]), median(times[1])
