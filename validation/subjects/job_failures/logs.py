"""Blue Gene/P jobs replayed under failures, for comparison with the formulas.

The MTBF of a job is that of its midplanes: that of the system, times all midplanes over those of
the job. The formulas have no queues, partitions or repairs; the replay has all three. Under
exponential failures none of them may matter. Under Weibull failures and those of a log they may,
and the verdict reports the distance of the prediction from the replay.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gamma
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from perfmodel.interval import optimal_interval
from sim.traces import locate

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload
    from sim.cluster.bluegene import BlueGene
    from sim.records import AttemptRecords

__all__ = ["CHECKPOINT", "RECOVERY", "SOURCES", "Played", "at_hand", "play"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

HOUR, DAY = 3600.0, 86_400.0
CHECKPOINT, RECOVERY, REBOOT = 60.0, 90.0, 300.0  # [s]
_NODES = 512.0  # nodes in a midplane
# Longer jobs would be repeated too often: without checkpoints a work of one mtbf takes 1.7 mtbf.
_LONGEST = 1.0

# Name -> (log, dialect, processors per node, machine, failures on it).
SOURCES = {
    "month": ("", "", 4, "intrepid", "bluegene-l"),
    "first 1200": (
        "jobs/intrepid/ANL-Intrepid-2009-first1200.swf.xz",
        "standard",
        4,
        "intrepid",
        "bluegene-l",
    ),
    "first 3000": (
        "jobs/intrepid/intrepid-first3000-nowalltime.txt.xz",
        "no-walltime",
        1,
        "intrepid",
        "bluegene-l",
    ),
    "mira 2018": ("jobs/mira/mira-2018-aug-dec.swf.xz", "walltime-in-6", 1, "mira", "mira"),
}
_LOGS = {
    "bluegene-l": "failures/bluegene-l/Best.any-loc.xz",
    "mira": "failures/mira/fatal-events-2013-2018.cor0.0.xz",
}


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """The result of replays, one row per set of failures and one column per job.

    Parameters
    ----------
    work, nodes, mtbf, interval : ndarray, shape (J,), [s], [node], [s], [s]
        Of each job; the interval is inf if no checkpoint is written.
    failures : ndarray, shape (S, J), [-]
        Number of failures that struck it.
    held, lost : ndarray, shape (S, J), [s]
        Time for which it held its partition, and the part of it that was lost.
    """

    work: FloatArray
    nodes: FloatArray
    mtbf: FloatArray
    interval: FloatArray
    failures: FloatArray
    held: FloatArray
    lost: FloatArray


def at_hand(jobs: str, failures: str) -> bool:
    """Return whether the logs that a replay needs are present."""
    log, _, _, _, ras = SOURCES[jobs]
    needed = [log] * bool(log) + [_LOGS[ras]] * (failures == "logged")
    return all(locate(name) is not None for name in needed)


# Several formulas and all classes of jobs use one replay; a set is smaller than a megabyte.
@lru_cache(maxsize=64)
def play(
    seed: int, *, jobs: str, count: int, failures: str, mtbf: float, how: str, seeds: int
) -> Played:
    """Replay the first `count` jobs of a source with `seeds` sets of failures.

    Parameters
    ----------
    seed : int
        Seed of everything random.
    jobs : str
        Name in `SOURCES`.
    count : int
        Number of jobs, from the first.
    failures : {"exponential", "weibull 0.5", "logged"}
        Independent on every midplane, or those of a log from a random instant on.
    mtbf : float, [h]
        Of the system; ignored for a log, which has its own.
    how : {"once", "again", "checkpoints"}
        Each job once, struck or not; each job from the beginning until it ends, without those too
        long for it; or with checkpoints at the optimal interval.
    seeds : int
        Number of sets of failures.
    """
    from sim.cluster import Periodic, replay
    from sim.cluster.bluegene import Cobalt

    machine = _machine(SOURCES[jobs][3])
    workload = _workload(jobs).select(np.arange(min(count, len(_workload(jobs)))))
    feeds = _Feeds(machine, failures, SOURCES[jobs][4], HOUR * mtbf, seed)
    job_mtbf = _mtbf(machine, workload, feeds.mtbf)
    if how == "again":
        kept = np.minimum(workload.runtime, workload.walltime) <= _LONGEST * job_mtbf
        workload, job_mtbf = workload.select(kept), job_mtbf[kept]
    interval = np.full(len(workload), np.inf)
    checkpointing = None
    if how == "checkpoints":
        interval = np.asarray(optimal_interval(mtbf=job_mtbf, checkpoint_cost=CHECKPOINT))
        checkpointing = Periodic(interval, CHECKPOINT, RECOVERY)
    rows = []
    for number in range(seeds):
        feed, end = feeds.draw(workload, number)
        result = replay(
            workload,
            machine,
            policy=Cobalt(),
            failures=feed,
            checkpointing=checkpointing,
            recovery="drop" if how == "once" else "new",
        )
        attempts = result.attempt_records
        if attempts.end.max() > end:
            raise RuntimeError(f"failures must outlast the jobs, got an end of {end!r}")
        held = _per_job(attempts, attempts.end - attempts.start, len(workload))
        lost = _per_job(attempts, attempts.lost, len(workload))
        rows.append((result.job_records.failures, held, lost))
    numbers = np.array(rows, dtype=np.float64)
    return Played(
        work=np.minimum(workload.runtime, workload.walltime),
        nodes=workload.processors.astype(np.float64),
        mtbf=job_mtbf,
        interval=interval,
        failures=numbers[:, 0],
        held=numbers[:, 1],
        lost=numbers[:, 2],
    )


def _per_job(attempts: AttemptRecords, values: FloatArray, jobs: int) -> FloatArray:
    total = np.zeros(jobs)
    np.add.at(total, attempts.position, values)
    return total


def _mtbf(machine: BlueGene, workload: Workload, system: float) -> FloatArray:
    midplanes = np.maximum(np.ceil(workload.processors / _NODES), 1.0)
    return np.asarray(system * machine.nodes / midplanes)


@lru_cache(maxsize=2)
def _machine(name: str) -> BlueGene:
    from sim.cluster.bluegene import BlueGene, PartitionTable, regular

    if name == "mira":
        return BlueGene(regular(3, 16))
    path = locate("machines/intrepid/simulator.xml.xz")
    return BlueGene(regular(5, 8) if path is None else PartitionTable.from_cobalt(path))


@lru_cache(maxsize=4)
def _workload(name: str) -> Workload:
    from sim.cluster import Workload
    from sim.streams import stream
    from sim.traces import intrepid_like, read_swf

    log, dialect, per_node, machine, _ = SOURCES[name]
    if not log:
        frame = intrepid_like(stream(1, 0), sessions=False)
    else:
        path = locate(log)
        if path is None:
            raise FileNotFoundError(log)
        frame = read_swf(path, dialect=dialect).frame
    workload = Workload.from_frame(frame, processors="allocated", processors_per_node=per_node)
    where = _machine(machine)
    return where.sized(workload.select(where.fits(workload)))


class _Feeds:
    """Sets of failures of one kind on one machine."""

    def __init__(self, machine: BlueGene, kind: str, log: str, mtbf: float, seed: int) -> None:
        self._machine, self._kind, self._seed = machine, kind, seed
        self.mtbf = mtbf
        if kind == "logged":
            self._log = _logged(log, machine)
            # The estimate of a planner: the span over the number of failures on this machine.
            self.mtbf = float(np.ptp(self._log.time)) / (len(self._log) - 1)

    def draw(self, workload: Workload, number: int) -> tuple[Failures, float]:
        """Return set `number` of failures and the end of the time that they cover, [s]."""
        from sim.cluster import Failures
        from sim.samplers import Deterministic, Weibull
        from sim.streams import stream

        first, last = float(workload.submit[0]), float(workload.submit[-1])
        if self._kind == "logged":
            times = self._log.time
            need = last - first + 10.0 * DAY
            begin = stream(self._seed, number).uniform(times[0], max(times[-1] - need, times[0]))
            shift = begin - first
            return Failures(times - shift, self._log.node, self._log.repair), float(
                times[-1] - shift
            )
        shape = 1.0 if self._kind == "exponential" else float(self._kind.removeprefix("weibull "))
        mean = self._machine.nodes * self.mtbf
        # Failures start long before the jobs, so that midplanes have the ages of a machine in use.
        start = first - (0.0 if shape == 1.0 else 5.0 * mean)
        end = last + (last - first) + 5.0 * DAY
        feed = Failures.sampled(
            nodes=self._machine.nodes,
            uptime=Weibull(shape, mean / gamma(1.0 + 1.0 / shape)),
            repair=Deterministic(REBOOT),
            start=start,
            end=end,
            seed=int(stream(self._seed, number).integers(2**31)),
            new_nodes=True,
        )
        kept = feed.time > first
        return Failures(feed.time[kept], feed.node[kept], feed.repair[kept]), end


@lru_cache(maxsize=2)
def _logged(log: str, machine: BlueGene) -> Failures:
    from sim.cluster.failures import failures_from_frame
    from sim.traces import read_bgl_ras, read_mira_ras

    path = locate(_LOGS[log])
    if path is None:
        raise FileNotFoundError(_LOGS[log])
    trace = read_bgl_ras(path) if log == "bluegene-l" else read_mira_ras(path, heads=True)
    feed, _ = failures_from_frame(
        trace.frame, nodes=machine.nodes, names=machine.table.midplanes, unknown_repair=REBOOT
    )
    return feed
