import re
import warnings
from inspect import signature

import numpy as np
import pytest

import perfmodel
from perfmodel import FORMULAS, ValidityWarning
from tests.support.catalogue import SECTIONS, parameters, public_functions, sections
from tests.support.examples import examples
from validation.hunt.call import build
from validation.hunt.random_arguments import Drawer

COMMON = ("outside the range", "of the wrong kind", "1e100 times another")


def those(wrong):
    """Return the names of the rows of which something is true."""
    return [row.name for row in FORMULAS if wrong(row)]


def words_of(row):
    return " ".join((row.function.__doc__ or "").split())


def test_public_functions_are_the_rows_of_the_catalogue():
    assert {row.function for row in FORMULAS} == set(public_functions().values())


def test_a_docstring_has_all_sections_in_order():
    def wrong(row):
        found = [title for title in sections(row.function) if title in SECTIONS]
        return found != [title for title in SECTIONS if title != "Raises" or "Raises" in found]

    assert those(wrong) == []


def test_what_every_formula_raises_is_said_once():
    def said_again(row):
        return any(words in sections(row.function).get("Raises", "") for words in COMMON)

    def points_to_it(row):
        notes = " ".join(sections(row.function)["Notes"].split())
        return "Errors: see `perfmodel`." in notes

    said = " ".join((perfmodel.__doc__ or "").split())
    assert [words for words in COMMON if words not in said] == []
    assert those(said_again) == []
    assert those(lambda row: not points_to_it(row)) == []


SILENT = [row for row in FORMULAS if "Raises" not in sections(row.function)]


@pytest.mark.parametrize("row", SILENT, ids=lambda row: row.name)
def test_what_is_refused_of_arguments_together_stands_at_the_argument(row):
    """Arguments in their ranges, one by one: a refusal must be in the docstring, or of all."""
    documented = parameters(row.function)
    for refused in filter(None, (refusal(row, seed) for seed in range(examples(16)))):
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


def test_every_parameter_is_documented_with_its_unit():
    def is_named(row):
        return list(parameters(row.function)) == list(signature(row.function).parameters)

    def without_unit(row):
        entries = parameters(row.function).values()
        return any(entry.unit is None and "str" not in entry.kind for entry in entries)

    assert those(lambda row: not is_named(row)) == []
    assert those(without_unit) == []


def test_an_array_is_returned_with_its_unit():
    def kind(row):
        return sections(row.function)["Returns"].strip().splitlines()[0]

    assert those(lambda row: re.match(r"ndarray(?!.*\[[^\]]+\])", kind(row))) == []


def test_notes_say_how_exact_a_formula_is_and_whose():
    opening = {"exact": "Exact", "approximation": "Approximation", "bound": "Bound"}

    def notes(row):
        return sections(row.function)["Notes"].lstrip()

    assert those(lambda row: not notes(row).startswith(opening[row.kind])) == []
    assert those(lambda row: not re.search(r"Source: |\[1\]_", notes(row))) == []


def test_a_docstring_states_the_range_and_error_of_its_row():
    def stated(row):
        limit = f"Beyond {row.range.measure} = {row.range.limit:g}."
        return limit in words_of(row) and f"{100 * row.range.error:g} %" in words_of(row)

    assert any(row.range is not None for row in FORMULAS)
    assert those(lambda row: row.range is not None and not stated(row)) == []


def test_a_docstring_states_what_its_formula_is_judged_for():
    assert those(lambda row: not row.ranges) == []
    assert those(lambda row: row.statement not in words_of(row)) == []


def test_a_trend_names_arguments_once():
    def wrong(row):
        named = [*row.trend.rising, *row.trend.falling]
        return sorted(named) != sorted(set(named) & set(signature(row.function).parameters))

    assert those(wrong) == []
