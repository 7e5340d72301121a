"""Table 1 of `wsj`: five ways to choose machines for a parallel job, each schedule simulated.

Speeds, work and repair law are unpublished. Ours: speeds from 1 to 5 even in their logarithm
(its means come nearest to the printed ratios), rates and repairs as in section 5, lognormal
repair of CV 2.4, work such that the fault-aware schedule on the fewest machines takes about the
printed time. Reliability is that of a machine during its own part of the work, as the paper
defines it, parts being even until machines are chosen; by MTBF alone it would not see speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

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

from ..rows import Estimate, Row, Word, estimate, ordered, worst
from ..shown import progress_lines
from .section3 import within
from .systems import INTERVAL, REPAIR_CV, STORAGE, Repair, System, draw

__all__ = ["COLUMNS", "PRINTED", "Table", "play_table", "rows", "schedules"]

FloatArray = npt.NDArray[np.float64]

# Machines, processes and all work [h at speed 1].
COLUMNS = (
    (100, 10, 13_100.0),
    (100, 20, 13_100.0),
    (100, 40, 13_100.0),
    (1000, 100, 141_000.0),
    (1000, 200, 141_000.0),
    (1000, 400, 141_000.0),
)
PRINTED = {
    "fault-aware": (314.7, 207.8, 168.4, 370.2, 256.0, 228.5),
    "random": (612.0, 351.6, 221.3, 695.4, 451.9, 372.3),
    "speed-only": (362.5, 239.4, 182.8, 486.7, 348.8, 287.1),
    "reliability-only": (472.2, 277.2, 185.1, 545.7, 339.6, 262.4),
    "speed-reliability": (449.0, 275.6, 184.3, 524.2, 332.8, 259.5),
}
BY_MTBF = "reliability by MTBF alone"
_REPAIR = Repair("LogNormal", REPAIR_CV)
_PLAYS = 50
_SEED = 1


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Mean completion times of every rule, [h]: one row per column of Table 1, then systems.

    `lost` [h] bounds from above what failures can add to the speed-only schedule.
    """

    times: dict[str, FloatArray]
    lost: FloatArray


def schedules(
    work: float, system: System, processes: int, order: npt.ArrayLike
) -> dict[str, Schedule]:
    """Return the schedule of each rule, on that many machines."""
    machines = Machines(
        speed=system.speed,
        mtbf=system.mtbf,
        mttr=system.mttr,
        mttr_cv=REPAIR_CV,
        interval=INTERVAL,
        checkpoint_cost=STORAGE,
    )
    by_mtbf = np.argsort(-system.mtbf, kind="stable")[:processes]
    return {
        "fault-aware": schedule_bisection(work, machines, processes=processes),
        "random": schedule_random(work, machines, order=order, processes=processes),
        "speed-only": schedule_speed(work, machines, processes=processes),
        "reliability-only": schedule_reliability(work, machines, processes=processes),
        "speed-reliability": schedule_speed_reliability(work, machines, processes=processes),
        BY_MTBF: evaluate_set(work, machines, by_mtbf),
    }


def play_table(systems: int, plays: int = _PLAYS) -> Table:
    """Draw systems and simulate every schedule; every rule has the same systems."""
    times = {rule: np.empty((len(COLUMNS), systems)) for rule in (*PRINTED, BY_MTBF)}
    lost = np.empty((len(COLUMNS), systems))
    with progress_lines(len(COLUMNS) * systems, "systems of Table 1") as step:
        for (column, (nodes, processes, work)), k in product(enumerate(COLUMNS), range(systems)):
            rng = np.random.default_rng((_SEED, nodes, k))
            system = draw(rng, nodes, speeds=5.0)
            found = schedules(work, system, processes, rng.permutation(nodes))
            for rule, schedule in found.items():
                walls = simulate_parallel_makespans(
                    schedule.shares.tolist(),
                    system.machines(_REPAIR, schedule.chosen),
                    replications=plays,
                    seed=k,
                )
                times[rule][column, k] = walls.mean()
            fastest = found["speed-only"]
            # The delay of the slowest is at most the sum of the delays of all.
            time = fastest.shares / system.speed[fastest.chosen] * (1.0 + STORAGE / INTERVAL)
            each = system.mttr[fastest.chosen] + INTERVAL + STORAGE
            lost[column, k] = np.sum(time / system.mtbf[fastest.chosen] * each)
            step()
    return Table(times, lost)


def rows(table: Table) -> Iterator[Row]:
    """Yield the rows of Table 1."""
    times = table.times
    aware, random = times["fault-aware"], times["random"]
    for rule in times:
        others = [other for other in PRINTED if other != rule]
        verdict: Word = "reported"
        note = ""
        if rule == "fault-aware":
            words = [worst(ordered(aware[c], times[o][c]) for o in others) for c in _columns()]
            verdict, note = worst(words), f"first: {', '.join(words)}"
        elif rule == "random":
            words = [worst(ordered(times[o][c], random[c]) for o in others) for c in _columns()]
            verdict, note = worst(words), f"last: {', '.join(words)}"
        yield Row(
            f"Table 1, {rule}: 100 machines 10, 20, 40; 1000 machines 100, 200, 400 [h]",
            " ".join(f"{value:g}" for value in PRINTED.get(rule, ())),
            _list([estimate(values) for values in times[rule]]),
            "",
            "O" if note else "R",
            verdict,
            note,
        )
    speed, reliable = times["speed-only"], times["reliability-only"]
    as_printed = [
        ordered(speed[c], reliable[c]) if c < 4 else ordered(reliable[c], speed[c])
        for c in _columns()
    ]
    yield Row(
        "Table 1: speed-only before reliability-only, but for 1000 machines with 200 and 400",
        "so",
        ", ".join(as_printed),
        "",
        "O",
        worst(as_printed),
    )
    ratios = (aware.mean(axis=1) / random.mean(axis=1)).tolist()
    wanted = [a / r for a, r in zip(PRINTED["fault-aware"], PRINTED["random"], strict=True)]
    yield Row(
        "Table 1: fault-aware / random",
        " ".join(f"{value:.3f}" for value in wanted),
        " ".join(f"{value:.3f}" for value in ratios),
        "",
        "B 15 %",
        within(wanted, ratios, 0.15),
        ", ".join(f"{100 * (o / w - 1):+.0f}" for o, w in zip(ratios, wanted, strict=True)) + " %",
    )
    gaps = [s - a for a, s in zip(PRINTED["fault-aware"], PRINTED["speed-only"], strict=True)]
    yield Row(
        "Table 1: speed-only - fault-aware; ours: the most that failures can cost speed-only [h]",
        " ".join(f"{gap:.1f}" for gap in gaps),
        _list([estimate(values) for values in table.lost]),
        "",
        "R",
        "reported",
        "a larger gap is out of reach of any choice of machines",
    )


def _columns() -> range:
    return range(len(COLUMNS))


def _list(values: list[Estimate]) -> str:
    return ", ".join(str(value) for value in values)
