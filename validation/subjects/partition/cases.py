"""Shares and sets of machines against simulated parallel jobs and plain enumeration.

Schedules are judged by the objective of the chosen set, computed from the laws of `wsj_makespan`
and `slowest`, which share no code with `perfmodel.partition`.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from perfmodel.completion import wsj_compound, wsj_makespan
from perfmodel.lifetimes import Gamma
from perfmodel.parallel import slowest, slowest_of
from perfmodel.partition import (
    Machines,
    equal_time_partition,
    evaluate_set,
    schedule_bisection,
    schedule_exhaustive,
    schedule_local,
    schedule_random,
    schedule_reliability,
    schedule_speed,
    schedule_speed_reliability,
)
from perfmodel.partition.local import LOCAL_RANGE
from perfmodel.partition.schedule import SET_RANGE
from perfmodel.partition.search import SEARCH_RANGE
from perfmodel.validity import ValidityWarning
from sim import samplers
from sim.application import Machine
from validation.judge.chance import FloatArray
from validation.judge.compare import (
    approximation_error,
    compare_number,
    compare_ratio,
    measure_distance,
)
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_parallel_makespans

__all__ = ["CASES", "FEW_MACHINES", "objective", "within_the_stated_error"]

Predict = Callable[..., Any]

# speed, mtbf, mttr, mttr_cv, interval, checkpoint_cost of each machine.
Fleet = tuple[tuple[float, ...], ...]
HARSH: Fleet = (
    (1.0, 20.0, 4.0, 1.0, 8.0, 0.5),
    (2.0, 60.0, 20.0, 1.5, 30.0, 4.0),
    (3.0, 10.0, 0.5, 1.0, 16.0, 0.1),
)
MIXED: Fleet = (
    (5.0, 100.0, 40.0, 3.0, 4.0, 0.1),
    (4.0, 900.0, 2.0, 1.0, 2.0, 0.2),
    (3.5, 600.0, 4.0, 1.0, 400.0, 2.0),
    (1.0, 600.0, 1.0, 2.0, 2.0, 0.2),
    (3.0, 900.0, 2.0, 1.0, 2.0, 0.2),
)
# A fast machine ends its share before a slow one fails.
SPEEDY: Fleet = (
    (5.0, 200.0, 2.0, 1.0, 2.0, 0.2),
    (1.0, 900.0, 2.0, 1.0, 2.0, 0.2),
    (2.0, 600.0, 2.0, 1.0, 2.0, 0.2),
)


def _machines(fleet: Fleet) -> Machines:
    return Machines(*np.array(fleet).T)


def _play(shares: Iterable[float], fleet: Fleet, budget: Budget) -> FloatArray:
    machines = tuple(
        Machine(
            speed=speed,
            mtbf=mtbf,
            downtime=samplers.Gamma(1.0 / cv**2, mttr * cv**2),
            interval=interval,
            checkpoint_cost=cost,
        )
        for speed, mtbf, mttr, cv, interval, cost in fleet
    )
    return simulate_parallel_makespans(
        tuple(float(share) for share in shares),
        machines,
        process="wsj",
        replications=budget.replications,
        seed=budget.seed,
    )


def equal_times(predict: Predict, budget: Budget, *, work: float, fleet: Fleet) -> Verdict:
    """Expect simulated subtasks to take equally long on average, and all work to be shared."""
    shares = np.asarray(predict(work, _machines(fleet)))
    whole = compare_number(float(shares.sum()), work, tolerance=1e-12)
    if not whole.passed:
        return whole
    alone = np.diag(shares)
    first = _play(alone[0], fleet, budget)
    ratios = [
        compare_ratio(
            1.0,
            first,
            _play(row, fleet, budget),
            alpha=budget.alpha / (len(fleet) - 1),
            tolerance=budget.tolerance,
        )
        for row in alone[1:]
    ]
    return max(ratios, key=lambda verdict: (verdict.rejected, abs(verdict.z)))


def distance(predict: Predict, budget: Budget, *, work: float, fleet: Fleet) -> Verdict:
    """Judge the mean of the slowest of few subtasks by simulated ones, within its stated error."""
    found = predict(work, _machines(fleet))
    walls = _play(found.shares, fleet, budget)
    return measure_distance(found.expected_time, walls, alpha=budget.alpha, stated=FEW_MACHINES)


def stated_error(predict: Predict, budget: Budget, *, of: str) -> Verdict:
    """Judge the stated error by the largest one over the stated range."""
    del budget
    return _error_of_sets(predict) if of == "sets" else _error_of_searches(predict)


def rare_loss(
    predict: Predict, budget: Budget, *, work: float, mtbf: float, span: float
) -> Verdict:
    """Judge the deviation on one machine with rare failures that cost rework only."""
    del budget
    found = predict(work, Machines(speed=1.0, mtbf=mtbf, interval=span))
    # A Poisson number of reworks, each uniform on the interval: its mean times E[R^2].
    return compare_number(found.std, float(np.sqrt(work / mtbf * span**2 / 3.0)), tolerance=1e-5)


def beside_an_endless_outage(predict: Predict, budget: Budget, *, down: float) -> Verdict:
    """Judge the mean beside a machine that is down once in 1e30 outages: for it, nothing counts."""
    del budget
    fleet: dict[str, Any] = {"speed": 1.0, "mtbf": [30.0, 1e3, 1e30 * down], "interval": 30.0}
    found, known = (
        predict(3e3, Machines(**fleet, mttr=[0.3, 0.3, last])).expected_time for last in (down, 0.3)
    )
    return compare_number(found, known, tolerance=1e-6)


def _error_of_sets(predict: Predict) -> Verdict:
    """Compare mean and objective with those of the exact laws, in sets up to the edge."""
    near, exact = [], []
    for count, share, kinds in EDGE_OF_SETS:
        machines = Machines(*np.repeat(np.array(kinds), count, axis=0).T)
        found = predict(share * count * len(kinds), machines)
        mean, spread = _exact_moments(count, share, kinds)
        near += [found.expected_time, found.objective]
        exact += [mean, mean + spread]
    return approximation_error(near, exact, stated=SET_RANGE.error)


@lru_cache(maxsize=16)
def _exact_moments(count: int, share: float, kinds: Fleet) -> tuple[float, float]:
    """Return mean and deviation of the slowest of `count` machines of each kind."""
    shares = equal_time_partition(share * len(kinds), _machines(kinds))
    laws = [
        slowest_of(
            wsj_compound(
                float(share) / speed,
                mtbf=mtbf,
                downtime=Gamma.from_mean(mttr, cv=cv),
                interval=interval,
                checkpoint_cost=cost,
            ),
            count,
        )
        for share, (speed, mtbf, mttr, cv, interval, cost) in zip(shares, kinds, strict=True)
    ]
    law = slowest(laws)
    return float(law.mean), float(law.std)


def objective(work: float, machines: Machines, chosen: Iterable[int]) -> float:
    """Return mean plus deviation of the slowest subtask, from the law of each subtask."""
    some = machines.take(list(chosen))
    shares = equal_time_partition(work, some)
    laws = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        for share, row in zip(shares.tolist(), np.column_stack(some.columns).tolist(), strict=True):
            speed, mtbf, mttr, cv, interval, cost = row
            laws.append(
                wsj_makespan(
                    share / speed,
                    mtbf=mtbf,
                    downtime=Gamma.from_mean(mttr, cv=cv) if cv else mttr,
                    interval=interval,
                    checkpoint_cost=cost,
                )
            )
    law = slowest(laws)
    return float(law.mean + law.std)


def within_the_stated_error(
    predict: Predict, budget: Budget, *, work: float, fleet: Fleet, processes: int | None = None
) -> Verdict:
    """Expect the objective of the chosen set, within the stated error of the least of all sets."""
    del budget
    machines = _machines(fleet)
    found = predict(work, machines, processes=processes)
    least = schedule_exhaustive(work, machines, processes=processes).objective
    own = compare_number(found.objective, objective(work, machines, found.chosen), tolerance=1e-5)
    if own.rejected or found.objective < least * (1.0 - 1e-6):
        return own if own.rejected else compare_number(found.objective, least, tolerance=1e-6)
    most = 1.0 + LOCAL_RANGE.error
    return compare_number(max(found.objective / least, most), most, tolerance=1e-9)


def enumeration(
    predict: Predict, budget: Budget, *, work: float, fleet: Fleet, processes: int | None
) -> Verdict:
    """Expect the set of least objective among all sets."""
    del budget
    machines, everyone = _machines(fleet), range(len(fleet))
    sizes = range(1, len(fleet) + 1) if processes is None else [processes]
    sets = [chosen for size in sizes for chosen in itertools.combinations(everyone, size)]
    best = min(objective(work, machines, chosen) for chosen in sets)
    found = predict(work, machines, processes=processes)
    chosen = compare_number(objective(work, machines, found.chosen), best, tolerance=1e-6)
    return chosen if chosen.rejected else compare_number(found.objective, best, tolerance=1e-6)


def enumeration_along_the_order(
    predict: Predict, budget: Budget, *, work: float, fleet: Fleet
) -> Verdict:
    """Expect the best number of machines in the order of available power, wsj section 4."""
    del budget
    machines = _machines(fleet)
    power = []
    for speed, mtbf, mttr, _, interval, cost in fleet:
        lost = 1.0 - interval / mtbf / np.expm1(interval / mtbf)
        power.append(speed / (1.0 / (1.0 - mttr / mtbf) + lost + cost / interval))
    order = np.argsort(power)[::-1]
    best = min(objective(work, machines, order[:x]) for x in range(1, len(fleet) + 1))
    found = predict(work, machines)
    chosen = compare_number(objective(work, machines, found.chosen), best, tolerance=1e-6)
    return chosen if chosen.rejected else compare_number(found.objective, best, tolerance=1e-6)


def _error_of_searches(predict: Predict) -> Verdict:
    """Compare with the best set in small random systems of a fixed seed."""
    found = [predict(job, fleet, processes=count).objective for job, fleet, count, _ in _systems()]
    best = [objective for *_, objective in _systems()]
    return approximation_error(found, best, stated=SEARCH_RANGE.error)


@lru_cache(maxsize=1)
def _systems() -> list[tuple[float, Machines, int | None, float]]:
    """Return small random systems of a fixed seed, each with its least objective."""
    systems: list[tuple[float, Machines, int | None, float]] = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(2, 7))
        mtbf = rng.uniform(600.0, 1800.0, count)
        interval = mtbf * np.geomspace(1e-3, 5.0 * SEARCH_RANGE.limit, 100)[seed]
        machines = Machines(
            rng.uniform(1.0, 5.0, count),
            mtbf,
            mtbf * rng.uniform(1e-3, SEARCH_RANGE.limit, count),
            rng.uniform(1.0, 4.0, count),
            interval,
            interval * rng.uniform(0.0, 0.3, count),
        )
        work = 10.0 ** rng.uniform(1.5, 4.0)
        for processes in (None, max(1, count // 2)):
            least = schedule_exhaustive(work, machines, processes=processes).objective
            systems.append((work, machines, processes, least))
    return systems


def rule_and_bound(
    predict: Predict,
    budget: Budget,
    *,
    work: float,
    fleet: Fleet,
    processes: int,
    expected: tuple[int, ...],
    **order: tuple[int, ...],
) -> Verdict:
    """Expect the machines of the rule, with an objective not below that of the best set."""
    del budget
    machines = _machines(fleet)
    found = predict(work, machines, processes=processes, **order)
    named = objective(work, machines, expected)
    same = compare_number(objective(work, machines, found.chosen), named, tolerance=1e-9)
    if same.rejected:
        return same
    best = schedule_exhaustive(work, machines, processes=processes).objective
    return compare_number(min(found.objective, best), best, tolerance=1e-9)


# The fastest are down for longest, though rarely; and a slow one that is up for long.
OUTAGES: Fleet = (
    (1.3, 159.0, 4.9, 30.0, 4.4, 0.22),
    (1.3, 233.0, 0.4, 1.0, 3.4, 0.17),
    (2.7, 634.0, 33.6, 30.0, 546.5, 27.33),
    (1.3, 2005.0, 25.5, 30.0, 35.1, 1.76),
    (3.5, 2067.0, 209.1, 30.0, 21.5, 1.08),
    (1.0, 1748.0, 35.0, 30.0, 754.5, 37.72),
)
HELPERS: Fleet = (
    (4.3, 7013.0, 654.9, 20.0, 485.2, 24.26),
    (3.1, 247.0, 9.5, 30.0, 3.5, 0.18),
    (6.1, 407.0, 1.7, 0.0, 48.8, 2.44),
    (3.1, 704.0, 7.6, 1.0, 114.0, 5.7),
    (2.3, 158.0, 1.6, 1.0, 28.6, 1.43),
)
LOCAL: tuple[dict[str, Any], ...] = (
    {"work": 634.0, "fleet": OUTAGES, "processes": None},
    {"work": 1424.0, "fleet": HELPERS, "processes": None},
    {"work": 634.0, "fleet": OUTAGES, "processes": 2},
)
FEW_MACHINES = 0.01  # error of sets of few machines
SHARED = ({"work": 150.0, "fleet": HARSH},)
# How many machines of each kind, the work per machine, the kinds; the last are at the edge.
EDGE_OF_SETS: tuple[tuple[int, float, Fleet], ...] = (
    (10, 20.0, ((1.0, 600.0, 4.0, 0.5, 2.0, 0.2), (3.0, 1800.0, 2.0, 0.5, 2.0, 0.2))),
    (10, 200.0, ((1.0, 600.0, 4.0, 4.0, 2.0, 0.2), (5.0, 900.0, 3.0, 4.0, 2.0, 0.2))),
    (300, 90.0, ((1.0, 100.0, 0.3, 4.0, 1.0, 0.01),)),
    (3000, 41.3, ((1.0, 100.0, 0.1, 4.0, 1.0, 0.01),)),
)
MILD: Fleet = tuple((s, 900.0, m, 1.0, 2.0, 0.2) for s, m in ((1.0, 4.0), (3.0, 2.0))) * 4
SETS: tuple[dict[str, Any], ...] = tuple(
    {"work": work, "fleet": MIXED, "processes": processes}
    for work in (20000.0, 40.0, 4000.0)
    for processes in (None, 2, 3)
)
RARE: tuple[dict[str, Any], ...] = tuple(
    {"work": work, "mtbf": mtbf, "span": 1e4} for work, mtbf in ((1.0, 1e14), (100.0, 1e11))
)
ENDLESS: tuple[dict[str, Any], ...] = ({"down": 1e16}, {"down": 1e100})
ORDERS: tuple[dict[str, Any], ...] = tuple(
    {"work": work, "fleet": MIXED} for work in (40.0, 400.0, 40000.0)
)


def _rule(
    *expected: int, fleet: Fleet = MIXED, **order: tuple[int, ...]
) -> tuple[dict[str, Any], ...]:
    job = {"work": 4000.0, "fleet": fleet, "processes": len(expected)}
    return ({**job, "expected": expected, **order},)


CASES: tuple[Case, ...] = (
    Case(equal_time_partition, equal_times, SHARED),
    Case(evaluate_set, distance, ({"work": 2000.0, "fleet": MILD},)),
    Case(evaluate_set, stated_error, ({"of": "sets"},), chance=False),
    Case(evaluate_set, rare_loss, RARE, chance=False),
    Case(evaluate_set, beside_an_endless_outage, ENDLESS, chance=False),
    Case(schedule_exhaustive, enumeration, SETS, chance=False),
    Case(schedule_bisection, enumeration_along_the_order, ORDERS, chance=False),
    Case(schedule_bisection, stated_error, ({"of": "searches"},), chance=False),
    Case(schedule_local, within_the_stated_error, LOCAL, chance=False),
    Case(schedule_random, rule_and_bound, _rule(3, 0, 4, order=(3, 0, 4, 2, 1)), chance=False),
    Case(schedule_speed, rule_and_bound, _rule(0, 1, 2), chance=False),
    # exp(-t/mtbf), t = 2000 h/speed: 0.018, 0.57, 0.39, 0.036, 0.48 by machine; 0.14, 0.11, 0.19.
    Case(
        schedule_reliability,
        rule_and_bound,
        (*_rule(1, 4), *_rule(2, 0, fleet=SPEEDY)),
        chance=False,
    ),
    Case(
        schedule_speed_reliability,
        rule_and_bound,
        (*_rule(1, 4), *_rule(0, 2, fleet=SPEEDY)),
        chance=False,
    ),
)
