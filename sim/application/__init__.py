"""One job under failures."""

from .checkpointed_job import JobRecord, simulate_job, simulate_makespans
from .restart_process import RestartRecord, simulate_wsj_job, simulate_wsj_makespans

__all__ = [
    "JobRecord",
    "RestartRecord",
    "simulate_job",
    "simulate_makespans",
    "simulate_wsj_job",
    "simulate_wsj_makespans",
]
