"""What a terminal alone shows: colours, and tables cut into blocks that fit its width."""

import re

import pytest

from perfmodel.answers.shown import Table, html_of, text_of
from perfmodel.cli import main
from tests.support.runner import runner

RULES = Table.of(["rule", "h"], [["good", "2"], ["best", "1"]], best=1)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")


def refusal(**settings):
    return runner().invoke(main, ["interval", "--mtbf", "8"], **settings).stderr


def test_an_error_is_red_on_a_terminal_alone(terminal, monkeypatch):
    assert refusal(color=True).startswith("\x1b[31m\x1b[1mError:\x1b[0m --mtbf must be")
    assert refusal().startswith("Error: --mtbf must be")
    monkeypatch.setenv("NO_COLOR", "1")
    assert refusal(color=True).startswith("Error: --mtbf must be")


def test_the_best_row_is_green_on_a_terminal_alone(terminal, monkeypatch):
    _heading, good, best = text_of([RULES], styled=True)
    assert "\x1b[32m" in best
    assert "\x1b[32m" not in good
    assert list(text_of([RULES])) == ["rule  h", "good  2", "best  1"]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not any("\x1b[32m" in line for line in text_of([RULES], styled=True))
    monkeypatch.delenv("FORCE_COLOR")
    assert list(text_of([RULES], styled=True)) == ["rule  h", "good  2", "best  1"]


def test_the_rule_with_the_least_time_is_the_best(terminal):
    words = ["interval", "--mtbf", "8h", "--checkpoint-cost", "6min"]
    lines = runner().invoke(main, words, color=True).stdout.splitlines()
    assert [line.partition("best segments")[1] for line in lines if "\x1b[32m" in line] == [
        "best segments"
    ]


def test_the_best_row_is_bold_on_a_page(tmp_path):
    assert '<tr class="best"><td>best</td>' in html_of([RULES])
    page = tmp_path / "rules.html"
    words = ["interval", "--mtbf", "8h", "--checkpoint-cost", "6min", "--table", str(page)]
    assert runner().invoke(main, words).exit_code == 0
    (row,) = page.read_text("utf-8").split('<tr class="best">')[1:]
    assert row.startswith("<td>best segments</td>")


WIDE = Table.of(
    ["nodes", "mean\ntime", "goodput", "cost"],
    [["512", "7.2", "97.24", "1,815"], ["1024", "7.3", "96.11", "22"]],
    best=1,
)


@pytest.mark.parametrize(("width", "blocks"), [(28, 1), (27, 1), (26, 2), (15, 3), (3, 3)])
def test_a_table_that_is_wider_than_a_terminal_comes_in_blocks(terminal, width, blocks):
    lines = list(text_of([WIDE], width=width, styled=True))
    shown = "\n".join(re.sub("\x1b[^m]*m", "", line) for line in lines).split("\n\n")
    assert len(shown) == blocks
    rows = [[each.split() for each in block.splitlines()[-2:]] for block in shown]
    for row, given in zip(zip(*rows, strict=True), WIDE.rows, strict=True):
        assert [each for cells in row for each in cells[1:]] == list(given[1:])
        assert {cells[0] for cells in row} == {given[0]}
    assert width < 15 or all(len(line) <= width for block in shown for line in block.splitlines())
    assert len(list(text_of([WIDE], width=width))) == 4
