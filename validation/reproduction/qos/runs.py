"""The runs behind the claims of `qos`: one replay with promises each, and its metrics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload

NODES = 128
ACCURACIES = tuple(round(0.1 * tenth, 1) for tenth in range(11))
LOGS = ("nasa", "sdsc")
_FILES = {
    "nasa": "jobs/pwa/NASA-iPSC-1993-3.1-cln.swf.gz",
    "sdsc": "jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz",
}
_LANL = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv.xz"
_LANL_SYSTEM = 20
_YEAR = 365 * 86_400.0
_PER_YEAR = 1021.0
_SHAPE = 0.7  # of the Weibull gaps
_DOWNTIME, _INTERVAL, _COST = 120.0, 3600.0, 720.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One replay.

    Parameters
    ----------
    log : {"nasa", "sdsc", "nasa-logged"}
        The first 10,000 jobs that ran; of NASA's also those among the first 10,000 as logged.
    failures : {"bursts", "lanl"}
        Weibull with bursts drawn with `seed`, or the LANL log.
    insist : bool
        Whether users insist on eq. (3) also if U is above the accuracy.
    burst : float
        Mean number of failures in a burst.
    where : {"anywhere", "node"}
        Whether the failures of a burst strike any nodes or the same one.
    """

    log: str
    accuracy: float
    risk: float
    seed: int = 1
    failures: str = "bursts"
    insist: bool = False
    burst: float = 1.0
    where: Literal["anywhere", "node"] = "anywhere"


def cell(log: str, accuracy: float, risk: float, **more: Any) -> Cell:
    """Return the cell to run: equal ones run once.

    U has no effect if U <= 1 - a, nor if a < U unless users insist; whether they do has none
    if U <= a.
    """
    insist = bool(more.pop("insist", False)) and risk > accuracy
    if risk <= 1.0 - accuracy + 1e-9 or (risk > accuracy and not insist):
        return Cell(log, accuracy, 0.0, **more)
    return Cell(log, accuracy, risk, insist=insist, **more)


def at_hand() -> list[str]:
    """Return the files that are missing."""
    from sim.traces import locate

    return [path for path in (*_FILES.values(), _LANL) if locate(path) is None]


@lru_cache(maxsize=2)
def workload(log: str, jobs: int = 10_000) -> Workload:
    """Return the first jobs of a log that ran."""
    from sim.cluster import Workload
    from sim.traces import locate, read_swf

    name, _, logged = log.partition("-")
    path = locate(_FILES[name])
    assert path is not None
    frame = read_swf(path).frame
    # Cleaning took out 24,025 pings and left the other jobs their numbers.
    whole = Workload.from_frame(frame[frame["job"] <= jobs] if logged else frame)
    return whole.select(np.arange(len(whole)) < jobs)


@lru_cache(maxsize=1)
def lanl() -> tuple[Failures, float]:
    """Return the first 128 nodes of a LANL system at 1,021 failures a year, and the speed-up.

    From first to last failure it has fewer a year: its clock runs faster by that factor, which
    keeps the order and the relative gaps of the failures.
    """
    from sim.cluster import Failures
    from sim.traces import locate, read_lanl

    path = locate(_LANL)
    assert path is not None
    frame = read_lanl(path, system=_LANL_SYSTEM).frame
    names = sorted(frame["node"].unique())[:NODES]
    frame = frame[frame["node"].isin(names)].sort_values("time", kind="stable")
    time = frame["time"].to_numpy(dtype=np.float64)
    faster = (time[-1] - time[0]) / _YEAR * _PER_YEAR / time.size
    node = np.searchsorted(names, frame["node"].to_numpy())
    feed = Failures((time - time[0]) / faster, node, np.full(time.size, _DOWNTIME))
    return feed, float(faster)


def play(wanted: Cell) -> dict[str, Any]:
    """Run one cell and return its metrics as plain JSON."""
    from sim.cluster import Failures
    from sim.cluster.failures import bursty_failures
    from sim.cluster.forecasts import DetectabilityForecaster
    from sim.cluster.promises import replay_promises

    jobs = workload(wanted.log)
    first, last = float(jobs.submit[0]), float(jobs.submit[-1])
    if wanted.failures == "lanl":
        feed = lanl()[0]
        feed = Failures(feed.time + first, feed.node, feed.repair)
    else:
        feed = bursty_failures(
            nodes=NODES,
            per_year=_PER_YEAR,
            repair=_DOWNTIME,
            start=first,
            end=last + 2.0 * (last - first) + _YEAR,
            seed=wanted.seed,
            shape=_SHAPE,
            burst=wanted.burst,
            where=wanted.where,
        )
    done = replay_promises(
        jobs,
        processors=NODES,
        forecaster=DetectabilityForecaster(wanted.accuracy, wanted.seed),
        confidence=wanted.risk,
        within_accuracy=not wanted.insist,
        failures=feed,
        checkpoint_interval=_INTERVAL,
        checkpoint_cost=_COST,
        checkpointing="risk",
    )
    return {
        "qos": done.quality_of_service,
        "utilization": done.utilization,
        "lost": done.lost_work,
    }
