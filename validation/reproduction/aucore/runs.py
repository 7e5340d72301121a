"""The runs behind the rows of `aucore`: one replay of six weeks each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload
    from sim.cluster.bluegene import BlueGene

__all__ = ["HALVED", "JOBS", "Run", "play", "six_weeks"]

HOUR, MINUTE = 3600.0, 60.0
# `aucore` section IV-A and Table II.
JOBS, MEAN_GAP, MEAN_RUNTIME, SMALLEST = 11_000, 5.0, 100.0, 512
INTERVAL, COST = 50.0, 5.0
# The sizes are unpublished: of the jobs of a midplane or more this share has half its size in the
# log of `qsim`, so that the response without failures is near the printed one.
HALVED = 0.55


@dataclass(frozen=True, slots=True)
class Run:
    """One replay; runs of one seed have the same jobs, and the same failures if MTBFs agree.

    Parameters
    ----------
    case : str
        Of `sim.cluster.recovery.options.CASES`.
    seed : int
        Of jobs, failures and options.
    repair : float, [min]
        Of a midplane.
    mtbf : float, [h]
        Of the system.
    gap : float, [min]
        Mean between two submissions.
    backfill : bool
        Whether lower bands may backfill.
    """

    case: str
    seed: int
    repair: float = 60.0
    mtbf: float = 10.0
    gap: float = MEAN_GAP
    backfill: bool = False

    @property
    def played(self) -> Run:
        """The run; without failures MTBF, repair and bands have their defaults."""
        return Run("ff", self.seed, gap=self.gap) if self.case == "ff" else self


def play(run: Run) -> dict[str, Any]:
    """Return the metrics of one run: response in minutes, mean delays of failed jobs in hours."""
    from sim import metrics
    from sim.cluster import Periodic, replay
    from sim.cluster.bluegene import Cobalt
    from sim.cluster.order import all_bands, first_band
    from sim.cluster.recovery import CASES, RecoverByOption, assign_options
    from sim.streams import RECOVERY_OPTIONS, stream

    machine, workload = _machine(), _workload(run.seed, run.gap)
    options = assign_options(stream(run.seed, *RECOVERY_OPTIONS), len(workload), CASES[run.case])
    result = replay(
        workload,
        machine,
        policy=Cobalt(bands=all_bands if run.backfill else first_band),
        failures=None if run.case == "ff" else _failures(run, machine, workload),
        checkpointing=Periodic(INTERVAL * MINUTE, COST * MINUTE),
        recovery=RecoverByOption(options),
    )
    records, numbers = result.job_records, result.metrics
    slowdown = metrics.failure_slowdown(records)
    delay = slowdown * records.undisturbed / HOUR
    names = [option.name for option in options]
    return {
        "slowdown": numbers["failure_slowdown"],
        "slowdown_by_option": metrics.mean_by_name(slowdown, names),
        "median_slowdown": _median(slowdown),
        "delay": metrics.mean_of_known(delay),
        "delay_by_option": metrics.mean_by_name(delay, names),
        "failed": int(np.sum(records.failures > 0)),
        "response": numbers["mean_response_s"] / MINUTE,
        "utilization": numbers["utilization"],
        "unsuccessful": numbers["unsuccessful"],
    }


def _median(values: Any) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if known.size else np.nan


@lru_cache(maxsize=1)
def _machine() -> BlueGene:
    """Return Intrepid's partitions of a midplane or more, or a regular machine of its size."""
    from sim.cluster.bluegene import BlueGene, PartitionTable, regular
    from sim.traces import locate

    path = locate("machines/intrepid/simulator.xml.xz")
    if path is None:
        return BlueGene(regular(5, 8))
    return BlueGene(PartitionTable.from_cobalt(path, smallest=SMALLEST))


@lru_cache(maxsize=2)
def six_weeks(seed: int) -> Workload:
    """Return the synthetic job log of a seed with the printed counts, gaps, lengths and sizes."""
    from sim.cluster import Workload
    from sim.streams import JOB_LOG, stream
    from sim.traces import intrepid_like

    days = JOBS * MEAN_GAP / (24.0 * 60.0)
    frame = intrepid_like(stream(seed, *JOB_LOG), jobs=JOBS, days=days)
    log = Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    halved = stream(seed, *JOB_LOG, 1).random(JOBS) < HALVED
    nodes = np.where(halved, log.processors // 2, log.processors)
    longer = MEAN_RUNTIME * MINUTE / float(log.runtime.mean())
    scaled = replace(
        log,
        processors=np.maximum(nodes, SMALLEST),
        runtime=log.runtime * longer,
        walltime=log.walltime * longer,
    )
    return _machine().sized(scaled)


@lru_cache(maxsize=2)
def _workload(seed: int, gap: float) -> Workload:
    jobs = six_weeks(seed)
    return jobs if gap == MEAN_GAP else jobs.scale_gaps(gap / MEAN_GAP)


def _failures(run: Run, machine: BlueGene, workload: Workload) -> Failures:
    from sim.cluster import Failures
    from sim.samplers import Deterministic, Weibull

    return Failures.sampled(
        nodes=machine.nodes,
        uptime=Weibull(1.0, machine.nodes * run.mtbf * HOUR),
        repair=Deterministic(run.repair * MINUTE),
        start=float(workload.submit[0]),
        end=float(workload.submit[-1]) + 60 * 24 * HOUR,
        seed=run.seed,
    )
