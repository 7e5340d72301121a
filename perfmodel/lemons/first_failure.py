r"""Mean time to the first failure of a job on random nodes, of which some fail more often.

Each node has a rate of its own, which it keeps; its failures are a Poisson process of that rate.
The rates of different nodes are drawn independently from one law of mean 1/node_mtbf:

* two rates: each node is a lemon with probability q, and lemons fail k times as often as others;
* a gamma law of coefficient of variation cv, so that the failures of a node in a given time are
  negative binomial.

A repair changes no rate. Where it cures a lemon, the time lies between that of a fleet without
lemons and the time given here, which is of lemons that stay so for ever; `expected_failures_lemons`
counts the failures of a job until then.

Whatever the law, a job of n random nodes meets its first failure later, on average, than on n
equal nodes, by Jensen's inequality: sets without a lemon last longer than those with one lose.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, at_least, broadcast, fraction, positive, whole
from ..formula import Formula, Trend
from ..quantities import checked

_MANY = 1e8  # variance of the number of lemons from which its three first moments suffice
_FAR = 12.0  # standard deviations of a binomial number beyond which nothing is left, ...
_FEW = 60.0  # ... and so many more where it is nearly Poisson's


def effective_mtbf(
    nodes: ArrayLike, *, node_mtbf: ArrayLike, lemon_share: ArrayLike, lemon_factor: ArrayLike
) -> FloatArray:
    r"""Mean time to the first failure of a job on random nodes, some of which are lemons.

    .. math::
        \mu (1 - q + q k) \sum_{i=0}^{n} \binom{n}{i} q^i (1 - q)^{n-i} \frac{1}{n + (k - 1) i}

    Parameters
    ----------
    nodes : array_like, [-]
        n, nodes of the job; whole and >= 1.
    node_mtbf : array_like, [time]
        mu, uptime of all nodes of the machine over their failures, lemons included; > 0.
    lemon_share : array_like, [-]
        q, probability that a node is a lemon; in [0, 1].
    lemon_factor : array_like, [-]
        k, how many times as often a lemon fails; >= 1.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together.

    Notes
    -----
    Exact, over jobs whose nodes are drawn anew from a machine so large that they are independent.
    Equal nodes, a share of 0 or 1 or a factor of 1, give node_mtbf/nodes, the least there is.
    It is not the mean time between failures of one job that stays on its nodes: that job keeps its
    rate, on average nodes/node_mtbf.
    Source: derived in tests/derivations/test_lemons.py. [1]_ reports such nodes; it was not read.

    Judged for nodes 1 to 1e6, lemon_share 1e-4 to 0.9999, lemon_factor 1 to 1000. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] A. Kokolis et al., "Revisiting reliability in large-scale machine learning research
       clusters", arXiv 2410.21680, 2024.

    Examples
    --------
    >>> lemons = {"lemon_share": 0.15, "lemon_factor": 5.0}
    >>> effective_mtbf([1, 64], node_mtbf=1000.0, **lemons).round(3).tolist()
    [1408.0, 15.821]
    """
    n, mu, q, k = broadcast(
        nodes=whole("nodes", nodes),
        node_mtbf=positive("node_mtbf", node_mtbf),
        lemon_share=fraction("lemon_share", lemon_share),
        lemon_factor=at_least("lemon_factor", lemon_factor, 1.0),
    )
    given = zip(n.flat, q.flat, k.flat, strict=True)
    times = np.array([_first_failure(*(float(x) for x in one)) for one in given])
    with np.errstate(over="ignore"):
        return answer(mu * times.reshape(n.shape), nodes, node_mtbf, lemon_share, lemon_factor)


def effective_mtbf_gamma(nodes: ArrayLike, *, node_mtbf: ArrayLike, cv: ArrayLike) -> FloatArray:
    r"""Mean time to the first failure of a job on random nodes whose rates are gamma distributed.

    .. math:: \frac{\mu}{n - c^2}

    Parameters
    ----------
    nodes : array_like, [-]
        n, nodes of the job; whole and >= 1.
    node_mtbf : array_like, [time]
        mu, uptime of all nodes of the machine over their failures; > 0.
    cv : array_like, [-]
        c, standard deviation of the rate of a node over its mean; >= 0.

    Returns
    -------
    ndarray, [time]
        inf where n <= cv^2: nodes that hardly ever fail are then too many for a mean.
        Shape: all arguments broadcast together.

    Notes
    -----
    Exact, over jobs whose nodes are drawn anew from a machine so large that they are independent.
    The time has a variance only where n > 2 cv^2.
    Source: derived in tests/derivations/test_lemons.py. [1]_ reports such nodes; it was not read.

    Judged for nodes 1 to 1e6, cv 0.001 to 30. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Kokolis et al., "Revisiting reliability in large-scale machine learning research
       clusters", arXiv 2410.21680, 2024.

    Examples
    --------
    >>> round(float(effective_mtbf_gamma(8, node_mtbf=1 / 0.0065, cv=2.0)), 4)
    38.4615
    """
    n, mu, c = checked(nodes=nodes, node_mtbf=positive("node_mtbf", node_mtbf), cv=cv)
    with np.errstate(over="ignore"):
        left = n - c * c
        found = np.where(left > 0.0, mu / np.where(left > 0.0, left, 1.0), np.inf)
    return answer(found, nodes, node_mtbf, cv)


def _first_failure(n: float, q: float, k: float) -> float:
    """Return the mean time to the first failure of n nodes, in MTBFs of a node."""
    if q in {0.0, 1.0} or k == 1.0:
        return 1.0 / n
    # Rates in those of a lemon, so that a large factor does not overflow.
    other = 1.0 / k
    mean_rate = (1.0 - q) * other + q
    variance = n * q * (1.0 - q)
    if variance > _MANY:
        spread = (1.0 - other) / (n * mean_rate)
        second, third = spread**2 * variance, spread**3 * variance * (1.0 - 2.0 * q)
        return (1.0 + second - third) / n
    lemons, probability = _binomial(n, q)
    return float(probability @ (mean_rate / ((n - lemons) * other + lemons)))


def _binomial(n: float, q: float) -> tuple[FloatArray, FloatArray]:
    """Return the numbers around the mode of a binomial law, and their probabilities.

    From ratios of neighbours, which keep their digits where factorials of large n do not.
    """
    mode = min(np.floor((n + 1.0) * q), n)
    width = np.ceil(_FAR * np.sqrt(n * q * (1.0 - q)) + _FEW)
    up = np.arange(mode, min(n, mode + width))
    down = np.arange(mode, max(0.0, mode - width), -1.0)
    odds = q / (1.0 - q)
    above = np.cumprod((n - up) / (up + 1.0) * odds)
    below = np.cumprod(down / (n - down + 1.0) / odds)
    weights = np.concatenate([below[::-1], [1.0], above])
    numbers = np.arange(mode - down.size, mode + up.size + 1.0)
    return numbers, weights / weights.sum()


ROWS = (
    Formula(
        effective_mtbf,
        "derived",
        "rates of a machine with lemons",
        "exact",
        ranges={
            "nodes": (1.0, 1e6),
            "lemon_share": (1e-4, 0.9999),
            "lemon_factor": (1.0, 1e3),
        },
        trend=Trend(rising=("node_mtbf", "lemon_factor"), falling=("nodes",)),
    ),
    Formula(
        effective_mtbf_gamma,
        "derived",
        "gamma rates",
        "exact",
        ranges={"nodes": (1.0, 1e6), "cv": (1e-3, 30.0)},
        trend=Trend(rising=("node_mtbf", "cv"), falling=("nodes",)),
    ),
)
