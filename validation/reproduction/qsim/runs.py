"""The runs behind the claims of `qsim`: one replay each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..controls import surprise
from ..drawn import kept_frame

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload
    from sim.cluster.bluegene import Allocation, BlueGene
    from sim.records import AttemptRecords

HOUR = 3600.0
# Of the system, [h]: midplanes of 1e6, 3e6 and 6e6 s, as section VI says; on its figures 4 to 20 h.
MTBFS = tuple(scale * 1e6 / 80.0 / HOUR for scale in (1, 3, 6))
SCHEDULERS = ("january-2009", "june-2009", "head", "separate-drains")
# Costs: those of the paper read in two ways, and of two versions of the simulator.
ALLOCATIONS = (
    "ordinary",
    "printed",
    "printed, parents by neighbours",
    "released in June 2009",
    "released in July 2009",
)
REBOOT = 20 * 60.0
_LONG = 10 * HOUR  # "enduring very long waiting"
_BEGINNING = "jobs/intrepid/intrepid-first3000-nowalltime.txt.xz"
_FIRST = "jobs/intrepid/ANL-Intrepid-2009-first1200.swf.xz"


@dataclass(frozen=True, slots=True)
class Run:
    """The parameters of one replay: jobs, policy and failures.

    Parameters
    ----------
    jobs : {"month", "first"}
        The month: the first 3,000 real jobs and days drawn from them for every seed until it has
        the printed figures (a calibrated generator without them); or the first 1,200 real jobs.
    seed : int
        Seed of the month and of the failures; runs of one seed have the same ones.
    mtbf : float, [h]
        Of the system; inf for none.
    allocation : str
        A key of `ALLOCATIONS`.
    scheduler : str
        One of `SCHEDULERS`.
    threshold : float, [-]
        Of the fall-back score.
    walltimes : {"requested", "halfway", "known"}
        What the scheduler is told: what users asked for, the running times, or between.
    """

    jobs: str
    seed: int
    utility: str
    mtbf: float = math.inf
    allocation: str = "ordinary"
    scheduler: str = SCHEDULERS[0]
    threshold: float = 0.0
    walltimes: str = "requested"


def play(run: Run) -> dict[str, Any]:
    """Return the metrics of one run; times in seconds, rates as fractions.

    `surprise` is by how many more failed attempts and lost node seconds there were than the
    schedule lets expect, as `controls` says; a midplane out of order counts as if it could fail.
    """
    from sim import metrics
    from sim.cluster import bluegene, replay
    from sim.cluster.bluegene import Cobalt
    from sim.cluster.order import UTILITIES
    from sim.metrics import length_class, mean_by_class, scale_class

    machine, workload = intrepid(), _workload(run)
    policy = Cobalt(
        UTILITIES[run.utility].with_threshold(run.threshold),
        _allocation(run.allocation),
        scheduler=bluegene.SCHEDULERS[run.scheduler],
    )
    result = replay(
        workload,
        machine,
        policy=policy,
        failures=_failures(run, machine, workload),
        recovery="new",
        idle_failures=False,
        kill_at_walltime=False,
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
        "lost_of_capacity": numbers["capacity_loss"],
        "at_once": float(np.mean(wait == 0.0)),
        "long": float(np.mean(wait > _LONG)),
        "wait_by_scale": mean_by_class(wait, scale),
        "slowdown_by_scale": mean_by_class(slowdown, scale),
        "wait_by_length": mean_by_class(wait, length),
        "slowdown_by_length": mean_by_class(slowdown, length),
        "surprise": _surprise(run, machine, workload, result.attempt_records),
    }


def _surprise(
    run: Run, machine: BlueGene, workload: Workload, attempts: AttemptRecords
) -> list[float]:
    nodes = attempts.processors
    midplanes = np.ceil(nodes * machine.nodes / machine.size)
    hazard = midplanes / (machine.nodes * run.mtbf * HOUR)
    until = _until(workload)
    failed = surprise(attempts, hazard, until)
    lost = surprise(attempts, hazard, until, nodes, lost=True)
    return [float(failed.sum()), float(lost.sum())]


def _allocation(name: str) -> Allocation:
    from sim.cluster.bluegene import FaultAware, LeastBlocking, ReleasedFaultAware

    made: dict[str, Allocation] = {
        "ordinary": LeastBlocking(),
        "printed": FaultAware(),
        "printed, parents by neighbours": FaultAware(parents="neighbours"),
        "released in June 2009": FaultAware(parents="all"),
        "released in July 2009": ReleasedFaultAware(),
    }
    return made[name]


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
    from sim.traces import generated, intrepid_like, intrepid_month, locate, read_swf, resampled

    path = locate(_BEGINNING)
    if path is None:
        frame = intrepid_like(stream(seed, *JOB_LOG))
    else:
        known = read_swf(path, dialect="no-walltime").frame
        frame = kept_frame(
            "intrepid-month",
            seed,
            [path, *(each for room in (generated, resampled) for each in _code(room))],
            lambda: intrepid_month(known, stream(seed, *JOB_LOG)),
        )
    return intrepid().sized(
        Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    )


def _code(room: ModuleType) -> list[Path]:
    """Return the files of a package."""
    return sorted(Path(str(room.__file__)).parent.glob("*.py"))


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
    weight = {"requested": 1.0, "halfway": 0.5, "known": 0.0}[run.walltimes]
    return replace(jobs, walltime=jobs.runtime + weight * (jobs.walltime - jobs.runtime))


def _failures(run: Run, machine: BlueGene, workload: Workload) -> Failures | None:
    if math.isinf(run.mtbf):
        return None
    from sim.cluster import Failures
    from sim.samplers import Deterministic, Weibull

    return Failures.sampled(
        nodes=machine.nodes,
        uptime=Weibull(1.0, machine.nodes * run.mtbf * HOUR),
        repair=Deterministic(REBOOT),
        start=float(workload.submit[0]),
        end=_until(workload),
        seed=run.seed,
    )


def _until(workload: Workload) -> float:
    """Return when failures end."""
    return float(workload.submit[-1]) + 30 * 24 * HOUR
