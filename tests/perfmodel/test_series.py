"""A pandas Series given for any one argument is answered by a Series of the same index."""

import inspect

import numpy as np
import pandas as pd
import pytest

import perfmodel
from validation.hunt.call import build
from validation.hunt.docstrings import arguments_of
from validation.hunt.public_names import names
from validation.hunt.random_arguments import Drawer

DRAWS = 60  # calls with arguments of their own; the first that are allowed suffice
# Their arrays belong together, so that none of them is answered row by row.
TOGETHER = {"contention_multiplier", "waste_shared"}


def takers():
    """Return public functions with the arguments that may be arrays."""
    found = []
    for name in sorted(set(names()) - TOGETHER):
        function = getattr(perfmodel, name)
        if inspect.isfunction(function):
            given = inspect.signature(function).parameters.values()
            arrays = [p.name for p in given if "ArrayLike" in str(p.annotation)]
            lists = [key for key, value in arguments_of(function).items() if value.is_list]
            if arrays and not set(arrays) & set(lists):
                found.append(pytest.param(function, arrays, id=name))
    return found


def calls(function):
    """Yield allowed arguments that the function answers by one number."""
    for seed in range(DRAWS):
        drawer = Drawer(np.random.default_rng(seed), ("near",))
        drawn = drawer.arguments(function.__name__)
        arguments = {key: build(value) for key, value in drawn.items()}
        if not any(isinstance(value, list) for value in arguments.values()):
            try:
                found = function(**arguments)
            except ValueError:  # not allowed together
                continue
            if isinstance(found, np.floating):
                yield arguments, found


@pytest.mark.few(34)
@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize(("function", "arrays"), takers())
def test_a_series_for_one_argument_is_answered_by_its_index(function, arrays):
    left = set(arrays)
    for arguments, alone in calls(function):
        numbers = {key for key, value in arguments.items() if isinstance(value, int | float)}
        for argument in left & numbers:
            series = pd.Series([arguments[argument]] * 2, index=["here", "there"])
            found = function(**{**arguments, argument: series})
            assert isinstance(found, pd.Series), (argument, arguments)
            assert found.index.equals(series.index)
            assert found["there"] == pytest.approx(alone, rel=1e-9, nan_ok=True)
        left -= numbers
        if not left:
            break
