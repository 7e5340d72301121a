"""The law of the time that failures cost, by their number, on a lattice of times.

The mass of a law between two points of the lattice goes to these two so that it keeps its mean,
and a sum of independent times then keeps its mean as well. On the lattice the renewal equations
are solved without error but for rounding: by transforms in time, and in the number of segments
that are left, in which they are convolutions. Masses are damped first, so that what lies beyond
the last point does not come back at the first. Nothing is needed beyond the end of a lattice, as
times only add up: a short one is as right as a long one. What the lattice costs falls as the
square of its step.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.fft import next_fast_len

from .._checks import ComplexArray, FloatArray
from ..lifetimes import Lifetime
from ._cells import has_density
from .makespan import Scalars

_DAMPING = 20.0  # nats over twice the lattice, or the segments: what comes back is 2e-9 of it
_BLOCK = 2**13  # numbers that are transformed at once: they stay in a cache
_NOTHING = 1e-10  # probability of a cell that is left out
_SINGULAR = 1e3  # ages over the step, before which a density may be steep
_DIGITS = 1e6  # ages over the step, beyond which differences of partial moments have too few


@dataclass(frozen=True, slots=True)
class Masses:
    """Masses of what one uptime loses, by the cell in which it ends, and of the rest of a failure.

    Parameters
    ----------
    first, later, ends : ndarray, [-]
        Of the first uptime, and of later ones in segments that are not the last, and in the last;
        shape (count, points).
    survives : ndarray, [-]
        Probability that a later uptime finishes all, by the segments left, less one.
    beside : tuple of ndarray, [-]
        Of what all failures cost once, and each of them beside.
    """

    first: FloatArray
    later: FloatArray
    ends: FloatArray
    survives: FloatArray
    beside: tuple[FloatArray, FloatArray]

    @classmethod
    def of(
        cls,
        law: Lifetime,
        job: Scalars,
        step: float,
        points: int,
        *,
        beside: tuple[FloatArray, FloatArray],
        alone: bool = False,
    ) -> Masses:
        """Return those of a job on a lattice, or of one that fails once, as of a single segment."""
        saved = np.asarray(job.period * np.arange(float(job.count)))[:, None]

        def rows(recovery: float, lengths: FloatArray) -> FloatArray:
            # What is read back is lost time of the cell in which nothing is saved.
            low = saved + np.where(saved > 0.0, recovery, 0.0)
            high = saved + recovery + lengths[:, None]
            return hats(law, saved, (low, high), step=step, points=points)

        periods, lasts = (np.full(job.count, one) for one in (job.period, job.last))
        own = np.append(periods[1:], job.last)
        first = rows(0.0, own)
        survives = np.asarray(law.sf(job.recovery + saved[:, 0] + job.last))
        if alone:
            first = (survives[::-1] @ first)[None]
            return cls(first, 0.0 * first, 0.0 * first, np.ones(1), beside)
        later = rows(job.recovery, periods)
        ends = later if job.last == job.period else rows(job.recovery, lasts)
        return cls(first, later, ends, survives, beside)

    def coarser(self) -> Masses:
        """Return those on every second point."""
        later, ends = coarser(self.later), self.ends
        ends = later if ends is self.later else coarser(ends)
        once, every = self.beside
        return Masses(
            coarser(self.first), later, ends, self.survives, (coarser(once), coarser(every))
        )

    def by_failures(self, points: int, most: int, *, after: int = 0) -> FloatArray:
        """Return the masses of what more than `after` failures cost, up to `most`, and any more.

        Shape (most - after + 1, points).
        """
        decay = np.exp(-0.5 * _DAMPING / points * np.arange(points))
        found = np.empty((most - after + 1, points + 1), dtype=np.complex128)
        once, every = (_transformed(one, decay, points) for one in self.beside)
        first, later = (
            _transformed(one, decay, points) * every for one in (self.first, self.later)
        )
        alike = self.ends is self.later
        ends = later if alike else _transformed(self.ends, decay, points) * every
        for part in _blocks(points + 1, 2 * self.survives.size):
            costs = first[:, part], later[:, part], ends[:, part]
            for number, one in enumerate(_in_turn(*costs, self.survives, most, after=after)):
                found[number, part] = one
        return np.asarray(np.fft.irfft(found * once, 2 * points)[:, :points] / decay)


def _blocks(size: int, length: int) -> Iterator[slice]:
    width = max(1, _BLOCK // length)
    return (slice(begin, begin + width) for begin in range(0, size, width))


def _in_turn(
    first: ComplexArray,
    later: ComplexArray,
    ends: ComplexArray,
    survives: FloatArray,
    most: int,
    *,
    after: int,
) -> Iterator[ComplexArray]:
    """Yield the transforms of what after + 1 to `most` failures cost, and of what any more cost.

    The power of a second variable tells the segments left. All but the last segment are alike:
    a failure multiplies by one function of that variable, and only the last one is kept apart.
    """
    count = survives.size
    size = next_fast_len(2 * count)
    shrink = np.exp(-_DAMPING / size * np.arange(count + 1.0))[:, None]
    back = np.exp(2j * np.pi * count / size * np.arange(size))[:, None] / (size * shrink[-1, 0])

    def of_left(rows: ComplexArray, begin: int) -> ComplexArray:
        shifted = np.zeros((count + 1, rows.shape[1]), dtype=np.complex128)
        shifted[begin : begin + rows.shape[0]] = rows
        return np.asarray(np.fft.fft(shifted * shrink, size, axis=0))

    whole, again = survives[0] + 0.0 * first[0], ends[0]
    if count == 1:
        whole *= again**after
        for _ in range(most - after):
            yield first[0] * whole
            whole = again * whole
        yield first[0] * whole / (1.0 - again)
        return
    if not later[1:].any() and not ends[1:].any():  # nothing is saved after a failure
        alike = survives[:0:-1] @ first[:-1] * later[0] ** after
        whole *= again**after
        for _ in range(most - after):
            yield alike + first[-1] * whole
            alike, whole = alike * later[0], whole * again
        yield alike / (1.0 - later[0]) + first[-1] * whole / (1.0 - again)
        return
    start = of_left(first[:-1], 0) * back
    passed, into = of_left(later[:-1], 0), of_left(ends[1:], 2)
    left = np.empty_like(passed)
    left[:] = of_left(np.asarray(survives[1:, None], dtype=np.complex128), 2)
    more = np.empty_like(left)  # arrays that are made anew at each failure cost more than sums
    if after:
        power, mixed = _mixed(passed, again, after)
        left = left * power + into * (mixed * whole)
        whole = whole * again**after
    for _ in range(most - after):
        yield np.einsum("ij,ij->j", start, left) + first[-1] * whole
        left *= passed
        left += np.multiply(into, whole, out=more)
        whole = again * whole
    whole = whole / (1.0 - again)
    left += np.multiply(into, whole, out=more)
    left /= np.subtract(1.0, passed, out=more)
    yield np.einsum("ij,ij->j", start, left) + first[-1] * whole


def _mixed(one: ComplexArray, other: ComplexArray, n: int) -> tuple[ComplexArray, ComplexArray]:
    """Return one^n, and the sum of one^(n - 1 - k) other^k from k = 0 to n - 1, by doubling."""
    power, mixed, theirs = one.copy(), np.ones_like(one), other.copy()
    for bit in f"{n:b}"[1:]:
        mixed *= power + theirs
        power *= power
        theirs *= theirs
        if bit == "1":
            mixed *= one
            mixed += theirs
            power *= one
            theirs *= other
    return power, mixed


def _transformed(masses: FloatArray, decay: FloatArray, points: int) -> ComplexArray:
    kept = masses[..., :points]
    return np.asarray(np.fft.rfft(kept * decay[: kept.shape[-1]], 2 * points))


def hats(
    law: Lifetime,
    saved: FloatArray,
    ends: tuple[FloatArray, FloatArray],
    *,
    step: float,
    points: int,
) -> FloatArray:
    """Return the masses of X - saved for X between two ends, the upper one included.

    Shape (rows, points), or fewer where there is nothing.
    """
    low, high = ends
    width = min(points, math.ceil(min(float(np.max(high - saved)) / step, points)) + 2)
    base = np.where(saved > 0.0, law.cdf(low), 0.0)  # an uptime of 0 is in the first cell
    whole = law.cdf(np.minimum(high, saved + step * points)) - base
    live = (whole[:, 0] > _NOTHING) & (low[:, 0] < saved[:, 0] + step * points)
    found = np.zeros((saved.shape[0], width))
    if live.any():
        rows = (one[live] for one in (saved, low, high, base))
        found[live] = _hats(law, *rows, step=step, width=width)
    return found


def _hats(
    law: Lifetime,
    saved: FloatArray,
    low: FloatArray,
    high: FloatArray,
    base: FloatArray,
    *,
    step: float,
    width: int,
) -> FloatArray:
    at = saved + step * np.arange(width + 1)
    inside = np.clip(at, low, high)
    above = law.cdf(inside) - base
    far = (saved[:, 0] > _DIGITS * step) & has_density(law)
    area = np.empty((saved.shape[0], width))
    if far.any():
        # By Simpson's rule: the law is smooth within so short a step.
        middle = law.cdf(0.5 * (inside[far, 1:] + inside[far, :-1])) - base[far]
        sides = above[far, 1:] + above[far, :-1]
        area[far] = np.diff(inside[far], axis=1) * (sides + 4.0 * middle) / 6.0
    if not far.all():
        x = inside[~far]
        area[~far] = np.diff(x * above[~far] - law.partial_moment(x), axis=1)
    # Beyond the end of the cell nothing is added: its integral goes on as a straight line.
    over = np.diff(np.maximum(at - inside, 0.0), axis=1)
    slope = (area + over * (law.cdf(high) - base)) / step
    masses = np.diff(slope, axis=1, prepend=0.0)
    # Two points add (X - a)(b - X) to the square; of an even density a sixth of the step squared.
    spread = np.diff(above, axis=1) / 6.0
    near = saved[:, 0] < _SINGULAR * step if has_density(law) else np.ones(saved.shape[0], np.bool_)
    if near.any():
        x, low_, high_ = inside[near], at[near, :-1], at[near, 1:]
        first, second = (np.diff(law.partial_moment(x, order), axis=1) for order in (1, 2))
        square = (low_ + high_) * first - second - low_ * high_ * np.diff(above[near], axis=1)
        spread[near] = np.clip(square / step**2, 0.0, 0.25 * np.abs(np.diff(above[near], axis=1)))
    return np.asarray(masses + _narrowed(spread, width))


def _narrowed(spread: FloatArray, width: int) -> FloatArray:
    """Return masses that take off a square of `spread` steps from between any two points."""
    count = spread.shape[-1]
    found = np.zeros((*spread.shape[:-1], max(width, count + 2)))
    if not count:
        return found
    inner = 0.25 * spread[..., 1:]
    for place, sign in ((0, -1.0), (1, 1.0), (2, 1.0), (3, -1.0)):
        found[..., place : place + count - 1] += sign * inner
    for place, weight in ((0, -0.5), (1, 1.0), (2, -0.5)):
        found[..., place] += weight * spread[..., 0]
    return np.asarray(found[..., :width])


def above(law: Lifetime, begin: float, *, step: float, points: int) -> FloatArray:
    """Return the masses of what a time exceeds a shorter one by."""
    low = np.full((1, 1), begin)
    return np.asarray(hats(law, low, (low, np.full((1, 1), np.inf)), step=step, points=points)[0])


def coarser(masses: FloatArray) -> FloatArray:
    """Return masses on every second point, which keep mass, mean and square."""
    odd = masses[..., 1::2]
    count = odd.shape[-1]
    found = np.zeros((*masses.shape[:-1], count + 3))
    found[..., : (masses.shape[-1] + 1) // 2] = masses[..., ::2]
    found[..., :count] += 0.5 * odd
    found[..., 1 : count + 1] += 0.5 * odd
    return np.asarray(found + _narrowed(0.25 * odd, count + 3))
