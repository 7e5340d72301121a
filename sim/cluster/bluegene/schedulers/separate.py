"""A drain of its own for each job that cannot start; `choose` is the twin of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ....records import BoolArray, FloatArray, IntArray
from ..kernels.neighbours import Walk
from ..machine import size_classes
from ..partitions import PartitionTable
from .scene import Chooser, Scene


@dataclass(frozen=True, slots=True)
class SeparateDrains:
    """Each job that cannot start drains a partition of its own; drains end the backfilling.

    No released version does this. Those down to the fall-back score of the top job are tried; a
    drain withholds all that conflicts with its partition; a job is backfilled where it ends before
    the drains that its partition is part of.
    """

    name: ClassVar[str] = "separate-drains"

    def seen(self, table: PartitionTable) -> PartitionTable:
        """Return the table as it is."""
        return table

    def chooser(self, table: PartitionTable) -> Chooser:
        """Return what decides on this machine."""
        return _Separate(table)


class Choice(NamedTuple):
    """Which waiting job starts next, its possible partitions, and whether it is backfilled."""

    waiting: int
    candidates: IntArray
    backfilled: bool


def choose(
    order: IntArray,
    *,
    eligible: int,
    size_class: IntArray,
    planned: FloatArray,
    members: list[IntArray],
    idle: BoolArray,
    free_at: FloatArray,
    conflicts: BoolArray,
    now: float,
) -> Choice | None:
    """Return the next job to start, or None.

    Parameters
    ----------
    order : ndarray of int64, shape (Q,)
        Waiting jobs by decreasing score.
    eligible : int
        How many of them, from the front, may be tried before backfilling.
    size_class : ndarray of int64, shape (Q,)
        Which partition size each waiting job needs.
    planned : ndarray, shape (Q,), [s]
        Wall time each waiting job asks for.
    members : list of ndarray of int64
        The partitions of each size class, by name.
    idle : ndarray of bool, shape (P,)
        Partitions on which a job could start now.
    free_at : ndarray, shape (P,), [s]
        When each partition is expected to be free.
    conflicts : ndarray of bool, shape (P, P)
        Which pairs cannot run together.
    now : float, [s]
        The current time.

    Returns
    -------
    Choice or None
        Index of the waiting job, the partitions it could take in order of name, and whether it
        passed another one; None if nothing can start.
    """
    drained_at = np.full(idle.size, np.inf)
    for waiting in order[:eligible]:
        fitting = members[size_class[waiting]]
        offered = fitting[drained_at[fitting] == np.inf]
        candidates = offered[idle[offered]]
        if candidates.size:
            return Choice(int(waiting), candidates, backfilled=False)
        if offered.size:
            drain = offered[np.argmin(free_at[offered])]
            blocked = conflicts[drain]
            drained_at[blocked] = np.minimum(drained_at[blocked], free_at[drain])
    for waiting in order:
        fitting = members[size_class[waiting]]
        in_time = now + planned[waiting] <= drained_at[fitting]
        candidates = fitting[idle[fitting] & in_time]
        if candidates.size:
            return Choice(int(waiting), candidates, backfilled=True)
    return None


class _Separate:
    def __init__(self, table: PartitionTable) -> None:
        self._walk = Walk(size_classes(table)[1], table.conflicts)

    def choose(self, scene: Scene) -> tuple[int, IntArray] | None:
        return self._walk.choose(
            scene.order,
            eligible=scene.eligible,
            size_class=scene.size_class,
            planned=scene.planned,
            idle=scene.idle,
            free_at=scene.free_at,
            now=scene.now,
        )
