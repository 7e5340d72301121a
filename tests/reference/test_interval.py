"""Optimal intervals and their regret at 50 digits, and against a numerical minimiser."""

import mpmath as mp
import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from perfmodel import (
    best_segments,
    expected_makespan,
    optimal_interval,
    optimal_interval_wsj,
    regret,
    wsj_mean,
)

RATIOS = np.concatenate([np.logspace(-16, 3, 60), [1e-14, 0.125, 1e-290, 1e290]])


def exact_ratio(cost):
    if cost < 1e-40:  # two terms of the series: the next is of relative size cost
        root = mp.sqrt(2 * mp.mpf(cost))
        return root - root**2 / 3
    return 1 + mp.lambertw(-mp.exp(-1 - mp.mpf(cost))).real


@pytest.mark.parametrize("mtbf", [1.0, 1e-12, 28800.0, 1e12])
def test_optimal_interval(mtbf):
    found = optimal_interval(mtbf=mtbf, checkpoint_cost=RATIOS * mtbf)
    with mp.workdps(100):
        ratios = [mp.mpf(float(r * mtbf)) / mp.mpf(mtbf) for r in RATIOS]
        exact = np.array([float(exact_ratio(r) * mp.mpf(mtbf)) for r in ratios])
    np.testing.assert_allclose(found, exact, rtol=1e-15)


@pytest.mark.parametrize("cost", [1e-4, 0.02, 0.7, 3.0])
def test_optimal_interval_is_where_a_minimiser_finds_it(cost):
    def long_run(interval):
        return (
            float(expected_makespan(interval, interval=interval, mtbf=1.0, checkpoint_cost=cost))
            / interval
        )

    found = minimize_scalar(long_run, bounds=(1e-6, 1.0), method="bounded", options={"xatol": 1e-9})
    assert float(optimal_interval(mtbf=1.0, checkpoint_cost=cost)) == pytest.approx(found.x, 1e-5)


@pytest.mark.parametrize("cost", [1e-14, 1e-6, 0.03, 0.5, 20.0])
def test_regret(cost):
    best = float(optimal_interval(mtbf=1.0, checkpoint_cost=cost))
    for factor in (1e-3, 0.5, 1 - 1e-6, 1 + 1e-6, 1.1, 3.0):
        with mp.workdps(60):
            c, w = mp.mpf(cost), mp.mpf(factor * best)
            optimum = exact_ratio(cost)
            mean = (mp.expm1(w + c) / w) / (mp.expm1(optimum + c) / optimum)
            exact = float(mean - 1)
        found = float(regret(factor * best, mtbf=1.0, checkpoint_cost=cost))
        # The distance to the optimum has an error of about 4 ulp of the optimum.
        assert found == pytest.approx(exact, rel=1e-12 + 4e-15 / abs(factor - 1.0))


@pytest.mark.parametrize(("work", "cost"), [(10.0, 0.03), (1.0, 1.0), (3.0, 0.4), (50.0, 2.0)])
def test_best_segments_by_trying_all(work, cost):
    counts = np.arange(1.0, 400.0)
    means = expected_makespan(work, interval=work / counts, mtbf=1.0, checkpoint_cost=cost)
    assert best_segments(work, mtbf=1.0, checkpoint_cost=cost) == counts[np.argmin(means)]


def g(x):
    return x**2 * (x * mp.exp(x) - mp.exp(x) + 1) / (mp.exp(x) - 1) ** 2


def test_optimal_interval_wsj_is_the_root():
    ratios = np.concatenate([np.linspace(1e-3, 1.5936, 60), np.logspace(-14, -3, 30)])
    with mp.workdps(90):
        costs = np.array([float(g(mp.mpf(float(x)))) for x in ratios])
    found = optimal_interval_wsj(mtbf=1.0, checkpoint_cost=costs)
    np.testing.assert_allclose(found, ratios, rtol=2e-15)


@pytest.mark.parametrize("cost", [0.01, 0.3, 0.647])
def test_optimal_interval_wsj_is_the_minimum_over_all_intervals(cost):
    best = optimal_interval_wsj(mtbf=1.0, checkpoint_cost=cost)
    task = {"mtbf": 1.0, "downtime": 0.1, "checkpoint_cost": cost}
    others = wsj_mean(1.0, interval=np.logspace(-3, 6, 2000), **task)
    assert wsj_mean(1.0, interval=best, **task) <= others.min()
