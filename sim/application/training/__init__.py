"""Training runs: where the time of one goes, and one on a pool of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .cluster import TrainingCluster as TrainingCluster
    from .cluster import TrainingRecord as TrainingRecord
    from .cluster import simulate_training_jobs as simulate_training_jobs
    from .cycles import TrainingCycles as TrainingCycles
    from .cycles import simulate_training_cycles as simulate_training_cycles
    from .memory import MemoryRuns as MemoryRuns
    from .memory import simulate_memory_runs as simulate_memory_runs

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
