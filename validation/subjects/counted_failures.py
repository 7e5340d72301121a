"""Laws of jobs while few failures can be over, by closed forms, at their cusps and between.

A job is a chain of attempts: each takes a span of time exposed to failures, and leads on. Every
failure takes at least the downtime, which is fixed: until a few more than those that are counted
can be over, the law is a sum over the ways to fail so often. Of one way the uptimes are
exponential and cut at spans, so that their sum is known; its cusps lie at sums of spans. Where the
rate of failures is not known, the same is averaged over its gamma law in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from validation.judge.chance import FloatArray
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict

__all__ = [
    "Attempt",
    "at_unknown_rate",
    "between_nodes",
    "judged_at_cusps",
    "of_mtbf",
    "segments_in_turn",
]

_COUNTED = 3  # failures
_LOOKS = 60  # cusps that are looked at
_BESIDE = np.array([-1e-6, -1e-9, 0.0, 1e-9, 1e-6, 1e-3, 0.05])  # of a cusp, in downtimes
_WITNESS = 1e-11  # rounding of the sums
_GRID = 4096

Chain = Callable[[Any], "Attempt"]
Known = Callable[[float, int, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is tried for a time, and what follows.

    Parameters
    ----------
    span : float, [time]
        For how long it is exposed to failures.
    done : object
        State of the chain after success; None if the job is done.
    struck : tuple of (float, object)
        Chances and states after a failure and its downtime.
    """

    span: float
    done: Any
    struck: tuple[tuple[float, Any], ...]


def at_rate(rate: float, exposed: float, order: int, left: FloatArray) -> FloatArray:
    """Return P(so many uptimes take at most `left`, and none ends in `exposed` more), [-]."""
    within = special.gammainc(order, rate * left) if order else np.ones(left.shape)
    return np.asarray(math.exp(-rate * exposed) * within)


def at_unknown_rate(
    shape: float, watched: float, exposed: float, order: int, left: FloatArray
) -> FloatArray:
    """Return the same where the rate has a gamma law of that shape, and `watched` as its rate."""
    longer = watched + exposed
    within = special.betainc(order, shape, left / (left + longer)) if order else np.ones(left.shape)
    return np.asarray((watched / longer) ** shape * within)


def of_mtbf(mtbf: float) -> Known:
    """Return the law of uptimes of a known mtbf, [time]."""
    return partial(at_rate, 1.0 / mtbf)


def segments_in_turn(job: Mapping[str, Any]) -> Chain:
    """Return the chain of a job that writes a checkpoint after each segment; it begins at (0, 0).

    After a failure, the recovery and the segment are one attempt.
    """
    count = math.ceil(job["work"] / job["interval"] * (1.0 - 2.0**-48))
    lengths = [job["interval"]] * (count - 1) + [job["work"] - (count - 1) * job["interval"]]

    def tried(state: tuple[int, int]) -> Attempt:
        segment, again = state
        span = lengths[segment] + job["checkpoint_cost"] + again * job["recovery_cost"]
        done = (segment + 1, 0) if segment + 1 < count else None
        return Attempt(span, done, ((1.0, (segment, 1)),))

    return tried


def judged_at_cusps(
    found: Any,
    budget: Budget,
    *,
    chain: Chain,
    first: Any,
    downtime: float,
    known: Known,
    tasks: int = 1,
) -> Verdict:
    """Judge a law and its stated error at times before which few failures can be over.

    Of several tasks it is that of the slowest.
    """
    ways = _ways(chain, first)
    start = next(delay for _, delay, spans in ways if not spans)
    if math.isclose(start, found.atom[0], rel_tol=1e-12):  # sums in another order
        start = max(start, float(found.atom[0]))
    terms = [term for way in ways for term in _terms(*way, downtime)]
    cusps = np.unique([t for _, _, order, t in terms if order])
    rng = np.random.default_rng(budget.seed)
    looks = rng.choice(cusps, min(cusps.size, _LOOKS), replace=False)
    end = start + (_COUNTED + 1) * downtime
    times = np.append(np.add.outer(looks, _BESIDE * downtime), rng.uniform(start, end, _LOOKS))
    times = np.append(times[(times > start) & (times < end)], start)
    exact = np.zeros(times.shape)
    for weight, exposed, order, begins in terms:
        here = times >= begins
        exact[here] += weight * known(exposed, order, times[here] - begins)
    exact, values = exact**tasks, np.asarray(found.cdf(times))
    off = np.abs(values - exact)
    worst = int(np.argmax(off))
    good = bool(off[worst] <= found.error + _WITNESS)  # so that nan is bad
    note = (
        "" if good else f"off by {off[worst]:.3g} at {times[worst]:.9g}, stated {found.error:.3g}"
    )
    return Verdict(
        "exact",
        float(values[worst]),
        float(exact[worst]),
        0.0,
        0.0 if good else math.inf,
        found.error,
        passed=good,
        note=note,
    )


def _ways(chain: Chain, first: Any) -> list[tuple[float, float, tuple[float, ...]]]:
    """Return chance, exposed time of what succeeds and spans of what fails, of every way."""
    live: dict[tuple[Any, float, tuple[float, ...]], float] = {(first, 0.0, ()): 1.0}
    ended: dict[tuple[float, tuple[float, ...]], float] = {}
    while live:
        (state, delay, spans), chance = live.popitem()
        if state is None:
            ended[delay, spans] = ended.get((delay, spans), 0.0) + chance
            continue
        attempt = chain(state)
        after = [(1.0, (attempt.done, delay + attempt.span, spans))]
        if len(spans) < _COUNTED:
            longer = tuple(sorted((*spans, attempt.span)))
            after += [(share, (struck, delay, longer)) for share, struck in attempt.struck]
        for share, way in after:
            live[way] = live.get(way, 0.0) + chance * share
    return [(chance, *way) for way, chance in ended.items()]


def _terms(
    chance: float, delay: float, spans: tuple[float, ...], downtime: float
) -> list[tuple[float, float, int, float]]:
    """Return weight, exposed time, uptimes and first time of each term of one way."""
    sums = {0.0: 1.0}
    for span in spans:
        for total, weight in list(sums.items()):
            sums[total + span] = sums.get(total + span, 0.0) - weight
    begins = delay + len(spans) * downtime
    return [
        (chance * weight, delay + total, len(spans), begins + total)
        for total, weight in sums.items()
    ]


class _BetweenNodes:
    """A law that is interpolated between the nodes of a grid that knows no cusps."""

    def __init__(self, right: Any) -> None:
        self._right = right
        self._grid = np.linspace(right.atom[0], float(right.isf(1e-6)), _GRID)
        self._known = right.cdf(self._grid)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return P(T <= t), [-]."""
        return np.asarray(np.interp(t, self._grid, self._known, left=0.0))


def between_nodes(function: Callable[..., Any], *arguments: Any, **job: Any) -> Any:
    """Return the right law, interpolated between nodes."""
    return _BetweenNodes(function(*arguments, **job))
