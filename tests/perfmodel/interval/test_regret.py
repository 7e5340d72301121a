import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from perfmodel import best_segments, expected_makespan, optimal_interval, regret
from tests.support.examples import examples
from tests.support.strategies import log_uniform, mtbfs, ratios, scales


@given(mtbf=mtbfs, ratio=ratios)
@settings(deadline=None, max_examples=examples(200))
def test_the_optimum_has_none(mtbf, ratio):
    costs = {"mtbf": mtbf, "checkpoint_cost": ratio * mtbf}
    assert float(regret(optimal_interval(**costs), **costs)) == 0.0


@given(interval=log_uniform(1e-6, 1e3), ratio=ratios)
@settings(deadline=None, max_examples=examples(200))
def test_is_never_negative(interval, ratio):
    assert float(regret(interval, mtbf=1.0, checkpoint_cost=ratio)) >= 0.0


@given(interval=log_uniform(1e-2, 10.0), cost=log_uniform(1e-4, 2.0))
@settings(deadline=None, max_examples=examples(100))
def test_is_the_excess_of_the_makespan_per_unit_of_work(interval, cost):
    costs = {"mtbf": 1.0, "checkpoint_cost": cost}
    best = float(optimal_interval(**costs))
    mean = expected_makespan(interval, interval=interval, **costs) / interval
    least = expected_makespan(best, interval=best, **costs) / best
    np.testing.assert_allclose(regret(interval, **costs), mean / least - 1.0, rtol=1e-9, atol=1e-14)


@given(work=log_uniform(1e-2, 30.0), interval=log_uniform(1e-2, 3.0), cost=log_uniform(1e-3, 2.0))
@settings(deadline=None, max_examples=examples(150))
def test_of_a_finite_job_compares_with_the_best_equal_segments(work, interval, cost):
    costs = {"mtbf": 1.0, "checkpoint_cost": cost}
    others = {"recovery_cost": 0.3, "downtime": 0.7}
    best = work / best_segments(work, **costs)
    found = float(regret(interval, work=work, **costs, **others))
    mean = expected_makespan(work, interval=interval, **costs, **others)
    least = expected_makespan(work, interval=best, **costs, **others)
    assert found >= 0.0
    assert found == pytest.approx(float(mean / least - 1.0), rel=1e-9, abs=1e-12)
    assert float(regret(best, work=work, **costs)) <= 1e-13


def test_a_long_job_of_finite_work_has_the_regret_of_the_long_run():
    costs = {"mtbf": 1.0, "checkpoint_cost": 0.05}
    np.testing.assert_allclose(
        regret(0.6, work=6e7, **costs), regret(0.6, **costs), rtol=0.0, atol=1e-9
    )


def test_a_wrong_mtbf_costs_what_the_first_order_says():
    # An interval r times the optimum multiplies the overhead by (r + 1/r)/2.
    costs = {"mtbf": 1.0, "checkpoint_cost": 1e-8}
    overhead = np.sqrt(2e-8)
    for factor, times in ((np.sqrt(1.5), 1.0206), (np.sqrt(2.0), 1.0607), (2.0, 1.25)):
        excess = regret(factor * optimal_interval(**costs), **costs)
        assert 1.0 + float(excess) / overhead == pytest.approx(times, abs=2e-4)


@given(scale=scales, interval=log_uniform(1e-3, 10.0), ratio=log_uniform(1e-8, 10.0))
@settings(deadline=None, max_examples=examples(100))
def test_does_not_depend_on_the_unit_of_time(scale, interval, ratio):
    base = float(regret(interval, mtbf=1.0, checkpoint_cost=ratio))
    scaled = float(regret(interval * scale, mtbf=scale, checkpoint_cost=ratio * scale))
    assert scaled == pytest.approx(base, rel=1e-9, abs=1e-20)


def test_overflow_is_infinite_and_a_huge_checkpoint_is_not():
    assert regret(1e300, mtbf=1.0, checkpoint_cost=0.1) == np.inf
    assert regret(1e3, mtbf=1.0, checkpoint_cost=0.1, work=1e4) == np.inf
    np.testing.assert_allclose(
        regret(0.5, mtbf=1.0, checkpoint_cost=1e5), (np.exp(-0.5) - 0.5) / 0.5, rtol=1e-14
    )
    one, two = regret([1.0, 0.5], mtbf=1.0, checkpoint_cost=1e5, work=1.0)
    assert one == 0.0
    np.testing.assert_allclose(two, 2.0 * np.exp(-0.5) - 1.0, rtol=1e-14)


def test_with_a_free_checkpoint_every_interval_has_some():
    # The best job checkpoints all the time and takes W: nothing is ever lost.
    np.testing.assert_allclose(
        regret(0.5, mtbf=1.0, checkpoint_cost=0.0), np.expm1(0.5) / 0.5 - 1.0, rtol=1e-14
    )
    np.testing.assert_allclose(
        regret(0.5, mtbf=1.0, checkpoint_cost=0.0, work=2.0),
        np.expm1(0.5) / 0.5 - 1.0,
        rtol=1e-14,
    )


def test_recovery_and_downtime_change_nothing_and_broadcast():
    base = regret(0.5, mtbf=1.0, checkpoint_cost=0.1)
    found = regret(0.5, mtbf=1.0, checkpoint_cost=0.1, recovery_cost=[0.0, 3.0], downtime=[[1.0]])
    assert found.shape == (1, 2)
    assert (found == base).all()


@pytest.mark.parametrize(
    ("interval", "job", "expected"),
    [
        # By mpmath at 60 digits, from the two means; their floats differ in a few last digits.
        (
            3.634725552499904,
            (998.9849134717432, 0.006628409843672986, 357028.1733837291),
            2.54039162343e-13,
        ),
        (
            2.9172781788571798,
            (9480.847057543007, 0.00044896992297856827, 329.6491377194841),
            1.7231152596e-12,
        ),
        (
            40.70938672418781,
            (1321.8359469102256, 0.6400515523469816, 951741.3907276652),
            4.48696123807e-9,
        ),
    ],
)
def test_a_nearly_best_interval_of_a_finite_job_has_no_rounding_noise(interval, job, expected):
    mtbf, cost, work = job
    found = float(regret(interval, mtbf=mtbf, checkpoint_cost=cost, work=work))
    np.testing.assert_allclose(found, expected, rtol=1e-7)


@given(work=log_uniform(1e-3, 100.0), cost=log_uniform(1e-6, 30.0), final_checkpoint=st.booleans())
@settings(deadline=None, max_examples=examples(200))
def test_no_other_number_of_segments_is_better(work, cost, final_checkpoint):
    costs = {"mtbf": 1.0, "checkpoint_cost": cost, "final_checkpoint": final_checkpoint}
    best = float(best_segments(work, **costs))
    others = np.unique(np.floor(np.geomspace(1.0, 2.0 * best + 10.0, 300)))
    others = np.append(others, best + np.arange(-min(best - 1.0, 3.0), 4.0))

    def mean(segments):
        return expected_makespan(work, interval=work / segments, **costs)

    assert mean(best) <= mean(others).min() * (1.0 + 1e-12)


def test_a_job_without_a_final_checkpoint_may_be_best_in_one_piece():
    job = {"mtbf": 5.0, "checkpoint_cost": 5.0}
    assert best_segments(6.0, **job) == 2.0
    assert best_segments(6.0, **job, final_checkpoint=False) == 1.0


@pytest.mark.parametrize(
    ("work", "mtbf", "cost", "best"),
    [  # by mpmath with 60 digits, among all numbers within 400
        (6026.0863593733075, 653655.2053689042, 4.849631029891352e-10, 239327),
        (0.6353758745654682, 33.41437606189249, 5.168095434757535e-15, 1081145),
        (186439.35084570464, 5992.398371649877, 6.541316424301222e-06, 665881),
    ],
)
def test_many_segments_are_told_from_one_more_without_a_final_checkpoint(work, mtbf, cost, best):
    job = {"mtbf": mtbf, "checkpoint_cost": cost, "final_checkpoint": False}
    assert best_segments(work, **job) == best


@pytest.mark.parametrize("work", [None, 5.0])
def test_the_limits_of_the_interval_are_taken_where_they_are_best(work):
    costs = {"mtbf": [1.0, np.inf], "checkpoint_cost": [0.0, 1.0]}
    best = optimal_interval(**costs)
    assert best.tolist() == [0.0, np.inf]
    assert regret(best, **costs, work=work).tolist() == [0.0, 0.0]
    # The mean of the job is that of the limit, too.
    job = {"recovery_cost": 1.0, "downtime": 2.0}
    found = expected_makespan(5.0, interval=best, **costs, **job)
    np.testing.assert_allclose(found, [np.exp(1.0) * 3.0 * 5.0, 6.0], rtol=1e-12)


def test_of_more_segments_than_the_largest_float():
    costs = {"mtbf": np.inf, "checkpoint_cost": 1e-27}
    assert regret(1e-12, work=1e297, **costs) == pytest.approx(1e-15, rel=1e-12)


@pytest.mark.parametrize("final_checkpoint", [True, False])
def test_the_number_of_segments_is_the_best_of_all(final_checkpoint):
    works, costs = np.geomspace(0.5, 20.0, 25), np.geomspace(2e-3, 2.0, 23)
    work, cost = (grid[..., None] for grid in np.meshgrid(works, costs))
    segments = np.arange(1.0, 2000.0)
    last = cost if final_checkpoint else 0.0
    means = (segments - 1.0) * np.expm1(work / segments + cost) + np.expm1(work / segments + last)
    found = best_segments(
        work[..., 0], mtbf=1.0, checkpoint_cost=cost[..., 0], final_checkpoint=final_checkpoint
    )
    np.testing.assert_array_equal(found, segments[means.argmin(axis=-1)])


def test_without_failures_each_further_checkpoint_is_lost():
    # Work 10 in pieces of 3, 3, 3 and 1 takes 14, in one piece 11.
    job = {"mtbf": np.inf, "work": 10.0}
    assert regret(3.0, checkpoint_cost=1.0, **job) == pytest.approx(3.0 / 11.0, rel=1e-15)
    assert regret(3.0, checkpoint_cost=0.0, **job) == 0.0
    assert regret(20.0, checkpoint_cost=1.0, **job) == 0.0


def test_slices_without_number_of_a_job_that_is_best_in_one_piece():
    # In k slices the mean is k (e^(1/k + 2) - 1), in one piece e^3 - 1.
    found = regret(2.0**-52, work=1.0, mtbf=1.0, checkpoint_cost=2.0)
    np.testing.assert_allclose(found, 2.0**52 * np.expm1(2.0) / np.expm1(3.0), rtol=1e-14)
