"""Groups of nodes that keep each other's images, until every copy of one is lost.

The rules, in words, are the whole specification:

- Each node of a group fails at exponential times of its own, also while it is recovered.
- With each failure a recovery of the group begins, `risk` long, for all of its nodes whose images
  lack a copy; one that is under way begins anew. At its end all images have all copies again.
- When all nodes of the group have failed in one recovery, an image is lost with all its copies.
- A share `together` of the failures takes the whole group at once: an image is lost, too.

All replications go from failure to failure side by side, one row of an array each.
"""

from __future__ import annotations

import numpy as np

from ..._checks import fraction, nonnegative, positive, whole
from ...samplers import FloatArray
from .._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_failures_to_loss"]


def play(
    rng: np.random.Generator,
    count: int,
    *,
    node_mtbf: float,
    risk: float,
    together: float,
    group: int,
) -> FloatArray:
    """Play `count` groups; return how many failures each has seen up to the first loss."""
    seen = np.zeros(count)
    row = np.arange(count)
    fails = node_mtbf * rng.standard_exponential((count, group))  # when each node fails next
    lacking = np.zeros((count, group), dtype=bool)
    whole_again = np.zeros(count)
    failures = 0
    while row.size:
        failures += 1
        if failures > FAILURES_LIMIT:
            raise never_ends()
        each = np.arange(row.size)
        node = fails.argmin(axis=1)
        now = fails[each, node]
        lacking[now >= whole_again] = False
        lacking[each, node] = True
        whole_again = now + risk
        fails[each, node] = now + node_mtbf * rng.standard_exponential(row.size)
        lost = lacking.all(axis=1) | (rng.random(row.size) < together)
        seen[row[lost]] = failures
        left = ~lost
        row, fails, lacking, whole_again = row[left], fails[left], lacking[left], whole_again[left]
    return seen


def simulate_failures_to_loss(
    *,
    node_mtbf: float,
    risk: float,
    together: float = 0.0,
    group: int = 2,
    replications: int,
    seed: int,
) -> FloatArray:
    """Count the failures of a group until an image is lost with all its copies.

    Parameters
    ----------
    node_mtbf : float, [time]
        Mean time between failures of one node, exponential; > 0.
    risk : float, [time]
        From a failure until all images have all copies again; >= 0.
    together : float
        Share of the failures that take the whole group; in [0, 1].
    group : int
        Nodes that keep each other's images; >= 2.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray
        Shape (replications,): the failures of the group, the one that destroys the image included.

    Raises
    ------
    RuntimeError
        If nothing is lost within ten million failures.

    Examples
    --------
    >>> seen = simulate_failures_to_loss(node_mtbf=1.0, risk=0.5, replications=4000, seed=1)
    >>> bool(4.0 < seen.mean() < 4.4)
    True
    """
    places = {
        "node_mtbf": positive("node_mtbf", node_mtbf),
        "risk": nonnegative("risk", risk),
        "together": fraction("together", together),
    }
    nodes = whole("group", group, least=2)
    return in_lockstep(
        lambda rng, count: play(rng, count, group=nodes, **places),
        replications=replications,
        seed=seed,
    )
