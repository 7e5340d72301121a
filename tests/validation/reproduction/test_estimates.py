import numpy as np
import pytest

from validation.reproduction.estimates import estimate


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
