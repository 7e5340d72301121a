"""A long training run as a user describes it."""

from __future__ import annotations

from dataclasses import dataclass

from asking.kinds import COST, DURATION, FROM_ONE, SHARE
from asking.requests import opt

from .groups import CHANGES, QUESTION
from .job import JobRequest, rate_of_log


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodputRequest(JobRequest):
    """A run; durations in [s].

    `recovery_cost` is to read a snapshot back, `downtime` to place the run on its nodes. `interval`
    None means the best one. Snapshots are durable `latency` after their copy. `snapshot_cost` asks
    what copies of that length would bring; `memory_cost` what copies in memory would, which a share
    `survived` of the failures leaves intact.
    """

    interval: float | None = opt(
        DURATION, "Computing between checkpoints; the best if not given.", group=QUESTION
    )
    rate: str | None = rate_of_log()
    latency: float = opt(
        COST, "From the end of a checkpoint until it is durable.", default=0.0, group=QUESTION
    )
    warm_up: float = opt(
        COST, "From reading a checkpoint back to the first step.", default=0.0, group=QUESTION
    )
    detection: float = opt(COST, "Until a failure is noticed.", default=0.0, group=QUESTION)
    queue: float = opt(
        COST, "Until nodes are granted after a failure.", default=0.0, group=QUESTION
    )
    tokens_per_step: float | None = opt(
        FROM_ONE, "Tokens in one step; needs {step_time}.", group=QUESTION, needs="step_time"
    )
    snapshot_cost: float | None = opt(
        COST,
        "Show asynchronous writes: copies of this length, durable after {checkpoint_cost}.",
        group=CHANGES,
    )
    memory_cost: float | None = opt(
        DURATION, "Show copies in memory as well, of this length.", group=CHANGES
    )
    memory_recovery: float = opt(
        COST, "To read back a copy in memory.", default=0.0, group=CHANGES, needs="memory_cost"
    )
    survived: float = opt(
        SHARE,
        "Share of failures that leave copies in memory intact.",
        default=0.9,
        group=CHANGES,
        needs="memory_cost",
    )
