r"""Several tasks at once: the slowest decides, and checkpoints adapt to how many there are.

Tasks are independent, run on nodes of their own and meet at the end only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from scipy import special

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    fraction,
    nonnegative,
    positive,
    scalar,
    shown,
    whole,
)
from .._ranges import LAW_OF_JOB
from .._special import in_one_unit
from ..completion import CompletionTime, exact_makespan
from ..formula import Formula, Trend
from ..interval import best_segments, optimal_interval
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import law_of
from ..makespan import expected_makespan, makespan_variance
from .extremes import SlowestCompletionTime, nearly_mean

_MOST = 2.0**40  # segments that are told apart
_STEADY = 1e8  # mtbfs, beyond which even a task in a million deviates by less than 1 in 1000


@overload
def slowest_of(distribution: CompletionTime, count: float) -> SlowestCompletionTime: ...


@overload
def slowest_of(
    distribution: CompletionTime, count: Sequence[Any] | npt.NDArray[Any]
) -> npt.NDArray[np.object_]: ...


def slowest_of(
    distribution: CompletionTime, count: ArrayLike
) -> SlowestCompletionTime | npt.NDArray[np.object_]:
    r"""Distribution of the slowest of `count` tasks of the same law.

    .. math:: P(T_{max} \le t) = P(T \le t)^m

    Parameters
    ----------
    distribution : CompletionTime, [time]
        Of one task.
    count : int or array_like, [-]
        m, number of tasks; >= 1.

    Returns
    -------
    SlowestCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`. For an
        array of counts an array of laws of the same shape.

    Notes
    -----
    Exact but for the error of one task's sf, of which m times as much is left: the power is
    taken in log1p(-sf). The moments are integrals of sf by Gauss-Legendre rules, halved until
    they settle; what a heavy tail adds beyond sf = 1e-13 is taken from the moments of one task,
    which for one task are the answer. Independent tasks. Mean and std take up to some 15 s where
    failures strike repairs that take a few recorded values, cdf and percentiles far less.
    Source: [1]_, eq. (8).

    Judged for count 1 to 1e6, interval/mtbf 1e-4 to 50, work/interval 1 to 1e6,
    checkpoint_cost/interval 1e-4 to 10, cv of downtime 0 to 30, recovery_cost/interval 1e-4 to 10,
    downtime/mtbf 0.001 to 1000, downtime/mtbf at risk 0.001 to 0.95. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import exact_makespan
    >>> task = exact_makespan(100.0, interval=5.0, mtbf=50.0, checkpoint_cost=0.3, downtime=1.0)
    >>> round(task.mean, 2), round(slowest_of(task, 1000).mean, 2)
    (114.06, 141.9)
    """
    law, counts = _law(distribution), whole("count", count)
    if counts.ndim == 0:
        return SlowestCompletionTime((law,), (float(counts),))
    laws = np.empty(counts.shape, dtype=np.object_)
    for index in np.ndindex(counts.shape):
        laws[index] = SlowestCompletionTime((law,), (float(counts[index]),))
    return laws


def slowest(distributions: Sequence[CompletionTime]) -> SlowestCompletionTime:
    r"""Distribution of the slowest of several tasks, each with a law of its own.

    .. math:: P(T_{max} \le t) = \prod_{k=1}^{m} P(T_k \le t)

    Parameters
    ----------
    distributions : sequence of CompletionTime, [time]
        One per task; the same object may occur many times.

    Returns
    -------
    SlowestCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`.

    Raises
    ------
    ValueError
        If `distributions` is empty.

    Notes
    -----
    Exact, as `slowest_of`, and as slow for its mean and std at worst. Independent tasks. At
    each time laws are left out that together change log P(T_max <= t) by less than 1 in 1e11, by
    Chernoff's bound; from the moments of more than 8 laws, also those that together change sf by
    less than 1e-14. 300 different laws take some 7 s; where each has a shape of downtime of its
    own, 20.
    Source: [1]_, eq. (8).

    Judged for interval/mtbf 1e-4 to 50, work/interval 1 to 1e6, checkpoint_cost/interval 1e-4 to
    10, cv of downtime 0 to 30, recovery_cost/interval 1e-4 to 10, downtime/mtbf 0.001 to 1000,
    downtime/mtbf at risk 0.001 to 0.95. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import exact_makespan
    >>> slow = exact_makespan(100.0, interval=5.0, mtbf=50.0, checkpoint_cost=0.3)
    >>> fast = exact_makespan(50.0, interval=5.0, mtbf=50.0, checkpoint_cost=0.3)
    >>> round(slow.mean, 3), round(slowest([slow, slow, fast]).mean, 3)
    (111.822, 114.404)
    """
    groups: dict[int, tuple[CompletionTime, float]] = {}
    for law in distributions:
        _, count = groups.get(id(law), (law, 0.0))
        groups[id(law)] = (_law(law), count + 1.0)
    if not groups:
        raise ValueError("distributions must be non-empty, got no task")
    laws, counts = zip(*groups.values(), strict=True)
    return SlowestCompletionTime(laws, counts)


def optimal_interval_parallel(
    tasks: ArrayLike,
    *,
    work: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: float | Lifetime = 0.0,
    quantile: float | None = None,
) -> FloatArray:
    r"""Interval that makes the slowest of parallel tasks finish earliest, on average.

    .. math:: w^*_m = W/K^*, \quad K^* = \operatorname{arg}\min_K E[\max(T_1, \ldots, T_m)]

    Parameters
    ----------
    tasks : array_like, [-]
        m, number of tasks, each on a node of its own; whole and >= 1.
    work : array_like, [time]
        W, failure-free compute time of each task, checkpoints excluded; > 0.
    mtbf : array_like, [time]
        Mean uptime of one node between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; > 0 and >= 0.
    downtime : float or Lifetime, [time]
        D, fixed and >= 0, or a law.
    quantile : float, optional, [-]
        In (0, 1): minimise this quantile of the slowest task instead of its mean.

    Returns
    -------
    ndarray, [time]
        Work per segment, an even share of `work`. Shape: the arrays broadcast together.

    Raises
    ------
    ValueError
        If what is minimised is infinite, as the mean is where that of the downtime is; or
        checkpoints are so cheap that more than 2^40 segments are best, but for the mean of one task
        and for work beyond 1e8 mtbf.

    Notes
    -----
    Exact for the process of `exact_makespan`: the minimum over equal segments, beyond 1000 of
    them to 1 in 1000, sought from the best number for gamma times of one task's mean and deviation.
    Means are compared to 1e-10, without what lies beyond a probability of 1e-13 a task. That there
    is no other minimum is assumed, not proved; brute force found none. The interval falls
    as tasks grow, because the slowest task is one with many failures, for which shorter
    segments pay; [1]_, section 3, says that it does not depend on the number of nodes, which
    holds for the mean of one task only.
    Source: derived.

    Judged for tasks 1 to 1000, work/mtbf 0.1 to 10, checkpoint_cost/mtbf 0.001 to 0.1. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> optimal_interval_parallel(
    ...     [1, 128], work=120.0, mtbf=100.0, checkpoint_cost=0.2, downtime=1.0
    ... ).round(2).tolist()
    [6.32, 2.86]
    """
    if quantile is not None and not 0.0 < scalar(fraction, "quantile", quantile) < 1.0:
        raise ValueError(f"quantile must be in (0, 1), got {quantile!r}")
    arrays = broadcast(
        tasks=whole("tasks", tasks),
        work=positive("work", work),
        mtbf=positive("mtbf", mtbf),
        checkpoint_cost=positive("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
    )
    result = np.empty(arrays[0].shape)
    for index in np.ndindex(result.shape):
        m, w, mu, c, r = (float(array[index]) for array in arrays)
        job = {"mtbf": mu, "checkpoint_cost": c, "recovery_cost": r}
        fewest = float(best_segments(w, mtbf=mu, checkpoint_cost=c))
        if fewest > _MOST and law_of("downtime", downtime).mean < math.inf:
            if w <= _STEADY * mu and (m > 1.0 or quantile is not None):
                raise ValueError(
                    f"checkpoint_cost must be such that at most {_MOST:.2g} segments are best, "
                    f"or work beyond {_STEADY:g} mtbf, got {c!r}: the slowest task has no digits"
                )
            # That of the mean of one task: next to its mean so long a task does not vary.
            result[index] = optimal_interval(mtbf=mu, checkpoint_cost=c)
            continue

        near, costs = _without_overflow(w, {**job, "downtime": downtime})

        def objective(segments: int, m: float = m, near: float = near, costs: Any = costs) -> float:
            task = exact_makespan(near, interval=near / segments, **costs)
            law = slowest_of(task, int(m))
            return nearly_mean(law) if quantile is None else float(law.ppf(quantile))

        value = cache(objective)
        # That of the mean of as many normal times, by Blom's formula.
        level = quantile ** (1.0 / m) if quantile is not None else (m - 0.375) / (m + 0.25)
        guess = _Guess(near, costs, int(fewest), level)
        result[index] = w / _least(value, _likely(value, guess))
    return answer(result, tasks, work, mtbf, checkpoint_cost, recovery_cost)


def _without_overflow(work: float, job: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """Return the work and the job in a unit in which squares of times are floats."""
    downtime = law_of("downtime", job["downtime"])
    names = ("mtbf", "checkpoint_cost", "recovery_cost")
    unit, *times = map(float, in_one_unit(*map(np.asarray, (work, *(job[name] for name in names)))))
    try:
        repair = downtime.scaled(1.0 / unit) if downtime.mean > 0.0 else downtime
    except ValueError:  # its parameters would leave the floats
        return work, job
    return times[0], dict(zip(names, times[1:], strict=True)) | {"downtime": repair}


@dataclass(frozen=True, slots=True)
class _Guess:
    """The time of the slowest by closed forms, as if a task lost a gamma time.

    Parameters
    ----------
    work, job : float and dict, [time]
        Of one task.
    fewest : int, [-]
        Segments that are best for the mean of one task.
    level : float, [-]
        Probability of one task to be done by the time.
    """

    work: float
    job: Any
    fewest: int
    level: float

    def parts(self, segments: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the mean of one task, and how much later the slowest is, [time]."""
        given = {**self.job, "interval": self.work / segments}
        with np.errstate(all="ignore"):
            mean = expected_makespan(self.work, **given)
            variance = makespan_variance(self.work, **given)
            lost = mean - self.work - segments * self.job["checkpoint_cost"]
            shape = lost * lost / variance
            return mean, variance / lost * (special.gammaincinv(shape, self.level) - shape)

    def best(self, late: Callable[[FloatArray], Any]) -> int:
        """Return the best number of segments if the slowest is `late` times as much later."""
        numbers: FloatArray = self.fewest * np.geomspace(0.25, 8.0, 60)
        for _ in range(2):  # the second time between those beside the best
            numbers = np.unique(np.maximum(np.round(numbers), 1.0))
            mean, later = self.parts(numbers)
            times = mean + late(numbers) * later
            if not np.isfinite(times).any():
                return self.fewest
            best = int(np.argmin(np.where(np.isfinite(times), times, np.inf)))
            found = int(numbers[best])
            low, high = numbers[max(best - 1, 0)], numbers[min(best + 1, numbers.size - 1)]
            numbers = np.linspace(low, high, 200)
        return found

    def late(self, segments: int, time: float) -> float:
        """Return how many times as late a time [time] of the slowest is as guessed, [-]."""
        mean, later = self.parts(np.asarray(float(segments)))
        with np.errstate(all="ignore"):
            return float((time - mean) / later)


def _likely(value: Callable[[int], float], guess: _Guess) -> int:
    """Return the number of segments that is best if guesses are off as those of two numbers are."""
    first = guess.best(lambda segments: 1.0)
    late = guess.late(first, value(first))
    if not math.isfinite(late):
        return first
    second = guess.best(lambda segments: late)
    if second == first:
        return first
    apart = math.log(second / first)
    slope = (guess.late(second, value(second)) - late) / apart
    if not math.isfinite(slope):
        return second
    far = 2.0 * abs(apart)
    return guess.best(lambda segments: late + slope * np.clip(np.log(segments / first), -far, far))


def _least(value: Callable[[int], float], start: int) -> int:
    """Return the whole number >= 1 at which a falling, then rising function is least.

    Above 1000 it is found to within 1 in 1000, because the function is flat there. A start that
    is right costs three values.
    """
    if not value(start) < math.inf:
        raise ValueError(
            "work must be such that the slowest task ends, got inf for its time at "
            f"{start} segments: give a quantile, cheaper checkpoints or a longer mtbf"
        )
    # Close to a start that is likely right; if it is not, up to twice as far, and so on.
    step = max(1, start // 2000)
    low, middle, high = max(1, start - step), start, start + step
    while low > 1 and value(low) < value(middle):
        low, middle, high = max(1, low // 2), low, middle
    while value(high) < value(middle):
        low, middle, high = middle, high, 2 * high
    if low == 1 and value(1) < value(middle):
        low, middle, high = 1, 1, middle
    widths: list[int] = []
    while max(middle - low, high - middle) > (near := max(1, high // 2000)):
        width = high - low
        probe = _lowest(low, middle, high, value)
        # Where parabolas do not halve the width in two probes, halve the wider side.
        slow = len(widths) > 1 and 2 * width > widths[-2]
        widths.append(width)
        if probe is None or (slow and abs(probe - middle) >= near):
            probe = (middle + high) // 2 if high - middle >= middle - low else (low + middle) // 2
        elif abs(probe - middle) < near:
            probe = middle + near if high - middle >= middle - low else middle - near
        if probe in (low, middle, high):
            break
        if value(probe) < value(middle):
            low, middle, high = (middle, probe, high) if probe > middle else (low, probe, middle)
        elif probe > middle:
            high = probe
        else:
            low = probe
    return min((low, middle, high), key=value)


def _lowest(low: int, middle: int, high: int, value: Callable[[int], float]) -> int | None:
    """Return where a parabola in log K through three points is lowest; None if it is flat."""
    left, right = math.log(middle / low), math.log(high / middle)
    fall, rise = value(low) - value(middle), value(high) - value(middle)
    bend = left * rise + right * fall
    if not 0.0 < bend < math.inf:
        return None
    place = middle * math.exp(0.5 * (right * right * fall - left * left * rise) / bend)
    return min(max(round(place), low + 1), high - 1)


def _law(value: CompletionTime) -> CompletionTime:
    if not isinstance(value, CompletionTime):
        raise TypeError(f"distribution must be a completion time, got {shown(value)}")
    return value


ROWS = (
    Formula(
        slowest_of,
        "wsj",
        "(8)",
        "exact",
        ranges={"count": (1.0, 1e6), **LAW_OF_JOB},
        trend=Trend(rising=("count",)),
    ),
    Formula(
        slowest,
        "wsj",
        "(8)",
        "exact",
        ranges=LAW_OF_JOB,
        trend=Trend(),
    ),
    Formula(
        optimal_interval_parallel,
        "derived",
        "minimum of (8)",
        "exact",
        ranges={"tasks": (1.0, 1e3), "work/mtbf": (0.1, 10.0), "checkpoint_cost/mtbf": (1e-3, 0.1)},
        trend=Trend(),
    ),
)
