"""Arguments that are refused, and the form of results: units, masks, numbers, arrays, Series."""

import json

import numpy as np
import pandas as pd
import pint
import pytest

import perfmodel
from perfmodel import (
    Exponential,
    Machines,
    Weibull,
    compare_extra_node,
    exact_makespan,
    fit_lifetime,
    mtbf_confidence,
    optimal_interval,
    spares_needed,
)

UNIT = pint.get_application_registry()
HOURS = 8.0 * UNIT.hour


class Astronomical(np.ndarray):
    """As astropy's quantities: an array with a unit."""

    unit = "h"


class PintType:
    """As the dtype of a column of pint-pandas."""

    units = "hour"


class Column:
    dtype = PintType()

    def __array__(self, dtype=None, copy=None):
        return np.array([8.0])


QUANTITIES = {
    "number": HOURS,
    "array": np.array([8.0, 9.0]) * UNIT.hour,
    "list": [HOURS, HOURS],
    "nested list": [[1.0, HOURS]],
    "without dimension": 8.0 * UNIT.dimensionless,
    "array of another package": np.array([8.0]).view(Astronomical),
    "column": Column(),
    "masked": np.ma.array([1.0, 2.0], mask=[False, True]),
    "timedelta64": np.timedelta64(8, "h"),
    "Timedelta": pd.Timedelta(8, "h"),
}

CALLS = {
    "a formula": lambda q: optimal_interval(mtbf=q, checkpoint_cost=0.1),
    "a second argument": lambda q: optimal_interval(mtbf=8.0, checkpoint_cost=q),
    "a law": lambda q: exact_makespan(10.0, interval=1.0, mtbf=q, checkpoint_cost=0.1),
    "a lifetime": Exponential,
    "a mean": lambda q: Weibull.from_mean(q, cv=2.0),
    "a time": lambda q: Exponential(1.0).sf(q),
    "a transform": lambda q: Exponential(1.0).laplace(q),
    "a record": fit_lifetime,
    "machines": lambda q: Machines(speed=1.0, mtbf=q),
    "an extra node": lambda q: compare_extra_node(
        10, work=100.0, mtbf=512.0, downtime=q, interval=2.0
    ),
    "an extra node's mtbf": lambda q: compare_extra_node(
        10, work=100.0, mtbf=q, downtime=1.0, interval=2.0
    ),
    "spares": lambda q: spares_needed(10, q, 1.0, 0.9),
    "a count": lambda q: mtbf_confidence(3, q),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_units_and_masks_are_refused_and_never_stripped(call, quantity):
    with pytest.raises(TypeError, match=r"^\w+ must be .*, got .+") as caught:
        CALLS[call](QUANTITIES[quantity])
    assert "\n" not in str(caught.value)


def test_the_refusal_of_a_quantity_says_what_to_do():
    with pytest.raises(TypeError, match=r"^mtbf must be .* got a quantity in hour: .* plain numb"):
        optimal_interval(mtbf=HOURS, checkpoint_cost=6.0 * UNIT.minute)


def test_a_mask_that_hides_nothing_is_fine():
    found = optimal_interval(mtbf=np.ma.array([8.0, 9.0]), checkpoint_cost=0.1)
    np.testing.assert_array_equal(found, optimal_interval(mtbf=[8.0, 9.0], checkpoint_cost=0.1))


def test_a_number_gives_a_float_that_json_takes():
    found = optimal_interval(mtbf=8.0, checkpoint_cost=0.1)
    assert isinstance(found, float)
    assert json.loads(json.dumps(found)) == found


def test_an_array_gives_an_array_of_its_shape():
    found = optimal_interval(mtbf=[[8.0], [9.0]], checkpoint_cost=[0.1, 0.2])
    assert type(found) is np.ndarray
    assert found.shape == (2, 2)


def test_a_series_keeps_its_index():
    machines = pd.DataFrame({"mtbf": [8.0, 9.0], "cost": [0.1, 0.2]}, index=["a", "b"])
    found = optimal_interval(mtbf=machines["mtbf"], checkpoint_cost=machines["cost"])
    assert isinstance(found, pd.Series)
    assert list(found.index) == ["a", "b"]
    assert found["b"] == optimal_interval(mtbf=9.0, checkpoint_cost=0.2)


def test_a_series_beside_an_array_of_another_shape_gives_an_array():
    found = optimal_interval(mtbf=pd.Series([8.0, 9.0]), checkpoint_cost=[[0.1], [0.2]])
    assert type(found) is np.ndarray
    assert found.shape == (2, 2)


def test_series_of_different_indexes_are_refused():
    mtbf = pd.Series([8.0, 9.0], index=["a", "b"])
    cost = pd.Series([0.1, 0.2], index=["b", "a"])
    with pytest.raises(ValueError, match=r"^Series must have one index, got 'a' to 'b' \(2\) and"):
        optimal_interval(mtbf=mtbf, checkpoint_cost=cost)


def test_nullable_series_are_answered():
    found = optimal_interval(mtbf=pd.Series([8, 9], dtype="Int64"), checkpoint_cost=0.1)
    assert isinstance(found, pd.Series)
    with pytest.raises(ValueError, match=r"^mtbf must be > 0, got nan"):
        optimal_interval(mtbf=pd.Series([8, None], dtype="Int64"), checkpoint_cost=0.1)


def test_the_package_lists_its_own_names_only():
    assert {name for name in dir(perfmodel) if not name.startswith("__")} == set(perfmodel.__all__)


@pytest.mark.parametrize("name", ["failures", "observed_time"])
def test_limits_of_an_mtbf_are_a_series_where_one_is_given(name):
    given = {"failures": 3, "observed_time": 100.0}
    found = mtbf_confidence(**given | {name: pd.Series([given[name]] * 2, index=["a", "b"])})
    alone = mtbf_confidence(**given)
    for end in ("lower", "upper"):
        assert list(getattr(found, end).index) == ["a", "b"]
        assert getattr(found, end)["b"] == getattr(alone, end)
