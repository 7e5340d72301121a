"""The mean number of renewals, on a lattice of times.

An uptime is rounded to the nearest point of the lattice; the mean number of renewals at each point
is then a quotient of power series, found by Newton's method. What a lattice costs falls as a power
of its step that three lattices tell, and with it the limit. A renewal process forgets its start:
beyond a time after which uptimes hardly last, and have lost their common step, the number grows by
1 per mean uptime.
"""

from __future__ import annotations

import numpy as np
from scipy.signal import fftconvolve

from .._checks import FloatArray
from ..lifetimes import AbstractLifetime

__all__ = ["renewals"]

_POINTS = 2**13  # of the coarsest lattice
_FARTHEST = 1e4  # mean uptimes that lattices may have to span
_FORGOTTEN = 1e-12  # of the second moment: what longer uptimes may have
_LONGEST = 2.0 ** np.arange(2.0, 11.0)  # in mean uptimes


def renewals(law: AbstractLifetime, time: float) -> float:
    """Return the mean number of failures up to `time` of a machine that each failure renews."""
    mean = law.mean
    square = mean * mean * (1.0 + law.scv)
    ends = mean * _LONGEST
    gone = np.asarray(square - law.partial_moment(ends, 2) <= _FORGOTTEN * square)
    reach = float(ends[np.argmax(gone)]) if gone.any() else np.inf
    if np.isinf(reach) and time > _FARTHEST * mean:
        raise ValueError(
            f"time must be <= {_FARTHEST:g} mean uptimes where they vary so much, "
            f"got {time / mean:.6g}"
        )
    # Uptimes that hardly differ stay in step for 1/scv of them.
    reach = max(reach, mean / law.scv) if law.scv > 0.0 else np.inf
    if time <= reach:
        return _on_lattices(law, time)
    return _on_lattices(law, reach) + (time - reach) / mean


def _on_lattices(law: AbstractLifetime, time: float) -> float:
    coarse, middle, fine = (_on_lattice(law, time, _POINTS * factor) for factor in (1, 2, 4))
    first, second = middle - coarse, fine - middle
    if second == 0.0 or not 1.5 <= first / second <= 8.0:
        return fine
    return fine + second / (first / second - 1.0)


def _on_lattice(law: AbstractLifetime, time: float, points: int) -> float:
    edges = time / points * (np.arange(points + 1) + 0.5)
    masses = np.diff(law.cdf(edges), prepend=0.0)
    more = _quotient(masses) - masses  # all renewals but the first, of which the cdf is known
    # What is rounded to the last point lies before it as often as behind it.
    first, later = float(law.cdf(time)), float(more[:-1].sum() + 0.5 * more[-1])
    # Of rare failures the later ones are below the rounding of the series.
    return first + min(max(later, 0.0), first * first / (1.0 - first) if first < 1.0 else np.inf)


def _quotient(masses: FloatArray) -> FloatArray:
    """Return the power series A/(1 - A) of the series of `masses`."""
    size = masses.size
    rest = -masses
    rest[0] += 1.0
    inverse = np.array([1.0 / rest[0]])
    while inverse.size < size:
        more = min(2 * inverse.size, size)
        wrong = -fftconvolve(rest[:more], inverse)[:more]
        wrong[0] += 1.0
        step = fftconvolve(inverse, wrong)[:more]
        inverse = np.append(inverse, np.zeros(more - inverse.size)) + step
    inverse[0] -= 1.0
    return inverse
