"""Time functions in turns with a rival, or beside a fixed loop that tells the machine's pace."""

from __future__ import annotations

import resource
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numba import njit

__all__ = ["Paced", "in_turns", "processor_time"]


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


def processor_time() -> float:
    """Return the processor time of this process and of all its children that ended so far, [s]."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


_NUMBERS = np.random.default_rng(1).random(400_000)


def calibration_loop() -> float:
    """Do a fixed work in plain Python, NumPy and numba, about a third of the time in each."""
    counts: dict[int, float] = {}
    total = 0.0
    for number in range(100_000):
        counts[number % 97] = total
        total += abs(number - counts[number % 89] if number % 89 in counts else 0.5)
    total += float(np.cumsum(np.exp(-np.sort(_NUMBERS)) * np.log1p(_NUMBERS))[-1])
    return total + float(_walk(_NUMBERS, 13))


@njit
def _walk(values: Any, times: int) -> float:  # pragma: no cover (compiled)
    """Take steps that depend on the one before, as event loops do."""
    total, place = 0.0, 0
    for _ in range(times):
        for value in values:
            if value > 0.5:
                place = (place * 5 + 1) % values.size
                total += values[place]
            else:
                total -= 0.5 * value
    return total


class Paced:
    """How long the calibration loop takes, timed before and after what is compared with it."""

    _ROUNDS = 5

    def __init__(self) -> None:
        calibration_loop()  # compiled
        self._seconds = self._timed()

    def ratio(self, seconds: float) -> float:
        """Return `seconds` of processor time over those of the calibration loop."""
        return seconds / median(self._seconds + self._timed())

    def _timed(self) -> list[float]:
        def once() -> float:
            begun = process_time()
            calibration_loop()
            return process_time() - begun

        return [once() for _ in range(self._ROUNDS)]
