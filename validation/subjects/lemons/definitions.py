"""Nodes of random rates: first failures by transforms at many digits, removals by plain sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np
from scipy import stats

__all__ = [
    "FIRST_FAULTS",
    "GAMMA_FAULTS",
    "REMOVAL_FAULTS",
    "REPAIR_FAULTS",
    "failures_until_cured",
    "first_failure",
    "first_failure_gamma",
    "without_worst",
]

Number = Any  # mpmath has no types

FIRST_FAULTS = (
    "equal nodes",
    "node_mtbf of the nodes that are no lemons",
    "all nodes of a job are lemons, or none is",
    "lemons have k + 1 times the rate",
)
REMOVAL_FAULTS = (
    "nodes taken out at random",
    "counts taken for rates",
    "as many at a count as on average",
    "nodes taken out still counted",
)
REPAIR_FAULTS = (
    "no lemon is cured",
    "every repair cures",
    "lemons are cured as often as others fail",
    "node_mtbf of the nodes that are no lemons",
    "cured nodes never fail",
)
GAMMA_FAULTS = ("equal nodes", "cv without its square", "sooner than equal nodes")


def _until_all(survives: Callable[[Number], Number], fastest: Number, slowest: Number) -> Number:
    """Integrate a survival function that changes between 1/fastest and 1/slowest."""
    ends, edge = [mp.mpf(0)], mp.mpf("0.1") / fastest
    while edge < 60 / slowest:
        ends.append(edge)
        edge *= 3
    return mp.quad(survives, [*ends, edge])


def failures_until_cured(
    time: Number,
    *,
    nodes: int,
    node_mtbf: Number,
    lemon_share: Number,
    lemon_factor: Number,
    cured: Number,
    fault: str = "",
) -> Number:
    """Return the failures of nodes that are lemons for a time, by its survival function."""
    q, k, p = mp.mpf(lemon_share), mp.mpf(lemon_factor), mp.mpf(cured)
    p = {"no lemon is cured": mp.mpf(0), "every repair cures": mp.mpf(1)}.get(fault, p)
    rate = 1 / mp.mpf(node_mtbf)
    if fault != "node_mtbf of the nodes that are no lemons":
        rate /= 1 - q + q * k
    ends = rate * p * (1 if fault == "lemons are cured as often as others fail" else k)
    spoilt = mp.quad(lambda x: mp.exp(-x), [0, ends * time]) / ends if p else mp.mpf(time)
    good = 0 if fault == "cured nodes never fail" else time - spoilt
    return nodes * rate * ((1 - q) * time + q * (k * spoilt + good))


def first_failure(
    nodes: int,
    *,
    node_mtbf: Number,
    lemon_share: Number,
    lemon_factor: Number,
    fault: str = "",
) -> Number:
    """Return the integral of the probability that no node has failed."""
    n, q, k = mp.mpf(int(nodes)), mp.mpf(lemon_share), mp.mpf(lemon_factor)
    if fault == "equal nodes":
        return node_mtbf / n
    mean = 1 - q + q * k
    if fault == "node_mtbf of the nodes that are no lemons":
        mean = mp.mpf(1)
    if fault == "lemons have k + 1 times the rate":
        k += 1
    if fault == "all nodes of a job are lemons, or none is":
        return node_mtbf * mean * (1 - q + q / k) / n
    with mp.workdps(25):
        whole = _until_all(lambda t: ((1 - q) * mp.exp(-t) + q * mp.exp(-k * t)) ** n, n * k, n)
    return node_mtbf * mean * whole


def first_failure_gamma(nodes: int, *, node_mtbf: Number, cv: Number, fault: str = "") -> Number:
    """Return the integral of (1 + t cv^2)^(-n/cv^2), by its antiderivative; t in node_mtbf."""
    n, square = mp.mpf(int(nodes)), mp.mpf(cv) ** 2
    if fault == "equal nodes":
        square = mp.mpf(0)
    if fault == "cv without its square":
        square = mp.mpf(cv)
    if fault == "sooner than equal nodes":
        square = -square
    return node_mtbf / (n - square) if n > square else mp.inf


def without_worst(
    removed: int,
    *,
    nodes: int,
    observed: float,
    node_mtbf: float,
    fault: str = "",
    **law: float,
) -> float:
    """Return the MTBF of a node that stays: all failures less those of the nodes taken out.

    Sums over all numbers of nodes with more than x failures, for machines of some dozen nodes.
    """
    t = observed / node_mtbf
    x = np.arange(4000)
    if "cv" in law:
        shape = law["cv"] ** -2.0
        count = stats.nbinom(shape, shape / (shape + t)).pmf(x)
        rate = (shape + x) / (shape + t)
    else:
        q, k = law["lemon_share"], law["lemon_factor"]
        other = 1.0 / (1.0 - q + q * k)
        plain, lemon = (stats.poisson(r * t).pmf(x) for r in (other, k * other))
        count = (1.0 - q) * plain + q * lemon
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = other * ((1.0 - q) * plain + q * k * lemon) / count
    seen = count > 1e-25
    count, rate = count[seen], rate[seen]
    if fault == "counts taken for rates":
        rate = np.arange(count.size) / t
    beyond = np.maximum(1.0 - np.cumsum(count), np.cumsum(count[::-1])[::-1] - count)
    j = np.arange(nodes + 1)
    among = stats.binom(nodes, beyond[:-1, None]).pmf(j) @ np.minimum(removed, j)
    if fault == "as many at a count as on average":
        among = np.minimum(removed, nodes * beyond[:-1])
    lost = removed * rate[0] + float(np.diff(rate) @ among)
    if fault == "nodes taken out at random":
        lost = float(removed)
    left = nodes if fault == "nodes taken out still counted" else nodes - removed
    return float(node_mtbf * left / (nodes - lost))
