"""Pieces in time: drawn at random, then exchanged one by one until what is wanted is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..described.jobs import FloatArray, IntArray
from ..described.measures import DAY
from .condition import Wanted
from .pieces import By, Pieces

__all__ = ["Placed", "draw", "exchange"]

Spot: TypeAlias = tuple[int, float, float]
_FARTHER = 0.05
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

    def source(self, rng: np.random.Generator, block: int, used: Sequence[int] = ()) -> int:
        """Draw the block of the log that stands in for a block, not one of those that do already.

        Where all do, each may once more.
        """
        pieces = self.pieces
        period = round(pieces.cycle / DAY) if self.by == "day" else 1
        if period > pieces.blocks:
            period = 1
        options = range(block % period, pieces.blocks, period)
        stand = set(used[len(used) // len(options) * len(options) :])
        left = [each for each in options if each not in stand] if stand else options
        return left[int(rng.integers(len(left)))]

    def shift(self, rng: np.random.Generator) -> float:
        """Draw by how much a user is moved: whole cycles, so that hour and weekday stay."""
        pieces = self.pieces
        if self.by != "user":
            return 0.0
        return pieces.cycle * float(rng.integers(round(pieces.length / pieces.cycle)))

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

    def any(self, rng: np.random.Generator, taken: Container[Spot]) -> Placed:
        """Draw one more piece where it does not stand already, unless no such place is found."""
        for _ in range(_REDRAWS):
            found = self._anywhere(rng)
            if found.spot not in taken:
                break
        return found

    def _anywhere(self, rng: np.random.Generator) -> Placed:
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
    sums = [blocks.sums(each, wanted) for each in placed]
    taken = Counter(each.spot for each in placed)
    total = np.sum(sums, axis=0) if sums else np.zeros(wanted.columns.shape[1])
    placed, distance = list(placed), wanted.distance(total)
    for _ in range(tries):
        if distance[1]:
            return placed
        move = rng.random()
        out = int(rng.integers(len(placed))) if placed and move >= 0.25 else None
        new = None if move >= 0.75 and out is not None else blocks.any(rng, taken)
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
            _leave(taken, placed[out].spot)
            placed[out], sums[out] = placed[-1], sums[-1]
            placed.pop()
            sums.pop()
        if new is not None:
            taken[new.spot] += 1
            placed.append(new)
            sums.append(more)
    if distance[1]:
        return placed
    raise ValueError(
        f"load and like must be within reach of the log's own pieces, got {wanted.words(total)} "
        f"after {tries:,} exchanges"
    )


def _leave(taken: Counter[Spot], spot: Spot) -> None:
    taken[spot] -= 1
    if not taken[spot]:
        del taken[spot]
