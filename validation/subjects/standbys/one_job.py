"""The mean time of one job with standby blocks, segment by segment from its last one.

For each segment the mean times that are left in all its phases are one system of equations. Each
fault drops or changes one rule; without one the mean is right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import expm, solve

from perfmodel.standbys import expected_makespan_standbys, spares_goodput
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case, Point
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep

from ..cached_simulators import simulate_standby_makespans
from .definitions import ENDLESS, first_return

__all__ = ["CASES", "MUTANTS", "SWEEPS", "mean_time"]

Predict = Callable[..., Any]

_AGREE = 1e-8  # relative; the matrices of the definition are not computed without subtractions
_LARGEST = 1e100  # times the work: a solution by subtractions has no digits there


def mean_time(
    work: float,
    *,
    fault: str = "",
    blocks: float,
    standbys: float,
    interval: float,
    block_mtbf: float,
    mttr: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    switch_time: float = 0.0,
    crews: float = math.inf,
    standby_hazard: float = 0.0,
    stopped_hazard: float = 0.0,
    under_repair: float = 0.0,
) -> float:
    """Return the mean makespan, with a fault if one is named; `work` is of whole segments."""
    size = int(standbys) + 1 + (fault == "one standby too many")
    spare = size - 1
    if fault == "standbys never fail":
        standby_hazard = 0.0
    if fault == "no failure in a stop":
        stopped_hazard = 0.0
    if fault == "a crew for every block":
        crews = math.inf
    down = np.arange(size)
    fails = standby_hazard / block_mtbf * (spare - down)
    returns = np.minimum(down, crews) / mttr
    generator = np.diag(fails[:-1], 1) + np.diag(returns[1:], -1) - np.diag(fails + returns)
    deeper = spare + 1.0 + np.arange(blocks)
    wait = first_return(deeper, stopped_hazard / block_mtbf, blocks + spare, crews, mttr)
    if wait == ENDLESS:
        return math.inf
    if fault == "no wait":
        wait = 0.0
    rate = blocks / block_mtbf

    def exposed(span: float, hazard: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the chances to survive and to be struck, and the mean time with a wait."""
        lives = expm((generator - hazard * np.eye(size)) * span)
        dies, time = np.zeros_like(lives), span
        if hazard > 0.0:
            dies = hazard * solve(hazard * np.eye(size) - generator, np.eye(size) - lives)
            time = -math.expm1(-hazard * span) / hazard
        return lives, dies, time + wait * dies[:, -1]

    taken = np.zeros((size, size))  # a failure takes a block from the pool, if there is one
    taken[down, np.minimum(down + (fault != "a failure takes no block"), spare)] = 1.0
    phases = (
        exposed(interval + checkpoint_cost, rate),
        exposed(recovery_cost, 0.0 if fault == "recovery never fails" else rate),
        exposed(switch_time, rate * stopped_hazard),
    )
    matrix, nothing = np.eye(3 * size), np.zeros((size, size))
    follows = (None, 0, 1)  # segment, recovery, stop
    for place, (lives, dies, _) in enumerate(phases):
        row = [nothing, nothing, dies @ taken]
        following = follows[place]
        if following is not None:
            row[following] = row[following] + lives
        matrix[place * size : (place + 1) * size] -= np.hstack(row)
    times = np.concatenate([time for _, _, time in phases])
    left = np.zeros(size)
    for _ in range(round(work / interval) + (fault == "one segment too many")):
        ends = np.concatenate([phases[0][0] @ left, np.zeros(2 * size)])
        left = solve(matrix, times + ends)[:size]
        if fault == "all standbys are back after a segment":
            left = np.full(size, left[0])
    if fault == "as it is in the long run":
        return float(left.mean())
    return float(left[0 if fault == "all standbys up at first" else int(under_repair)])


FAULTS = (
    "all standbys up at first",
    "all standbys are back after a segment",
    "as it is in the long run",
    "one segment too many",
    "recovery never fails",
    "no wait",
    "a failure takes no block",
    "standbys never fail",
    "no failure in a stop",
    "a crew for every block",
    "one standby too many",
)


def makespan(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the mean makespan by simulated jobs."""
    walls = simulate_standby_makespans(
        work, **job, replications=budget.replications, seed=budget.seed
    )
    found = float(predict(work, **job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def by_segments(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the mean makespan by the equations of each segment."""
    del budget
    found, known = float(predict(work, **job)), mean_time(work, **job)
    if not known < _LARGEST * work:
        return compare_number(float(found > math.sqrt(_LARGEST) * work), 1.0, tolerance=0.0)
    return compare_number(found, known, tolerance=_AGREE)


def _point(fraction: Callable[[], float]) -> Point:
    point = drawn(expected_makespan_standbys, fraction)
    segments = max(round(point["work"] / point["interval"]), 1)
    point["work"] = segments * point["interval"]
    point["under_repair"] = min(int(fraction() * (point["standbys"] + 1)), point["standbys"])
    if fraction() < 0.5:
        point["crews"] = math.inf
    return point


def _wrong(work: float, *, fault: str, **job: Any) -> float:
    if fault == "work over the goodput":
        del job["under_repair"]
        return work / float(spares_goodput(**job))
    return mean_time(work, fault=fault, **job)


# Jobs so short that what is down at first decides.
_JOBS: tuple[Point, ...] = (
    {
        "work": 6.0,
        "blocks": 8,
        "standbys": 2,
        "block_mtbf": 40.0,
        "mttr": 12.0,
        "crews": 2.0,
        "standby_hazard": 0.5,
        "stopped_hazard": 0.5,
        "switch_time": 0.4,
        "recovery_cost": 0.5,
        "checkpoint_cost": 0.2,
        "interval": 1.5,
        "under_repair": 1,
    },
    {
        "work": 5.0,
        "blocks": 16,
        "standbys": 3,
        "block_mtbf": 60.0,
        "mttr": 20.0,
        "switch_time": 0.2,
        "recovery_cost": 0.2,
        "checkpoint_cost": 0.1,
        "interval": 2.0,
        "under_repair": 3,
    },
)

CASES = (Case(expected_makespan_standbys, makespan, _JOBS, effort=0.5),)
SWEEPS = (Sweep(expected_makespan_standbys, by_segments, _point, quick=4, full=200),)
MUTANTS = tuple(
    Mutant(expected_makespan_standbys, fault, partial(_wrong, fault=fault))
    for fault in (*FAULTS, "work over the goodput")
)
