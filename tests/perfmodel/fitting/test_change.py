import numpy as np
import pytest
from scipy import stats

from perfmodel import mtbf_confidence, rate_change


def test_equal_times_are_the_test_of_a_fair_coin():
    for before, now in ((0, 5), (3, 3), (10, 24), (200, 150)):
        found = rate_change(before, 7.0, now, 7.0)
        known = stats.binomtest(now, before + now, 0.5).pvalue
        assert found.p_value == pytest.approx(known, rel=1e-12)


def test_it_is_the_same_test_backwards():
    one, other = rate_change(4, 3.0, 9, 2.0), rate_change(9, 2.0, 4, 3.0)
    assert one.p_value == pytest.approx(other.p_value, rel=1e-12)
    assert one.ratio == pytest.approx(1.0 / other.ratio)
    assert one.lower == pytest.approx(1.0 / other.upper)
    assert one.upper == pytest.approx(1.0 / other.lower)


def test_only_the_ratio_of_the_times_matters():
    assert rate_change(4, 3.0, 9, 2.0) == rate_change(4, 3.0 * 2.0**60, 9, 2.0 * 2.0**60)


def test_without_failures_nothing_is_known():
    found = rate_change(0, 1.0, 0, 5.0)
    assert np.isnan(found.ratio)
    assert (found.lower, found.upper, found.p_value) == (0.0, np.inf, 1.0)


def test_a_first_failure_has_a_lower_end_only():
    found = rate_change(0, 10.0, 4, 1.0)
    assert found.ratio == np.inf
    assert found.lower > 1.0
    assert found.upper == np.inf
    assert found.p_value == pytest.approx(2.0 * (1.0 / 11.0) ** 4, rel=1e-12)


def test_the_interval_has_1_where_the_test_finds_no_change():
    counts = np.arange(0, 40)
    before, now = (grid.ravel() for grid in np.meshgrid(counts, counts))
    for level in (0.01, 0.05, 0.3):
        found = rate_change(before, 3.0, now, 5.0, confidence=1.0 - level)
        inside = (found.lower <= 1.0) & (found.upper >= 1.0)
        assert (inside == (found.p_value > level)).all()


def test_with_a_long_time_before_it_is_the_interval_of_one_count():
    found = rate_change(10**9, 1e9, 12, 10.0)
    alone = mtbf_confidence(12, 10.0)
    assert found.lower == pytest.approx(1.0 / alone.upper, rel=1e-3)
    assert found.upper == pytest.approx(1.0 / alone.lower, rel=1e-3)


@pytest.mark.parametrize("name", ["failures_before", "failures"])
def test_more_failures_than_a_test_has_digits_for_are_refused(name):
    counts = {"failures_before": 1.0, "failures": 1.0, name: 1e308}
    with pytest.raises(ValueError, match=rf"^{name} must be at most 1e\+12, .* got 1e\+308$"):
        rate_change(**counts, observed_before=1.0, observed=1.0)
    many = rate_change(1e12, 1.0, 1e12, 1.0)
    assert many.lower < 1.0 < many.upper
    assert rate_change(-0.0, 50.0, 9, 100.0).ratio == np.inf
