"""A log cut into pieces that are drawn as they are: users, or what each did in a day or a week."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ..described.jobs import FloatArray, IntArray, KnownJobs
from ..described.measures import DAY, THINK_TIME, WEEK

By: TypeAlias = Literal["user", "day", "week"]
_WEEKS = 4  # from so many weeks on a log says how its days of the week differ


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Pieces of blocks of equal length, which stand in for other blocks; users are one block.

    Parameters
    ----------
    jobs : KnownJobs
        Those in whole blocks.
    local : ndarray, [s]
        When a job is submitted, from the beginning of its block.
    rows, first : ndarray
        Jobs piece by piece; those of piece p are ``rows[first[p]:first[p + 1]]``.
    opens : ndarray
        The pieces of block b are those from ``opens[b]`` to ``opens[b + 1]``.
    length : float, [s]
        Of a block.
    cycle : float, [s]
        Users are moved by multiples of it, and days stand in for days so many multiples away.
    """

    jobs: KnownJobs
    local: FloatArray
    rows: IntArray
    first: IntArray
    opens: IntArray
    length: float
    cycle: float

    @property
    def number(self) -> int:
        """How many pieces there are."""
        return self.first.size - 1

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return self.opens.size - 1

    @property
    def span(self) -> float:
        """Time that the blocks cover, [s]."""
        return self.blocks * self.length

    def of(self, piece: int) -> IntArray:
        """Return the jobs of a piece."""
        return self.rows[self.first[piece] : self.first[piece + 1]]


def pieces_of(jobs: KnownJobs, by: By) -> Pieces:
    """Cut a log; what is left after its last whole day or week is left out."""
    age = jobs.submit - jobs.submit[0]
    weekly = bool(age[-1] >= _WEEKS * WEEK)
    cycle = WEEK if weekly or by == "week" else DAY
    unit = DAY if by == "day" else cycle
    number = int(age[-1] // unit)
    if number < 1:
        words = "a week" if unit == WEEK else "a day"
        raise ValueError(f"frame must span {words} or more, got {age[-1] / DAY:.3g} days")
    named = bool((jobs.user != -1).any())
    if by == "user" and not named:
        raise ValueError("frame must name users where by is 'user', got none: take 'day' or 'week'")
    who = jobs.user if named else _bursts(jobs.submit)
    kept = age < number * unit
    jobs, age, who = jobs.take(kept), age[kept], who[kept]
    if by == "user":
        block = np.zeros(age.size, dtype=np.int64)
        local, length, blocks = age, number * unit, 1
    else:
        block = (age // unit).astype(np.int64)
        local, length, blocks = age - block * unit, unit, number
    rows = np.lexsort((np.arange(age.size), who, block))
    begins = np.flatnonzero(
        (np.diff(block[rows], prepend=-1) != 0) | (np.diff(who[rows], prepend=who[rows[0]]) != 0)
    )
    begins = np.union1d([0], begins)
    first = np.append(begins, age.size).astype(np.int64)
    opens = np.searchsorted(block[rows[begins]], np.arange(blocks + 1)).astype(np.int64)
    return Pieces(jobs, local, rows, first, opens, length, cycle)


def _bursts(submit: FloatArray) -> npt.NDArray[np.int64]:
    """Return a number for each burst: what is submitted with at most 20 minutes between."""
    return np.cumsum(np.diff(submit, prepend=submit[0]) > THINK_TIME)
