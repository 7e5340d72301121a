"""Failures that come in bursts: Weibull gaps between bursts, several nodes in each."""

from __future__ import annotations

import math

import numpy as np

from .._libm import power
from ..streams import stream
from .faults import Failures

__all__ = ["bursty_failures"]


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
) -> Failures:
    """Draw a feed on [start, end) that begins in the middle of things.

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

    Returns
    -------
    Failures
        As many as fall on [start, end).

    Raises
    ------
    ValueError
        If `nodes`, `per_year`, `shape`, `burst` or `end` is outside the range given above.
    """
    if nodes < 1:
        raise ValueError(f"nodes must be >= 1, got {nodes!r}")
    for name, value in (("shape", shape), ("burst", burst)):
        if not 0.0 < value < math.inf:
            raise ValueError(f"{name} must be finite and > 0, got {value!r}")
    if burst < 1.0:
        raise ValueError(f"burst must be >= 1, got {burst!r}")
    if not 0.0 <= per_year < math.inf:
        raise ValueError(f"per_year must be finite and >= 0, got {per_year!r}")
    if not start <= end < math.inf:
        raise ValueError(f"end must be finite and >= start, got {end!r} for start={start!r}")
    times: list[float] = []
    gap = 365 * 86_400.0 * burst / per_year if per_year else math.inf
    scale = gap / math.gamma(1.0 + 1.0 / shape)
    rng = stream(seed)
    # Bursts from long before: the gaps have forgotten where they began, and stragglers arrive.
    now = start - 20.0 * gap if per_year else end
    while now < end:
        others = rng.geometric(1.0 / burst) - 1
        times += [now, *(now + spread * rng.standard_exponential(others)).tolist()]
        now += scale * power(rng.standard_exponential(), 1.0 / shape)
    time = np.array(times)
    node = rng.integers(nodes, size=time.size)
    inside = (time >= start) & (time < end)
    return Failures(time[inside], node[inside], np.full(int(inside.sum()), repair))
