import re
from inspect import signature

import pytest

from perfmodel import FORMULAS
from tests.support.catalogue import SECTIONS, parameters, public_functions, sections

ROWS = [pytest.param(row, id=row.name) for row in FORMULAS]


@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in public_functions().items()])
def test_every_public_function_has_a_row(function):
    assert function in [row.function for row in FORMULAS]


def test_the_catalogue_lists_public_functions_only():
    assert {row.function for row in FORMULAS} <= set(public_functions().values())


@pytest.mark.parametrize("row", ROWS)
def test_its_docstring_has_all_sections_in_order(row):
    found = [title for title in sections(row.function) if title in SECTIONS]
    assert found == SECTIONS


@pytest.mark.parametrize("row", ROWS)
def test_every_parameter_is_documented_with_its_unit(row):
    documented = parameters(row.function)
    assert list(documented) == list(signature(row.function).parameters)
    assert [name for name, e in documented.items() if e.unit is None and "str" not in e.kind] == []


@pytest.mark.parametrize("row", ROWS)
def test_an_array_is_returned_with_its_unit(row):
    kind = sections(row.function)["Returns"].strip().splitlines()[0]
    assert not kind.startswith("ndarray") or re.search(r"\[[^\]]+\]", kind)


@pytest.mark.parametrize("row", ROWS)
def test_its_notes_say_how_exact_it_is_and_whose(row):
    notes = sections(row.function)["Notes"].lstrip()
    opening = {"exact": "Exact", "approximation": "Approximation", "bound": "Bound"}[row.kind]
    assert notes.startswith(opening)
    assert "Source: " in notes or "[1]_" in notes


@pytest.mark.parametrize("row", [p for p in ROWS if p.values[0].range is not None])
def test_its_docstring_states_the_range_and_error_of_its_row(row):
    words = " ".join((row.function.__doc__ or "").split())
    assert f"Beyond {row.range.measure} = {row.range.limit:g}." in words
    assert f"{100 * row.range.error:g} %" in words


@pytest.mark.parametrize("row", ROWS)
def test_its_docstring_states_what_it_is_judged_for(row):
    assert row.ranges
    words = " ".join((row.function.__doc__ or "").split())
    assert row.statement in words


@pytest.mark.parametrize("row", ROWS)
def test_its_trend_names_arguments_once(row):
    named = [*row.trend.rising, *row.trend.falling]
    assert sorted(named) == sorted(set(named) & set(signature(row.function).parameters))
