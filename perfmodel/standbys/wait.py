r"""Goodput of a job on blocks of nodes with standby blocks, that waits when there is none.

A job needs `blocks` blocks, all of them: nodes that fail together, such as a server, a tray or a
rack. A block at work fails once per `block_mtbf` on average. The job computes for `interval`,
writes a checkpoint, computes on; a failure in either, or in a recovery, leads back to the last
checkpoint. It costs a stop, then a recovery.

* A standby takes over: the stop is `switch_time`. A standby fails at `standby_hazard` times the
  rate of a block at work.
* If there is none, the job waits until blocks enough are back; then as above.
* In a stop, blocks of the job, with those that come back in a wait, fail at `stopped_hazard` times
  the rate at work. Such a failure, too, needs a standby, and the switch starts again.
* A block that failed is under repair for an exponential time of mean `mttr`, by one of `crews`
  crews, first come first served; then it is a standby.
"""

from __future__ import annotations

import functools

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    comparable,
    fraction,
    nonnegative,
    nonnegative_or_inf,
    positive,
    positive_or_inf,
    whole,
)
from ..formula import Formula, Trend
from ..interval import optimal_interval
from ..makespan import efficiency
from ._pool import equal_blocks

MOST_STANDBYS = 500
_MOST_BLOCKS = 1_000_000
_UNENDING = 600.0  # failures in one switch, of which one must pass without


def mean_stop(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    switch_time: ArrayLike = 0.0,
    crews: ArrayLike = np.inf,
    standby_hazard: ArrayLike = 0.0,
    stopped_hazard: ArrayLike = 0.0,
) -> FloatArray:
    r"""Mean time that a failure stops a job which shares a few standby blocks.

    .. math:: \bar D = \sum_j \pi_j d_j, \quad \pi (Q + a (Z - I)) = 0, \quad
        a = B \lambda

    j is the number of blocks down when the job fails, which it does at rate a while it runs. Q has
    the rates of failures and repairs in between, Z the chances of what a stop that begins in j
    leaves, d its mean time.

    Parameters
    ----------
    blocks : array_like, [-]
        B, blocks that the job needs; whole and > 0, up to a million.
    standbys : array_like, [-]
        S, blocks beyond those; whole and >= 0, up to 500, or inf: there is always one.
    block_mtbf : array_like, [time]
        Mean uptime of one block at work, repair excluded; > 0.
    mttr : array_like, [time]
        Mean time of one repair, waits for a crew excluded; >= 0, inf if there is none.
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
    ndarray, [time]
        In the long run, from the failure to the beginning of the recovery. Shape: all arguments
        broadcast together. Without repair, and on overflow, inf.

    Raises
    ------
    ValueError
        If `standbys` is inf, and `crews` are too few for that.

    Notes
    -----
    Exact in the long run for exponential uptimes and repairs, and a fixed switch; the first stops
    of a job that begins with all its standbys are shorter. Without `switch_time` and hazards, and
    with unlimited crews, the share of failures that must wait is Erlang's loss formula, for repairs
    of any law. It takes 0.1 s for 100 standbys, 5 s for 500.
    Source: derived in tests/derivations/test_standbys.py.

    Judged for standbys 0 to 40, blocks 1 to 10000, mttr*blocks/block_mtbf 0.001 to 100,
    switch_time*blocks/block_mtbf 1e-4 to 1, crews 1 to 100, standby_hazard 0 to 1, stopped_hazard 0
    to 1. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. K. Erlang, "Solution of some problems in the theory of probabilities of significance
       in automatic telephone exchanges", Elektroteknikeren 13, 1917; not seen.

    Examples
    --------
    >>> stop = mean_stop(16, 2, block_mtbf=200.0, mttr=20.0)
    >>> round(float(stop), 9)
    2.199312715
    """
    given = (
        *(blocks, standbys, block_mtbf, mttr, switch_time),
        *(crews, standby_hazard, stopped_hazard),
    )
    return answer(_mean_stops(*checked_blocks(*given)), *given)


def spares_goodput(
    blocks: ArrayLike,
    standbys: ArrayLike,
    *,
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
    r"""Share of the time in which a job with standby blocks makes progress that stays.

    .. math:: G = \frac{w e^{-a R}}{(e^{a (w + C)} - 1) (1/a + \bar D)}, \quad a = B \lambda

    with the mean stop of `mean_stop`: the share of a job whose every failure costs that much.

    Parameters
    ----------
    blocks : array_like, [-]
        B, blocks that the job needs; whole and > 0, up to a million.
    standbys : array_like, [-]
        S, blocks beyond those; whole and >= 0, up to 500, or inf: there is always one.
    block_mtbf : array_like, [time]
        1/lambda, mean uptime of one block at work, repair excluded; > 0.
    mttr : array_like, [time]
        Mean time of one repair, waits for a crew excluded; >= 0, inf if there is none.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R, to write and to read a checkpoint; >= 0.
    interval : array_like or None, [time]
        w, work between checkpoints; > 0, 0 if they are free. None for the best: it is
        `optimal_interval` of the job's mtbf, block_mtbf/blocks, whatever the standbys.
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
        In [0, 1]. Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If `standbys` is inf, and `crews` are too few for that.

    Notes
    -----
    Exact in the long run, as `mean_stop`. The time at work between two failures does not depend on
    what is down, so that the mean stop is all that matters.
    Source: derived in tests/derivations/test_standbys.py. A chain in which a stop takes no time
    is up to 5 % off.

    Judged for standbys 0 to 40, blocks 1 to 10000, mttr*blocks/block_mtbf 0.001 to 100,
    switch_time*blocks/block_mtbf 1e-4 to 1, crews 1 to 100, standby_hazard 0 to 1, stopped_hazard 0
    to 1, interval*blocks/block_mtbf 0.001 to 2, checkpoint_cost/interval 0.001 to 1,
    recovery_cost*blocks/block_mtbf 1e-4 to 1. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. M. Ross, "Stochastic processes", Wiley, 1996, for renewal rewards; not seen.

    Examples
    --------
    >>> machine = {"block_mtbf": 200.0, "mttr": 20.0, "interval": 1.5}
    >>> share = spares_goodput(16, 2, **machine, checkpoint_cost=0.1, recovery_cost=0.2)
    >>> round(float(share), 9)
    0.735434948
    """
    given = (
        *(blocks, standbys, block_mtbf, mttr, switch_time),
        *(crews, standby_hazard, stopped_hazard),
    )
    checked = checked_blocks(*given)
    mtbf = checked[2] / checked[0]
    if interval is None:
        cut = optimal_interval(mtbf=mtbf, checkpoint_cost=checkpoint_cost)
    else:
        cut = nonnegative("interval", interval)
    stops = _mean_stops(*checked)
    stands = np.isinf(stops)
    found = efficiency(
        np.where(np.asarray(cut) > 0.0, cut, 1.0),
        interval=cut,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=np.where(stands, 0.0, stops),
    )
    found = np.where(stands, 0.0, found)
    more = () if interval is None else (interval,)
    return answer(found, *given, checkpoint_cost, recovery_cost, *more)


def checked_blocks(  # noqa: PLR0917 (in the order of the public functions)
    blocks: ArrayLike,
    standbys: ArrayLike,
    block_mtbf: ArrayLike,
    mttr: ArrayLike,
    switch_time: ArrayLike,
    crews: ArrayLike,
    standby_hazard: ArrayLike,
    stopped_hazard: ArrayLike,
) -> tuple[FloatArray, ...]:
    """Check the arguments of a job on blocks, and broadcast them together."""
    columns = broadcast(
        blocks=limited("blocks", whole("blocks", positive("blocks", blocks)), _MOST_BLOCKS),
        standbys=limited(
            "standbys", whole_or_inf("standbys", standbys, least=0), MOST_STANDBYS, else_inf=True
        ),
        block_mtbf=positive("block_mtbf", block_mtbf),
        mttr=nonnegative_or_inf("mttr", mttr),
        switch_time=nonnegative("switch_time", switch_time),
        crews=whole_or_inf("crews", positive_or_inf("crews", crews), least=1),
        standby_hazard=fraction("standby_hazard", standby_hazard),
        stopped_hazard=fraction("stopped_hazard", stopped_hazard),
    )
    comparable(block_mtbf=columns[2], mttr=columns[3], switch_time=columns[4])
    return columns


def whole_or_inf(name: str, value: ArrayLike, *, least: int) -> FloatArray:
    """Return `value` as float64, all whole numbers >= `least` or inf, or raise naming it."""
    array = nonnegative_or_inf(name, value)
    endless = np.isinf(array)
    return np.where(endless, np.inf, whole(name, np.where(endless, least, array), least=least))


def limited(name: str, array: FloatArray, most: int, *, else_inf: bool = False) -> FloatArray:
    """Return `array`, or raise if a finite number in it is above `most`."""
    high = np.isfinite(array) & (array > most)
    if high.any():
        remedy = "take larger blocks, or inf" if else_inf else "take larger blocks"
        raise ValueError(
            f"{name} must be at most {most}, got {float(array[high].flat[0]):.0f}: {remedy}"
        )
    return array


def _mean_stops(*checked: FloatArray) -> FloatArray:
    """Return the mean stop of each element, each kind of them computed once."""
    rows = np.column_stack([each.ravel() for each in checked])
    kinds, places = np.unique(rows, axis=0, return_inverse=True)
    stops = np.array([_mean_stop(*map(float, kind)) for kind in kinds])
    return stops[places.ravel()].reshape(checked[0].shape)


@functools.lru_cache(maxsize=4096)
def _mean_stop(  # noqa: PLR0917 (in the order of the public functions)
    blocks: float,
    standbys: float,
    block_mtbf: float,
    mttr: float,
    switch_time: float,
    crews: float,
    standby_hazard: float,
    stopped_hazard: float,
) -> float:
    rate = 1.0 / block_mtbf
    fails, stopped = blocks * rate, blocks * rate * stopped_hazard
    if mttr == 0.0 or np.isinf(standbys):
        with np.errstate(over="ignore"):  # attempts without end
            attempts = np.exp(stopped * switch_time)
            at_once = stop_with_a_standby(switch_time, stopped)
        if mttr > 0.0 and np.isfinite(crews):
            return _never_empty(float(attempts), at_once, fails, mttr / crews, standby_hazard)
        return at_once
    if np.isinf(mttr):
        return float("inf")
    if stopped * switch_time > _UNENDING:
        return float("inf")
    pool = equal_blocks(
        int(blocks),
        int(standbys),
        rate=rate,
        mttr=mttr,
        crews=crews,
        standby_hazard=standby_hazard,
        stopped_hazard=stopped_hazard,
    )
    if np.isinf(pool.wait).any():
        return float("inf")  # in a wait, ever more blocks fail
    stop = pool.stop(switch_time, stopped)
    return stop.mean(pool.at_failures(fails, stop))


def stop_with_a_standby(switch_time: float, stopped: float) -> float:
    """Return the mean stop where there is always a standby; `stopped` is the rate of failures."""
    if stopped == 0.0:
        return switch_time
    with np.errstate(over="ignore"):
        return float(np.expm1(stopped * switch_time) / stopped)


def _never_empty(
    attempts: float, stop: float, fails: float, repair: float, standby_hazard: float
) -> float:
    """Return the mean stop of a job with a standby for every failure, if its crews keep up."""
    if standby_hazard > 0.0 or not attempts * repair < 1.0 / fails + stop:
        raise ValueError(
            "standbys must be finite where crews cannot repair as fast as blocks fail, got inf"
        )
    return stop


STANDBYS = (0.0, 40.0)
_RANGES = {
    "blocks": (1.0, 1e4),
    "mttr*blocks/block_mtbf": (1e-3, 100.0),
    "switch_time*blocks/block_mtbf": (1e-4, 1.0),
    "crews": (1.0, 100.0),
    "standby_hazard": (0.0, 1.0),
    "stopped_hazard": (0.0, 1.0),
}
GOODPUT_RANGES = {
    **_RANGES,
    "interval*blocks/block_mtbf": (1e-3, 2.0),
    "checkpoint_cost/interval": (1e-3, 1.0),
    "recovery_cost*blocks/block_mtbf": (1e-4, 1.0),
}

ROWS = (
    Formula(
        mean_stop,
        "derived",
        "renewal rewards",
        "exact",
        ranges={"standbys": STANDBYS, **_RANGES},
        trend=Trend(rising=("mttr",), falling=("standbys", "crews")),
    ),
    Formula(
        spares_goodput,
        "derived",
        "renewal rewards",
        "exact",
        ranges={"standbys": STANDBYS, **GOODPUT_RANGES},
        trend=Trend(
            rising=("standbys", "crews"), falling=("mttr", "checkpoint_cost", "recovery_cost")
        ),
    ),
)
