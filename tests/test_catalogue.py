import re
import warnings
from inspect import signature

import numpy as np
import pytest

import perfmodel
from perfmodel import FORMULAS, ValidityWarning
from tests.support.catalogue import SECTIONS, parameters, public_functions, sections
from validation.hunt.call import build
from validation.hunt.random_arguments import Drawer

ROWS = [pytest.param(row, id=row.name) for row in FORMULAS]


@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in public_functions().items()])
def test_every_public_function_has_a_row(function):
    assert function in [row.function for row in FORMULAS]


def test_the_catalogue_lists_public_functions_only():
    assert {row.function for row in FORMULAS} <= set(public_functions().values())


@pytest.mark.parametrize("row", ROWS)
def test_its_docstring_has_all_sections_in_order(row):
    found = [title for title in sections(row.function) if title in SECTIONS]
    assert found == [title for title in SECTIONS if title != "Raises" or "Raises" in found]


COMMON = ("outside the range", "of the wrong kind", "1e100 times another")


@pytest.mark.parametrize("row", ROWS)
def test_what_every_formula_raises_is_said_once(row):
    said = " ".join((perfmodel.__doc__ or "").split())
    assert all(words in said for words in COMMON)
    assert not any(words in sections(row.function).get("Raises", "") for words in COMMON)
    assert "Errors: see `perfmodel`." in " ".join(sections(row.function)["Notes"].split())


@pytest.mark.parametrize("row", [p for p in ROWS if "Raises" not in sections(p.values[0].function)])
def test_what_it_refuses_of_arguments_together_stands_at_the_argument(row):
    """Arguments in their ranges, one by one: a refusal must be in the docstring, or of all."""
    documented = parameters(row.function)
    for refused in filter(None, (refusal(row, seed) for seed in range(8))):
        name = re.match(r"\w+", refused)[0]
        beside = set(re.findall(r"`(\w+)`", documented[name].text)) & set(documented)
        assert beside - {name}, refused


def refusal(row, seed):
    """Return what a formula says against arguments drawn in their ranges, but for what all say."""
    drawn = Drawer(np.random.default_rng(seed), ("near",)).arguments(row.name)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", ValidityWarning)
            row.function(**{name: build(value) for name, value in drawn.items()})
    except ValueError as refused:
        of_all = re.search(r" must be (broadcastable|within a factor)", str(refused))
        return None if of_all else str(refused)
    return None


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
