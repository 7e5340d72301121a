"""Blue Gene machines: partitions, their allocation, and Cobalt's scheduling pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .allocation import Allocation as Allocation
    from .allocation import Allocator as Allocator
    from .allocation import FaultAware as FaultAware
    from .allocation import LeastBlocking as LeastBlocking
    from .allocation import ReleasedFaultAware as ReleasedFaultAware
    from .allocation import most_blocked as most_blocked
    from .cobalt import Cobalt as Cobalt
    from .layout import regular as regular
    from .machine import PARTITIONS as PARTITIONS
    from .machine import BlueGene as BlueGene
    from .machine import BlueGeneOccupancy as BlueGeneOccupancy
    from .partitions import NODES_PER_CARD as NODES_PER_CARD
    from .partitions import PartitionTable as PartitionTable
    from .schedulers import SCHEDULERS as SCHEDULERS
    from .schedulers import Head as Head
    from .schedulers import January2009 as January2009
    from .schedulers import June2009 as June2009
    from .schedulers import Scheduler as Scheduler
    from .schedulers import SeparateDrains as SeparateDrains

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
