r"""The share of effective training time to first order, as Meta published it."""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, broadcast, nonnegative, positive
from ..formula import ANY, Formula, Trend
from ..validity import Range
from .losses import goodput


def _costs(
    *,
    interval: FloatArray,
    mtbf: FloatArray,
    checkpoint_cost: FloatArray,
    restore: FloatArray | float = 0.0,
) -> FloatArray:
    with np.errstate(over="ignore"):
        return np.asarray((interval + checkpoint_cost + restore) / mtbf)


# The error against `goodput`, measured in tests/perfmodel/training/test_ettr.py.
_RANGE = Range("(interval + checkpoint_cost + restore)/mtbf", limit=0.1, error=0.0518, of=_costs)


def ettr_first_order(
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    restore: ArrayLike = 0.0,
) -> FloatArray:
    r"""Share of effective training time, to first order in the rate of failures.

    .. math:: \frac{1 - (u_0 + w/2)/M}{1 + c/w}

    Parameters
    ----------
    interval : array_like, [time]
        w, computing between two checkpoints, checkpoint excluded; > 0.
    mtbf : array_like, [time]
        M, mean uptime between failures of the run, repair excluded; > 0.
    checkpoint_cost : array_like, [time]
        c, during which the run stands still for a checkpoint; >= 0.
    restore : array_like, [time]
        u_0, all that passes after a failure before the run goes on; >= 0.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together. 0 where the formula is negative.

    Warns
    -----
    ValidityWarning
        Beyond (interval + checkpoint_cost + restore)/mtbf = 0.1.

    Notes
    -----
    Approximation, first order in the rate of failures: within 5.18 % of `goodput`, which is exact,
    for (interval + checkpoint_cost + restore)/mtbf <= 0.1. It leaves out failures of restarts and
    of checkpoints, and loses half an interval with each failure. Source: [1]_ as quoted elsewhere,
    whose N r_f is 1/M, and whose waits in the queue belong to u_0; the paper was not reviewed.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Kokolis et al., "Revisiting reliability in large-scale machine learning research
       clusters", arXiv 2410.21680, 2024.

    Examples
    --------
    >>> e = ettr_first_order(interval=360.3, mtbf=6490.6, checkpoint_cost=10.0, restore=60.0)
    >>> round(float(e), 4)
    0.937
    """
    w, m, c, u = broadcast(
        interval=positive("interval", interval),
        mtbf=positive("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        restore=nonnegative("restore", restore),
    )
    with np.errstate(all="ignore"):
        _RANGE.warn("ettr_first_order", _costs(interval=w, mtbf=m, checkpoint_cost=c, restore=u))
        share = np.maximum(1.0 - (u / m + 0.5 * w / m), 0.0) / (1.0 + c / w)
    return answer(share, interval, mtbf, checkpoint_cost, restore)


ROWS = (
    Formula(
        ettr_first_order,
        "Kokolis 2024",
        "expected ETTR",
        "approximation",
        range=_RANGE,
        fallback=goodput,
        ranges={name: ANY for name in ("interval/mtbf", "checkpoint_cost/mtbf", "restore/mtbf")},
        domain={
            "interval": (1e-3, 1.0),
            "mtbf": (1.0, 1.0),
            "checkpoint_cost": (1e-4, 0.3),
            "restore": (1e-4, 0.3),
        },
        trend=Trend(rising=("mtbf",), falling=("checkpoint_cost", "restore")),
    ),
)
