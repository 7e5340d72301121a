"""Slips of a unit, a name or a path: refused at once, where they would run to no end."""

import os

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

JOBS = """; MaxProcs: 4
1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    return str(path)


def refusal(*arguments):
    done = runner().invoke(main, arguments)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["replay", "--mtbf", "1h", "--processors", "9" * 18],
            "--mtbf must let at most 10,000,000",
        ),
        (["replay", "--mtbf", "1ms", "--mttr", "0s"], "--mtbf must let at most 10,000,000"),
        (["replay", "--mtbf", "1h", "--weibull-shape", "0.001"], "must be a number >= 0.01"),
        (["replay", "--machine", "flat:" + "9" * 30], "bluegene:RxC or flat:N"),
        (
            ["replay", "--checkpoint-interval", "1us", "--checkpoint-cost", "1s"],
            "--checkpoint-interval must leave at most 1,000,000 checkpoints a job, got about 9e+06",
        ),
        (["replay", "--compare", "fcfs", "--policy", "easy"], "--policy must be left out with"),
        (["recovery", "--checkpoint-interval", "1ns"], "--checkpoint-interval must leave"),
        (["recovery", "--mtbf", "1ns", "--mttr", "0s"], "--mtbf must let at most"),
        (["qos", "--accuracy", "0:1:1e-12"], "--accuracy must be numbers in [0, 1], at most 1000"),
        (["qos", "--failures-per-year", "1e9"], "--failures-per-year must let at most"),
        (["qos", "--checkpoint-interval", "1ns"], "--checkpoint-interval must leave"),
    ],
)
def test_what_would_not_end(log, options, words):
    assert words in refusal(options[0], log, *options[1:])


def test_what_does_not_fit_into_memory(log):
    lacking = refusal("qos", log, "--processors", "9" * 15, "--accuracy", "0", "--confidence", "0")
    assert "what is asked for must fit into memory, got " in lacking


@pytest.mark.parametrize(
    "command",
    [
        ["replay", "LOG", "--out"],
        ["replay", "LOG", "--plot"],
        ["qos", "LOG", "--resume"],
        ["traces", "generate", "lanl-like", "--out"],
    ],
)
def test_an_output_that_cannot_be_written(log, tmp_path, command):
    command = [log if word == "LOG" else word for word in command]
    nowhere = os.path.join(tmp_path, "nowhere", "file")
    wanted = f"{command[-1]} must be a writable file, got"
    assert f"{wanted} '{nowhere}' (no such folder)" in refusal(*command, nowhere)
    assert f"{wanted} '{tmp_path}' (a directory)" in refusal(*command, str(tmp_path))


def test_a_failure_log_without_a_failure(log, tmp_path):
    header = tmp_path / "failures.csv"
    header.write_text("time,repair\n")
    assert "failures.csv must hold failures, got none of 0" in refusal(
        "replay", log, "--failures", str(header)
    )
    assert "jobs.swf must be a failure log, got one of jobs by its first lines" in refusal(
        "replay", log, "--failures", log
    )


@pytest.mark.parametrize(
    "command",
    [
        ["replay", "LOG", "--failures", "FILE"],
        ["recovery", "LOG", "--failures", "FILE"],
        ["qos", "LOG", "--accuracy", "0.5", "--confidence", "0.5", "--failures", "FILE"],
        ["fit", "FILE", "--format", "csv"],
        ["interval", "--log", "FILE", "--format", "csv", "--checkpoint-cost", "1s"],
    ],
)
def test_a_log_whose_lines_are_all_dropped_says_which_and_why(log, tmp_path, command):
    dates = tmp_path / "dates.csv"
    dates.write_text("time,repair\nMonday,5\nTuesday,5\n\nWednesday\n")
    words = {"LOG": log, "FILE": str(dates)}
    assert refusal(*[words.get(word, word) for word in command]) == (
        "Error: dates.csv must hold failures, got none of 3 (bad-time: 2 dropped; first at line 2: "
        "time 'Monday' is not seconds or a date; wrong-columns: 1 dropped; first at line 5: "
        "1 columns instead of 2)\n"
    )


def test_promises_to_no_job(log):
    assert "jobs.swf must hold jobs that fit the machine, got none" in refusal(
        "qos", log, "--processors", "1", "--oversize", "skip"
    )


def test_a_group_without_a_command_helps():
    done = runner().invoke(main, ["traces"])
    assert done.exit_code == 0
    assert "generate" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["replay", "--weibull-shape", "0.5"], "--weibull-shape must come with --mtbf"),
        (["replay", "--new-nodes"], "--new-nodes must come with --mtbf"),
        (["replay", "--mttr", "1h"], "--mttr must come with --mtbf or --failures"),
        (["replay", "--mtbf", "9h", "--log-start", "5"], "--log-start must come with --failures"),
        (["replay", "--failure-format", "lanl"], "--failure-format must come with --failures"),
        (["replay", "--failures-from-start"], "--failures-from-start must come with --failures"),
        (["replay", "--recovery-cost", "1s"], "--recovery-cost must come with --checkpoint-int"),
        (["replay", "--sensitivity", "0.2"], "--sensitivity must come with --fault-aware"),
        (["recovery", "--failures-from-start"], "--failures-from-start must come with --fail"),
        (["recovery", "--specificity", "0.2"], "--specificity must come with --fault-aware"),
        (["qos", "--failure-format", "lanl"], "--failure-format must come with --failures"),
        (["qos", "--node-names", "jobs.swf"], "--node-names must come with --failures"),
        (["qos", "--sensitivity", "0.2"], "--sensitivity must come with --forecaster stated"),
        (["grid", "--weibull-shape", "0.5"], "--weibull-shape must come with --mtbf"),
        (["grid", "--burst-size", "2"], "--burst-size must come with --mtbf"),
        (["grid", "--mttr", "2h"], "--mttr must come with --mtbf"),
        (["grid", "--origin", "7"], "--origin must come with --failures"),
        (["grid", "--unknown-repair", "7h"], "--unknown-repair must come with --failures"),
        (["grid", "--failure-format", "lanl"], "--failure-format must come with --failures"),
        (["grid", "--reconstruct-by", "user"], "--reconstruct-by must come with --requirements"),
    ],
)
def test_an_option_that_would_change_nothing(log, tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clusters.toml").write_text('[[cluster]]\nname = "a"\nmachines = 4\n')
    machines = ["--machines", "clusters.toml"] if options[0] == "grid" else []
    assert words in refusal(options[0], log, *machines, *options[1:])


def test_weibull_of_drawn_failures_is_not_for_recorded_ones(log, tmp_path):
    failures = tmp_path / "failures.csv"
    failures.write_text("time,node\n5,1\n")
    for command in ("replay", "recovery"):
        words = refusal(command, log, "--failures", str(failures), "--weibull-shape", "0.5")
        assert "--weibull-shape must come with --mtbf" in words


def test_a_stated_forecaster_of_qos_is_described(log):
    told = ("--forecaster", "stated", "--sensitivity", "0.3", "--confidence", "0.5")
    done = runner().invoke(main, ["qos", log, *told])
    assert done.exit_code == 0, done.output
