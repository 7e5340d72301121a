"""The runs behind the claims of `aucore`: one replay of six weeks each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..controls import surprise
from .setups import Setup, Walltimes

if TYPE_CHECKING:
    from sim.cluster import Failures, Replay, Workload
    from sim.cluster.bluegene import BlueGene, Cobalt
    from sim.cluster.checkpointing import Periodic
    from sim.cluster.recovery import RecoveryOption
    from sim.records import FloatArray

__all__ = ["HALVED", "JOBS", "Run", "play", "six_weeks"]

HOUR, MINUTE = 3600.0, 60.0
# `aucore` section IV-A and Table II.
JOBS, MEAN_GAP, MEAN_RUNTIME, SMALLEST = 11_000, 5.0, 100.0, 512
INTERVAL, COST = 50.0, 5.0
# The sizes are unpublished: of the jobs of a midplane or more this share, without and with
# sessions, has half its size in the log of `qsim`, so that the response without failures is near
# the printed one, or as near as all jobs halved bring it.
HALVED = {False: 0.55, True: 1.0}
# Without rework: what a struck attempt did is kept but for less than this, [s].
_KEPT_BUT = 1.0
_THRESHOLD = 0.7  # the one value that `qsim` names


@dataclass(frozen=True, slots=True)
class Run:
    """One replay; runs of one seed have the same jobs, and the same failures if MTBFs agree.

    Parameters
    ----------
    case : str
        Of `sim.cluster.recovery.options.CASES`.
    seed : int
        Of jobs, failures and options.
    setup : Setup
        How what the paper leaves open is read.
    repair : float, [min]
        Of a midplane.
    mtbf : float, [h]
        Of the system.
    gap : float, [min]
        Mean between two submissions.
    """

    case: str
    seed: int
    setup: Setup = field(default_factory=Setup)
    repair: float = 60.0
    mtbf: float = 10.0
    gap: float = MEAN_GAP

    @property
    def played(self) -> Run:
        """The run with defaults for what cannot change its result, so that equal runs play once.

        Only three cases have jobs of option B; without failures there is no rework either.
        """
        from sim.cluster.recovery import CASES

        setup = self.setup
        if "B" not in CASES[self.case]:
            setup = replace(setup, option_b="band")
        if self.case != "ff":
            return replace(self, setup=setup)
        setup = replace(setup, rework=True)
        return Run("ff", self.seed, setup, gap=self.gap)


def play(run: Run) -> dict[str, Any]:
    """Return the mean response in minutes, and of struck jobs how many and their slowdowns' sum.

    `surprise` is by how many more strikes there were than the schedule lets expect, as `controls`
    says, and how much more these come to per undisturbed hour. Both also by recovery option.
    """
    from sim import metrics
    from sim.cluster import replay
    from sim.cluster.recovery import CASES, RecoverByOption, assign_options
    from sim.streams import RECOVERY_OPTIONS, stream

    machine = _machine()
    workload = _workload(run.seed, run.gap, run.setup.walltimes, run.setup.sessions)
    checkpointing = _checkpointing()
    if not run.setup.rework:
        workload, checkpointing = _all_kept(workload)
    options = assign_options(
        stream(run.seed, *RECOVERY_OPTIONS), len(workload), CASES[run.case], _options(run.setup)
    )
    result = replay(
        workload,
        machine,
        policy=_policy(run.setup),
        failures=None if run.case == "ff" else _failures(run, machine, workload),
        checkpointing=checkpointing,
        recovery=RecoverByOption(options),
    )
    records = result.job_records
    slowdown = metrics.failure_slowdown(records)
    struck = ~np.isnan(slowdown)
    names = np.array([option.name for option in options])
    chance = _surprise(run, machine, workload, result)
    return {
        "struck": [float(slowdown[struck].sum()), int(struck.sum())],
        "struck_by_option": {
            str(name): [float(slowdown[mine].sum()), int(mine.sum())]
            for name in np.unique(names)
            for mine in [struck & (names == name)]
        },
        "surprise": chance.sum(axis=0).tolist(),
        "surprise_by_option": {
            str(name): chance[names == name].sum(axis=0).tolist() for name in np.unique(names)
        },
        "response": result.metrics["mean_response_s"] / MINUTE,
    }


def _surprise(run: Run, machine: BlueGene, workload: Workload, result: Replay) -> FloatArray:
    """Return by job what its attempts brought by chance: strikes, and strikes per hour."""
    attempts, jobs = result.attempt_records, result.job_records
    midplanes = attempts.processors * machine.nodes / machine.size
    rate = 0.0 if run.case == "ff" else 1.0 / (machine.nodes * run.mtbf * HOUR)
    strikes = surprise(attempts, rate * midplanes, _until(workload))
    per_hour = strikes * HOUR / jobs.undisturbed[attempts.position]
    count = len(jobs.job)
    return np.column_stack(
        [np.bincount(attempts.position, each, count) for each in (strikes, per_hour)]
    )


def _policy(setup: Setup) -> Cobalt:
    from sim.cluster.bluegene import SCHEDULERS, Cobalt
    from sim.cluster.order import UTILITIES, first_band

    if setup.scheduler == "separate-drains":
        return Cobalt(bands=first_band)
    utility = UTILITIES["wfp3"].with_threshold(_THRESHOLD)
    return Cobalt(utility, bands=first_band, scheduler=SCHEDULERS[setup.scheduler])


def _options(setup: Setup) -> dict[str, RecoveryOption]:
    from sim.cluster.recovery import OPTIONS, RecoveryOption

    return OPTIONS if setup.option_b == "band" else {**OPTIONS, "B": RecoveryOption("B")}


def _checkpointing() -> Periodic:
    from sim.cluster import Periodic

    return Periodic(INTERVAL * MINUTE, COST * MINUTE)


def _all_kept(workload: Workload) -> tuple[Workload, Periodic]:
    """Return jobs that execute their checkpoints as work, of which a failure takes nothing.

    So does the released simulator: what is left to run falls by all that an attempt ran.
    """
    from sim.cluster import Periodic

    def stretched(work: FloatArray) -> FloatArray:
        checkpoints = np.maximum(np.ceil(work / (INTERVAL * MINUTE)) - 1.0, 0.0)
        return work + COST * MINUTE * checkpoints

    runtime, walltime = stretched(workload.runtime), stretched(workload.walltime)
    return replace(workload, runtime=runtime, walltime=walltime), Periodic(_KEPT_BUT, 0.0)


@lru_cache(maxsize=1)
def _machine() -> BlueGene:
    """Return Intrepid's partitions of a midplane or more, or a regular machine of its size."""
    from sim.cluster.bluegene import BlueGene, PartitionTable, regular
    from sim.traces import locate

    path = locate("machines/intrepid/simulator.xml.xz")
    if path is None:
        return BlueGene(regular(5, 8))
    return BlueGene(PartitionTable.from_cobalt(path, smallest=SMALLEST))


@lru_cache(maxsize=4)
def six_weeks(seed: int, sessions: bool = False) -> Workload:
    """Return the synthetic job log of a seed with the printed counts, gaps, lengths and sizes."""
    from sim.cluster import Workload
    from sim.streams import JOB_LOG, stream
    from sim.traces import intrepid_like

    days = JOBS * MEAN_GAP / (24.0 * 60.0)
    frame = intrepid_like(stream(seed, *JOB_LOG), jobs=JOBS, days=days, sessions=sessions)
    log = Workload.from_frame(frame, processors="allocated", processors_per_node=4)
    smaller = stream(seed, *JOB_LOG, 1).random(JOBS) < HALVED[sessions]
    nodes = np.where(smaller, log.processors // 2, log.processors)
    longer = MEAN_RUNTIME * MINUTE / float(log.runtime.mean())
    scaled = replace(
        log,
        processors=np.maximum(nodes, SMALLEST),
        runtime=log.runtime * longer,
        walltime=log.walltime * longer,
    )
    return _machine().sized(scaled)


@lru_cache(maxsize=4)
def _workload(seed: int, gap: float, walltimes: Walltimes, sessions: bool = False) -> Workload:
    jobs = six_weeks(seed, sessions)
    weight = {"requested": 1.0, "halfway": 0.5, "exact": 0.0}[walltimes]
    known = replace(jobs, walltime=jobs.runtime + weight * (jobs.walltime - jobs.runtime))
    return known if gap == MEAN_GAP else known.scale_gaps(gap / MEAN_GAP)


def _failures(run: Run, machine: BlueGene, workload: Workload) -> Failures:
    from sim.cluster import Failures
    from sim.samplers import Deterministic, Weibull

    return Failures.sampled(
        nodes=machine.nodes,
        uptime=Weibull(1.0, machine.nodes * run.mtbf * HOUR),
        repair=Deterministic(run.repair * MINUTE),
        start=float(workload.submit[0]),
        end=_until(workload),
        seed=run.seed,
    )


def _until(workload: Workload) -> float:
    """Return when failures end."""
    return float(workload.submit[-1]) + 60 * 24 * HOUR
