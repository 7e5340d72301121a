"""The map of all ratios: every documented range is judged."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from perfmodel import FORMULAS
from perfmodel.formula import ANY
from validation import __main__ as program
from validation.ranges import coverage


@pytest.fixture(scope="module")
def found():
    return coverage.spans(enough=True)


def test_nothing_is_documented_wider_than_it_is_judged(found):
    assert [(each.formula, each.ratio) for each in found if not each.judged] == []


def test_every_ratio_of_every_formula_is_on_the_map(found):
    assert [(each.formula, each.ratio) for each in found] == [
        (row.name, ratio) for row in FORMULAS for ratio in row.ranges
    ]
    assert all(row.ranges for row in FORMULAS)


def test_any_stands_only_where_twelve_decades_were_judged(found):
    for row in FORMULAS:
        if row.documented == "any":
            spans = [each for each in found if each.formula == row.name]
            assert spans
            for each in spans:
                low = min(part[0] for part in (each.fixed, each.random) if part)
                high = max(part[1] for part in (each.fixed, each.random) if part)
                assert low <= ANY[0] * (1.0 + 1e-6)
                assert high >= ANY[1] * (1.0 - 1e-6)


def test_a_wider_claim_is_seen(found):
    narrow = next(each for each in found if each.ratio == "interval/mtbf")
    assert narrow.judged
    low, high = narrow.documented
    assert not replace(narrow, documented=(low / 2.0, high)).judged
    assert not replace(narrow, documented=(low, 2.0 * high)).judged
    assert not replace(narrow, fixed=None, random=None).judged


def test_enough_points_are_the_first_of_all_points():
    few = coverage.spans(only="expected_makespan_silent", enough=True)
    every = coverage.spans(only="expected_makespan_silent")
    assert [each.judged for each in few] == [each.judged for each in every]
    for some, whole in zip(few, every, strict=True):
        assert whole.random[0] <= some.random[0] <= some.random[1] <= whole.random[1]


def run(*arguments):
    return CliRunner().invoke(program.main, arguments)


def test_the_map_is_printed_beside_what_is_documented():
    done = run("--map", "--only", "failure_probability")
    assert done.exit_code == 0
    assert "duration/mtbf" in done.output
    assert "1e-06 to 1e+06" in done.output
    assert "1 ratios, 0 documented wider than judged" in done.output


def test_the_map_as_json_and_its_exit_code(monkeypatch):
    done = run("--map", "--only", "failure_probability", "--json")
    (record,) = json.loads(done.output)
    assert record["documented"] == list(ANY)
    assert record["judged"] is True

    row = next(row for row in FORMULAS if row.name == "failure_probability")
    wider = replace(row, ranges={"duration/mtbf": (1e-9, 1e6)})
    # The sweep still draws from the unchanged catalogue.
    monkeypatch.setattr(coverage, "FORMULAS", (wider,))
    assert run("--map", "--only", "failure_probability").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--map", "--property"), "--map is a run of its own"),
        (("--map", "--full"), "--map is a run of its own"),
        (("--map", "--only", "nothing"), "got 'nothing'"),
    ],
)
def test_what_does_not_go_with_the_map_is_refused(arguments, message):
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.output
