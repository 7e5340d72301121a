"""How far left of 0 a transform reaches: to its nearest pole, on the real axis."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._checks import BoolArray, FloatArray

_SECTIONS = 32  # points that the search looks at in one call of NumPy


def nearest_pole(exists: Callable[[FloatArray], BoolArray], *, start: float, end: float) -> float:
    """Return the distance from 0 to the nearest pole, [1/time]; 0 if `end` is.

    Parameters
    ----------
    exists : callable
        For rising distances c whether the transform is finite and positive at -c.
    start : float, [1/time]
        A distance that is shorter.
    end : float, [1/time]
        The distance of a singularity that is known.
    """
    if end == 0.0:
        return 0.0

    def inside(c: FloatArray) -> int:
        """Return how many of the points come before the pole."""
        c = c[: np.searchsorted(c, end)]
        return int(np.argmin(np.append(exists(c), False))) if c.size else 0

    low, high = 0.0, start
    scale = 4.0 ** np.arange(_SECTIONS, dtype=np.float64)
    while (count := inside(high * scale)) == _SECTIONS:
        low, high = high * scale[-1], 4.0 * high * scale[-1]
    low, high = high * scale[count - 1] if count else low, high * scale[count]
    while high - low > 4e-16 * high:
        points = np.linspace(low, high, _SECTIONS + 2)
        if points[1] == low:
            break
        count = inside(points[1:-1])
        low, high = points[count], points[count + 1]
    return float(low)
