import warnings
from inspect import signature

import numpy as np
import pytest

from perfmodel import (
    FORMULAS,
    Exponential,
    ValidityWarning,
    evaluate_formula,
    expected_makespan,
    optimal_interval,
    optimal_interval_daly_first_order,
    optimal_interval_young,
    waste_predicted,
)

APPROXIMATIONS = [row for row in FORMULAS if row.kind == "approximation" and row.fallback]


def test_rows_are_unique():
    names = [row.name for row in FORMULAS]
    assert len(set(names)) == len(names)


def test_a_row_says_where_it_comes_from():
    assert [row.name for row in FORMULAS if not (row.source and row.equation)] == []
    assert [r.name for r in FORMULAS if r.kind == "approximation" and r.range is None] == []


@pytest.mark.parametrize("row", FORMULAS, ids=lambda row: row.name)
def test_the_domain_names_arguments_and_the_formula_accepts_it(row):
    assert set(row.domain) <= set(signature(row.function).parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        for low_or_high in (0, 1):
            point = {name: bounds[low_or_high] for name, bounds in row.domain.items()}
            if point:
                assert not np.isnan(row.function(**point)).any()
    for low, high in row.domain.values():
        assert low <= high


def test_the_domain_of_an_approximation_reaches_beyond_its_range():
    for row in APPROXIMATIONS:
        corners = [{name: bounds[i] for name, bounds in row.domain.items()} for i in (0, 1)]
        inside, beyond = (bool(row.range.holds(row.range.of(**corner))) for corner in corners)
        assert (inside, beyond) == (True, False), row.name


@pytest.mark.parametrize("row", APPROXIMATIONS, ids=lambda row: row.name)
def test_evaluate_takes_the_formula_inside_and_the_exact_one_beyond(row):
    low, high = ({name: bounds[i] for name, bounds in row.domain.items()} for i in (0, 1))
    both = {name: np.array([low[name], high[name]]) for name in low}
    found = evaluate_formula(row.function, **both)
    known = {name: high[name] for name in high if name in signature(row.fallback).parameters}
    np.testing.assert_array_equal(found.fell_back, [False, True])
    np.testing.assert_array_equal(found.value, [row.function(**low), row.fallback(**known)])
    assert found.formula is row


def test_evaluate_of_an_exact_formula_never_falls_back():
    arguments = {"interval": 1.0, "mtbf": [3.0, 5.0], "checkpoint_cost": 0.1}
    found = evaluate_formula(expected_makespan, 10.0, downtime=Exponential(1.0), **arguments)
    np.testing.assert_array_equal(
        found.value, expected_makespan(10.0, downtime=Exponential(1.0), **arguments)
    )
    np.testing.assert_array_equal(found.fell_back, [False, False])


def test_evaluate_of_an_approximation_without_an_exact_formula_never_falls_back():
    (row,) = (row for row in FORMULAS if row.function is waste_predicted)
    costs = {name: [low, high] for name, (low, high) in row.domain.items()}
    found = evaluate_formula(waste_predicted, **costs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        np.testing.assert_array_equal(found.value, waste_predicted(**costs))
    np.testing.assert_array_equal(found.fell_back, [False, False])


def test_evaluate_broadcasts_and_never_warns():
    costs = {"mtbf": [[1.0], [100.0]], "checkpoint_cost": [0.01, 0.1, 1.0]}
    found = evaluate_formula(optimal_interval_young, **costs)
    np.testing.assert_array_equal(found.fell_back, [[False, True, True], [False, False, False]])
    exact = optimal_interval(**costs)
    np.testing.assert_array_equal(found.value[found.fell_back], exact[found.fell_back])
    scalar = evaluate_formula(optimal_interval_daly_first_order, mtbf=1.0, checkpoint_cost=3.0)
    assert scalar.value == optimal_interval(mtbf=1.0, checkpoint_cost=3.0)
    assert scalar.fell_back


def test_evaluate_refuses_what_is_not_in_the_catalogue():
    with pytest.raises(ValueError, match=r"^function must be in the catalogue, got <built-in"):
        evaluate_formula(max, 1.0, 2.0)


def test_evaluate_passes_refusals_on():
    with pytest.raises(ValueError, match=r"^mtbf must be > 0, got -1\.0$"):
        evaluate_formula(optimal_interval_young, mtbf=-1.0, checkpoint_cost=1.0)
