"""Drawn failures: constant rates, and what is hard to learn.

The MTBF is a day; where the rate changes, that is the longer of the two.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .windows import Window, drawn_costs

__all__ = ["MTBF", "RECORDS", "drawn_windows", "half_time_mtbfs"]

FloatArray = npt.NDArray[np.float64]

_HOUR = 3600.0
MTBF = 24.0 * _HOUR
_TENFOLD = 10.0
_LATE = 5.0  # MTBFs until the first failure
_BURSTS, _MORE, _SPACING = 0.35, 3.0, 0.5 * _HOUR
_LEAD = 90.0 * MTBF  # before the window, at the rate of its first half


def _poisson(rng: np.random.Generator, duration: float) -> FloatArray:
    return _constant(rng, 0.0, duration, MTBF)


def _faster(rng: np.random.Generator, duration: float) -> FloatArray:
    return _in_halves(rng, duration, *half_time_mtbfs("ten times as often"))


def _slower(rng: np.random.Generator, duration: float) -> FloatArray:
    return _in_halves(rng, duration, *half_time_mtbfs("a tenth as often"))


def _late(rng: np.random.Generator, duration: float) -> FloatArray:
    first = _LATE * MTBF
    return np.concatenate([[first], _constant(rng, first, duration, MTBF)])


def _bursts(rng: np.random.Generator, duration: float) -> FloatArray:
    """Draw failures of which a third bring three more on average, half an hour apart."""
    heads = _constant(rng, 0.0, duration, MTBF * (1.0 + _BURSTS * _MORE))
    more = [
        head + np.cumsum(rng.exponential(_SPACING, rng.geometric(1.0 / (1.0 + _MORE)) - 1))
        for head in heads
        if rng.random() < _BURSTS
    ]
    found = np.sort(np.concatenate([heads, *more]))
    return found[found < duration]


def _constant(rng: np.random.Generator, begin: float, end: float, mtbf: float) -> FloatArray:
    count = rng.poisson((end - begin) / mtbf)
    return np.sort(rng.uniform(begin, end, count))


def _in_halves(
    rng: np.random.Generator, duration: float, first: float, second: float
) -> FloatArray:
    half = 0.5 * duration
    early, late = _constant(rng, 0.0, half, first), _constant(rng, half, duration, second)
    return np.concatenate([early, late])


def half_time_mtbfs(record: str) -> tuple[float, float]:
    """Return the MTBF in the first and in the second half of a window, [s]."""
    if record == "ten times as often":
        return MTBF, MTBF / _TENFOLD
    if record == "a tenth as often":
        return MTBF / _TENFOLD, MTBF
    return MTBF, MTBF


# Name of a kind of record -> failures drawn for a window of some length.
RECORDS: dict[str, Callable[[np.random.Generator, float], FloatArray]] = {
    "steady": _poisson,
    "ten times as often": _faster,
    "a tenth as often": _slower,
    "first at five": _late,
    "bursts": _bursts,
}


def drawn_windows(
    seed: int,
    runs: int,
    *,
    record: str,
    units: float,
    cost: float,
    recovery: float,
    growth: float = 1.0,
) -> list[Window]:
    """Return windows of `units` MTBFs; a seed always gives the same ones.

    Costs and recovery are in seconds. What was before is 90 days at the rate of the first half.
    """
    duration = units * MTBF
    mtbf, _ = half_time_mtbfs(record)
    found = []
    for number in range(runs):
        rng = np.random.default_rng([seed, number])
        struck = RECORDS[record](rng, duration)
        costs = drawn_costs(rng, duration, struck.size, cost)
        before = _constant(rng, -_LEAD, 0.0, mtbf)
        window = Window(struck, duration, costs, before, _LEAD, mtbf, cost, recovery, growth)
        found.append(window)
    return found
