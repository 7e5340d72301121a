r"""Failures of a job that stays on its nodes, where repairs may cure those that fail more often.

Each node is a lemon at first with probability q, and lemons fail k times as often as others. A
repair makes one as good as the others with probability p; then it stays so.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    at_least,
    broadcast,
    fraction,
    nonnegative,
    positive,
    whole,
)
from ..formula import Formula, Trend

_MOST, _TINY = np.finfo(np.float64).max, np.finfo(np.float64).tiny


def expected_failures_lemons(
    time: ArrayLike,
    *,
    nodes: ArrayLike,
    node_mtbf: ArrayLike,
    lemon_share: ArrayLike,
    lemon_factor: ArrayLike,
    cured: ArrayLike,
) -> FloatArray:
    r"""Mean number of failures of a job some of whose nodes are lemons until a repair cures them.

    .. math::
        \frac{n t}{\mu'} \Big(1 + q (k - 1) \frac{1 - e^{-s}}{s}\Big), \quad
        s = \frac{p k t}{\mu'}, \quad \mu' = \mu (1 - q + q k)

    Parameters
    ----------
    time : array_like, [time]
        t, for which the nodes are up, repairs excluded; >= 0.
    nodes : array_like, [-]
        n, nodes of the job; whole and >= 1.
    node_mtbf : array_like, [time]
        mu, uptime of all nodes over their failures before anything is cured, lemons included; > 0.
    lemon_share : array_like, [-]
        q, probability that a node is a lemon at first; in [0, 1].
    lemon_factor : array_like, [-]
        k, how many times as often a lemon fails; >= 1.
    cured : array_like, [-]
        p, probability that the repair after a failure cures a lemon; in [0, 1].

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together; inf where the number is beyond the floats.

    Notes
    -----
    Exact for nodes that are independent, with failures in a Poisson process of the rate that each
    has then. With cured = 0 lemons stay so for ever and the mean is nodes time/node_mtbf; in the
    end all are cured and failures are as rare as without lemons.
    Source: derived in tests/derivations/test_lemons.py. [1]_ reports such nodes; it was not read.

    Judged for nodes 1 to 1e6, time/node_mtbf 1e-6 to 10000, lemon_share 1e-4 to 0.9999,
    lemon_factor 1 to 1000, cured 0 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Kokolis et al., "Revisiting reliability in large-scale machine learning research
       clusters", arXiv 2410.21680, 2024.

    Examples
    --------
    >>> job = {"nodes": 512, "node_mtbf": 2500.0, "lemon_share": 0.15, "lemon_factor": 5.0}
    >>> expected_failures_lemons(1000.0, **job, cured=[0.0, 0.5, 1.0]).round(1).tolist()
    [204.8, 185.1, 171.8]
    """
    t, n, mu, q, k, p = broadcast(
        time=nonnegative("time", time),
        nodes=whole("nodes", nodes),
        node_mtbf=positive("node_mtbf", node_mtbf),
        lemon_share=fraction("lemon_share", lemon_share),
        lemon_factor=at_least("lemon_factor", lemon_factor, 1.0),
        cured=fraction("cured", cured),
    )
    with np.errstate(over="ignore", under="ignore"):
        ratio, grown = t / mu, 1.0 - q + q * k
        good, more = (
            np.where(ratio < np.inf, np.minimum(ratio, _MOST) * share, t * share / mu)
            for share in (1.0 / grown, q * (k - 1.0) / grown)
        )
        # Failures of a lemon that is never cured; of one that surely is, what its repairs let pass.
        never, surely = good * k, q * ((k - 1.0) / k) / np.maximum(p, _TINY)
        until = more * special.exprel(-p * np.minimum(never, _MOST))
        found = n * (good + np.where((never < np.inf) | (p == 0.0), until, surely))
    return answer(found, time, nodes, node_mtbf, lemon_share, lemon_factor, cured)


ROWS = (
    Formula(
        expected_failures_lemons,
        "derived",
        "lemons until they are cured",
        "exact",
        ranges={
            "nodes": (1.0, 1e6),
            "time/node_mtbf": (1e-6, 1e4),
            "lemon_share": (1e-4, 0.9999),
            "lemon_factor": (1.0, 1e3),
            "cured": (0.0, 1.0),
        },
        trend=Trend(rising=("time", "nodes"), falling=("node_mtbf", "cured")),
    ),
)
