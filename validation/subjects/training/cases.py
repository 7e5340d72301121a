"""Training runs, against the cycles of a run that `sim` plays from failure to failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from mpmath import mp  # type: ignore[import-untyped]

from perfmodel.registry import FORMULAS
from perfmodel.training import TrainingShares, ettr_first_order, goodput, training_shares
from sim.application import TrainingCycles
from sim.samplers import Exponential
from sim.streams import stream
from validation.judge.compare import approximation_error, compare_number, compare_ratio
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_training_cycles
from . import memory

__all__ = [
    "CASES",
    "RUNS",
    "all_shares",
    "goodput_by_definition",
    "share",
    "shares_by_definition",
    "stated_error",
    "useful_share",
]

Predict = Callable[..., Any]

_CLASSES = tuple(field.name for field in fields(TrainingShares))


def _cycles(budget: Budget, **run: Any) -> TrainingCycles:
    return simulate_training_cycles(
        budget.replications, uptime=Exponential(run.pop("mtbf")), seed=budget.seed, **run
    )


def useful_share(predict: Predict, budget: Budget, **run: Any) -> Verdict:
    """Judge the goodput."""
    cycles = _cycles(budget, **run)
    found = float(predict(**run))
    return compare_ratio(
        found, cycles.kept, cycles.total, alpha=budget.alpha, tolerance=budget.tolerance
    )


def share(predict: Predict, budget: Budget, *, part: str, **run: Any) -> Verdict:
    """Judge the share of one class."""
    cycles = _cycles(budget, **run)
    found = float(getattr(predict(**run), part))
    spent = cycles.kept if part == "goodput" else getattr(cycles, part)
    return compare_ratio(found, spent, cycles.total, alpha=budget.alpha, tolerance=budget.tolerance)


def shares_by_definition(**run: Any) -> dict[str, Any]:
    """Return the shares by class: means of one cycle, from one failure to the next, by mpmath."""
    with mp.workdps(60):
        given = {name: mp.mpf(float(value)) for name, value in run.items()}
        mtbf, read, warm = given["mtbf"], given["restore"], given["warm_up"]
        after = mp.exp(-(read + warm) / mtbf)  # up for longer than that
        period = given["interval"] + given["checkpoint_cost"]
        first = mp.exp(-(period + given["latency"]) / mtbf)
        snapshots = after * first / (1 - mp.exp(-period / mtbf))
        stages = {name: given[name] for name in ("detection", "queue", "rescheduling")}
        times = {
            "goodput": snapshots * given["interval"],
            "checkpoint_save": snapshots * given["checkpoint_cost"],
            "wasted_progress": mtbf * after - snapshots * period,
            **stages,
            "checkpoint_restore": mtbf * (1 - mp.exp(-read / mtbf)),
            "warm_up": mtbf * (mp.exp(-read / mtbf) - after),
        }
        cycle = mtbf + sum(stages.values())
        return {name: time / cycle for name, time in times.items()}


_LEAST = 1e-290  # below, 0 is right: a factor may underflow


def all_shares(predict: Predict, budget: Budget, **run: Any) -> Verdict:
    """Expect every share to keep its digits, and all of them to add up to 1."""
    del budget
    known, found = shares_by_definition(**run), predict(**run)
    worst = abs(sum(float(getattr(found, name)) for name in _CLASSES) - 1.0)
    for name, value in known.items():
        if value > _LEAST:
            worst = max(worst, abs(float(getattr(found, name) / value) - 1.0))
    return compare_number(1.0 + worst, 1.0, tolerance=1e-12)


def stated_error(predict: Predict, budget: Budget, *, of: str) -> Verdict:
    """Judge the stated error by the largest one over the stated range: a simplex of durations."""
    (limits,) = (row.range for row in FORMULAS if row.name == of)
    assert limits is not None
    parts = stream(budget.seed).dirichlet((0.3, 0.3, 0.3), 20_000) * limits.limit * (1.0 - 1e-6)
    interval, cost, restore = parts.T
    run = {
        "interval": np.maximum(interval, 1e-9),
        "mtbf": 1.0,
        "checkpoint_cost": cost,
        "restore": restore,
    }
    return approximation_error(predict(**run), goodput(**run), stated=limits.error)


def goodput_by_definition(predict: Predict, budget: Budget, **run: Any) -> Verdict:
    """Judge the goodput by the means of one cycle."""
    del budget
    known = float(shares_by_definition(**run)["goodput"])
    found = float(predict(**run))
    if known <= _LEAST:
        return compare_number(1.0 + found, 1.0, tolerance=1e-15)
    return compare_number(found, known, tolerance=1e-12)


_NAMES = (
    *("interval", "mtbf", "checkpoint_cost", "latency", "restore"),
    *("warm_up", "detection", "queue", "rescheduling"),
)
RUNS = table(
    _NAMES,
    (2.0, 5.0, 0.5, 1.5, 1.0, 0.7, 0.6, 0.9, 0.4),
    (1.0, 10.0, 0.3, 0.0, 2.0, 3.0, 1.0, 2.0, 4.0),
    (3.0, 8.0, 1.0, 4.0, 0.5, 0.2, 0.1, 0.0, 0.3),
)

CASES = (
    *memory.CASES,
    Case(ettr_first_order, stated_error, ({"of": "ettr_first_order"},), chance=False),
    Case(goodput, useful_share, RUNS),
    Case(
        training_shares,
        share,
        tuple({**RUNS[0], "part": name} for name in _CLASSES),
    ),
)
