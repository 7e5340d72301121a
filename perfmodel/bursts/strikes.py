r"""How often bursts interrupt a job, and how often they take both nodes of a pair.

The nodes of a machine are numbered around a ring. Bursts are a Poisson process; each strikes a
geometric number of nodes, 1 or more, that follow each other from a random node on, or the whole
machine where the number is not smaller. With m the mean number and u = 1 - 1/m, a burst strikes
more than j nodes with probability u^j.

A job is interrupted once by a burst, however many of its nodes are struck. Counting failures of
nodes instead, as if they came one by one, overstates its interruptions up to m times.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    at_least,
    broadcast,
    one_of,
    positive,
    positive_or_inf,
    whole,
)
from ..formula import Formula, Trend

Placement = Literal["random", "contiguous", "strided"]

_GONE = 40.0  # nats: what is left of a sum beyond
_PIECE = 1 << 16  # of its terms that are added up at once
_MOST_TERMS = 2e7  # added up in two seconds


def effective_mtbf_bursts(
    nodes: ArrayLike,
    *,
    machine_nodes: ArrayLike,
    burst_mtbf: ArrayLike,
    burst_size: ArrayLike,
    node_mtbf: ArrayLike = np.inf,
    placement: Placement = "random",
) -> FloatArray:
    r"""Mean time between interruptions of a job on some nodes of a machine with bursts.

    .. math::
        \left(\frac{n}{\mu} + \frac{P}{B}\right)^{-1}, \quad
        P_{contiguous} = \frac{n - 1 + m (1 - u^{N - n + 1})}{N}, \quad
        P_{strided} = \frac{m (1 - u^{N/n})}{N/n}, \quad
        P_{random} = \sum_{j=0}^{N-n} u^j \frac{n}{N - j} \prod_{i<j} \frac{N - n - i}{N - i}

    Parameters
    ----------
    nodes : array_like, [-]
        n, nodes of the job; whole, >= 1 and <= `machine_nodes`.
    machine_nodes : array_like, [-]
        N, nodes of the machine; whole and >= 1. With random placement the smaller
        of N - n, 40 m and 40 N/n is at most 2e7.
    burst_mtbf : array_like, [time]
        B, mean time between bursts of the whole machine; > 0, inf for none.
    burst_size : array_like, [-]
        m, mean number of nodes that a burst strikes, if the machine had no end; >= 1.
    node_mtbf : array_like, [time]
        mu, mean time between the failures of one node that come alone; > 0, inf for none.
    placement : {"random", "contiguous", "strided"}, [-]
        Where the nodes of the job are: anywhere, each set of n nodes being as likely, which gives
        the same as bursts that strike any set of nodes; one after the other; or every N/n-th node.

    Returns
    -------
    ndarray, [time]
        inf where nothing fails. Shape: all arguments but `placement` broadcast together.

    Raises
    ------
    ValueError
        If `machine_nodes` is not a multiple of `nodes` in a strided placement.

    Notes
    -----
    Exact for bursts that strike all their nodes at one instant; the time to each interruption is
    exponential, so that every formula of exponential failures may have it for its mtbf. Nodes
    that follow the first of a burst while the job is down anyway count with it.
    Source: derived in tests/derivations/test_bursts.py; a Poisson process thinned as in [1]_.

    Judged for machine_nodes 1 to 10000, nodes/machine_nodes 1e-4 to 1, burst_size 1 to 1000,
    burst_mtbf/node_mtbf 1e-4 to 10000. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. F. C. Kingman, "Poisson Processes", Oxford University Press, 1993. Not seen; derived
       here.

    Examples
    --------
    >>> machine = {"machine_nodes": 96, "burst_mtbf": 1.0, "burst_size": 4.0}
    >>> round(float(1 / effective_mtbf_bursts(24, **machine)), 9)
    0.575849572
    >>> round(float(1 / effective_mtbf_bursts(24, **machine, placement="contiguous")), 9)
    0.28125
    """
    one_of("placement", placement, get_args(Placement))
    n, total, burst, size, alone = broadcast(
        nodes=whole("nodes", nodes),
        machine_nodes=whole("machine_nodes", machine_nodes),
        burst_mtbf=positive_or_inf("burst_mtbf", burst_mtbf),
        burst_size=at_least("burst_size", burst_size, 1.0),
        node_mtbf=positive_or_inf("node_mtbf", node_mtbf),
    )
    _within(n, total)
    if placement == "contiguous":
        struck = (n - 1.0 + _struck(size, total - n + 1.0)) / total
    elif placement == "strided":
        uneven = total % n != 0.0
        if uneven.any():
            raise ValueError(
                f"machine_nodes must be a multiple of nodes = {n[uneven].flat[0]:g} "
                f"for a strided placement, got {total[uneven].flat[0]:g}"
            )
        struck = _struck(size, total / n) / (total / n)
    else:
        _can_be_summed(n, total, size)
        each = zip(n.flat, total.flat, size.flat, strict=True)
        struck = np.array([_of_any(*(float(x) for x in one)) for one in each]).reshape(n.shape)
    # In units of the shorter time, so that no rate overflows; without any failures it is endless.
    with np.errstate(over="ignore", invalid="ignore"):
        unit = np.minimum(burst, alone)
        found = unit / (n * (unit / alone) + struck * (unit / burst))
        found = np.where(np.isinf(unit), np.inf, found)
    return answer(found, nodes, machine_nodes, burst_mtbf, burst_size, node_mtbf)


def pair_mtbf_bursts(
    distance: ArrayLike,
    *,
    machine_nodes: ArrayLike,
    burst_mtbf: ArrayLike,
    burst_size: ArrayLike,
) -> FloatArray:
    r"""Mean time between bursts that take both nodes of one pair, and with them both copies.

    .. math:: \frac{N B}{m (u^d + u^{N - d} - 2 u^N)}

    Parameters
    ----------
    distance : array_like, [-]
        d, how many nodes one is from the other around the ring; whole, >= 1 and
        < `machine_nodes`.
    machine_nodes : array_like, [-]
        N, nodes of the machine; whole and >= 2.
    burst_mtbf : array_like, [time]
        B, mean time between bursts of the whole machine; > 0.
    burst_size : array_like, [-]
        m, mean number of nodes that a burst strikes, if the machine had no end; >= 1.

    Returns
    -------
    ndarray, [time]
        inf where no burst takes two nodes. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for bursts of neighbours. The copies of a pair of far nodes hardly ever go together,
    those of adjacent nodes by most bursts that strike them.
    Source: derived in tests/derivations/test_bursts.py; a Poisson process thinned as in [1]_.

    Judged for machine_nodes 2 to 10000, distance/machine_nodes 1e-4 to 0.9999, burst_size 1.001 to
    1000. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. F. C. Kingman, "Poisson Processes", Oxford University Press, 1993. Not seen; derived
       here.

    Examples
    --------
    >>> machine = {"machine_nodes": 96, "burst_mtbf": 1.0, "burst_size": 4.0}
    >>> (1 / pair_mtbf_bursts([1, 8], **machine)).round(9).tolist()
    [0.03125, 0.004171371]
    """
    d, total, burst, size = broadcast(
        distance=whole("distance", distance),
        machine_nodes=whole("machine_nodes", machine_nodes, least=2),
        burst_mtbf=positive("burst_mtbf", burst_mtbf),
        burst_size=at_least("burst_size", burst_size, 1.0),
    )
    far = d >= total
    if far.any():
        raise ValueError(
            f"distance must be < machine_nodes = {total[far].flat[0]:g}, got {d[far].flat[0]:g}"
        )
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        # size - 1 has all digits below 2, and 1/size keeps those of large ones.
        log = np.where(size < 2.0, np.log((size - 1.0) / size), np.log1p(-1.0 / size))
        # In logarithms: the probability of both may be less than a float can hold.
        near, away = d * log, (total - d) * log
        both = np.logaddexp(near + np.log(-np.expm1(away)), away + np.log(-np.expm1(near)))
        found = np.exp(np.log(burst) + np.log(total / size) - both)
    return answer(found, distance, machine_nodes, burst_mtbf, burst_size)


def _within(nodes: FloatArray, machine: FloatArray) -> None:
    more = nodes > machine
    if more.any():
        raise ValueError(
            f"nodes must be <= machine_nodes = {machine[more].flat[0]:g}, "
            f"got {nodes[more].flat[0]:g}"
        )


def _can_be_summed(nodes: FloatArray, machine: FloatArray, size: FloatArray) -> None:
    with np.errstate(over="ignore"):
        terms = np.minimum(machine - nodes, _GONE * np.minimum(size, machine / nodes))
    far = terms > _MOST_TERMS
    if far.any():
        raise ValueError(
            "machine_nodes must be so few that the sum over random places has at most "
            f"{_MOST_TERMS:g} terms, got {machine[far].flat[0]:g}"
        )


def _struck(size: FloatArray, most: FloatArray) -> FloatArray:
    """Return the mean number of nodes that a burst strikes among the next `most`."""
    with np.errstate(divide="ignore", under="ignore"):
        return np.asarray(-size * np.expm1(most * np.log1p(-1.0 / size)))


def _of_any(n: float, total: float, size: float) -> float:
    """Return the probability that a burst strikes some of n random nodes.

    Its nodes one by one: node j is the first of the job's after j others of the machine.
    """
    shrink = 1.0 - 1.0 / size
    found, reached, start = 0.0, 1.0, 0.0
    while start <= total - n and reached > np.exp(-_GONE) * found:
        j = start + np.arange(min(_PIECE, total - n + 1.0 - start))
        missed = np.cumprod(shrink * (total - n - j) / (total - j))
        before = np.append(1.0, missed[:-1])
        found += float(reached * (before @ (n / (total - j))))
        reached *= float(missed[-1])
        start += j.size
    return min(found, 1.0)


ROWS = (
    Formula(
        effective_mtbf_bursts,
        "derived",
        "bursts of a geometric number of nodes",
        "exact",
        ranges={
            "machine_nodes": (1.0, 1e4),
            "nodes/machine_nodes": (1e-4, 1.0),
            "burst_size": (1.0, 1e3),
            "burst_mtbf/node_mtbf": (1e-4, 1e4),
        },
        trend=Trend(rising=("burst_mtbf", "node_mtbf"), falling=("burst_size",)),
    ),
    Formula(
        pair_mtbf_bursts,
        "derived",
        "bursts of a geometric number of nodes",
        "exact",
        ranges={
            "machine_nodes": (2.0, 1e4),
            "distance/machine_nodes": (1e-4, 0.9999),
            "burst_size": (1.001, 1e3),
        },
        trend=Trend(rising=("burst_mtbf",)),
    ),
)
