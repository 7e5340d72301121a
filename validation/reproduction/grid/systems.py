"""The three systems of `grid`, and MetaCentrum as it was: real jobs, machines and failures.

The paper's 103,620 jobs are those submitted from 2009 on, when its failure log begins; a runtime
of 0 counts as 1 s. Requirements are reconstructed from user, queue and executing cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sim.cluster import Workload
from sim.cluster.grid import (
    Grid,
    grid_failures,
    grid_from_frame,
    partitions_in_order,
    reconstruct,
    runtime_scale,
)
from sim.traces import read_metacentrum_failures, read_metacentrum_machines, read_swf

from .logs import META_FILES, found
from .stand_ins import das2, grid5000
from .system import System, lasting

__all__ = ["RANKINGS", "SPEEDS", "SYSTEMS", "metacentrum", "system"]

SYSTEMS = ("metacentrum", "grid5000", "das2")
_ORIGIN = 1_228_910_204.0  # of the MetaCentrum job log, Unix time
FIRST = 1_230_768_000.0 - _ORIGIN  # 2009-01-01 00:00 UTC on that clock

# Alea 3.0, MachineLoader: type of processor -> what it measured, and at how many MHz. The second
# Xeon of its list (3.643 at 3,060) is never found by its look-up.
_RATED = {
    "AthlonMP": (1.771666667, 1800.0),
    "Xeon": (2.88, 2400.0),
    "Opteron": (4.743333333, 2200.0),
    "Itanium2": (6.844, 1500.0),
}


def _rating(row: Any) -> float:
    measured, mhz = _RATED[str(row["cpu_type"])]
    return measured * float(row["speed"]) / mhz


# What makes a cluster fast; the paper has one speed per cluster and does not say which.
RANKINGS: dict[str, Callable[[Any], float]] = {
    "mhz": lambda row: float(row["speed"]),
    "ratings": _rating,
    "none": lambda row: 1.0,
}
# The paper does not say either whether a job is done sooner on a faster cluster. In Alea 3.0 it is,
# in Alea 3.1 that is an option (`use_speeds`), off by default.
_SCALED = ", runtimes scaled"
SPEEDS = (*RANKINGS, f"mhz{_SCALED}", f"ratings{_SCALED}")


@lru_cache(maxsize=3)
def system(name: str, *, seed: int = 1, ranking: str = "mhz") -> System:
    """Return one of `SYSTEMS`; FileNotFoundError names a missing log.

    Jobs and failures of the stand-in systems are those of the seed; MetaCentrum has a ranking of
    its clusters, of `SPEEDS`.
    """
    if name == "metacentrum":
        return metacentrum(ranking)
    return {"grid5000": grid5000, "das2": das2}[name](seed)


def metacentrum(ranking: str) -> System:
    """Return MetaCentrum with its clusters ranked, and runtimes scaled by their speed or not."""
    frame = read_swf(found(META_FILES[0])).frame
    frame = frame.assign(runtime=frame["runtime"].where(frame["runtime"] != 0, 1))
    jobs = Workload.from_frame(frame)
    workload = jobs.select(jobs.submit >= FIRST, rule="before_2009")
    machines = read_metacentrum_machines(found(META_FILES[1])).frame
    grid = grid_from_frame(machines)
    speed = RANKINGS[ranking.removesuffix(_SCALED)]
    speeds = [speed(row) for row in machines.to_dict("records")]
    ranked = zip(grid.clusters, speeds, strict=True)
    grid = Grid(tuple(replace(cluster, speed=speed) for cluster, speed in ranked))
    log = read_metacentrum_failures(found(META_FILES[2])).frame
    failures, _ = grid_failures(log, grid, origin=_ORIGIN)
    places = partitions_in_order(workload.partition)
    suits, _ = reconstruct(workload, places, clusters=len(grid.clusters), by=("user", "queue"))
    scale = None
    if ranking.endswith(_SCALED):
        scale = runtime_scale(grid, [places[name] for name in workload.partition.tolist()])
    return System(workload, grid, suits, {"": lasting(failures)}, scale=scale)
