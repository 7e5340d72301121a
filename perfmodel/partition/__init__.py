"""A parallel job on machines that differ: shares of work, and which machines to use.

Fault-aware scheduling of Wu, Sun and Jin: every machine has a speed, failures, repairs and
checkpoints of its own; a job of any divisible work is done when its slowest subtask is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .local import schedule_local as schedule_local
    from .machines import Machines as Machines
    from .rules import schedule_random as schedule_random
    from .rules import schedule_reliability as schedule_reliability
    from .rules import schedule_speed as schedule_speed
    from .rules import schedule_speed_reliability as schedule_speed_reliability
    from .schedule import Schedule as Schedule
    from .schedule import equal_time_partition as equal_time_partition
    from .schedule import evaluate_set as evaluate_set
    from .search import schedule_bisection as schedule_bisection
    from .search import schedule_exhaustive as schedule_exhaustive

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
