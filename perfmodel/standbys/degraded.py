"""Goodput of a job with standby blocks that goes on with fewer when there is none."""

from __future__ import annotations

from collections.abc import Iterator
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
from ._chain import absorption, killed_after, stationary
from ._pool import until_one_returns
from .wait import GOODPUT_RANGES, limited, whole_or_inf

_MOST_STATES = 3000


def degraded_goodput(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
    may_miss: ArrayLike,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    interval: ArrayLike | None = None,
    switch_time: ArrayLike = 0.0,
    resize_time: ArrayLike = 0.0,
    crews: ArrayLike = np.inf,
    standby_hazard: ArrayLike = 0.0,
    stopped_hazard: ArrayLike = 0.0,
) -> FloatArray:
    r"""Share of full speed that a job keeps which goes on with fewer blocks.

    .. math:: G = \frac{\sum_s v_s r_s}{\sum_s v_s t_s}, \quad v P = v

    over the states s in which a stop begins: blocks of the job, blocks down, and the kind of the
    stop. P leads to the next stop, over recovery and segments; r is the work that is kept until
    then, t the time.

    Parameters
    ----------
    blocks : array_like, [-]
        B, blocks of the job at full speed; whole and > 0, up to a million.
    standbys : array_like, [-]
        S, blocks beyond those; whole and >= 0.
    may_miss : array_like, [-]
        k, blocks that may be missing: the job goes on with A of them at A/B of its speed, and waits
        below B - k; whole and >= 0, less than `blocks`.
    block_mtbf : array_like, [time]
        Mean uptime of one block at work, repair excluded; > 0.
    mttr : array_like, [time]
        Mean time of one repair, waits for a crew excluded; > 0, inf if there is none.
    checkpoint_cost, recovery_cost : array_like, [time]
        To write and to read a checkpoint; >= 0, whatever the number of blocks.
    interval : array_like or None, [time]
        Wall time at work between checkpoints; > 0. None for the best of a job that waits, which
        is all but the best; there is none where checkpoints are free.
    switch_time : array_like, [time]
        Stop if a standby takes over; >= 0.
    resize_time : array_like, [time]
        Stop if more or fewer blocks go on than before; >= 0.
    crews : array_like, [-]
        Repairs under way at the same time; whole and > 0, or inf.
    standby_hazard : array_like, [-]
        Rate of failures of a standby over that of a block at work; >= 0 and at most 1.
    stopped_hazard : array_like, [-]
        The same for a block of the job in a stop; >= 0 and at most 1.

    Returns
    -------
    ndarray, [-]
        Work kept per time, of a job whose work takes its time at full speed; in [0, 1]. Shape: all
        arguments broadcast together.

    Raises
    ------
    ValueError
        If there are more than 3000 states, (k + 1) (2 S + k + 2).

    Notes
    -----
    Exact in the long run for exponential uptimes and repairs. A job that misses blocks takes in
    those that are back in its next stop, at the latest after its next checkpoint, by a stop and a
    recovery and no rework. A stop that is struck begins again, short or long by the number of
    blocks that it had. With `may_miss` 0 it is `spares_goodput`. It takes 1 s for 1300 states.
    Source: derived, as `spares_goodput`; judged by simulated jobs.

    Judged for may_miss 0 to 8, standbys 0 to 12, blocks 10 to 10000, mttr*blocks/block_mtbf 0.001
    to 100, switch_time*blocks/block_mtbf 1e-4 to 1, crews 1 to 100, standby_hazard 0 to 1,
    stopped_hazard 0 to 1, interval*blocks/block_mtbf 0.001 to 2, checkpoint_cost/interval 0.001 to
    1, recovery_cost*blocks/block_mtbf 1e-4 to 1, resize_time*blocks/block_mtbf 1e-4 to 1. Times
    must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. M. Ross, "Stochastic processes", Wiley, 1996, for renewal rewards; not seen.

    Examples
    --------
    >>> machine = {"block_mtbf": 100.0, "mttr": 12.0, "crews": 2, "standby_hazard": 0.3}
    >>> costs = {"checkpoint_cost": 0.1, "recovery_cost": 0.2, "interval": 1.5}
    >>> stops = {"switch_time": 0.1, "resize_time": 0.5}
    >>> round(float(degraded_goodput(8, 1, may_miss=2, **machine, **costs, **stops)), 9)
    0.776629586
    """
    count = limited("blocks", whole("blocks", positive("blocks", blocks)), 1_000_000)
    missing = whole("may_miss", may_miss, least=0)
    rate = positive("block_mtbf", block_mtbf)
    cost = nonnegative("checkpoint_cost", checkpoint_cost)
    if interval is None:
        if not np.all(cost > 0.0):
            raise ValueError("interval must be given where checkpoint_cost is 0, got None")
        chosen = optimal_interval(mtbf=rate / count, checkpoint_cost=cost)
    else:
        chosen = np.asarray(interval)
    columns = broadcast(
        blocks=count,
        standbys=whole("standbys", standbys, least=0),
        may_miss=missing,
        block_mtbf=rate,
        mttr=positive_or_inf("mttr", mttr),
        checkpoint_cost=cost,
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        interval=positive("interval", chosen),
        switch_time=nonnegative("switch_time", switch_time),
        resize_time=nonnegative("resize_time", resize_time),
        crews=whole_or_inf("crews", positive_or_inf("crews", crews), least=1),
        standby_hazard=fraction("standby_hazard", standby_hazard),
        stopped_hazard=fraction("stopped_hazard", stopped_hazard),
    )
    names = ("block_mtbf", "mttr", "checkpoint_cost", "recovery_cost", "interval")
    comparable(**dict(zip(names, columns[3:8], strict=True)))
    comparable(block_mtbf=columns[3], switch_time=columns[8], resize_time=columns[9])
    found = [
        _Job(int(b), int(s), int(k), *map(float, rest)).goodput()
        for b, s, k, *rest in zip(*(each.ravel() for each in columns), strict=True)
    ]
    given = (
        *(blocks, standbys, may_miss, block_mtbf, mttr, checkpoint_cost, recovery_cost),
        *(switch_time, resize_time, crews, standby_hazard, stopped_hazard),
        *(() if interval is None else (interval,)),
    )
    return answer(np.reshape(found, columns[0].shape), *given)


@dataclass(frozen=True, slots=True)
class _Job:
    """One job, its arguments in the order of the columns above."""

    blocks: int
    standbys: int
    may_miss: int
    block_mtbf: float
    mttr: float
    checkpoint_cost: float
    recovery_cost: float
    interval: float
    switch_time: float
    resize_time: float
    crews: float
    standby_hazard: float
    stopped_hazard: float

    def __post_init__(self) -> None:
        if self.may_miss >= self.blocks:
            raise ValueError(
                f"may_miss must be less than blocks, got {self.may_miss} of {self.blocks}"
            )
        size = (self.may_miss + 1) * (2 * self.standbys + self.may_miss + 2)
        if size > _MOST_STATES:
            raise ValueError(
                "standbys and may_miss must make at most "
                f"{_MOST_STATES} states, got {size}: take larger blocks"
            )

    @property
    def total(self) -> int:
        """All blocks."""
        return self.blocks + self.standbys

    @property
    def least(self) -> int:
        """Blocks below which the job waits."""
        return self.blocks - self.may_miss

    def starts(self) -> Iterator[tuple[int, int]]:
        """Yield each number of blocks of the job, and the place of its first stop in a vector."""
        place = 0
        for held in range(self.least, self.blocks + 1):
            yield held, place
            place += 2 * (self.total - held + 1)

    def goodput(self) -> float:
        """Return the work kept per time."""
        if np.isinf(self._wait()):
            return 0.0  # it runs out of blocks
        where = dict(self.starts())
        size = where[self.blocks] + 2 * (self.standbys + 1)
        chances, sums = np.zeros((size, size)), np.zeros((size, 2))
        for held, first in where.items():
            states = self.total - held + 1
            rows, collected = self._from_stops(held, where, size)
            chances[first : first + 2 * states] = rows
            sums[first : first + 2 * states] = collected
        balance = chances.T - np.eye(size)
        balance[-1] = 1.0
        # Without subtractions every share keeps its digits; the first state must come back.
        order = np.argsort(-np.linalg.solve(balance, np.eye(size)[-1]))
        time, work = stationary(chances[np.ix_(order, order)]) @ sums[order]
        return float(work / time)

    def _from_stops(
        self, held: int, where: dict[int, int], size: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return where stops with `held` blocks lead, and their time and work until then."""
        rate = held / self.block_mtbf
        down = np.arange(self.total - held + 1.0)
        fails = self.standby_hazard / self.block_mtbf * (self.total - held - down)
        moves = np.diag(fails[:-1], 1) + np.diag(np.minimum(down[1:], self.crews) / self.mttr, -1)
        failed, wait = self._after_failure(held, where, size)
        grown = self._after_growth(held, where, size)

        def phase(span: float, kill: float) -> tuple[FloatArray, FloatArray, FloatArray]:
            """Return the chances to survive, those after a failure, and the mean time."""
            lives, struck = killed_after(moves, kill, span)
            time = span if kill * span == 0.0 else -np.expm1(-kill * span) / kill
            return lives, struck @ failed, time + struck @ wait

        lives, ends, times = phase(self.interval + self.checkpoint_cost, rate)
        stays = grown.sum(axis=1) == 0.0
        kept = lives.sum(axis=1) * self.interval * held / self.blocks
        segment = absorption(lives * stays, ends + lives @ grown, np.column_stack([times, kept]))
        lives, ends, times = phase(self.recovery_cost, rate)
        back = np.column_stack([times, np.zeros_like(times)]) + lives @ segment[1]
        recovery = (ends + lives @ segment[0], back)
        rows, sums = [], []
        for span in (self.switch_time, self.resize_time):
            lives, ends, times = phase(span, rate * self.stopped_hazard)
            rows.append(ends + lives @ recovery[0])
            sums.append(np.column_stack([times, np.zeros_like(times)]) + lives @ recovery[1])
        return np.vstack(rows), np.vstack(sums)

    def _after_failure(
        self, held: int, where: dict[int, int], size: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return which stop follows a failure of one of `held` blocks, and the wait before it."""
        states = self.total - held + 1
        leads, wait = np.zeros((states, size)), np.zeros(states)
        for down in range(1, states + 1):
            now = min(self.blocks, self.total - down)
            if now >= self.least:
                leads[down - 1, self._place(where, now, down, same=now == held)] = 1.0
                continue
            leads[down - 1, self._place(where, self.least, down - 1, same=True)] = 1.0
            wait[down - 1] = self._wait()
        return leads, wait

    def _wait(self) -> float:
        """Return the mean time until there are blocks enough again, inf without repair."""
        if np.isinf(self.mttr):
            return np.inf
        hazard = self.stopped_hazard / self.block_mtbf
        spare = self.total - self.least
        return until_one_returns(self.least, spare, hazard, self.mttr, self.crews)

    def _after_growth(self, held: int, where: dict[int, int], size: int) -> FloatArray:
        """Return which stop follows a checkpoint: none, a row of zeros, where nothing is back."""
        states = self.total - held + 1
        leads = np.zeros((states, size))
        for down in range(states):
            now = min(self.blocks, self.total - down)
            if now > held:
                leads[down, self._place(where, now, down, same=False)] = 1.0
        return leads

    def _place(self, where: dict[int, int], held: int, down: int, *, same: bool) -> int:
        return where[held] + (0 if same else self.total - held + 1) + down


ROWS = (
    Formula(
        degraded_goodput,
        "derived",
        "renewal rewards",
        "exact",
        ranges={
            "may_miss": (0.0, 8.0),
            "standbys": (0.0, 12.0),
            **GOODPUT_RANGES,
            "blocks": (10.0, 1e4),
            "resize_time*blocks/block_mtbf": (1e-4, 1.0),
        },
        trend=Trend(falling=("checkpoint_cost", "recovery_cost")),
    ),
)
