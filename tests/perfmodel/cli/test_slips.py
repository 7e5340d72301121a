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


def test_a_group_without_a_command_helps():
    done = runner().invoke(main, ["traces"])
    assert done.exit_code == 0
    assert "generate" in done.stdout


def test_a_stated_forecaster_of_qos_is_described(log):
    told = ("--forecaster", "stated", "--sensitivity", "0.3", "--confidence", "0.5")
    done = runner().invoke(main, ["qos", log, *told])
    assert done.exit_code == 0, done.output


def test_what_does_not_fit_into_memory(log):
    lacking = refusal("qos", log, "--processors", "9" * 15, "--accuracy", "0", "--confidence", "0")
    assert "what is asked for must fit into memory, got " in lacking
