r"""The number of nodes that finishes a long job soonest."""

from __future__ import annotations

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    comparable,
    fraction,
    nonnegative,
    positive,
    scalar,
    whole,
)
from ..formula import Formula, Trend
from ..quantities import checked
from ..validity import Range
from .speedup import RANGES, SpeedupLaw, checked_law, log_speedup

_EACH = 1000  # nodes up to which every number is tried
_STEPS = 400  # of the scan beyond


def optimal_nodes(
    *,
    sequential_share: float,
    node_mtbf: float,
    checkpoint_cost: float,
    checkpoint_cost_per_node: float = 0.0,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    most: int = 1_000_000,
    law: SpeedupLaw = "amdahl",
) -> int:
    r"""Best number of nodes, that of the largest `expected_speedup`.

    .. math:: p^* = \operatorname{arg}\max_{p = 1, \dots, P} \text{speedup}(p)

    Parameters
    ----------
    sequential_share : float, [-]
        s, share of the work that cannot be divided; >= 0 and at most 1.
    node_mtbf : float, [time]
        mu, mean uptime of one node, repair excluded; > 0.
    checkpoint_cost, checkpoint_cost_per_node : float, [time]
        C + c p is what a checkpoint of p nodes takes; >= 0.
    recovery_cost, downtime : float, [time]
        R and D; >= 0.
    most : int, [-]
        P, nodes that there are; a whole number >= 1.
    law : {"amdahl", "gustafson"}, [-]
        Speedup without failures.

    Returns
    -------
    int, [-]
        At most `most`.

    Notes
    -----
    Exact: up to 1000 every number is tried; beyond, a scan finds the neighbourhood and a search
    the number. By Amdahl's law there is one maximum; by Gustafson's there may be one at a single
    node as well.
    Source: derived in tests/derivations/test_scaling.py. [1]_ treats such jobs; it was not read.

    Judged for sequential_share 1e-6 to 0.9, checkpoint_cost/node_mtbf 1e-9 to 0.01,
    checkpoint_cost_per_node/node_mtbf 1e-12 to 1e-4, recovery_cost/node_mtbf 1e-9 to 0.01,
    downtime/node_mtbf 1e-9 to 0.01. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Cavelan, J. Li, Y. Robert and H. Sun, "When Amdahl meets Young/Daly", IEEE Cluster,
       2016.

    Examples
    --------
    >>> year = 365.25 * 86400.0
    >>> optimal_nodes(sequential_share=1e-3, node_mtbf=10 * year, checkpoint_cost=60.0)
    20804
    """
    parts = tuple(
        np.asarray(value)
        for value in (
            scalar(fraction, "sequential_share", sequential_share),
            scalar(positive, "node_mtbf", node_mtbf),
            scalar(nonnegative, "checkpoint_cost", checkpoint_cost),
            scalar(nonnegative, "checkpoint_cost_per_node", checkpoint_cost_per_node),
            scalar(nonnegative, "recovery_cost", recovery_cost),
            scalar(nonnegative, "downtime", downtime),
        )
    )
    last = scalar(whole, "most", most)
    kind = checked_law(law)

    def value(nodes: FloatArray) -> FloatArray:
        return log_speedup(nodes, *parts, law=kind)

    scan = np.arange(1.0, min(last, _EACH) + 1.0)
    if last > _EACH:
        scan = np.append(scan, np.unique(np.round(np.geomspace(_EACH, last, _STEPS)))[1:])
    best = int(np.argmax(value(scan)))
    low, high = scan[max(best - 1, 0)], scan[min(best + 1, scan.size - 1)]
    while high - low > 2.0:
        middle = np.floor((low + high) / 2.0)
        left, right = value(np.array([middle, middle + 1.0]))
        low, high = (middle, high) if right > left else (low, middle + 1.0)
    near = np.arange(low, high + 1.0)
    return int(near[np.argmax(value(near))])


def optimal_nodes_first_order(
    *,
    sequential_share: ArrayLike,
    node_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike = 0.0,
    checkpoint_cost_per_node: ArrayLike = 0.0,
) -> FloatArray:
    r"""Best number of nodes by Amdahl's law, to first order.

    .. math::
        p = \left(\frac{2 (1 - s)}{s \sqrt{2 C/\mu}}\right)^{2/3} \text{ or }
        p = \left(\frac{1 - s}{s \sqrt{2 c/\mu}}\right)^{1/2}

    whichever is less: the first if a checkpoint costs C, the second if it costs c p.

    Parameters
    ----------
    sequential_share : array_like, [-]
        s, share of the work that cannot be divided; > 0 and at most 1.
    node_mtbf : array_like, [time]
        mu, mean uptime of one node, repair excluded; > 0.
    checkpoint_cost : array_like, [time]
        C, the part of a checkpoint that does not depend on the number of nodes; >= 0.
    checkpoint_cost_per_node : array_like, [time]
        c, what each node adds to a checkpoint; >= 0.

    Returns
    -------
    ndarray, [-]
        Not whole; inf for free checkpoints, 0 if no work can be divided.
        Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond sqrt(costs of that many nodes/their mtbf) = 0.1.

    Notes
    -----
    Approximation: up to 0.1 the speedup on the nearest whole number of nodes is at most 0.35 %
    below the largest one, most where both costs count. The costs are C + c p for the p returned,
    their MTBF is mu/p.
    Source: [1]_, not read; derived again in tests/derivations/test_scaling.py.

    Judged for sequential_share 1e-6 to 0.1, checkpoint_cost/node_mtbf 1e-9 to 0.01. Times must be
    comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Cavelan, J. Li, Y. Robert and H. Sun, "When Amdahl meets Young/Daly", IEEE Cluster,
       2016.

    Examples
    --------
    >>> job = {"sequential_share": 1e-3, "node_mtbf": 10 * 365.0 * 86400.0}
    >>> round(float(optimal_nodes_first_order(checkpoint_cost=60.0, **job)))
    21891
    """
    given = (sequential_share, node_mtbf, checkpoint_cost, checkpoint_cost_per_node)
    s, mu, c, per_node = checked(
        sequential_share=positive("sequential_share", given[0]),
        node_mtbf=positive("node_mtbf", node_mtbf),
        checkpoint_cost=checkpoint_cost,
        checkpoint_cost_per_node=checkpoint_cost_per_node,
    )
    comparable(node_mtbf=mu, checkpoint_cost=c, checkpoint_cost_per_node=per_node)
    with np.errstate(all="ignore"):
        fixed = np.cbrt(2.0 * ((1.0 - s) / s) ** 2 * mu / c)
        growing = np.sqrt((1.0 - s) / s * np.sqrt(0.5 * mu / per_node))
        # Work that cannot be divided at all needs no nodes, also where checkpoints are free.
        found = np.where(s == 1.0, 0.0, np.minimum(fixed, growing))
    with np.errstate(all="ignore"):
        costs = np.where(np.isinf(found), 0.0, found * (c + per_node * found) / mu)
    FIRST_ORDER_RANGE.warn("optimal_nodes_first_order", np.sqrt(costs))
    return answer(found, *given)


# The regret, measured in validation/subjects/scaling/cases.py.
FIRST_ORDER_RANGE = Range(
    "sqrt(costs of that many nodes/their mtbf)", limit=0.1, error=3.5e-3, as_regret=True
)

ROWS = (
    Formula(
        optimal_nodes,
        "derived",
        "largest expected_speedup",
        "exact",
        ranges=RANGES,
        trend=Trend(),
    ),
    Formula(
        optimal_nodes_first_order,
        "cavelan2016",
        "first order, not read",
        "approximation",
        FIRST_ORDER_RANGE,
        ranges={"sequential_share": (1e-6, 0.1), "checkpoint_cost/node_mtbf": (1e-9, 0.01)},
        trend=Trend(rising=("node_mtbf",), falling=("sequential_share",)),
    ),
)
