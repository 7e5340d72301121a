r"""What it gains to take out the nodes that have failed most often.

The nodes are those of `perfmodel.lemons.first_failure`: each keeps a rate of its own. All are
observed for the same time T and their failures counted; then those with the largest counts are
taken out, chosen at random among equal counts.

With h(x) the mean rate of a node that has failed x times, and B_x the number of nodes that have
failed more than x times, the rates of the nodes that stay add up, on average, to

    (N - M) h(0) + sum_x (h(x + 1) - h(x)) E[(B_x - M)^+]

because min(M, B_x) of those taken out are among the B_x. No term of it is negative.
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

# Standard deviations, and counts more, beyond which no node is expected.
_FAR, _FEW = 12.0, 60.0
_MOST = 1e7


def node_mtbf_without_worst(
    removed: ArrayLike,
    *,
    nodes: ArrayLike,
    observed: ArrayLike,
    node_mtbf: ArrayLike,
    lemon_share: ArrayLike,
    lemon_factor: ArrayLike,
) -> FloatArray:
    r"""MTBF of a node after those that failed most often are taken out; some were lemons.

    .. math::
        (N - M) \Big/ \left[(N - M) h(0)
        + \sum_{x \ge 0} (h(x + 1) - h(x)) E[(B_x - M)^+]\right], \quad
        h(x) = r (1 + (k - 1) \pi(x))

    with r = 1/(mu (1 - q + q k)), B_x of a binomial law of N nodes that fail more than x times
    in T, and pi(x) the probability that a node that failed x times is a lemon:
    pi/(1 - pi) = k^x e^{-(k - 1) r T} q/(1 - q).

    Parameters
    ----------
    removed : array_like, [-]
        M, nodes taken out; whole, >= 0 and < `nodes`.
    nodes : array_like, [-]
        N, nodes of the machine; whole and >= 1.
    observed : array_like, [time]
        T, time for which all nodes were observed; >= 0.
    node_mtbf : array_like, [time]
        mu, uptime of all nodes over their failures before, lemons included; > 0.
    lemon_share : array_like, [-]
        q, probability that a node is a lemon; in [0, 1].
    lemon_factor : array_like, [-]
        k, how many times as often a lemon fails; >= 1.

    Returns
    -------
    ndarray, [time]
        Uptime of the nodes that stay over their failures. Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If a node may fail more than 1e7 times in T.

    Notes
    -----
    Exact for every N, over machines and observations: the inverse of the mean rate, which job of
    n nodes takes n times. Repairs are not part of T. Long observation takes out lemons alone.
    Source: derived in tests/derivations/test_lemons.py. [1]_ reports such nodes; it was not read.

    Judged for nodes 2 to 10000, removed/nodes 0.001 to 0.9, observed/node_mtbf 0.01 to 100,
    lemon_share 0.001 to 0.999, lemon_factor 1 to 100. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Kokolis et al., "Revisiting reliability in large-scale machine learning research
       clusters", arXiv 2410.21680, 2024.

    Examples
    --------
    >>> after = node_mtbf_without_worst(
    ...     150, nodes=1000, observed=180.0, node_mtbf=1 / 0.0065, lemon_share=0.15,
    ...     lemon_factor=5.0,
    ... )
    >>> round(float(1.0 / after), 11)
    0.0048656452
    """
    m, n, t, mu, q, k = broadcast(
        removed=whole("removed", removed, least=0),
        nodes=whole("nodes", nodes),
        observed=nonnegative("observed", observed),
        node_mtbf=positive("node_mtbf", node_mtbf),
        lemon_share=fraction("lemon_share", lemon_share),
        lemon_factor=at_least("lemon_factor", lemon_factor, 1.0),
    )
    _some_stay(m, n)
    with np.errstate(over="ignore"):
        longest = t / mu
    given = zip(m.flat, n.flat, longest.flat, q.flat, k.flat, strict=True)
    rates = np.array([_two_rates(*(float(x) for x in one)) for one in given])
    found = mu / rates.reshape(m.shape)
    return answer(found, removed, nodes, observed, node_mtbf, lemon_share, lemon_factor)


def node_mtbf_without_worst_gamma(
    removed: ArrayLike,
    *,
    nodes: ArrayLike,
    observed: ArrayLike,
    node_mtbf: ArrayLike,
    cv: ArrayLike,
) -> FloatArray:
    r"""MTBF of a node after those that failed most often are taken out, of gamma rates.

    .. math::
        (N - M) \Big/ \left[(N - M) h(0)
        + \sum_{x \ge 0} (h(x + 1) - h(x)) E[(B_x - M)^+]\right], \quad
        h(x) = \frac{1 + c^2 x}{\mu + c^2 T}

    with B_x of a binomial law of N nodes that fail more than x times in T.

    Parameters
    ----------
    removed : array_like, [-]
        M, nodes taken out; whole, >= 0 and < `nodes`.
    nodes : array_like, [-]
        N, nodes of the machine; whole and >= 1.
    observed : array_like, [time]
        T, time for which all nodes were observed; >= 0.
    node_mtbf : array_like, [time]
        mu, uptime of all nodes over their failures before; > 0.
    cv : array_like, [-]
        c, standard deviation of the rate of a node over its mean; >= 0.

    Returns
    -------
    ndarray, [time]
        Uptime of the nodes that stay over their failures. Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If a node may fail more than 1e7 times in T.

    Notes
    -----
    Exact for every N, over machines and observations: the inverse of the mean rate.
    Source: derived in tests/derivations/test_lemons.py. [1]_ reports such nodes; it was not read.

    Judged for nodes 2 to 10000, removed/nodes 0.001 to 0.9, observed/node_mtbf 0.01 to 100, cv 0.01
    to 3. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Kokolis et al., "Revisiting reliability in large-scale machine learning research
       clusters", arXiv 2410.21680, 2024.

    Examples
    --------
    >>> after = node_mtbf_without_worst_gamma(
    ...     26, nodes=256, observed=90.0, node_mtbf=1 / 0.0065, cv=1.0
    ... )
    >>> round(float(1.0 / after), 11)
    0.00548205298
    """
    m, n, t, mu, c = broadcast(
        removed=whole("removed", removed, least=0),
        nodes=whole("nodes", nodes),
        observed=nonnegative("observed", observed),
        node_mtbf=positive("node_mtbf", node_mtbf),
        cv=nonnegative("cv", cv),
    )
    _some_stay(m, n)
    with np.errstate(over="ignore"):
        longest = t / mu
    given = zip(m.flat, n.flat, longest.flat, c.flat, strict=True)
    rates = np.array([_gamma(*(float(x) for x in one)) for one in given])
    found = mu / rates.reshape(m.shape)
    return answer(found, removed, nodes, observed, node_mtbf, cv)


def _some_stay(removed: FloatArray, nodes: FloatArray) -> None:
    bad = removed >= nodes
    if bad.any():
        raise ValueError(
            f"removed must be < nodes = {nodes[bad].flat[0]:g}, got {removed[bad].flat[0]:g}"
        )


def _two_rates(m: float, n: float, t: float, q: float, k: float) -> float:
    """Return the mean rate of the nodes that stay, over the mean rate of all; t in node_mtbf."""
    if q in {0.0, 1.0} or k == 1.0:
        return 1.0
    rate = 1.0 / (1.0 - q + q * k)
    x = np.arange(_counts(k * rate * t))
    odds = special.logit(q) + x * np.log(k) - (k - 1.0) * rate * t
    mean = rate * (1.0 + (k - 1.0) * special.expit(odds))
    more = (1.0 - q) * special.pdtrc(x, rate * t) + q * special.pdtrc(x, k * rate * t)
    return _staying(m, n, mean, more)


def _gamma(m: float, n: float, t: float, c: float) -> float:
    """Return the mean rate of the nodes that stay, over the mean rate of all; t in node_mtbf."""
    square = c * c
    if square == 0.0 or t == 0.0:
        return 1.0
    shape, shrink = 1.0 / square, 1.0 + square * t
    most = square * (shape + _FAR * np.sqrt(shape) + _FEW)  # a rate that no node has
    x = np.arange(_counts(most * t))
    more = special.betainc(x + 1.0, shape, square * t / shrink)
    return _staying(m, n, (1.0 + square * x) / shrink, more)


def _counts(mean: float) -> float:
    if not mean <= _MOST:
        raise ValueError(
            f"observed/node_mtbf must leave at most {_MOST:g} failures of a node, got {mean:.6g}"
        )
    return float(np.ceil(mean + _FAR * np.sqrt(mean) + _FEW))


def _staying(m: float, n: float, mean: FloatArray, more: FloatArray) -> float:
    """Return the mean rate of those that stay, by the mean rates after 0, 1, ... failures.

    `more` are the probabilities of more than 0, 1, ... failures.
    """
    # E[(B - M)^+] = N p P(Bin(N - 1, p) >= M) - M P(Bin(N, p) >= M + 1)
    beyond = n * more
    if m > 0.0:
        beyond = n * more * special.betainc(m, n - m, more) - m * special.betainc(
            m + 1.0, n - m, more
        )
    steps = np.diff(mean)
    return float(mean[0] + steps @ np.maximum(beyond[:-1], 0.0) / (n - m))


_MACHINE = {
    "nodes": (2.0, 1e4),
    "removed/nodes": (1e-3, 0.9),
    "observed/node_mtbf": (0.01, 100.0),
}

ROWS = (
    Formula(
        node_mtbf_without_worst,
        "derived",
        "counts of a machine with lemons",
        "exact",
        ranges={**_MACHINE, "lemon_share": (1e-3, 0.999), "lemon_factor": (1.0, 100.0)},
        trend=Trend(rising=("node_mtbf",)),
    ),
    Formula(
        node_mtbf_without_worst_gamma,
        "derived",
        "negative binomial counts",
        "exact",
        ranges={**_MACHINE, "cv": (0.01, 3.0)},
        trend=Trend(rising=("node_mtbf",)),
    ),
)
