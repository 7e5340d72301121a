import fractions
import math

import numpy as np
import pytest

from perfmodel import (
    ValidityWarning,
    failures_to_interruption,
    mtti_of_pairs,
    optimal_interval,
    optimal_interval_pairs,
    optimal_interval_pairs_first_order,
    pairs_crossover,
    waste,
    waste_of_pairs,
)
from perfmodel.replication import pairs as module

JOB = {"pairs": 3, "node_mtbf": 20.0, "checkpoint_cost": 0.5, "recovery_cost": 1.0, "downtime": 2.0}


def test_one_pair_takes_three_strikes_and_one_and_a_half_mtbf():
    assert failures_to_interruption(1) == 3.0
    assert mtti_of_pairs(1, 10.0) == 15.0


def test_the_series_meets_the_product():
    found = failures_to_interruption([64, 65])
    known = module._FEW_RATIOS[64] * np.array([1.0, 130.0 / 129.0])
    np.testing.assert_allclose(found, 1.0 + known, rtol=3e-15)


@pytest.mark.parametrize("restart", [True, False])
def test_segments_that_are_never_interrupted_waste_their_checkpoints(restart):
    # The survival of a segment is 1 but for the square of 1e-9.
    job = {**JOB, "node_mtbf": 1e10, "restart": restart}
    np.testing.assert_allclose(waste_of_pairs(10.0, **job), 0.5 / 10.5, rtol=1e-7)


def test_a_restart_of_nodes_never_does_harm():
    intervals = np.geomspace(0.1, 30.0, 20)
    with_it, without = (waste_of_pairs(intervals, restart=r, **JOB) for r in (True, False))
    assert (with_it < without).all()


@pytest.mark.parametrize("restart", [True, False])
def test_no_other_interval_is_better(restart):
    best = optimal_interval_pairs(restart=restart, **JOB)
    found = waste_of_pairs(best * np.geomspace(0.1, 10.0, 101), restart=restart, **JOB)
    assert np.argmin(found) == 50


@pytest.mark.parametrize("size", [1e-4, 0.0039, 0.0041, 0.02])
def test_the_sum_over_checkpoints_meets_its_integral(size):
    times = size * (0.3 + np.arange(1.0, np.ceil(45.0 / size)))
    known = np.sum(1.0 - np.expm1(-times) ** 2)
    with np.errstate(divide="ignore"):  # as its caller does: S is 0 far out
        found = module._checkpoints(np.array([size]), np.array([0.3 * size]), np.array([1.0]))
    np.testing.assert_allclose(found[0], known, rtol=1e-9)
    np.testing.assert_allclose(found[1], 1.5 - size * known, rtol=1e-8)


def test_below_the_crossover_pairs_do_more():
    costs = {"checkpoint_cost": 10.0, "recovery_cost": 5.0, "downtime": 1.0}
    mu = pairs_crossover(1000, **costs)
    for factor, more in ((0.9, True), (1.1, False)):
        node = factor * mu
        alone = optimal_interval(mtbf=node / 1000, checkpoint_cost=10.0)
        single = 1.0 - waste(alone, interval=alone, mtbf=node / 1000, **costs)
        job = {"pairs": 500, "node_mtbf": node, **costs}
        double = 1.0 - waste_of_pairs(optimal_interval_pairs(**job), **job)
        assert bool(0.5 * double > single) is more


def test_the_first_order_warns_beyond_its_range():
    with pytest.warns(ValidityWarning, match="is beyond 0.01"):
        optimal_interval_pairs_first_order(pairs=4, node_mtbf=1.0, checkpoint_cost=0.1)


def test_arguments_broadcast():
    found = waste_of_pairs([[0.01], [5.0]], **{**JOB, "pairs": [1, 3, 900]})
    assert found.shape == (2, 3)
    np.testing.assert_allclose(found[1, 1], waste_of_pairs(5.0, **JOB), rtol=1e-15)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pairs", [1, 2, 1000])
@pytest.mark.parametrize("restart", [True, False])
def test_a_recovery_that_no_pair_survives_wastes_all(pairs, restart):
    job = {"pairs": pairs, "node_mtbf": 1.0, "checkpoint_cost": 0.0, "restart": restart}
    found = waste_of_pairs(0.001, **job, recovery_cost=[38.0, 337.0, 1e5])
    np.testing.assert_allclose(found, 1.0, rtol=1e-10)


@pytest.mark.parametrize("unit", [1.0, 2.0**-400, 2.0**400])
@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_a_waste_of_next_to_nothing_has_all_digits(pairs, unit):
    """Of a few pairs S is a sum of exponentials; 1 less an efficiency kept eight digits."""
    exact = fractions.Fraction

    def up(t, whole=False):
        # (2 e^-t - e^-2t)^b by a series, as t is small: its integral, and itself.
        series = [exact((-1) ** k * (2 - 2**k), math.factorial(k)) for k in range(16)]
        power = [exact(1)]
        for _ in range(pairs):
            power = [
                sum((power[j] * series[k - j] for j in range(k + 1) if j < len(power)), exact(0))
                for k in range(16)
            ]
        shift = 1 if whole else 0
        return sum(c * t ** (k + shift) / (k + shift or 1) ** shift for k, c in enumerate(power))

    w, c, r, d = (exact(each) for each in (2.0**-14, 2.0**-50, 2.0**-13, 2.0**-12))
    a = w + c
    time = up(a, True) + (1 - up(a)) * (d + up(r + a, True)) / up(r + a)
    found = waste_of_pairs(
        float(w) * unit,
        pairs=pairs,
        node_mtbf=unit,
        checkpoint_cost=float(c) * unit,
        recovery_cost=float(r) * unit,
        downtime=float(d) * unit,
    )
    assert found == pytest.approx(float(1 - w / time), rel=1e-13, abs=0.0)
