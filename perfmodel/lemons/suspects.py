r"""Which nodes fail more often than chance explains, and which such nodes the test would find.

The failures of each node are counted over a time of its own. If all nodes were alike, those of one
node would be a Poisson number of known mean, or, given the failures of all nodes together, a
binomial share of them. A node is called bad where so many failures have at most the probability
alpha/N: then some of N nodes that are alike is called bad with a probability of at most alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    BoolArray,
    FloatArray,
    answer,
    at_least,
    broadcast,
    comparable,
    fraction,
    nonempty,
    one_of,
    positive,
    scalar,
    whole,
)
from ..formula import Formula, Trend

_FAR, _FEW = 9.0, 40.0  # standard deviations, and failures more, beyond which nothing is left
_MOST = 2e9  # failures of a node
_TERMS = 2e5  # numbers of failures that a sum is over; of more, equally spaced ones


@dataclass(frozen=True, slots=True)
class BadNodes:
    """What the failures of each node say about it.

    Parameters
    ----------
    bad : ndarray of bool, [-]
        Which nodes are called bad, shape (n,).
    probability : ndarray, [-]
        Probability that some node of n alike has so many failures, at most 1, shape (n,); a node
        is bad where it is at most `false_alarm`.
    expected : ndarray, [-]
        Failures to be expected if all nodes were alike, shape (n,).
    false_alarm : float, [-]
        Highest probability that any of n nodes that are alike is called bad.
    """

    bad: BoolArray
    probability: FloatArray
    expected: FloatArray
    false_alarm: float


def bad_nodes(
    failures: ArrayLike,
    *,
    observed: ArrayLike = 1.0,
    node_mtbf: float | None = None,
    false_alarm: float = 0.05,
) -> BadNodes:
    r"""Nodes that failed more often than chance explains if all nodes were alike.

    .. math::
        \min(1, n P(X \ge x_i)), \quad
        X \sim \mathrm{Poisson}(t_i/\mu) \text{ or } \mathrm{Bin}(\textstyle\sum x, t_i/\sum t)

    Parameters
    ----------
    failures : array_like, [-]
        x, how often each node failed, nodes without a failure included; shape (n,), whole, >= 0.
    observed : array_like, [time]
        t, how long each was observed; a number, or shape (n,); > 0.
    node_mtbf : float, optional, [time]
        mu of a good node, from elsewhere; > 0. Without it, a node is compared with the mean of
        all nodes, itself and other bad ones included.
    false_alarm : float, [-]
        alpha, highest probability that any of n nodes that are alike is called bad; in (0, 1).

    Returns
    -------
    BadNodes
        The bad nodes, with the probability of as many failures for each node.

    Raises
    ------
    ValueError
        If `failures` is empty.

    Notes
    -----
    Bound: alike nodes, whose failures are Poisson, raise a false alarm with at most `false_alarm`,
    often less since a count is whole. Failures in bursts break that: then count bursts.
    Where a few nodes of hundreds are bad, it hardly matters that the mean includes them; where many
    are, give `node_mtbf`. `bad_node_power` says which nodes the test finds.
    Source: Bonferroni's inequality for a test of two Poisson rates, first in [1]_.

    Judged for nodes 2 to 1000, observed/node_mtbf 0.01 to 100, false_alarm 0.001 to 0.5. Times must
    be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Przyborowski and H. Wilenski, "Homogeneity of results in testing samples from Poisson
       series", Biometrika 31, 1940. Not seen.

    Examples
    --------
    >>> found = bad_nodes([0, 2, 1, 9, 0, 1, 0, 2])
    >>> found.bad.nonzero()[0].tolist(), found.expected[:1].tolist(), f"{found.probability[3]:.6f}"
    ([3], [1.875], '0.000146')
    """
    counts = nonempty("failures", whole("failures", failures, least=0))
    if counts.ndim != 1:
        raise ValueError(f"failures must be a list of numbers, got shape {counts.shape}")
    times = positive("observed", observed)
    if times.shape not in {(), (1,), counts.shape}:
        raise ValueError(
            f"observed must be one time or one for each of {counts.size} nodes, "
            f"got shape {times.shape}"
        )
    level = scalar(_levels, "false_alarm", false_alarm)
    times = np.broadcast_to(times, counts.shape)
    if node_mtbf is None:
        share = times / times.max()
        share = share / share.sum()
        total = float(counts.sum())
        expected, chance = total * share, _binomial_tail(counts, total, share)
    else:
        mean = scalar(positive, "node_mtbf", node_mtbf)
        comparable(observed=times, node_mtbf=np.asarray(mean))
        expected = times / mean
        chance = _poisson_tail(counts, expected)
    probability = np.minimum(counts.size * chance, 1.0)
    return BadNodes(probability <= level, probability, expected, level)


def bad_node_power(
    observed: ArrayLike,
    *,
    nodes: ArrayLike,
    node_mtbf: ArrayLike,
    lemon_factor: ArrayLike,
    lemons: ArrayLike = 1,
    false_alarm: ArrayLike = 0.05,
    baseline: Literal["known", "estimated"] = "estimated",
) -> FloatArray:
    r"""Probability that `bad_nodes` finds a node that fails several times as often as the others.

    .. math::
        P(X \ge c), \quad X \sim \mathrm{Poisson}(k T/\mu), \quad
        c = \min\{x: P(\mathrm{Poisson}(T/\mu) \ge x) \le \alpha/N\}

    and, where the others are the measure, the mean over all numbers x of failures of N nodes of

    .. math::
        P\left(\mathrm{Bin}\left(x, \frac{k}{N - b + b k}\right) \ge c_x\right), \quad
        c_x = \min\{y: P(\mathrm{Bin}(x, 1/N) \ge y) \le \alpha/N\}

    Parameters
    ----------
    observed : array_like, [time]
        T, how long each node is observed; > 0.
    nodes : array_like, [-]
        N, how many are tested; whole and >= 2.
    node_mtbf : array_like, [time]
        mu of a good node; > 0.
    lemon_factor : array_like, [-]
        k, how many times as often a bad node fails; >= 1.
    lemons : array_like, [-]
        b, how many nodes are bad, this one included; whole, >= 1 and <= `nodes`.
    false_alarm : array_like, [-]
        alpha of the test; in (0, 1).
    baseline : {"known", "estimated"}, [-]
        Whether the test knows `node_mtbf`, or compares with the mean of all nodes.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments but `baseline` broadcast together. With `lemon_factor` 1, the
        probability that one certain good node is called bad.

    Raises
    ------
    ValueError
        If a node may fail more than 2e9 times.

    Notes
    -----
    Exact for Poisson failures. Other bad nodes raise the mean and hide each other: long
    observation helps, up to a share of bad nodes at which a bad node is nearly the mean.
    Source: derived in tests/derivations/test_bad_nodes.py; the test is that of [1]_.

    Judged for nodes 2 to 1000, observed/node_mtbf 0.01 to 30, lemon_factor 1 to 30, lemons/nodes
    0.002 to 1, false_alarm 0.001 to 0.5. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Przyborowski and H. Wilenski, "Homogeneity of results in testing samples from Poisson
       series", Biometrika 31, 1940. Not seen.

    Examples
    --------
    >>> machine = {"nodes": 100, "node_mtbf": 2.5, "lemon_factor": 5.0, "lemons": 15}
    >>> round(float(bad_node_power(1.0, **machine, baseline="known")), 7)
    0.052653
    >>> bad_node_power([10.0, 20.0], **machine).round(3).tolist()
    [0.774, 0.989]
    """
    one_of("baseline", baseline, ("known", "estimated"))
    time, n, mu, k, b, alpha = broadcast(
        observed=positive("observed", observed),
        nodes=whole("nodes", nodes, least=2),
        node_mtbf=positive("node_mtbf", node_mtbf),
        lemon_factor=at_least("lemon_factor", lemon_factor, 1.0),
        lemons=whole("lemons", lemons),
        false_alarm=_levels("false_alarm", false_alarm),
    )
    comparable(observed=time, node_mtbf=mu)
    often = k * (time / mu)
    if (often > _MOST).any():
        raise ValueError(
            f"observed/node_mtbf must leave at most {_MOST:g} failures of a node, "
            f"got {float(often.max()):.6g}"
        )
    many = b > n
    if many.any():
        raise ValueError(f"lemons must be <= nodes = {n[many].flat[0]:g}, got {b[many].flat[0]:g}")
    each = zip(time.flat, mu.flat, n.flat, k.flat, b.flat, alpha.flat, strict=True)
    power = _known if baseline == "known" else _estimated
    found = np.array([power(t / m, *rest) for t, m, *rest in each])
    given = (observed, nodes, node_mtbf, lemon_factor, lemons, false_alarm)
    return answer(found.reshape(n.shape), *given)


def _levels(name: str, value: ArrayLike) -> FloatArray:
    level = fraction(name, value)
    ends = (level <= 0.0) | (level >= 1.0)
    if ends.any():
        raise ValueError(f"{name} must be in (0, 1), got {float(level[ends].flat[0])!r}")
    return level


def _poisson_tail(count: FloatArray, mean: FloatArray) -> FloatArray:
    """Return the probability of `count` or more."""
    return np.where(count > 0.0, special.gammainc(np.maximum(count, 1.0), mean), 1.0)


def _binomial_tail(count: FloatArray, total: ArrayLike, share: ArrayLike) -> FloatArray:
    """Return the probability of `count` or more of `total`."""
    rest = np.asarray(total) - count + 1.0
    inside = (count > 0.0) & (rest > 0.0)
    tail = special.betainc(
        np.where(inside, count, 1.0), np.where(inside, rest, 1.0), np.asarray(share)
    )
    return np.where(inside, tail, np.where(count > 0.0, 0.0, 1.0))


def _known(mean: float, nodes: float, factor: float, lemons: float, alpha: float) -> float:
    del lemons
    from scipy import stats

    law = stats.poisson(mean)
    least = np.asarray(law.isf(alpha / nodes)) + 1.0
    # The quantile of a discrete law may be one off where a tail equals the level.
    tried = np.maximum(least + np.arange(-1.0, 3.0), 0.0)
    rare = _poisson_tail(tried, np.asarray(mean)) <= alpha / nodes
    return float(_poisson_tail(tried[np.argmax(rare)], np.asarray(factor * mean)))


def _estimated(mean: float, nodes: float, factor: float, lemons: float, alpha: float) -> float:
    others = nodes - lemons + lemons * factor
    total = mean * others
    spread = _FAR * np.sqrt(total) + _FEW
    low, high = np.floor(max(0.0, total - spread)), np.ceil(total + spread)
    counts = np.arange(low, high + 1.0, max(1.0, np.ceil((high - low) / _TERMS)))
    weight = np.exp(special.xlogy(counts, total) - total - special.gammaln(counts + 1.0))
    least = _least_of(counts, 1.0 / nodes, alpha / nodes)
    found = _binomial_tail(least, counts, min(factor / others, 1.0))
    return float(min(weight @ found / weight.sum(), 1.0))


def _least_of(counts: FloatArray, share: float, level: float) -> FloatArray:
    """Return for each of `counts` the least x that as many or more have rarely; shape (n,)."""
    from scipy import stats

    least = np.asarray(stats.binom.isf(level, counts, share)) + 1.0
    # The quantile of a discrete law may be one off where a tail equals the level.
    tried = np.maximum(least[:, None] + np.arange(-2.0, 3.0), 0.0)
    rare = _binomial_tail(tried, counts[:, None], share) <= level
    return np.asarray(tried[np.arange(counts.size), np.argmax(rare, axis=1)])


ROWS = (
    Formula(
        bad_nodes,
        "przyborowski1940",
        "conditional test, Bonferroni",
        "bound",
        ranges={
            "nodes": (2.0, 1e3),
            "observed/node_mtbf": (0.01, 100.0),
            "false_alarm": (1e-3, 0.5),
        },
        trend=Trend(),
    ),
    Formula(
        bad_node_power,
        "derived",
        "Poisson failures",
        "exact",
        ranges={
            "nodes": (2.0, 1e3),
            "observed/node_mtbf": (0.01, 30.0),
            "lemon_factor": (1.0, 30.0),
            "lemons/nodes": (2e-3, 1.0),
            "false_alarm": (1e-3, 0.5),
        },
        trend=Trend(),
    ),
)
