"""Machines whose MTBF is known from failures only, against simulated ones and definitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np
from scipy import special

import perfmodel
from perfmodel import (
    credible_interval,
    failure_clusters,
    fit_lifetime,
    mtbf_posterior,
    predictive_makespan,
)
from perfmodel.makespan import expected_makespan
from sim.application import simulate_burst_gaps
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.compare_estimates import compare_coverage, compare_estimate
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_mtbfs, simulate_unknown_mtbf_makespans
from ..counted_failures import at_unknown_rate, judged_at_cusps, segments_in_turn
from ..laws import Law, draw, predictable
from .definitions import average, posterior_cdf

__all__ = ["CASES", "FULL"]

Predict = Callable[..., Any]


def machines_like_it(
    predict: Predict, budget: Budget, *, failures: int, observed_time: float
) -> Verdict:
    """Judge the law of the mtbf by machines that failed as often."""
    mtbfs = simulate_mtbfs(
        failures=failures,
        observed_time=observed_time,
        replications=budget.replications,
        seed=budget.seed,
    )
    found = predict(failures, observed_time)
    return compare_cdf(
        lambda t: found.cdf(np.maximum(t, 1e-300)),
        mtbfs,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def by_bayes(
    predict: Predict,
    budget: Budget,
    *,
    failures: int,
    observed_time: float,
    truncation: str,
    ratio: float,
) -> Verdict:
    """Judge the law of the mtbf by Bayes' theorem, at a multiple of its estimate."""
    del budget
    mtbf = ratio * observed_time / max(failures, 1)
    found = float(predict(failures, observed_time, truncation=truncation).cdf(mtbf))
    exact = posterior_cdf(
        mtbf, failures=failures, observed_time=observed_time, truncation=truncation
    )
    return compare_number(found, exact, tolerance=1e-9)


def limits_after_a_failure(
    predict: Predict, budget: Budget, *, failures: int, share: float
) -> Verdict:
    """Judge a quantile where failure number n ends the observation: it errs as stated."""
    gaps = draw(
        Law("Exponential", (1.0,)), seed=budget.seed, replications=budget.replications * failures
    )
    observed = gaps.reshape(budget.replications, failures).sum(axis=1)
    ends = predict(failures, observed, truncation="failure").ppf(share)
    return compare_mean(
        share, np.asarray(ends) >= 1.0, alpha=budget.alpha, tolerance=budget.tolerance
    )


# Arguments besides the mtbf, of formulas that rise and that fall in it.
_FORMULAS: dict[str, dict[str, Any]] = {
    "optimal_interval": {"checkpoint_cost": 0.01},
    "expected_makespan": {"work": 5.0, "interval": 0.2, "checkpoint_cost": 0.01},
    "ettr_first_order": {"interval": 0.1, "checkpoint_cost": 0.01, "restore": 0.02},
}


def coverage(
    predict: Predict, budget: Budget, *, formula: str, least: float, most: float
) -> Verdict:
    """Judge how often the limits hold the true value, for mtbfs drawn over a wide range.

    The expected failures of the records are log-uniform from `least` to `most`.
    """
    expected, counts = _records(least, most, budget.seed, budget.replications // 20)
    function, given = getattr(perfmodel, formula), _FORMULAS[formula]
    found = predict(
        function, {**given, "mtbf": mtbf_posterior(counts, np.full(counts.size, 100.0))}
    )
    truth = function(**given, mtbf=100.0 / expected)
    hits = (found.lower <= truth) & (truth <= found.upper)
    return compare_coverage(0.95, hits, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.01)


def ratio_of_two(
    predict: Predict, budget: Budget, *, first: int, second: int, confidence: float
) -> Verdict:
    """Judge limits with two uncertain arguments: of the ratio of two mtbfs they are known."""
    del budget
    machines = {"a": mtbf_posterior(first, 10.0), "b": mtbf_posterior(second, 10.0)}
    found = predict(lambda a, b: a / b, machines, confidence=confidence)
    shapes = second + 0.5, first + 0.5
    ends = special.fdtri(2.0 * shapes[0], 2.0 * shapes[1], 0.5 + 0.5 * confidence)
    exact = float(ends) * shapes[0] / shapes[1]
    return compare_number(float(found.upper), exact, tolerance=0.01)


def same_without_a_trend(predict: Predict, budget: Budget, *, failures: int) -> Verdict:
    """Judge limits by many points by those of a formula that is known to fall."""
    del budget
    job = {**_FORMULAS["expected_makespan"], "mtbf": mtbf_posterior(failures, 10.0)}
    found = predict(lambda **given: -expected_makespan(**given), job)
    known = credible_interval(expected_makespan, job)
    return compare_number(-float(found.lower), float(known.upper), tolerance=2e-3)


def coverage_of_a_law(
    predict: Predict, budget: Budget, *, law: Law, watched: float, size: int
) -> Verdict:
    """Judge how often limits from a fitted law hold the true value: 90 % of durations end by it."""
    truth = float(predictable(law).ppf(0.9))
    hits = []
    for record in range(budget.replications // 4000):
        durations = draw(law, seed=budget.seed + record, replications=size)
        rng = np.random.default_rng((budget.seed + record, 1))
        left = watched * (1.0 - rng.permutation(size) / size)
        row = fit_lifetime(
            np.minimum(durations, left), censored=durations > left, families=[law.name.lower()]
        ).best
        found = predict(lambda uptime: float(uptime.ppf(0.9)), {"uptime": row.posterior})
        hits.append(found.lower <= truth <= found.upper)
    return compare_coverage(
        0.95, hits, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.015
    )


def mean_by_definition(
    predict: Predict,
    budget: Budget,
    *,
    work: float,
    failures: int,
    observed_time: float,
    **job: Any,
) -> Verdict:
    """Judge the mean by that under each mtbf, averaged over all."""
    del budget
    found = predict(work, failures=failures, observed_time=observed_time, **job)
    exact = average(
        lambda mtbf: np.asarray(expected_makespan(work, mtbf=mtbf, **job)),
        failures=failures,
        observed_time=observed_time,
    )
    return compare_number(found.mean, exact, tolerance=1e-7)


def mean(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the mean by jobs on machines that failed as often."""
    walls = _walls(work, budget, **job)
    found = predict(work, **job)
    return compare_mean(found.mean, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def done_by(predict: Predict, budget: Budget, *, work: float, time: float, **job: Any) -> Verdict:
    """Judge the probability to be done by a time, by jobs on machines that failed as often."""
    walls = _walls(work, budget, **job)
    found = float(predict(work, **job).cdf(time))
    return compare_mean(found, walls <= time, alpha=budget.alpha, tolerance=budget.tolerance)


def whole_law(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the law by jobs on machines that failed as often."""
    walls = _walls(work, budget, **job)
    found = predict(work, **job)
    return compare_cdf(found.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def at_cusps(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the law and its error by closed forms, while few failures can be over."""
    posterior = mtbf_posterior(job["failures"], job["observed_time"])
    return judged_at_cusps(
        predict(work, **job),
        budget,
        chain=segments_in_turn({"work": work, **job}),
        first=(0, 0),
        downtime=job["downtime"],
        known=partial(at_unknown_rate, float(posterior.shape), job["observed_time"]),
    )


def false_alarms(predict: Predict, budget: Budget, *, gaps: int) -> Verdict:
    """Judge how seldom records of a constant rate are called uneven."""
    count = min(budget.replications // 200, 20_000_000 // gaps)
    records = simulate_burst_gaps(count * gaps, burst_mtbf=1.0, seed=budget.seed)
    calm = [not predict(record).clustered for record in records.reshape(count, gaps)]
    return compare_coverage(
        0.99, calm, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.001
    )


def bursts(predict: Predict, budget: Budget, *, size: float, spacing: float) -> Verdict:
    """Judge the effective mtbf by the rate of bursts, in units of which they are spaced."""
    gaps = _burst_gaps(budget.seed, budget.replications // 4, size, spacing)
    found = predict(gaps).effective_mtbf
    # To first order in both sums, of which it is the ratio.
    parts = (gaps * gaps - 2.0 * found * gaps) / (2.0 * gaps.mean())
    stderr = float(parts.std()) / np.sqrt(gaps.size)
    return compare_estimate(1.0, found, stderr, alpha=budget.alpha, tolerance=budget.tolerance)


def _walls(work: float, budget: Budget, **job: Any) -> FloatArray:
    return simulate_unknown_mtbf_makespans(
        work, **job, replications=budget.replications, seed=budget.seed
    )


@lru_cache(maxsize=2)
def _burst_gaps(seed: int, count: int, size: float, spacing: float) -> FloatArray:
    return simulate_burst_gaps(count, burst_mtbf=1.0, size=size, spacing=spacing, seed=seed)


@lru_cache(maxsize=4)
def _records(least: float, most: float, seed: int, count: int) -> tuple[FloatArray, FloatArray]:
    """Return how many failures are expected in each record, and how many there were."""
    rng = np.random.default_rng((seed, 2))
    expected = np.exp(rng.uniform(np.log(least), np.log(most), count))
    # In units of the time observed: how many exponential gaps fit into it.
    counts = np.zeros(count)
    running, spent = np.arange(count), np.zeros(count)
    step = 0
    while running.size:
        gaps = draw(Law("Exponential", (1.0,)), seed=seed + step, replications=count)[
            : running.size
        ]
        spent = spent + gaps / expected[running]
        inside = spent <= 1.0
        running, spent = running[inside], spent[inside]
        counts[running] += 1.0
        step += 1
    return expected, counts


MACHINES = table(("failures", "observed_time"), (3, 100.0), (0, 100.0))
BAYES = table(
    ("failures", "observed_time", "truncation", "ratio"),
    (3, 100.0, "time", 0.7),
    (3, 100.0, "failure", 0.7),
    (0, 100.0, "time", 2.0),
    (1, 1e-6, "time", 4.0),
    (40, 1e6, "time", 1.2),
    (1, 100.0, "failure", 2.0),
    (100_000, 100.0, "time", 1.001),
    (100_000, 100.0, "failure", 0.997),
)
LIMITS = table(("failures", "share"), (2, 0.3), (1, 0.7))
COVERED = table(
    ("formula", "least", "most"),
    ("optimal_interval", 1.0, 100.0),
    ("expected_makespan", 3.0, 100.0),
)
ALL_COVERED = table(("formula", "least", "most"), *((name, 1.0, 1000.0) for name in _FORMULAS))
RATIOS = table(("first", "second", "confidence"), (4, 9, 0.95), (0, 2, 0.5))
_JOB = ("work", "failures", "observed_time", "interval", "checkpoint_cost", "recovery_cost")
# Few failures seen and some expected, so that what is not known shows.
JOBS = table(
    (*_JOB, "downtime"),
    (40.0, 3, 200.0, 10.0, 1.0, 1.0, 3.0),
)
# Of lengths that share a measure, so that cusps meet, and of any; the second knows least.
CUSPS = table(
    (*_JOB, "downtime"),
    (10.0, 4, 100.0, 2.5, 0.5, 1.0, 5.0),
    (7.3, 1, 40.0, 3.1, 0.41, 0.83, 4.7),
)
DONE = tuple({**JOBS[0], "time": time} for time in (67.0,))
ENDS = table(
    (*_JOB, "downtime"),
    (40.0, 2, 60.0, 10.0, 1.0, 2.0, 3.0),
    (1.0, 1000, 100.0, 0.05, 0.0005, 0.0005, 0.0005),
    (1.0, 0, 100.0, 1.0, 1.0, 1.0, 1.0),
    (100.0, 0, 100.0, 10.0, 10.0, 10.0, 10.0),
    (10.0, 1, 100.0, 0.2, 0.2, 0.002, 0.2),
)
LAWS = tuple(
    {"law": law, "watched": 16.0, "size": 80}
    for law in (Law("Exponential", (5.0,)), Law("Weibull", (0.7, 5.0)), Law("Gamma", (2.5, 2.0)))
)

CASES = (
    Case(mtbf_posterior, by_bayes, BAYES, chance=False),
    Case(mtbf_posterior, limits_after_a_failure, LIMITS, effort=0.25, gate=0.02),
    Case(mtbf_posterior, machines_like_it, MACHINES[:1], effort=0.1, gate=0.02),
    Case(credible_interval, ratio_of_two, RATIOS[:1], chance=False),
    Case(credible_interval, same_without_a_trend, ({"failures": 3},), chance=False),
    Case(credible_interval, coverage, COVERED),
    Case(predictive_makespan, mean_by_definition, (*JOBS, *ENDS), chance=False),
    Case(predictive_makespan, at_cusps, CUSPS, chance=False),
    Case(predictive_makespan, mean, JOBS, effort=0.1, gate=0.02),
    Case(predictive_makespan, done_by, DONE, effort=0.1, gate=0.05),
    Case(failure_clusters, bursts, ({"size": 3.0, "spacing": 0.0},), gate=0.05),
    Case(failure_clusters, false_alarms, ({"gaps": 20},), gate=0.02),
)

# Minutes: whole laws at the ends of what they are judged for, and coverage to half a point.
FULL = (
    Case(mtbf_posterior, limits_after_a_failure, LIMITS),
    Case(mtbf_posterior, machines_like_it, MACHINES),
    Case(credible_interval, ratio_of_two, RATIOS, chance=False),
    Case(credible_interval, coverage, ALL_COVERED),
    Case(credible_interval, coverage_of_a_law, LAWS, gate=0.05),
    Case(predictive_makespan, mean, JOBS),
    Case(predictive_makespan, done_by, DONE),
    Case(predictive_makespan, whole_law, (*JOBS, *ENDS), effort=0.1),
    Case(failure_clusters, false_alarms, ({"gaps": 10}, {"gaps": 200}, {"gaps": 10_000})),
    Case(failure_clusters, bursts, ({"size": 3.0, "spacing": 1e-4},), effort=4.0),
)
