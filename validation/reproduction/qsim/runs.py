"""The runs behind the rows of `qsim`: one replay each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload
    from sim.cluster.bluegene import Allocation, BlueGene

__all__ = [
    "HOUR",
    "MTBFS",
    "REBOOT",
    "SCHEDULERS",
    "Run",
    "has_first_jobs",
    "intrepid",
    "month",
    "play",
]

HOUR = 3600.0
# Of the system, [h]: midplanes of 1e6 to 6e6 s, as section VI says; on its figures 4 to 20 h.
MTBFS = tuple(scale * 1e6 / 80.0 / HOUR for scale in range(1, 7))
SCHEDULERS = ("january-2009", "june-2009", "head", "separate-drains")
REBOOT = 20 * 60.0
_BEGINNING = "jobs/intrepid/intrepid-first3000-nowalltime.txt.xz"
_FIRST = "jobs/intrepid/ANL-Intrepid-2009-first1200.swf.xz"


@dataclass(frozen=True, slots=True)
class Run:
    """The parameters of one replay: jobs, policy and failures.

    Parameters
    ----------
    jobs : {"month", "first", "shuffled"}
        The month: the first 3,000 real jobs and days drawn from them for every seed until it has
        the printed figures (a calibrated generator without them); the first 1,200 real jobs; or
        these at their own times but each with the size and lengths of another one, at random.
    seed : int
        Seed of the month and of the failures; runs of one seed have the same ones.
    mtbf : float, [h]
        Of the system; inf for none.
    gaps : float, [-]
        Multiplies the gaps between submissions.
    exact : bool
        Whether the scheduler knows the running times.
    weights : {"printed", "released"}
        Of fault-aware allocation: alpha = beta = 1, or as the released simulator adds them up.
    scheduler : str
        One of `SCHEDULERS`.
    recovery : {"new", "original"}
        The submission that a failed job has in its scores: at the failure, or its own.
    kill : bool
        Whether jobs end at their walltime; the released simulator runs them as long as logged.
    """

    jobs: str
    seed: int
    utility: str
    mtbf: float = math.inf
    fault_aware: bool = False
    threshold: float = 0.0
    gaps: float = 1.0
    exact: bool = False
    weights: str = "printed"
    scheduler: str = SCHEDULERS[0]
    recovery: str = "new"
    kill: bool = False


def play(run: Run) -> dict[str, Any]:
    """Return the metrics of one run; times in seconds, rates as fractions."""
    from sim import metrics
    from sim.cluster import bluegene, replay
    from sim.cluster.bluegene import Cobalt, FaultAware, LeastBlocking, ReleasedFaultAware
    from sim.cluster.order import UTILITIES
    from sim.metrics import length_class, mean_by_class, scale_class

    machine, workload = intrepid(), _workload(run)
    aware: dict[str, Allocation] = {
        "printed": FaultAware(),
        "released": ReleasedFaultAware(),
    }
    policy = Cobalt(
        UTILITIES[run.utility].with_threshold(run.threshold),
        aware[run.weights] if run.fault_aware else LeastBlocking(),
        scheduler=bluegene.SCHEDULERS[run.scheduler],
    )
    result = replay(
        workload,
        machine,
        policy=policy,
        estimates="runtime" if run.exact else "walltime",
        failures=_failures(run, machine, workload),
        recovery=run.recovery,
        idle_failures=False,
        kill_at_walltime=run.kill,
    )
    jobs, numbers = result.job_records, result.metrics
    wait, slowdown = metrics.wait(jobs), metrics.bounded_slowdown(jobs)
    scale, length = scale_class(jobs.processors), length_class(jobs.executed)
    return {
        "wait": numbers["mean_wait_s"],
        "response": numbers["mean_response_s"],
        "slowdown": numbers["mean_bounded_slowdown"],
        "failed": numbers["job_failure_rate"],
        "lost": numbers["service_unit_loss"],
        "utilization": numbers["utilization"],
        "at_once": float(np.mean(wait == 0.0)),
        "wait_by_scale": mean_by_class(wait, scale),
        "slowdown_by_scale": mean_by_class(slowdown, scale),
        "wait_by_length": mean_by_class(wait, length),
        "slowdown_by_length": mean_by_class(slowdown, length),
    }


@lru_cache(maxsize=1)
def intrepid() -> BlueGene:
    """Return Intrepid as published; if that file is absent, a regular machine of its size.

    A partition whose job is struck reboots alone, as in the released simulator.
    """
    from sim.cluster.bluegene import BlueGene, PartitionTable, regular
    from sim.traces import locate

    path = locate("machines/intrepid/simulator.xml.xz")
    table = regular(5, 8) if path is None else PartitionTable.from_cobalt(path)
    return BlueGene(table, reboots="partition")


@lru_cache(maxsize=16)
def month(seed: int) -> Workload:
    """Return the month of a seed, in partition sizes: real jobs first, where they are at hand."""
    from sim.cluster import Workload
    from sim.streams import JOB_LOG, stream
    from sim.traces import intrepid_like, intrepid_month, locate, read_swf

    draws, path = stream(seed, *JOB_LOG), locate(_BEGINNING)
    if path is None:
        frame = intrepid_like(draws)
    else:
        frame = intrepid_month(read_swf(path, dialect="no-walltime").frame, draws)
    return intrepid().sized(
        Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    )


def has_first_jobs() -> bool:
    """Return whether the log of the first 1,200 real jobs is present."""
    from sim.traces import locate

    return locate(_FIRST) is not None


@lru_cache(maxsize=1)
def _first() -> Workload:
    from sim.cluster import Workload
    from sim.traces import locate, read_swf

    path = locate(_FIRST)
    if path is None:
        raise FileNotFoundError(_FIRST)
    frame = read_swf(path).frame
    return intrepid().sized(
        Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    )


def _workload(run: Run) -> Workload:
    jobs = month(run.seed) if run.jobs == "month" else _first()
    if run.jobs == "shuffled":
        jobs = _shuffled(jobs, run.seed)
    return jobs if run.gaps == 1.0 else jobs.scale_gaps(run.gaps)


def _shuffled(jobs: Workload, seed: int) -> Workload:
    from sim.streams import JOB_LOG, stream

    other = stream(seed, *JOB_LOG, 2).permutation(len(jobs))
    return replace(
        jobs,
        runtime=jobs.runtime[other],
        walltime=jobs.walltime[other],
        processors=jobs.processors[other],
    )


def _failures(run: Run, machine: BlueGene, workload: Workload) -> Failures | None:
    if math.isinf(run.mtbf):
        return None
    from sim.cluster import Failures
    from sim.samplers import Deterministic, Weibull

    start, last = float(workload.submit[0]), float(workload.submit[-1])
    return Failures.sampled(
        nodes=machine.nodes,
        uptime=Weibull(1.0, machine.nodes * run.mtbf * HOUR),
        repair=Deterministic(REBOOT),
        start=start,
        end=last + 30 * 24 * HOUR,
        seed=run.seed,
    )
