r"""Goodput of a long training run, and the classes of time that it loses.

The run computes for `interval`, stands still for `checkpoint_cost` while its state is copied, and
computes on; the snapshot is durable `latency` after its copy, before the next is due. A failure
destroys what is not durable. It is noticed after `detection`; then `queue` and `rescheduling` pass
until nodes are at hand. No failure prolongs these. `restore` reads the last durable snapshot,
`warm_up` is what else passes before the first step; a failure in either begins all of this again.

A failure begins a cycle: D = detection + queue + rescheduling, then 1/lambda in the mean until the
next failure. With R = restore + warm_up, b = w + c + l to the first durable snapshot after R and
x = w + c from one to the next, a cycle has

.. math:: n = e^{-\lambda (R + b)} / (1 - e^{-\lambda x})

durable snapshots in the mean, each of which keeps w and costs c; what is left of the time after R
is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, comparable, positive
from .._special import expm1_minus, in_one_unit
from ..formula import ANY, Formula, Trend
from ..quantities import checked

_PLACED = ("detection", "queue", "rescheduling")


class Shares:
    """Shares of the time of a long run, of which one is its goodput."""

    __slots__: tuple[str, ...] = ()

    def losses(self) -> dict[str, FloatArray]:
        """Return all classes but goodput, by name."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "goodput"}

    def plot(self, ax: Any = None) -> Any:
        """Draw the losses of each run, a bar each; return the axes.

        New axes are made where `ax` is None. ImportError without matplotlib, the extra `plot`.
        """
        from ..figures import draw_losses

        return draw_losses(self.losses(), ax=ax)


@dataclass(frozen=True, slots=True)
class TrainingShares(Shares):
    """Shares of the time of a long run, which add up to 1; arrays of one shape.

    Parameters
    ----------
    goodput : ndarray, [-]
        Computing that is kept.
    checkpoint_save : ndarray, [-]
        Standing still for snapshots that become durable.
    wasted_progress : ndarray, [-]
        Computing and copying that failures undo.
    detection : ndarray, [-]
        From failures until they are noticed.
    queue, rescheduling : ndarray, [-]
        Until nodes are granted, and until the run is placed on them.
    checkpoint_restore, warm_up : ndarray, [-]
        Reading snapshots back, and what else passes before the first step; interrupted attempts
        included.
    """

    goodput: FloatArray
    checkpoint_save: FloatArray
    wasted_progress: FloatArray
    detection: FloatArray
    queue: FloatArray
    rescheduling: FloatArray
    checkpoint_restore: FloatArray
    warm_up: FloatArray


def training_shares(
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike = 0.0,
    restore: ArrayLike = 0.0,
    warm_up: ArrayLike = 0.0,
    detection: ArrayLike = 0.0,
    queue: ArrayLike = 0.0,
    rescheduling: ArrayLike = 0.0,
) -> TrainingShares:
    r"""Shares of a long training run by class of loss.

    Parameters
    ----------
    interval : array_like, [time]
        w, computing between two checkpoints, checkpoint excluded; > 0.
    mtbf : array_like, [time]
        1/lambda, mean uptime between failures of the run, repair excluded; > 0, inf if none.
    checkpoint_cost : array_like, [time]
        c, during which the run stands still for a checkpoint; >= 0.
    latency : array_like, [time]
        l, from the end of that until the snapshot is durable; >= 0 and at most `interval` +
        `checkpoint_cost`.
    restore, warm_up : array_like, [time]
        To read a snapshot back, and until the first step after that; both at risk; >= 0.
    detection, queue, rescheduling : array_like, [time]
        From a failure until it is noticed, until nodes are granted and until the run is placed;
        none of them at risk; >= 0.

    Returns
    -------
    TrainingShares
        Arrays, [-]. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for exponential uptimes: shares of the time of many failures, each the ratio of two means.
    Source: derived in tests/derivations/test_training.py. The classes have names that tools for
    training runs use [1]_; the library was not read.

    Judged for latency/interval 1e-6 to 1, and any other ratio from 1e-6 to 1e6. Times must be
    comparable where a number on the way overflows. Errors: see `perfmodel`.

    References
    ----------
    .. [1] "ML goodput measurement", library of Google, its classes of badput.

    Examples
    --------
    A run on 16,384 GPUs that fails every 3 h; checkpoints of a minute, 10 minutes to restart.

    >>> shares = training_shares(
    ...     interval=0.3, mtbf=3.1, checkpoint_cost=1 / 60, restore=5 / 60, detection=5 / 60
    ... )
    >>> round(float(shares.goodput), 4), round(float(shares.wasted_progress), 4)
    (0.853, 0.0476)
    """
    given = (
        *(interval, mtbf, checkpoint_cost, latency),
        *(restore, warm_up, detection, queue, rescheduling),
    )
    times = checked(
        interval=positive("interval", interval),
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        latency=latency,
        restore=restore,
        warm_up=warm_up,
        detection=detection,
        queue=queue,
        rescheduling=rescheduling,
    )
    _, w, m, c, drain, read, warm, noticed, queued, placed = in_one_unit(*times)
    late_ones = drain > (w + c) * (1.0 + 1e-12)
    if late_ones.any():
        raise ValueError(
            "latency must be at most interval + checkpoint_cost, so that a snapshot is durable "
            f"before the next is due, got {float(times[3][late_ones].flat[0])!r}"
        )
    with np.errstate(all="ignore"):
        x, late = (w + c) / m, drain / m
        r, u = read / m, warm / m
        kept = np.exp(-(r + u))
        # Failures per durable snapshot, those of recoveries aside. All times are per failure, or
        # per snapshot where that is the rarer of the two, so that nothing overflows.
        failures = np.exp(late) * np.expm1(x)
        rare = failures < 1.0
        each, snapshots = np.where(rare, failures, 1.0), np.where(rare, 1.0, 1.0 / failures)
        # Where no attempt to come back succeeds, one failure is all, however rare it is.
        each = np.where(kept == 0.0, np.maximum(each, 1e-300), each)
        in_snapshots = np.where(np.isinf(failures), 0.0, x / failures)  # share of the time up
        undone = expm1_minus(x) + np.expm1(late) * np.expm1(x)
        parts = {
            "goodput": w * snapshots * kept,
            "checkpoint_save": c * snapshots * kept,
            "wasted_progress": m * kept * np.where(rare, undone, 1.0 - in_snapshots),
            "detection": noticed * each,
            "queue": queued * each,
            "rescheduling": placed * each,
            "checkpoint_restore": -m * np.expm1(-r) * each,
            "warm_up": -m * np.exp(-r) * np.expm1(-u) * each,
        }
        never = np.isinf(m)
        alone = {"goodput": w, "checkpoint_save": c}
        parts = {name: np.where(never, alone.get(name, 0.0), part) for name, part in parts.items()}
        total = sum(parts.values())
        if not ((total > 0.0) & np.isfinite(total)).all():
            names = ("interval", "mtbf", "checkpoint_cost", "latency", "restore", "warm_up")
            comparable(**dict(zip((*names, *_PLACED), times, strict=True)))
        return TrainingShares(
            **{name: answer(np.asarray(part / total), *given) for name, part in parts.items()}
        )


def goodput(
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike = 0.0,
    restore: ArrayLike = 0.0,
    warm_up: ArrayLike = 0.0,
    detection: ArrayLike = 0.0,
    queue: ArrayLike = 0.0,
    rescheduling: ArrayLike = 0.0,
) -> FloatArray:
    r"""Share of the time of a long training run that advances it.

    .. math::
        \frac{\lambda w}{1 + \lambda D} \frac{e^{-\lambda (R + l)}}{e^{\lambda (w + c)} - 1}

    with R = restore + warm_up and D the sum of the last three.

    Parameters
    ----------
    interval : array_like, [time]
        w, computing between two checkpoints, checkpoint excluded; > 0.
    mtbf : array_like, [time]
        1/lambda, mean uptime between failures of the run, repair excluded; > 0, inf if none.
    checkpoint_cost : array_like, [time]
        c, during which the run stands still for a checkpoint; >= 0.
    latency : array_like, [time]
        l, from the end of that until the snapshot is durable; >= 0 and at most `interval` +
        `checkpoint_cost`.
    restore, warm_up : array_like, [time]
        To read a snapshot back, and until the first step after that; both at risk; >= 0.
    detection, queue, rescheduling : array_like, [time]
        From a failure until it is noticed, until nodes are granted and until the run is placed;
        none of them at risk; >= 0.

    Returns
    -------
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for exponential uptimes; `training_shares` says where the rest goes. The interval that
    makes it largest, `optimal_interval_async`, depends on `mtbf`, `checkpoint_cost` and `latency`
    alone.
    Source: derived in tests/derivations/test_training.py, for the classes of [1]_; the library was
    not read.

    Judged for latency/interval 1e-6 to 1, and any other ratio from 1e-6 to 1e6. Times must be
    comparable where a number on the way overflows. Errors: see `perfmodel`.

    References
    ----------
    .. [1] "ML goodput measurement", library of Google, its classes of badput.

    Examples
    --------
    >>> g = goodput(interval=1000.0, mtbf=11_000.0, checkpoint_cost=10.0, restore=300.0)
    >>> round(float(g), 4)
    0.9199
    """
    return training_shares(
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        latency=latency,
        restore=restore,
        warm_up=warm_up,
        detection=detection,
        queue=queue,
        rescheduling=rescheduling,
    ).goodput


_STAGES = ("restore", "warm_up", "detection", "queue", "rescheduling")
_RANGES = {
    **{f"{name}/mtbf": ANY for name in ("interval", "checkpoint_cost", *_STAGES)},
    "latency/interval": (1e-6, 1.0),
}
_DOMAIN = {
    "interval": (0.01, 3.0),
    "mtbf": (1.0, 1.0),
    "checkpoint_cost": (1e-3, 1.0),
    **{name: (1e-3, 1.0) for name in ("latency", *_STAGES)},
}

ROWS = (
    Formula(
        training_shares,
        "derived",
        "shares of a cycle",
        "exact",
        ranges=_RANGES,
        trend=Trend(),
    ),
    Formula(
        goodput,
        "derived",
        "shares of a cycle",
        "exact",
        ranges=_RANGES,
        domain=_DOMAIN,
        trend=Trend(rising=("mtbf",), falling=("checkpoint_cost", "latency", *_STAGES)),
    ),
)
