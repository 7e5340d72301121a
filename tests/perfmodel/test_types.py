"""What type checkers are told of formulas is what they return."""

import ast
import warnings

import numpy as np
import pytest

import perfmodel
from perfmodel import FORMULAS, ValidityWarning
from tests.support.stubs import stubs
from validation.hunt.call import build
from validation.hunt.docstrings import arguments_of
from validation.hunt.random_arguments import Drawer

TEXTS = stubs()
OVERLOADED = sorted(
    {
        node.name
        for text in TEXTS.values()
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }
)


def statements(text):
    """Return what a stub says, however it is laid out and its imports are joined."""
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            home = "." * node.level + (node.module or "")
            found |= {(home, alias.name, alias.asname) for alias in node.names}
        else:
            found.add(ast.unparse(node))
    return found


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.parent.name)
def test_a_stub_says_what_the_sources_do(path):
    said = "write it with `python -m tests.support.stubs`"
    assert path.exists(), said
    assert statements(path.read_text()) == statements(TEXTS[path]), said


def test_no_stub_is_left_of_a_door_without_formulas():
    written = set((min(TEXTS).parents[1]).rglob("*.pyi"))
    assert written == set(TEXTS)


def test_nearly_every_formula_of_arrays_is_overloaded():
    assert {"expected_makespan", "optimal_interval", "waste_of_pairs"} <= set(OVERLOADED)
    assert len(OVERLOADED) > 0.5 * len(FORMULAS)


def call(name, given):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", ValidityWarning)
        return getattr(perfmodel, name)(**given)


@pytest.mark.parametrize("name", OVERLOADED)
def test_numbers_give_a_float_and_arrays_an_array(name):
    documented = arguments_of(getattr(perfmodel, name))
    for seed in range(60):
        drawn = Drawer(np.random.default_rng(seed), ("near",)).arguments(name)
        if any(isinstance(value, list) for value in drawn.values()):
            continue
        numbers = {key: build(value) for key, value in drawn.items()}
        try:
            found = call(name, numbers)
        except ValueError:
            continue  # they do not go together
        assert isinstance(found, float)
        arrays = {
            key: [value, value] if documented[key].takes_arrays and np.isscalar(value) else value
            for key, value in numbers.items()
        }
        if arrays != numbers:
            several = call(name, arrays)
            assert isinstance(several, np.ndarray)
            assert several.dtype == np.float64
            return
    raise AssertionError(f"{name} must be called, got no arguments that go together")
