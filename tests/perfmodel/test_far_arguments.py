"""Numbers far apart are answered without a warning, or refused by their names."""

import re
import warnings
from inspect import signature
from itertools import combinations, product

import numpy as np
import pytest

from perfmodel import FORMULAS, ValidityWarning

TRIED = [row for row in FORMULAS if row.domain]


def call(row, **arguments):
    """Call a formula in the middle of its domain but for `arguments`."""
    middle = {name: float(np.sqrt(low * high)) for name, (low, high) in row.domain.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        return row.function(**{**middle, **arguments})


@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.name)
def test_tiny_and_huge_numbers_are_answered_quietly_or_refused(row):
    given = signature(row.function).parameters
    names = [name for name in row.domain if "ArrayLike" in str(given[name].annotation)]
    for pair in combinations(names, 2):
        for ends in product((1e-250, 1e250), repeat=2):
            try:  # warnings of NumPy are errors here
                assert not np.isnan(call(row, **dict(zip(pair, ends, strict=True)))).any()
            except ValueError as error:
                assert re.match(r"^\w+(, \w+)* must ", str(error)), error  # noqa: PT017
