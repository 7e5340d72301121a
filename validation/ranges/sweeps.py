"""Formulas judged without random samples at points drawn from their whole documented range.

A sweep is a row: formula, judge, and how to draw a point from fractions in [0, 1]. It makes a
case, which draws some points with the run's seed, and a property, which hypothesis searches and
shrinks. The map of ranges uses the same points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..judge.search import Property
from ..judge.trial import Budget, Case, Judge, Point, describe, seed_of
from ..judge.verdict import Verdict
from .points import strategy

__all__ = ["Draw", "Sweep", "case", "drawn", "searched"]

Draw = Callable[[Callable[[], float]], Point]

_ENDS = 0.08  # how often either end of a range is drawn
_SPARE = 3  # points without an answer that are chance whatever their share, and drawn again


@dataclass(frozen=True, slots=True)
class Sweep:
    """A formula, and a judge without random samples for points of its documented range.

    Parameters
    ----------
    function : callable
        The public function.
    judge : callable
        ``judge(predict, budget, **point) -> Verdict``, as in a case.
    draw : callable
        ``draw(fraction) -> point``, where each call of ``fraction()`` draws from [0, 1].
    part : str
        Name that distinguishes sweeps of the same formula and judge.
    quick, full : int
        How many points the two tiers draw.
    unanswered : float, [-]
        Share of the points that may stay without an answer; three may in any case, and as many
        more are drawn as long as none has one.
    """

    function: Callable[..., Any]
    judge: Judge
    draw: Draw
    part: str = ""
    quick: int = 20
    full: int = 1000
    unanswered: float = 0.1

    @property
    def name(self) -> str:
        """Formula, check and part; unique among all sweeps."""
        return " ".join((self.function.__name__, self.judge.__name__, self.part)).strip()


def case(sweep: Sweep, *, full: bool = False) -> Case:
    """Return the case of a tier, which stops at the first point where the formula fails."""

    def at_random_points(predict: Callable[..., Any], budget: Budget, **point: Any) -> Verdict:
        return _many(sweep, predict, budget, int(point["points"]))

    name = sweep.judge.__name__
    at_random_points.__name__ = f"{name}_at_random_points"
    points = sweep.full if full else sweep.quick
    where = {"part": sweep.part} if sweep.part else {}
    return Case(sweep.function, at_random_points, ({**where, "points": points},), chance=False)


def searched(sweep: Sweep) -> Property:
    """Return the property that hypothesis searches."""
    points = strategy(sweep.draw)
    return Property(sweep.function, sweep.judge, points, part=sweep.part, chance=False)


def drawn(sweep: Sweep, seed: int, index: int) -> Point:
    """Return point number `index` of a run with this seed; some draws are an end of the range."""
    rng = np.random.default_rng(seed_of(seed, sweep.name, str(index)))

    def fraction() -> float:
        value = (1.0 + 2.0 * _ENDS) * float(rng.random()) - _ENDS
        return min(max(value, 0.0), 1.0)

    return sweep.draw(fraction)


def _weight(verdict: Verdict) -> tuple[bool, float]:
    """Any answer counts for more than none, then the coarser resolution."""
    return verdict.answered, verdict.resolution


def _many(sweep: Sweep, predict: Callable[..., Any], budget: Budget, count: int) -> Verdict:
    worst, unanswered, points = None, 0, 0
    for index in range(count + _SPARE):
        if index >= count and worst is not None and worst.answered:
            break
        points += 1
        # The points depend on the run's seed and the sweep only, not on the trial's budget.
        own = replace(budget, seed=seed_of(budget.seed, sweep.name, str(index)))
        point = drawn(sweep, budget.seed, index)
        try:
            verdict = sweep.judge(predict, own, **point)
        except Exception as error:
            error.add_note(f"at {describe(point)}")
            raise
        if verdict.rejected:
            return verdict
        unanswered += not verdict.answered
        if worst is None or _weight(verdict) > _weight(worst):
            worst = verdict
    assert worst is not None
    if unanswered > max(sweep.unanswered * points, _SPARE) or not worst.answered:
        note = f"{unanswered} of {points} points without an answer: {worst.note}"
        return replace(worst, passed=False, answered=False, note=note)
    note = f"worst of {points} points, {unanswered} without an answer"
    return replace(worst, passed=True, note=note if unanswered else f"worst of {points} points")
