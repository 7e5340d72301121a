"""The search of `placing`, compiled: exchanges of pieces until what is wanted is met."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..._compiled import compiled
from ..described.jobs import FloatArray, IntArray
from .condition import Limits

_FARTHER = 0.05
_REDRAWS = 10  # before a piece may stand beside itself, where a log has no other
_ROUNDING = 1e-9


class Source(NamedTuple):
    """The pieces of a log, what each of its jobs adds to the sums, and where pieces may go.

    Pieces, lengths and shifts as in `Pieces` and `Blocks`; a block stands in for those `period`
    away, and of 0 `shifts` none is drawn.
    """

    rows: IntArray
    first: IntArray
    opens: IntArray
    local: FloatArray
    columns: FloatArray
    length: float
    cycle: float
    until: float
    number: int
    period: int
    shifts: int


class Slots(NamedTuple):
    """What stands in each slot, the slots of each piece as chains, and sums.

    Parameters
    ----------
    spots : ndarray
        Piece, shift in cycles and block, a row each; the last row is that of a piece to come.
    extra : ndarray
        Whether it is one more user.
    sums : ndarray
        Over the jobs of each; in the last three rows those of a piece to come, of all after an
        exchange, and of all.
    head, after : ndarray
        The first slot of each piece, and after each slot the next of its piece; -1 for none.
    """

    spots: IntArray
    extra: npt.NDArray[np.bool_]
    sums: FloatArray
    head: IntArray
    after: IntArray


# Loops in place of expressions of arrays: these take seconds to compile.
@compiled()
def walk(
    rng: np.random.Generator, source: Source, limits: Limits, slots: Slots, count: int, tries: int
) -> tuple[int, int, bool]:
    """Add, remove or replace pieces; return how many stand, what tries are left, if all is met.

    Ends with tries left where all is met, or all slots are full.
    """
    spots, sums, extra = slots.spots, slots.sums, slots.extra
    new, room, width = spots[-1], extra.size, sums.shape[1]
    more, trial, total = sums[room], sums[room + 1], sums[room + 2]
    distance, met = _distance(limits, total)
    while tries > 0 and not met and count < room:
        tries -= 1
        out, comes = -1, True
        move = rng.random()
        if count > 0 and move >= 0.25:
            out = _between(rng, 0, count)
            comes = move < 0.75
        if comes:
            _any(rng, source, slots, new)
            _sum(source, new, more)
        for each in range(width):
            trial[each] = total[each]
            if out >= 0:
                trial[each] -= sums[out, each]
            if comes:
                trial[each] += more[each]
        nearer, meets = _distance(limits, trial)
        # A little farther is taken too, or the search would end where no single exchange helps.
        if not nearer < distance * (1.0 + rng.exponential(_FARTHER)):
            continue
        distance, met = nearer, meets
        if out >= 0:
            count -= 1
            _leave(slots, out, count)
        if comes:
            _put(slots, room, count)
            extra[count] = True
            count += 1
        for each in range(width):
            total[each] = trial[each]
    return count, tries, met


@compiled(_nrt=False)
def sum_up(source: Source, slots: Slots, count: int) -> None:
    """Sum up what stands in the first slots, one by one and together."""
    total = slots.sums[-1]
    for slot in range(count):
        _sum(source, slots.spots[slot], slots.sums[slot])
        _enter(slots, slot)
        for each in range(total.size):
            total[each] += slots.sums[slot, each]


@compiled(inner=True)
def _any(rng: np.random.Generator, source: Source, slots: Slots, new: IntArray) -> None:
    """Draw one more piece where it does not stand already, unless no such place is found."""
    opens, period, spots = source.opens, source.period, slots.spots
    for _ in range(_REDRAWS):
        like, pieces = 0, 0
        while pieces == 0:  # a day on which nobody came may stand for others like it
            new[2] = _between(rng, 0, source.number)
            like = new[2] % period
            like += period * _between(rng, 0, (opens.size - 2 - like) // period + 1)
            pieces = opens[like + 1] - opens[like]
        new[0] = _between(rng, opens[like], opens[like + 1])
        new[1] = _between(rng, 0, source.shifts) if source.shifts > 0 else 0
        same = slots.head[new[0]]
        while same >= 0 and (spots[same, 1] != new[1] or spots[same, 2] != new[2]):
            same = slots.after[same]
        if same < 0:
            return


@compiled(inner=True)
def _between(rng: np.random.Generator, low: int, high: int) -> int:
    """Draw a number of [low, high); compiled once, which takes a second."""
    return int(rng.integers(low, high))


@compiled(_nrt=False, inner=True)
def _sum(source: Source, spot: IntArray, sums: FloatArray) -> None:
    """Sum up the jobs of a piece that are submitted in time."""
    for each in range(sums.size):
        sums[each] = 0.0
    base, shift = spot[2] * source.length, spot[1] * source.cycle
    for at in range(source.first[spot[0]], source.first[spot[0] + 1]):
        row = source.rows[at]
        if base + (source.local[row] + shift) % source.length < source.until:
            for each in range(sums.size):
                sums[each] += source.columns[row, each]


@compiled(_nrt=False, inner=True)
def _distance(limits: Limits, sums: FloatArray) -> tuple[float, bool]:
    """Return a distance to all that is wanted, and whether each of it is met."""
    jobs = max(sums[0], 1.0)
    distance, met = 0.0, True
    for each in range(limits.values.size):
        found = sums[1 + each] if limits.is_sum[each] else sums[1 + each] / jobs
        off = abs(found - limits.values[each]) / limits.within[each]
        distance += off * off
        met = met and off <= 1.0 + _ROUNDING
    return distance, met


@compiled(_nrt=False, inner=True)
def _enter(slots: Slots, slot: int) -> None:
    """Put a slot before the others of its piece."""
    piece = slots.spots[slot, 0]
    slots.after[slot] = slots.head[piece]
    slots.head[piece] = slot


@compiled(_nrt=False, inner=True)
def _put(slots: Slots, source: int, slot: int) -> None:
    """Let a slot have what another row says."""
    for each in range(3):
        slots.spots[slot, each] = slots.spots[source, each]
    for each in range(slots.sums.shape[1]):
        slots.sums[slot, each] = slots.sums[source, each]
    _enter(slots, slot)


@compiled(_nrt=False, inner=True)
def _leave(slots: Slots, out: int, last: int) -> None:
    """Empty a slot, and put what stands in the last one there."""
    _unlink(slots, out)
    if out != last:
        _unlink(slots, last)
        slots.extra[out] = slots.extra[last]
        _put(slots, last, out)


@compiled(_nrt=False, inner=True)
def _unlink(slots: Slots, slot: int) -> None:
    piece = slots.spots[slot, 0]
    if slots.head[piece] == slot:
        slots.head[piece] = slots.after[slot]
        return
    before = slots.head[piece]
    while slots.after[before] != slot:
        before = slots.after[before]
    slots.after[before] = slots.after[slot]
