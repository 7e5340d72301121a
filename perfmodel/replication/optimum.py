r"""How often pairs of nodes should write a checkpoint, and when they beat single nodes."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    comparable,
    flag,
    nonnegative,
    positive,
    scalar,
    whole,
)
from ..formula import Formula, Trend
from ..interval import optimal_interval
from ..makespan import efficiency
from ..validity import Range
from .pairs import efficiency_of_pairs, mtti_of_pairs

_REACH = math.log(30.0)  # on either side of the first order
_HUGE = 1e200  # costs in node MTBFs, with which nothing is ever done


def optimal_interval_pairs(
    *,
    pairs: int,
    node_mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    restart: bool = True,
) -> float:
    r"""Interval of the least `waste_of_pairs`.

    .. math:: w^* = \operatorname{arg}\min_w \text{waste}(w)

    Parameters
    ----------
    pairs : int, [-]
        b, pairs of nodes; a whole number >= 1.
    node_mtbf : float, [time]
        Mean uptime of one node, repair excluded; > 0.
    checkpoint_cost : float, [time]
        C; > 0.
    recovery_cost, downtime : float, [time]
        R and D; >= 0.
    restart : bool, [-]
        Whether nodes that are down come back with each checkpoint.

    Returns
    -------
    float, [time]
        Work per segment, checkpoint excluded.

    Notes
    -----
    Exact: a numerical search of the exact waste within a factor of 30 of
    `optimal_interval_pairs_first_order`; to half of a float's digits, as a search among values can.
    Source: derived, see `waste_of_pairs`; [1]_ has first orders and was not read.

    Judged for pairs 1 to 100000, checkpoint_cost*pairs/node_mtbf 1e-6 to 0.1,
    recovery_cost/checkpoint_cost 0.001 to 10, downtime/checkpoint_cost 0.001 to 10. Times must be
    comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, T. Herault, V. Le Fevre and Y. Robert, "Replication is more efficient than
       you think", SC'19, 2019.

    Examples
    --------
    >>> year = 365.25 * 86400.0
    >>> round(optimal_interval_pairs(pairs=100000, node_mtbf=5 * year, checkpoint_cost=60.0))
    22336
    """
    given = _numbers(pairs, node_mtbf, checkpoint_cost, recovery_cost, downtime)
    return _best(*given, restart=flag("restart", restart))[0]


def optimal_interval_pairs_first_order(
    *,
    pairs: ArrayLike,
    node_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    restart: bool = True,
) -> FloatArray:
    r"""Interval of the least waste of pairs of nodes, to first order.

    .. math:: w = \left(\frac{3 C \mu^2}{4 b}\right)^{1/3} \text{ with restarts, else }
        w = \sqrt{2 M C}

    with M the `mtti_of_pairs`.

    Parameters
    ----------
    pairs : array_like, [-]
        b, pairs of nodes; a whole number >= 1.
    node_mtbf : array_like, [time]
        mu, mean uptime of one node, repair excluded; > 0.
    checkpoint_cost : array_like, [time]
        C; >= 0.
    restart : bool, [-]
        Whether nodes that are down come back with each checkpoint.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded. Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond checkpoint_cost*sqrt(pairs)/node_mtbf = 0.01.

    Notes
    -----
    Approximation: up to 0.01 a long job without recovery and downtime takes at most 0.05 % longer
    than with `optimal_interval_pairs`.
    Source: [1]_, not read; derived again in tests/derivations/test_replication.py.

    Judged for pairs 1 to 100000, checkpoint_cost*pairs/node_mtbf 1e-6 to 0.1. Times must be
    comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, T. Herault, V. Le Fevre and Y. Robert, "Replication is more efficient than
       you think", SC'19, 2019.

    Examples
    --------
    >>> machine = {"pairs": 100000, "node_mtbf": 1826.25 * 86400.0, "checkpoint_cost": 60.0}
    >>> [
    ...     round(float(optimal_interval_pairs_first_order(restart=restart, **machine)), 1)
    ...     for restart in (True, False)
    ... ]
    [22376.2, 7291.0]
    """
    b, mu, c = broadcast(
        pairs=whole("pairs", positive("pairs", pairs)),
        node_mtbf=positive("node_mtbf", node_mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
    )
    FIRST_ORDER_RANGE.warn(
        "optimal_interval_pairs_first_order",
        _cost_ratio(pairs=b, node_mtbf=mu, checkpoint_cost=c),
    )
    found = _first_order(b, mu, c, restart=flag("restart", restart))
    return answer(found, pairs, node_mtbf, checkpoint_cost)


def pairs_crossover(
    nodes: int,
    *,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    restart: bool = True,
) -> float:
    r"""MTBF of a node below which a machine does more if its nodes work in pairs.

    .. math:: \mu:\ \frac{1}{2} \left(1 - \text{waste of N/2 pairs}\right)
        = 1 - \text{waste of N single nodes}

    each at its own best interval.

    Parameters
    ----------
    nodes : int, [-]
        N, nodes of the machine; an even whole number >= 2.
    checkpoint_cost : float, [time]
        C, the same for single nodes and for pairs; > 0.
    recovery_cost, downtime : float, [time]
        R and D; >= 0.
    restart : bool, [-]
        Whether nodes that are down come back with each checkpoint.

    Returns
    -------
    float, [time]
        Pairs do more below it, single nodes above.

    Raises
    ------
    ValueError
        If `nodes` is odd.

    Notes
    -----
    Exact: the root of a difference of two exact wastes, each the least of a search. A machine in
    which a failure interrupts single nodes has the mean uptime mu/N.
    Source: derived, see `waste_of_pairs` and `efficiency`; [1]_ was not read.

    Judged for nodes 10 to 100000, recovery_cost/checkpoint_cost 0.001 to 10,
    downtime/checkpoint_cost 0.001 to 10. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, T. Herault, V. Le Fevre and Y. Robert, "Replication is more efficient than
       you think", SC'19, 2019.

    Examples
    --------
    >>> hour = 3600.0
    >>> found = pairs_crossover(100_000, checkpoint_cost=600.0, recovery_cost=600.0)
    >>> round(found / 24 / hour / 365.25, 2)
    14.19
    """
    count = scalar(whole, "nodes", nodes)
    if count % 2.0:
        raise ValueError(f"nodes must be even, got {nodes!r}: each is one of a pair")
    times = {
        "checkpoint_cost": scalar(positive, "checkpoint_cost", checkpoint_cost),
        "recovery_cost": scalar(nonnegative, "recovery_cost", recovery_cost),
        "downtime": scalar(nonnegative, "downtime", downtime),
    }
    comparable(**{name: np.asarray(time) for name, time in times.items()})
    unit = times["checkpoint_cost"]
    c, r, d = (time / unit for time in times.values())
    again = flag("restart", restart)

    def gain(log_mtbf: float) -> float:
        """Return the logarithm of what pairs do over what single nodes do."""
        mu = math.exp(log_mtbf)
        alone = _single(mu / count, c, r, d)
        paired = _best(count / 2.0, mu, c, r, d, restart=again)[1]
        return math.log(0.5 * paired / alone)

    # Where single nodes do half of what they could, pairs never do more than that.
    high = math.log(count * (c + r + d))
    while gain(high) > 0.0:
        high += 1.0
    low = high - 0.5
    while gain(low) < 0.0:
        low -= 0.5
    return unit * math.exp(brentq(gain, low, low + 0.5, xtol=1e-13))


def _single(mtbf: float, cost: float, recovery: float, downtime: float) -> float:
    best = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
    found = efficiency(
        best,
        interval=best,
        mtbf=mtbf,
        checkpoint_cost=cost,
        recovery_cost=recovery,
        downtime=downtime,
    )
    return float(found)


def _numbers(
    pairs: int, node_mtbf: float, checkpoint_cost: float, recovery_cost: float, downtime: float
) -> tuple[float, ...]:
    times = {
        "node_mtbf": scalar(positive, "node_mtbf", node_mtbf),
        "checkpoint_cost": scalar(positive, "checkpoint_cost", checkpoint_cost),
        "recovery_cost": scalar(nonnegative, "recovery_cost", recovery_cost),
        "downtime": scalar(nonnegative, "downtime", downtime),
    }
    comparable(**{name: np.asarray(time) for name, time in times.items()})
    return (scalar(whole, "pairs", pairs), *times.values())


def _best(*machine: float, restart: bool) -> tuple[float, float]:
    """Return the best interval, and the share of useful time at it."""
    # In node MTBFs, so that the unit of time does not matter to the search.
    b, mu, *costs = machine
    c, r, d = (min(cost / mu, _HUGE) for cost in costs)
    start = math.log(float(_first_order(*map(np.asarray, (b, 1.0, c)), restart=restart)))
    parts = [np.asarray(part) for part in (b, 1.0, c, r, d)]

    def value(log_interval: float) -> float:
        found = float(efficiency_of_pairs(np.exp(log_interval), *parts, restart=restart))
        return -math.log(found) if found > 0.0 else 1e6 + log_interval

    found = minimize_scalar(
        value,
        bounds=(start - _REACH, start + _REACH),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return mu * math.exp(float(found.x)), math.exp(-float(found.fun))


def _first_order(b: FloatArray, mu: FloatArray, c: FloatArray, *, restart: bool) -> FloatArray:
    with np.errstate(over="ignore"):
        if restart:  # in cube roots, as the square of mu may overflow
            return np.asarray(np.cbrt(0.75 * c / b) * np.cbrt(mu) ** 2)
        return np.asarray(np.sqrt(2.0 * c) * np.sqrt(mtti_of_pairs(b, mu)))


def _cost_ratio(
    *, pairs: FloatArray, node_mtbf: FloatArray, checkpoint_cost: FloatArray
) -> FloatArray:
    with np.errstate(over="ignore"):
        return np.asarray(checkpoint_cost * np.sqrt(pairs) / node_mtbf)


# The regret, measured in validation/subjects/replication/cases.py.
FIRST_ORDER_RANGE = Range(
    "checkpoint_cost*sqrt(pairs)/node_mtbf", limit=0.01, error=5e-4, of=_cost_ratio, as_regret=True
)
_COSTS = {"recovery_cost/checkpoint_cost": (1e-3, 10.0), "downtime/checkpoint_cost": (1e-3, 10.0)}
_MACHINE = {"pairs": (1.0, 1e5), "checkpoint_cost*pairs/node_mtbf": (1e-6, 0.1)}

ROWS = (
    Formula(
        optimal_interval_pairs,
        "derived",
        "least waste, pairs of nodes",
        "exact",
        ranges={**_MACHINE, **_COSTS},
        trend=Trend(),
    ),
    Formula(
        optimal_interval_pairs_first_order,
        "benoit2019",
        "first order, not read",
        "approximation",
        FIRST_ORDER_RANGE,
        ranges=_MACHINE,
        trend=Trend(rising=("node_mtbf", "checkpoint_cost"), falling=("pairs",)),
    ),
    Formula(
        pairs_crossover,
        "derived",
        "equal throughput",
        "exact",
        ranges={"nodes": (10.0, 1e5), **_COSTS},
        trend=Trend(),
    ),
)
