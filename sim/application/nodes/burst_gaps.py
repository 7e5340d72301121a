"""Failures that come in bursts.

The rules, in words, are the whole specification:

- Bursts begin at random instants of a constant rate, whatever is under way.
- A burst is one failure and some more: after each, another follows with a constant probability,
  so that a burst has `size` failures on average.
- Those that follow come `spacing` after the one before.
"""

from __future__ import annotations

import numpy as np

from ..._checks import nonnegative, number, positive, shown, whole
from ...samplers import FloatArray
from ...streams import BURSTS, stream


def simulate_burst_gaps(
    gaps: int, *, burst_mtbf: float, size: float = 1.0, spacing: float = 0.0, seed: int
) -> FloatArray:
    """Draw the times between successive failures of a machine that fails in bursts, [time].

    Parameters
    ----------
    gaps : int
        How many; >= 1.
    burst_mtbf : float, [time]
        Mean time between the beginnings of bursts; > 0.
    size : float
        Mean number of failures of a burst; >= 1. With 1, failures come at a constant rate.
    spacing : float, [time]
        Between failures of a burst; >= 0.
    seed : int
        Same seed, same bytes; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (gaps,).

    Raises
    ------
    ValueError
        If `size` is below 1.

    Examples
    --------
    >>> simulate_burst_gaps(5, burst_mtbf=9.0, size=1e9, spacing=0.5, seed=1).round(9).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5]
    """
    count, mean = whole("gaps", gaps), positive("burst_mtbf", burst_mtbf)
    many, step = number("size", size), nonnegative("spacing", spacing)
    if not many >= 1.0:
        raise ValueError(f"size must be >= 1, got {shown(size)}")
    rng = stream(whole("seed", seed, least=0), *BURSTS)
    # One failure in `size` begins a burst; where bursts overlap, their failures are put in order.
    sizes = rng.geometric(1.0 / many, count + 1)
    begins = np.cumsum(mean * rng.standard_exponential(count + 1))
    last = int(np.searchsorted(np.cumsum(sizes), count + 1)) + 1
    sizes, begins = np.minimum(sizes[:last], count + 1), begins[:last]
    after = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    times = np.sort(np.repeat(begins, sizes) + step * after)
    return np.asarray(np.diff(times)[:count])
