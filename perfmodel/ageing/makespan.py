r"""Makespan of a job on one machine whose uptimes have any law, renewed by each failure.

The job is that of `perfmodel.makespan`: it computes for `interval`, writes a checkpoint, computes
on. It starts on a new machine. Each failure makes the machine as good as new, after a downtime;
then its age grows through recovery, work and checkpoints until it fails again. Failures strike
during compute, checkpoint and recovery, never during downtime; a checkpoint that ends at the
instant of a failure does not count. Platforms of many nodes are in `perfmodel.ageing.platform`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, comparable, shown
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..makespan.segments import Job, checked_job
from ._cells import Cells, cells, first_cell

_MOST = 20_000  # segments: the work grows as their square

JOB_AGEING = {
    "interval/uptime": (0.01, 1.0),
    "work/interval": (1.0, 200.0),
    "checkpoint_cost/interval": (1e-3, 1.0),
    "recovery_cost/interval": (1e-3, 1.0),
    "downtime/uptime": (1e-3, 1.0),
    "cv of uptime": (0.3, 4.0),
}


def expected_makespan_ageing(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    uptime: Lifetime,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Mean wall time of a job whose uptimes have any law, each failure renewing the machine.

    .. math::
        E[T_0] &= \int_0^{L_0} S(x) dx + \sum_m P(X \in m) (D + E[V_m]) \\
        E[V_j] &= \int_0^{L_j} S(x) dx + \sum_{m \ge j} P(X \in m) (D + E[V_m])

    with X an uptime, S its survival function, and V_j the time from the start of a recovery to
    the end of the job with j segments saved. L_j is the busy time that is left, recovery
    included; X is in m if it ends when m segments are saved.

    Parameters
    ----------
    work : array_like, [time]
        Failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        Work per segment, checkpoint excluded; > 0, and at least work/20000. From `work` on, inf
        too: a single segment.
    uptime : Lifetime, [time]
        Law of every uptime, from the age 0 at which the job starts and repairs end.
    checkpoint_cost, recovery_cost : array_like, [time]
        To write a checkpoint and to read one back; >= 0.
    downtime : array_like or Lifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. inf where no uptime is long enough for a segment;
        overflow gives inf.

    Notes
    -----
    Exact, by linear equations that are solved from the last segment back; quadrature enters only
    where a law has a density, in cells in which it is smooth. The time taken grows as the square
    of the number of segments: 200 take about 2 ms.
    Source: derived in tests/derivations/test_ageing.py; renewal equations as in [1]_.

    Judged for interval/uptime 0.01 to 1, work/interval 1 to 200, checkpoint_cost/interval 0.001 to
    1, recovery_cost/interval 0.001 to 1, downtime/uptime 0.001 to 1, cv of uptime 0.3 to 4. Times
    must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; the equations are derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> t = expected_makespan_ageing(
    ...     96.0, interval=4.0, uptime=Weibull(0.5, 12.0), checkpoint_cost=0.5,
    ...     recovery_cost=0.75, downtime=0.25,
    ... )
    >>> round(float(t), 7)
    124.4523765
    """
    job = ageing_job(
        work,
        interval=interval,
        uptime=uptime,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    found = each(job, lambda one: one.busy + lost_time(uptime, one).mean)
    return answer(found, work, interval, checkpoint_cost, recovery_cost, downtime)


def makespan_variance_ageing(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    uptime: Lifetime,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Variance of the wall time of a job whose uptimes have any law, renewed by each failure.

    .. math::
        V[V_j] = \sum_{m \ge j} P(X \in m) \left(V[X \mid m] + V[D] + V[V_m]
        + (\mu_m - E[V_j])^2\right) + S(L_j) (L_j - E[V_j])^2

    in the notation of `expected_makespan_ageing`, mu_m the mean of V_j given that X is in m.

    Parameters
    ----------
    work : array_like, [time]
        Failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        Work per segment, checkpoint excluded; > 0, and at least work/20000. From `work` on, inf
        too: a single segment.
    uptime : Lifetime, [time]
        Law of every uptime, from the age 0 at which the job starts and repairs end.
    checkpoint_cost, recovery_cost : array_like, [time]
        To write a checkpoint and to read one back; >= 0.
    downtime : array_like or Lifetime, [time]
        Fixed and >= 0, or a law of which mean and variance enter.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together. inf where no uptime is long enough for a segment,
        and for a downtime without a finite variance; overflow gives inf.

    Notes
    -----
    Exact, as `expected_makespan_ageing`; a sum of terms that are not negative, of times lost and
    not of makespans, so that rare failures cost no digits.
    Source: derived in tests/derivations/test_ageing.py; renewal equations as in [1]_.

    Judged for interval/uptime 0.01 to 1, work/interval 1 to 200, checkpoint_cost/interval 0.001 to
    1, recovery_cost/interval 0.001 to 1, downtime/uptime 0.001 to 1, cv of uptime 0.3 to 4. Times
    must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; the equations are derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> v = makespan_variance_ageing(
    ...     96.0, interval=4.0, uptime=Weibull(0.5, 12.0), checkpoint_cost=0.5,
    ...     recovery_cost=0.75, downtime=0.25,
    ... )
    >>> round(float(v), 7)
    129.7718115
    """
    job = ageing_job(
        work,
        interval=interval,
        uptime=uptime,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    found = each(job, lambda one: lost_time(uptime, one).variance)
    return answer(found, work, interval, checkpoint_cost, recovery_cost, downtime)


def ageing_job(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    uptime: Lifetime,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike,
    downtime: ArrayLike | Lifetime,
    final_checkpoint: bool,
) -> Job:
    """Check the arguments that mean, variance and law share, and cut the work into segments."""
    mean = checked_uptime(uptime).mean
    job = checked_job(
        work,
        interval=interval,
        mtbf=mean,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    comparable(
        work=job.work,
        interval=job.segment,
        uptime=np.asarray(mean),
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
        downtime=job.downtime,
    )
    return job


def checked_uptime(uptime: Lifetime) -> Lifetime:
    """Return `uptime`, or raise if it is not a law."""
    if not isinstance(uptime, Lifetime):
        raise TypeError(
            f"uptime must be a law such as perfmodel.Weibull, got {shown(uptime)}: "
            "for a number use Exponential(mtbf)"
        )
    return uptime


@dataclass(frozen=True, slots=True)
class Scalars:
    """One job: `count` segments, periods of all but the last and of the last."""

    count: int
    period: float
    last: float
    recovery: float
    downtime: float
    downtime_variance: float

    @property
    def busy(self) -> float:
        """The makespan if nothing fails, [time]."""
        return (self.count - 1) * self.period + self.last


def scalars(job: Job, place: tuple[int, ...] = ()) -> Scalars:
    """Return one element of the broadcast arguments."""
    variance = np.broadcast_to(job.downtime_variance, job.work.shape)
    count = float(job.whole[place]) + 1.0
    if count > _MOST:
        raise ValueError(
            f"work/interval must be at most {_MOST} segments for a sum over all, got {count:.6g}: "
            "for a long job take useful_share_ageing"
        )
    return Scalars(
        int(count),
        float(job.segment[place] + job.checkpoint_cost[place]),
        float(job.last[place] + job.last_cost[place]),
        float(job.recovery_cost[place]),
        float(job.downtime[place]),
        float(variance[place]),
    )


def each(job: Job, value: Callable[[Scalars], float]) -> FloatArray:
    """Return `value` of every element of the broadcast arguments."""
    found = np.empty(job.work.shape)
    for place in np.ndindex(found.shape):
        found[place] = value(scalars(job, place))
    return found


@dataclass(frozen=True, slots=True)
class Lost:
    """Mean, [time], and variance, [time^2], of the time that failures cost."""

    mean: float
    variance: float


def lost_time(law: Lifetime, job: Scalars) -> Lost:
    """Return the moments of the makespan beyond the time without failures."""
    means, variances = np.zeros(job.count + 1), np.zeros(job.count + 1)  # by segments left
    start = Uptimes.of(law, job, 0.0)
    if start.upto(job.count).chance.sum() == 0.0:
        return Lost(0.0, 0.0)
    with np.errstate(all="ignore"):  # inf is an answer
        after = start if job.recovery == 0.0 else Uptimes.of(law, job, job.recovery)
        for left in range(1, job.count + 1):
            means[left], variances[left] = _again(after, left, job, means, variances)
        return _first(start, job, means, variances)


def _again(
    uptimes: Uptimes, left: int, job: Scalars, means: FloatArray, variances: FloatArray
) -> tuple[float, float]:
    """Return mean and variance of the time lost from a recovery on, with `left` segments left."""
    ends = uptimes.upto(left)
    whole, rest = float(uptimes.survives[left - 1]), float(uptimes.passes[min(left - 1, 1)])
    later = means[left - 1 : 0 : -1]
    mean = (np.dot(ends.chance, ends.lost + job.downtime) + np.dot(ends.chance[1:], later)) / rest
    if not mean < np.inf:
        return np.inf, np.inf
    away = ends.lost + job.downtime
    away[1:] += later - mean
    apart = np.dot(ends.chance, ends.variance + job.downtime_variance + away**2)
    after = np.dot(ends.chance[1:], variances[left - 1 : 0 : -1])
    return mean, (apart + after + whole * (mean * mean)) / rest


def _first(start: Uptimes, job: Scalars, means: FloatArray, variances: FloatArray) -> Lost:
    """Return the moments of the time lost from the start of the job on."""
    ends = start.upto(job.count)
    struck = ends.chance > 0.0  # what never happens may be endless
    chance, later = ends.chance[struck], means[:0:-1][struck]
    away = ends.lost[struck] + job.downtime + job.recovery + later
    mean = float(np.dot(chance, away))
    if not mean < np.inf:
        return Lost(np.inf, np.inf)
    within = ends.variance[struck] + job.downtime_variance + variances[:0:-1][struck]
    apart = np.dot(chance, within + (away - mean) ** 2)
    variance = float(apart + start.survives[-1] * (mean * mean))
    return Lost(mean, np.inf if np.isnan(variance) else variance)


@dataclass(frozen=True, slots=True)
class Uptimes:
    """Where an uptime ends that begins with a recovery, for each number of segments left.

    Parameters
    ----------
    full : Cells
        Of segments that are not the last; the first includes the recovery.
    last : Cells
        Of the last segment, by the number of segments before it.
    survives : ndarray, [-]
        Probability to finish all, by the number of segments left, less one.
    passes : ndarray, [-]
        Probability to pass the first of one segment, and of several.
    """

    full: Cells
    last: Cells
    survives: FloatArray
    passes: FloatArray

    @classmethod
    def of(cls, law: Lifetime, job: Scalars, recovery: float) -> Uptimes:
        """Return those of a law."""
        numbers = np.arange(1.0, job.count)
        full = first_cell(law, recovery + job.period).then(
            cells(law, recovery, job.period, numbers, job.period)
        )
        last = full
        if job.last != job.period:
            last = first_cell(law, recovery + job.last).then(
                cells(law, recovery, job.period, numbers, job.last)
            )
        ends = recovery + job.period * np.arange(job.count) + job.last
        return cls(full, last, law.sf(ends), law.sf(recovery + np.array([job.last, job.period])))

    def upto(self, left: int) -> Cells:
        """Return the cells of an uptime with so many segments left."""
        return self.full.part(0, left - 1).then(self.last.part(left - 1, left))


ROWS = tuple(
    Formula(
        function,
        "derived",
        "renewal at each failure",
        "exact",
        ranges=JOB_AGEING,
        trend=Trend(rising=rising),
    )
    for function, rising in (
        (expected_makespan_ageing, ("downtime",)),
        (makespan_variance_ageing, ()),
    )
)
