r"""How many failures destroy every copy of an image in memory.

The nodes of a job are in groups of two or three that keep each other's images. Each node fails at
exponential times. A failure begins a recovery of its group, `risk` long, at the end of which all
images of the group have all their copies again; a failure before that begins it anew. An image is
lost when every node of the group has failed in one recovery, or all at once. The job then goes
back to a durable copy, and the images of the group are whole again.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, positive, shown
from ..formula import Formula, Trend
from ..quantities import checked


def share_lost_with_buddies(
    *,
    node_mtbf: ArrayLike,
    risk: ArrayLike,
    together: ArrayLike = 0.0,
    group: Literal[2, 3] = 2,
) -> FloatArray:
    r"""Share of the failures after which no buddy has an image of a node.

    .. math:: \frac{K}{K + 1 - s}, \quad K_2 = s + (1 - s) \frac{q_2}{2}, \quad
        K_3 = s + (1 - s)^2 \frac{2 q_3^2}{9}, \quad q_g = 1 - e^{-g r/\mu}

    Parameters
    ----------
    node_mtbf : array_like, [time]
        mu, mean time between failures of one node; > 0.
    risk : array_like, [time]
        r, from a failure until all images of its group have all their copies again; >= 0. It is
        D + R + theta for the protocol "double" of `waste_of_buddies`, D + 2 R for
        "double_blocking", D + R + 2 theta for "triple".
    together : array_like, [-]
        s, share of the failures that take a whole group at once, as a burst or the loss of a
        domain of power, cooling or network that holds all its nodes; >= 0 and at most 1.
    group : {2, 3}, [-]
        g, nodes that keep each other's images.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments but `group` broadcast together.

    Notes
    -----
    Exact in the long run, whatever the number of groups. These failures go past the buddies down
    to the durable level: 1 less this share is `survived` of `expected_makespan_two_levels`, and
    the mtbf of the job over this share the mean time between such losses. Over a time T the job of
    n nodes is spared by all of them with probability exp(-n T share/node_mtbf), as long as they
    are rare; the published (1 - 2 T r/mu^2)^(n/2) and (1 - 6 T r^2/mu^3)^(n/3) are the first order
    of this. For bursts along a machine, `pair_mtbf_bursts` tells how often both nodes are struck.
    Source: derived in tests/derivations/test_buddies.py; the first orders are of [1]_, which was
    not read.

    Judged for risk/node_mtbf 1e-6 to 1, together 0 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Dongarra, T. Herault and Y. Robert, "Revisiting the double checkpointing algorithm",
       APDCM, 2013.

    Examples
    --------
    >>> share = share_lost_with_buddies(node_mtbf=5.0, risk=28 / 31557600, together=[0.0, 0.02])
    >>> [f"{x:.3g}" for x in share]
    ['1.77e-07', '0.02']
    """
    if isinstance(group, bool) or group not in (2, 3):
        raise ValueError(f"group must be 2 or 3, got {shown(group)}")
    mu, r, s = checked(node_mtbf=positive("node_mtbf", node_mtbf), risk=risk, together=together)
    with np.errstate(over="ignore", under="ignore"):
        soon = -np.expm1(-group * (r / mu))
        alone = 0.5 * (1.0 - s) * soon if group == 2 else 2.0 * ((1.0 - s) * soon / 3.0) ** 2
        ends = s + alone
    return answer(ends / (ends + (1.0 - s)), node_mtbf, risk, together)


ROWS = (
    Formula(
        share_lost_with_buddies,
        "derived",
        "groups of buddies",
        "exact",
        ranges={"risk/node_mtbf": (1e-6, 1.0), "together": (0.0, 1.0)},
        trend=Trend(rising=("risk", "together"), falling=("node_mtbf",)),
    ),
)
