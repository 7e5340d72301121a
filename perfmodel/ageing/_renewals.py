"""The mean number of renewals, on a lattice of times.

The mass of an uptime goes to the two points of the lattice beside it so that it keeps its mean: an
uptime rounded to the nearest point has another where the density rises to infinity at 0, and after
many uptimes that is all. The mean number of renewals at each point is then a quotient of power
series, found by Newton's method. What a lattice costs falls as a power of its step, about the
square, that three lattices tell, and with it the limit. A renewal process forgets its start: once
the number grows by 1 per mean uptime it goes on so, and is t/mean + (scv - 1)/2. How long that
takes is seen on a lattice: neither the tail of uptimes nor how much they vary tells it alone. Where
uptimes differ by less than a step, failures are counted one by one.
"""

from __future__ import annotations

import numpy as np
from scipy import fft

from .._checks import FloatArray
from ..lifetimes import Lifetime

_POINTS = 2**13  # of the coarsest lattice
_FARTHEST = 1e4  # mean uptimes that lattices may have to span
_COARSE = 0.05  # deviations of an uptime, beyond which a step of the finest lattice is too long
_ALIKE = 0.01  # scv of uptimes that differ little
_WIDE, _TAIL = 12.0, 40.0  # deviations of a sum, and of one uptime, beyond which nothing is
_ONCE = 1e-10  # probability of a first failure, below which there is no second
_FORGOTTEN = 1e-7  # of the number: what may be left of the start
_SPANS = 2.0 ** np.arange(2.0, 14.0)  # in mean uptimes


def renewals(law: Lifetime, times: FloatArray) -> FloatArray:
    """Return the mean number of failures up to each time of a machine that each failure renews."""
    mean = law.mean
    forgotten, longest = _forgets(law, float(times.max())), _FARTHEST * mean
    if np.isinf(forgotten) and times.max() > longest * (1.0 + 1e-12):
        how = "much" if law.scv > 1.0 else "little"
        raise ValueError(
            f"time must be <= {_FARTHEST:g} mean uptimes where they vary so {how}, "
            f"got {float(times.max()) / mean:.6g}"
        )
    found = [
        time / mean + (law.scv - 1.0) / 2.0
        if time > forgotten
        else (_counted(law, float(time)) if time > 0.0 else 0.0)
        for time in times.flat
    ]
    return np.array(found).reshape(times.shape)


def _forgets(law: Lifetime, longest: float) -> float:
    """Return a time after which the start is forgotten, inf if there is none before `longest`."""
    mean, scv = law.mean, law.scv
    if not 0.0 < scv < np.inf:
        return np.inf
    for span in mean * _SPANS:
        if span >= longest:
            break
        if span * scv < mean:  # uptimes that hardly differ stay in step for 1/scv of them
            continue
        grown = np.cumsum(_quotient(_masses(law, span / _POINTS, _POINTS)))
        excess = (grown - np.arange(_POINTS + 1.0) * (span / _POINTS / mean))[3 * _POINTS // 4 :]
        if np.ptp(excess) <= _FORGOTTEN * span / mean:
            return float(span)
    return np.inf


def _counted(law: Lifetime, time: float) -> float:
    """Return the mean number up to a time at which the start counts."""
    once = float(law.cdf(time))
    if once < _ONCE:  # the square of it bounds that of a second
        return once
    coarse = time > _COARSE * 4 * _POINTS * law.std and law.scv < _ALIKE
    return _in_step(law, time) if coarse else _on_lattices(law, time)


def _in_step(law: Lifetime, time: float) -> float:
    """Return the mean number of renewals of uptimes that differ little.

    It is the sum over n of P(n uptimes <= time), of which few are neither 0 nor 1. Of those the sum
    of n uptimes has a lattice of its own, as fine as its spread.
    """
    mean, std = law.mean, law.std
    around = max(time / mean, 1.0)
    half = std * max(_WIDE * np.sqrt(2.0 * around), _TAIL)
    first = max(int((time - half) / mean), 1)
    last = int((time + half) / mean)
    step = std * min(np.sqrt(first) / 512.0, 1.0 / 32.0)
    points = fft.next_fast_len(2 * int(half / step) + 2)
    offsets = step * (np.arange(points) - points // 2)
    edges = np.maximum(mean + np.append(offsets, offsets[-1] + step) - 0.5 * step, 0.0)
    masses = np.diff(law.cdf(edges))
    shift = float(masses @ offsets)
    spectrum = fft.fft(fft.ifftshift(masses))
    found = float(first - 1) + (float(law.cdf(time)) if first == 1 else 0.0)
    for n in range(max(first, 2), last + 1):
        sums = np.cumsum(fft.fftshift(fft.ifft(spectrum**n).real))
        found += float(np.interp(time - n * (mean - shift), offsets + 0.5 * step, sums))
    return found


def _on_lattices(law: Lifetime, time: float) -> float:
    coarse, middle, fine = (_on_lattice(law, time, _POINTS * factor) for factor in (1, 2, 4))
    first, second = middle - coarse, fine - middle
    if second == 0.0 or not 1.5 <= first / second <= 8.0:
        return fine
    return fine + second / (first / second - 1.0)


def _on_lattice(law: Lifetime, time: float, points: int) -> float:
    masses = _masses(law, time / points, points)
    more = _quotient(masses) - masses  # all renewals but the first, of which the cdf is known
    # What goes to the last point lies before it as often as behind it.
    first, later = float(law.cdf(time)), float(more[:-1].sum() + 0.5 * more[-1])
    # Of rare failures the later ones are below the rounding of the series.
    return first + min(max(later, 0.0), first * first / (1.0 - first) if first < 1.0 else np.inf)


def _masses(law: Lifetime, step: float, points: int) -> FloatArray:
    """Return what each multiple of `step` up to `points` has of an uptime, whose mean it keeps."""
    at = step * np.arange(points + 2)
    moment = law.partial_moment(at)
    if float(law.cdf(at[-1])) < 0.5:
        below = np.diff(at * law.cdf(at) - moment) / step  # the mean of the cdf between two points
        return np.diff(below, prepend=0.0)
    # Of common failures nearly all have happened: what is left has the digits.
    above = np.diff(at * law.sf(at) + moment) / step
    return -np.diff(above, prepend=1.0)


def _quotient(masses: FloatArray) -> FloatArray:
    """Return the power series A/(1 - A) of the series of `masses`."""
    size = masses.size
    rest = -masses
    rest[0] += 1.0
    inverse = np.array([1.0 / rest[0]])
    while inverse.size < size:
        more = min(2 * inverse.size, size)
        wrong = -_convolved(rest[:more], inverse, more)
        wrong[0] += 1.0
        step = _convolved(inverse, wrong, more)
        inverse = np.append(inverse, np.zeros(more - inverse.size)) + step
    inverse[0] -= 1.0
    return inverse


def _convolved(one: FloatArray, other: FloatArray, size: int) -> FloatArray:
    """Return the first terms of a convolution; scipy.signal has it, and takes a second to load."""
    length = fft.next_fast_len(one.size + other.size - 1, real=True)
    whole = fft.irfft(fft.rfft(one, length) * fft.rfft(other, length), length)
    return np.asarray(whole[:size])
