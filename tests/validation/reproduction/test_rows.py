import numpy as np
import pytest

from validation.reproduction.rows import (
    Estimate,
    Row,
    estimate,
    ordered,
    table,
    within_factor,
    worst,
)


def test_an_interval_is_that_of_student():
    found = estimate([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    # t(3, 97.5 %) = 3.18245 from tables.
    assert found.half == pytest.approx(3.18245 * np.sqrt(5.0 / 3.0) / 2.0, rel=1e-5)
    assert str(estimate([5.0])) == "5.00"


def test_an_order_holds_is_unresolved_or_fails():
    assert ordered([1.0, 2.0], [2.0, 3.0], [5.0, 6.0]) == "holds"
    assert ordered([1.0, 2.0], [3.0, 2.1]) == "unresolved"
    assert ordered([1.0, 2.0], [2.0, 3.0], [1.0, 2.0]) == "fails"


def test_a_band_has_two_sides():
    assert within_factor(10.0, estimate([6.0, 6.0]), 2.0) == "holds"
    assert within_factor(10.0, estimate([4.0, 4.0]), 2.0) == "fails"
    assert within_factor(10.0, estimate([21.0, 21.0]), 2.0) == "fails"
    assert worst(("holds", "fails", "unresolved")) == "fails"


def test_a_failed_row_is_seen():
    text = table([Row("wait", "1", "2", "3", "O", "fails", "reversed")])
    assert text.splitlines()[-1] == "| wait | 1 | 2 | 3 | O | **fails**: reversed |"


def test_seeds_without_a_number_are_left_out_of_means():
    assert estimate([1.0, np.nan, 3.0]) == estimate([1.0, 3.0])
    assert str(estimate([np.nan, 5.0])) == "5.00"
    assert str(estimate([np.nan, np.nan])) == "-"
    assert ordered([1.0, np.nan, 1.0, 1.1], [3.0, 0.0, 3.1, 3.0]) == "holds"


def test_by_interval_a_row_fails_only_where_all_of_it_contradicts():
    rng = np.random.default_rng(1)
    low = rng.normal(0.0, 1.0, 6)
    assert ordered(low, low + 1.0, by_interval=True) == "holds"
    assert ordered(low, low - 1.0, by_interval=True) == "fails"
    noisy = low - 0.01 + rng.normal(0.0, 3.0, 6)
    down, up = sorted((low, noisy), key=np.mean)
    assert ordered(up, down) == "fails"
    assert ordered(up, down, by_interval=True) == "unresolved"
    assert ordered([2.0], [1.0], by_interval=True) == "fails"
    assert ordered([1.0], [2.0], by_interval=True) == "unresolved"


def test_a_band_by_interval():
    for mean, half, word in (
        (10.0, 1.0, "holds"),
        (19.0, 2.0, "unresolved"),
        (21.0, 2.0, "unresolved"),
        (25.0, 2.0, "fails"),
        (3.0, 1.0, "fails"),
        (21.0, float("nan"), "fails"),
        (19.0, float("nan"), "holds"),
    ):
        assert within_factor(10.0, Estimate(mean, half), 2.0, by_interval=True) == word
