"""The loop of a replay: jobs, instants, and what it asks of machine and policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .cluster import EVENT_ORDERS as EVENT_ORDERS
    from .cluster import Cluster as Cluster
    from .cluster import Order as Order
    from .cluster import Pass as Pass
    from .cluster import Policy as Policy
    from .cluster import Recover as Recover
    from .cluster import Recovery as Recovery
    from .jobs import Attempt as Attempt
    from .jobs import Job as Job
    from .jobs import News as News
    from .jobs import Progress as Progress
    from .jobs import Timeline as Timeline
    from .protocols import ANY as ANY
    from .protocols import POOLS as POOLS
    from .protocols import Checkpointing as Checkpointing
    from .protocols import Kind as Kind
    from .protocols import Machine as Machine
    from .protocols import Occupancy as Occupancy
    from .protocols import PooledOccupancy as PooledOccupancy

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
