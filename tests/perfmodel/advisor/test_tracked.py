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
    assert stated == Tracked(50.0, pytest.approx(15.0**2), 1.0)
    assert stated.most == pytest.approx(95.0)


def test_a_statement_that_holds_is_worth_one_value_until_ten_were_seen():
    one, values = Tracked.stated(50.0), [50.0, 44.0, 61.0, 57.0, 38.0]
    for value in values:
        one = one.seen(value)
    assert one.mean == pytest.approx(np.mean([50.0, *values]), rel=1e-12)
    assert one.weight == 6.0
    for _ in range(9):
        one = one.seen(50.0)
    assert one.seen(50.0 + 1.0).mean - one.mean == pytest.approx(0.1 * (51.0 - one.mean))


@pytest.mark.parametrize("factor", [60.0, 1.0 / 60.0])
def test_a_statement_that_is_wrong_by_far_soon_counts_for_little(factor):
    one = Tracked.stated(60.0 * factor).seen(60.0)
    # log 60 / log 3 is 3.73, so that the statement counts 1 / 14.9 of a value.
    share = 1.0 / (1.0 + (math.log(60.0) / math.log(3.0)) ** 2)
    assert one.mean == pytest.approx((60.0 + share * 60.0 * factor) / (1.0 + share), rel=0.02)
    for _ in range(9):
        one = one.seen(60.0)
    assert 0.9 * 60.0 < one.mean < 1.5 * 60.0
    assert one.most < 0.12 * 3600.0


@pytest.mark.parametrize("stated", [0.0, 1e-300, 50.0])
@pytest.mark.parametrize("value", [0.0, 1e-300, 1e150])
def test_any_first_value_is_taken(stated, value):
    one = Tracked.stated(stated).seen(value)
    assert min(stated, value) <= one.mean <= max(stated, value)
    assert 0.0 <= one.variance < math.inf
    assert Tracked(50.0).most == 50.0
