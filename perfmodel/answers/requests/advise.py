"""What a batch script tells an advisor, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from asking.units import DURATIONS

from .levels import LocalCopy
from .reading import LogReading

__all__ = ["AdviseRequest", "Event"]

Event: TypeAlias = Literal[
    "started", "restored", "begun", "done", "durable", "signal", "failed", "ended"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviseRequest(LogReading):
    """One call; durations in [s], `now` and `end` in [s] on one clock.

    `events` happened just now, in this order; then `step` ended, if it is given. `on_level` is that
    of the checkpoint that begins, or that was read. `cost`, `latency`, `recovery_cost`, `least`,
    `levels` and what is known of failures serve where `state` is not there yet.

    With `sacct` it asks about a site: `failures` is then a log, `nodes` are those of the machine.
    """

    state: Path | None = None
    step: int | None = None
    events: tuple[Event, ...] = ()
    end: float | None = None
    now: float | None = None
    cost: float | None = None
    latency: float = 0.0
    recovery_cost: float = 0.0
    least: float = 60.0
    levels: tuple[LocalCopy, ...] = ()
    on_level: int | None = None
    mtbf: float | None = None
    node_mtbf: float | None = None
    nodes: int | None = None
    failures: int | Path | None = None
    observed: float | None = None
    sacct: Path | None = None
    since: float = 30.0 * DURATIONS["d"]
