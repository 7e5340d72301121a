"""The three systems of `grid`: real data, and replacements for unpublished data.

MetaCentrum: real jobs, machines and failures; requirements reconstructed from user, queue and
executing cluster. Grid'5000-like: machines and failures from the real availability trace, jobs
drawn to the printed rate, mean length and utilisation. DAS-2-like: all drawn; four of its five
clusters come into service later, as a share of the time as late as in Fig. 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from perfmodel.fitting import fit_lifetime
from sim.cluster import Failures, Workload
from sim.cluster.grid import (
    ClusterSpec,
    FailureModel,
    Grid,
    average_failure_count,
    generate_failures,
    grid_failures,
    grid_from_frame,
    partitions_in_order,
    reconstruct,
)
from sim.streams import JOB_LOG, stream
from sim.traces import (
    locate,
    read_fta,
    read_fta_table,
    read_lanl,
    read_metacentrum_failures,
    read_metacentrum_machines,
    read_swf,
)

__all__ = [
    "SYSTEMS",
    "System",
    "afc_table",
    "at_hand",
    "first_use",
    "installed",
    "lanl_rates",
    "repair_times",
    "shortened",
    "system",
]

SYSTEMS = ("metacentrum", "grid5000", "das2")
_ORIGIN = 1_228_910_204.0  # of the MetaCentrum job log, Unix time
_META = "jobs/metacentrum-2009"
_META_FILES = tuple(
    f"{_META}/{name}"
    for name in ("METACENTRUM-2009-2.swf", "metacentrum.machines.mwf", "metacentrum.mwf.failures")
)
_FTA = "failures/grid5000-fta"
_FTA_FILES = (f"{_FTA}/event_trace.tab", f"{_FTA}/node.tab")
_LANL = "failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv"
_DAY, _HOUR = 86_400.0, 3600.0
_WINDOW = 1_141_171_200.0  # 2006-03-01, in the middle of the availability trace
# Printed: jobs, seconds, utilisation, mean length [s]; that of DAS-2 is not printed.
_GRID5000 = (1_020_195, 548 * _DAY, 0.17, 2608.0)
_DAS2 = (1_124_772, 683 * _DAY, 0.10, 400.0)
_DAS2_LATE = 90.0 / 683.0  # "approximately three months later", as a share of the log
_CV = 5.0  # of lengths: killed jobs were 23 times as long as the mean, so 1 + CV^2 is about 23
_JOBS, _APPLICATIONS = 20_000, 60


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """Jobs, clusters, the clusters allowed to each job, and failures by suffix of the scenario.

    `late` machines are out at the start, because their clusters came into service later.
    """

    workload: Workload
    grid: Grid
    suitability: Any
    failures: dict[str, Failures]
    late: int = 0


@lru_cache(maxsize=2)
def system(name: str) -> System:
    """Return one of `SYSTEMS`; FileNotFoundError names a missing log."""
    return {"metacentrum": _metacentrum, "grid5000": _grid5000, "das2": _das2}[name]()


def at_hand() -> list[str]:
    """Return the logs that are missing."""
    return [log for log in (*_META_FILES, *_FTA_FILES, _LANL) if locate(log) is None]


def _path(relative: str) -> Any:
    path = locate(relative)
    if path is None:
        raise FileNotFoundError(f"{relative} is missing")
    return path


def _metacentrum() -> System:
    workload = Workload.from_frame(read_swf(_path(_META_FILES[0])).frame)
    grid = grid_from_frame(read_metacentrum_machines(_path(_META_FILES[1])).frame)
    log = read_metacentrum_failures(_path(_META_FILES[2])).frame
    failures, _ = grid_failures(log, grid, origin=_ORIGIN)
    places = partitions_in_order(workload.partition)
    suits, _ = reconstruct(workload, places, clusters=len(grid.clusters), by=("user", "queue"))
    return System(workload, grid, suits, {"": failures})


def _grid5000() -> System:
    grid, names = _grid5000_machines()
    frame = read_fta(_path(_FTA_FILES[0])).frame
    length = _JOBS * _GRID5000[1] / _GRID5000[0]
    begin, end = frame["time"].to_numpy(), (frame["time"] + frame["repair"]).to_numpy()
    inside = (end > _WINDOW) & (begin < _WINDOW + 3 * length)
    node = np.array([names[name] for name in frame["node"][inside]], dtype=np.int64)
    clipped = np.maximum(begin[inside], _WINDOW)
    failures = Failures(time=clipped - _WINDOW, node=node, repair=end[inside] - clipped)
    workload, suits = _drawn_jobs(grid, *_GRID5000, seed=5000)
    return System(workload, grid, suits, {"": failures})


def _grid5000_machines() -> tuple[Grid, dict[str, int]]:
    table = read_fta_table(_path(_FTA_FILES[1])).frame
    table = table.sort_values(["node_location", "node_name"], kind="stable")
    sizes = table.groupby("node_location", sort=True).size()
    grid = Grid(tuple(ClusterSpec(str(name), int(size), 2) for name, size in sizes.items()))
    return grid, {str(name): place for place, name in enumerate(table["node_name"])}


def _das2() -> System:
    grid = Grid((ClusterSpec("fs0", 72, 2), *(ClusterSpec(f"fs{k}", 32, 2) for k in range(1, 5))))
    span = _JOBS * _DAS2[1] / _DAS2[0]
    opening = np.array([0.0, *(_DAS2_LATE * span,) * 4])
    workload, suits = _drawn_jobs(grid, *_DAS2, seed=2, opening=opening)
    in_service = first_use(workload, len(grid.clusters))
    last = 2.0 * float(workload.submit[-1])
    afc = afc_table()
    failures = {}
    for suffix, source in (("-L", "LANL"), ("-M", "MetaCentrum")):
        row = fit_lifetime(repair_times()[source], families=["weibull"], resolution=60.0).best
        model = FailureModel(
            afc=afc[source] / 24.0,
            gap_shape=0.7,
            repair_shape=row.parameters["shape"],
            repair_scale=row.parameters["scale"],
            burst_size=2.0,
        )
        failures[suffix] = generate_failures(
            grid, model, end=last, seed=3, in_service=in_service.tolist()
        )
    late = sum(c.machines for c, t in zip(grid.clusters, in_service, strict=True) if t > 0.0)
    return System(workload, grid, suits, failures, late)


def first_use(workload: Workload, clusters: int) -> Any:
    """Return the first use of each cluster by a job, [s]; the earliest of all is second 0."""
    first = [workload.submit[workload.partition == c + 1].min() for c in range(clusters)]
    return np.array(first) - min(first)


def _drawn_jobs(
    grid: Grid,
    jobs: int,
    span: float,
    utilisation: float,
    length: float,
    *,
    seed: int,
    opening: Any = None,
) -> tuple[Workload, Any]:
    """Draw `_JOBS` jobs at the printed rate, mean length and utilisation.

    Lengths are lognormal, sizes powers of two whose mean fits the utilisation, arrivals Poisson;
    an application uses one to four clusters. No job runs on a cluster before its `opening`, and
    applications that have no other cluster are not drawn before.
    """
    rng = stream(seed, *JOB_LOG)
    sigma = math.sqrt(math.log1p(_CV**2))
    runtime = rng.lognormal(math.log(length) - sigma**2 / 2.0, sigma, _JOBS)
    runtime = np.maximum(1.0, np.round(runtime * length / runtime.mean()))
    chance = _zipf(_APPLICATIONS)
    application = rng.choice(_APPLICATIONS, _JOBS, p=chance)
    homes = _homes(rng, grid)
    ran = np.array([rng.choice(np.flatnonzero(homes[a])) for a in application])
    sizes = np.array([cluster.size for cluster in grid.clusters])
    mean = utilisation * grid.size * span / (jobs * length)
    powers = 2 ** np.arange(int(np.log2(sizes.max())) + 1)
    processors = rng.choice(powers, _JOBS, p=_powers_with_mean(powers, mean))
    submit = np.cumsum(rng.exponential(span / jobs, _JOBS))
    for job in np.flatnonzero(submit < np.max(opening)) if opening is not None else ():
        there = homes & (opening <= submit[job])
        weight = chance * there.any(axis=1)
        application[job] = rng.choice(_APPLICATIONS, p=weight / weight.sum())
        ran[job] = rng.choice(np.flatnonzero(there[application[job]]))
    workload = Workload(
        submit=submit,
        runtime=runtime,
        walltime=runtime,
        processors=np.minimum(processors, sizes[ran]),
        executable=application,
        partition=ran + 1,
    )
    places = {place + 1: place for place in range(len(grid.clusters))}
    return workload, reconstruct(workload, places, clusters=len(grid.clusters))[0]


def _homes(rng: np.random.Generator, grid: Grid) -> Any:
    """Draw the clusters of each application: one to four, weighted by machines."""
    weights = np.array([cluster.machines for cluster in grid.clusters], dtype=np.float64)
    homes = np.zeros((_APPLICATIONS, weights.size), dtype=np.bool_)
    for row in homes:
        count = rng.integers(1, min(4, row.size) + 1)
        row[rng.choice(row.size, count, False, weights / weights.sum())] = True
    return homes


def _zipf(count: int) -> Any:
    weights = 1.0 / np.arange(1, count + 1)
    return weights / weights.sum()


def _powers_with_mean(powers: Any, mean: float) -> Any:
    """Return probabilities proportional to powers^-a with mean `mean`, by bisection over a."""
    low, high = -3.0, 6.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        weights = powers.astype(np.float64) ** -middle
        low, high = (middle, high) if weights @ powers / weights.sum() > mean else (low, middle)
    return weights / weights.sum()


@lru_cache(maxsize=1)
def _logs() -> dict[str, tuple[Any, int, float]]:
    """Return log -> (frame of failures, machines, their mean days in service)."""
    sizes = read_metacentrum_machines(_path(_META_FILES[1])).frame.set_index("name")["nodes"]
    meta, meta_days = installed(read_metacentrum_failures(_path(_META_FILES[2])).frame, sizes)
    fta = read_fta(_path(_FTA_FILES[0])).frame
    lanl = read_lanl(_path(_LANL)).frame
    lanl = lanl[lanl["nodes"] > 0]
    # Every system of LANL over its own years.
    nodes = lanl.groupby("system")["nodes"].max()
    lanl_days = float((nodes * lanl.groupby("system")["time"].agg(_days)).sum())
    return {
        "LANL": (lanl, int(nodes.sum()), lanl_days / int(nodes.sum())),
        "MetaCentrum": (meta, int(sizes.sum()), meta_days / int(sizes.sum())),
        "Grid'5000": (fta, 1288, _days(fta["time"])),
    }


def _days(times: Any) -> float:
    return float(times.max() - times.min()) / _DAY


def installed(log: Any, sizes: Any) -> tuple[Any, float]:
    """Return a log without outages before a cluster came into service, and machine-days in service.

    A cluster is not yet in service if all its machines are out from the first instant of the log.
    """
    at_start = log["time"] == log["time"].min()
    out = log[at_start].groupby("system")["node"].nunique()
    late = at_start & log["system"].isin(out.index[out == sizes.reindex(out.index)])
    span = _days(log["time"])
    missing = (log["repair"][late] / _DAY).clip(upper=span).sum()
    return log[~late], float(sizes.sum() * span - missing)


def afc_table() -> dict[str, float]:
    """Return failures per machine and day, of each log."""
    return {
        name: 24.0 * average_failure_count(len(frame), machines, 24.0 * days)
        for name, (frame, machines, days) in _logs().items()
    }


def repair_times() -> dict[str, Any]:
    """Return the known failure durations above 0 of each log, [s]."""
    found = {}
    for name, (frame, _, _) in _logs().items():
        repair = frame["repair"].to_numpy(dtype=np.float64)
        found[name] = repair[np.isfinite(repair) & (repair > 0.0)]
    return found


def shortened(one: System, jobs: int) -> System:
    """Return a system with its first jobs only, for tests."""
    chosen = np.arange(jobs)
    return replace(one, workload=one.workload.select(chosen), suitability=one.suitability[chosen])


def lanl_rates() -> list[tuple[int, int, float]]:
    """Return (system, machines, failures per year) of LANL's systems of several machines."""
    frame = _logs()["LANL"][0]
    found = []
    for name, part in frame.groupby("system"):
        years = float(part["time"].max() - part["time"].min()) / (365.25 * _DAY)
        machines = int(part["nodes"].max())
        if machines > 1 and years > 0.0:
            found.append((int(str(name)), machines, len(part) / years))
    return found
