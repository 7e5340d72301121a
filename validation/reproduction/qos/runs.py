"""The runs behind the rows of `qos`: one replay with promises each, and its metrics."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from sim.cluster import Failures, Workload
    from sim.cluster.forecasts import RiskForecaster

__all__ = [
    "ACCURACIES",
    "EDGES",
    "LOGS",
    "NODES",
    "Cell",
    "at_hand",
    "cell",
    "lanl",
    "play",
    "workload",
]

NODES = 128
ACCURACIES = tuple(round(0.1 * tenth, 1) for tenth in range(11))
LOGS = {
    "nasa": "jobs/pwa/NASA-iPSC-1993-3.1-cln.swf.gz",
    "sdsc": "jobs/pwa/SDSC-SP2-1998-4.2-cln.swf.gz",
}
_LANL = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv.xz"
_LANL_SYSTEM = 20
_YEAR = 365 * 86_400.0
_PER_YEAR = 1021.0
_DOWNTIME, _INTERVAL, _COST = 120.0, 3600.0, 720.0
_RECALL, _PRECISION = 0.7, 0.5
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 1.0, 1.0)  # of promises


@dataclass(frozen=True, slots=True)
class Cell:
    """One replay.

    Parameters
    ----------
    log : {"nasa", "sdsc"}
        The first 10,000 jobs that ran.
    failures : {"bursts", "lanl", "poisson"}
        Weibull with bursts drawn with `seed`, the LANL log, or independent ones drawn with `seed`.
    insist : bool
        Whether users insist on eq. (3) also if U is above the accuracy.
    forecaster : {"detectability", "rate", "calibrated"}
        That of the paper, one that knows only the failure rate of nodes, or one whose probabilities
        are true, of recall 0.7 and precision 0.5.
    checkpointing : {"risk", "all", "none"}
        Which requests are granted.
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
    forecaster: str = "detectability"
    checkpointing: str = "risk"
    burst: float = 1.5
    where: Literal["anywhere", "node"] = "anywhere"


def cell(log: str, accuracy: float, risk: float, **more: Any) -> Cell:
    """Return the cell to run: equal ones run once, as the cells of `PROOF` show.

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

    return [path for path in (*LOGS.values(), _LANL) if locate(path) is None]


@lru_cache(maxsize=2)
def workload(log: str, jobs: int = 10_000) -> Workload:
    """Return the first jobs of a log that ran."""
    from sim.cluster import Workload
    from sim.traces import locate, read_swf

    path = locate(LOGS[log])
    assert path is not None
    whole = Workload.from_frame(read_swf(path).frame)
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
    from sim.cluster.promises import replay_promises
    from sim.metrics import brier_score, calibration

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
            shape=1.0 if wanted.failures == "poisson" else 0.7,
            burst=1.0 if wanted.failures == "poisson" else wanted.burst,
            where=wanted.where,
        )
    done = replay_promises(
        jobs,
        processors=NODES,
        forecaster=_forecaster(wanted),
        confidence=wanted.risk,
        within_accuracy=not wanted.insist,
        failures=feed,
        checkpoint_interval=_INTERVAL,
        checkpoint_cost=_COST,
        checkpointing=wanted.checkpointing,  # type: ignore[arg-type]
    )
    records, attempts = done.replay.job_records, done.replay.attempt_records
    return {
        "qos": done.quality_of_service,
        "utilization": done.utilization,
        "lost": done.lost_work,
        "kept": float(done.kept.mean()),
        "wait": float((records.first_start - records.submit).mean()),
        "failures": int(records.failures.sum()),
        "checkpoints": float((attempts.checkpoint * attempts.processors).sum()),
        "last_failure_before_end": bool(feed.time[-1] < records.end.max()),
        "calibration": [asdict(b) for b in calibration(done.promised, done.kept, edges=EDGES)],
        "spared": [
            asdict(b) for b in calibration(done.promised, records.failures == 0, edges=EDGES)
        ],
        "brier": brier_score(done.promised, done.kept),
        "engine_s": done.replay.engine_s,
    }


def _forecaster(wanted: Cell) -> RiskForecaster:
    from sim.cluster.forecasts import (
        CalibratedForecaster,
        DetectabilityForecaster,
        RateForecaster,
    )

    rate = _PER_YEAR / _YEAR / NODES
    if wanted.forecaster == "rate":
        return RateForecaster(rate)
    if wanted.forecaster == "calibrated":
        return CalibratedForecaster(_RECALL, _PRECISION, rate, wanted.seed)
    return DetectabilityForecaster(wanted.accuracy, wanted.seed)
