"""Every formula of the catalogue refuses what it cannot use, by the messages of `_checks`."""

import re
import warnings
from inspect import signature

import numpy as np
import pytest

from perfmodel import FORMULAS, ValidityWarning
from tests.support.catalogue import parameters

BAD_FOR_ALL = {
    "nan": np.nan,
    "inf": np.inf,
    "minus inf": -np.inf,
    "nan in an array": [1.0, np.nan],
    "negative": -1.0,
    "negative in an array": np.array([[1.0], [-1.0]]),
    "empty": [],
    "text": "many",
    "number as text": "1.0",
    "nothing": None,
    "flag": True,
    "complex": 1.0 + 0.0j,
    "ragged": [[1.0], [1.0, 2.0]],
    "object": object(),
}
KINDS = {"text", "number as text", "nothing", "flag", "complex", "ragged", "object"}


def numeric(row):
    """Names of the arguments that take numbers or arrays, `work` of a long job excepted."""
    given = signature(row.function).parameters.values()
    return [p.name for p in given if "ArrayLike" in str(p.annotation)]


TRIED = [row for row in FORMULAS if row.domain]
ARGUMENTS = [
    pytest.param(row, name, id=f"{row.name}-{name}") for row in TRIED for name in numeric(row)
]


def call(row, **arguments):
    """Call a formula in the middle of its domain but for `arguments`."""
    middle = {name: float(np.sqrt(low * high)) for name, (low, high) in row.domain.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        return row.function(**{**middle, **arguments})


@pytest.mark.parametrize(("row", "name"), ARGUMENTS)
def test_refuses(row, name):
    bad = dict(BAD_FOR_ALL)
    if signature(row.function).parameters[name].default is None:
        del bad["nothing"]  # nothing is a value of its own here
    if re.search(r"\binf\b", parameters(row.function)[name].text):
        assert not np.isnan(call(row, **{name: bad.pop("inf")})).any()
    for kind, value in bad.items():
        error = TypeError if kind in KINDS else ValueError
        with pytest.raises(error, match=rf"^{name} must be [\w\s>=\[\],.-]+, got .+") as caught:
            call(row, **{name: value})
        assert "\n" not in str(caught.value), kind


@pytest.mark.parametrize(("row", "name"), ARGUMENTS)
def test_zero_is_refused_or_accepted_as_the_docstring_says(row, name):
    text = parameters(row.function)[name].text
    if ">= 0" in text:
        assert not np.isnan(call(row, **{name: 0.0})).any()
    else:
        assert "> 0" in text
        with pytest.raises(
            ValueError, match=rf"^{name} must be (finite and )?> 0, got 0\.0(: .+)?$"
        ):
            call(row, **{name: 0.0})


FLAGS = [
    pytest.param(row, p.name, id=f"{row.name}-{p.name}")
    for row in TRIED
    for p in signature(row.function).parameters.values()
    if str(p.annotation) == "bool"
]


@pytest.mark.parametrize(("row", "name"), FLAGS)
def test_a_number_is_not_a_flag(row, name):
    for bad in (1, 0, "yes", None):
        with pytest.raises(TypeError, match=rf"^{name} must be True or False, got {bad!r}$"):
            call(row, **{name: bad})


@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.name)
def test_arguments_of_different_shapes_are_refused_by_name(row):
    first, second = numeric(row)[:2]
    message = r"^\w+(, \w+)+ must be broadcastable, got shapes \(.+\)$"
    with pytest.raises(ValueError, match=message) as caught:
        call(row, **{first: np.ones(2), second: np.ones(3)})
    assert first in str(caught.value)
    assert second in str(caught.value)


@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.name)
def test_whole_numbers_and_lists_are_fine(row):
    found = call(row, **dict.fromkeys(row.domain, 1))
    as_floats = call(row, **{name: [1.0] for name in row.domain})
    np.testing.assert_array_equal(found, as_floats[0])


@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.name)
def test_arguments_are_left_alone(row):
    given = {name: np.full((2, 3), np.sqrt(low * high)) for name, (low, high) in row.domain.items()}
    before = {name: array.copy() for name, array in given.items()}
    found = call(row, **given)
    assert found.shape == (2, 3)
    assert found.flags.writeable
    for name, array in given.items():
        np.testing.assert_array_equal(array, before[name])
        assert not np.shares_memory(found, array)
