r"""Useful share of a long job whose uptimes have any law, and the intervals that maximise it.

The job is that of `perfmodel.ageing.makespan`, much longer than an uptime. Work saved in an uptime
adds up, and an uptime with its repair lasts as long whatever the intervals: the useful share of
time is the mean work saved in an uptime over the mean of uptime and downtime. What maximises the
one maximises the other; downtimes do not matter, and neither does the work that is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.optimize import minimize_scalar

from .._checks import (
    ArrayLike,
    FloatArray,
    comparable,
    nonempty,
    nonnegative,
    positive,
    scalar,
    shown,
)
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import moments
from .makespan import checked_uptime

_TERMS = 4000  # checkpoints of an uptime that are added up one by one
_OVER = 1e-17  # chance that an uptime is longer, below which no more are added
_SHARP, _WIDE = 16.0, 40.0  # periods of a deviation; deviations, beyond which no uptime ends
_AGES = np.exp2(np.arange(-8.0, 240.0) / 4.0)  # in mean uptimes, of which one is over
_NODES = np.linspace(-4.0, 3.5, 151)  # of the integral of a tail, far beyond its ends
_SMALL = 1e-3  # of a mean uptime: a difference that small has lost three digits
_GRID = 600
_TOGETHER = 50  # intervals, of which a cache holds all terms
_LEAST_COST = 1e-10
_JUST_IN_TIME = 1000  # intervals that end just before recorded uptimes do; more are as if smooth
_ROUNDED = 1e-14  # of an uptime, by which they end before it
_NEAR, _CLIMBED = 0.985, 0.99  # of the best: where more are tried, and peaks are climbed

COSTS_AGEING = {
    "checkpoint_cost/uptime": (1e-4, 0.3),
    "recovery_cost/uptime": (1e-4, 0.3),
    "cv of uptime": (0.2, 5.0),
}


def useful_share_ageing(
    intervals: ArrayLike,
    *,
    uptime: Lifetime,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float | Lifetime = 0.0,
) -> float:
    r"""Share of time in which a long job does work that it keeps, for any intervals by age.

    .. math:: \frac{\sum_i w_i S(R + \sum_{j \le i} (w_j + C))}{E[X] + E[D]}

    with w_i the intervals of one uptime X, S its survival function, C, R and D the costs of a
    checkpoint, a recovery and a repair.

    Parameters
    ----------
    intervals : array_like, [time]
        Work between two checkpoints, from the start of an uptime on; the last one is repeated. A
        number, or shape (n,); > 0.
    uptime : Lifetime, [time]
        Law of every uptime, with a finite mean.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint and to read one back; >= 0.
    downtime : float or Lifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.

    Returns
    -------
    float, [-]
        The share, below 1.

    Notes
    -----
    Exact in the long run, for a machine that each failure renews. Beyond 4000 repetitions of the
    last interval an integral takes over where uptimes end over many intervals.
    Source: derived in tests/derivations/test_ageing.py; the ratio of two means is that of [1]_.

    Judged for checkpoint_cost/uptime 1e-4 to 0.3, recovery_cost/uptime 1e-4 to 0.3, cv of uptime
    0.2 to 5. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> round(useful_share_ageing(3.1694, uptime=Weibull(0.5, 12.0), checkpoint_cost=1 / 6), 6)
    0.897039
    """
    law = finite_uptime(uptime)
    w = nonempty("intervals", positive("intervals", intervals))
    if w.ndim > 1:
        raise ValueError(f"intervals must be a number or a list, got shape {w.shape}")
    cost = scalar(nonnegative, "checkpoint_cost", checkpoint_cost)
    recovery = scalar(nonnegative, "recovery_cost", recovery_cost)
    down = scalar(nonnegative, "downtime", moments("downtime", downtime)[0])
    costs = _arrays(checkpoint_cost=cost, recovery_cost=recovery, downtime=down)
    comparable(intervals=w, uptime=np.asarray(law.mean), **costs)
    return saved_work(law, np.atleast_1d(w), cost, recovery) / (law.mean + down)


def optimal_interval_ageing(
    *, uptime: Lifetime, checkpoint_cost: float, recovery_cost: float = 0.0
) -> float:
    r"""Constant interval that maximises the useful share of a long job, for any law of uptimes.

    Parameters
    ----------
    uptime : Lifetime, [time]
        Law of every uptime, with a finite mean.
    checkpoint_cost : float, [time]
        To write a checkpoint; > 0.
    recovery_cost : float, [time]
        To read a checkpoint back, at the start of an uptime; >= 0.

    Returns
    -------
    float, [time]
        Work per segment, checkpoint excluded.

    Raises
    ------
    ValueError
        If the checkpoint cost is below 1e-10 mean uptimes, or no interval saves any work.

    Notes
    -----
    Exact up to the search, 1e-5 of the interval where both costs fit into one uptime in a hundred:
    a bathtub has a dozen and more local maxima, so that 600 intervals between two proved bounds are
    tried, 600 more where these come near the best, and the peaks among them climbed. Of a record
    of up to 1000 different uptimes intervals that end just before one of them are tried as well.
    The share does not depend on the downtime but for a factor, and its maximum only slightly on
    the recovery.
    Source: derived in tests/derivations/test_ageing.py; the objective is that of [1]_.

    Judged for checkpoint_cost/uptime 1e-4 to 0.3, recovery_cost/uptime 1e-4 to 0.3, cv of uptime
    0.2 to 5. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011. Only the abstract was seen.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> round(optimal_interval_ageing(uptime=Weibull(0.5, 12.0), checkpoint_cost=1 / 6), 4)
    3.1694
    """
    law = finite_uptime(uptime)
    cost = scalar(positive, "checkpoint_cost", checkpoint_cost)
    recovery = scalar(nonnegative, "recovery_cost", recovery_cost)
    comparable(**_arrays(uptime=law.mean, checkpoint_cost=cost, recovery_cost=recovery))
    if cost < _LEAST_COST * law.mean:
        raise ValueError(
            f"checkpoint_cost must be >= {_LEAST_COST:g} mean uptimes, got {cost / law.mean!r}"
        )
    return best_of_tries(law, cost, recovery, _GRID)


def best_of_tries(law: Lifetime, cost: float, recovery: float, tries: int) -> float:
    """Return the interval that saves most, of so many tried at first, [time]."""
    saved = partial(saved_by_each, law, cost=cost, recovery=recovery, until=_over(law))

    # Work saved is below w/(w + C) of an uptime, and below what uptimes above w last.
    some = np.append(law.mean * np.array([0.01, 0.1, 0.3, 1.0]), np.sqrt(2.0 * cost * law.mean))
    first = float(saved(some).max())
    low = 0.999 * cost * first / max(law.mean - first, 1e-300)
    high = _largest(law, max(first, 1e-12 * law.mean))
    low = min(max(low, 1e-9 * high), 0.5 * high)
    # An uptime ends recovered work, too: no more than this is saved, and less by all checkpoints.
    most = law.mean - float(law.partial_moment(recovery)) - recovery * float(law.sf(recovery))
    some = _just_in_time(law, (low, high), cost, recovery, most=_JUST_IN_TIME)
    grid = np.unique(np.append(np.geomspace(low, high, tries), some))
    values = saved(grid)
    if not values.max() > 0.0:
        raise ValueError(
            "checkpoint_cost and recovery_cost must leave time in some uptime, got "
            f"{cost + recovery!r} with a mean uptime of {law.mean!r}"
        )
    # Peaks of a bathtub are as near as one more segment in an uptime: look closer where it counts.
    good = np.flatnonzero(values >= _NEAR * values.max())
    near = np.geomspace(grid[max(good[0] - 1, 0)], grid[min(good[-1] + 1, grid.size - 1)], tries)
    values = np.append(values, saved(near))
    grid, first_of = np.unique(np.append(grid, near), return_index=True)
    values = values[first_of]
    inner = np.flatnonzero((values >= np.roll(values, 1)) & (values >= np.roll(values, -1)))
    peaks = [int(i) for i in inner if values[i] >= _CLIMBED * values.max()]
    best, place = -np.inf, 0.0
    for peak in reversed(peaks or [int(np.argmax(values))]):
        ends = grid[max(peak - 1, 0)], grid[min(peak + 1, grid.size - 1)]
        # Shorter ones than this lose more by checkpoints alone.
        if ends[1] < 0.999 * cost * best / max(most - best, 1e-300):
            break
        some = _just_in_time(law, ends, cost, recovery, most=_TOGETHER)
        near = np.append([_climbed(saved, ends), grid[peak]], some)
        found = saved(near)
        highest = int(np.argmax(found))
        if found[highest] > best:
            best, place = float(found[highest]), float(near[highest])
    return place


def _climbed(saved: Callable[[FloatArray], FloatArray], ends: tuple[float, float]) -> float:
    found = minimize_scalar(
        lambda x: -float(saved(np.exp([x]))[0]),
        bounds=(math.log(ends[0]), math.log(ends[1])),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return float(np.exp(found.x))


def _just_in_time(
    law: Lifetime, ends: tuple[float, float], cost: float, recovery: float, *, most: int
) -> FloatArray:
    """Return intervals of which so many end just before a recorded uptime does, `most` or none.

    Between any two of these the work saved rises with the interval, and it falls at each.
    """
    known = law.atoms()
    if known is None:
        return np.empty(0)
    left = known[0][known[0] > recovery] - recovery
    if not 0 < left.size <= most:
        return np.empty(0)
    few, many = (np.ceil(left / (end + cost)).clip(1.0) for end in reversed(ends))
    counts = np.minimum(many - few + 1.0, max(most // left.size, 1)).astype(np.intp)
    begins = np.cumsum(counts) - counts
    number = np.repeat(few, counts) + np.arange(counts.sum()) - np.repeat(begins, counts)
    whole = np.repeat(left + recovery, counts)
    found = np.repeat(left, counts) / number - cost - _ROUNDED * whole / number
    return np.asarray(found[(found > ends[0]) & (found < ends[1])])


def _arrays(**numbers: float) -> dict[str, FloatArray]:
    return {name: np.asarray(number) for name, number in numbers.items()}


def finite_uptime(uptime: Lifetime) -> Lifetime:
    """Return `uptime`, or raise if it is not a law of a finite mean."""
    law = checked_uptime(uptime)
    if not 0.0 < law.mean < np.inf:
        raise ValueError(f"uptime must have a finite mean > 0, got {shown(law)}")
    return law


def saved_work(law: Lifetime, intervals: FloatArray, cost: float, recovery: float) -> float:
    """Return the mean work saved in one uptime, [time]; the last interval is repeated."""
    ends = recovery + np.cumsum(intervals + cost)
    again = _repeated(law, intervals[-1:], cost, ends[-1:], _over(law, float(law.sf(ends[0]))))
    return float(np.dot(intervals, law.sf(ends)) + again[0])


def saved_by_each(
    law: Lifetime,
    intervals: FloatArray,
    *,
    cost: float,
    recovery: float,
    until: float | None = None,
) -> FloatArray:
    """Return the mean work saved in one uptime by each constant interval, [time]; shape (n,).

    No uptime is longer than `until`, found here if it is not given.
    """
    end = _over(law) if until is None else until
    parts = np.array_split(intervals, math.ceil(intervals.size / _TOGETHER))
    return np.concatenate(
        [_repeated(law, part, cost, np.full(part.size, recovery), end) for part in parts]
    )


def _repeated(
    law: Lifetime, intervals: FloatArray, cost: float, ages: FloatArray, until: float
) -> FloatArray:
    """Return the mean work saved by each interval, repeated from an age on, [time]; shape (n,).

    No uptime is longer than `until`.
    """
    periods = intervals + cost
    counts = np.ceil(np.clip((until - ages) / periods, 1.0, _TERMS)).astype(np.intp)
    begins = np.cumsum(counts) - counts
    number = np.arange(1.0, float(counts.sum()) + 1.0) - np.repeat(begins, counts)
    passed = law.sf(np.repeat(ages, counts) + np.repeat(periods, counts) * number)
    saved = intervals * np.add.reduceat(passed, begins)
    more = counts == _TERMS
    if more.any():
        saved[more] += intervals[more] * _left(law, ages[more], periods[more])
    return saved


def _left(law: Lifetime, ages: FloatArray, periods: FloatArray) -> FloatArray:
    """Return how many periods end within an uptime in the mean, after the first `_TERMS`."""
    rest = ages + periods * (_TERMS + 0.5)
    beyond = law.sf(rest)
    longer = _longer(law, rest, beyond)
    # Each term stands for the period around it, to the fourth order by Euler and Maclaurin.
    steep = law.sf(rest + 0.5 * periods) - law.sf(rest - 0.5 * periods)
    found = np.where(beyond > 0.0, np.maximum(longer / periods + steep / 24.0, 0.0), 0.0)
    # Where uptimes end within few periods an integral would not see in which.
    sharp = law.atoms() is not None or law.std < np.minimum(_SHARP * periods, 0.1 * law.mean)
    for at in np.flatnonzero((beyond > 0.0) & sharp):
        found[at] = _left_one_by_one(law, float(ages[at]), float(periods[at]))
    return found


def _longer(law: Lifetime, ages: FloatArray, beyond: FloatArray) -> FloatArray:
    """Return the mean time by which uptimes outlast each age, zero where none does, [time]."""
    longer = law.mean - law.partial_moment(ages) - ages * beyond
    # A small rest of the mean has lost its digits: its integral has not.
    lost = (longer < _SMALL * law.mean) & (beyond > 0.0) & (law.atoms() is None)
    if lost.any():
        unit = 1.0 / np.maximum(law.hazard(ages[lost]), 1.0 / law.mean)
        times = unit[:, None] * np.exp(0.5 * np.pi * np.sinh(_NODES))
        weights = 0.5 * np.pi * np.cosh(_NODES) * times * (_NODES[1] - _NODES[0])
        longer[lost] = (law.sf(ages[lost, None] + times) * weights).sum(axis=1)
    return np.asarray(longer)


def _left_one_by_one(law: Lifetime, age: float, period: float) -> float:
    known = law.atoms()
    if known is not None:
        ended = np.ceil((known[0] - age) / period) - 1.0
        return float(np.maximum(ended - _TERMS, 0.0) @ known[1])
    first, last = ((law.mean + side * _WIDE * law.std - age) / period for side in (-1.0, 1.0))
    begin = max(_TERMS, math.floor(first))
    ends = age + period * np.arange(begin + 1.0, max(math.ceil(last), begin + 1) + 1.0)
    return begin - _TERMS + float(law.sf(ends).sum())


def _over(law: Lifetime, of: float = 1.0) -> float:
    """Return a time beyond which no digit is added to a chance `of` an uptime; inf if none is."""
    over = law.sf(law.mean * _AGES) <= _OVER * of
    return law.mean * float(_AGES[np.argmax(over)]) if over.any() else math.inf


def _largest(law: Lifetime, saved: float) -> float:
    """Return the interval above which not even `saved` is in uptimes that are longer."""
    low, high = 0.0, float(law.ppf(1.0 - 1e-14))
    for _ in range(15):
        ends = np.array([low, high])
        for _ in range(4):  # halves of halves together: sixty calls took longer than the tries
            ends = np.insert(ends, np.arange(1, ends.size), 0.5 * (ends[:-1] + ends[1:]))
        enough = law.mean - law.partial_moment(ends[1:-1]) >= saved
        place = int(np.argmin(np.append(enough, False)))
        low, high = float(ends[place]), float(ends[place + 1])
    return high


ROWS = (
    Formula(
        useful_share_ageing,
        "derived",
        "renewal at each failure",
        "exact",
        ranges=COSTS_AGEING,
        trend=Trend(falling=("checkpoint_cost", "recovery_cost", "downtime")),
    ),
    Formula(
        optimal_interval_ageing,
        "derived",
        "renewal at each failure",
        "exact",
        ranges=COSTS_AGEING,
        trend=Trend(),
    ),
)
