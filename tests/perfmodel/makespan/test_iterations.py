import numpy as np
import pytest

from perfmodel import (
    expected_makespan,
    expected_makespan_iterations,
    optimal_interval,
    optimal_iterations,
)
from perfmodel.lifetimes import Exponential, LogNormal

COSTS = {"mtbf": 4.0, "checkpoint_cost": 0.5}
JOB = {**COSTS, "recovery_cost": 0.3, "downtime": 0.2}


@pytest.mark.parametrize("redone", ["anew", "alike"])
def test_iterations_of_a_fixed_length_are_segments(redone):
    found = expected_makespan_iterations(7, every=3, iteration_time=0.7, redone=redone, **JOB)
    known = expected_makespan(4.9, interval=2.1, **JOB)
    np.testing.assert_allclose(found, known, rtol=1e-13)


def test_one_exponential_iteration_by_hand():
    # Anew: E[e^(-X/4)] = 1/(1 + 0.25); alike: E[e^(X/4)] = 1/(1 - 0.25).
    once = {"every": 1, "iteration_time": Exponential(1.0), "mtbf": 4.0, "checkpoint_cost": 0.0}
    np.testing.assert_allclose(expected_makespan_iterations(1, **once), 1.0, rtol=1e-14)
    found = expected_makespan_iterations(1, redone="alike", **once)
    np.testing.assert_allclose(found, 4.0 / 3.0, rtol=1e-14)


def test_lengths_that_stay_are_dearer_than_new_ones():
    law = LogNormal.from_mean(0.7, cv=1.5)
    job = {"every": 3, "iteration_time": law, **JOB}
    assert expected_makespan_iterations(7, redone="alike", **job) == np.inf
    anew = expected_makespan_iterations(7, **job)
    assert anew < expected_makespan_iterations(7, **{**job, "iteration_time": 0.7})


def test_without_failures_only_work_and_checkpoints_remain():
    job = {"every": 3, "iteration_time": Exponential(2.0), "mtbf": np.inf, "checkpoint_cost": 1.0}
    np.testing.assert_allclose(expected_makespan_iterations(7, **job), 14.0 + 3.0, rtol=1e-15)


def test_more_than_all_iterations_are_one_segment():
    many, all_of_them = (
        expected_makespan_iterations(7, every=every, iteration_time=0.7, **JOB)
        for every in (100, 7)
    )
    assert many == all_of_them


@pytest.mark.parametrize("length", [1e-6, 1e-3, 0.1, 0.7, 5.0])
def test_no_other_number_is_better(length):
    best = float(optimal_iterations(iteration_time=length, **COSTS))
    near = max(best - 3, 1) + np.arange(7)

    def pace(n):
        return np.expm1((0.5 + n * length) / 4.0) / n

    assert pace(best) == pytest.approx(pace(near).min(), rel=1e-14)
    if best > 5:
        interval = optimal_interval(mtbf=4.0, checkpoint_cost=0.5)
        assert abs(best * length - interval) <= length


@pytest.mark.parametrize(
    ("changed", "best"),
    [
        ({"checkpoint_cost": 0.0}, 1.0),
        ({"mtbf": np.inf}, np.inf),
        ({"mtbf": np.inf, "checkpoint_cost": 0.0}, 1.0),
        ({"iteration_time": LogNormal(0.0, 1.0), "redone": "alike"}, 1.0),
    ],
)
def test_at_the_ends(changed, best):
    assert optimal_iterations(**{"iteration_time": 0.7, **COSTS, **changed}) == best


def test_arguments_broadcast():
    found = expected_makespan_iterations(
        [[7], [8]], every=[1, 2, 3], iteration_time=Exponential(0.7), **JOB
    )
    assert found.shape == (2, 3)
    assert optimal_iterations(iteration_time=[0.1, 0.7], **COSTS).shape == (2,)


@pytest.mark.parametrize("cost", [1e2, 1e6, 1e22, 1e300])
def test_one_iteration_is_best_where_two_are_all_but_lost(cost):
    # e^(cost + n step)/n grows from n = 1 on where step > log 2.
    best = optimal_iterations(iteration_time=[0.7, 1.0, 0.69], mtbf=1.0, checkpoint_cost=cost)
    np.testing.assert_array_equal(best, [1.0, 1.0, 2.0])
