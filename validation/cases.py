"""Every case of the judge.

A case is a small function and a row. The function takes what predicts, what the run grants and
the numbers of one point; it hands the same numbers to `sim` and returns one `Verdict`::

    def mean_makespan(predict, grant, *, work, **costs):
        walls = simulate_makespans(work, **costs, seed=grant.seed, ...)
        return compare_mean(
            float(predict(work, **costs)), walls, alpha=grant.alpha, tolerance=grant.tolerance
        )

The row names the formula, the function and the points, harshest first::

    CASES = (Case(expected_makespan, mean_makespan, POINTS), ...)

A new subject gets a module of its own, `<subject>_cases.py`, with its `CASES`, and one line here.
Then ask which wrong formula the case would fail to reject, and add that to `mutants.py`: what is
called `predict` above is the formula, or a mutant of it.
"""

from __future__ import annotations

from .judge.trial import Case
from .subjects.closed_forms import cases as closed_forms_cases
from .subjects.cluster import cases as cluster_cases
from .subjects.completion import cases as completion_cases
from .subjects.downtime import cases as downtime_cases
from .subjects.extra_node import cases as extra_node_cases
from .subjects.failure_feed import cases as failure_feed_cases
from .subjects.failure_log import cases as failure_log_cases
from .subjects.fitting import cases as fitting_cases
from .subjects.grid_failures import cases as grid_failures_cases
from .subjects.interval import cases as interval_cases
from .subjects.lifetimes import cases as lifetimes_cases
from .subjects.machine_sets import cases as machine_sets_cases
from .subjects.makespan import cases as makespan_cases
from .subjects.other_formulas import cases as other_formulas_cases
from .subjects.parallel import cases as parallel_cases
from .subjects.partition import cases as partition_cases
from .subjects.predicted import cases as predicted_cases
from .subjects.promises import cases as promises_cases
from .subjects.queue_delay import cases as queue_delay_cases
from .subjects.recovery import cases as recovery_cases
from .subjects.replay import cases as replay_cases
from .subjects.whole_laws import cases as whole_laws_cases
from .subjects.wsj import cases as wsj_cases

__all__ = ["CASES", "FULL"]

CASES: tuple[Case, ...] = (
    *makespan_cases.CASES,
    *predicted_cases.CASES,
    *promises_cases.CASES,
    *replay_cases.CASES,
    *recovery_cases.CASES,
    *queue_delay_cases.CASES,
    *completion_cases.CASES,
    *downtime_cases.CASES,
    *extra_node_cases.CASES,
    *cluster_cases.CASES,
    *wsj_cases.CASES,
    *interval_cases.CASES,
    *lifetimes_cases.CASES,
    *fitting_cases.CASES,
    *parallel_cases.CASES,
    *partition_cases.CASES,
    *grid_failures_cases.CASES,
    *failure_feed_cases.CASES,
    *failure_log_cases.CASES,
    *closed_forms_cases.CASES,
    *other_formulas_cases.CASES,
    *machine_sets_cases.CASES,
    *whole_laws_cases.CASES,
)

# Only in the full run: minutes each, and logs that may not be at hand.
FULL: tuple[Case, ...] = (
    *cluster_cases.FULL,
    *interval_cases.FULL,
    *fitting_cases.FULL,
    *replay_cases.FULL,
    *recovery_cases.FULL,
    *queue_delay_cases.FULL,
    *closed_forms_cases.FULL,
    *other_formulas_cases.FULL,
    *machine_sets_cases.FULL,
    *whole_laws_cases.FULL,
)
