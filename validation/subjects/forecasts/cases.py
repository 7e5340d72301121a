"""Laws under a mixture of rates against drawn jobs, closed forms and sums of exact laws."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import stats

from perfmodel import exact_makespan, expected_makespan
from perfmodel.forecasts import (
    FailureHistory,
    PlannedJob,
    forecast_failures,
    mixed_makespan,
    mixed_useful_share,
    optimal_interval_mixed,
    outlook_of,
)
from perfmodel.registry import ranges_of
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_at_most, compare_mean, compare_number
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case, searched

from ..cached_simulators import simulate_unknown_mtbf_makespans
from ..counted_failures import at_unknown_rate, judged_at_cusps, segments_in_turn
from .definitions import DAY, average, learnt_mean, useful_share

__all__ = ["CASES", "FULL", "PROPERTIES", "SWEEPS"]

Predict = Callable[..., Any]


def one_rate(predict: Predict, budget: Budget, *, work: float, mean: float, **job: Any) -> Verdict:
    """Judge two laws of one rate without spread: today's law, to rounding."""
    del budget
    found = predict(work, weights=(1.0, 2.0), shapes=math.inf, means=mean, **job)
    known = exact_makespan(work, mtbf=1.0 / mean, **job)
    return compare_number(float(found.ppf(0.9)), float(known.ppf(0.9)), tolerance=1e-12)


def at_cusps(predict: Predict, budget: Budget, *, work: float, **given: Any) -> Verdict:
    """Judge the law and its error by closed forms, while few failures can be over."""
    laws = {name: given.pop(name) for name in ("weights", "shapes", "means")}
    parts = tuple(zip(*laws.values(), strict=True))

    def known(exposed: float, order: int, left: FloatArray) -> FloatArray:
        each = [
            weight * at_unknown_rate(shape, shape / mean, exposed, order, left)
            for weight, shape, mean in parts
        ]
        return np.asarray(sum(each) / sum(weight for weight, _, _ in parts))

    return judged_at_cusps(
        predict(work, **laws, **given),
        budget,
        chain=segments_in_turn({"work": work, **given}),
        first=(0, 0),
        downtime=given["downtime"],
        known=known,
    )


def mean_by_definition(predict: Predict, budget: Budget, *, work: float, **given: Any) -> Verdict:
    """Judge the mean by that under each rate, averaged over all."""
    del budget
    found = float(predict(work, **given).mean)
    laws = [given.pop(name) for name in ("weights", "shapes", "means")]
    exact = average(
        lambda rate: np.asarray(expected_makespan(work, mtbf=1.0 / rate, **given)), *laws
    )
    return compare_number(found, exact, tolerance=1e-7)


def played(predict: Predict, budget: Budget, *, work: float, whole: bool, **given: Any) -> Verdict:
    """Judge mean or law by jobs of as many machines of each gamma law, which weigh the same."""
    walls = _walls(work, budget, **given)
    found = predict(work, weights=(1.0,) * len(given["shapes"]), **given)
    if whole:
        return compare_cdf(found.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)
    return compare_mean(found.mean, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def _walls(work: float, budget: Budget, *, shapes: Any, means: Any, **job: Any) -> FloatArray:
    return np.concatenate(
        [
            simulate_unknown_mtbf_makespans(
                work,
                failures=int(shape - 0.5),
                observed_time=shape / mean,
                **job,
                replications=budget.replications // len(shapes),
                seed=budget.seed + at,
            )
            for at, (shape, mean) in enumerate(zip(shapes, means, strict=True))
        ]
    )


def gets_on_most(
    predict: Predict, budget: Budget, *, checkpoint_cost: float, **given: Any
) -> Verdict:
    """Judge the interval by the least of the mean share lost, on a fine grid about it."""
    del budget
    found = float(predict(checkpoint_cost=checkpoint_cost, **given))
    costs = checkpoint_cost, given["recovery_cost"], given["downtime"]
    laws = given["weights"], given["shapes"], given["means"]

    def share(interval: float) -> float:
        return average(lambda rate: useful_share(rate, interval, *costs), *laws)

    grid = found * np.geomspace(0.25, 4.0, 161)
    shares = np.array([share(each) for each in grid])
    best = int(np.argmax(shares))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    for _ in range(60):
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        low, high = (low, right) if share(left) > share(right) else (left, high)
    return compare_number(found, 0.5 * (low + high), tolerance=1e-6)


def share_by_definition(
    predict: Predict, budget: Budget, *, interval: float, checkpoint_cost: float, **given: Any
) -> Verdict:
    """Judge the mean share by that at each rate, averaged over all."""
    del budget
    found = float(predict(interval, checkpoint_cost=checkpoint_cost, **given))
    costs = checkpoint_cost, given["recovery_cost"], given["downtime"]
    laws = given["weights"], given["shapes"], given["means"]
    exact = average(lambda rate: useful_share(rate, interval, *costs), *laws)
    return compare_number(found, exact, tolerance=1e-10)


def learnt(
    predict: Predict,
    budget: Budget,
    *,
    observed_time: float,
    window: float,
    rise: float,
    seed: int,
) -> Verdict:
    """Judge the mean rate of what is learnt of a machine whose rate rises, by its definition."""
    del budget
    failures, exact = _machine(observed_time, window, rise, seed)
    found = predict(
        failures,
        observed_time=observed_time,
        window=window,
        half_lives=_HALF_LIVES,
        spreads=_SPREADS,
    )
    return compare_number(found.mean_rate, exact, tolerance=1e-9)


@lru_cache(maxsize=8)
def _machine(now: float, window: float, rise: float, seed: int) -> tuple[FloatArray, float]:
    """Return failures without clusters, and the mean rate by definition."""
    rng = np.random.default_rng(seed)
    gaps = np.repeat([now / 120.0, now / 120.0 / rise], [60, 300])
    failures = np.cumsum(rng.exponential(gaps) + 3601.0)
    failures = failures[failures < now]
    return failures, learnt_mean(failures, now, window, _HALF_LIVES, _SPREADS)


def no_jump(
    predict: Predict, budget: Budget, *, count: int, days: float, work_days: float, most: float
) -> Verdict:
    """Judge where a forecast takes over from a constant rate, on machines of a constant rate.

    There the rate that is not exceeded with 0.9 must on average be from one to `most` times as
    large as that of the law of the count alone.
    """
    now, work = days * DAY, work_days * DAY
    job = PlannedJob(work=work, interval=work / 100.0, checkpoint_cost=60.0)
    known = stats.gamma(count + 1.0, scale=1.0 / (now + now / (count + 0.5))).ppf(0.9)
    found = []
    for machine in range(_MACHINES):
        drawn = np.random.default_rng([budget.seed, machine]).uniform(0.0, now, count)
        outlook = predict(FailureHistory.of(drawn, now), job)
        assert outlook.name == "forecast"
        found.append(outlook.cluster_size * outlook.rates.ppf(0.9) / known)
    half = 0.5 * (most - 1.0)
    away = np.abs(np.array(found) - 1.0 - half)
    return compare_at_most(half, away, scale=1.0, alpha=budget.alpha, tolerance=budget.tolerance)


def no_clusters(predict: Predict, budget: Budget, *, minutes: float, count: int) -> Verdict:
    """Judge that failures at random, however many an hour, are not taken for clusters."""
    now = 60.0 * minutes * count
    found = []
    for machine in range(_MACHINES):
        drawn = np.random.default_rng([budget.seed, machine]).uniform(0.0, now, count)
        found.append(predict(drawn, observed_time=now, window=7.0 * DAY).cluster_size - 1.0)
    return compare_at_most(0.15, found, scale=1.0, alpha=budget.alpha, tolerance=budget.tolerance)


_MACHINES = 60
_HALF_LIVES, _SPREADS = (10.0 * DAY, 90.0 * DAY, math.inf), (0.0, 0.5, 2.0)
_LAWS = ("weights", "shapes", "means")
_JOB = ("work", "interval", "checkpoint_cost", "recovery_cost", "downtime")
ONE = table(("mean", *_JOB), (0.05, 40.0, 10.0, 1.0, 1.0, 3.0))
CUSPS = table(
    (*_LAWS, *_JOB),
    ((1.0, 3.0), (4.5, 0.6), (0.05, 0.02), 10.0, 2.5, 0.5, 1.0, 5.0),
    ((2.0,), (2.5,), (0.04,), 7.3, 3.1, 0.41, 0.83, 4.7),
)
MEANS = table(
    (*_LAWS, *_JOB),
    ((1.0, 3.0), (4.5, 9.0), (0.02, 0.05), 40.0, 5.0, 0.5, 1.0, 3.0),
    ((0.2, 0.3, 0.5), (30.5, 2.5, 1.5), (0.1, 0.01, 0.002), 30.0, 2.0, 0.2, 0.3, 0.4),
)
PLAYED = table(
    (*_LAWS[1:], *_JOB),
    ((3.5, 12.5), (0.0175, 0.05), 40.0, 10.0, 1.0, 1.0, 3.0),
)
INTERVALS = table(
    (*_LAWS, "checkpoint_cost", "recovery_cost", "downtime"),
    ((1.0,), (0.6,), (0.05,), 0.1, 0.2, 0.5),
    ((1.0, 2.0), (20.0, 1.5), (0.2, 0.02), 0.1, 0.5, 0.2),
)
SEAMS = table(  # at the least failures, the least past, the work itself, the most failures
    ("count", "days", "work_days", "most"),
    (6, 60.0, 7.0, 1.5),
    (30, 30.0, 7.0, 1.5),
    (100, 30.0, 30.0, 1.8),
    (3000, 90.0, 90.0, 1.9),
)
AT_RANDOM = table(("minutes", "count"), (480.0, 100), (108.0, 1000), (10.0, 1000), (1.0, 1000))
LEARNT = table(
    ("observed_time", "window", "rise", "seed"),
    (300.0 * DAY, 7.0 * DAY, 5.0, 1),
    (400.0 * DAY, 30.0 * DAY, 0.2, 2),
    (60.0 * DAY, 30.0 * DAY, 5.0, 3),
    (350.0 * DAY, 7.0 * DAY, 0.2, 4),
)


def _drawn(name: str, *wanted: str) -> Callable[[Callable[[], float]], Point]:
    """Return what draws two laws, and durations in ratios of the documented range of a formula."""
    ranges = ranges_of(name)

    def draw(fraction: Callable[[], float]) -> Point:
        point: dict[str, Any] = {}
        base, *others = wanted
        point[base] = between(base, (1e-3, 1e3), fraction())
        for ratio in others:
            above, below = ratio.split("/")
            point[above] = between(ratio, ranges[ratio], fraction()) * point[below]
        (times,) = (ratio for ratio in ranges if ratio.startswith("means*"))
        unit = point[times.removeprefix("means*")]
        for key, ratio in (("shapes", "shapes"), ("means", times)):
            point[key] = tuple(between(ratio, ranges[ratio], fraction()) for _ in range(2))
        point["means"] = tuple(each / unit for each in point["means"])
        return {**point, "weights": (1.0, between("weights", (0.01, 100.0), fraction()))}

    return draw


_COSTS = ("checkpoint_cost/interval", "recovery_cost/interval", "downtime/interval")
SWEEPS = (
    Sweep(
        mixed_makespan,
        at_cusps,
        _drawn("mixed_makespan", "work", "interval/work", *_COSTS),
        quick=4,
        full=200,
    ),
    Sweep(
        mixed_useful_share,
        share_by_definition,
        _drawn("mixed_useful_share", "interval", *_COSTS),
        quick=40,
    ),
    Sweep(
        optimal_interval_mixed,
        gets_on_most,
        _drawn(
            "optimal_interval_mixed",
            *("checkpoint_cost", "recovery_cost/checkpoint_cost", "downtime/checkpoint_cost"),
        ),
        quick=4,
        full=200,
    ),
)
PROPERTIES = tuple(map(searched, SWEEPS))

CASES = (
    Case(mixed_makespan, one_rate, ONE, chance=False),
    Case(mixed_makespan, at_cusps, CUSPS, chance=False),
    Case(mixed_makespan, mean_by_definition, MEANS, chance=False),
    Case(
        mixed_makespan,
        played,
        tuple({**point, "whole": False} for point in PLAYED),
        effort=0.1,
        gate=0.02,
    ),
    Case(optimal_interval_mixed, gets_on_most, INTERVALS, chance=False),
    Case(forecast_failures, learnt, LEARNT, chance=False),
    Case(forecast_failures, no_clusters, AT_RANDOM, gate=0.2),
    Case(outlook_of, no_jump, SEAMS, gate=0.2),
    *map(case, SWEEPS),
)
FULL = (
    Case(
        mixed_makespan,
        played,
        tuple({**point, "whole": whole} for point in PLAYED for whole in (False, True)),
    ),
    *(case(sweep, full=True) for sweep in SWEEPS),
)
