"""What people read: widths, units, suggestions, and what was taken for granted."""

import re
from dataclasses import replace

import pytest

from perfmodel import plan
from perfmodel.answers.shown import in_one_unit
from perfmodel.answers.words.plan import interval_limits
from perfmodel.cli import COMMANDS, main
from tests.support.runner import runner

HOUR, DAY = 3600.0, 86_400.0
JOB = ["--mtbf", "8h", "--checkpoint-cost", "6min"]
SUBCOMMANDS = [
    ["traces", name] for name in ("list", "fetch", "generate", "describe", "resample", "formats")
]
JOBS = """; MaxProcs: 4
1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1
"""


def run(*arguments, code=0):
    done = runner().invoke(main, list(arguments))
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def flat(text):
    return " ".join(text.split())


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    return str(path)


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS), *SUBCOMMANDS])
def test_help_fits_80_columns(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*command, "--help").splitlines()
    assert max(map(len, lines)) <= 80, max(lines, key=len)


def test_the_list_of_commands_has_whole_sentences(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in ([], ["traces"]):
        assert "..." not in run(*arguments, "--help").partition("Commands:")[2]


def test_numbers_in_one_sentence_share_the_unit_of_the_first():
    assert in_one_unit(50.0 * HOUR, 46.37 * HOUR, 2.648 * DAY) == ["2.083 d", "1.932 d", "2.648 d"]
    assert in_one_unit(10.0 * HOUR, HOUR, 10.0 * DAY) == ["10 h", "1 h", "240 h"]
    assert in_one_unit(5.0 * HOUR, 365.25 * DAY * 2) == ["5 h", "17532 h"]
    assert in_one_unit(0.0, 0.0) == ["0 s", "0 s"]


def test_the_limits_of_an_interval_have_its_unit():
    job = {"job": {"work": "10d"}, "checkpoint": {"cost": "4min"}}
    best = plan({"failures": {"failures": 4, "observed": "40d"}, **job}, brief=True).checkpoint
    assert best.interval > 2.0 * HOUR > 7_000.0
    assert interval_limits(replace(best, interval_low=7_000.0)).startswith("1.944 h to ")


@pytest.mark.parametrize("failures", ["1", "3", "40"])
def test_an_estimate_and_its_limits_share_a_unit(failures):
    text = flat(run("interval", "--failures", failures, "--observed", "2000h", *JOB[2:]))
    value, low, high = re.search(
        r"MTBF \S+ (\w+) \(.*?95% confidence: \S+ (\w+) to \S+ (\w+)", text
    ).groups()
    assert value == low == high


def test_a_size_and_a_rate_are_shown_as_typed():
    for size, rate in (("12TB", "100GB/s"), ("0.5 TiB", "1200MB/s"), ("1e3GB", "40GB/min")):
        text = run("interval", "--mtbf", "8h", "--checkpoint-size", size, "--bandwidth", rate)
        assert f"({size} at {rate})" in text


@pytest.mark.parametrize("typed", ["0.5%,0.9%", "0.1,50,99.9", "1"])
def test_percentages_below_one_are_taken_where_they_are_clear(typed):
    assert "of runs end within" in run("completion", *JOB, "--percentiles", typed)


def test_a_plain_machine_is_of_processors(log):
    assert "flat:N (N processors)" in flat(run("replay", "--help"))
    assert "machine 512 processors" in flat(run("replay", log, "--machine", "flat:512"))
    assert "flat:N (N processors), got 'flat'" in run("replay", log, "--machine", "flat", code=2)


@pytest.mark.parametrize("command", ["replay", "recovery"])
def test_failures_of_single_processors_are_told(command, log):
    words = "a failure strikes one processor; --processors-per-node says how many a node has"
    assert words in flat(run(command, log, "--mtbf", "1h"))
    assert words not in flat(run(command, log, "--mtbf", "1h", "--processors-per-node", "1"))


def test_promises_say_that_a_node_has_one_processor(log):
    cell = ["--accuracy", "1", "--confidence", "0.5"]
    assert "a failure strikes one processor" in flat(run("qos", log, *cell))


def test_one_thing_is_not_told_in_the_plural(tmp_path):
    (tmp_path / "one.swf").write_text("".join(JOBS.splitlines(keepends=True)[:2]))
    (tmp_path / "one.csv").write_text("time,node\n5,a\n")
    one, failures = str(tmp_path / "one.swf"), str(tmp_path / "one.csv")
    cost = ["--checkpoint-cost", "6min"]
    nodes = ["--failure-rate", "1/1000node-days", "--nodes", "1"]
    for asked, said in (
        (
            ["interval", *cost, *nodes, "--price", "2"],
            ["node-days x 1 node)", "per node-hour x 1 node "],
        ),
        (["interval", *cost, "--log", failures, "--until", "1000000"], ["one.csv: 1 row ("]),
        (
            ["quote", one, "--nodes", "1", "--runtime", "6h"],
            ["1 record,", "on 1 node,", "and 1 job "],
        ),
        (["simulate", *JOB, "--replications", "1"], ["1 job, seed"]),
    ):
        words = flat(run(*asked))
        for each in said:
            assert each in words


def test_a_small_cost_is_not_told_as_nothing():
    waste = run("interval", *JOB, "--price", "0.001").partition("best segments")[2].splitlines()[0]
    assert waste.split()[-1] == "0.0296"  # (8.2343 d - 7 d) of a thousandth an hour
    lines = run("interval", *JOB, "--price", "0.001,0.002").splitlines()
    assert [line.split()[-2:] for line in lines[2:4]] == [["0.198", "+0"], ["0.395", "+0.198"]]


@pytest.mark.parametrize("command", ["replay", "quote", "qos"])
def test_a_note_names_options_that_the_command_has(command, log, tmp_path):
    failures = tmp_path / "failures.csv"
    failures.write_text("time,node\n900000,1\n990000,2\n")
    asked = {
        "replay": ["--policy", "fcfs", "--mttr", "1h"],
        "quote": ["--nodes", "1", "--runtime", "9s"],
        "qos": ["--accuracy", "0.5", "--confidence", "0.5"],
    }[command]
    words = run(command, log, "--failures", str(failures), *asked)
    note = words[: words.index("may bring the two")].splitlines()[-1]
    named = set(re.findall(r"--[a-z-]+", note))
    assert named
    assert named <= set(re.findall(r"--[a-z-]+", run(command, "--help")))
