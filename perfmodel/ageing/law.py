"""The law of the makespan of a job whose uptimes have any law, each failure renewing the machine.

The job is that of `perfmodel.ageing.makespan`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from .._checks import FloatArray, nonnegative, positive, positive_or_inf, scalar
from ..completion.law import (
    CertainCompletionTime,
    CompletionTime,
    NeverCompletionTime,
)
from ..formula import Formula, Trend
from ..lifetimes import Deterministic, Lifetime
from ..lifetimes.fixed_or_random import law_of
from ._cells import has_density
from ._lattice import Masses, above
from ._parts import Atoms, Beyond, Curve, Once, Part, Steps, atoms_of, by_atoms, curves, doubt, size
from .makespan import Scalars, ageing_job, lost_time, scalars

_DEVIATIONS = 22.0  # beyond the mean: where an exponential tail has fallen to 1e-10
_FAILURES = 3.0  # that the lattice has room for, however rare they are
_MOST_ATTEMPTS = 1e4
_MOST = 1000  # segments
_LEAST = 1e-9  # error that is stated
_GONE = 1e-10  # probability that is left out
_SUMS = 2**20  # different times that are told apart
_PLACES, _SPREAD = 2**12, 2**16  # at which curves begin, and narrow ones
_LOW = 1e-4  # level at which the cdf of uptimes is taken for a power
_LEAST_SPLIT, _MOST_SPLIT, _COMB = 3, 10, 24  # failures that are counted apart
_UNSEEN = 1e-8  # probability that is left out where parts are many
_RARE = 1e-4  # chance, of which atoms need not be shown
_MOST_POINTS, _SMOOTH = 2**14, 2**12  # where one row of masses is left, and that of downtimes
_MOST_SHOWN, _MANY, _FEW = 2**20, 2**19, 2**16  # points times segments
_FINE = 1e-7  # error that needs no curves of their own
_LEVEL = 0.5  # power from which on few lattices are needed


def exact_makespan_ageing(
    work: float,
    *,
    interval: float,
    uptime: Lifetime,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> CompletionTime:
    r"""Law of the wall time of a job whose uptimes have any law, each failure renewing the machine.

    Parameters
    ----------
    work : float, [time]
        Failure-free compute time of the job, checkpoints excluded; > 0.
    interval : float, [time]
        Work per segment, checkpoint excluded; > 0, and at least work/1000. From `work` on, inf
        too: a single segment.
    uptime : Lifetime, [time]
        Law of every uptime, from the age 0 at which the job starts and repairs end.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint and to read one back; >= 0.
    downtime : float or Lifetime, [time]
        Fixed and >= 0, or a law with a finite variance.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    CompletionTime, [time]
        With cdf, sf, ppf, isf, mean, variance and atom; its `error` is 1.5 times the
        largest difference between two lattices, at their points and between, at least 1e-9; of
        recorded uptimes also what the lattice is off where all sums are known, and more.

    Raises
    ------
    ValueError
        If the variance of `downtime` is not finite, or there are more than 1000 segments or, in the
        mean, 10000 failures.

    Notes
    -----
    Exact but for the `error` that it states: mostly 1e-6 or less, and 1e-4 or less where uptimes
    begin with an infinite density as that of a gamma law of a shape below 0.2. Split by the number
    of failures, so that downtimes and recoveries, at which the law is steep or jumps, stay exact:
    one failure is a sum, more of them are renewal equations on nested lattices of times that keep
    mean and square, solved by their transforms. With recorded uptimes it has every atom of so many
    failures as leave less than a million different times, and of one more; of others what their
    lattice shows: `error` is then mostly below 1e-5, and up to 1e-4 where ten or thirty records are
    struck often, more where records are tiny and spread over decades. Up to 50 segments take some
    .1 to 1.5 s, 1000 segments some ten; recorded uptimes and downtimes make each query take longer.
    Times are told apart to their rounding. sf has an absolute error, so that tails below it are
    unknown.
    Source: derived in tests/derivations/test_ageing.py; renewal equations as in [1]_.

    Judged for interval/uptime 0.01 to 1, work/interval 1 to 50, checkpoint_cost/interval 0.001 to
    1, recovery_cost/interval 0.001 to 1, downtime/uptime 0.001 to 1, cv of uptime 0.3 to 4. Times
    must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; the equations are derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> law = exact_makespan_ageing(
    ...     96.0, interval=4.0, uptime=Weibull(0.5, 12.0), checkpoint_cost=0.5,
    ...     recovery_cost=0.75, downtime=0.25,
    ... )
    >>> [round(float(t), 3) for t in law.ppf([0.5, 0.99])], round(float(law.cdf(116.0)), 6)
    ([122.761, 157.295], 0.257998)
    """
    down = law_of("downtime", downtime)
    scalar(positive, "work", work)
    scalar(positive_or_inf, "interval", interval)
    scalar(nonnegative, "checkpoint_cost", checkpoint_cost)
    scalar(nonnegative, "recovery_cost", recovery_cost)
    job = scalars(
        ageing_job(
            work,
            interval=interval,
            uptime=uptime,
            checkpoint_cost=checkpoint_cost,
            recovery_cost=recovery_cost,
            downtime=down,
            final_checkpoint=final_checkpoint,
        )
    )
    if job.count > _MOST:
        raise ValueError(
            f"work/interval must be at most {_MOST} segments for a law, got {job.count}: "
            "expected_makespan_ageing and makespan_variance_ageing take more"
        )
    if not down.variance < math.inf:
        raise ValueError(f"downtime must have a finite variance for a law, got {downtime}")
    lost = lost_time(uptime, job)
    if lost.mean == 0.0:
        return CertainCompletionTime(job.busy)
    attempts = lost.mean / (uptime.mean + down.mean)
    if _MOST_ATTEMPTS < attempts < math.inf:
        raise ValueError(
            f"work must be done within {_MOST_ATTEMPTS:g} uptimes in the mean for a law, "
            f"got {attempts:.6g}: expected_makespan_ageing takes any"
        )
    atom = float(uptime.sf(job.busy))
    if not lost.variance < math.inf:
        return NeverCompletionTime(job.busy, math.log(atom) if atom > 0.0 else -math.inf)
    attempts = max(attempts, 1.0)
    tail = float(down.ppf(1.0 - _GONE / attempts))
    near = lost.mean + _DEVIATIONS * math.sqrt(lost.variance)
    end = max(near, lost.mean + tail, _FAILURES * (job.recovery + max(job.period, job.last) + tail))
    parts, error = _parts(uptime, down, job, atom=atom, ends=(end, near))
    end = max([end, *(part.end for part in parts)])  # few failures may be known to cost more
    mean, std = job.busy + lost.mean, math.sqrt(lost.variance)
    found = RenewedCompletionTime(job.busy, mean, std, atom, parts, end, 0.0)
    left = float(found.sf(job.busy + end))
    return replace(found, error=max(_LEAST, error + left))


def _parts(
    uptime: Lifetime,
    down: Lifetime,
    job: Scalars,
    *,
    atom: float,
    ends: tuple[float, float],
) -> tuple[tuple[Part, ...], float]:
    """Return the law of the time lost by the number of failures, and its error."""
    lost, later, chances = _lost(uptime, job)
    stopped = [
        Atoms(one.at + job.recovery, one.mass) for one in _stopped(down, len(lost) + bool(later))
    ]
    unit, recorded, fixed = job.busy + job.recovery, bool(atoms_of(uptime)), bool(atoms_of(down))
    parts = _placed(lost, stopped, unit, most=_PLACES, steps=recorded and fixed)
    if chances[: len(parts)].sum() < _GONE:
        parts = []
    comb = recorded or (fixed and job.downtime > _longest(job))
    if recorded and not fixed:
        comb = _more(uptime, down, job, len(parts), chance=1.0, ends=ends)[1] > _FINE
        parts = _placed(lost, stopped, unit, most=_SPREAD) if comb and parts else parts
    count, error = len(parts), 0.0
    for number, (curve, own) in enumerate(_curves(uptime, down, job, count)):
        parts[number] = replace(parts[number], curve=curve)
        error += own * float(parts[number].atoms.mass.sum())
    seen = (count, parts[-1]) if recorded and fixed and count else None
    if later and fixed and 0 < count == len(lost) and stopped[-1].at.size == 1:
        parts += [replace(one, atoms=one.atoms.plus(stopped[-1], unit)) for one in later]
        chances, count = np.append(chances, sum(one.chance for one in later)), count + 1
    more, unseen = max(1.0 - atom - float(chances[:count].sum()), 0.0), 10.0 * _GONE
    if more > unseen and count and comb:
        known = [isinstance(part.curve, Steps) and part.curve.at.size == 1 for part in parts]
        power = _power([part.atoms for part in parts] if all(known) else lost) if seen else 0.0
        others, own, their = _further(
            uptime, down, job, count, near=ends[1], seen=seen, power=power, rest=more
        )
        parts, error, more = [*parts, *others], error + own, max(more - float(their.sum()), 0.0)
        count, unseen, seen = count + len(others), _UNSEEN, None if others else seen
    if more > unseen:
        curve, own = _more(uptime, down, job, count, chance=more, ends=ends, seen=seen)
        return (*parts, Part(Atoms(np.zeros(1), np.ones(1)), curve)), error + own
    return tuple(parts), error + more


def _placed(
    lost: list[Atoms], stopped: list[Atoms], unit: float, *, most: int, steps: bool = False
) -> list[Part]:
    """Return where 1, 2, ... failures begin their curves, as long as there are few places.

    Without curves, as steps: of many times that begin at few.
    """
    found = []
    for one, other in zip(lost, stopped, strict=False):
        few, many = sorted((one, other), key=lambda atoms: atoms.at.size)
        if few.at.size * many.at.size <= (_SPREAD if steps else most):
            found.append(Part(one.plus(other, unit)))
        elif steps and few.at.size <= most:
            found.append(Part(few, Steps.of(many)))
        else:
            break
    return found


def _further(
    uptime: Lifetime,
    down: Lifetime,
    job: Scalars,
    begin: int,
    *,
    near: float,
    seen: tuple[int, Part] | None,
    power: float,
    rest: float,
) -> tuple[list[Part], float, FloatArray]:
    """Return the parts of more than `begin` failures, their error, and the chance of each.

    The error as told by the part of so many failures that was seen in full, and by how sums grow
    with the `power` of failures: a lattice shows no step of a law, of `rest` in all.
    """
    chances = _chances(uptime, job)[begin:]
    left = chances[::-1].cumsum()[::-1]
    stopped = _stopped(down, begin + int((left > _UNSEEN).sum()))
    count = sum(one.at.size <= _PLACES for one in stopped)
    span, every = _beside(down)[1:]

    def masses(step: float, points: int) -> Masses:
        return Masses.of(uptime, job, step, points, beside=(np.ones(1), every(step, points)))

    def unresolved(step: float) -> float:
        return math.pow(float(uptime.cdf(step)), begin + 1)

    # Of recorded uptimes the first show single sums most.
    single, start = 0 if has_density(uptime) else begin + 2, begin if seen is None else seen[0] - 1
    found = _in_turn(
        masses,
        ((single, size(job, most=_MANY)), (count, size(job, most=_FEW))),
        (_longest(job) + span, 1.25 * _longest(job), near),
        job.busy,
        begin=start,
        unresolved=unresolved,
        halved=not has_density(uptime),
    )
    parts = [
        Part(Atoms(place.at + job.recovery, place.mass), curve)
        for place, (curve, _) in zip(stopped[start:], found, strict=False)
    ]
    times, steps = 1.0, 0.0
    if seen is not None and parts:
        off = doubt(parts[0], seen[1])
        times = max(1.0, off / found[0][1]) if found[0][1] > 0.0 else 1.0
        each = np.append(chances, max(rest - float(chances.sum()), 0.0))
        fewer = (seen[0] / (begin + 1.0 + np.arange(each.size))) ** power
        steps = off / seen[1].chance * float(each @ fewer)
    parts, found = parts[begin - start :], found[begin - start :]
    return parts, max(times * sum(error for _, error in found), steps), chances[: len(parts)]


def _power(lost: list[Atoms]) -> float:
    """Return the power of failures with which the number of their different sums grows."""
    count = len(lost)
    few, many = (1 if count < 2 else lost[-2].at.size), lost[-1].at.size
    return math.log(many / few) / math.log(count / (count - 1)) if count > 1 else 0.0


def _in_turn(
    masses: Callable[[float, int], Masses],
    groups: tuple[tuple[int, int], ...],
    ends: tuple[float, float, float],
    busy: float,
    *,
    begin: int,
    unresolved: Callable[[float], float],
    halved: bool = False,
) -> list[tuple[Curve, float]]:
    """Return curves of more than `begin` failures, in groups up to a number, of so many points."""
    found: list[tuple[Curve, float]] = []
    each, knee, most = ends
    for number, points in groups:
        after, count = begin + len(found), min(number, groups[-1][0])
        if after < count:
            spans = (min(1.01 * count * each, most), knee, points * 2.0**-53 * busy)
            found += curves(
                masses,
                spans,
                count,
                points=points,
                unresolved=unresolved,
                after=after,
                halved=halved,
            )[:-1]
    return found


def _longest(job: Scalars) -> float:
    return job.recovery + max(job.period, job.last)


def _beside(down: Lifetime) -> tuple[float, float, Callable[[float, int], FloatArray]]:
    """Return where downtimes begin, how far they reach, and the masses of what is beyond."""
    if atoms_of(down) is not None:
        return 0.0, 0.0, lambda step, points: np.ones(1)
    begin = float(down.ppf(_GONE))
    span = float(down.ppf(1.0 - _GONE)) - begin
    return begin, span, lambda step, points: above(down, begin, step=step, points=points)


def _chances(law: Lifetime, job: Scalars) -> FloatArray:
    """Return the chances of 1, 2, ... failures."""
    step, points, whole = _longest(job), 4 * _COMB, np.ones(1)
    masses = Masses.of(law, job, step, points, beside=(whole, whole))
    return np.asarray(masses.by_failures(points, _COMB)[:-1].sum(axis=1))


def _lost(law: Lifetime, job: Scalars) -> tuple[list[Atoms], list[Part], FloatArray]:
    """Return where curves of 1, 2, ... failures stand, parts of one more, and their chances."""
    recorded = atoms_of(law)
    if recorded is not None:
        sums, later = by_atoms(recorded, job, _SUMS)
        return sums, later, np.array([one.mass.sum() for one in sums])
    if not has_density(law):
        return [], [], np.empty(0)
    # A cdf that begins as t^k makes one of so many failures begin as t^1.8 at least.
    low = float(law.ppf(_LOW))
    power = math.log2(float(law.cdf(low) / law.cdf(0.5 * low))) if low > 0.0 else 1.0
    count = int(min(max(math.ceil(1.8 / power), _LEAST_SPLIT), _MOST_SPLIT))
    chances, step = _chances(law, job), _longest(job)
    more = 1.0 - float(law.sf(job.busy)) - np.cumsum(chances)
    # Long downtimes make a comb, of which the teeth are too narrow for a lattice of all times.
    if power > _LEVEL and (more[-1] < 10.0 * _GONE or job.downtime > step):
        count = max(count, int(np.argmax(np.append(more < 10.0 * _GONE, True))) + 1)
        count = min(count, _COMB)
    return [Atoms(np.zeros(1), np.ones(1))] * count, [], chances[:count]


def _stopped(down: Lifetime, most: int) -> list[Atoms]:
    """Return what is fixed of the downtimes of 1, 2, ... failures; few enough to add up."""
    one = atoms_of(down) or Atoms(np.array([float(down.ppf(_GONE))]), np.ones(1))
    found: list[Atoms] = []
    while len(found) < most:
        if found and found[-1].at.size * one.at.size > _SUMS:
            break
        found.append(found[-1].plus(one, float(one.at[-1])) if found else one)
    return found


def _curves(
    uptime: Lifetime, down: Lifetime, job: Scalars, count: int
) -> list[tuple[Callable[[FloatArray], FloatArray], float]]:
    """Return what is not fixed of the times lost with 1 to `count` failures, and the errors."""
    fixed, dense, whole = atoms_of(down) is not None, has_density(uptime), np.ones(1)
    if not count or (fixed and not dense):
        return []
    begin, span, every = _beside(down)

    def masses(step: float, points: int, *, alone: bool = False) -> Masses:
        beside = whole, every(step, points)
        if dense:
            return Masses.of(uptime, job, step, points, beside=beside, alone=alone)
        one = np.ones((1, 1))  # nothing but what is beside is lost
        return Masses(one, one, one, whole, beside)

    def unresolved(step: float) -> float:
        """Return what two failures leave in the first step."""
        later = float(uptime.cdf(step) if fixed else down.cdf(begin + 100.0 * step))
        return later * float(first(np.array([step]))[0])

    first = Once(uptime, job) if dense else Beyond(down, begin)
    ends, points = (span, down.mean - begin, math.inf), _SMOOTH
    if dense:
        longest = _longest(job)
        ends, points = (
            (span + longest, 1.25 * longest, math.inf),
            size(job, most=None if fixed else _FEW),
        )
    found: list[tuple[Any, float]] = list(
        _in_turn(masses, ((count, points),), ends, job.busy, begin=0, unresolved=unresolved)
    )
    if not fixed and dense:  # one failure has kinks that few points do not show
        sole, most = partial(masses, alone=True), ((1, _MOST_POINTS),)
        found[:1] = _in_turn(sole, most, ends, job.busy, begin=0, unresolved=unresolved)
    else:
        found[0] = (first, 0.0)
    return found


def _more(
    uptime: Lifetime,
    down: Lifetime,
    job: Scalars,
    count: int,
    *,
    chance: float,
    ends: tuple[float, float],
    seen: tuple[int, Part] | None = None,
) -> tuple[Curve, float]:
    """Return the curve of the time lost with more than `count` failures, and its error.

    The error as told by the part of so many failures that was seen in full.
    """
    smooth = has_density(uptime) or has_density(down) or chance < _RARE
    points = 2 * (size(job) if smooth else size(job, most=_MOST_SHOWN))

    def masses(step: float, points: int) -> Masses:
        every = above(down, 0.0, step=step, points=points)
        once = above(Deterministic(job.recovery), 0.0, step=step, points=points)
        return Masses.of(uptime, job, step, points, beside=(once, every))

    spans = (*ends, ends[1])
    after = count if seen is None else seen[0] - 1
    kept = curves(masses, spans, count, points=points, unresolved=lambda step: 1.0, after=after)
    curve, error = kept[-1]
    if seen is not None:
        off = doubt(Part(Atoms(np.zeros(1), np.ones(1)), kept[0][0]), seen[1])
        error = max(error, off * chance / seen[1].chance)
    return curve, error


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RenewedCompletionTime(CompletionTime):
    """A completion time known by the number of failures.

    Parameters
    ----------
    start : float, [time]
        The completion time without any failure.
    mean, std : float, [time]
        From exact sums.
    untouched : float, [-]
        Probability that nothing fails.
    parts : tuple of Part
        The law of the time beyond `start`, by the number of failures.
    end : float, [time]
        The longest time beyond `start`.
    error : float, [-]
        Of cdf and sf at any time.
    """

    start: float
    mean: float = field()
    std: float = field()
    untouched: float
    parts: tuple[Part, ...]
    end: float
    error: float = field()
    light = False  # sf has an absolute error

    @property
    def variance(self) -> float:
        """The variance, [time^2]."""
        return self.std * self.std

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return self.start, self.untouched

    @property
    def seams(self) -> FloatArray:
        """The end of the law, [time]; shape (1,)."""
        return np.array([self.start + self.end])

    def _cdf(self, t: FloatArray) -> FloatArray:
        lost = t - self.start
        inside = np.minimum(lost, self.end)
        known = self.untouched + sum(part.cdf(inside) for part in self.parts)
        within = np.where(lost > self.end, 1.0, np.clip(known, 0.0, 1.0))
        return np.where(lost < 0.0, 0.0, within)

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(1.0 - self._cdf(t))


ROWS = (
    Formula(
        exact_makespan_ageing,
        "derived",
        "renewal at each failure",
        "exact",
        ranges={
            "interval/uptime": (0.01, 1.0),
            "work/interval": (1.0, 50.0),
            "checkpoint_cost/interval": (1e-3, 1.0),
            "recovery_cost/interval": (1e-3, 1.0),
            "downtime/uptime": (1e-3, 1.0),
            "cv of uptime": (0.3, 4.0),
        },
        trend=Trend(rising=("downtime",)),
    ),
)
