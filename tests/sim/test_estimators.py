import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.estimators import Moments, dkw_half_width, quantile_interval
from sim.streams import stream
from tests.support.examples import examples

whole_numbers = st.lists(st.integers(-50, 50), max_size=30)


def power_sums(values):
    """Count, mean and central power sums in exact arithmetic."""
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    return [len(exact), mean, *(sum((x - mean) ** k for x in exact) for k in (2, 3, 4))]


@settings(max_examples=examples(150), deadline=None)
@given(first=whole_numbers, second=whole_numbers, third=whole_numbers)
def test_merged_moments_are_those_of_the_whole_sample(first, second, third):
    merged = Moments.of(first) + (Moments.of(second) + Moments.of(third))
    values = first + second + third
    if not values:
        assert merged == Moments()
        return
    fields = (merged.count, merged.mean, merged.second, merged.third, merged.fourth)
    for power, got, exact in zip((0, 1, 2, 3, 4), fields, power_sums(values), strict=True):
        assert got == pytest.approx(float(exact), abs=1e-13 * len(values) * 100.0**power)


def test_the_variance_is_the_unbiased_one():
    sample = Moments.of([1.0, 2.0, 6.0])
    assert (sample.variance, sample.std) == (7.0, math.sqrt(7.0))
    assert sample.mean_stderr == pytest.approx(math.sqrt(7.0 / 3.0))


def test_a_large_mean_does_not_swamp_a_small_variance():
    values = 1e9 + np.tile([0.0, 1.0], 1000)
    parts = sum((Moments.of(part) for part in np.split(values, 10)), Moments())
    assert parts.variance == pytest.approx(0.25 * 2000 / 1999, rel=1e-12)


def test_small_samples_have_no_error_to_state():
    assert math.isnan(Moments.of([1.0]).mean_stderr)
    assert math.isnan(Moments.of([1.0]).variance)
    assert math.isnan(Moments.of([1.0, 2.0, 3.0]).variance_stderr)


def test_intervals_cover_as_often_as_they_say():
    # 95 % of 400 intervals: 380, with a deviation of 4.4; the fixed seed gives one draw of that.
    rng, hits = stream(30), np.zeros(3)
    for _ in range(400):
        sample = rng.standard_exponential(2000)
        moments = Moments.of(sample)
        reach = 1.96 * moments.variance_stderr
        for place, (low, high), truth in (
            (0, moments.mean_interval(), 1.0),
            (1, (moments.variance - reach, moments.variance + reach), 1.0),
            (2, quantile_interval(sample, 0.9), math.log(10.0)),
        ):
            hits[place] += low < truth < high
    assert (hits > 360).all()
    assert (hits < 398).all()


def test_a_quantile_the_sample_cannot_enclose_has_an_infinite_end():
    assert quantile_interval(np.arange(10.0), 0.99)[1] == math.inf
    assert quantile_interval(np.arange(10.0), 0.01)[0] == -math.inf


def test_the_band_solves_the_inequality():
    width = dkw_half_width(1000, confidence=0.99)
    assert 2.0 * math.exp(-2.0 * 1000 * width**2) == pytest.approx(0.01, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantile_interval([], 0.5), r"samples must be non-empty, got shape \(0,\)"),
        (lambda: quantile_interval([1.0, math.nan], 0.5), "samples must be numbers, got nan"),
        (lambda: quantile_interval([1.0], 1.0), r"probability must be in \(0, 1\), got 1\.0"),
        (lambda: quantile_interval([1.0], math.nan), r"probability must be in \(0, 1\), got nan"),
        (lambda: dkw_half_width(0), r"count must be a whole number >= 1, got 0"),
        (lambda: dkw_half_width(5, 0.0), r"confidence must be in \(0, 1\), got 0\.0"),
        (lambda: Moments.of([1.0, 2.0]).mean_interval(2.0), r"confidence must be in \(0, 1\)"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
