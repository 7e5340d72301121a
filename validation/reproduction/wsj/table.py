"""Table 1 of `wsj`: five ways to choose machines for a parallel job, each schedule simulated.

Speeds, work, period, storage cost and repair CV are unpublished. Ours: speeds from 1 to 5 even in
their logarithm, rates and repairs as in section 5, and work such that the fault-aware schedule on
the fewest machines is expected to take the printed time. Equal-time shares are a step of the
fault-aware algorithm; how its rivals share the work is not said, so each has both kinds.

Reliability has one reading, that of `schedule_reliability`: of a machine during the time that an
even share of the work takes on it. Another, by MTBF alone, is reported only.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from perfmodel import ValidityWarning
from perfmodel.partition import (
    Machines,
    Schedule,
    evaluate_set,
    schedule_bisection,
    schedule_random,
    schedule_reliability,
    schedule_speed,
    schedule_speed_reliability,
)
from sim.application import simulate_parallel_makespans
from validation import processes as several

from ..shown import progress_lines
from .systems import USUAL, Choice, Repair, System, draw

__all__ = [
    "BY_MTBF",
    "COLUMNS",
    "PRINTED",
    "SHARES",
    "Table",
    "play_table",
    "play_tables",
    "schedules",
    "whole_work",
]

FloatArray = npt.NDArray[np.float64]

COLUMNS = ((100, 10), (100, 20), (100, 40), (1000, 100), (1000, 200), (1000, 400))
PRINTED = {
    "fault-aware": (314.7, 207.8, 168.4, 370.2, 256.0, 228.5),
    "random": (612.0, 351.6, 221.3, 695.4, 451.9, 372.3),
    "speed-only": (362.5, 239.4, 182.8, 486.7, 348.8, 287.1),
    "reliability-only": (472.2, 277.2, 185.1, 545.7, 339.6, 262.4),
    "speed-reliability": (449.0, 275.6, 184.3, 524.2, 332.8, 259.5),
}
BY_MTBF = "reliability by MTBF alone"
SHARES = ("even", "equal-time")  # of the rivals
_FEWEST = {100: (10, 314.7), 1000: (100, 370.2)}  # machines: processes, printed time [h]
_PLAYS = 50
_SEED = 1
_DRAWN = 10  # systems by which the work is set


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Mean completion times, [h]: one row per column of Table 1, then systems.

    `times` are by the rivals' shares and rule; fault-aware is the same in both. `lost` bounds from
    above what failures can add to the speed-only schedule. `work` [h at speed 1] is by machines.
    """

    times: dict[str, dict[str, FloatArray]]
    lost: FloatArray
    work: Mapping[int, float]


def schedules(
    work: float,
    system: System,
    processes: int,
    order: npt.ArrayLike,
    choice: Choice = USUAL,
) -> dict[str, Schedule]:
    """Return the schedule of each rule, on that many machines, with equal-time shares."""
    machines = _machines(system, choice)
    by_mtbf = np.argsort(-system.mtbf, kind="stable")[:processes]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # simulated, and by_mtbf may be far out
        return {
            "fault-aware": schedule_bisection(work, machines, processes=processes),
            "random": schedule_random(work, machines, order=order, processes=processes),
            "speed-only": schedule_speed(work, machines, processes=processes),
            "reliability-only": schedule_reliability(work, machines, processes=processes),
            "speed-reliability": schedule_speed_reliability(work, machines, processes=processes),
            BY_MTBF: evaluate_set(work, machines, by_mtbf),
        }


def whole_work(nodes: int, choice: Choice = USUAL, *, systems: int = _DRAWN) -> float:
    """Return the work with which fault-aware is expected to take the printed time, [h].

    That of Table 1's column with the fewest of `nodes` machines; a mean over drawn systems.
    """
    processes, printed = _FEWEST[nodes]
    drawn = [_machines(_system(nodes, k, choice), choice) for k in range(systems)]
    work = 3.0 * printed * processes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        for _ in range(4):  # time is nearly in proportion to work
            found = [schedule_bisection(work, each, processes=processes) for each in drawn]
            work *= printed / float(np.mean([schedule.expected_time for schedule in found]))
    return work


def play_table(systems: int, plays: int = _PLAYS, choice: Choice = USUAL) -> Table:
    """Draw systems and simulate every schedule; every rule has the same systems."""
    (found,) = play_tables([choice], systems, plays=plays, workers=1).values()
    return found


def play_tables(
    choices: Sequence[Choice], systems: int, *, plays: int = _PLAYS, workers: int = 2
) -> dict[Choice, Table]:
    """Play Table 1 under every choice, on several processes."""
    works = {choice: {nodes: whole_work(nodes, choice) for nodes in _FEWEST} for choice in choices}
    tasks = [
        _Cell(choice, column, k, plays, works[choice][COLUMNS[column][0]])
        for choice, column, k in product(choices, range(len(COLUMNS)), range(systems))
    ]
    rules = (*PRINTED, BY_MTBF)
    shape = len(COLUMNS), systems
    tables = {
        choice: Table(
            {shares: {rule: np.empty(shape) for rule in rules} for shares in SHARES},
            np.empty(shape),
            works[choice],
        )
        for choice in choices
    }
    with progress_lines(len(tasks), "schedules of Table 1") as step:
        for cell, (times, lost) in several.play(tasks, _play, workers=workers):
            at = cell.column, cell.system
            for shares, rule in product(SHARES, rules):
                tables[cell.choice].times[shares][rule][at] = times[shares, rule]
            tables[cell.choice].lost[at] = lost
            step()
    return tables


@dataclass(frozen=True, slots=True)
class _Cell:
    """One system, `system` its number, in one column of Table 1."""

    choice: Choice
    column: int
    system: int
    plays: int
    work: float


def _play(cell: _Cell) -> tuple[dict[tuple[str, str], float], float]:
    """Return the mean time by shares and rule, and the bound on what failures add, [h]."""
    nodes, processes = COLUMNS[cell.column]
    choice = cell.choice
    repair = Repair("LogNormal", choice.cv)
    system = _system(nodes, cell.system, choice)
    order = np.random.default_rng((_SEED, nodes, cell.system, 1)).permutation(nodes)
    found = schedules(cell.work, system, processes, order, choice)
    times = {}
    for rule, schedule in found.items():
        machines = system.machines(repair, schedule.chosen, choice=choice)
        for kind, shares in _shares(rule, schedule, cell.work):
            walls = simulate_parallel_makespans(
                shares.tolist(), machines, replications=cell.plays, seed=cell.system
            )
            times[kind, rule] = float(walls.mean())
    times[SHARES[0], "fault-aware"] = times[SHARES[1], "fault-aware"]
    fastest = found["speed-only"]
    # The delay of the slowest is at most the sum of the delays of all.
    stored = 1.0 + choice.storage / choice.interval
    time = fastest.shares / system.speed[fastest.chosen] * stored
    each = system.mttr[fastest.chosen] + choice.interval + choice.storage
    return times, float(np.sum(time / system.mtbf[fastest.chosen] * each))


def _shares(rule: str, schedule: Schedule, work: float) -> Iterator[tuple[str, FloatArray]]:
    """Yield the kinds of shares a rule is played with; the fault-aware one has its own."""
    yield SHARES[1], schedule.shares
    if rule != "fault-aware":
        yield SHARES[0], np.full(schedule.chosen.size, work / schedule.chosen.size)


def _system(nodes: int, k: int, choice: Choice) -> System:
    rng = np.random.default_rng((_SEED, nodes, k))
    return draw(rng, nodes, speeds=5.0, even=choice.even_speeds)


def _machines(system: System, choice: Choice) -> Machines:
    return Machines(
        speed=system.speed,
        mtbf=system.mtbf,
        mttr=system.mttr,
        mttr_cv=choice.cv,
        interval=choice.interval,
        checkpoint_cost=choice.storage,
    )
