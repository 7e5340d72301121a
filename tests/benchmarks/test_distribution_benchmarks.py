"""How fast a whole distribution is: percentiles of one makespan, the slowest of many tasks."""

import numpy as np
import pytest

from perfmodel import LogNormal, Weibull, exact_makespan, slowest_of

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


@pytest.mark.benchmark(group="slowest")
def test_mean_of_the_slowest_of_ten_thousand(benchmark):
    law = exact_makespan(100.0, **JOB)
    slowest_of(law, 10_000)
    found = benchmark(lambda: slowest_of(law, 10_000).mean)
    assert found > law.mean
    assert benchmark.stats["median"] <= 0.020
