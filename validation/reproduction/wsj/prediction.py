"""Figs 8 and 9 of `wsj`: its model against jobs simulated by the rules of real machines."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from perfmodel import ValidityWarning, slowest, wsj_makespan
from sim.application import simulate_parallel_makespans
from validation import processes
from validation.subjects.laws import predictable

from ..rows import Estimate, Row, Word, above, worst
from ..shown import progress_lines
from .systems import REPAIRS, USUAL, Choice, Repair, System, draw

__all__ = [
    "POINTS",
    "Point",
    "Task",
    "all_points",
    "below",
    "half_of",
    "measure",
    "play_points",
    "predicted_mean",
    "rows",
]

FloatArray = npt.NDArray[np.float64]

# Nodes and work on each, [h].
POINTS = (
    tuple((100, work) for work in (16.0, 32.0, 64.0, 128.0, 256.0, 512.0)),
    tuple((nodes, 32.0) for nodes in (25, 50, 100, 200, 400, 800)),
)
_BOUND = 0.10
_PLAYS = 2000
_SEED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Prediction errors at one number of nodes and work, one element per drawn system.

    Parameters
    ----------
    figure, nodes, work : int, int, float, [-], [-], [h]
        Figure, number of nodes and work on each.
    repair : Repair
        Law of the repairs.
    error, half : ndarray, [-]
        Prediction over the mean of all simulations - 1, and the half width of its 95 % interval.
    single : ndarray, [-]
        Mean relative distance of the prediction from single simulations.
    """

    figure: int
    nodes: int
    work: float
    repair: Repair
    error: FloatArray
    half: FloatArray
    single: FloatArray


@dataclass(frozen=True, slots=True)
class Task:
    """What `measure` takes for one point."""

    figure: int
    nodes: int
    work: float
    repair: Repair
    systems: int
    plays: int = _PLAYS
    choice: Choice = USUAL

    def play(self) -> Point:
        """Measure the point."""
        return measure(
            self.figure,
            self.nodes,
            self.work,
            self.repair,
            systems=self.systems,
            plays=self.plays,
            choice=self.choice,
        )


def predicted_mean(system: System, work: float, repair: Repair, choice: Choice = USUAL) -> float:
    """Return the mean completion time by the corrected model, [h]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # the error is measured here
        tasks = [
            wsj_makespan(
                work,
                mtbf=float(mtbf),
                downtime=predictable(repair.law(float(mttr))),
                interval=choice.interval,
                checkpoint_cost=choice.storage,
            )
            for mtbf, mttr in zip(system.mtbf, system.mttr, strict=True)
        ]
    return slowest(tasks).mean


def measure(
    figure: int,
    nodes: int,
    work: float,
    repair: Repair,
    *,
    systems: int,
    plays: int = _PLAYS,
    choice: Choice = USUAL,
) -> Point:
    """Draw systems, predict and simulate each; every repair law has the same systems."""
    error, half, single = (np.empty(systems) for _ in range(3))
    for k in range(systems):
        system = draw(np.random.default_rng((_SEED, nodes, k)), nodes)
        guess = predicted_mean(system, work, repair, choice)
        walls = simulate_parallel_makespans(
            [work] * nodes,
            system.machines(repair, choice=choice),
            replications=plays,
            seed=1000 + k,
        )
        mean = float(walls.mean())
        error[k] = guess / mean - 1.0
        half[k] = 1.96 * guess / mean**2 * float(walls.std(ddof=1)) / np.sqrt(plays)
        single[k] = float(np.mean(np.abs(guess / walls - 1.0)))
    return Point(figure, nodes, work, repair, error, half, single)


def below(error: float, half: float, bound: float) -> Word:
    """Judge |error| < bound: unresolved where the interval contains the bound."""
    if abs(error) + half < bound:
        return "holds"
    return "fails" if abs(error) - half > bound else "unresolved"


def all_points(
    systems: int, repairs: Sequence[Repair] = REPAIRS, *, workers: int = 2
) -> list[Point]:
    """Return every point of both figures, played on several processes."""
    tasks = [
        Task(figure, *place, repair, systems)
        for repair in repairs
        for figure, places in zip((8, 9), POINTS, strict=True)
        for place in places
    ]
    return play_points(tasks, "points of Figs 8 and 9", workers=workers)


def play_points(tasks: Sequence[Task], what: str, *, workers: int) -> list[Point]:
    """Return the point of each task, in their order."""
    found = {}
    with progress_lines(len(tasks), what) as step:
        for task, point in processes.play(tasks, Task.play, workers=workers):
            found[task] = point
            step()
    return [found[task] for task in tasks]


def rows(points: Sequence[Point]) -> Iterator[Row]:
    """Yield one row per repair law and figure, and how the errors of Fig. 8 change."""
    kinds = dict.fromkeys((point.repair, point.figure) for point in points)
    for repair, figure in kinds:
        mine = [p for p in points if p.repair == repair and p.figure == figure]
        where = max(mine, key=lambda point: float(np.max(np.abs(point.error))))
        k = int(np.argmax(np.abs(where.error)))
        verdict = worst(below(float(p.error.mean()), half_of(p), _BOUND) for p in mine)
        means = ", ".join(f"{100 * float(p.error.mean()):+.1f}" for p in mine)
        single = ", ".join(f"{100 * float(p.single.mean()):.0f}" for p in mine)
        ranges = "16 .. 512 h, 100 nodes" if figure == 8 else "25 .. 800 nodes, 32 h"
        yield Row(
            f"Fig. {figure}, error of the predicted mean, {ranges}, {repair} [%]",
            "< 10",
            f"{means}; largest of a system {100 * where.error[k]:+.1f} ± {100 * where.half[k]:.1f} "
            f"({where.nodes} nodes, {where.work:g} h)",
            "",
            "E (bound)",
            verdict,
            f"from a single play: {single}",
        )
        if figure == 8 and len(mine) > 1:
            yield _falling(mine)


def _falling(points: Sequence[Point]) -> Row:
    """Return the row on the error as the work grows."""
    sizes = [Estimate(abs(float(p.error.mean())), half_of(p)) for p in points]
    steps = (
        Estimate(less.mean - more.mean, float(np.hypot(less.half, more.half)))
        for less, more in pairwise(sizes)
    )
    return Row(
        f"Fig. 8, the error falls as the work on each node grows, {points[0].repair} [%]",
        "decreases",
        ", ".join(f"{100 * size.mean:.1f} ± {100 * size.half:.1f}" for size in sizes),
        "",
        "O",
        worst(above(0.0, step, by_interval=True) for step in steps),
    )


def half_of(point: Point) -> float:
    """Return the half width of the mean error over systems, from the simulations alone."""
    return float(np.sqrt(np.sum(point.half**2)) / point.half.size)
