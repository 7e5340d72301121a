r"""Goodput of a long training run that also keeps copies in memory, and what it loses by class.

The run computes for `interval`, stands still for a copy in memory, and computes on; every
`durable_every`-th checkpoint is durable and leaves a copy in memory, too. A share `survived` of the
failures leaves the copy in memory: the run goes back to it. The others, and any failure while a
durable checkpoint is read back, lead back to the latest durable one; reading it back puts a copy
into memory. The rest is as in `perfmodel.training.losses`.

Of the time that the run is up, failures at rate lambda begin a recovery each. Those that survive,
at rate lambda_1, begin one from memory, but for those that strike a durable one: with u the share
of the time up and g the mean time of an attempt to recover,

.. math::
    n_2 = \lambda_2 u / (1 - \lambda_1 g_2), \quad n_1 = \lambda_1 (u - n_2 g_2)

recoveries of both kinds begin per time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, positive
from ..formula import Formula, Trend
from ..levels import expected_makespan_two_levels
from ..quantities import checked
from .losses import Shares


@dataclass(frozen=True, slots=True)
class MemoryShares(Shares):
    """Shares of the time of a long run with copies in memory; they add up to 1.

    Parameters
    ----------
    goodput : ndarray, [-]
        Computing that is kept.
    memory_save, checkpoint_save : ndarray, [-]
        Standing still for copies in memory and for durable checkpoints, those that are kept.
    wasted_progress : ndarray, [-]
        Computing and copying that failures undo.
    detection, queue, rescheduling : ndarray, [-]
        From failures until they are noticed, nodes are granted, and the run is placed on them.
    memory_restore, checkpoint_restore : ndarray, [-]
        Reading back from memory, and durable checkpoints; interrupted attempts included.
    warm_up : ndarray, [-]
        What else passes before the first step.
    """

    goodput: FloatArray
    memory_save: FloatArray
    checkpoint_save: FloatArray
    wasted_progress: FloatArray
    detection: FloatArray
    queue: FloatArray
    rescheduling: FloatArray
    memory_restore: FloatArray
    checkpoint_restore: FloatArray
    warm_up: FloatArray


def training_shares_memory(
    *,
    interval: ArrayLike,
    durable_every: ArrayLike,
    mtbf: ArrayLike,
    survived: ArrayLike,
    memory_cost: ArrayLike,
    checkpoint_cost: ArrayLike,
    memory_restore: ArrayLike = 0.0,
    restore: ArrayLike = 0.0,
    warm_up: ArrayLike = 0.0,
    detection: ArrayLike = 0.0,
    queue: ArrayLike = 0.0,
    rescheduling: ArrayLike = 0.0,
) -> MemoryShares:
    r"""Shares of a long training run with copies in memory, by class of loss.

    Parameters
    ----------
    interval : array_like, [time]
        w, computing between two copies, copy excluded; > 0.
    durable_every : array_like, [-]
        m, copies from one durable checkpoint to the next, that one included; whole and > 0.
    mtbf : array_like, [time]
        1/lambda, mean uptime between failures of the run, repair excluded; > 0, inf if none.
    survived : array_like, [-]
        lambda_1/lambda, share of the failures that leave the copy in memory; >= 0 and at most 1.
    memory_cost, checkpoint_cost : array_like, [time]
        During which the run stands still for a copy in memory, and for a durable one in all; >= 0.
    memory_restore, restore : array_like, [time]
        To read either back; both at risk; >= 0.
    warm_up : array_like, [time]
        Until the first step after that; at risk; >= 0.
    detection, queue, rescheduling : array_like, [time]
        From a failure until it is noticed, until nodes are granted and until the run is placed;
        none of them at risk; >= 0.

    Returns
    -------
    MemoryShares
        Arrays, [-]. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for exponential uptimes: the ratio of the work of a pattern to its mean time, by
    `expected_makespan_two_levels`, and rates of recoveries in the long run. With `durable_every` 1
    and no failure survived it is `training_shares` without a latency. What is wasted is the rest:
    its error is absolute, 1e-13. `survived` is 1 less `share_lost_with_buddies` where copies are
    with buddies.
    Source: derived; the classes have names that tools for training runs use [1]_; the library was
    not read.

    Judged for interval/mtbf 1e-4 to 2, durable_every 1 to 20, survived 0 to 1, memory_cost/interval
    1e-4 to 1, checkpoint_cost/interval 0.001 to 2, memory_restore/mtbf 1e-4 to 1, restore/mtbf 1e-4
    to 1, warm_up/mtbf 1e-4 to 1, detection/mtbf 1e-4 to 1, queue/mtbf 1e-4 to 1, rescheduling/mtbf
    1e-4 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] "ML goodput measurement", library of Google, its classes of badput.

    Examples
    --------
    A run that fails every 3 h; copies of 5 s in memory, every tenth one of a minute and durable.

    >>> shares = training_shares_memory(
    ...     interval=0.1, durable_every=10, mtbf=3.1, survived=0.9, memory_cost=5 / 3600,
    ...     checkpoint_cost=1 / 60, memory_restore=1 / 60, restore=5 / 60, detection=5 / 60,
    ... )
    >>> round(float(shares.goodput), 4), round(float(shares.wasted_progress), 4)
    (0.9096, 0.0304)
    """
    given = (
        *(interval, durable_every, mtbf, survived, memory_cost, checkpoint_cost),
        *(memory_restore, restore, warm_up, detection, queue, rescheduling),
    )
    w, m, mu, share, c1, c2, read1, read2, warm, noticed, queued, placed = checked(
        interval=positive("interval", interval),
        durable_every=positive("durable_every", durable_every),
        mtbf=mtbf,
        survived=survived,
        memory_cost=memory_cost,
        checkpoint_cost=checkpoint_cost,
        memory_restore=memory_restore,
        restore=restore,
        warm_up=warm_up,
        detection=detection,
        queue=queue,
        rescheduling=rescheduling,
    )
    with np.errstate(all="ignore"):
        never = np.isinf(mu)
        # In multiples of the longest, whose sum no float may hold.
        largest = np.maximum.reduce([np.where(never, 1.0, mu), noticed, queued, placed])
        cycle = np.where(never, 1.0, mu) / largest
        cycle = cycle + noticed / largest + queued / largest + placed / largest
        up = np.where(never, 1.0, mu / largest / cycle)
        stages = {"detection": noticed, "queue": queued, "rescheduling": placed}
        parts = {
            name: np.where(never, 0.0, time / largest / cycle) for name, time in stages.items()
        }
        kept = _kept(w, m, mu, share, c1, c2, read1 + warm, read2 + warm, up)
        # Times of attempts, and recoveries that begin per mtbf.
        tried1, tried2 = (-np.expm1(-(read + warm) / mu) for read in (read1, read2))
        begun2 = (1.0 - share) * up / (1.0 - share * tried2)
        begun2 = np.where(share * tried2 < 1.0, begun2, 0.0)
        begun1 = share * (up - begun2 * tried2)
        first, second = (-np.expm1(-read / mu) for read in (read1, read2))
        back = {
            "memory_restore": begun1 * first,
            "checkpoint_restore": begun2 * second,
            "warm_up": begun1 * (tried1 - first) + begun2 * (tried2 - second),
        }
        parts |= kept | back
        undone = up - sum(kept.values()) - sum(back.values())
        parts["wasted_progress"] = np.maximum(undone, 0.0)
        return MemoryShares(**{name: answer(np.asarray(x), *given) for name, x in parts.items()})


def _kept(*run: FloatArray) -> dict[str, FloatArray]:
    """Return the shares of computing and of copies that are kept; the last of `run` is that up.

    Without a downtime a pattern takes its share of the time up.
    """
    w, m, mu, share, c1, c2, back1, back2, up = run
    # Per segment, in multiples of the longest time of it.
    times = (w, c1 * (1.0 - 1.0 / m), c2 / m)
    unit = np.maximum.reduce(times)
    local, durable, first, second, mtbf = (
        np.clip(each / unit, 0.0, _LARGE) for each in (c1, c2, back1, back2, mu)
    )
    cut = np.maximum(w / unit, 1.0 / _LARGE)
    pattern = expected_makespan_two_levels(
        m * cut,
        interval=cut,
        durable_every=m,
        mtbf=np.where(np.isinf(mu), np.inf, np.maximum(mtbf, 1.0 / _LARGE)),
        survived=share,
        local_cost=local,
        durable_cost=durable,
        local_recovery=first,
        durable_recovery=second,
    )
    names = ("goodput", "memory_save", "checkpoint_save")
    return {
        name: np.where(np.isinf(pattern), 0.0, up * m * (time / unit) / pattern)
        for name, time in zip(names, times, strict=True)
    }


_LARGE = 1e200  # multiples: beyond, nothing is kept
_STAGES = ("memory_restore", "restore", "warm_up", "detection", "queue", "rescheduling")

ROWS = (
    Formula(
        training_shares_memory,
        "derived",
        "shares of a pattern",
        "exact",
        ranges={
            "interval/mtbf": (1e-4, 2.0),
            "durable_every": (1.0, 20.0),
            "survived": (0.0, 1.0),
            "memory_cost/interval": (1e-4, 1.0),
            "checkpoint_cost/interval": (1e-3, 2.0),
            **{f"{name}/mtbf": (1e-4, 1.0) for name in _STAGES},
        },
        trend=Trend(),
    ),
)
