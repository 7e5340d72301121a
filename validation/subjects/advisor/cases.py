"""What a job loses that follows an advisor, more than those who know: drawn failures, and logs.

Losses are in points, which are hundredths of the window, where nothing else is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from perfmodel.advisor import CheckpointAdvisor
from validation.advice.drawn import MTBF, drawn_windows, half_time_mtbfs
from validation.advice.logs import absent
from validation.advice.plays import PRIORS, Makes, lost_by, lost_by_advisor, lost_without_state
from validation.advice.rivals import Knowing, best_smoothed, exact_of_the_log, lost_by_constant
from validation.advice.targets import TARGETS, Target
from validation.advice.windows import Window
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_at_most
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from .levels import LEVEL_CASES

__all__ = ["CASES", "DEARER", "FULL", "HARD", "MISLED", "POISSON", "TENFOLD"]

_HOUR = 3600.0
_RECOVERY = 0.2 * _HOUR
_KERNEL = 0.012  # of the waste: what it costs to expect that rates change


def regret_of_theory(predict: Makes, budget: Budget, *, failures: int) -> Verdict:
    """Judge the time lost in hours, above the exact rule at the true rate, by Poisson failures.

    With nothing known, sqrt(2 C M)/8 (ln N + 2), and a share of the waste for the change kernel.
    """
    windows = _windows(budget, "steady", failures, 0.1)
    cost = windows[0].cost
    whole = math.sqrt(2.0 * cost * MTBF)
    waste = failures * MTBF * math.sqrt(2.0 * cost / MTBF)
    limit = whole / 8.0 * (math.log(failures) + 2.0) + _KERNEL * waste
    mine = _each(windows, lambda window: lost_by_advisor(predict, window, prior="nothing"))
    knowing = _each(windows, lambda w: lost_by_constant(w, exact_of_the_log(w)))
    return _at_most(limit / _HOUR, (mine - knowing) / _HOUR, knowing.mean() / _HOUR, budget)


def above_knowing_both_rates(
    predict: Makes, budget: Budget, *, record: str, units: int, cost: float, most: float
) -> Verdict:
    """Judge what is lost above those who know how often the job fails in each half."""
    windows = _windows(budget, record, units, cost)
    knowing = _points(windows, lambda w: lost_by(Knowing(w, half_time_mtbfs(record)), w))
    return _above(most, predict, windows, knowing, budget)


def above_best_constant(
    predict: Makes,
    budget: Budget,
    *,
    record: str,
    units: int,
    cost: float,
    most: float,
    growth: float = 1.0,
) -> Verdict:
    """Judge what is lost above the best constant in hindsight, its gaps smeared."""
    windows = _windows(budget, record, units, cost, growth)
    best = _points(windows, lambda w: lost_by_constant(w, best_smoothed(w)))
    return _above(most, predict, windows, best, budget)


def above_keeping_the_state(
    predict: Makes, budget: Budget, *, record: str, units: int, cost: float, most: float
) -> Verdict:
    """Judge what is lost where each restart begins anew from the history of the machine."""
    windows = _windows(budget, record, units, cost)
    keeping = _points(windows, lambda w: lost_by_advisor(CheckpointAdvisor, w, prior="history"))
    without = _points(windows, lambda w: lost_without_state(predict, w))
    return _at_most(most, without - keeping, float(keeping.mean()), budget)


def above_stating_rightly(
    predict: Makes, budget: Budget, *, factor: float, units: int, cost: float, most: float
) -> Verdict:
    """Judge what is lost because the cost was stated wrongly by a factor."""
    windows = _windows(budget, "steady", units, cost)
    right = _points(windows, lambda w: lost_by_advisor(CheckpointAdvisor, w, prior="right"))

    def misled(window: Window) -> float:
        prior = PRIORS["right"](window)
        return lost_by(predict(cost=factor * window.cost, prior=prior), window)

    return _at_most(most, _points(windows, misled) - right, float(right.mean()), budget)


def on_logs(predict: Makes, budget: Budget, *, target: str) -> Verdict:
    """Judge a target by failure logs of machines: its mean over logs, and its worst log."""
    del budget
    aim = _AIMS[target]
    found = aim.found(predict)
    met = aim.met(found)
    return Verdict(
        "approximation",
        aim.mean,
        found.mean,
        0.0,
        0.0 if met else math.inf,
        0.0,
        passed=met,
        note=aim.said(found),
    )


_AIMS: dict[str, Target] = {target.name: target for target in TARGETS}


def _above(
    most: float, predict: Makes, windows: tuple[Window, ...], rival: FloatArray, budget: Budget
) -> Verdict:
    mine = _points(windows, lambda w: lost_by_advisor(predict, w, prior="right"))
    return _at_most(most, mine - rival, float(rival.mean()), budget)


def _at_most(limit: float, sample: FloatArray, scale: float, budget: Budget) -> Verdict:
    return compare_at_most(
        limit, sample, scale=scale, alpha=budget.alpha, tolerance=budget.tolerance
    )


def _each(windows: tuple[Window, ...], lost: Callable[[Window], float]) -> FloatArray:
    return np.array([lost(window) for window in windows])


def _points(windows: tuple[Window, ...], lost: Callable[[Window], float]) -> FloatArray:
    return 100.0 * _each(windows, lambda window: lost(window) / window.duration)


def _windows(
    budget: Budget, record: str, units: int, cost: float, growth: float = 1.0
) -> tuple[Window, ...]:
    """Return about as many units in all, however long a window is."""
    runs = max(budget.replications // (200 * units), 20)
    costs = (cost * _HOUR, _RECOVERY, growth)
    return _drawn((budget.seed, runs), record, units, costs)


@lru_cache(maxsize=8)
def _drawn(
    seed_and_runs: tuple[int, int], record: str, units: int, costs: tuple[float, float, float]
) -> tuple[Window, ...]:
    cost, recovery, growth = costs
    return tuple(
        drawn_windows(
            *seed_and_runs, record=record, units=units, cost=cost, recovery=recovery, growth=growth
        )
    )


POISSON = table(("failures",), (10,), (3,), (30,))
# Cost in hours; an MTBF is a day.
TENFOLD = table(
    ("record", "units", "cost", "most"),
    ("ten times as often", 30, 0.1, 0.5),
    ("a tenth as often", 30, 0.1, 0.5),
    ("ten times as often", 30, 1.0, 1.2),
    ("a tenth as often", 30, 1.0, 1.2),
)
HARD = (
    *table(
        ("record", "units", "cost", "most"),
        ("first at five", 10, 0.1, 0.51),
        ("first at five", 10, 1.0, 1.3),
        ("bursts", 30, 0.1, 0.49),
        ("bursts", 30, 1.0, 2.1),
    ),
    {"record": "steady", "units": 30, "cost": 0.1, "most": 0.25, "growth": 3.0},
)
# A quarter of what is lost in all.
MISLED = table(("factor", "units", "cost", "most"), (60.0, 10, 0.1, 3.0))
RESTARTS = table(("record", "units", "cost", "most"), ("steady", 30, 0.1, 0.4))

CASES = (
    Case(CheckpointAdvisor, regret_of_theory, POISSON, gate=0.05),
    Case(CheckpointAdvisor, above_knowing_both_rates, TENFOLD[:2], effort=0.5, gate=0.05),
    Case(CheckpointAdvisor, above_best_constant, HARD, gate=0.05),
    Case(CheckpointAdvisor, above_keeping_the_state, RESTARTS, gate=0.05),
    Case(CheckpointAdvisor, above_stating_rightly, MISLED, effort=2.0, gate=0.05),
    *LEVEL_CASES,
)

# Checkpoints of an hour.
DEARER = (Case(CheckpointAdvisor, above_knowing_both_rates, TENFOLD[2:], gate=0.05),)

# Minutes; without the logs there is nothing to compare.
FULL = (
    *DEARER,
    *(
        Case(CheckpointAdvisor, on_logs, ({"target": name},), chance=False)
        for name in _AIMS
        if not absent()
    ),
)
