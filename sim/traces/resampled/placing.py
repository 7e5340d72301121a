"""Pieces in time: drawn at random, then exchanged one by one until what is wanted is met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..described.jobs import FloatArray, IntArray
from ..described.measures import DAY
from .condition import Wanted
from .pieces import By, Pieces

__all__ = ["Placed", "draw", "exchange"]

_FARTHER = 0.05


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece, moved by `shift` [s] around its block, in a block that begins at `base` [s].

    `extra` is whether it is one more user, who is none of those around.
    """

    piece: int
    shift: float
    base: float
    extra: bool

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

    def source(self, rng: np.random.Generator, block: int) -> int:
        """Draw the block of the log that stands in for a block."""
        pieces = self.pieces
        period = round(pieces.cycle / DAY) if self.by == "day" else 1
        if period > pieces.blocks:
            period = 1
        return int(rng.choice(np.arange(block % period, pieces.blocks, period)))

    def shift(self, rng: np.random.Generator) -> float:
        """Draw by how much a user is moved: whole cycles, so that hour and weekday stay."""
        pieces = self.pieces
        if self.by != "user":
            return 0.0
        return pieces.cycle * float(rng.integers(round(pieces.length / pieces.cycle)))

    def any(self, rng: np.random.Generator) -> Placed:
        """Draw one more piece anywhere."""
        opens = self.pieces.opens
        while True:  # a day on which nobody came has no piece, and may stand for others like it
            block = int(rng.integers(self.number))
            source = self.source(rng, block)
            if opens[source] < opens[source + 1]:
                break
        piece = int(rng.integers(opens[source], opens[source + 1]))
        return Placed(piece, self.shift(rng), block * self.pieces.length, extra=True)

    def sums(self, placed: Placed, wanted: Wanted) -> FloatArray:
        """Return the sums over the jobs of a piece that are submitted in time."""
        rows = self.pieces.of(placed.piece)[placed.times(self.pieces) < self.until]
        return np.asarray(wanted.columns[rows].sum(axis=0))


def draw(
    rng: np.random.Generator, pieces: Pieces, by: By, *, until: float, more: float
) -> tuple[Blocks, list[Placed]]:
    """Draw pieces for every block, `more` times as many as the log has."""
    blocks = Blocks(pieces, by, until)
    found: list[Placed] = []
    for block in range(blocks.number):
        base = block * pieces.length
        whole, part = int(more // 1.0), more % 1.0
        for round_ in range(whole + 1):
            source = blocks.source(rng, block)
            drawn = np.arange(pieces.opens[source], pieces.opens[source + 1])
            if round_ == whole:
                drawn = _some(rng, drawn, part)
            found.extend(
                Placed(int(piece), blocks.shift(rng), base, extra=by == "user" or round_ > 0)
                for piece in drawn
            )
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
    sums = [blocks.sums(each, wanted) for each in placed]
    total = np.sum(sums, axis=0) if sums else np.zeros(wanted.columns.shape[1])
    placed, distance = list(placed), wanted.distance(total)
    for _ in range(tries):
        if distance[1]:
            return placed
        move = rng.random()
        out = int(rng.integers(len(placed))) if placed and move >= 0.25 else None
        new = None if move >= 0.75 and out is not None else blocks.any(rng)
        trial = total.copy()
        if out is not None:
            trial = trial - sums[out]
        if new is not None:
            more = blocks.sums(new, wanted)
            trial = trial + more
        nearer = wanted.distance(trial)
        # A little farther is taken too, or the search would end where no single exchange helps.
        if not nearer[0] < distance[0] * (1.0 + rng.exponential(_FARTHER)):
            continue
        total, distance = trial, nearer
        if out is not None:
            placed[out], sums[out] = placed[-1], sums[-1]
            placed.pop()
            sums.pop()
        if new is not None:
            placed.append(new)
            sums.append(more)
    if distance[1]:
        return placed
    raise ValueError(
        f"load and like must be within reach of the log's own pieces, got {wanted.words(total)} "
        f"after {tries:,} exchanges"
    )
