"""Time of whole distributions, over that of the calibration loop."""

from time import process_time

import numpy as np
import pytest

from perfmodel import (
    Deterministic,
    Empirical,
    Gamma,
    LogNormal,
    Weibull,
    exact_makespan,
    optimal_interval_parallel,
    slowest,
    slowest_of,
)

JOB = {
    "interval": 100 / 30,
    "mtbf": 10.0,
    "checkpoint_cost": 0.3,
    "recovery_cost": 0.4,
    "downtime": 0.5,
}
PERCENTILES = np.arange(1, 100) / 100.0


@pytest.mark.benchmark(group="percentiles", timer=process_time)
def test_99_percentiles_of_one_makespan(benchmark, judge_pace):
    law = exact_makespan(100.0, **JOB)
    law.ppf(PERCENTILES)
    found = benchmark(law.ppf, PERCENTILES)
    assert np.all(np.diff(found) > 0.0)
    judge_pace("99 percentiles", benchmark.stats["median"], at_most=0.16)


@pytest.mark.benchmark(group="percentiles", timer=process_time)
def test_99_percentiles_with_the_distribution_built_anew(benchmark):
    found = benchmark(lambda: exact_makespan(100.0, **JOB).ppf(PERCENTILES))
    assert found[49] == pytest.approx(142.7032, abs=1e-4)


@pytest.mark.benchmark(group="percentiles", timer=process_time)
@pytest.mark.parametrize("cv", [0.5, 4.0])
@pytest.mark.parametrize("kind", [LogNormal, Weibull])
def test_99_percentiles_with_heavy_downtime_built_anew(benchmark, judge_pace, kind, cv):
    job = {**JOB, "downtime": kind.from_mean(0.5, cv=cv)}
    found = benchmark(lambda: exact_makespan(100.0, **job).ppf(PERCENTILES))
    assert np.all(np.diff(found) > 0.0)
    figure = f"built anew, {kind.__name__} downtime of cv {cv:g}"
    judge_pace(figure, benchmark.stats["median"], at_most=1.6)


def recorded(count):
    """Return random recorded repairs of mean 0.5."""
    values = np.random.default_rng(count).lognormal(0.0, 1.0, count)
    return Empirical(0.5 * values / values.mean())


@pytest.mark.benchmark(group="percentiles", timer=process_time)
@pytest.mark.parametrize("at_risk", [False, True])
@pytest.mark.parametrize(
    "downtime",
    [
        Deterministic(0.5),
        LogNormal.from_mean(0.5, cv=0.1),
        Weibull.from_mean(0.5, cv=0.1),
        recorded(12),
        recorded(30),
        recorded(300),
    ],
    ids=["fixed", "narrow LogNormal", "narrow Weibull", "12 values", "30 values", "300 values"],
)
def test_99_percentiles_with_any_downtime_built_anew(
    benchmark, judge_pace, request, downtime, at_risk
):
    job = {**JOB, "downtime": downtime, "downtime_at_risk": at_risk}
    found = benchmark(lambda: exact_makespan(100.0, **job).ppf(PERCENTILES))
    assert np.all(np.diff(found) > 0.0)
    figure = f"built anew, {request.node.callspec.id}"
    judge_pace(figure, benchmark.stats["median"], at_most=10.0 if at_risk else 4.7)


@pytest.mark.benchmark(group="percentiles", timer=process_time)
@pytest.mark.parametrize("kind", [LogNormal, Weibull])
@pytest.mark.parametrize("least", [0.2, 0.8, 2.0])
def test_99_percentiles_with_a_shape_not_met_before(benchmark, judge_pace, kind, least):
    shapes = iter(least * (1.0 + 0.01 * np.arange(20)))

    def anew():
        job = {**JOB, "downtime": kind.from_mean(0.5, cv=next(shapes))}
        return exact_makespan(100.0, **job).ppf(PERCENTILES)

    found = benchmark.pedantic(anew, rounds=5)
    assert np.all(np.diff(found) > 0.0)
    figure = f"built anew, {kind.__name__} downtime of new cv from {least:g}"
    judge_pace(figure, benchmark.stats["median"], at_most=7.8)


@pytest.mark.benchmark(group="slowest", timer=process_time)
def test_mean_of_the_slowest_of_ten_thousand(benchmark, judge_pace):
    law = exact_makespan(100.0, **JOB)
    slowest_of(law, 10_000)
    found = benchmark(lambda: slowest_of(law, 10_000).mean)
    assert found > law.mean
    judge_pace("mean of `slowest_of` 10,000", benchmark.stats["median"], at_most=0.31)


@pytest.mark.benchmark(group="slowest", timer=process_time)
def test_mean_of_the_slowest_of_three_hundred_that_all_differ(benchmark, judge_pace):
    rng, count = np.random.default_rng(1), 300

    def laws():
        job = {"interval": 5.0, "checkpoint_cost": 0.3, "recovery_cost": 0.2}
        mtbfs, downs = 10.0 ** rng.uniform(1.5, 3.5, count), 10.0 ** rng.uniform(-1.0, 0.7, count)
        kinds = (
            Deterministic,
            lambda mean: LogNormal.from_mean(mean, cv=2.0),
            lambda mean: Gamma.from_mean(mean, cv=1.5),
        )
        return [
            exact_makespan(100.0, mtbf=mtbf, downtime=kinds[at % 3](down), **job)
            for at, (mtbf, down) in enumerate(zip(mtbfs, downs, strict=True))
        ]

    found = benchmark.pedantic(lambda: slowest(laws()).mean, rounds=1)
    assert found > 106.0
    judge_pace("mean of `slowest` of 300 laws", benchmark.stats["median"], at_most=300.0)


@pytest.mark.benchmark(group="slowest", timer=process_time)
@pytest.mark.parametrize("tasks", [128, 1000])
def test_the_best_interval_of_parallel_tasks(benchmark, judge_pace, tasks):
    job = {"work": 120.0, "mtbf": 100.0, "checkpoint_cost": 0.2, "downtime": 1.0}
    found = benchmark.pedantic(optimal_interval_parallel, (tasks,), job, rounds=3)
    assert found < 3.0
    figure = f"`optimal_interval_parallel`, {tasks:,} tasks"
    judge_pace(figure, benchmark.stats["median"], at_most=7.8)


@pytest.mark.benchmark(group="slowest", timer=process_time)
def test_the_best_interval_of_parallel_tasks_anywhere_in_the_documented_range(
    benchmark, judge_pace
):
    rng = np.random.default_rng(16)
    jobs = []
    for number in range(200):
        tasks, work = round(10.0 ** rng.uniform(0.0, 3.0)), 10.0 ** rng.uniform(-1.0, 1.0)
        job = {"work": work, "mtbf": 1.0, "checkpoint_cost": 10.0 ** rng.uniform(-3.0, -1.0)}
        if number % 3:
            job["recovery_cost"] = job["checkpoint_cost"] * 10.0 ** rng.uniform(-1.0, 0.5)
            job["downtime"] = 10.0 ** rng.uniform(-3.0, -1.0)
        jobs.append((tasks, job))
    times = []

    def slowest_call():
        for tasks, job in jobs:
            begun = process_time()
            assert 0.0 < optimal_interval_parallel(tasks, **job) <= job["work"]
            times.append(process_time() - begun)

    benchmark.pedantic(slowest_call, rounds=1)
    judge_pace("the longest of 200 `optimal_interval_parallel`", max(times), at_most=7.8)
