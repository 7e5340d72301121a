"""Numbers as they are written, at and beside each limit, and what reaches a terminal."""

import json
import math

import click
import numpy as np
import pytest

from perfmodel.answers import shown
from perfmodel.cli.output import tables
from tests.support.paper import Sheet
from tests.support.runner import runner


@pytest.mark.parametrize(
    ("share", "decimals", "text"),
    [
        (0.0, 2, "0.00"),
        (-0.5, 2, "-50.00"),
        (4.99e-5, 2, "<0.01"),
        (5.01e-5, 2, "0.01"),
        (5e-5, 2, "0.01"),  # rounds up
        (1e-9, 0, "<1"),
        (0.0051, 0, "1"),
        (0.12345, 1, "12.3"),
        (0.99994, 2, "99.99"),
        (0.99996, 2, ">99.99"),
        (0.996, 0, ">99"),
        (1.0 - 1e-11, 2, ">99.99"),
        (1.0 - 1e-15, 2, "100.00"),  # what rounding leaves of a whole
        (1.0, 2, "100.00"),
        (1.00004, 2, "100.00"),
        (99.99, 1, "9,999.0"),
        (100.0, 1, "10,000"),
        (21950.4, 1, "2,195,040"),
        (1e5, 1, ">10,000,000"),
        (8e290, 1, ">10,000,000"),
        (math.inf, 1, "endless"),
        (-math.inf, 1, "endless"),
        (math.nan, 1, "-"),
    ],
)
def test_a_share_in_percent(share, decimals, text):
    assert shown.percent(share, decimals) == text


def test_a_share_has_three_decimals_unless_others_are_asked_for():
    assert shown.percent(0.1234567) == "12.346"
    assert shown.percent(1e-6) == "<0.001"


@pytest.mark.parametrize(
    ("seconds", "factor", "text"),
    [
        (7200.0, 3600.0, "2.00"),
        (1234567.0, 1.0, "1,234,567.00"),
        (9_999_999.0, 1.0, "9,999,999.00"),
        (1e7, 1.0, "115.7 d"),
        (1.05e7 * 86400.0, 86400.0, "28747 y"),
        (1e290 * 86400.0, 86400.0, ">10,000,000 y"),
        (math.inf, 60.0, "endless"),
        (math.nan, 60.0, "-"),
    ],
)
def test_a_number_of_a_column(seconds, factor, text):
    assert shown.in_unit(seconds, factor) == text


@pytest.mark.parametrize(
    ("seconds", "unit"),
    [
        ([7200.0, 90.0, math.inf], ("s", 1.0)),
        ([7200.0, 3 * 86400.0], ("h", 3600.0)),
        ([0.0, -5.0, math.nan, 3 * 86400.0], ("d", 86400.0)),
        ([], ("s", 1.0)),
        ([math.inf, 0.0], ("s", 1.0)),
    ],
)
def test_the_smallest_number_chooses_the_unit_of_a_column(seconds, unit):
    assert shown.shared_unit(seconds) == unit


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (999.94, "999.9"),
        (999.99, "1000"),
        (1000.4, "1000"),
        (1234.6, "1235"),
        (9_999_999.0, "9999999"),
    ],
)
def test_durations_have_four_digits_and_no_exponent(value, text):
    assert shown.in_one_unit(7200.0, 3600.0 * value) == ["2 h", f"{text} h"]


def test_what_is_too_long_for_the_unit_of_the_others_has_its_own():
    assert shown.in_one_unit(7200.0, 3.6e10, 3.6e290) == ["2 h", "1141 y", ">10,000,000 y"]
    assert shown.in_one_unit(7200.0, math.inf) == ["2 h", "unbounded"]


@pytest.mark.parametrize(
    ("after", "text"),
    [(1.5, "-25.00"), (2.001, "+0.05"), (900.0, "+44,900"), (1e9, ">10,000,000")],
)
def test_a_change_has_a_sign_and_digits_that_can_be_read(after, text):
    assert shown.change(after, 2.0) == text
    assert shown.change(math.inf, 2.0) == "endless"


def test_a_number_of_no_unit_has_no_more_digits_than_are_read():
    assert [shown.two_decimals(value) for value in (1.5, 2e7, 2e20)] == [
        *("1.50", "20,000,000", "2e+20")
    ]


def test_counts_that_nobody_reads_have_four_digits():
    assert shown.whole_number(1234) == "1,234"
    assert shown.whole_number(10**15 - 1) == "999,999,999,999,999"
    assert shown.whole_number(10**15) == "1e+15"
    assert shown.whole_number(123456 * 10**15) == "1.235e+20"
    assert shown.step_words(None) == ""
    assert shown.step_words(0) == " (0 steps)"
    assert shown.step_words(1) == " (1 step)"
    assert shown.step_words(1200) == " (1,200 steps)"


def out(show, *, columns=80):
    """Return what a command prints that calls `show`."""

    @click.command()
    def command():
        show()

    done = runner(env={"COLUMNS": str(columns)}).invoke(command, [])
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


def test_what_is_no_number_is_null_in_json_at_any_depth():
    values = {"a": [1, (math.nan, 2.5)], "b": {"c": math.inf, "d": "x"}, "e": None, "f": True}
    text = "\n".join(out(lambda: tables.print_json(values)))
    known = {"a": [1, [None, 2.5]], "b": {"c": None, "d": "x"}, "e": None, "f": True}
    assert json.loads(text) == known
    assert text == json.dumps(known, indent=2)


HEADINGS = ["", "wait\n[h]", "[bold]x[/]"]
ROWS = [["easy", "1,234.00", ":smile:"], ["a long name", "2.00", "-"]]


@pytest.mark.parametrize("columns", [80, 10])
def test_a_table_is_never_folded(columns):
    """Words stand left, numbers right, headings at the bottom; nothing is markup."""
    assert out(lambda: tables.print_table(HEADINGS, ROWS), columns=columns) == [
        "                 wait",
        "                  [h]  [bold]x[/]",
        "easy         1,234.00     :smile:",
        "a long name      2.00           -",
    ]


def test_several_columns_may_be_words():
    assert out(lambda: tables.print_table(["a", "b"], [["x", "long"], ["yy", "c"]], words=2)) == [
        "a   b",
        "x   long",
        "yy  c",
    ]
    assert out(lambda: tables.print_table(["a", "b"], [["x", "long"], ["yy", "c"]], words=0)) == [
        " a     b",
        " x  long",
        "yy     c",
    ]


def test_long_facts_are_wrapped_beside_their_names():
    facts = [("log", "one two three\nfour"), ("", "five")]
    assert out(lambda: tables.print_facts(facts), columns=14) == [
        "log  one two",
        "     three",
        "     four",
        "     five",
    ]


def test_text_is_wrapped_and_a_heading_underlined():
    def show():
        tables.print_heading("What to do")
        tables.print_lines("one two [three]", "", ":smile:")
        tables.print_part("not on a terminal")

    assert out(show, columns=11) == [
        "What to do",
        "==========",
        "one two",
        "[three]",
        "",
        ":smile:",
    ]


def test_a_paper_takes_all_that_is_printed_until_it_is_put_away():
    sheet = Sheet()

    def show():
        with tables.printed_on(sheet):
            tables.print_heading("a")
            tables.print_part("b")
            tables.print_lines("c")
            tables.print_facts(pair for pair in [("d", "e")])
            tables.print_lines("")
            tables.print_table(["f"], (row for row in [["g"]]), words=0)
        with pytest.raises(KeyError), tables.printed_on(sheet):
            raise KeyError
        tables.print_lines("on the terminal")

    assert out(show) == ["on the terminal"]
    assert sheet.parts == [
        ("heading", "a"),
        ("heading", "b"),
        ("line", "c"),
        ("fact", "d", "e"),
        ("table", 0, ["f"], ["g"]),
    ]


def test_without_a_command_answers_go_to_standard_output(capsys):
    tables.print_lines("x")
    tables.print_json({"a": np.nan})
    assert capsys.readouterr().out == 'x\n{\n  "a": null\n}\n'
