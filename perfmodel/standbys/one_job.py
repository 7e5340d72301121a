"""Mean makespan of one job with standby blocks, from a given number of them under repair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, broadcast, nonnegative, positive, whole
from ..formula import Formula, Trend
from ..makespan import expected_makespan
from ..makespan.segments import split
from ._chain import absorption, killed_after
from ._pool import Pool, Stop, equal_blocks
from .wait import GOODPUT_RANGES, STANDBYS, checked_blocks, stop_with_a_standby

_UNENDING = 600.0  # failures in one switch, segment or recovery, of which one must pass without
_AT_ONCE = 1e-200  # of the longest phase: a repair that takes no time
_Map = tuple[FloatArray, FloatArray]


def expected_makespan_standbys(
    work: ArrayLike,
    *,
    blocks: ArrayLike,
    standbys: ArrayLike,
    interval: ArrayLike,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    switch_time: ArrayLike = 0.0,
    crews: ArrayLike = np.inf,
    standby_hazard: ArrayLike = 0.0,
    stopped_hazard: ArrayLike = 0.0,
    under_repair: ArrayLike = 0.0,
) -> FloatArray:
    r"""Mean wall time of one job with standby blocks, that waits when there is none.

    .. math::
        X_k &= t_a + L_a X_{k+1} + S_a (d + Z U_k), \quad X_{K+1} = 0 \\
        U_k &= t_R + L_R X_k + S_R (d + Z U_k)

    over the number of blocks down: X_k and U_k are the mean times that are left at the beginning
    of segment k and of a recovery in it, L and S the chances to get through either and to fail in
    it, t their mean times, Z and d where a stop leads and its mean time.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time on all blocks, checkpoints excluded; > 0.
    blocks : array_like, [-]
        B, blocks that the job needs; whole and > 0, up to a million.
    standbys : array_like, [-]
        S, blocks beyond those; whole and >= 0, up to 500, or inf: there is always one.
    interval : array_like, [time]
        Work between checkpoints, the last of which ends the job; > 0.
    block_mtbf : array_like, [time]
        Mean uptime of one block at work, repair excluded; > 0.
    mttr : array_like, [time]
        Mean time of one repair, waits for a crew excluded; >= 0, inf if there is none.
    checkpoint_cost, recovery_cost : array_like, [time]
        To write and to read a checkpoint; >= 0.
    switch_time : array_like, [time]
        From a failure to the recovery if a standby takes over; >= 0.
    crews : array_like, [-]
        Repairs under way at the same time; whole and > 0, or inf.
    standby_hazard : array_like, [-]
        Rate of failures of a standby over that of a block at work; >= 0 and at most 1.
    stopped_hazard : array_like, [-]
        The same for a block of the job in a stop; >= 0 and at most 1.
    under_repair : array_like, [-]
        Standbys that are under repair, or wait for it, when the job begins; whole, >= 0 and at
        most `standbys`.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Without repair, and on overflow, inf.

    Notes
    -----
    Exact for exponential uptimes and repairs, and a fixed switch. With `standbys` inf it is
    `expected_makespan` with the stop of one switch, as if failures were Poisson and each found a
    standby; a long job tends to its work over `spares_goodput`. It takes 0.1 s for 100 standbys.
    Source: derived, as `spares_goodput`; judged by simulated jobs.

    Judged for standbys 0 to 40, blocks 1 to 10000, mttr*blocks/block_mtbf 0.001 to 100,
    switch_time*blocks/block_mtbf 1e-4 to 1, crews 1 to 100, standby_hazard 0 to 1, stopped_hazard 0
    to 1, interval*blocks/block_mtbf 0.001 to 2, checkpoint_cost/interval 0.001 to 1,
    recovery_cost*blocks/block_mtbf 1e-4 to 1, work/interval 1 to 1000. Times must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. M. Ross, "Stochastic processes", Wiley, 1996, for Markov renewal processes; not seen.

    Examples
    --------
    >>> machine = {"block_mtbf": 200.0, "mttr": 20.0, "interval": 1.5}
    >>> costs = {"checkpoint_cost": 0.1, "recovery_cost": 0.2}
    >>> means = expected_makespan_standbys(
    ...     30.0, blocks=16, standbys=2, under_repair=[0, 2], **machine, **costs
    ... )
    >>> means.round(4).tolist()
    [38.3156, 43.7843]
    """
    pool = (blocks, standbys, block_mtbf, mttr, switch_time, crews, standby_hazard, stopped_hazard)
    checked = checked_blocks(*pool)
    columns = broadcast(
        work=positive("work", work),
        interval=positive("interval", interval),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        under_repair=whole("under_repair", under_repair, least=0),
        **{f"block {place}": each for place, each in enumerate(checked)},
    )
    found = [
        _Job(*map(float, row)).makespan() for row in zip(*(c.ravel() for c in columns), strict=True)
    ]
    given = (work, interval, checkpoint_cost, recovery_cost, under_repair, *pool)
    return answer(np.reshape(found, columns[0].shape), *given)


@dataclass(frozen=True, slots=True)
class _Job:
    """One job, its arguments in the order of the columns above."""

    work: float
    interval: float
    checkpoint_cost: float
    recovery_cost: float
    under_repair: float
    blocks: float
    standbys: float
    block_mtbf: float
    mttr: float
    switch_time: float
    crews: float
    standby_hazard: float
    stopped_hazard: float

    def __post_init__(self) -> None:
        if self.under_repair > self.standbys:
            raise ValueError(
                f"under_repair must be at most standbys, got {self.under_repair:.0f} "
                f"of {self.standbys:.0f}"
            )

    def makespan(self) -> float:
        """Return the mean wall time."""
        stopped = self.blocks / self.block_mtbf * self.stopped_hazard
        span = min(self.interval, self.work) + self.checkpoint_cost
        longest = max(span, self.recovery_cost, self.switch_time)
        if self.mttr <= _AT_ONCE * longest or np.isinf(self.standbys):
            return self._never_waiting(stop_with_a_standby(self.switch_time, stopped))
        struck = max(span, self.recovery_cost) / (self.block_mtbf / self.blocks)
        if np.isinf(self.mttr) or max(struck, stopped * self.switch_time) > _UNENDING:
            return np.inf
        pool = equal_blocks(
            int(self.blocks),
            int(self.standbys),
            rate=1.0 / self.block_mtbf,
            mttr=self.mttr,
            crews=self.crews,
            standby_hazard=self.standby_hazard,
            stopped_hazard=self.stopped_hazard,
        )
        if np.isinf(pool.wait).any() or np.isinf(self.work / self.interval):
            return np.inf  # in a wait, ever more blocks fail; or checkpoints without end
        before, cut, last = map(float, split(np.asarray(self.work), np.asarray(self.interval)))
        with np.errstate(all="ignore"):
            stop = pool.stop(self.switch_time, stopped)
            _, left = self._segment(pool, stop, last + self.checkpoint_cost)
            if before:
                one = self._segment(pool, stop, cut + self.checkpoint_cost)
                left = _repeated(one, int(before), left)
        mean = float(left[int(self.under_repair)])
        return np.inf if np.isnan(mean) else mean

    def _never_waiting(self, stop: float) -> float:
        """Return the mean wall time where every failure finds a standby."""
        if np.isinf(stop):
            return np.inf
        found = expected_makespan(
            self.work,
            interval=self.interval,
            mtbf=self.block_mtbf / self.blocks,
            checkpoint_cost=self.checkpoint_cost,
            recovery_cost=self.recovery_cost,
            downtime=stop,
        )
        return float(found)

    def _segment(self, pool: Pool, stop: Stop, whole_span: float) -> _Map:
        """Return where a segment leads from each number of blocks down, and its mean time."""
        rate = self.blocks / self.block_mtbf

        def phase(span: float) -> tuple[FloatArray, FloatArray, FloatArray]:
            """Return the chances to survive, those after a stop, and the mean time to either."""
            lives, struck = killed_after(pool.rates, rate, span)
            time = -np.expm1(-rate * span) / rate
            return lives, struck @ stop.leads_to, time + struck @ stop.times

        lives, ends, times = phase(self.recovery_cost)
        back = absorption(ends, lives, times)
        lives, ends, times = phase(whole_span)
        again, more = absorption(ends @ back[0], lives, times + ends @ back[1])
        return again, more[:, 0]


def _repeated(once: _Map, count: int, left: FloatArray) -> FloatArray:
    """Return the time that is left before `count` segments, if `left` is what follows them."""
    chances, times = once
    while count:
        if count % 2:
            left = times + chances @ left
        chances, times = chances @ chances, times + chances @ times
        chances = chances / chances.sum(axis=1, keepdims=True)  # or rounding would grow
        count //= 2
    return left


ROWS = (
    Formula(
        expected_makespan_standbys,
        "derived",
        "Markov renewal process",
        "exact",
        ranges={"standbys": STANDBYS, **GOODPUT_RANGES, "work/interval": (1.0, 1e3)},
        trend=Trend(
            rising=("mttr", "checkpoint_cost", "recovery_cost"),
            falling=("crews",),
        ),
    ),
)
