"""How a job cuts its work into segments: the checked arguments of `checkpointed_job`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .._checks import check_fields, flag, nonnegative, positive

_ROUNDING = 2.0**-48  # of the work: 16 times the spacing of floats


@dataclass(frozen=True, slots=True)
class Plan:
    """The course of a job on which nothing fails.

    Parameters
    ----------
    work, interval : float, [time]
        All compute time, and that of one segment; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        Time to write a checkpoint and to read it back; >= 0.
    final_checkpoint : bool
        Whether the last segment, too, ends with a checkpoint.
    """

    work: float
    interval: float
    checkpoint_cost: float
    recovery_cost: float
    final_checkpoint: bool

    def __post_init__(self) -> None:
        check_fields(self, positive, "work", "interval")
        check_fields(self, nonnegative, "checkpoint_cost", "recovery_cost")
        flag("final_checkpoint", self.final_checkpoint)

    @property
    def segments(self) -> int:
        """Number of segments; a remainder below 2^-48 of the work is rounding, not a segment."""
        return max(1, math.ceil(self.work / self.interval * (1.0 - _ROUNDING)))

    @property
    def last_interval(self) -> float:
        """Compute time of the last segment, [time]."""
        return self.work - (self.segments - 1) * self.interval

    @property
    def period(self) -> float:
        """Compute time and checkpoint of every segment but the last, [time]."""
        return self.interval + self.checkpoint_cost

    @property
    def last_period(self) -> float:
        """Compute time of the last segment and its checkpoint, if it has one, [time]."""
        return self.last_interval + self.last_checkpoint_cost

    @property
    def last_checkpoint_cost(self) -> float:
        """What the last segment pays for its checkpoint, [time]."""
        return self.checkpoint_cost if self.final_checkpoint else 0.0

    @property
    def failure_free(self) -> float:
        """Makespan if nothing fails, [time]; summed without the rounding of each segment."""
        return self.work + ((self.segments - 1) * self.checkpoint_cost + self.last_checkpoint_cost)
