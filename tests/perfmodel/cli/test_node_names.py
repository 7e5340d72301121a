"""Whom a failure log strikes: the node that its name means, and no other."""

import json
import re

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

# One job at a time on four nodes, the first on nodes 0 to 2.
JOBS = """; MaxProcs: 4
1 0 -1 9 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1
3 2 -1 4 1 -1 -1 1 8 -1 1 1 1 1 1 1 -1 -1
"""
# The last two touch: they are one outage.
STRIKES = ("6,{2},1", "11,{3},1", "12,{3},2")
COMMANDS = {
    "replay": ["replay"],
    "recovery": ["recovery", "--case", "mr"],
    "qos": ["qos", "--accuracy", "0.5", "--confidence", "0.5"],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(JOBS)
    (tmp_path / "names").write_text("login\nnid10\nnid7\nnid9\n")
    for file, names in (
        ("numbers.csv", "0 1 2 3"),
        ("ending.csv", "nid000 nid001 nid002 nid003"),
        ("hosts.csv", "login nid10 nid7 nid9"),
    ):
        lines = [strike.format(*names.split()) for strike in STRIKES]
        (tmp_path / file).write_text("\n".join(["time,node,repair", *lines, ""]))
    return tmp_path


def call(*arguments):
    return runner().invoke(main, list(arguments))


def answer(command, *arguments):
    done = call(*COMMANDS[command], "jobs.swf", *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def rows(found):
    """Return the rows of an answer without what differs between equal runs."""
    listed = found if isinstance(found, list) else found.get("results", [found])
    about = {"notes", "engine_s", "inputs", "options"}
    return [{name: row[name] for name in row if name not in about} for row in listed]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_strikes_the_node_it_means(folder, command):
    plain = rows(answer(command, "--failures", "numbers.csv"))
    assert plain[0]["failures"] > 0
    assert rows(answer(command, "--failures", "ending.csv")) == plain
    assert rows(answer(command, "--failures", "hosts.csv", "--node-names", "names")) == plain


def test_the_mapping_is_told(folder):
    ending = answer("replay", "--failures", "ending.csv")["notes"]
    words = "nid002 is node 2, nid003 is node 3 (2 names, nodes counted from 0)"
    assert f"nodes by the numbers that names end in: {words}" in ending
    listed = answer("replay", "--failures", "hosts.csv", "--node-names", "names")["notes"]
    words = "nid7 is node 2, nid9 is node 3 (2 names, nodes counted from 0)"
    assert f"nodes by the list of names: {words}" in listed
    plain = answer("replay", "--failures", "numbers.csv")["notes"]
    assert not any(note.startswith("nodes by") for note in plain)
    table = " ".join(call("replay", "jobs.swf", "--failures", "ending.csv").stdout.split())
    assert "nodes by the numbers that names end in: nid002 is node 2" in table


def test_the_parts_of_a_blue_gene_that_fail_are_its_midplanes(folder):
    blue = ("--machine", "bluegene:1x2", "--processors-per-node", "1")
    done = call("replay", "jobs.swf", *blue, "--mtbf", "1d")
    assert done.exit_code == 0
    assert re.search("on each of [0-9]+ midplanes, seed", " ".join(done.output.split()))
    (folder / "other.csv").write_text("time,node,repair\n6,R7F-M1,1\n")
    done = call("replay", "jobs.swf", *blue, "--failures", "other.csv")
    assert (done.exit_code, done.stderr) == (
        2,
        "Error: other.csv must name midplanes of the machine, such as 'R00-M0', got none in "
        "1 failure, the first at 'R7F-M1'\n",
    )
