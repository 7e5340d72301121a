r"""Speedup of a long job on nodes that fail, each at exponential times of its own.

Any failure interrupts the job, so that its MTBF is that of a node over the number of nodes. The job
is that of `perfmodel.makespan`, checkpoints at its best interval, and is so long that its end does
not matter. Without failures its speedup is one of two:

* ``"amdahl"``: a share s of the work cannot be divided, 1/(s + (1 - s)/p);
* ``"gustafson"``: the work that can be divided grows with the nodes, s + (1 - s) p.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, positive, shown
from .._special import optimal_ratio
from ..formula import ANY, Formula, Trend
from ..quantities import checked

SpeedupLaw: TypeAlias = Literal["amdahl", "gustafson"]
_LAWS = ("amdahl", "gustafson")


def expected_speedup(
    nodes: ArrayLike,
    *,
    sequential_share: ArrayLike,
    node_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    checkpoint_cost_per_node: ArrayLike = 0.0,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    law: SpeedupLaw = "amdahl",
) -> FloatArray:
    r"""Speedup over one node that never fails and writes no checkpoint.

    .. math:: S(p) \frac{1 - x}{e^{R p/\mu} (1 + D p/\mu)}, \quad
        (1 - x) e^{x + (C + c p) p/\mu} = 1

    with S the speedup without failures, and x the best interval over the MTBF of the job.

    Parameters
    ----------
    nodes : array_like, [-]
        p, nodes that the job uses; a whole number >= 1.
    sequential_share : array_like, [-]
        s, share of the work that cannot be divided; >= 0 and at most 1.
    node_mtbf : array_like, [time]
        mu, mean uptime of one node, repair excluded; > 0, inf if none fails.
    checkpoint_cost : array_like, [time]
        C, the part of a checkpoint that does not depend on the number of nodes; >= 0.
    checkpoint_cost_per_node : array_like, [time]
        c, what each node adds to a checkpoint; >= 0.
    recovery_cost, downtime : array_like, [time]
        R and D; >= 0.
    law : {"amdahl", "gustafson"}, [-]
        Speedup without failures.

    Returns
    -------
    ndarray, [-]
        At most the speedup without failures; underflow gives 0.
        Shape: all numbers broadcast together.

    Notes
    -----
    Exact for a long job, as `optimal_interval` is: at the best interval w the mean time per work
    is e^(R/M) (1 + D/M) / (1 - w/M), with M the MTBF of the job.
    Source: derived in tests/derivations/test_scaling.py. [1]_ treats such jobs; it was not read.

    Judged for nodes 1 to 1e6, sequential_share 1e-6 to 0.9, checkpoint_cost/node_mtbf 1e-9 to 0.01,
    checkpoint_cost_per_node/node_mtbf 1e-12 to 1e-4, recovery_cost/node_mtbf 1e-9 to 0.01,
    downtime/node_mtbf 1e-9 to 0.01. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Cavelan, J. Li, Y. Robert and H. Sun, "When Amdahl meets Young/Daly", IEEE Cluster,
       2016.

    Examples
    --------
    >>> year = 365.25 * 86400.0
    >>> job = {"sequential_share": 1e-3, "node_mtbf": 10 * year, "checkpoint_cost": 60.0}
    >>> expected_speedup([1000, 22_000, 100_000], **job).round(1).tolist()
    [490.6, 871.7, 809.4]
    """
    p, s, mu, c, per_node, r, d = checked(
        nodes=positive("nodes", nodes),
        sequential_share=sequential_share,
        node_mtbf=node_mtbf,
        checkpoint_cost=checkpoint_cost,
        checkpoint_cost_per_node=checkpoint_cost_per_node,
        recovery_cost=recovery_cost,
        downtime=downtime,
    )
    found = np.exp(log_speedup(p, s, mu, c, per_node, r, d, law=checked_law(law)))
    costs = (checkpoint_cost, checkpoint_cost_per_node, recovery_cost, downtime)
    return answer(found, nodes, sequential_share, node_mtbf, *costs)


def checked_law(law: SpeedupLaw) -> SpeedupLaw:
    """Return `law`, or raise if there is no such law."""
    if law not in _LAWS:
        raise ValueError(f"law must be one of {', '.join(_LAWS)}, got {shown(law)}")
    return law


def log_speedup(*job: FloatArray, law: SpeedupLaw) -> FloatArray:
    """Return the logarithm of the speedup; arguments as broadcast by `expected_speedup`."""
    p, s, mu, c, per_node, r, d = job
    with np.errstate(all="ignore"):
        ideal = p / (s * p + (1.0 - s)) if law == "amdahl" else s + (1.0 - s) * p
        rate = np.minimum(p / mu, np.finfo(np.float64).max)  # 0 times it is 0
        y = rate * (c + per_node * p)
        # log(1 - x) is -(x + y), which keeps its digits where 1 - x underflows.
        lost = optimal_ratio(np.sqrt(2.0 * y)) + y
        return np.asarray(np.log(ideal) - lost - rate * r - np.log1p(rate * d))


RANGES = {
    "sequential_share": (1e-6, 0.9),
    "checkpoint_cost/node_mtbf": (1e-9, 0.01),
    "checkpoint_cost_per_node/node_mtbf": (1e-12, 1e-4),
    "recovery_cost/node_mtbf": (1e-9, 0.01),
    "downtime/node_mtbf": (1e-9, 0.01),
}
ROWS = (
    Formula(
        expected_speedup,
        "derived",
        "best interval on nodes that fail",
        "exact",
        ranges={"nodes": (1.0, ANY[1]), **RANGES},
        trend=Trend(),
    ),
)
