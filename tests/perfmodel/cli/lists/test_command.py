"""A command that takes several values with commas: each is answered by itself."""

import json
from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from asking.kinds import SHAPE
from asking.refusals import Field, Refused
from asking.requests import Asked
from perfmodel.cli.lists.command import takes_lists
from perfmodel.cli.lists.headline import Headline, Number
from perfmodel.cli.options.types import COUNT, DURATION, LOG_FILE, wanted


def headline(answer):
    return Headline({"twice": Number("count", answer["twice"])}, useful=answer["useful"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(Asked):
    count: int | None = None
    node_mtbf: float = 7200.0
    text: str | None = None


def answer(request):
    if request.count == 13:
        raise Refused("{} 13 is not liked", Field("count"))
    found = {"twice": 2 * request.count, "mtbf": request.node_mtbf, "useful": 1 / request.count}
    return {**found, "text": request.text}


def is_large(found):
    return found["twice"] > 198


def command_of(**settings):
    @takes_lists(Counted, answer, headline, fails=is_large, **settings)
    @click.command(epilog="The end.")
    @click.option("--count", "-c", type=COUNT)
    @click.option("--node-mtbf", type=DURATION, default="2h")
    @click.option("--many", type=COUNT, multiple=True)
    @click.option("--shape", type=wanted(SHAPE))
    @click.option("--file", type=LOG_FILE)
    @click.option("--text")
    @click.option("--plot")
    @click.option("--json", "as_json", is_flag=True)
    @click.option("--quiet", is_flag=True)
    def twice(count, as_json, **others):
        """Say twice as much.

        Or more.
        """
        found = answer(Counted(count=count))
        click.echo(json.dumps(found) if as_json else f"twice {count}")

    return twice


def run(*words, code=0, **settings):
    done = CliRunner().invoke(command_of(**settings), words, terminal_width=200)
    assert done.exit_code == code, done.output
    return done.output


def refusal(*words):
    return run(*words, code=2).splitlines()[-1]


def test_one_value_is_answered_by_the_command_itself():
    assert run("--count", "4") == "twice 4\n"
    assert json.loads(run("-c", "4", "--json"))["twice"] == 8


def test_the_help_tells_of_lists():
    lines = [" ".join(line.split()) for line in run("--help").splitlines()]
    assert lines[:7] == [
        "Usage: twice [OPTIONS]",
        "",
        "Say twice as much.",
        "",
        "Or more.",
        "",
        "Several values with commas, as in 8h,12h, are compared in one table.",
    ]
    assert lines[-1] == "The end."
    added = "--per-year One table with what is lost in a year; so is one of several values."
    assert lines[lines.index("--json") - 1] == added
    assert "--per-year" not in run("--help", per_year=False)


def test_every_combination_is_answered_the_last_option_changing_fastest():
    found = json.loads(run("-c", "3, 4", "--node-mtbf", "1h,30min", "--json", "--text", "a,b"))
    assert [answer.pop("given") for answer in found] == [
        {"count": count, "node_mtbf": mtbf} for count in ("3", "4") for mtbf in ("1h", "30min")
    ]
    assert found == [
        {"twice": 2 * count, "mtbf": mtbf, "useful": 1 / count, "text": "a,b"}
        for count in (3, 4)
        for mtbf in (3600.0, 1800.0)
    ]


def test_one_table_compares_the_answers():
    assert run("--count", "2,4") == (
        "              goodput    change\n"
        "count  twice      [%]  [points]\n"
        "2          4    50.00     +0.00\n"
        "4          8    25.00    -25.00\n\n"
        "Changes are those from the first line.\n"
    )
    assert run("--count", "2", "--per-year") == (
        "            goodput  lost in\n     twice      [%]   a year\nnow      4    50.00  182.6 d\n"
    )
    (found,) = json.loads(run("--count", "2", "--per-year", "--json"))
    lost = {"lost_per_year_s": 15_778_800.0, "lost_per_year": None}
    assert found == {
        "given": {},
        "twice": 4,
        "mtbf": 7200.0,
        "useful": 0.5,
        "text": None,
        **lost,
    }


def test_the_worst_exit_code_is_that_of_all():
    found = json.loads(run("--count", "2,100,3", "--json", code=1))
    assert [answer["twice"] for answer in found] == [4, 200, 6]
    assert "200" in run("--count", "100,2", code=1)


def test_what_is_refused_says_of_which_list_it_is():
    rule = "--count must be a whole number >= 1, got '0'"
    assert refusal("--count", "3,0") == f"Error: {rule}: commas separate the values of 3,0"
    assert refusal("--count", "0") == f"Error: {rule}"
    assert refusal("--count", "3,4", "--node-mtbf", "8").startswith("Error: --node-mtbf must be ")
    assert "commas" not in refusal("--count", "3,4", "--node-mtbf", "8")
    assert refusal("--count", "3,13") == "Error: --count 13 is not liked"
    many = ",".join(["1"] * 1000)
    assert run("--count", many, "--json").count('"given"') == 1000
    said = "Error: lists must have at most 1,000 combinations, got 1,001"
    assert refusal("--count", f"{many},1") == said
    said = "Error: --plot must be left out with several values, or --per-year"
    assert refusal("--count", "1,2", "--plot", "a.svg") == said
    assert refusal("--count", "1", "--per-year", "--plot", "a.svg") == said
    assert run("--count", "1", "--plot", "a.svg") == "twice 1\n"


@pytest.mark.parametrize("flag", ["--shape", "--many", "--file"])
def test_other_options_take_one_value(flag):
    assert "got '1,2'" in refusal("--count", "3", flag, "1,2")


def test_what_cannot_be_parsed_is_refused_by_the_command():
    assert refusal("--count", "1,2", "--stuff") == "Error: No such option '--stuff'."
