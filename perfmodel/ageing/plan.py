r"""When a job of some length writes checkpoints, by the work left and the age of its machine.

The job is that of `perfmodel.ageing.makespan`, with intervals that may differ. After a failure the
rest of the work is planned anew, for a machine of age 0 that reads a checkpoint first.

A dynamic programme looks for the plan on a grid of work, where what is left after a checkpoint is
read off between grid ages. It is solved coarsely first, and then on grids twice as fine, among
intervals near those found before. The mean of the plan itself needs no grid of ages: it follows
from the survival function, from the last bit of work back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._checks import FloatArray, IntArray, comparable, nonnegative, positive, scalar, shown
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from .share import finite_uptime

_COARSE = 96  # grid cells of the first search
_CELLS = 64.0  # of the last search, in one interval of Young's rule
_MOST = 768
_NEAR = 3  # cells to either side of what was found on a coarser grid
_NEVER = 1e-12  # probability of an age from which on the rest of the work is one interval
_LONGEST = 200.0  # intervals of Young's rule in the work


@dataclass(frozen=True, slots=True, eq=False)
class AgeingPlan:
    """When a job writes checkpoints, and how long it takes then.

    Parameters
    ----------
    mean : float, [time]
        Mean wall time with this plan.
    intervals : ndarray, [time]
        Work between two checkpoints from the start of the job on, as long as nothing fails;
        shape (n,). They add up to the work.
    cell : float, [time]
        Of the grid of work: every interval is a multiple.
    after : tuple of ndarray, [-]
        For k cells of work left after a failure, number k of it: the intervals in cells.
    """

    mean: float
    intervals: FloatArray
    cell: float
    after: tuple[IntArray, ...]

    def after_failure(self, work_left: float) -> FloatArray:
        """Return the intervals from the end of a recovery on, [time], shape (n,).

        Parameters
        ----------
        work_left : float, [time]
            Work that no checkpoint holds; in (0, work]. Between grid points the last interval is
            shorter.
        """
        left = scalar(positive, "work_left", work_left)
        cells = left / self.cell
        count = math.ceil(cells * (1.0 - 1e-12))
        if count >= len(self.after):
            most = (len(self.after) - 1) * self.cell
            raise ValueError(f"work_left must be at most the work, {most:g}, got {left!r}")
        found = self.cell * self.after[count].astype(np.float64)
        ends = np.minimum(np.cumsum(found), left)
        ends[-1] = left
        found = np.diff(ends, prepend=0.0)
        return np.asarray(found[found > 0.0])


def optimal_plan_ageing(
    work: float,
    *,
    uptime: Lifetime,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float | Lifetime = 0.0,
) -> AgeingPlan:
    r"""Plan of checkpoints that minimises the mean wall time of a job on an ageing machine.

    .. math:: V_m S(t_1) = \int_0^{t_n} S(x) dx + D F(t_n)
              + \sum_{j \ge 2} (S(t_{j-1}) - S(t_j)) V_{m_{j-1}}

    with V_m the time from the end of a repair to the end of the job with work m left, t_j the age
    at which checkpoint j is complete and m_j the work then left; the t_j are those that make V_m
    least.

    Parameters
    ----------
    work : float, [time]
        Failure-free compute time of the job, checkpoints excluded; > 0, and at most 200 intervals
        of Young's rule.
    uptime : Lifetime, [time]
        Law of every uptime, from the age 0 at which the job starts and repairs end; its mean is
        finite.
    checkpoint_cost : float, [time]
        C, to write a checkpoint, also after the last interval; > 0.
    recovery_cost : float, [time]
        R, to read a checkpoint back, at the start of an uptime but the first; >= 0.
    downtime : float or Lifetime, [time]
        D, after each failure; fixed and >= 0, or a law of which the mean enters.

    Returns
    -------
    AgeingPlan
        With `mean`, `intervals` of the start and `after_failure`.

    Raises
    ------
    ValueError
        If no uptime is long enough for an interval.

    Notes
    -----
    Exact for the plan that is returned. Its intervals are multiples of a cell, a 64th of Young's
    interval or a 768th of the work if that is more: of 11 jobs drawn at random, each of 90 to 200
    of Young's intervals, the mean was at most 4e-4 above that of cells a quarter as long.
    Against equal intervals it gains 0.1 to 0.5 % of the wall time of a job of four mean uptimes for
    lognormal uptimes and a Weibull shape of 0.5, and 5 % for a bathtub, where a checkpoint before
    the machine wears out saves most.
    Source: derived in tests/derivations/test_ageing_plan.py; that a dynamic programme gives the
    plan was read in the abstract of [1]_.

    Judged for work/uptime 0.1 to 20, checkpoint_cost/uptime 0.003 to 0.1, recovery_cost/uptime
    0.001 to 0.1, downtime/uptime 0.001 to 1, cv of uptime 0.4 to 2.5. Times must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011. Only the abstract was seen.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> plan = optimal_plan_ageing(
    ...     96.0, uptime=Weibull(0.5, 12.0), checkpoint_cost=0.5, recovery_cost=0.75,
    ...     downtime=0.25,
    ... )
    >>> round(plan.mean, 2), plan.intervals[:3].round(1).tolist()
    (123.45, [3.1, 4.0, 4.6])
    """
    law = finite_uptime(uptime)
    down = downtime.mean if isinstance(downtime, Lifetime) else downtime
    job = _Job(
        law,
        scalar(positive, "work", work),
        scalar(positive, "checkpoint_cost", checkpoint_cost),
        scalar(nonnegative, "recovery_cost", recovery_cost),
        scalar(nonnegative, "downtime", down),
    )
    comparable(
        **{name: np.asarray(getattr(job, name)) for name in ("work", "cost", "recovery", "down")},
        uptime=np.asarray(law.mean),
    )
    young = math.sqrt(2.0 * job.cost) * math.sqrt(law.mean)
    if not job.work <= _LONGEST * young:
        raise ValueError(
            f"work must be at most {_LONGEST:g} intervals of Young's rule, {_LONGEST * young:g}, "
            f"got {job.work!r}: optimal_intervals_ageing has the intervals of a longer job"
        )
    return _planned(job, min(_CELLS * job.work / young, _MOST))


@dataclass(frozen=True, slots=True)
class _Job:
    """The uptimes and times of one job."""

    law: Lifetime
    work: float
    cost: float
    recovery: float
    down: float

    def used(self, age: FloatArray) -> FloatArray:
        """Return the mean of the uptime up to an age, [time]."""
        return np.asarray(self.law.partial_moment(age) + age * self.law.sf(age))


@dataclass(frozen=True, slots=True)
class _Choices:
    """The best intervals on a grid, in cells: after a failure, at other ages, and at the start."""

    count: int
    cell: float
    fresh: IntArray
    later: npt.NDArray[np.int16]
    first: int


def _planned(job: _Job, wanted: float) -> AgeingPlan:
    """Return the plan of the finest grid, and its mean."""
    size, choices = _COARSE, _best(job, _COARSE, None)
    while size < wanted:
        size *= 2
        choices = _best(job, size, None if choices is None else _near(choices))
    if choices is None:
        raise ValueError(
            "uptime must be long enough for a recovery, some work and a checkpoint, got "
            f"{shown(job.law)}"
        )
    return _followed(job, choices)


def _followed(job: _Job, choices: _Choices) -> AgeingPlan:
    """Return the plan that makes these choices, and its mean."""
    count, cell = choices.count, choices.cell
    never = float(job.law.ppf(1.0 - _NEVER))
    after: list[IntArray] = [np.empty(0, dtype=np.int64)]
    value = np.zeros(count + 1)
    for left in range(1, count + 1):
        chosen = _chosen(job, choices, left, job.recovery, int(choices.fresh[left]), never=never)
        value[left] = _mean(job, chosen, job.recovery, left, cell=cell, value=value)
        after.append(chosen)
    start = _chosen(job, choices, count, 0.0, choices.first, never=never)
    mean = _mean(job, start, 0.0, count, cell=cell, value=value)
    return AgeingPlan(mean, cell * start.astype(np.float64), cell, tuple(after))


def _chosen(
    job: _Job, choices: _Choices, left: int, age: float, interval: int, *, never: float
) -> IntArray:
    """Return the intervals, in cells, with which the work `left` is done from an age on."""
    found = []
    while left > 0:
        taken = min(interval, left) if age < never else left
        found.append(taken)
        left -= taken
        age += taken * choices.cell + job.cost
        place = min(round(age / choices.cell), choices.later.shape[1] - 1)
        interval = int(choices.later[left, place])
    return np.array(found)


def _mean(
    job: _Job, chosen: IntArray, age: float, left: int, *, cell: float, value: FloatArray
) -> float:
    """Return the mean time from an age of 0 on; at first the machine recovers up to `age`.

    After a failure in the first interval nothing has changed but at the start of the job, where
    `age` is 0 and `value` is already that of all the work.
    """
    done = np.cumsum(chosen)
    ends = age + cell * done + job.cost * np.arange(1.0, done.size + 1.0)
    alive = job.law.sf(ends)
    saved = value[left - done[:-1]]
    total = float(job.used(ends[-1:])[0] + job.down * job.law.cdf(ends[-1]))
    total += float(np.dot(alive[:-1] - alive[1:], saved))
    if value[left]:
        return total + float(job.law.cdf(ends[0])) * float(value[left])
    return total / float(alive[0])


def _near(choices: _Choices) -> Callable[[int, FloatArray], IntArray]:
    """Return what gives the choices of this grid for one twice as fine."""

    def guess(left: int, age: FloatArray) -> IntArray:
        row = choices.later[max((left + 1) // 2, 1)]
        places = np.minimum(np.rint(age / choices.cell).astype(np.int64), row.size - 1)
        return np.asarray(2 * row[places])

    return guess


def _best(
    job: _Job, count: int, guess: Callable[[int, FloatArray], IntArray] | None
) -> _Choices | None:
    """Return the best intervals on a grid of `count` cells, backwards from the end of the work.

    None, if no uptime is long enough for a cell.

    The value of an age is the time from then on, over the chance of that age: nothing is divided
    by a chance that may be tiny. Only what it has beyond a failure at that age is interpolated,
    which is of the order of an uptime also where the rest of the work is long.
    """
    cell = job.work / count
    young = math.sqrt(2.0 * job.cost) * math.sqrt(job.law.mean)
    room = job.recovery + job.work + job.cost * min(count, 2.0 * job.work / young + 8.0)
    size = min(math.ceil(room / cell) + 2, 4 * count + 64)
    age = cell * np.arange(size, dtype=np.float64)
    alive, used = job.law.sf(age), job.used(age)
    # When a checkpoint is complete that begins at a grid age, or at one beyond the grid.
    saved = cell * np.arange(size + count, dtype=np.float64) + job.cost
    alive_then, used_then = job.law.sf(saved), job.used(saved)
    ends = job.recovery + cell * np.arange(1.0, count + 1.0)  # of the first interval
    alive_first = job.law.sf(ends + job.cost)
    spent_first = job.used(ends + job.cost) + job.down * job.law.cdf(ends + job.cost)
    value = np.zeros((count + 1, size))  # at the end of a checkpoint that begins at a grid age
    beyond = np.zeros((count + 1, size))  # the same less that of a failure then
    failing = np.zeros(count + 1)  # the time from a failure on
    fresh = np.ones(count + 1, dtype=np.int64)
    later = np.ones((count + 1, size), dtype=np.int16)
    index, tried = np.arange(size), np.arange(1, count + 1)
    within = max(int(np.count_nonzero(alive_first)), 1)  # a longer interval never ends
    for left in range(1, count + 1):
        rest = _between(beyond[left - tried[:left]], ends[:left] / cell)
        rest = rest + alive_first[:left] * failing[left - tried[:left]]
        with np.errstate(all="ignore"):
            whole = (spent_first[:left] + rest) / alive_first[:left]
        whole[~(alive_first[:left] > 0.0)] = np.inf
        fresh[left] = 1 + int(np.argmin(whole))
        failing[left] = job.down + whole[fresh[left] - 1]
        if not math.isfinite(failing[left]):
            return None
        around = (
            tried[: min(left, within), None]
            if guess is None
            else guess(left, age) + np.arange(-_NEAR, _NEAR + 1)[:, None]
        )
        best = np.full(size, np.inf)
        for row in around:
            taken = np.minimum(np.maximum(row, 1), left)
            then = index + taken
            found = used_then[then] - used + (alive - alive_then[then]) * failing[left]
            found = found + value[left - taken, np.minimum(then, size - 1)]
            better = found < best
            np.copyto(best, found, where=better)
            np.copyto(later[left], taken, where=better, casting="same_kind")
        beyond[left] = _shifted(best - alive * failing[left], job.cost / cell)
        value[left] = beyond[left] + alive_then[:size] * failing[left]
    with np.errstate(all="ignore"):
        start = used_then[tried] + (1.0 - alive_then[tried]) * failing[count]
    first = 1 + int(np.argmin(start + value[count - tried, tried]))
    return _Choices(count, cell, fresh, later, first)


def _shifted(row: FloatArray, by: float) -> FloatArray:
    """Return the values `by` cells later, by linear interpolation; the last one beyond."""
    places = np.arange(row.size) + by
    return np.asarray(np.interp(places, np.arange(row.size), row))


def _between(rows: FloatArray, places: FloatArray) -> FloatArray:
    """Return in each row the value at its place, by linear interpolation."""
    low = np.minimum(places, rows.shape[1] - 2).astype(np.int64)
    share = np.minimum(places - low, 1.0)
    index = np.arange(rows.shape[0])
    return np.asarray((1.0 - share) * rows[index, low] + share * rows[index, low + 1])


ROWS = (
    Formula(
        optimal_plan_ageing,
        "derived",
        "dynamic programme over work left and age",
        "exact",
        ranges={
            "work/uptime": (0.1, 20.0),
            "checkpoint_cost/uptime": (0.003, 0.1),
            "recovery_cost/uptime": (1e-3, 0.1),
            "downtime/uptime": (1e-3, 1.0),
            "cv of uptime": (0.4, 2.5),
        },
        trend=Trend(rising=("work", "recovery_cost", "downtime")),
    ),
)
