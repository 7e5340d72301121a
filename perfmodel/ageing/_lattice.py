"""The law of the time that failures cost, by renewal equations on a lattice of times.

The mass of a law between two points of the lattice goes to these two so that it keeps its mean,
and a sum of independent times then keeps its mean as well. On the lattice the renewal equations
are solved without error but for rounding: each becomes a division of transforms, at as many
frequencies as there are points. The masses are damped first, so that what lies beyond the last
point does not come back at the first. What the lattice costs falls as the square of its step;
two lattices give the limit, and their difference the error.
"""

from __future__ import annotations

import numpy as np

from .._checks import ComplexArray, FloatArray
from ..lifetimes import AbstractLifetime
from .makespan import Scalars

__all__ = ["lost_masses"]

_DAMPING = 14.0  # nats over the lattice: what comes back is 1e-6 of the little beyond its end


def lost_masses(
    law: AbstractLifetime, downtime: AbstractLifetime, job: Scalars, step: float, points: int
) -> FloatArray:
    """Return the masses of the time lost at each of `points` multiples of `step`.

    The mass at 0 leaves out the chance that nothing fails, which is an atom.
    """
    decay = np.exp(-_DAMPING / points * np.arange(points))

    def transform(masses: FloatArray) -> ComplexArray:
        kept = masses[:points]
        return np.asarray(np.fft.rfft(kept * decay[: kept.size], points))

    def cell(recovery: float, number: int, length: float) -> ComplexArray:
        """Return the transform of what is lost if an uptime ends in a cell."""
        saved = number * job.period
        low = saved + (recovery if number else 0.0)
        ends = (low, saved + recovery + length)
        return transform(_cell(law, saved, ends, step=step, points=points))

    down = transform(_whole(downtime, step, points))
    count, period, last, recovery = job.count, job.period, job.last, job.recovery
    same = last == period
    full = [down * cell(recovery, i, period) for i in range(count if same else count - 1)]
    ends = full if same else [down * cell(recovery, i, last) for i in range(count)]
    survives = law.sf(recovery + period * np.arange(count) + last)
    after = [np.empty(0, dtype=np.complex128)]  # by segments that are left
    for left in range(1, count + 1):
        sum_ = survives[left - 1] + np.zeros(down.size, dtype=np.complex128)
        for done in range(1, left):
            sum_ += (ends if done == left - 1 else full)[done] * after[left - done]
        after.append(sum_ / (1.0 - (ends if left == 1 else full)[0]))
    back = transform(_point(recovery, step))
    total = np.zeros(down.size, dtype=np.complex128)
    for done in range(count):
        own = last if done == count - 1 else period
        total += cell(0.0, done, own) * after[count - done]
    masses = np.fft.irfft(total * down * back)  # `points` is even
    return np.asarray(masses / decay)


def _cell(
    law: AbstractLifetime, saved: float, ends: tuple[float, float], *, step: float, points: int
) -> FloatArray:
    """Return the masses of X - saved for X between two ends, the upper one included."""
    low, high = ends
    first, last = int((low - saved) / step), int(np.ceil((high - saved) / step)) + 1
    first, last = min(first, points), min(last, points)
    at = np.clip(saved + step * np.arange(first, last + 1), low, high)

    def below(t: FloatArray) -> FloatArray:
        """Return the integral of the cdf up to t."""
        return np.asarray(t * law.cdf(t) - law.partial_moment(t))

    base = float(law.cdf(low)) if saved > 0.0 else 0.0  # an uptime of 0 is in the first cell
    area = below(at) - base * at
    # Beyond the end of the cell nothing is added: its integral goes on as a straight line.
    over = saved + step * np.arange(first, last + 1) - at
    area += np.maximum(over, 0.0) * (float(law.cdf(high)) - base)
    return np.concatenate([np.zeros(first), _hats(area, step)])


def _whole(law: AbstractLifetime, step: float, points: int) -> FloatArray:
    at = step * np.arange(points + 1)
    return _hats(at * law.cdf(at) - law.partial_moment(at), step)


def _point(value: float, step: float) -> FloatArray:
    """Return the masses of a fixed time."""
    place = int(value / step)
    share = value / step - place
    return np.concatenate([np.zeros(place), [1.0 - share, share]])


def _hats(area: FloatArray, step: float) -> FloatArray:
    """Return second differences of the integral of a cdf, which is 0 before the first point."""
    slope = np.diff(area, prepend=area[0]) / step
    return np.asarray(np.diff(slope))
