"""How many spare nodes suffice over all rates of failures that a log leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._checks import FloatArray
from ...forecasts import FailureHistory, PlannedJob
from ..known.machine_mtbf import spares_at
from ..known.outlook import Outlook, foreseen
from ..known.unforeseen import Unforeseen
from ..shown import percent

_MONTH = 30.0 * 86_400.0
_MANY = 400.0  # clusters in repair, from which on their number is nearly normal
_COUNTED = 50.0


@dataclass(frozen=True, slots=True, eq=False)
class ForeseenSpares:
    """Spares for each probability by the rates to come, and how long such numbers sufficed so far.

    `sufficed` are shares of the time, by the forecast and at a constant rate, for the last of the
    probabilities, over so many past `months`.
    """

    outlook: Outlook
    spares: tuple[int, ...]
    probability: float
    months: int
    sufficed: tuple[float, float]

    def plain(self) -> dict[str, Any]:
        """Return which law it is, and what would have been so far."""
        return self.outlook.plain() | {
            "past": {
                "probability": self.probability,
                "months": self.months,
                "sufficed": self.sufficed[0] if self.months else None,
                "sufficed_constant": self.sufficed[1] if self.months else None,
            }
        }

    def sentences(self) -> Iterator[str]:
        """Yield what the numbers rest on, and how long such ones sufficed so far."""
        yield from self.outlook.reasons()
        if not self.months:
            yield "The log is too short to say for how long such numbers would have sufficed on it."
            return
        ours, constant = (percent(each, 1) for each in self.sufficed)
        months = "1 month" if self.months == 1 else f"{self.months} months"
        yield (
            f"On this log so far, over {months}, as many spares as were to suffice "
            f"with {100.0 * self.probability:g} % would have sufficed {ours} % of the time by the "
            f"forecast of then, and {constant} % at the constant rate of then."
        )


def foreseen_spares(
    history: FailureHistory | None, nodes: int, mttr: float, probabilities: Sequence[float]
) -> ForeseenSpares | Unforeseen:
    """Return spares by the failures of the next month, or that nothing is foreseen."""
    planned = PlannedJob(work=_MONTH, interval=_MONTH, checkpoint_cost=0.0)
    outlook = foreseen(history, planned)
    if isinstance(outlook, Unforeseen):
        return outlook
    history = outlook.history
    level = probabilities[-1]
    months, sufficed = 0, np.zeros(2)
    for start in np.arange(_MONTH, history.observed - _MONTH, _MONTH):
        past = history.until(float(start))
        then = foreseen(past, planned)
        if not past.failures.size or not isinstance(then, Outlook):
            continue
        rate = past.failures.size / past.observed
        numbers = (*_needed(then, mttr, [level]), spares_at(nodes, nodes / rate, mttr, level))
        sufficed += _shares(history, float(start), mttr, np.array(numbers))
        months += 1
    shares = sufficed / max(months, 1)
    return ForeseenSpares(
        outlook,
        _needed(outlook, mttr, probabilities),
        level,
        months,
        (float(shares[0]), float(shares[1])),
    )


def _needed(outlook: Outlook, mttr: float, probabilities: Sequence[float]) -> tuple[int, ...]:
    """Return the least numbers that nodes down do not exceed; those of a cluster go together."""
    shares = np.bincount(outlook.sizes) / outlook.sizes.size
    rates, weights = outlook.rates.rates(_COUNTED / outlook.rates.mean)
    size = np.arange(shares.size)
    means, squares = rates * mttr * (shares @ size), rates * mttr * (shares @ size**2)
    most = int(np.max(means + 12.0 * np.sqrt(squares)) + 12.0 * shares.size)
    enough = np.zeros(most + 1)
    for rate, weight, mean, square in zip(rates, weights, means, squares, strict=True):
        enough += weight * _compound(rate * mttr, shares, most, float(mean), float(square))
    return tuple(int(np.argmax(enough >= min(q, enough[-1]))) for q in probabilities)


def _compound(
    clusters: float, shares: FloatArray, most: int, mean: float, square: float
) -> FloatArray:
    """Return the cdf of the nodes down, `clusters` of them being Poisson, by Panjer's recursion."""
    if clusters > _MANY:
        from scipy.special import ndtr

        return np.asarray(ndtr((np.arange(most + 1.0) + 0.5 - mean) / np.sqrt(square)))
    found = np.zeros(most + 1)
    found[0] = np.exp(-clusters)
    weights = clusters * shares * np.arange(shares.size)
    for count in range(1, most + 1):
        last = min(count, shares.size - 1)
        found[count] = weights[1 : last + 1] @ found[count - 1 :: -1][:last] / count
    return np.cumsum(found)


def _shares(history: FailureHistory, start: float, mttr: float, numbers: FloatArray) -> FloatArray:
    """Return in which share of the month from `start` on at most so many nodes were down."""
    lasted = np.where(np.isnan(history.repairs), mttr, history.repairs)
    begins = np.clip(history.failures, start, start + _MONTH)
    ends = np.clip(history.failures + lasted, start, start + _MONTH)
    times = np.concatenate([begins, ends])
    order = np.argsort(times, kind="stable")
    down = np.cumsum(np.repeat([1, -1], begins.size)[order])
    length = np.diff(np.append(times[order], start + _MONTH))
    quiet = _MONTH - length.sum()
    return np.asarray([(quiet + length[down <= each].sum()) / _MONTH for each in numbers])
