"""Table 1 of `wsj`: five ways to choose machines for a parallel job, each schedule simulated.

Speeds, work, period and repair CV are unpublished. Ours: speeds from 1 to 5 even in their
logarithm, or even themselves, rates and repairs as in section 5, and work such that the fault-aware
schedule on the fewest machines is expected to take the printed time. Equal-time shares are a step
of the fault-aware algorithm; how its rivals share the work is not said, nor over which time a
machine's reliability is that of "during execution". Each reading is played.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from perfmodel import ValidityWarning
from perfmodel.partition import (
    Machines,
    Schedule,
    evaluate_set,
    schedule_bisection,
    schedule_random,
    schedule_speed,
)
from sim.application import simulate_parallel_makespans
from sim.records import FloatArray

from ..sweep import Result, sweep
from .systems import HEAVY_CV, REPAIR_CV, USUAL, Choice, Repair, System, draw

COLUMNS = ((100, 10), (100, 20), (100, 40), (1000, 100), (1000, 200), (1000, 400))
PRINTED = {
    "fault-aware": (314.7, 207.8, 168.4, 370.2, 256.0, 228.5),
    "random": (612.0, 351.6, 221.3, 695.4, 451.9, 372.3),
    "speed-only": (362.5, 239.4, 182.8, 486.7, 348.8, 287.1),
    "reliability-only": (472.2, 277.2, 185.1, 545.7, 339.6, 262.4),
    "speed-reliability": (449.0, 275.6, 184.3, 524.2, 332.8, 259.5),
}
SHARES = ("even", "equal-time")  # of the rivals
RELIABILITIES = ("an even share on it", "the whole work on it", "the same for all")  # during what
_PERIODS, _CVS = (USUAL.interval, 20.0, 100.0), (1.0, REPAIR_CV, HEAVY_CV)
CHOICES = (
    *(Choice(period, cv=cv) for period, cv in product(_PERIODS, _CVS)),
    Choice(even_speeds=True),
)
_FEWEST = {100: (10, 314.7), 1000: (100, 370.2)}  # machines: processes, printed time [h]
_PLAYS = 20
_SEED = 1
_DRAWN = 5  # systems by which the work is set


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Mean completion times, [h]: one row per column of Table 1, then systems.

    `times` are by the rivals' shares and rule, as `rule_of` names it; fault-aware is the same in
    both. `work` [h at speed 1] is by machines.
    """

    times: dict[str, dict[str, FloatArray]]
    work: Mapping[int, float]


def rule_of(rule: str, over: str) -> str:
    """Return the name of a rule of the paper with reliability during one kind of time."""
    return f"{rule}, {over}" if "reliability" in rule else rule


_RULES = (*dict.fromkeys(rule_of(rule, over) for rule in PRINTED for over in RELIABILITIES),)


def reliability(work: float, system: System, processes: int, over: str) -> FloatArray:
    """Return an increasing function of the probability that a machine does not fail.

    Its logarithm, up to a factor: less than nothing, and the greater the better.
    """
    time = {
        RELIABILITIES[0]: work / (processes * system.speed),
        RELIABILITIES[1]: work / system.speed,
        RELIABILITIES[2]: np.full(system.speed.size, work / processes),
    }
    return np.asarray(-time[over] / system.mtbf)


def schedules(
    work: float,
    system: System,
    processes: int,
    order: npt.ArrayLike,
    choice: Choice = USUAL,
) -> dict[str, Schedule]:
    """Return the schedule of each rule, on that many machines, with equal-time shares."""
    machines = _machines(system, choice)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # simulated
        found = {
            "fault-aware": schedule_bisection(work, machines, processes=processes),
            "random": schedule_random(work, machines, order=order, processes=processes),
            "speed-only": schedule_speed(work, machines, processes=processes),
        }
        for over in RELIABILITIES:
            log = reliability(work, system, processes, over)
            for rule, key in (
                ("reliability-only", log),
                ("speed-reliability", np.log(system.speed) + log),
            ):
                chosen = np.argsort(-key, kind="stable")[:processes]
                found[rule_of(rule, over)] = evaluate_set(work, machines, chosen)
    return found


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


def play_tables(
    choices: Sequence[Choice],
    systems: int,
    *,
    plays: int = _PLAYS,
    workers: int = 2,
    path: Path | None = None,
) -> dict[Choice, Table]:
    """Play Table 1 under every choice, on several processes; what is in the file is not played."""
    works = {choice: {nodes: whole_work(nodes, choice) for nodes in _FEWEST} for choice in choices}
    tasks = [
        _Cell(choice, column, k, plays, works[choice][COLUMNS[column][0]])
        for choice, column, k in product(choices, range(len(COLUMNS)), range(systems))
    ]
    shape = len(COLUMNS), systems
    tables = {
        choice: Table(
            {shares: {rule: np.empty(shape) for rule in _RULES} for shares in SHARES},
            works[choice],
        )
        for choice in choices
    }
    for cell, times in sweep(tasks, _play, path=path, workers=workers).items():
        for shares, rule in product(SHARES, _RULES):
            tables[cell.choice].times[shares][rule][cell.column, cell.system] = times[shares][rule]
    return tables


@dataclass(frozen=True, slots=True)
class _Cell:
    """One system, `system` its number, in one column of Table 1."""

    choice: Choice
    column: int
    system: int
    plays: int
    work: float


def _play(cell: _Cell) -> Result:
    """Return the mean time by shares and rule, [h]."""
    nodes, processes = COLUMNS[cell.column]
    choice = cell.choice
    repair = Repair("LogNormal", choice.cv)
    system = _system(nodes, cell.system, choice)
    order = np.random.default_rng((_SEED, nodes, cell.system, 1)).permutation(nodes)
    found = schedules(cell.work, system, processes, order, choice)
    times: Result = {kind: {} for kind in SHARES}
    for rule, schedule in found.items():
        machines = system.machines(repair, schedule.chosen, choice=choice)
        for kind, shares in _shares(rule, schedule, cell.work):
            walls = simulate_parallel_makespans(
                shares.tolist(), machines, replications=cell.plays, seed=cell.system
            )
            times[kind][rule] = float(walls.mean())
    times[SHARES[0]]["fault-aware"] = times[SHARES[1]]["fault-aware"]
    return times


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
