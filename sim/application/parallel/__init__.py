"""Jobs of many tasks or processes that wait for one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .job import Machine as Machine
    from .job import simulate_parallel_makespans as simulate_parallel_makespans
    from .phased_job import simulate_phased_makespans as simulate_phased_makespans
    from .replicated_job import simulate_replicated_cycles as simulate_replicated_cycles

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
