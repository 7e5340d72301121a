import numpy as np
import pytest

from validation.reproduction.estimates import estimate, ratio


def test_an_interval_is_that_of_student():
    found = estimate([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    # t(3, 97.5 %) = 3.18245 from tables.
    assert found.half == pytest.approx(3.18245 * np.sqrt(5.0 / 3.0) / 2.0, rel=1e-5)
    assert str(estimate([5.0])) == "5.00"


def test_seeds_without_a_number_are_left_out_of_means():
    assert estimate([1.0, np.nan, 3.0]) == estimate([1.0, 3.0])
    assert str(estimate([np.nan, 5.0])) == "5.00"
    assert str(estimate([np.nan, np.nan])) == "-"


def test_a_ratio_is_that_of_the_sums_and_counts_the_noise_of_both():
    rng = np.random.default_rng(4)
    whole = rng.uniform(5.0, 15.0, size=(2_000, 12))
    part = 0.3 * whole + rng.normal(scale=0.2, size=whole.shape)
    found = [estimate(ratio(*each)) for each in zip(part, whole, strict=True)]
    assert found[0].mean == pytest.approx(part[0].sum() / whole[0].sum())
    inside = np.mean([abs(each.mean - 0.3) < each.half for each in found])
    assert abs(inside - 0.95) < 0.015  # three standard errors
    # The whole as if it were known: intervals several times too wide.
    fixed = [estimate(part[k] / whole[k].mean()).half for k in range(100)]
    assert np.mean(fixed) > 3.0 * np.mean([each.half for each in found[:100]])
    # Clusters of one size: the mean of their means.
    equal = estimate(ratio([10.0, 20.0, 15.0], [5, 5, 5]))
    assert equal.mean == 3.0
    assert equal.half == pytest.approx(4.3027 / np.sqrt(3.0), rel=1e-4)
