"""Speed of whole distributions: percentiles of one makespan, the slowest of many tasks."""

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


@pytest.mark.benchmark(group="percentiles")
def test_99_percentiles_of_one_makespan(benchmark):
    law = exact_makespan(100.0, **JOB)
    law.ppf(PERCENTILES)
    found = benchmark(law.ppf, PERCENTILES)
    assert np.all(np.diff(found) > 0.0)
    assert benchmark.stats["median"] <= 0.010


@pytest.mark.benchmark(group="percentiles")
def test_99_percentiles_with_the_distribution_built_anew(benchmark):
    found = benchmark(lambda: exact_makespan(100.0, **JOB).ppf(PERCENTILES))
    assert found[49] == pytest.approx(142.7032, abs=1e-4)


@pytest.mark.benchmark(group="percentiles")
@pytest.mark.parametrize("cv", [0.5, 4.0])
@pytest.mark.parametrize("kind", [LogNormal, Weibull])
def test_99_percentiles_with_heavy_downtime_built_anew(benchmark, kind, cv):
    job = {**JOB, "downtime": kind.from_mean(0.5, cv=cv)}
    found = benchmark(lambda: exact_makespan(100.0, **job).ppf(PERCENTILES))
    assert np.all(np.diff(found) > 0.0)
    assert benchmark.stats["median"] <= 0.100


def recorded(count):
    """Return random recorded repairs of mean 0.5."""
    values = np.random.default_rng(count).lognormal(0.0, 1.0, count)
    return Empirical(0.5 * values / values.mean())


@pytest.mark.benchmark(group="percentiles")
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
def test_99_percentiles_with_any_downtime_built_anew(benchmark, downtime, at_risk):
    job = {**JOB, "downtime": downtime, "downtime_at_risk": at_risk}
    found = benchmark(lambda: exact_makespan(100.0, **job).ppf(PERCENTILES))
    assert np.all(np.diff(found) > 0.0)
    assert benchmark.stats["median"] <= 0.300


@pytest.mark.benchmark(group="percentiles")
@pytest.mark.parametrize("kind", [LogNormal, Weibull])
@pytest.mark.parametrize("least", [0.2, 0.8, 2.0])
def test_99_percentiles_with_a_shape_not_met_before(benchmark, kind, least):
    shapes = iter(least * (1.0 + 0.01 * np.arange(20)))

    def anew():
        job = {**JOB, "downtime": kind.from_mean(0.5, cv=next(shapes))}
        return exact_makespan(100.0, **job).ppf(PERCENTILES)

    found = benchmark.pedantic(anew, rounds=5)
    assert np.all(np.diff(found) > 0.0)
    assert benchmark.stats["median"] <= 0.500


@pytest.mark.benchmark(group="slowest")
def test_mean_of_the_slowest_of_ten_thousand(benchmark):
    law = exact_makespan(100.0, **JOB)
    slowest_of(law, 10_000)
    found = benchmark(lambda: slowest_of(law, 10_000).mean)
    assert found > law.mean
    assert benchmark.stats["median"] <= 0.020


@pytest.mark.benchmark(group="slowest", timer=process_time)
def test_mean_of_the_slowest_of_three_hundred_that_all_differ(benchmark):
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
    assert benchmark.stats["median"] <= 10.0


@pytest.mark.benchmark(group="slowest", timer=process_time)
@pytest.mark.parametrize("tasks", [128, 1000])
def test_the_best_interval_of_parallel_tasks(benchmark, tasks):
    job = {"work": 120.0, "mtbf": 100.0, "checkpoint_cost": 0.2, "downtime": 1.0}
    found = benchmark.pedantic(optimal_interval_parallel, (tasks,), job, rounds=3)
    assert found < 3.0
    assert benchmark.stats["median"] <= 0.5


@pytest.mark.benchmark(group="slowest", timer=process_time)
def test_the_best_interval_of_parallel_tasks_anywhere_in_the_documented_range(benchmark):
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
    print(f"longest of {len(times)} calls: {1e3 * max(times):.0f} ms of processor time")
    assert max(times) <= 0.5
