"""Points drawn from each formula's domain in the catalogue, inside its stated range and beyond.

`python -m validation --property` judges every formula of the catalogue at random points by the
simulations of its cases. An approximation goes through `registry.evaluate`: inside its range the
stated error must hold, beyond it the exact fallback must take over, and the interval must be
good for simulated jobs on both sides of the border.

A property is a row: formula, judge, points. Points are drawn from round numbers, so that a
failing one can be shrunk to something a person can work through with a pencil.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel import fitting, interval, makespan, site
from perfmodel.registry import evaluate
from sim.application import simulate_makespans, simulate_wsj_makespans
from sim.samplers import Exponential

from ..judge.chance import FloatArray
from ..judge.compare import compare_least, compare_ratio
from ..judge.search import Property, PropertyRun, search
from ..judge.trial import BUDGET, Grant
from ..judge.verdict import Verdict
from ..ranges.ratios import points_over
from ..ranges.sweeps import searched
from ..ranges.sweeps_of_all import SWEEPS
from . import neighbours, points
from .fitting import cases as fitting_cases
from .interval import cases as interval_cases
from .law_properties import LAWS
from .makespan import cases as makespan_cases
from .other_formulas import cases as other_formulas_cases
from .points import points_of
from .predicted import cases as predicted_cases
from .promises import cases as promises_cases
from .queue_delay import cases as queue_delay_cases
from .recovery import cases as recovery_cases
from .replay import cases as replay_cases
from .wsj import cases as wsj_cases

__all__ = ["PROPERTIES", "run_all"]

Predict = Callable[..., Any]


def with_fallback(predict: Predict, grant: Grant, **costs: float) -> Verdict:
    """Judge an approximation with its fallback, then jobs that use what comes out of both."""
    verdict = other_formulas_cases.with_fallback(predict, grant, formula=predict.__name__, **costs)
    if not verdict.passed:
        return verdict
    exact = {name: value for name, value in costs.items() if name != "recovery_cost"}
    chosen = float(evaluate(predict, **costs).value)
    return neighbours.neighbours(lambda **_: chosen, grant, **exact)


def neighbours_in_wsj(predict: Predict, grant: Grant, **costs: float) -> Verdict:
    """Judge the optimum of wsj by its neighbours, or by whether never to write is best there."""
    best = float(predict(**costs))
    if np.isfinite(best):
        return neighbours.neighbours_in_wsj(lambda **_: best, grant, **costs)
    mtbf, cost = costs["mtbf"], costs["checkpoint_cost"]

    def walls(span: float) -> FloatArray:
        return simulate_wsj_makespans(
            64.0 * mtbf,
            interval=span,
            mtbf=mtbf,
            downtime=0.0,
            checkpoint_cost=cost,
            replications=grant.replications,
            seed=grant.seed,
        )

    spans = (0.5 * mtbf, 1.0 * mtbf, 2.0 * mtbf)
    return compare_least(walls(64.0 * mtbf), map(walls, spans), alpha=grant.alpha)


def number_of_segments(predict: Predict, grant: Grant, **job: float) -> Verdict:
    """Judge the number of segments by enumeration, then by jobs with fewer and more."""
    counted = interval_cases.enumeration(predict, grant, **job)
    return neighbours.fewer_and_more(predict, grant, **job) if counted.passed else counted


def excess_per_work(predict: Predict, grant: Grant, **costs: float) -> Verdict:
    """Judge 1 + regret by the time per work of long jobs at the interval and at the best one."""
    span = costs["interval"]
    rest = {name: value for name, value in costs.items() if name != "interval"}
    best = float(interval.optimal_interval(**rest))

    def pace(interval_used: float, seed: int) -> FloatArray:
        walls = simulate_makespans(
            8.0 * interval_used,
            interval=interval_used,
            uptime=Exponential(rest["mtbf"]),
            checkpoint_cost=rest["checkpoint_cost"],
            replications=grant.replications,
            seed=seed,
        )
        return walls / (8.0 * interval_used)

    return compare_ratio(
        1.0 + float(predict(span, **rest)),
        pace(span, grant.seed),
        pace(best, grant.seed + 1),
        alpha=grant.alpha,
        tolerance=grant.tolerance,
    )


def share_of_jobs_struck(
    predict: Predict, grant: Grant, *, duration: float, mtbf: float
) -> Verdict:
    """Judge the probability that a failure strikes within a duration."""
    return replay_cases.share_of_jobs_hit(predict, grant, work=duration, mtbf=mtbf)


def either_end(predict: Predict, grant: Grant, *, end: str, **count: Any) -> Verdict:
    """Judge the lower or the upper end of the confidence interval of an mtbf."""
    judge = fitting_cases.lower_end if end == "lower" else fitting_cases.upper_end
    return judge(predict, grant, **count)


PROPERTIES = (
    *(
        Property(function, judge, points.jobs(function), effort)
        for function, judge, effort in (
            (makespan.expected_makespan, makespan_cases.mean, 1.0),
            (makespan.makespan_variance, makespan_cases.variance, 8.0),
            (makespan.efficiency, makespan_cases.useful_share, 1.0),
            (makespan.waste, makespan_cases.useless_share, 4.0),
        )
    ),
    Property(makespan.wsj_mean, wsj_cases.mean, points_of(makespan.wsj_mean)),
    Property(makespan.wsj_variance, wsj_cases.variance, points_of(makespan.wsj_variance), 8.0),
    Property(
        interval.optimal_interval,
        neighbours.neighbours,
        points_of(interval.optimal_interval),
    ),
    *(
        Property(function, with_fallback, points_of(function))
        for function in (
            interval.optimal_interval_young,
            interval.optimal_interval_daly,
            interval.optimal_interval_daly_first_order,
        )
    ),
    Property(
        interval.optimal_interval_wsj,
        neighbours_in_wsj,
        points_of(interval.optimal_interval_wsj).filter(points.clear_of_the_tie),
    ),
    Property(interval.best_segments, number_of_segments, points_of(interval.best_segments)),
    Property(interval.regret, excess_per_work, points_of(interval.regret)),
    Property(
        interval.waste_aupy,
        predicted_cases.within_range,
        points_of(interval.waste_aupy),
        predicted_cases.EFFORT,
    ),
    Property(
        interval.optimal_period_aupy,
        predicted_cases.period_within_range,
        points_over(interval.optimal_period_aupy),
    ),
    Property(site.risk_based_interval, promises_cases.granted, points_of(site.risk_based_interval)),
    Property(site.promised_probability, promises_cases.parallel_job_undisturbed, points.promises()),
    Property(
        site.longest_promise, promises_cases.parallel_job_of_that_length, points.longest_promises()
    ),
    Property(
        site.failure_probability,
        share_of_jobs_struck,
        points_of(site.failure_probability),
    ),
    Property(
        site.expected_failures,
        replay_cases.failures_of_a_job,
        points.jobs(site.expected_failures),
    ),
    Property(
        site.expected_lost_time,
        replay_cases.loss_of_a_job,
        points.jobs(site.expected_lost_time),
        8.0,
    ),
    Property(
        site.expected_failure_slowdown,
        recovery_cases.job_that_was_struck,
        points_of(site.expected_failure_slowdown),
        4.0,
    ),
    Property(site.expected_manual_wait, recovery_cases.user_who_looks, points.looks()),
    Property(site.recovery_charge, recovery_cases.account, points.bookings()),
    Property(
        site.expected_head_delay,
        queue_delay_cases.struck_job,
        points.queues(places=(1, 2, 3), downtime=(1.0, 20.0), option=("head",)),
        4.0,
    ),
    Property(
        site.expected_rear_delay,
        queue_delay_cases.struck_job,
        points.queues(downtime=(0.0, 5.0), scv=(1.0, 0.0, 0.5), option=("rear",)),
        4.0,
    ),
    Property(
        site.expected_resubmission_delay,
        queue_delay_cases.struck_job,
        points.queues(places=(1, 2), remaining=(2.0, 10.0), option=("later",)),
        4.0,
    ),
    Property(site.checkpoint_gain, promises_cases.gain, points.requests()),
    Property(fitting.mtbf_confidence, either_end, points.counts()),
    Property(fitting.fit_lifetime, fitting_cases.estimate, points.records(), 2.0),
    *LAWS,
    *(searched(sweep) for sweep in SWEEPS),
)


def run_all(*, only: str | None, seed: int, examples: int) -> PropertyRun:
    """Search every formula whose name contains `only`."""
    alpha = BUDGET / (examples * sum(subject.chance for subject in PROPERTIES))
    return PropertyRun(
        seed,
        examples,
        tuple(
            search(subject, seed=seed, examples=examples, alpha=alpha)
            for subject in PROPERTIES
            if only is None or only in subject.formula
        ),
    )
