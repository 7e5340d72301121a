"""A long training run as a user describes it."""

from __future__ import annotations

from dataclasses import dataclass

from .job import JobRequest

__all__ = ["GoodputRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodputRequest(JobRequest):
    """A run; durations in [s].

    `recovery_cost` is to read a snapshot back, `downtime` to place the run on its nodes. `interval`
    None means the best one. Snapshots are durable `latency` after their copy. `snapshot_cost` asks
    what copies of that length would bring; `memory_cost` what copies in memory would, which a share
    `survived` of the failures leaves intact.
    """

    interval: float | None = None
    latency: float = 0.0
    warm_up: float = 0.0
    detection: float = 0.0
    queue: float = 0.0
    tokens_per_step: float | None = None
    snapshot_cost: float | None = None
    memory_cost: float | None = None
    memory_recovery: float = 0.0
    survived: float = 0.9
