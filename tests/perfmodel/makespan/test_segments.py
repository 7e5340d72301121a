"""How work is cut into segments, at the limits of what a float tells."""

import math

import numpy as np
import pytest

from perfmodel.lifetimes import LogNormal
from perfmodel.makespan import expected_makespan
from perfmodel.makespan.segments import checked_interval, checked_job, split


@pytest.mark.parametrize("count", [1, 3, 30, 1000, 10**6])
def test_a_remainder_that_is_rounding_makes_no_segment(count):
    for work in np.random.default_rng(count).uniform(1.0, 1e6, 50):
        hours = work / 3600.0
        for interval in (work / count, hours / count * 3600.0, work * (1.0 / count)):
            whole, segment, last = split(np.float64(work), np.float64(interval))
            assert whole == count - 1
            assert last == pytest.approx(segment, rel=1e-15 * (1 + 4 * count))


def test_a_remainder_that_is_no_rounding_is_a_segment():
    # 2 of 1e13 + 2: a share of 2e-13 of the work, and far above its last digit.
    whole, _, last = split(np.float64(1e13 + 2.0), np.float64(5.0))
    assert (whole, last) == (2e12, 2.0)


def test_the_last_segment_is_never_longer_than_the_others():
    rng = np.random.default_rng(1)
    interval = 10.0 ** rng.uniform(-3.0, 3.0, 10_000)
    work = interval * 10.0 ** rng.uniform(-2.0, 18.0, 10_000)
    whole, segment, last = split(work, interval)
    assert np.all((last > 0.0) & (last <= segment))
    np.testing.assert_allclose(whole * segment + last, work, rtol=2.0**-47)


def test_very_many_long_segments_each_cost_what_one_costs():
    work, interval, mtbf = 3.5e15, 6000.0, 37.7
    segments = math.ceil(3_500_000_000_000_000 / 6000)
    one = mtbf * math.expm1(interval / mtbf)
    found = expected_makespan(work, interval=interval, mtbf=mtbf, checkpoint_cost=0.0)
    assert found == pytest.approx(segments * one, rel=1e-11)


JOB = {
    "interval": 4.0,
    "mtbf": 50.0,
    "checkpoint_cost": 0.5,
    "recovery_cost": 0.25,
    "downtime": 3.0,
    "final_checkpoint": True,
}


@pytest.mark.parametrize(("final_checkpoint", "last_cost"), [(True, 0.5), (False, 0.0)])
def test_the_last_segment_has_a_checkpoint_if_asked(final_checkpoint, last_cost):
    job = checked_job(10.0, **JOB | {"final_checkpoint": final_checkpoint})
    assert (job.whole, job.segment, job.last) == (2.0, 4.0, 2.0)
    assert (job.checkpoint_cost, job.last_cost) == (0.5, last_cost)
    # Two segments of 4 + 0.5 and one of 2 and its cost.
    assert job.sum(lambda work, cost: work + cost) == 11.0 + last_cost


def test_pieces_that_cost_nothing_add_nothing_however_many():
    job = checked_job(1.0, **JOB | {"interval": 1e-320, "checkpoint_cost": 0.0})
    assert job.whole == math.inf
    assert job.sum(lambda work, cost: cost) == 0.0
    assert job.sum(lambda work, cost: work) == math.inf
    assert checked_job(10.0, **JOB).sum(lambda work, cost: 0.25 + 0.0 * work) == 0.75


def test_checkpoints_all_the_time_are_very_short_segments():
    free = JOB | {"interval": [0.0, 4.0], "checkpoint_cost": 0.0}
    assert checked_job(10.0, **free).segment.tolist() == [10.0 * 2.0**-1000, 4.0]
    assert checked_job(1e-300, **free).segment[0] == np.finfo(np.float64).tiny


def test_an_endless_downtime_is_forgotten_where_nothing_fails():
    heavy = LogNormal(0.0, 40.0)  # its mean overflows
    job = checked_job(10.0, **JOB | {"mtbf": [math.inf, 5.0], "downtime": heavy})
    assert job.downtime.tolist() == [0.0, math.inf]
    job = checked_job(10.0, **JOB | {"mtbf": [math.inf, 5.0]})
    assert job.downtime.tolist() == [3.0, 3.0]


def test_an_interval_of_zero_asks_for_free_checkpoints():
    cost = np.array([0.0, 0.5])
    assert checked_interval([0.0, 2.0], cost).tolist() == [0.0, 2.0]
    assert checked_interval([0.0, math.inf], np.zeros(2)).tolist() == [0.0, math.inf]
    for interval in (0.0, [2.0, 0.0]):
        with pytest.raises(ValueError, match=r"^interval must be > 0, got 0.0: only free check"):
            checked_interval(interval, cost)
    with pytest.raises(ValueError, match=r"^interval must be >= 0, got -1"):
        checked_interval(-1.0, cost)
