"""Two levels of checkpoints from the transform of the time, segment by segment, at 400 digits.

A transform is known here by its first three derivatives at 0, from which mean and variance
follow. Each fault drops or changes one rule; without one the moments are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["FAULTS", "moments"]

_DIGITS = 400  # a pattern may pass once in 1e150 attempts: 1 - P has to keep its digits
_ROUNDING = 2.0**-48


@dataclass(frozen=True, slots=True)
class Jet:
    """Value, first derivative and half the second, at s = 0."""

    value: Any
    first: Any = 0
    second: Any = 0

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.value + other.value, self.first + other.first, self.second + other.second)

    def __mul__(self, other: Jet) -> Jet:
        return Jet(
            self.value * other.value,
            self.value * other.first + self.first * other.value,
            self.value * other.second + self.first * other.first + self.second * other.value,
        )

    def scaled(self, factor: Any) -> Jet:
        return Jet(factor * self.value, factor * self.first, factor * self.second)

    def share_of_rest(self) -> Jet:
        """Return 1/(1 - self): any number of these in turn."""
        rest = 1 - self.value
        first = self.first / rest**2
        return Jet(1 / rest, first, self.second / rest**2 + self.first**2 / rest**3)


def _fixed(span: Any) -> Jet:
    """Return the transform of a fixed time."""
    return Jet(mp.mpf(1), -span, span**2 / 2)


def _exposed(span: Any, rate: Any) -> tuple[Jet, Jet]:
    """Return the transforms of getting through `span`, and of being struck in it."""
    through = _fixed(span).scaled(mp.exp(-rate * span))
    # rate/(rate + s) (1 - e^-(rate + s) span)
    law = Jet(mp.mpf(1), -1 / rate, 1 / rate**2)
    return through, law * (Jet(mp.mpf(1)) + through.scaled(-1))


def moments(fault: str = "", **job: Any) -> tuple[float, float]:
    """Return mean and variance of the makespan, with a fault if one is named."""
    return _moments(fault, tuple(job.items()))


@lru_cache(maxsize=512)
def _moments(fault: str, job: tuple[tuple[str, Any], ...]) -> tuple[float, float]:
    with mp.workdps(_DIGITS):
        given = {k: v if isinstance(v, str) else mp.mpf(v) for k, v in job}
        mean, variance = _sum_of_patterns(fault, **given)
        return float(mean), float(variance)


def _sum_of_patterns(
    fault: str, *, work: Any, interval: Any, durable_every: Any, **rest: Any
) -> tuple[Any, Any]:
    count = max(1, int(mp.ceil(work / interval * (1 - _ROUNDING))))
    last = work - (count - 1) * interval
    every = int(durable_every)
    if fault == "one durable checkpoint too many":
        every = max(every - 1, 1)
    full = (count - 1) // every
    left = count - full * every
    kinds = [(full, [interval] * every), (1, [interval] * (left - 1) + [last])]
    mean = variance = mp.mpf(0)
    for number, spans in kinds:
        if number:
            jet = _pattern(fault, tuple(spans), end=number == 1, **rest)
            mean -= number * jet.first
            variance += number * (2 * jet.second - jet.first**2)
    return mean, variance


def _pattern(
    fault: str,
    spans: tuple[Any, ...],
    *,
    end: bool,
    mtbf: Any,
    survived: Any,
    local_cost: Any,
    durable_cost: Any,
    local_recovery: Any = 0,
    durable_recovery: Any = 0,
    downtime: Any = 0,
    rule: str = "reinstated",
) -> Jet:
    rate = 1 / mtbf
    if fault == "downtime dropped":
        downtime = mp.mpf(0)
    if fault == "a local recovery costs a durable one":
        local_recovery = durable_recovery
    if fault == "every failure survived":
        survived = mp.mpf(1)
    if fault == "no failure survived":
        survived = mp.mpf(0)
    if fault == "durable cost on top of the local one":
        durable_cost = durable_cost + local_cost
    if fault == "last checkpoint is local" and end:
        durable_cost = local_cost
    rule = {"local copy not reinstated": "bare", "durable checkpoint in stages": "staged"}.get(
        fault, rule
    )
    lost, down = 1 - survived, _fixed(downtime)
    through, struck = _exposed(local_recovery, rate)
    if fault == "local recovery never fails":
        through, struck = _fixed(local_recovery), Jet(mp.mpf(0))
    kept, gone = struck.scaled(survived), struck.scaled(lost)
    if fault == "local copy survives its reading":
        kept, gone = struck, Jet(mp.mpf(0))
    more = (down * kept).share_of_rest()
    local, fallen = more * down * through, more * down * gone
    through, struck = _exposed(durable_recovery, rate)
    if fault == "durable recovery never fails":
        through, struck = _fixed(durable_recovery), Jet(mp.mpf(0))
    durable = (down * struck).share_of_rest() * down * through

    def segment(span: Any, *, copied: bool = True) -> tuple[Jet, Jet]:
        through, struck = _exposed(span, rate)
        if not copied:
            return through, struck * durable
        again = (struck.scaled(survived) * local).share_of_rest()
        falls = struck.scaled(lost) + struck.scaled(survived) * fallen
        return again * through, again * falls * durable

    staged = rule == "staged" and durable_cost >= local_cost
    safe = local_cost if fault == "checkpoint not at risk" else mp.mpf(0)
    top = local_cost if staged else durable_cost
    exposures = [span + local_cost - safe for span in spans[:-1]] + [spans[-1] + top - safe]
    if staged:
        exposures.append(durable_cost - local_cost)
    ahead, thrown = Jet(mp.mpf(1)), Jet(mp.mpf(0))  # to the end; to the start after a recovery
    for exposure in reversed(exposures[1:]):
        passes, falls = segment(exposure)
        ahead, thrown = passes * ahead, passes * thrown + falls
    passes, falls = segment(exposures[0])
    first = (passes * ahead, passes * thrown + falls)
    passes, falls = segment(exposures[0], copied=rule != "bare")
    restart, again = passes * ahead, passes * thrown + falls
    restarted = again.share_of_rest() * restart
    done = first[0] + first[1] * restarted
    return done * _fixed(safe * len(spans))


FAULTS = (
    "downtime dropped",
    "a local recovery costs a durable one",
    "every failure survived",
    "no failure survived",
    "durable cost on top of the local one",
    "last checkpoint is local",
    "one durable checkpoint too many",
    "local copy not reinstated",
    "durable checkpoint in stages",
    "local recovery never fails",
    "local copy survives its reading",
    "durable recovery never fails",
    "checkpoint not at risk",
)
