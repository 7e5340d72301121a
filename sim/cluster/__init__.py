"""Many jobs on one machine: a workload, a machine and a policy give a schedule and its metrics.

>>> jobs = Workload(submit=[0, 1, 2], runtime=[9, 5, 4], walltime=[10, 5, 8], processors=[3, 4, 1])
>>> replay(jobs, flat(4), policy="easy", engine="general").jobs["wait"].tolist()
[0.0, 8.0, 0.0]

Everything can be replaced by an object of one's own; each is a frozen description whose `begin`
(or `occupancy`) gives the state of one replay, so that it can be used again.

- Machine (`loop.protocols`): `size`, `nodes`, `fits(workload)`, `occupancy(numbered=)`. The
  occupancy answers `place(job)` with a placement of its own making or None, and follows `take`,
  `give`, `fail`, `repair`. With pools (`PooledOccupancy`) easy and conservative run on it.
- Policy (`loop.policy`): `name`, `begin(cluster)` -> a function called with the `News` for each
pass,
  which calls `cluster.start(job, placement)` as often as it likes. `cluster.wake(time)` asks for
  a pass when nothing else would happen; `cluster.cancel(job)` gives up a waiting job.
- Order (`loop.policy`): a function of the cluster that returns the waiting jobs as a pass takes
them.
- Recovery (`recovery.simple`): `begin(cluster)` -> a function called with each failed attempt and
the
  time of the repair, which calls `cluster.resubmit(job, queued_at=, at=, band=)` or `drop(job)`.
- Checkpointing (`checkpointing.periodic`): `planned(job, work)` for planning, and `timeline(job,
work,
  start, placement)`, which knows what a failure at any moment would leave.
- Promises (`promises`): `replay_promises` negotiates deadlines, on an outlook on failures.
- `cluster.observe(function)` hears the news before each pass; `job.note` is free for use.
"""

from __future__ import annotations

from .checkpointing.periodic import NoCheckpoints, Periodic
from .failures.feed import Failures
from .loop.jobs import Timeline
from .machines.flat import flat
from ._replay import Replay, replay
from .workload import Workload

__all__ = [
    "Failures",
    "NoCheckpoints",
    "Periodic",
    "Replay",
    "Timeline",
    "Workload",
    "flat",
    "replay",
]
