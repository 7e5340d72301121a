"""A parallel job on machines that differ: shares of work, and which machines to use.

Fault-aware scheduling of Wu, Sun and Jin: every machine has a speed, failures, repairs and
checkpoints of its own; a job of any divisible work is done when its slowest subtask is.
"""

from __future__ import annotations

from .machines import Machines
from .rules import (
    schedule_random,
    schedule_reliability,
    schedule_speed,
    schedule_speed_reliability,
)
from .schedule import SET_RANGE, Schedule, equal_time_partition, evaluate_set
from .search import SEARCH_RANGE, schedule_bisection, schedule_exhaustive

__all__ = [
    "SEARCH_RANGE",
    "SET_RANGE",
    "Machines",
    "Schedule",
    "equal_time_partition",
    "evaluate_set",
    "schedule_bisection",
    "schedule_exhaustive",
    "schedule_random",
    "schedule_reliability",
    "schedule_speed",
    "schedule_speed_reliability",
]
