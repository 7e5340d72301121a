"""What is asked: jobs that begin at instants of a log, and what of it is past then."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..advice.logs import FailureLog, Records, first_of_each

__all__ = [
    "DAY",
    "FILE",
    "KINDS",
    "Asked",
    "History",
    "Job",
    "Window",
    "asked_of",
    "file_hash",
    "read_asked",
    "windows",
    "write_asked",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
FILE = Path(__file__).with_name("windows.csv")
KINDS = ("whole", "part", "wait")  # all nodes; some of them; all, and each repair is waited for
DAY = 86_400.0
WORKS = (7.0 * DAY, 30.0 * DAY, 90.0 * DAY)
COSTS = (300.0, 1800.0)  # of a checkpoint, by turns
RECOVERY = 600.0
LONGEST = 3.0  # works, at which a makespan is cut, which a forecaster knows
SHIFTS = (0.0, 0.5)  # works, by which windows begin later
_LEAD = 30.0 * DAY
_MOST = 40  # windows of one log and work
_PERMUTED = 2026  # so that the number of a node tells nothing


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """What is known when a job begins.

    Parameters
    ----------
    failures : ndarray, [s], shape (n,)
        Since the observation began, ascending; one for each node that a failure struck.
    nodes : ndarray of int, shape (n,)
        Which node that was; -1 where the log does not tell.
    repairs : ndarray, [s], shape (n,)
        How long it was down; NaN where that had not ended, or the log does not tell.
    size : int, [-]
        Nodes of the machine.
    observed : float, [s]
        Until now.
    """

    failures: FloatArray
    nodes: IntArray
    repairs: FloatArray
    size: int
    observed: float

    def struck(self, nodes: IntArray | None) -> tuple[FloatArray, FloatArray]:
        """Return when failures struck any of these nodes (None: all), and how long each lasted.

        Records within two minutes of the one before are one failure, which lasts as long as any.
        """
        return _merged(self.failures, self.nodes, self.repairs, nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What is to run, [s]: `work` in segments of `interval`; makespans are cut at `longest`.

    Parameters
    ----------
    nodes : ndarray of int, optional
        On which it runs; None is the whole machine.
    waits : bool
        Whether a job that is struck waits for the recorded repair, in which nothing strikes.
    mtbf : float, [s]
        Mean time between failures of its nodes so far.
    seed : int
        Where whoever draws begins.
    """

    work: float
    interval: float
    checkpoint_cost: float
    recovery_cost: float
    longest: float
    mtbf: float
    nodes: IntArray | None = None
    waits: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A line of the file: where a window lies, in days since the first failure, not what came.

    `seed` draws the nodes of a part, and is that of forecasters; `kinds` says which jobs are asked.
    """

    log: str
    shifted: float
    work_d: float
    start_d: float
    cost: float
    seed: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A job that begins at an instant of a log, what is past then and what came, [s] from then."""

    log: str
    kind: str
    history: History
    job: Job
    future: FloatArray
    waits: FloatArray


def asked_of(log: FailureLog, *, shifts: Sequence[float] = SHIFTS) -> Iterator[Asked]:
    """Yield the windows of a log, those of one work after the other, forward in time.

    One begins every `work` after a lead of 30 days, or the work if it is longer, at most 40 evenly
    spread; each a shift later. Two failures at least have struck the job's nodes by then; who is to
    wait has seen a repair.
    """
    records = _records(log)
    begin, span = log.times[0], log.span
    for shifted in shifts:
        for work in WORKS:
            starts = np.arange(max(_LEAD, work), span - work, work)
            if len(starts) > _MOST:
                starts = starts[np.round(np.linspace(0, len(starts) - 1, _MOST)).astype(int)]
            for at, start in enumerate(starts + shifted * work):
                if start > span - work:
                    continue
                cost = COSTS[at % len(COSTS)]
                asked = Asked(
                    log.name, shifted, work / DAY, float(start) / DAY, cost, at, KINDS[:1]
                )
                past = _history(records, begin, float(start))
                kinds = [kind for kind in KINDS if _possible(kind, records, past, asked)]
                if kinds:
                    yield replace(asked, kinds=tuple(kinds))


def _possible(kind: str, records: Records, past: History, asked: Asked) -> bool:
    if kind == "part" and records.size == 1:
        return False
    if kind == "wait" and np.isnan(records.repairs).mean() > 0.1:
        return False  # a log that does not tell repairs
    times, repairs = past.struck(_nodes_of(kind, records.size, asked))
    return len(times) >= 2 and (kind != "wait" or bool(np.isfinite(repairs).any()))


def windows(log: FailureLog, asked: Iterable[Asked], kind: str = "whole") -> Iterator[Window]:
    """Yield what a log has at the windows that are asked of it.

    The interval of a job is Young's for the mean of the past of its nodes.
    """
    records, begin = _records(log), log.times[0]
    for each in asked:
        if each.log != log.name or kind not in each.kinds:
            continue
        start, work = each.start_d * DAY, each.work_d * DAY
        nodes = _nodes_of(kind, records.size, each)
        times, lasting = _merged(records.times, records.nodes, records.repairs, nodes)
        coming = times > begin + start
        history = _history(records, begin, start)
        mtbf = start / len(history.struck(nodes)[0])
        job = Job(
            work,
            min(math.sqrt(2.0 * each.cost * mtbf), work),
            each.cost,
            RECOVERY,
            min(LONGEST * work, log.span - start),
            mtbf,
            nodes,
            kind == "wait",
            each.seed,
        )
        waits = np.where(np.isnan(lasting), np.inf, lasting) if job.waits else 0.0 * times
        yield Window(log.name, kind, history, job, times[coming] - begin - start, waits[coming])


def _records(log: FailureLog) -> Records:
    """Return the records of a log with numbers that tell nothing, or those of one node."""
    if log.records is None:
        unknown = np.full(len(log.times), np.nan)
        return Records(log.times, np.zeros(len(log.times), dtype=np.int64), unknown, 1)
    renamed = np.random.default_rng(_PERMUTED).permutation(log.records.size)
    nodes = np.where(log.records.nodes < 0, -1, renamed[log.records.nodes])
    return replace(log.records, nodes=nodes)


def _history(records: Records, begin: float, start: float) -> History:
    known = records.times <= begin + start
    times, repairs = records.times[known] - begin, records.repairs[known]
    ended = np.where(times + repairs <= start, repairs, np.nan)
    return History(times, records.nodes[known], ended, records.size, start)


def _nodes_of(kind: str, size: int, asked: Asked) -> IntArray | None:
    """Return an eighth of the nodes, or a quarter of less than eight."""
    if kind != "part":
        return None
    count = max(size // (8 if size >= 8 else 4), 1)
    rng = np.random.default_rng([int(2.0 * asked.shifted), int(asked.work_d), asked.seed])
    return np.sort(rng.choice(size, count, replace=False))


def _merged(
    times: FloatArray, nodes: IntArray, repairs: FloatArray, of: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    here = np.isin(nodes, of) if of is not None else np.ones(len(times), dtype=np.bool_)
    times, repairs = times[here], repairs[here]
    first = np.flatnonzero(first_of_each(times))
    if not len(first):
        return times, repairs
    ends = np.maximum.reduceat(times + repairs, first)
    return times[first], ends - times[first]


def write_asked(asked: Iterable[Asked], path: Path) -> None:
    """Write windows, a line each."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["log", "shifted", "work_d", "start_d", "cost_s", "seed", "kinds"])
        for each in asked:
            numbers = (each.shifted, each.work_d, each.start_d, each.cost)
            shown = [f"{number:.12g}" for number in numbers]
            rows.writerow([each.log, *shown, each.seed, "+".join(each.kinds)])


def read_asked(path: Path = FILE) -> tuple[Asked, ...]:
    """Return the windows of a file."""
    with path.open(newline="") as file:
        return tuple(
            Asked(
                row["log"],
                float(row["shifted"]),
                float(row["work_d"]),
                float(row["start_d"]),
                float(row["cost_s"]),
                int(row["seed"]),
                tuple(row["kinds"].split("+")),
            )
            for row in csv.DictReader(file)
        )


def file_hash(path: Path = FILE) -> str:
    """Return what tells one file from another."""
    return sha256(path.read_bytes()).hexdigest()[:12]
