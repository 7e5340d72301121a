"""The code of the pages under docs/, run as it stands; `python -m tests.test_pages` rewrites it."""

import contextlib
import importlib.util
import json
import re
import tempfile
from pathlib import Path

import pytest

import sim.application
from perfmodel import FORMULAS
from perfmodel.formula import equations_in
from tests.support.pages import play, rewritten

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = (
    *("index.md", "tutorial.md", "lesson.md", "semantics.md", "catalogue.md", "command-line.md"),
    "logs.md",
)
HOW_TO = sorted(path.relative_to(DOCS).as_posix() for path in (DOCS / "how-to").glob("[a-z]*.md"))


@pytest.mark.parametrize("page", [*PAGES, *HOW_TO])
def test_the_code_of_a_page_does_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play((DOCS / page).read_text(), page)


def test_every_how_to_has_code_and_is_in_the_list():
    index = (DOCS / "how-to" / "README.md").read_text()
    for page in HOW_TO:
        assert "```" in (DOCS / page).read_text(), page
        assert f"]({Path(page).name})" in index, page


@pytest.mark.parametrize(
    "wrong",
    [
        "```python\n>>> 1 + 1\n3\n```",
        "```python\nassert False\n```",
        "```console\n$ perfmodel --version\nperfmodel, version 0\n```",
    ],
)
def test_a_page_that_shows_something_else_is_refused(wrong):
    with pytest.raises(AssertionError):
        play(wrong, "page")


def extension(name):
    """Return a module of the extensions of the pages."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "_extensions" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def matrix():
    return extension("matrix")


@pytest.fixture(scope="module")
def catalogue():
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(DOCS / "_extensions")
        return extension("catalogue")


def test_the_matrix_has_a_cell_for_what_is_asked_of_a_protocol(matrix):
    names = [row.name for row in FORMULAS]
    shown = {name for cell in matrix.cells(names).values() for name in cell}
    asked = re.compile(r"(expected_makespan|makespan_variance|exact_makespan|optimal_|waste)")
    assert {name for name in names if asked.match(name)} - shown == {
        "optimal_nodes",
        "optimal_nodes_first_order",
    }


def test_the_matrix_has_every_simulator_of_a_job(matrix):
    names = [name for name in sim.application.__all__ if name.startswith("simulate_")]
    shown = {name for cell in matrix.cells(names).values() for name in cell}
    assert shown | matrix.APART == set(names)
    assert not shown & matrix.APART


def test_the_matrix_has_no_word_of_which_nothing_is_left(matrix):
    names = [*(row.name for row in FORMULAS), *sim.application.__all__]
    there = matrix.cells(names)
    assert {row for row, _ in there} == set(matrix.PROTOCOLS)
    for heads in matrix.QUANTITIES.values():
        assert all(any(name.startswith(head) for name in names) for head in heads)
    for words in matrix.PROTOCOLS.values():
        assert all(any(word in name for name in names) for word in words)
    page = matrix.matrix(names)
    assert page.count("\n") == len(matrix.PROTOCOLS) + 1
    cell = "| `makespan_variance_async` | `exact_makespan_async` |"
    assert f"| asynchronous | `expected_makespan_async` {cell}" in page


def test_the_catalogue_has_every_formula_once_with_its_source(catalogue):
    page = catalogue.catalogue(FORMULAS, {}, {})
    for row in FORMULAS:
        assert page.count(f"\n### {row.name}\n") == 1
        assert f"* Source: {row.source}, {row.equation}\n" in page


def test_the_catalogue_leaves_out_no_formula_of_a_docstring(catalogue):
    page = catalogue.catalogue(FORMULAS, {}, {})
    for row in FORMULAS:
        shown = row.equations
        assert all(f"```{{math}}\n{each}\n```" in page for each in shown)
        assert len(shown) == row.function.__doc__.count(".. math::"), row.name
        assert all(shown), row.name


def test_a_formula_of_several_lines_is_taken_whole():
    words = "Mean.\n\n    .. math::\n\n        a = b \\\\\n        + c\n\n    where b is\n"
    assert equations_in(words) == ("a = b \\\\\n+ c",)


def test_the_catalogue_says_what_the_judge_found_last(catalogue, tmp_path):
    found = tmp_path / "verdicts.json"
    assert catalogue.verdicts(found) == {}
    heard = [{"formula": "goodput", "passed": True}, {"formula": "goodput", "passed": None}]
    found.write_text(json.dumps({"verdicts": heard}))
    points = catalogue.verdicts(found)
    assert points == {"goodput": "1 of 2 points passed"}
    (row,) = [row for row in FORMULAS if row.name == "goodput"]
    assert "* Last run of the judge: 1 of 2 points passed" in catalogue.entry(row, {}, points)


def test_a_ratio_that_is_not_judged_is_shown_as_such(catalogue):
    (row,) = [row for row in FORMULAS if row.name == "goodput"]
    shown = catalogue.entry(row, {"goodput": ["`a/b` 0 to 1: **not all of it judged**"]}, {})
    assert "* `a/b` 0 to 1: **not all of it judged**\n" in shown


if __name__ == "__main__":
    for each in (*PAGES, *HOW_TO):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            (DOCS / each).write_text(rewritten((DOCS / each).read_text()))
