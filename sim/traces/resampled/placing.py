"""Pieces in time: drawn at random, then exchanged one by one until what is wanted is met."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..described.jobs import FloatArray, IntArray
from ..described.measures import DAY
from .condition import Wanted
from .pieces import By, Pieces

if TYPE_CHECKING:
    from .kernels import Slots

__all__ = ["Placed", "draw", "exchange"]

Spot: TypeAlias = tuple[int, float, float]
_REDRAWS = 10  # before a piece may stand beside itself, where a log has no other


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece, moved by `shift` [s] around its block, in a block that begins at `base` [s].

    `extra` is whether it is one more user, who is none of those around.
    """

    piece: int
    shift: float
    base: float
    extra: bool

    @property
    def spot(self) -> Spot:
        """Which jobs it brings, and when."""
        return self.piece, self.shift, self.base

    def times(self, pieces: Pieces) -> FloatArray:
        """Return when its jobs are submitted, [s]."""
        local = pieces.local[pieces.of(self.piece)]
        return np.asarray(self.base + (local + self.shift) % pieces.length)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Where pieces may go, [s]: blocks from 0 to `until`, the last one cut there."""

    pieces: Pieces
    by: By
    until: float

    @property
    def number(self) -> int:
        """How many blocks."""
        return int(np.ceil(self.until / self.pieces.length))

    @property
    def period(self) -> int:
        """How many blocks are between those that stand in for each other."""
        period = round(self.pieces.cycle / DAY) if self.by == "day" else 1
        return period if period <= self.pieces.blocks else 1

    @property
    def shifts(self) -> int:
        """By how many numbers of cycles a user can be moved; 0 where pieces are not users."""
        return round(self.pieces.length / self.pieces.cycle) if self.by == "user" else 0

    def source(self, rng: np.random.Generator, block: int, used: Sequence[int]) -> int:
        """Draw the block of the log that stands in for a block, not one of those that do already.

        Where all do, each may once more.
        """
        options = range(block % self.period, self.pieces.blocks, self.period)
        stand = set(used[len(used) // len(options) * len(options) :])
        left = [each for each in options if each not in stand] if stand else options
        return left[int(rng.integers(len(left)))]

    def shift(self, rng: np.random.Generator) -> float:
        """Draw by how much a user is moved: whole cycles, so that hour and weekday stay."""
        return self.pieces.cycle * float(rng.integers(self.shifts)) if self.shifts else 0.0

    def moved(
        self,
        rng: np.random.Generator,
        piece: int,
        base: float,
        taken: Container[Spot],
        *,
        extra: bool,
    ) -> Placed:
        """Move a piece to where it does not stand already, unless no such place is found."""
        for _ in range(_REDRAWS):
            found = Placed(piece, self.shift(rng), base, extra)
            if found.spot not in taken:
                break
        return found


def draw(
    rng: np.random.Generator, pieces: Pieces, by: By, *, until: float, more: float
) -> tuple[Blocks, list[Placed]]:
    """Draw pieces for every block, `more` times as many as the log has."""
    blocks = Blocks(pieces, by, until)
    found: list[Placed] = []
    taken: set[Spot] = set()
    for block in range(blocks.number):
        base = block * pieces.length
        whole, part = int(more // 1.0), more % 1.0
        used: list[int] = []
        for round_ in range(whole + 1):
            source = blocks.source(rng, block, used)
            used.append(source)
            drawn = np.arange(pieces.opens[source], pieces.opens[source + 1])
            if round_ == whole:
                drawn = _some(rng, drawn, part)
            extra = by == "user" or round_ > 0
            for piece in drawn.tolist():
                found.append(blocks.moved(rng, piece, base, taken, extra=extra))
                taken.add(found[-1].spot)
    return blocks, found


def _some(rng: np.random.Generator, drawn: IntArray, part: float) -> IntArray:
    """Return this part of them, chosen at random; what a fraction leaves over by chance."""
    number = int(np.floor(part * drawn.size + rng.random()))
    return np.asarray(rng.permutation(drawn)[:number])


def exchange(
    rng: np.random.Generator,
    blocks: Blocks,
    placed: list[Placed],
    wanted: Wanted,
    *,
    tries: int,
) -> list[Placed]:
    """Add, remove or replace single pieces where that comes nearer to what is wanted."""
    from .kernels import Source, sum_up, walk

    pieces = blocks.pieces
    source = Source(
        pieces.rows,
        pieces.first,
        pieces.opens,
        pieces.local,
        wanted.columns,
        pieces.length,
        pieces.cycle,
        blocks.until,
        blocks.number,
        blocks.period,
        blocks.shifts,
    )
    count, met, left = len(placed), False, tries
    while left and not met:
        slots = _slots(placed, pieces, wanted, free=count + 64)
        sum_up(source, slots, count)
        count, left, met = walk(rng, source, wanted.limits, slots, count, left)
        placed = [
            Placed(piece, pieces.cycle * float(shift), block * pieces.length, new)
            for (piece, shift, block), new in zip(
                slots.spots[:count].tolist(), slots.extra[:count].tolist(), strict=True
            )
        ]
    if not met:
        raise ValueError(
            "load and like must be within reach of the log's own pieces, got "
            f"{wanted.words(slots.sums[-1])} after {tries:,} exchanges"
        )
    return placed


def _slots(placed: Sequence[Placed], pieces: Pieces, wanted: Wanted, *, free: int) -> Slots:
    """Return slots in which these stand, and free ones."""
    from .kernels import Slots

    count, size = len(placed), len(placed) + free
    spots, extra = np.zeros((size + 1, 3), np.int64), np.zeros(size, np.bool_)
    for slot, each in enumerate(placed):
        shift, block = round(each.shift / pieces.cycle), round(each.base / pieces.length)
        spots[slot] = each.piece, shift, block
    extra[:count] = [each.extra for each in placed]
    sums = np.zeros((size + 3, wanted.columns.shape[1]))
    return Slots(spots, extra, sums, np.full(pieces.number, -1), np.full(size, -1))
