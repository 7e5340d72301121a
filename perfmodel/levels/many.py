r"""Mean time of a job with checkpoints on any number of levels under exponential failures.

Levels are sorted: each survives all failures that the ones before it survive, and more; the last
survives all. A pattern begins after a checkpoint of the last level and ends with the next one.
Within it lie `counts[-1]` checkpoints of the level before, between these `counts[-2]` of the one
before that, and so on, each after `interval` of work; a count of 0 leaves a level out.

A failure goes back to the latest copy on the lowest level that survives it, at the cost of a
downtime and of the recovery from there. A failure during a recovery costs a downtime again, and
the lowest level that survives it and still has its copy is read. Two rules differ in what else
they leave:

* ``"reinstated"``: a checkpoint, and a recovery, leaves a copy on every lower level, too;
* ``"escalate"``: it lies on its level alone, so that until the next checkpoint any failure leads
  back to it; and a level is given up for the one above when it is read and a failure strikes that
  no lower level survives.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from .._checks import FloatArray, comparable, fraction, nonnegative, positive, scalar, shown
from ..formula import Formula, Trend

EscalationRule: TypeAlias = Literal["reinstated", "escalate"]
_RULES = ("reinstated", "escalate")


@dataclass(frozen=True, slots=True)
class Level:
    """Where a copy is kept.

    Parameters
    ----------
    cost : float, [time]
        Whole cost of a checkpoint on this level; >= 0.
    recovery : float, [time]
        To read it back; >= 0.
    survives : float, [-]
        Share of all failures after which it can be read; in [0, 1].
    """

    cost: float
    recovery: float
    survives: float

    def __post_init__(self) -> None:
        for name in ("cost", "recovery"):
            object.__setattr__(self, name, scalar(nonnegative, name, getattr(self, name)))
        object.__setattr__(self, "survives", scalar(fraction, "survives", self.survives))


def expected_pattern_time(
    levels: Sequence[Level],
    *,
    interval: float,
    counts: Sequence[int],
    mtbf: float,
    downtime: float = 0.0,
    rule: EscalationRule = "reinstated",
) -> float:
    r"""Mean wall time from one checkpoint of the last level to the next.

    .. math:: T = \frac{E[Y] + P(Y \text{ struck}) \, E[R]}{P(Y \text{ not struck})}

    Y is the pattern without its first recovery, made of stretches that are tried again from a
    lower level: each has its probability to get through, one for each kind of failure that it
    cannot survive, and a mean time. R is the recovery from the last level.

    Parameters
    ----------
    levels : sequence of Level, [-]
        From the cheapest to the last, which survives all failures.
    interval : float, [time]
        Work between two checkpoints of any level, checkpoint excluded; > 0.
    counts : sequence of int, [-]
        For each level but the last, checkpoints between two of the levels above; >= 0.
    mtbf : float, [time]
        Mean uptime between failures of any kind, repair excluded; > 0.
    downtime : float, [time]
        Fixed, after each failure; >= 0.
    rule : {"reinstated", "escalate"}, [-]
        What a checkpoint leaves on lower levels, and when a level is given up.

    Returns
    -------
    float, [time]
        Of `interval` times (1 + count) for every count of work. Overflow gives inf.

    Raises
    ------
    ValueError
        If levels are not sorted by the failures that they survive, the last does not survive all,
        or there is not one count for each other.

    Notes
    -----
    Exact for these rules. With one level it is the mean of one segment; with two that of
    `expected_makespan_two_levels` with the rule ``"reinstated"``.
    Source: derived. ``"escalate"`` is the rule of the program that the authors of [1]_ published,
    which was read, and whose regression values it meets; the paper was not read.

    Judged for interval/mtbf 1e-4 to 0.1, cost/mtbf 1e-5 to 0.1, recovery/mtbf 1e-5 to 0.1,
    downtime/mtbf 1e-5 to 0.1. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Moody, G. Bronevetsky, K. Mohror and B. R. de Supinski, "Design, modeling, and
       evaluation of a scalable multi-level checkpointing system", SC'10, 2010.

    Examples
    --------
    >>> rates = (7.78e-6, 5.19e-7, 3e-8)
    >>> levels = [
    ...     Level(9.0, 9.0, rates[0] / sum(rates)),
    ...     Level(50.0, 50.0, (rates[0] + rates[1]) / sum(rates)),
    ...     Level(438.0, 438.0, 1.0),
    ... ]
    >>> time = expected_pattern_time(
    ...     levels, interval=2500.0, counts=(0, 200), mtbf=1 / sum(rates), rule="escalate"
    ... )
    >>> round(201 * 2500.0 / time, 12)
    0.961310619586
    """
    machine = checked_levels(levels, mtbf=mtbf, downtime=downtime, rule=rule)
    w = scalar(positive, "interval", interval)
    found = _checked_counts(counts, len(machine.levels) - 1)
    return float(machine.pattern_time(np.asarray(w), [np.asarray(count) for count in found]))


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What is passed, or ended by a failure that it cannot survive; arrays of one shape.

    Parameters
    ----------
    passes : ndarray, [-]
        Probability to get through.
    falls : tuple of ndarray, [-]
        For each level, the probability to end by a failure that leads back to it.
    time : ndarray, [time]
        Mean time to either end.
    """

    passes: FloatArray
    falls: tuple[FloatArray, ...]
    time: FloatArray

    def then(self, other: _Stretch) -> _Stretch:
        """Return this stretch followed by another."""
        falls = tuple(a + self.passes * b for a, b in zip(self.falls, other.falls, strict=True))
        return _Stretch(self.passes * other.passes, falls, self.time + self.passes * other.time)

    def times(self, count: FloatArray) -> _Stretch:
        """Return `count` >= 0 of these in turn."""
        lost = _sum(self.falls)
        some = np.where(lost > 0.0, lost, 1.0)
        log = np.where(count > 0.0, count * np.log1p(-np.minimum(lost, 1.0)), 0.0)
        begun = np.where(lost > 0.0, -np.expm1(log) / some, count)
        return _Stretch(np.exp(log), tuple(begun * f for f in self.falls), begun * self.time)


@dataclass(frozen=True, slots=True)
class Machine:
    """Levels, and the failures that strike them.

    Parameters
    ----------
    levels : tuple of Level
        Sorted.
    kinds : tuple of float, [-]
        Share of the failures for which each level is the first that survives them.
    rate : float, [1/time]
        Of all failures.
    downtime : float, [time]
        After each.
    rule : str
        What a checkpoint leaves on lower levels, and when a level is given up.
    """

    levels: tuple[Level, ...]
    kinds: tuple[float, ...]
    rate: float
    downtime: float
    rule: str

    def pattern_time(self, interval: FloatArray, counts: Sequence[FloatArray]) -> FloatArray:
        """Return mean times of patterns; a count is 0 in all of them or at least 1 in all.

        Counts that are not whole lie between those that are.
        """
        last = len(self.levels) - 1
        with np.errstate(all="ignore"):
            found = self._within(last, last, interval, counts)
            back = self._recovery(last)
            time = (found.time + _sum(found.falls) * back.time) / found.passes
        return np.where(np.isnan(time), np.inf, time)

    def _exposed(self, span: FloatArray) -> _Stretch:
        """Return a stretch that any failure ends."""
        struck = -np.expm1(-span * self.rate)
        falls = tuple(kind * struck for kind in self.kinds)
        return _Stretch(np.exp(-span * self.rate), falls, struck / self.rate)

    def _within(
        self, level: int, ends: int, interval: FloatArray, counts: Sequence[FloatArray]
    ) -> _Stretch:
        """Return what lies between two checkpoints of `level`, the last of them of level `ends`.

        Nothing in it is tried again from `level` itself.
        """
        if level == 0:
            return self._exposed(interval + self.levels[ends].cost)
        below = level - 1
        if not counts[below].any():
            return self._within(below, ends, interval, counts)
        one = self._within(below, below, interval, counts)
        tried = self._again(below, one)
        first = tried if self.rule == "reinstated" else one
        last = self._again(below, self._within(below, ends, interval, counts))
        return first.then(tried.times(counts[below] - 1.0)).then(last)

    def _again(self, level: int, stretch: _Stretch) -> _Stretch:
        """Return a stretch that is tried again from `level` after what that survives."""
        low = _sum(stretch.falls[: level + 1])
        back = self._recovery(level)
        # What is not tried again, summed without a difference to 1.
        falls = [low * f for f in back.falls]
        for k in range(level + 1, len(falls)):
            falls[k] = falls[k] + stretch.falls[k]
        ends = stretch.passes + _sum(tuple(falls))
        time = (stretch.time + low * back.time) / ends
        return _Stretch(stretch.passes / ends, tuple(f / ends for f in falls), time)

    def _recovery(self, level: int) -> _Stretch:
        """Return the downtime and the recovery from `level`, until it passes or is given up."""
        tried = self._exposed(np.asarray(self.levels[level].recovery))
        highest = level == len(self.levels) - 1
        given_up = self.rule == "escalate" and not highest
        falls = [f if k > level else 0.0 * f for k, f in enumerate(tried.falls)]
        if given_up:
            falls[level + 1] = falls[level + 1] + tried.falls[level]
        ends = tried.passes + _sum(tuple(falls))
        time = (self.downtime + tried.time) / ends
        return _Stretch(tried.passes / ends, tuple(f / ends for f in falls), time)


def _sum(parts: Sequence[FloatArray]) -> FloatArray:
    return np.asarray(sum(parts))


def checked_levels(
    levels: Sequence[Level], *, mtbf: float, downtime: float, rule: EscalationRule
) -> Machine:
    """Check the arguments that all functions of levels share."""
    if rule not in _RULES:
        raise ValueError(f"rule must be one of {', '.join(_RULES)}, got {shown(rule)}")
    found = tuple(levels)
    if not found:
        raise ValueError("levels must be one or more, got none")
    for level in found:
        if not isinstance(level, Level):
            raise TypeError(f"levels must be of class Level, got {shown(level)}")
    shares = [level.survives for level in found]
    if any(b < a for a, b in itertools.pairwise(shares)):
        raise ValueError(f"levels must be sorted by the share that they survive, got {shares}")
    if shares[-1] != 1.0:
        raise ValueError(
            f"levels must end with one that survives all failures, got survives={shares[-1]}"
        )
    kinds = tuple(b - a for a, b in zip([0.0, *shares], shares, strict=False))
    mean, down = scalar(positive, "mtbf", mtbf), scalar(nonnegative, "downtime", downtime)
    times = [time for level in found for time in (level.cost, level.recovery)]
    comparable(levels=np.array(times), mtbf=np.asarray(mean), downtime=np.asarray(down))
    return Machine(found, kinds, 1.0 / mean, down, rule)


def checked_for_a_pattern(
    levels: Sequence[Level], *, mtbf: float, downtime: float, rule: EscalationRule
) -> Machine:
    """Check the arguments of a search over patterns, which asks more of the levels."""
    machine = checked_levels(levels, mtbf=mtbf, downtime=downtime, rule=rule)
    if len(machine.levels) > 1 and machine.kinds[-1] == 0.0:
        raise ValueError(
            "levels must end with one that alone survives some failures, got another with "
            "survives=1.0 before it: leave one of them out"
        )
    for level in machine.levels:
        cost, recovery = level.cost * machine.rate, level.recovery * machine.rate
        if not 1e-8 <= cost <= 100.0:
            raise ValueError(f"cost/mtbf of a level must be from 1e-08 to 100, got {cost!r}")
        if not recovery <= 100.0:
            raise ValueError(f"recovery/mtbf of a level must be <= 100, got {recovery!r}")
    return machine


def _checked_counts(counts: Sequence[int], number: int) -> tuple[float, ...]:
    found = tuple(scalar(nonnegative, "counts", count) for count in counts)
    if len(found) != number:
        raise ValueError(
            f"counts must be {number}, one for each level but the last, got {len(found)}"
        )
    for count in found:
        if count != math.floor(count):
            raise ValueError(f"counts must be whole, got {count!r}")
    return found


ROWS = (
    Formula(
        expected_pattern_time,
        "moody2010",
        "levels of checkpoints",
        "exact",
        ranges={
            "interval/mtbf": (1e-4, 0.1),
            "cost/mtbf": (1e-5, 0.1),
            "recovery/mtbf": (1e-5, 0.1),
            "downtime/mtbf": (1e-5, 0.1),
        },
        trend=Trend(rising=("interval", "downtime"), falling=("mtbf",)),
    ),
)
