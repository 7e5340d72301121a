"""One job under failures, on one machine or on many."""

from .checkpointed_job import JobRecord, simulate_job, simulate_makespans
from .durations import simulate_durations
from .parallel_job import Machine, simulate_parallel_makespans
from .predicted_job import PredictedRecord, simulate_predicted_job, simulate_predicted_makespans
from .spare_job import simulate_spare_makespans
from .struck_queue import simulate_delays_after_failure
from .wsj_job import RestartRecord, simulate_wsj_job, simulate_wsj_makespans

__all__ = [
    "JobRecord",
    "Machine",
    "PredictedRecord",
    "RestartRecord",
    "simulate_delays_after_failure",
    "simulate_durations",
    "simulate_job",
    "simulate_makespans",
    "simulate_parallel_makespans",
    "simulate_predicted_job",
    "simulate_predicted_makespans",
    "simulate_spare_makespans",
    "simulate_wsj_job",
    "simulate_wsj_makespans",
]
