"""How many standby blocks a job needs for a goodput."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, broadcast, fraction
from ..formula import Formula, Trend
from .wait import GOODPUT_RANGES, MOST_STANDBYS, spares_goodput

_FLAT = 1e-14  # twice as many standbys that gain no more than this gain nothing


def spares_for(
    goodput: ArrayLike,
    *,
    blocks: ArrayLike,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    interval: ArrayLike | None = None,
    switch_time: ArrayLike = 0.0,
    crews: ArrayLike = np.inf,
    standby_hazard: ArrayLike = 0.0,
    stopped_hazard: ArrayLike = 0.0,
) -> FloatArray:
    r"""Least number of standby blocks with which a job reaches a goodput.

    .. math:: \min\{S : G(S) \ge g\}

    with G of `spares_goodput`, which rises with the standbys.

    Parameters
    ----------
    goodput : array_like, [-]
        g, share of the time in which the job makes progress that stays; in [0, 1].
    blocks : array_like, [-]
        Blocks that the job needs; whole and > 0, up to a million.
    block_mtbf : array_like, [time]
        Mean uptime of one block at work, repair excluded; > 0.
    mttr : array_like, [time]
        Mean time of one repair, waits for a crew excluded; >= 0, inf if there is none.
    checkpoint_cost, recovery_cost : array_like, [time]
        To write and to read a checkpoint; >= 0.
    interval : array_like or None, [time]
        Work between checkpoints; > 0, 0 if they are free. None for the best.
    switch_time : array_like, [time]
        From a failure to the recovery if a standby takes over; >= 0.
    crews : array_like, [-]
        Repairs under way at the same time; whole and > 0, or inf.
    standby_hazard : array_like, [-]
        Rate of failures of a standby over that of a block at work; >= 0 and at most 1.
    stopped_hazard : array_like, [-]
        The same for a block of the job in a stop; >= 0 and at most 1.

    Returns
    -------
    ndarray, [-]
        Whole numbers; inf where no number of standbys is enough. Shape: all arguments broadcast
        together.

    Raises
    ------
    ValueError
        If it takes more than 500 standbys.

    Notes
    -----
    Exact, as `spares_goodput`. The number is one of blocks, and hardly depends on how many nodes a
    block has: the same for 2048 servers and for 256 racks of eight. A rule for it by
    Erlang's loss formula is at most one off in the cases tried.
    Source: derived in tests/derivations/test_standbys.py.

    Judged for goodput 0.01 to 0.99, blocks 1 to 10000, mttr*blocks/block_mtbf 0.001 to 20,
    switch_time*blocks/block_mtbf 1e-4 to 1, crews 1 to 100, standby_hazard 0 to 1, stopped_hazard 0
    to 1, interval*blocks/block_mtbf 0.001 to 2, checkpoint_cost/interval 0.001 to 1,
    recovery_cost*blocks/block_mtbf 1e-4 to 1. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. K. Erlang, "Solution of some problems in the theory of probabilities of significance
       in automatic telephone exchanges", Elektroteknikeren 13, 1917; not seen.

    Examples
    --------
    16,384 accelerators in servers of eight that are repaired within a day; times in hours.

    >>> machine = {"blocks": 2048, "block_mtbf": 17000.0, "mttr": 24.0, "standby_hazard": 1.0}
    >>> costs = {"checkpoint_cost": 1 / 60, "recovery_cost": 1 / 12, "switch_time": 1 / 12}
    >>> spares_for([0.6, 0.8, 0.9, 0.95], **machine, **costs).tolist()
    [2.0, 4.0, 6.0, inf]
    """

    def least(wanted: float, interval: float, **job: float) -> float:
        cut = None if np.isnan(interval) else interval
        always = {**job, "crews": np.inf}  # a standby, for every failure
        most = float(spares_goodput(standbys=np.inf, interval=cut, **always))
        if wanted > most * (1.0 + _FLAT):
            return np.inf
        return _least(
            wanted, lambda count: float(spares_goodput(standbys=count, interval=cut, **job))
        )

    job = {
        "blocks": blocks,
        "block_mtbf": block_mtbf,
        "mttr": mttr,
        "checkpoint_cost": checkpoint_cost,
        "recovery_cost": recovery_cost,
        "switch_time": switch_time,
        "crews": crews,
        "standby_hazard": standby_hazard,
        "stopped_hazard": stopped_hazard,
    }
    spares_goodput(standbys=0.0, interval=interval, **job)  # refuses what it cannot use
    chosen = np.asarray(np.nan if interval is None else interval, dtype=np.float64)
    columns = {"goodput": fraction("goodput", goodput), "interval": chosen}
    columns |= {name: np.asarray(value, dtype=np.float64) for name, value in job.items()}
    wanted, cut, *rest = broadcast(**columns)
    found = [
        least(*map(float, row[:2]), **dict(zip(job, map(float, row[2:]), strict=True)))
        for row in zip(*(each.ravel() for each in (wanted, cut, *rest)), strict=True)
    ]
    given = (goodput, *job.values(), *(() if interval is None else (interval,)))
    return answer(np.reshape(found, wanted.shape), *given)


def _least(wanted: float, reached: Callable[[float], float]) -> float:
    """Return the least number that reaches what is wanted: doubled first, then halved."""
    low, high, before = -1, 0, -1.0
    while (share := reached(high)) < wanted:
        if not share > before * (1.0 + _FLAT):
            return np.inf
        if high == MOST_STANDBYS:
            raise ValueError(
                f"goodput must be reached with at most {MOST_STANDBYS} standbys, got {wanted!r} "
                f"where they reach {share:.6g}: take larger blocks"
            )
        low, high, before = high, min(max(2 * high, 1), MOST_STANDBYS), share
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) >= wanted else (middle, high)
    return float(high)


ROWS = (
    Formula(
        spares_for,
        "derived",
        "renewal rewards",
        "exact",
        ranges={"goodput": (0.01, 0.99), **GOODPUT_RANGES, "mttr*blocks/block_mtbf": (1e-3, 20.0)},
        trend=Trend(
            rising=("goodput", "mttr", "checkpoint_cost", "recovery_cost"), falling=("crews",)
        ),
    ),
)
