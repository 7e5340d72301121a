"""One job under failures, on one machine or on many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .aged_uptime import simulate_saved_work as simulate_saved_work
    from .asynchronous_job import AsyncRecord as AsyncRecord
    from .asynchronous_job import simulate_async_job as simulate_async_job
    from .asynchronous_job import simulate_async_makespans as simulate_async_makespans
    from .checkpointed_job import JobRecord as JobRecord
    from .checkpointed_job import simulate_job as simulate_job
    from .checkpointed_job import simulate_makespans as simulate_makespans
    from .durations import simulate_durations as simulate_durations
    from .parallel_job import Machine as Machine
    from .parallel_job import simulate_parallel_makespans as simulate_parallel_makespans
    from .predicted_job import PredictedRecord as PredictedRecord
    from .predicted_job import simulate_predicted_job as simulate_predicted_job
    from .predicted_job import simulate_predicted_makespans as simulate_predicted_makespans
    from .spare_job import simulate_spare_makespans as simulate_spare_makespans
    from .struck_queue import Option as Option
    from .struck_queue import simulate_delays_after_failure as simulate_delays_after_failure
    from .two_level_job import TwoLevelRecord as TwoLevelRecord
    from .two_level_job import simulate_two_level_job as simulate_two_level_job
    from .two_level_job import simulate_two_level_makespans as simulate_two_level_makespans
    from .wsj_job import RestartRecord as RestartRecord
    from .wsj_job import simulate_wsj_job as simulate_wsj_job
    from .wsj_job import simulate_wsj_makespans as simulate_wsj_makespans

# Module -> what it offers, loaded when first asked for; a test compares it with the imports above.
_HOMES = {
    "aged_uptime": ("simulate_saved_work",),
    "asynchronous_job": (
        "AsyncRecord",
        "simulate_async_job",
        "simulate_async_makespans",
    ),
    "checkpointed_job": (
        "JobRecord",
        "simulate_job",
        "simulate_makespans",
    ),
    "durations": ("simulate_durations",),
    "parallel_job": (
        "Machine",
        "simulate_parallel_makespans",
    ),
    "predicted_job": (
        "PredictedRecord",
        "simulate_predicted_job",
        "simulate_predicted_makespans",
    ),
    "spare_job": ("simulate_spare_makespans",),
    "struck_queue": (
        "Option",
        "simulate_delays_after_failure",
    ),
    "two_level_job": (
        "TwoLevelRecord",
        "simulate_two_level_job",
        "simulate_two_level_makespans",
    ),
    "wsj_job": (
        "RestartRecord",
        "simulate_wsj_job",
        "simulate_wsj_makespans",
    ),
}

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__, _HOMES)
