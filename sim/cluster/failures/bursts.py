"""Failures that come in bursts: Weibull gaps between bursts, several failures in each."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from ..._checks import nonnegative, one_of, positive
from ..._libm import power
from ...records import IntArray
from ...samplers import Weibull
from ...streams import stream
from .feed import Failures

Where = Literal["anywhere", "group", "node"]
# Shapes whose gaps do not remember, after 20 of them, that they began with a burst.
_FORGETFUL = (0.6, 4.0)
WHERE: tuple[Where, ...] = get_args(Where)


def bursty_failures(
    *,
    nodes: int,
    per_year: float,
    repair: float,
    start: float,
    end: float,
    seed: int,
    shape: float = 0.7,
    burst: float = 1.5,
    spread: float = 3600.0,
    where: Where = "anywhere",
    group: int = 1,
) -> Failures:
    """Draw a feed on [start, end) of a process that has run for long before `start`.

    Parameters
    ----------
    nodes : int, [-]
        Nodes, all alike.
    per_year : float, [1/year]
        Mean number of failures of all nodes together in 365 days; >= 0.
    repair : float, [s]
        How long a node is out.
    start, end : float, [s]
        Of the feed.
    seed : int
        Of the random numbers.
    shape : float, [-]
        Of the Weibull gaps between bursts; below 1 they cluster, too.
    burst : float, [-]
        Mean number of failures in a burst, geometric; >= 1.
    spread : float, [s]
        Mean time between the first failure of a burst and each of the others, exponential.
    where : {"anywhere", "group", "node"}
        What the failures of one burst strike: each any node alike; each any node of the first
        one's rack or midplane; or all the same node. Bursts strike anywhere.
    group : int, [-]
        Nodes of a rack or midplane, numbered one after the other; the last may have fewer.

    Returns
    -------
    Failures
        As many as fall on [start, end).

    Raises
    ------
    ValueError
        If `nodes`, `per_year`, `shape`, `burst`, `spread`, `end`, `where` or `group` is outside the
        range given above.
    """
    for name, count in (("nodes", nodes), ("group", group)):
        if count < 1:
            raise ValueError(f"{name} must be >= 1, got {count!r}")
    one_of("where", where, WHERE)
    for name, value in (("shape", shape), ("burst", burst)):
        positive(name, value)
    if burst < 1.0:
        raise ValueError(f"burst must be >= 1, got {burst!r}")
    for name, value in (("per_year", per_year), ("spread", spread)):
        nonnegative(name, value)
    if not start <= end < math.inf:
        raise ValueError(f"end must be finite and >= start, got {end!r} for start={start!r}")
    times: list[float] = []
    sizes: list[int] = []
    gap = 365 * 86_400.0 * burst / per_year if per_year else math.inf
    scale = gap / math.gamma(1.0 + 1.0 / shape)
    rng = stream(seed)
    # Bursts from long before: the gaps have forgotten where they began, and stragglers arrive.
    now = start - 20.0 * max(gap, spread) if per_year else end
    if per_year and not _FORGETFUL[0] <= shape <= _FORGETFUL[1]:
        now += Weibull(shape, scale).residual(rng)
    while now < end:
        others = rng.geometric(1.0 / burst) - 1
        sizes.append(1 + int(others))
        times += [now, *(now + spread * rng.standard_exponential(others)).tolist()]
        now += scale * power(rng.standard_exponential(), 1.0 / shape)
    time = np.array(times)
    node: IntArray = np.asarray(rng.integers(nodes, size=time.size))
    if where != "anywhere":
        counts = np.array(sizes, dtype=np.int64)
        first = np.repeat(node[np.cumsum(counts) - counts], counts)
        node = first if where == "node" else near(rng, first, group, nodes)
    inside = (time >= start) & (time < end)
    return Failures(time[inside], node[inside], np.full(int(inside.sum()), repair))


def near(rng: np.random.Generator, first: IntArray, group: int, nodes: int) -> IntArray:
    """Return for each of the `first` a random node of its group."""
    start = first // group * group
    size = np.minimum(start + group, nodes) - start
    return np.asarray(start + (rng.random(first.size) * size).astype(np.int64))
