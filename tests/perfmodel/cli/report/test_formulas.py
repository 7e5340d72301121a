"""The formulas on a page: those that gave its numbers, as the catalogue has them, all drawn."""

import inspect
import sys
from pathlib import Path

import pytest

from perfmodel import plan
from perfmodel.answers.scenario.files import read_tables
from perfmodel.cli.report.formulas import OF_FAILURES, drawable, of_plan, show_formulas
from perfmodel.cli.report.page import Page
from perfmodel.registry import FORMULAS
from tests.perfmodel.cli.figures.test_plots import FAILURES
from tests.perfmodel.cli.report.test_report import Elements, page_of

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra plot")
convert = pytest.importorskip("latex2mathml.converter", reason="it comes with plot, too").convert

SCENARIOS = sorted((Path(__file__).parents[4] / "docs" / "scenarios").glob("*.toml"))
ROWS = {row.name: row for row in FORMULAS}
CODES = {inspect.unwrap(row.function).__code__: row.name for row in FORMULAS}
JOB = {"work": "20d", "downtime": "5min", "recovery": "2min"}
PREDICTOR = {"cost": "10min", "recall": "80%", "precision": "80%", "proactive_cost": "1min"}
OTHERS = {
    "two levels": {
        "failures": {"mtbf": "9h"},
        "checkpoint": {
            "protocol": "two_levels",
            "cost": "10min",
            "local_cost": "10s",
            "survived": "90%",
        },
    },
    "predicted": {
        "failures": {"mtbf": "2d"},
        "checkpoint": {"protocol": "predicted", **PREDICTOR},
    },
    "windows": {
        "failures": {"mtbf": "2d"},
        "checkpoint": {"protocol": "predicted", "window": "20min", **PREDICTOR},
    },
    "no failure yet": {
        "failures": {"failures": 0, "observed": "90d"},
        "checkpoint": {"cost": "1min"},
    },
    "no checkpoint": {"failures": {"mtbf": "9y"}, "checkpoint": {"cost": "1d"}},
    "bursts": {
        "machine": {"nodes": 64, "machine_nodes": 512},
        "failures": {"burst_mtbf": "9d", "burst_size": 4},
        "checkpoint": {"cost": "1min"},
    },
}


def tables_of(name):
    if name in OTHERS:
        return {"job": JOB, **OTHERS[name]}
    return read_tables(next(path for path in SCENARIOS if path.stem == name))


@pytest.mark.few(3)
@pytest.mark.parametrize("name", [*(path.stem for path in SCENARIOS), *OTHERS])
def test_the_formulas_named_are_those_that_were_called(name):
    tables, called, by_plan = tables_of(name), set(), set()
    # A job that no other test asks for: laws that are kept would not be called again.
    tables["job"] = {**tables["job"], "work": "19d"}

    def note(frame, event, _):
        if event == "call" and frame.f_code in CODES:
            caller = frame.f_back.f_globals["__name__"]
            called.add(CODES[frame.f_code])
            if caller.startswith("perfmodel.planning."):
                by_plan.add(CODES[frame.f_code])

    sys.setprofile(note)
    try:
        found = plan(tables)
    finally:
        sys.setprofile(None)
    assert by_plan - {"recommend"} <= set(of_plan(found)) <= called


@pytest.mark.slow
def test_every_formula_of_the_catalogue_can_be_drawn():
    lines = [line for row in FORMULAS for tex in row.equations for line in drawable(tex)]
    assert len(lines) >= len(FORMULAS)
    for line in lines:  # a command that is not known would be left as it is
        assert "\\" not in convert(line, display="block"), line


def test_what_is_printed_is_that_of_the_catalogue(monkeypatch):
    monkeypatch.setattr(Page, "formula", lambda page, line: None)
    page = Page("formulas")
    show_formulas(page, ROWS)
    words = " ".join(" ".join(Elements(page.html({}, source="a.toml")).words).split())
    for row in FORMULAS:
        assert row.statement.removeprefix("Judged for ").removesuffix(".") in words
        assert all(work in words for work in row.references), row.name
        assert row.references, row.name


def test_the_letters_of_a_formula_stand_below_it():
    assert ROWS["expected_makespan"].symbols.startswith("with K = ceil(W/w), w_k = w")
    assert ROWS["optimal_interval"].symbols == ""
    assert ROWS["training_shares"].symbols == ""


@pytest.mark.slow
def test_a_page_of_failures_names_its_formulas(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "failures.csv").write_text(FAILURES)
    text = page_of("failures.csv")
    assert all(f"<h3>{name}</h3>" in text for name in OF_FAILURES)
    drawn = sum(len(drawable(tex)) for name in OF_FAILURES for tex in ROWS[name].equations)
    assert text.count('<div class="m"') == drawn > 0
