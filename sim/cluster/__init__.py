"""Many jobs on one machine: a workload, a machine and a policy give a schedule and its metrics.

>>> jobs = Workload(submit=[0, 1, 2], runtime=[9, 5, 4], walltime=[10, 5, 8], processors=[3, 4, 1])
>>> replay(jobs, flat(4), policy="easy", engine="general").jobs["wait"].tolist()
[0.0, 8.0, 0.0]

What there is
-------------
- Replays: `replay`; `replay_promises` (negotiated deadlines), `replay_credits` (recovery that
  users pay for), `replay_grid` (several clusters). They return `Replay`, or an object with one.
- What is replayed: `Workload`; `Failures`, from logs `failures_from_frame`.
- Machines: `flat`, `BlueGene`, `Grid`.
- Policies: `Fcfs`, `Easy`, `Conservative` (by name: `POLICIES`); for a Blue Gene `Cobalt`; for a
  grid `GridFcfs`, `GridEasy`, `Planned`, `LocalSearch` (by name: `GRID_POLICIES`).
- Orders of the queue: `by_submission`, `first_band`, `all_bands`; scores for Cobalt: `UTILITIES`.
- Checkpointing: `NoCheckpoints`, `Periodic`, `Cooperative`.
- Recovery: `ResubmitOriginal`, `ResubmitNew`, `Drop` (by name: `RECOVERIES`), `RecoverByOption`.

What you can write
------------------
Each part is a frozen description. Its `begin` (a machine's `occupancy`) returns the state of one
replay, so that the description can be used again.

- `Machine`: `size`, `nodes`, `fits(workload)`, `occupancy(numbered=)`. The `Occupancy` answers
  `place(job)` with a placement, of any type, or None, and follows `take`, `give`, `fail`,
  `repair`. Policies that count processors need a `PooledOccupancy`.
- `Policy`: `name`, `runs_on` (the `Kind` of machine: `ANY`, `POOLS`, ...) and `begin(cluster)`,
  which returns a function of the `News`; the loop calls it for every scheduling pass. It starts
  jobs by `cluster.start(job, placement)`; `cluster.wake(time)` asks for a pass at which nothing
  else happens; `cluster.cancel(job)` gives up a waiting job.
- `Order`: a function of the `Cluster` that returns the waiting jobs as a pass considers them.
- `Recovery`: `begin(cluster)` returns a function of each failed attempt and the time of the
  repair; it calls `cluster.resubmit(job, queued_at=, at=, band=)` or `cluster.drop(job)`.
- `Checkpointing`: `planned(job, work)` for planning, and `timeline(job, work, start, placement)`,
  which says what a failure at any moment would leave.
- `cluster.observe(function)` calls the function with the news before each pass; `job.note` is
  free for use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from ._replay import Replay as Replay
    from ._replay import replay as replay
    from .backfill import POLICIES as POLICIES
    from .backfill import Conservative as Conservative
    from .backfill import Easy as Easy
    from .backfill import Fcfs as Fcfs
    from .bluegene.allocation import Allocation as Allocation
    from .bluegene.allocation import FaultAware as FaultAware
    from .bluegene.allocation import LeastBlocking as LeastBlocking
    from .bluegene.allocation import ReleasedFaultAware as ReleasedFaultAware
    from .bluegene.cobalt import Cobalt as Cobalt
    from .bluegene.layout import regular as regular
    from .bluegene.machine import BlueGene as BlueGene
    from .bluegene.partitions import PartitionTable as PartitionTable
    from .checkpointing.cooperative import Cooperative as Cooperative
    from .checkpointing.periodic import NoCheckpoints as NoCheckpoints
    from .checkpointing.periodic import Periodic as Periodic
    from .failures.bursts import bursty_failures as bursty_failures
    from .failures.drawn import DrawnFailures as DrawnFailures
    from .failures.feed import Failures as Failures
    from .failures.logs import failures_from_frame as failures_from_frame
    from .failures.maintenance import Maintenance as Maintenance
    from .forecasts.alarms import CalibratedForecaster as CalibratedForecaster
    from .forecasts.places import QsimForecaster as QsimForecaster
    from .forecasts.windows import DetectabilityForecaster as DetectabilityForecaster
    from .forecasts.windows import RateForecaster as RateForecaster
    from .forecasts.windows import RiskForecaster as RiskForecaster
    from .forecasts.windows import StatedForecaster as StatedForecaster
    from .grid.cancel_stranded import CancelStranded as CancelStranded
    from .grid.machine import ClusterSpec as ClusterSpec
    from .grid.machine import Grid as Grid
    from .grid.policies.easy import GridEasy as GridEasy
    from .grid.policies.fcfs import GridFcfs as GridFcfs
    from .grid.policies.local_search import LocalSearch as LocalSearch
    from .grid.policies.planned import Planned as Planned
    from .grid.replay import GRID_POLICIES as GRID_POLICIES
    from .grid.replay import GridReplay as GridReplay
    from .grid.replay import replay_grid as replay_grid
    from .loop.cluster import Cluster as Cluster
    from .loop.cluster import Order as Order
    from .loop.cluster import Pass as Pass
    from .loop.cluster import Policy as Policy
    from .loop.cluster import Recover as Recover
    from .loop.cluster import Recovery as Recovery
    from .loop.jobs import Attempt as Attempt
    from .loop.jobs import Job as Job
    from .loop.jobs import News as News
    from .loop.jobs import Progress as Progress
    from .loop.jobs import Timeline as Timeline
    from .loop.protocols import ANY as ANY
    from .loop.protocols import POOLS as POOLS
    from .loop.protocols import Checkpointing as Checkpointing
    from .loop.protocols import Kind as Kind
    from .loop.protocols import Machine as Machine
    from .loop.protocols import Occupancy as Occupancy
    from .loop.protocols import PooledOccupancy as PooledOccupancy
    from .machines.flat import Flat as Flat
    from .machines.flat import flat as flat
    from .machines.maintained import maintained as maintained
    from .order.bands import all_bands as all_bands
    from .order.bands import first_band as first_band
    from .order.by_score import order_from_expression as order_from_expression
    from .order.submission import by_submission as by_submission
    from .order.utility import UTILITIES as UTILITIES
    from .order.utility import Utility as Utility
    from .order.utility import Waiting as Waiting
    from .order.utility import utility_by_time as utility_by_time
    from .order.utility import utility_from_expression as utility_from_expression
    from .promises.negotiation import Negotiated as Negotiated
    from .promises.replay import PromiseReplay as PromiseReplay
    from .promises.replay import quote_promises as quote_promises
    from .promises.replay import replay_promises as replay_promises
    from .recovery.credits import Prices as Prices
    from .recovery.options import OPTIONS as OPTIONS
    from .recovery.options import RecoverByOption as RecoverByOption
    from .recovery.options import RecoveryOption as RecoveryOption
    from .recovery.options import assign_options as assign_options
    from .recovery.replay import CreditReplay as CreditReplay
    from .recovery.replay import replay_credits as replay_credits
    from .recovery.simple import RECOVERIES as RECOVERIES
    from .recovery.simple import Drop as Drop
    from .recovery.simple import ResubmitNew as ResubmitNew
    from .recovery.simple import ResubmitOriginal as ResubmitOriginal
    from .workload import Workload as Workload

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
