"""Answers of any command, printed without knowing them."""

import pytest

from perfmodel.cli.report.answers import show_answers

NO_PAGE = None  # nothing here is drawn


def printed(answers, capsys):
    show_answers(answers, NO_PAGE)
    return capsys.readouterr().out.splitlines()


def test_every_part_has_a_heading_of_its_own(capsys):
    answers = {
        "results": [{"policy": "easy", "wait": 3.5}, {"policy": "fcfs", "wait": 9}],
        "work_s": 5.0,
        "killed": True,
        "bound": None,
        "limits": {"low_end": 1.0, "high": 2},
        "notes": ["a", "b"],
        "rows": [{"x": 1}],
        "nothing": [],
        "empty": {},
    }
    assert [line.split() for line in printed(answers, capsys) if line and line[0] != "="] == [
        ["Answer"],
        ["policy", "wait"],
        ["easy", "3.5"],
        ["fcfs", "9"],
        ["Numbers"],
        ["work", "5", "s"],
        ["killed", "yes"],
        ["Limits"],
        ["low", "end", "1"],
        ["high", "2"],
        ["Rows"],
        ["x"],
        ["1"],
        ["Notes"],
        ["a"],
        ["b"],
    ]


def verdict(**changes):
    given = {"formula": "optimal_interval", "check": "mean", "point": "p", "z": 0.5}
    return given | {"predicted": 1.0, "observed": 1.5, "passed": True} | changes


def test_verdicts_are_counted_by_formula(capsys):
    answers = {
        "verdicts": [verdict(), verdict(z=-3.25, passed=False), verdict(formula="other", z=None)],
        "mutants": [
            {"formula": "other", "rejected": True},
            {"formula": "optimal_interval", "rejected": False},
        ],
        "seed": 7,
    }
    found = printed(answers, capsys)
    assert "3 comparisons, 1 failed; 2 wrong formulas, 1 passed for right." in found
    assert {"What failed", "What passed for right", "All comparisons"} <= set(found)
    rows = [line.split() for line in found]
    assert ["optimal_interval", "2", "1", "3.25", "1"] in rows
    assert ["other", "1", "0", "0.00", "1"] in rows
    lines = {" ".join(row) for row in rows}
    assert "formula check point predicted observed z resolution passed" in lines
    assert "optimal_interval mean p 1 1.5 -3.25 - no" in lines


def test_without_a_fault_nothing_failed(capsys):
    found = printed({"verdicts": [verdict()], "mutants": []}, capsys)
    assert "1 comparisons, 0 failed; 0 wrong formulas, 0 passed for right." in found
    assert not {"What failed", "What passed for right"} & set(found)


@pytest.mark.parametrize(
    ("verdicts", "error"),
    [
        ([verdict(formula=None)], "formula of a validation run must be .*, got None"),
        ([verdict(passed="yes")], "passed of a validation run must be true or false, got 'yes'"),
        (5, "a validation run must have rows of values, got 5"),
    ],
)
def test_what_is_not_a_verdict_is_refused(verdicts, error):
    with pytest.raises(ValueError, match=error):
        show_answers({"verdicts": verdicts, "mutants": []}, NO_PAGE)
