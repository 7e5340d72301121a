r"""Checkpoints whose cost is random, as the constant cost that gives the same mean makespan.

The job is that of `perfmodel.makespan.exact`, but each checkpoint takes as long as a draw from a
law, which no failure depends on. Either every attempt at a segment draws its own cost, as where a
shared file system is now fast and now slow, or a segment keeps one cost over all its attempts, as
where the size of the state decides.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, broadcast, nonnegative, positive_or_inf, shown
from ..formula import Formula, Trend
from ..lifetimes import Lifetime

Drawn: TypeAlias = Literal["attempt", "segment"]


def effective_checkpoint_cost(
    checkpoint_cost: ArrayLike | Lifetime,
    *,
    mtbf: ArrayLike,
    drawn: Drawn = "attempt",
) -> FloatArray:
    r"""Cost of checkpoints that gives the same mean makespan as checkpoints of random cost.

    .. math:: -\mu \ln E[e^{-C/\mu}] \quad \text{or} \quad \mu \ln E[e^{C/\mu}]

    for a cost that each attempt at a segment draws, or that a segment keeps over its attempts.

    Parameters
    ----------
    checkpoint_cost : array_like or Lifetime, [time]
        C, a law of costs, or fixed and >= 0, which is its own effective cost.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    drawn : {"attempt", "segment"}, [-]
        What draws a cost of its own.

    Returns
    -------
    ndarray, [time]
        At most the mean cost for ``attempt``, at least that for ``segment``, where it is inf if
        the tail of the law is so heavy that segments take an infinite time in the mean.
        Shape: that of `mtbf`, broadcast with a fixed cost.

    Notes
    -----
    Exact for exponential uptimes. `expected_makespan` and `optimal_interval` of that cost are those
    of the job; its variance is not. Lognormal and other heavy tails give inf for ``segment``: then
    a cost should be drawn anew, which a restart from elsewhere may do.
    Source: derived in tests/derivations/test_random_cost.py.

    Judged for checkpoint_cost/mtbf 1e-6 to 10, cv of checkpoint_cost 0 to 3. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011: the model, of which the abstract was seen.

    Examples
    --------
    >>> from perfmodel.lifetimes import Exponential
    >>> for drawn in ("attempt", "segment"):
    ...     cost = effective_checkpoint_cost(Exponential(0.3), mtbf=10.0, drawn=drawn)
    ...     print(f"{float(cost):.12f}")
    0.295588022415
    0.304592074847
    """
    if drawn not in get_args(Drawn):
        raise ValueError(f"drawn must be 'attempt' or 'segment', got {shown(drawn)}")
    mu = positive_or_inf("mtbf", mtbf)
    if not isinstance(checkpoint_cost, Lifetime):
        cost, _ = broadcast(
            checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost), mtbf=mu
        )
        return answer(cost.copy(), checkpoint_cost, mtbf)
    sign = -1.0 if drawn == "attempt" else 1.0
    with np.errstate(all="ignore"):
        # Beyond 1e280 failures during a checkpoint its law is no longer asked.
        rate = np.minimum(1.0 / mu, 1e280 / max(checkpoint_cost.mean, 1e-20))
        growth = np.abs(checkpoint_cost.log_growth(sign * rate))
        # Where failures are so rare that the exponent has no digits, the mean is left.
        found = np.where(growth < 1e-290, checkpoint_cost.mean, growth / rate)
    return answer(found, mtbf)


ROWS = (
    Formula(
        effective_checkpoint_cost,
        "derived",
        "renewal, random cost",
        "exact",
        ranges={"checkpoint_cost/mtbf": (1e-6, 10.0), "cv of checkpoint_cost": (0.0, 3.0)},
        domain={"checkpoint_cost": (1e-3, 1.0), "mtbf": (1.0, 1.0)},
        trend=Trend(),
    ),
)
