import warnings

import numpy as np
import pytest

from perfmodel import Range, ValidityWarning

STATED = Range("cost/mtbf", limit=0.1, error=0.02)


def _formula(value):
    STATED.warn("formula", np.asarray(value))


def test_inside_it_is_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _formula([0.0, 0.1])
        _formula(0.1 * (1 + 1e-15))


def test_beyond_it_names_the_largest_value_the_limit_and_the_error():
    message = r"^cost/mtbf = 0\.7 is beyond 0\.1, up to which formula is within 2\.00%$"
    with pytest.warns(ValidityWarning, match=message) as caught:
        _formula([0.05, 0.7, 0.3])
    assert len(caught) == 1


def test_a_measure_that_is_no_number_is_beyond():
    with pytest.warns(ValidityWarning):
        _formula(np.nan)


def test_tells_element_by_element():
    np.testing.assert_array_equal(STATED.holds(np.array([0.05, 0.1, 0.2])), [True, True, False])


def test_reads_as_a_sentence():
    assert str(STATED) == "cost/mtbf <= 0.1 (within 2.00%)"


def test_says_where_the_error_is_a_regret():
    stated = Range("cost/mtbf", limit=2.0, error=0.009, as_regret=True)
    assert str(stated) == "cost/mtbf <= 2 (within 0.90% regret)"
    with pytest.warns(ValidityWarning, match=r"up to which formula is within 0\.90% regret$"):
        stated.warn("formula", np.asarray(3.0))
