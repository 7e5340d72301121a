"""One job under failures, on one machine or on many.

What every function here refuses is said once: `ValueError` if a number is outside the range that
stands at it, `TypeError` if an argument is not of the kind that stands there. What is refused
beyond that, or cannot be played to its end, stands under *Raises*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .advised_job import Advice as Advice
    from .advised_job import AdvisedRecord as AdvisedRecord
    from .advised_job import simulate_advised_job as simulate_advised_job
    from .ageing import simulate_planned_makespans as simulate_planned_makespans
    from .ageing import simulate_saved_work as simulate_saved_work
    from .asynchronous_job import AsyncRecord as AsyncRecord
    from .asynchronous_job import simulate_async_job as simulate_async_job
    from .asynchronous_job import simulate_async_makespans as simulate_async_makespans
    from .buddies import simulate_buddy_cycles as simulate_buddy_cycles
    from .buddies import simulate_failures_to_loss as simulate_failures_to_loss
    from .chain_of_tasks import simulate_chain_makespans as simulate_chain_makespans
    from .checkpointed_job import JobRecord as JobRecord
    from .checkpointed_job import simulate_job as simulate_job
    from .checkpointed_job import simulate_makespans as simulate_makespans
    from .durations import simulate_durations as simulate_durations
    from .energy_job import Powers as Powers
    from .energy_job import simulate_energies as simulate_energies
    from .iterative_job import simulate_iterative_makespans as simulate_iterative_makespans
    from .levels import LevelAdvice as LevelAdvice
    from .levels import LevelAdvisedRecord as LevelAdvisedRecord
    from .levels import TwoLevelRecord as TwoLevelRecord
    from .levels import simulate_advised_level_job as simulate_advised_level_job
    from .levels import simulate_level_makespans as simulate_level_makespans
    from .levels import simulate_two_level_job as simulate_two_level_job
    from .levels import simulate_two_level_makespans as simulate_two_level_makespans
    from .nodes import Renewal as Renewal
    from .nodes import simulate_burst_gaps as simulate_burst_gaps
    from .nodes import simulate_burst_interruptions as simulate_burst_interruptions
    from .nodes import simulate_platform_failures as simulate_platform_failures
    from .nodes import simulate_platform_makespans as simulate_platform_makespans
    from .parallel import Machine as Machine
    from .parallel import simulate_parallel_makespans as simulate_parallel_makespans
    from .parallel import simulate_phased_makespans as simulate_phased_makespans
    from .parallel import simulate_replicated_cycles as simulate_replicated_cycles
    from .predicted import PredictedRecord as PredictedRecord
    from .predicted import simulate_predicted_job as simulate_predicted_job
    from .predicted import simulate_predicted_makespans as simulate_predicted_makespans
    from .predicted import simulate_windowed_makespans as simulate_windowed_makespans
    from .random_cost_job import (
        simulate_random_cost_makespans as simulate_random_cost_makespans,
    )
    from .silent import (
        simulate_detected_late_makespans as simulate_detected_late_makespans,
    )
    from .silent import simulate_silent_makespans as simulate_silent_makespans
    from .spare_job import simulate_spare_makespans as simulate_spare_makespans
    from .spot_job import simulate_spot_jobs as simulate_spot_jobs
    from .standbys import TwoStageRepair as TwoStageRepair
    from .standbys import simulate_standby_makespans as simulate_standby_makespans
    from .struck_queue import Option as Option
    from .struck_queue import simulate_delays_after_failure as simulate_delays_after_failure
    from .training import MemoryRuns as MemoryRuns
    from .training import TrainingCluster as TrainingCluster
    from .training import TrainingCycles as TrainingCycles
    from .training import TrainingRecord as TrainingRecord
    from .training import simulate_memory_runs as simulate_memory_runs
    from .training import simulate_training_cycles as simulate_training_cycles
    from .training import simulate_training_jobs as simulate_training_jobs
    from .unknown_mtbf import simulate_mtbfs as simulate_mtbfs
    from .unknown_mtbf import simulate_unknown_mtbf_makespans as simulate_unknown_mtbf_makespans
    from .wsj_job import RestartRecord as RestartRecord
    from .wsj_job import simulate_wsj_job as simulate_wsj_job
    from .wsj_job import simulate_wsj_makespans as simulate_wsj_makespans

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
