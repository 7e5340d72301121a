r"""A long job whose processes all run twice, on pairs of nodes.

Nodes fail independently at exponential times. The job goes on while each pair has a node that is
up; when both nodes of a pair have failed, it is interrupted. Then come `downtime` and a recovery
from the last checkpoint, with every node up again at the end of the downtime. Nodes fail whatever
the job does, except in downtime. Two rules differ in what becomes of a node whose partner goes on:

* ``restart=True``: it is up again at the end of the next checkpoint, which has the time for that;
* ``restart=False``: it stays down until the job is interrupted.

With v the probability that a node fails within t, all of b pairs survive t with probability
S(t) = (1 - v^2)^b.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    comparable,
    flag,
    nonnegative,
    positive,
    whole,
)
from .._special import legendre
from ..formula import Formula, Trend

_FEW = 64
_FEW_RATIOS = np.cumprod([1.0, *(2.0 * k / (2.0 * k - 1.0) for k in range(1, _FEW + 1))])
# 4^b / C(2b, b) / sqrt(pi b) in powers of 1/b.
_SERIES = (1.0, 1 / 8, 1 / 128, -5 / 1024, -21 / 32768, 399 / 262144, 869 / 4194304)
_FINE = 0.02  # period sqrt(pairs)/node_mtbf below which a sum is an integral and its ends


def failures_to_interruption(pairs: ArrayLike) -> FloatArray:
    r"""Mean number of node failures until both nodes of a pair have failed.

    .. math:: n = 1 + 4^b \Big/ \binom{2b}{b}

    Parameters
    ----------
    pairs : array_like, [-]
        b, pairs of nodes; a whole number >= 1.

    Returns
    -------
    ndarray, [-]
        Same shape as `pairs`.

    Notes
    -----
    Exact. Failures strike each of the 2b nodes at random, those that are down included: strikes
    of these are counted and change nothing.
    Source: derived in tests/derivations/test_replication.py; [1]_ has such a number and was not
    read.

    Judged for pairs 1 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] H. Casanova, Y. Robert, F. Vivien and D. Zaidouni, "Combining process replication and
       checkpointing for resilience on exascale systems", INRIA RR-7951, 2012.

    Examples
    --------
    >>> failures_to_interruption([1, 2, 100]).round(4).tolist()
    [3.0, 3.6667, 18.7467]
    """
    b = whole("pairs", positive("pairs", pairs))
    return answer(1.0 + _ratio(b), pairs)


def mtti_of_pairs(pairs: ArrayLike, node_mtbf: ArrayLike) -> FloatArray:
    r"""Mean time to interruption of pairs of nodes that all start up, and are not repaired.

    .. math:: \frac{\mu}{2b} \left(1 + 4^b \Big/ \binom{2b}{b}\right)

    Parameters
    ----------
    pairs : array_like, [-]
        b, pairs of nodes; a whole number >= 1.
    node_mtbf : array_like, [time]
        mu, mean uptime of one node; > 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together.

    Notes
    -----
    Exact: `failures_to_interruption` times the mean time between failures of all 2b nodes.
    Source: derived in tests/derivations/test_replication.py; [1]_ was not read.

    Judged for pairs 1 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] H. Casanova, Y. Robert, F. Vivien and D. Zaidouni, "Combining process replication and
       checkpointing for resilience on exascale systems", INRIA RR-7951, 2012.

    Examples
    --------
    >>> float(mtti_of_pairs(1, 10.0))
    15.0
    """
    b, mu = broadcast(
        pairs=whole("pairs", positive("pairs", pairs)), node_mtbf=positive("node_mtbf", node_mtbf)
    )
    return answer(_mtti(b, mu), pairs, node_mtbf)


def waste_of_pairs(
    interval: ArrayLike,
    *,
    pairs: ArrayLike,
    node_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    restart: bool = True,
) -> FloatArray:
    r"""Share of the time of a long replicated job that is not useful work.

    .. math::
        1 - \frac{w}{\int_0^a S + (1 - S(a)) \left(D + \int_0^{R+a} S\right) / S(R + a)}

    with a = w + C if nodes are restarted at checkpoints, else

    .. math:: 1 - w \sum_{k=1}^\infty S(R + k a) \Big/ \left(D + \int_0^\infty S\right)

    Parameters
    ----------
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0.
    pairs : array_like, [-]
        b, pairs of nodes; a whole number >= 1.
    node_mtbf : array_like, [time]
        Mean uptime of one node, repair excluded; > 0.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0. C has the time to restart nodes, if they are.
    downtime : array_like, [time]
        D, after each interruption; >= 0.
    restart : bool, [-]
        Whether nodes that are down come back with each checkpoint.

    Returns
    -------
    ndarray, [-]
        In [0, 1]; work done twice counts once. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for a long job, by renewal and reward, however little is lost. Against single nodes
    remember that pairs use twice as many: `pairs_crossover` compares both.
    Source: derived in tests/derivations/test_replication.py; [1]_ compares both rules to first
    order and was not read.

    Judged for pairs 1 to 100000, interval/node_mtbf 1e-5 to 1, checkpoint_cost/interval 0.001 to 1,
    recovery_cost/interval 0.001 to 1, downtime/interval 0.001 to 10. Times must be comparable.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, T. Herault, V. Le Fevre and Y. Robert, "Replication is more efficient than
       you think", SC'19, 2019.

    Examples
    --------
    >>> job = {"pairs": 2, "node_mtbf": 50.0, "checkpoint_cost": 1.0, "recovery_cost": 1.0}
    >>> [round(float(waste_of_pairs(10.0, restart=r, **job)), 4) for r in (True, False)]
    [0.1436, 0.2194]
    """
    given = (interval, pairs, node_mtbf, checkpoint_cost, recovery_cost, downtime)
    w, b, mu, c, r, d = broadcast(
        interval=positive("interval", interval),
        pairs=whole("pairs", positive("pairs", pairs)),
        node_mtbf=positive("node_mtbf", node_mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        downtime=nonnegative("downtime", downtime),
    )
    comparable(interval=w, node_mtbf=mu, checkpoint_cost=c, recovery_cost=r, downtime=d)
    again = flag("restart", restart)
    useful, lost = _times(w, b, mu, c, r, d, restart=again)
    with np.errstate(invalid="ignore"):
        return answer(np.where(np.isinf(lost), 1.0, lost / (useful + lost)), *given)


def efficiency_of_pairs(*job: FloatArray, restart: bool) -> FloatArray:
    """Return the share of useful time; arguments as broadcast by `waste_of_pairs`."""
    useful, lost = _times(*job, restart=restart)
    return np.asarray(useful / (useful + lost))


def _times(*job: FloatArray, restart: bool) -> tuple[FloatArray, FloatArray]:
    """Return useful and other time of a segment, or until an interruption, in node MTBFs."""
    interval, b, mu, cost, recovery, downtime = (np.asarray(part, dtype=float) for part in job)
    with np.errstate(all="ignore"):
        # Beyond 1e200 nothing survives anyway, and inf over inf has no value.
        parts = (interval, cost, recovery, downtime)
        w, c, r, d = (np.minimum(part / mu, 1e200) for part in parts)
        a = w + c
        if restart:
            back = (d + _survived(r + a, b)) / _all_up(r + a, b)
            return w, np.asarray(c + (_lost(a, b) * back - _missed(a, b)))
        count, undone = _checkpoints(a, r, b)
        return np.asarray(w * count), np.asarray(d + undone + c * count)


def shares_of_pairs(
    interval: float,
    *,
    pairs: float,
    node_mtbf: float,
    checkpoint_cost: float,
    restore: float,
    warm_up: float,
    downtime: float,
) -> dict[str, float]:
    """Return what a long run with restarts does with its time, by class; they add up to 1.

    ``computing`` is all that is kept, ``recovery`` and ``warm_up`` are those of all attempts.
    """
    b = np.asarray(pairs, dtype=float)
    parts = (interval, checkpoint_cost, restore, warm_up, downtime)
    w, c, r, u, d = (np.minimum(np.asarray(part) / node_mtbf, 1e200) for part in parts)
    with np.errstate(all="ignore"):
        # Interruptions for each segment that is kept; all is counted by the rarer of the two.
        failures = _lost(w + c, b) / _all_up(r + u + w + c, b)
        each = np.where(failures < 1.0, failures, 1.0)
        kept = np.where(failures < 1.0, 1.0, 1.0 / failures)
        begun, back = _survived(r, b), _survived(r + u, b)
        times = {
            "computing": w * kept,
            "checkpoint": c * kept,
            "downtime": d * each,
            "recovery": begun * each,
            "warm_up": (back - begun) * each,
        }
        up = _survived(w + c, b) * kept + (_survived(r + u + w + c, b) - back) * each
        times["undone"] = np.maximum(up - (w + c) * kept, 0.0)
        total = sum(times.values())
        return {name: float(time / total) for name, time in times.items()}


def _ratio(b: FloatArray) -> FloatArray:
    """Return 4^b / C(2b, b)."""
    few = _FEW_RATIOS[np.minimum(b, _FEW).astype(np.intp)]
    with np.errstate(over="ignore"):
        many = np.sqrt(np.pi * b) * np.polynomial.polynomial.polyval(1.0 / b, _SERIES)
    return np.where(b <= _FEW, few, many)


def _mtti(b: FloatArray, mu: FloatArray) -> FloatArray:
    return np.asarray((0.5 / b) * (1.0 + _ratio(b)) * mu)


def _all_up(t: FloatArray, b: FloatArray) -> FloatArray:
    """Return S(t), with t in node MTBFs."""
    return np.asarray(np.exp(b * _log_up(t)))


def _lost(t: FloatArray, b: FloatArray) -> FloatArray:
    """Return 1 - S(t)."""
    return np.asarray(-np.expm1(b * _log_up(t)))


def _log_up(t: FloatArray) -> FloatArray:
    """Return the logarithm of 1 - (1 - e^-t)^2, that of one pair."""
    down = -np.expm1(-t)
    # Late, nearly all pairs are down: 1 less that has no digits.
    return np.asarray(np.where(t < 1.0, np.log1p(-down * down), np.log1p(down) - t))


def _survived(t: FloatArray, b: FloatArray) -> FloatArray:
    """Return the integral of S from 0 to t, by an incomplete beta function of v^2."""
    v = -np.expm1(-t)
    # b B(1/2, b) is 4^b / C(2b, b).
    beta = special.betainc(0.5, b, v**2) * _ratio(b)
    # Of a time this short all survive, and its square may be less than any float.
    return np.where(b * t * t < 1e-18, t, (0.5 / b) * (beta + _lost(t, b)))


def _missed(t: FloatArray, b: FloatArray) -> FloatArray:
    """Return the integral of 1 - S from 0 to t: a difference has no digits where few fail."""
    nodes, weights = legendre(12)
    early = np.minimum(t, 0.5 / np.sqrt(b))
    inside = _lost(early[..., None] * (0.5 + 0.5 * nodes), b[..., None]) @ (0.5 * weights)
    return np.where(t > early, t - _survived(t, b), early * inside)


def _falling(t: FloatArray, b: FloatArray) -> FloatArray:
    """Return -S'(t)."""
    return np.asarray(2.0 * b * np.exp(-t) * -np.expm1(-t) * _all_up(t, b - 1.0))


def _checkpoints(a: FloatArray, r: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sum of S(R + k a) over k = 1, 2, ..., and the integral of S less a times that.

    The first is the number of checkpoints between two interruptions, the second what they lose.
    """
    a, r, b = np.broadcast_arrays(a, r, b)
    fine = a * np.sqrt(b) < _FINE
    before, whole = _survived(r, b), _mtti(b, np.ones(()))
    # Two corrections of Euler and Maclaurin; the next is below 1e-11 of what is undone.
    near = 0.01 / np.sqrt(b)
    less, falling, more = (_falling(r + away, b) for away in (-near, 0.0, near))
    second = (less - 2.0 * falling + more) / near**2
    beside = 0.5 * _all_up(r, b) - a * falling / 12.0 + a**3 * second / 720.0
    found = np.where(fine, (whole - before) / a - beside, 0.0)
    coarse = ~fine
    if coarse.any():
        span, start, count = a[coarse], r[coarse], b[coarse]
        # Beyond that time S is below 1e-17.
        end = -np.log1p(-np.minimum(np.sqrt(40.0 / count), 1.0 - 1e-17))
        end = np.where(count <= 40.0, 41.0, end)
        steps = np.arange(1.0, float(np.ceil(np.max(end / span))) + 2.0)
        terms = _all_up(start[:, None] + steps * span[:, None], count[:, None])
        found[coarse] = terms.sum(axis=1)
    undone = np.where(fine, before + a * beside, np.maximum(whole - a * found, 0.0))
    return np.asarray(found), np.asarray(undone)


_WASTE_RANGES = {
    "pairs": (1.0, 1e5),
    "interval/node_mtbf": (1e-5, 1.0),
    "checkpoint_cost/interval": (1e-3, 1.0),
    "recovery_cost/interval": (1e-3, 1.0),
    "downtime/interval": (1e-3, 10.0),
}
ROWS = (
    Formula(
        failures_to_interruption,
        "derived",
        "pairs of nodes",
        "exact",
        ranges={"pairs": (1.0, 1e6)},
        trend=Trend(rising=("pairs",)),
    ),
    Formula(
        mtti_of_pairs,
        "derived",
        "pairs of nodes",
        "exact",
        ranges={"pairs": (1.0, 1e6)},
        trend=Trend(rising=("node_mtbf",), falling=("pairs",)),
    ),
    Formula(
        waste_of_pairs,
        "derived",
        "renewal, pairs of nodes",
        "exact",
        ranges=_WASTE_RANGES,
        trend=Trend(rising=("recovery_cost", "downtime")),
    ),
)
