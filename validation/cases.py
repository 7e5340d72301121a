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

from . import (
    cluster_cases,
    distribution_cases,
    downtime_cases,
    extra_node_cases,
    failure_feed_cases,
    failure_log_cases,
    fault_generator_cases,
    fitting_cases,
    fleet_cases,
    interval_cases,
    law_cases,
    lifetimes_cases,
    makespan_cases,
    parallel_cases,
    partition_cases,
    proactive_cases,
    qos_cases,
    range_cases,
    recovery_cases,
    recovery_delay_cases,
    replay_cases,
    second_road_cases,
    wsj_cases,
)
from .judge.trial import Case

__all__ = ["CASES", "FULL"]

CASES: tuple[Case, ...] = (
    *makespan_cases.CASES,
    *proactive_cases.CASES,
    *qos_cases.CASES,
    *replay_cases.CASES,
    *recovery_cases.CASES,
    *recovery_delay_cases.CASES,
    *distribution_cases.CASES,
    *downtime_cases.CASES,
    *extra_node_cases.CASES,
    *cluster_cases.CASES,
    *wsj_cases.CASES,
    *interval_cases.CASES,
    *lifetimes_cases.CASES,
    *fitting_cases.CASES,
    *parallel_cases.CASES,
    *partition_cases.CASES,
    *fault_generator_cases.CASES,
    *failure_feed_cases.CASES,
    *failure_log_cases.CASES,
    *second_road_cases.CASES,
    *range_cases.CASES,
    *fleet_cases.CASES,
    *law_cases.CASES,
)

# Only in the full run: minutes each, and logs that may not be at hand.
FULL: tuple[Case, ...] = (
    *cluster_cases.FULL,
    *interval_cases.FULL,
    *fitting_cases.FULL,
    *replay_cases.FULL,
    *recovery_cases.FULL,
    *recovery_delay_cases.FULL,
    *second_road_cases.FULL,
    *range_cases.FULL,
    *fleet_cases.FULL,
    *law_cases.FULL,
)
