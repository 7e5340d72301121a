"""Wrong shares and wrong choices of machines, printed errors among them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np

from perfmodel.completion import wsj_makespan
from perfmodel.lifetimes import Gamma
from perfmodel.parallel import slowest
from perfmodel.partition import (
    Machines,
    Schedule,
    _neighbours,
    _slowest,
    equal_time_partition,
    evaluate_set,
    local,
    schedule_bisection,
    schedule_exhaustive,
    schedule_local,
    schedule_random,
    schedule_reliability,
    schedule_speed,
    schedule_speed_reliability,
)
from validation.judge.chance import FloatArray
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _tail_cut(work: float, machines: Machines, chosen: Any = None) -> Schedule:
    """Integrate up to the time that 1e-14 of all runs exceed, instead of those with a failure."""

    def farthest(tasks: Any, failing: Any, total: Any, start: Any) -> FloatArray:
        level = np.maximum(np.log(failing * total[..., None] / 1e-14), 0.0)
        reach = tasks.scale * (tasks.shape + np.sqrt(2.0 * tasks.shape * level) + level)
        beyond = np.max(tasks.start - start[..., None] + reach, axis=-1)
        return np.asarray(np.maximum(beyond, 0.0))

    with mock.patch.object(_slowest, "farthest", farthest):
        return evaluate_set(work, machines, chosen)


def _shallow(work: float, machines: Machines, chosen: Any = None) -> Schedule:
    """Integrate 60 nats down from the farthest end, however short the work is beside it."""
    with mock.patch.object(_slowest, "_DEEPEST", 60.0):
        return evaluate_set(work, machines, chosen)


def _key(machines: Machines, fault: str) -> Any:
    """Return the available power by eq. (14) with storage cost, with a fault if one is named."""
    speed, mtbf, mttr, _, interval, cost = machines.columns
    rho_f, x = mttr / mtbf, interval / mtbf
    rho_c, store = 1.0 - x / np.expm1(x), cost / interval
    if fault == "downtime dropped":
        rho_f = 0.0 * rho_f
    if fault == "rework dropped":
        rho_c = 0.0 * rho_c
    if fault == "storage cost dropped":
        store = 0.0 * store
    if fault == "(1 - rho_c) for (1 - rho_f), as Fig. 7 prints":
        return speed * (1.0 - rho_c) / (1.0 + (rho_c + store) * (1.0 - rho_f))
    if fault == "rho_c with the wrong sign":
        rho_c = -rho_c
    if fault == "repairs do not queue":
        return speed / (1.0 + rho_f + rho_c + store)
    if fault == "by speed alone":
        return speed
    return speed * (1.0 - rho_f) / (1.0 + (rho_c + store) * (1.0 - rho_f))


def _shares(fault: str) -> Callable[..., Any]:
    def wrong(work: float, machines: Machines) -> FloatArray:
        key = _key(machines, fault)
        return np.asarray(work * key / key.sum())

    return wrong


def _one_task(work: float, machines: Machines) -> Schedule:
    found = evaluate_set(work, machines)
    return replace(found, expected_time=found.subtask_time)


def _as_printed(work: float, machines: Machines) -> Schedule:
    found = evaluate_set(work, machines)
    laws = [
        wsj_makespan(
            share / speed,
            mtbf=mtbf,
            downtime=Gamma.from_mean(mttr, cv=cv),
            interval=interval,
            checkpoint_cost=cost,
            printed=True,
        )
        for share, (speed, mtbf, mttr, cv, interval, cost) in zip(
            found.shares.tolist(), np.column_stack(machines.columns).tolist(), strict=True
        )
    ]
    law = slowest(laws)
    return replace(found, expected_time=law.mean, std=law.std)


def _choice(score: Callable[[Schedule], float]) -> Callable[..., Any]:
    """Return a wrong search, for the set of least `score` instead of least objective."""

    def wrong(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
        everyone = range(len(machines))
        sizes = range(1, len(machines) + 1) if processes is None else [processes]
        sets = [chosen for size in sizes for chosen in itertools.combinations(everyone, size)]
        return min((evaluate_set(work, machines, chosen) for chosen in sets), key=score)

    return wrong


def _sorted(fault: str) -> Callable[..., Any]:
    def wrong(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
        order = np.argsort(-_key(machines, fault), kind="stable")
        return schedule_random(work, machines, order=order, processes=processes)

    return wrong


def _without_scan(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
    found = schedule_bisection(work, machines, processes=processes)
    if found.plain_processes is None:
        return found
    return schedule_bisection(work, machines, processes=found.plain_processes)


def _everyone(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
    return schedule_bisection(work, machines, processes=processes or len(machines))


def _by(key: Callable[[Machines], FloatArray]) -> Callable[..., Any]:
    def wrong(work: float, machines: Machines, *, processes: int, **_: Any) -> Schedule:
        order = np.argsort(key(machines), kind="stable")
        return evaluate_set(work, machines, order[:processes])

    return wrong


def _fewer(kept: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return a local search from the order of bisection alone, with some of its changes only."""

    def moves(*of: Any, **more: Any) -> _neighbours.Moves:
        found = _neighbours.moves_from(*of, **more)
        keep = kept(found.out >= 0, found.into >= 0)
        return _neighbours.Moves(found.out[keep], found.into[keep], found.values[keep])

    def wrong(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
        no_orders = mock.patch.object(local, "_orders", return_value=[])
        with no_orders, mock.patch.object(local, "moves_from", moves):
            return schedule_local(work, machines, processes=processes)

    return wrong


SHARE_FAULTS = (
    "(1 - rho_c) for (1 - rho_f), as Fig. 7 prints",
    "rho_c with the wrong sign",
    "repairs do not queue",
    "downtime dropped",
    "rework dropped",
    "storage cost dropped",
    "by speed alone",
)

MUTANTS: tuple[Mutant, ...] = (
    *(Mutant(equal_time_partition, fault, _shares(fault)) for fault in SHARE_FAULTS),
    Mutant(evaluate_set, "maximum taken for a single task", _one_task),
    Mutant(evaluate_set, "eqs. (5)-(7) as printed", _as_printed),
    Mutant(evaluate_set, "a tail cut at 1e-14, however rare failures are", _tail_cut),
    Mutant(evaluate_set, "60 nats of the farthest end", _shallow),
    Mutant(schedule_exhaustive, "mean alone", _choice(lambda found: found.expected_time)),
    Mutant(
        schedule_exhaustive,
        "mean of a subtask instead of the slowest",
        _choice(lambda found: found.subtask_time),
    ),
    Mutant(
        schedule_exhaustive,
        "mean plus variance, as the text of section 4 says",
        _choice(lambda found: found.expected_time + found.std**2),
    ),
    Mutant(
        schedule_bisection,
        "(1 - rho_c) for (1 - rho_f), as Fig. 7 prints",
        _sorted("(1 - rho_c) for (1 - rho_f), as Fig. 7 prints"),
    ),
    Mutant(schedule_bisection, "by speed alone", _sorted("by speed alone")),
    Mutant(schedule_bisection, "without the scan", _without_scan),
    Mutant(schedule_bisection, "all machines", _everyone),
    Mutant(schedule_local, "bisection alone", schedule_bisection),
    Mutant(schedule_local, "mean alone", _choice(lambda found: found.expected_time)),
    Mutant(schedule_local, "no exchange", _fewer(lambda out, into: ~(out & into))),
    Mutant(schedule_local, "exchanges alone", _fewer(lambda out, into: out & into)),
    Mutant(schedule_local, "no machine put in", _fewer(lambda out, into: out)),
    Mutant(schedule_local, "no machine taken out", _fewer(lambda out, into: into)),
    Mutant(schedule_random, "an order of its own", _by(lambda m: m.columns[0])),
    Mutant(schedule_speed, "slowest first", _by(lambda m: m.columns[0])),
    Mutant(schedule_speed, "fastest after failures first", _by(lambda m: -m.effective_speed)),
    Mutant(schedule_reliability, "least reliable first", _by(lambda m: m.columns[1])),
    Mutant(schedule_reliability, "shortest repairs first", _by(lambda m: m.columns[2])),
    Mutant(schedule_reliability, "by mtbf, whatever the speed", _by(lambda m: -m.columns[1])),
    Mutant(
        schedule_speed_reliability,
        "speed times mtbf, whatever the time",
        _by(lambda m: -m.columns[0] * np.log(m.columns[1])),
    ),
    Mutant(
        schedule_speed_reliability,
        "the time of a machine of average speed",
        _by(lambda m: 2000.0 / np.mean(m.columns[0]) / m.columns[1] - np.log(m.columns[0])),
    ),
    Mutant(schedule_speed_reliability, "speed alone", _by(lambda m: -m.columns[0])),
)
