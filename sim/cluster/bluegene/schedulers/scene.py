"""What a scheduler of a Blue Gene sees, and what it answers."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from ....records import BoolArray, FloatArray, IntArray
from ..partitions import PartitionTable


class Scene(NamedTuple):
    """What a scheduler sees when the job with the top score cannot start.

    Parameters
    ----------
    order : ndarray of int64, shape (Q,)
        Waiting jobs by decreasing score.
    tried : int
        How many of them, from the front, may be tried before backfilling: those of one band.
    scores : ndarray, shape (Q,), [-]
        Of each waiting job.
    threshold : float, [-]
        The fall-back threshold; 0 means every job.
    eligible : int
        How many of `order`, from the front, reach the fall-back score of the first.
    size_class : ndarray of int64, shape (Q,)
        Which partition size each waiting job needs.
    planned : ndarray, shape (Q,), [s]
        Wall time each waiting job asks for.
    idle : ndarray of bool, shape (P,)
        Partitions on which a job could start now.
    free_at : ndarray, shape (P,), [s]
        When each partition is expected to be free.
    ends : ndarray, shape (R,), [s]
        Planned ends of the running jobs.
    now : float, [s]
        The current time.
    """

    order: IntArray
    tried: int
    scores: FloatArray
    threshold: float
    eligible: int
    size_class: IntArray
    planned: FloatArray
    idle: BoolArray
    free_at: FloatArray
    ends: FloatArray
    now: float


class Chooser(Protocol):
    """A scheduler at work on one machine."""

    def choose(self, scene: Scene) -> tuple[int, IntArray] | None:
        """Return the waiting job that starts and the partitions it could take, or None."""


@runtime_checkable
class Scheduler(Protocol):
    """A description of who starts next."""

    @property
    def name(self) -> str:
        """As on the command line."""

    def seen(self, table: PartitionTable) -> PartitionTable:
        """Return the table with the parents that this version counts."""

    def chooser(self, table: PartitionTable) -> Chooser:
        """Return what decides on this machine."""
