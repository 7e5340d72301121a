"""Stand-ins for the two systems of `grid` whose jobs are not at hand; each seed draws them anew.

Grid'5000-like: machines and failures from the real availability trace, of another window for each
seed; jobs drawn to the printed rate, mean length and utilisation. DAS-2-like: all drawn; four of
its five clusters come into service later, as a share of the time as late as in Fig. 1.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from perfmodel.fitting import fit_lifetime
from sim.cluster import Failures, Workload
from sim.cluster.grid import ClusterSpec, FailureModel, Grid, generate_failures, reconstruct
from sim.streams import GRID_FAILURES, JOB_LOG, stream
from sim.traces import read_fta_table

from .logs import FTA_FILES, afc_table, availability, found, repair_times
from .system import LEAST_REPAIR, System, lasting

_DAY = 86_400.0
# Printed: jobs, seconds, utilisation, mean length [s]; that of DAS-2 is not printed.
_GRID5000 = (1_020_195, 548 * _DAY, 0.17, 2608.0)
_DAS2 = (1_124_772, 683 * _DAY, 0.10, 400.0)
DAS2_LATE = 90.0 / 683.0  # "approximately three months later", as a share of the log
_CV = 5.0  # of lengths: killed jobs were 23 times as long as the mean, so 1 + CV^2 is about 23
_JOBS, _APPLICATIONS = 20_000, 60
DAS2_SPAN = _JOBS * _DAS2[1] / _DAS2[0]  # D, [s]


def grid5000(seed: int) -> System:
    """Draw the jobs of the Grid'5000-like system, and a window of its availability trace."""
    grid, names = _grid5000_machines()
    frame = availability()
    length = 3 * _JOBS * _GRID5000[1] / _GRID5000[0]
    begin, end = frame["time"].to_numpy(), (frame["time"] + frame["repair"]).to_numpy()
    window = stream(seed, *GRID_FAILURES).uniform(begin.min(), begin.max() - length)
    inside = (end > window) & (begin < window + length)
    node = np.array([names[name] for name in frame["node"][inside]], dtype=np.int64)
    # As long as logged: a failure that began before the window is not short for that.
    lasting_ones = (end - begin)[inside] >= LEAST_REPAIR
    clipped = np.maximum(begin[inside], window)
    failures = Failures(
        time=(clipped - window)[lasting_ones],
        node=node[lasting_ones],
        repair=(end[inside] - clipped)[lasting_ones],
    )
    workload, suits = _drawn_jobs(grid, *_GRID5000, seed=seed)
    return System(workload, grid, suits, {"": failures})


@lru_cache(maxsize=1)
def _grid5000_machines() -> tuple[Grid, dict[str, int]]:
    table = read_fta_table(found(FTA_FILES[1])).frame
    table = table.sort_values(["node_location", "node_name"], kind="stable")
    sizes = table.groupby("node_location", sort=True).size()
    grid = Grid(tuple(ClusterSpec(str(name), int(size), 2) for name, size in sizes.items()))
    return grid, {str(name): place for place, name in enumerate(table["node_name"])}


def das2(seed: int) -> System:
    """Draw the jobs of the DAS-2-like system and two sets of failures, over the same time."""
    grid = Grid((ClusterSpec("fs0", 72, 2), *(ClusterSpec(f"fs{k}", 32, 2) for k in range(1, 5))))
    opening = np.array([0.0, *(DAS2_LATE * DAS2_SPAN,) * 4])
    workload, suits = _drawn_jobs(grid, *_DAS2, seed=seed, opening=opening)
    in_service = first_use(workload, len(grid.clusters))
    failures = {}
    for suffix, source in (("-L", "LANL"), ("-M", "MetaCentrum")):
        feed = generate_failures(
            grid, _model(source), end=DAS2_SPAN, seed=seed, in_service=in_service.tolist()
        )
        failures[suffix] = lasting(feed)
    return System(workload, grid, suits, failures)


@lru_cache(maxsize=2)
def _model(source: str) -> FailureModel:
    row = fit_lifetime(repair_times()[source], families=["weibull"], resolution=60.0).best
    return FailureModel(
        afc=afc_table()[source] / 24.0,
        gap_shape=0.7,
        repair_shape=row.parameters["shape"],
        repair_scale=row.parameters["scale"],
        burst_size=2.0,
    )


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
