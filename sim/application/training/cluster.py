"""A training job on a pool of servers with warm standbys, as large AI clusters run one.

The rules:

- The job needs `servers`. It is given those and `standbys` more, drawn at random from the working
  pool, by a host selection of `selection_time`. If the pool has too few for the job, servers move
  to it from the spare pool, `preemption_time` each, until it has those and the standbys; if that
  is empty, the job waits for repairs.
- A share `lemons` of all servers fails at `lemon_factor` times the rate of others on top of it,
  each as a Poisson process, while the job computes. A failure stops the job for `recovery_time`.
  Then the standby that has waited longest takes over; if there is none, a host selection follows.
- The server that failed goes to an automatic repair of exponential time, of which a share goes on
  to a manual one. Unless the repair is false, a lemon is one no more. The server comes back to the
  working pool, and as a standby while there are fewer than the job was given.
- Without `interval` a failure costs no work. With one, it leads back to the last checkpoint, each
  of which takes `checkpoint_cost`, in which servers fail as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._checks import check_fields, fraction, nonnegative, positive, whole
from ...samplers import FloatArray
from ...streams import stream
from .._arguments import Method, by_kernel
from ..standbys import TwoStageRepair


@dataclass(frozen=True, slots=True)
class TrainingCluster:
    """Servers, how they fail and what a failure costs.

    Parameters
    ----------
    servers, standbys : int
        That the job needs, >= 1, and is given beyond those, >= 0.
    working, spare : int
        Servers in the working pool at first, at least those two together, and in the other; >= 0.
    mtbf : float, [time]
        Mean uptime of a server that is no lemon; > 0.
    repair : TwoStageRepair, [time]
        Both stages, and how often they are false.
    lemons : float
        Share of all servers that fail more often at first; in [0, 1].
    lemon_factor : float
        By how many times the rate of others their rate is higher; >= 0.
    recovery_time, selection_time, preemption_time : float, [time]
        Of each failure, of a host selection, and of each server from the spare pool; >= 0.
    """

    servers: int
    standbys: int
    working: int
    spare: int
    mtbf: float
    repair: TwoStageRepair
    lemons: float = 0.0
    lemon_factor: float = 0.0
    recovery_time: float = 0.0
    selection_time: float = 0.0
    preemption_time: float = 0.0

    def __post_init__(self) -> None:
        for name, least in (("servers", 1), ("standbys", 0), ("working", 0), ("spare", 0)):
            object.__setattr__(self, name, whole(name, getattr(self, name), least=least))
        check_fields(self, positive, "mtbf")
        check_fields(self, nonnegative, "lemon_factor", "recovery_time")
        check_fields(self, nonnegative, "selection_time", "preemption_time")
        check_fields(self, fraction, "lemons")
        if self.working < self.servers + self.standbys:
            raise ValueError(
                f"working must be at least servers and standbys, got {self.working} < "
                f"{self.servers} + {self.standbys}"
            )


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """What became of each of some jobs; every array has shape (replications,).

    Parameters
    ----------
    makespans : ndarray, [time]
        From the first host selection to the end.
    failures, selections, preemptions : ndarray
        How many.
    """

    makespans: FloatArray
    failures: FloatArray
    selections: FloatArray
    preemptions: FloatArray


def simulate_training_jobs(
    work: float,
    *,
    cluster: TrainingCluster,
    interval: float | None = None,
    checkpoint_cost: float = 0.0,
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> TrainingRecord:
    """Play a training job many times; return its makespans and what they are made of.

    Parameters
    ----------
    work : float, [time]
        Failure-free compute time; > 0.
    cluster : TrainingCluster
        The servers.
    interval : float or None, [time]
        Compute time between checkpoints; > 0. None: a failure costs no work.
    checkpoint_cost : float, [time]
        To write one, the last work of the job without; >= 0, and 0 without `interval`.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, by either method; more replications only append; >= 0.
    method : {"kernel", "events"}
        The compiled loop, or the same one as Python runs it.

    Returns
    -------
    TrainingRecord
        Times and counts.

    Raises
    ------
    ValueError
        If there is a `checkpoint_cost` without `interval`.

    Examples
    --------
    >>> cluster = TrainingCluster(4, 1, 8, 0, mtbf=1e12, repair=TwoStageRepair(1.0, 1.0, 0.0),
    ...     selection_time=0.25)
    >>> record = simulate_training_jobs(
    ...     10.0, cluster=cluster, interval=5.0, checkpoint_cost=0.5, replications=2, seed=1,
    ... )
    >>> record.makespans.tolist()
    [10.75, 10.75]
    """
    from . import _cluster_kernel

    cost = nonnegative("checkpoint_cost", checkpoint_cost)
    if interval is None and cost > 0.0:
        raise ValueError(f"checkpoint_cost must be 0 without interval, got {cost!r}")
    repair = cluster.repair
    count = whole("replications", replications)
    found = np.empty((4, count))
    loop = _cluster_kernel.training_job
    play = loop if by_kernel(method) else getattr(loop, "py_func", loop)
    for place in range(count):
        found[:, place] = play(
            stream(whole("seed", seed, least=0), place),
            positive("work", work),
            np.inf if interval is None else positive("interval", interval),
            interval is not None,
            cost,
            cluster.servers,
            cluster.standbys,
            cluster.working,
            cluster.spare,
            1.0 / cluster.mtbf,
            cluster.lemons,
            cluster.lemon_factor,
            repair.automatic,
            repair.manual,
            repair.escalated,
            repair.automatic_false,
            repair.manual_false,
            cluster.recovery_time,
            cluster.selection_time,
            cluster.preemption_time,
        )
    return TrainingRecord(*found)
