"""How work is cut into segments, at the limits of what a float tells."""

import math

import numpy as np
import pytest

from perfmodel.makespan import expected_makespan
from perfmodel.makespan.segments import split


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
