"""Goodput of a job with standby blocks whose repair has two stages, each of which may be false."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    comparable,
    fraction,
    nonnegative,
    positive,
    positive_or_inf,
    whole,
)
from ..formula import Formula, Trend
from ..interval import optimal_interval
from ..makespan import efficiency
from ._chain import absorption
from ._pool import Pool
from .wait import limited, whole_or_inf

MOST_STAGED = 12


def two_stage_goodput(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
    block_mtbf: ArrayLike,
    automatic_time: ArrayLike,
    manual_time: ArrayLike,
    escalated: ArrayLike,
    checkpoint_cost: ArrayLike,
    automatic_false: ArrayLike = 0.0,
    manual_false: ArrayLike = 0.0,
    recovery_cost: ArrayLike = 0.0,
    interval: ArrayLike | None = None,
    switch_time: ArrayLike = 0.0,
    crews: ArrayLike = np.inf,
    standby_hazard: ArrayLike = 0.0,
) -> FloatArray:
    r"""Goodput of a job with standby blocks, of which some come back as broken as before.

    .. math:: \pi (Q + a (Z - I)) = 0, \quad \bar D = \pi d

    as `mean_stop`, over the blocks in automatic and in manual repair and the broken ones among the
    standbys; the goodput is that of `spares_goodput`.

    Parameters
    ----------
    blocks : array_like, [-]
        B, blocks that the job needs; whole and > 0, up to a million.
    standbys : array_like, [-]
        S, blocks beyond those; whole and >= 0, up to 12.
    block_mtbf : array_like, [time]
        Mean uptime of one block at work, repair excluded; > 0.
    automatic_time, manual_time : array_like, [time]
        Mean times of the two stages; > 0.
    escalated : array_like, [-]
        Share of automatic repairs after which a manual one follows; >= 0 and at most 1.
    checkpoint_cost : array_like, [time]
        To write a checkpoint; >= 0.
    automatic_false, manual_false : array_like, [-]
        Share of the blocks that come back from either stage as broken as before; >= 0 and at
        most 1, though not all of them.
    recovery_cost : array_like, [time]
        To read a checkpoint; >= 0.
    interval : array_like or None, [time]
        Work between checkpoints; > 0. None for the best, whatever the standbys.
    switch_time : array_like, [time]
        From a failure to the recovery if a standby takes over; >= 0. A broken one fails at the end
        of it, and the next is tried.
    crews : array_like, [-]
        Manual repairs under way at the same time; whole and > 0, or inf.
    standby_hazard : array_like, [-]
        Rate of failures of a standby over that of a block at work; >= 0 and at most 1.

    Returns
    -------
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If every block comes back broken.

    Notes
    -----
    Exact in the long run for exponential uptimes and stages, and a fixed switch in which no block
    of the job fails. Which standby takes over is drawn at random. With no block escalated and none
    broken it is `spares_goodput`. It takes 2 s for 12 standbys, 0.1 s for 6.
    Source: derived, as `spares_goodput`; judged by simulated jobs.

    Judged for standbys 0 to 5, escalated 0 to 1, automatic_false 0 to 0.7, manual_false 0 to 0.7,
    blocks 1 to 300, automatic_time*blocks/block_mtbf 0.03 to 3, manual_time/automatic_time 0.3 to
    5, switch_time*blocks/block_mtbf 0.01 to 0.3, crews 1 to 100, standby_hazard 0 to 1,
    interval*blocks/block_mtbf 0.1 to 1, checkpoint_cost/interval 0.001 to 0.3,
    recovery_cost*blocks/block_mtbf 0.01 to 0.3. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] F. Lin, K. Pattabiraman and M. Patel, "AIReSim: a discrete event simulator for
       large-scale AI cluster reliability modeling", 2026, for the stages; only the abstract
       was read.

    Examples
    --------
    >>> repair = {"automatic_time": 2.0, "manual_time": 48.0, "escalated": 0.32}
    >>> job = {"block_mtbf": 17000.0, "checkpoint_cost": 1 / 60, "switch_time": 1 / 12}
    >>> shares = two_stage_goodput(2048, 4, **repair, **job, automatic_false=[0.0, 0.1])
    >>> shares.round(4).tolist()
    [0.8911, 0.8792]
    """
    count = limited("blocks", whole("blocks", positive("blocks", blocks)), 1_000_000)
    mean = positive("block_mtbf", block_mtbf)
    cost = nonnegative("checkpoint_cost", checkpoint_cost)
    if interval is None:
        chosen = optimal_interval(mtbf=mean / count, checkpoint_cost=cost)
    else:
        chosen = np.asarray(interval)
    columns = broadcast(
        blocks=count,
        standbys=limited("standbys", whole("standbys", standbys, least=0), MOST_STAGED),
        block_mtbf=mean,
        automatic_time=positive("automatic_time", automatic_time),
        manual_time=positive("manual_time", manual_time),
        escalated=fraction("escalated", escalated),
        automatic_false=fraction("automatic_false", automatic_false),
        manual_false=fraction("manual_false", manual_false),
        switch_time=nonnegative("switch_time", switch_time),
        crews=whole_or_inf("crews", positive_or_inf("crews", crews), least=1),
        standby_hazard=fraction("standby_hazard", standby_hazard),
    )
    comparable(
        block_mtbf=columns[2],
        automatic_time=columns[3],
        manual_time=columns[4],
        switch_time=columns[8],
    )
    stops = [
        _Pool(int(b), int(s), *map(float, rest)).mean_stop()
        for b, s, *rest in zip(*(each.ravel() for each in columns), strict=True)
    ]
    found = efficiency(
        # A free checkpoint is best written all the time: at any work.
        np.where(chosen > 0.0, chosen, mean) if interval is None else positive("interval", chosen),
        interval=chosen,
        mtbf=mean / count,
        checkpoint_cost=cost,
        recovery_cost=recovery_cost,
        downtime=np.reshape(stops, columns[0].shape),
    )
    given = (
        *(blocks, standbys, block_mtbf, automatic_time, manual_time, escalated, checkpoint_cost),
        *(automatic_false, manual_false, recovery_cost, switch_time, crews, standby_hazard),
        *(() if interval is None else (interval,)),
    )
    return answer(found, *given)


@dataclass(frozen=True, slots=True)
class _Pool:
    """The arguments of one pool, in the order of the columns above."""

    blocks: int
    standbys: int
    block_mtbf: float
    automatic_time: float
    manual_time: float
    escalated: float
    automatic_false: float
    manual_false: float
    switch_time: float
    crews: float
    standby_hazard: float

    def mean_stop(self) -> float:
        """Return the mean stop per failure, [time]."""
        broken = self.escalated * self.manual_false + (1.0 - self.escalated) * self.automatic_false
        if not broken < 1.0:
            raise ValueError(
                "automatic_false and manual_false must leave some blocks mended, got none"
            )
        pool = self._pool()
        stop = pool.stop(self.switch_time, 0.0)
        return stop.mean(pool.at_failures(self.blocks / self.block_mtbf, stop))

    def _pool(self) -> Pool:
        """Return the chain over (automatic, manual, faulty): under repair, and broken standbys."""
        total = self.standbys
        keys = [
            (automatic, manual, faulty)
            for automatic in range(total + 1)
            for manual in range(total + 1 - automatic)
            for faulty in range(total + 1 - automatic - manual)
        ]
        place = {key: index for index, key in enumerate(keys)}
        size = len(keys)
        rates, sound, faults = (np.zeros((size, size)) for _ in range(3))
        wait = np.zeros(size)
        hazard = self.standby_hazard / self.block_mtbf
        empty = self._empty_pool()
        for (automatic, manual, faulty), row in place.items():
            idle = total - automatic - manual
            if idle > faulty:
                rates[row, place[automatic + 1, manual, faulty]] += hazard * (idle - faulty)
            if faulty:
                rates[row, place[automatic + 1, manual, faulty - 1]] += hazard * faulty
            for rate, (less, more), broken in self._returns(automatic, manual):
                after = automatic - less, manual - (1 - less) + more
                if more:
                    rates[row, place[after[0], after[1], faulty]] += rate
                    continue
                rates[row, place[after[0], after[1], faulty]] += rate * (1.0 - broken)
                rates[row, place[after[0], after[1], faulty + 1]] += rate * broken
            if idle:
                share = faulty / idle
                if share < 1.0:
                    sound[row, place[automatic + 1, manual, faulty]] += 1.0 - share
                if faulty:
                    faults[row, place[automatic + 1, manual, faulty - 1]] += share
                continue
            # The block that failed is one more in automatic repair; the first back is taken.
            chances, times = empty
            wait[row] = times[manual, 0]
            for left in range(total + 1):
                sound[row, place[total - left, left, 0]] += chances[manual, left]
                faults[row, place[total - left, left, 0]] += chances[manual, total + 1 + left]
        return Pool(rates, sound, faults, wait)

    def _returns(self, automatic: int, manual: int) -> list[tuple[float, tuple[int, int], float]]:
        """Return rates at which repairs end: from which stage, into manual repair, how broken."""
        quick = automatic / self.automatic_time
        slow = min(manual, self.crews) / self.manual_time
        ends = [
            (quick * self.escalated, (1, 1), 0.0),
            (quick * (1.0 - self.escalated), (1, 0), self.automatic_false),
            (slow, (0, 0), self.manual_false),
        ]
        return [end for end in ends if end[0] > 0.0]

    def _empty_pool(self) -> tuple[FloatArray, FloatArray]:
        """Return how the first block comes back when all are under repair, by those in manual.

        Ways out: how many are left in manual repair, of a sound block, then of a broken one.
        """
        down = self.standbys + 1
        rates, exits = np.zeros((down + 1, down + 1)), np.zeros((down + 1, 2 * down))
        for manual in range(down + 1):
            for rate, (less, more), broken in self._returns(down - manual, manual):
                if more:
                    rates[manual, manual + 1] += rate
                else:
                    left = manual - (1 - less)
                    exits[manual, left] += rate * (1.0 - broken)
                    exits[manual, down + left] += rate * broken
        return absorption(rates, exits, np.ones((down + 1, 1)))


ROWS = (
    Formula(
        two_stage_goodput,
        "derived",
        "renewal rewards",
        "exact",
        ranges={
            "standbys": (0.0, 5.0),
            "escalated": (0.0, 1.0),
            "automatic_false": (0.0, 0.7),
            "manual_false": (0.0, 0.7),
            "blocks": (1.0, 300.0),
            "automatic_time*blocks/block_mtbf": (0.03, 3.0),
            "manual_time/automatic_time": (0.3, 5.0),
            "switch_time*blocks/block_mtbf": (0.01, 0.3),
            "crews": (1.0, 100.0),
            "standby_hazard": (0.0, 1.0),
            "interval*blocks/block_mtbf": (0.1, 1.0),
            "checkpoint_cost/interval": (1e-3, 0.3),
            "recovery_cost*blocks/block_mtbf": (0.01, 0.3),
        },
        trend=Trend(falling=("checkpoint_cost", "recovery_cost")),
    ),
)
