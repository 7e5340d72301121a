"""A tracked duration: weighted mean and variance of all that was seen, the newest a tenth."""

import math

import numpy as np
import pytest

from perfmodel.advisor.tracked import Tracked


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_weighted_mean_and_variance_of_all_that_was_seen(seed):
    values = np.random.default_rng(seed).lognormal(size=12)
    one = Tracked(values[0])
    for value in values[1:].tolist():
        one = one.seen(value)
    weights = np.append(0.9**11, 0.1 * 0.9 ** np.arange(10, -1, -1))
    mean = np.sum(weights * values)
    assert one.mean == pytest.approx(mean, rel=1e-12)
    assert one.variance == pytest.approx(np.sum(weights * (values - mean) ** 2), rel=1e-12)
    assert one.most == pytest.approx(mean + 3.0 * math.sqrt(one.variance), rel=1e-12)


def test_what_was_only_stated_may_differ_by_three_tenths():
    stated = Tracked.stated(50.0)
    assert stated == Tracked(50.0, pytest.approx(15.0**2))
    assert stated.most == pytest.approx(95.0)
    assert Tracked(50.0).most == 50.0
