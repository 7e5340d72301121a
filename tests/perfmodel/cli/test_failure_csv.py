"""A failure log as an operator keeps it goes through every command that takes one."""

import json

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

LOG = """Date,Hardware Identifier,What Failed,Description Of Failure,Action Taken
11/29/2003 7:00,node0002,Disk,bad sectors,replaced
11/29/2003 9:30,node0003,Memory,parity,replaced
12/3/2003 22:15,node0002,Disk,bad sectors,replaced
1/2/2004 5:00,node0001,Disk,bad sectors,replaced
"""
DOWN_UP = """node,down,up
node0002,11/29/2003 7:00,11/29/2003 7:30
node0003,12/3/2003 22:15,12/4/2003 0:15
node0001,12/13/2003 22:15,
"""
# Second 0 is the 29th of November 2003, 6:00; nodes 0 to 2 are in use at 7:00.
JOBS = """; MaxProcs: 4
; UnixStartTime: 1070085600
1 0 -1 9000 3 -1 -1 3 10000 -1 1 1 1 1 1 1 -1 -1
2 10 -1 500 4 -1 -1 4 500 -1 1 1 1 1 1 1 -1 -1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(JOBS)
    (tmp_path / "log.csv").write_text(LOG)
    (tmp_path / "down-up.csv").write_text(DOWN_UP)


def answer(*arguments):
    done = runner().invoke(main, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["log.csv", "down-up.csv"])
def test_failures_strike_at_the_time_and_node_of_the_log(folder, name):
    found = answer("replay", "jobs.swf", "--failures", name)
    assert found["failures"] == 1
    notes = " ".join(found["notes"])
    assert "date-order: 1 noted; first at line 2: dates are month/day/year, as" in notes
    assert "node0001 is node 1" in notes
    # The first job had run for an hour on three nodes.
    assert found["lost_node_h"] == pytest.approx(3.0)


def test_columns_without_use_are_told(folder):
    notes = " ".join(answer("replay", "jobs.swf", "--failures", "log.csv")["notes"])
    assert "columns that are not used: Description Of Failure, Action Taken" in notes


def test_repairs_end_when_the_node_is_up(folder):
    found = answer("fit", "down-up.csv", "--format", "csv")
    assert found["failures"] == 2
    assert found["observed_s"] == 14 * 86_400 + 15.25 * 3600.0
    assert found["mttr_s"] == pytest.approx((1800.0 + 7200.0) / 2.0)
    assert any("month/day/year" in note for note in found["log"])


@pytest.mark.parametrize(
    "command",
    ["replay", "recovery", "qos", "grid", "fit", "interval", "simulate", "completion"],
)
def test_the_help_states_the_layout(command):
    text = " ".join(runner().invoke(main, [command, "--help"]).output.split())
    words = (
        "csv: a header names time (or down), node, and repair or end (or up), in seconds or dates"
    )
    assert words in text


def test_the_advice_for_silent_nodes_is_one_that_can_be_followed(folder):
    with open("two.csv", "w") as file:
        file.write("time,system,node\n5,a,1\n9,b,1\n15,a,1\n29,b,1\n")
    options = ["fit", "two.csv", "--format", "csv", "--by", "node"]
    told = " ".join(runner().invoke(main, options).stdout.split())
    assert "are not counted: give --system and --nodes" in told


def test_a_site_promises_by_the_rows_of_a_log_that_were_asked_for(folder):
    with open("causes.csv", "w") as file:
        file.write("begun,node,cause\n2003-11-29T07:00,1,disk\n2003-11-29T08:00,2,link\n")
    words = ["qos", "jobs.swf", "--failures", "causes.csv", "--time-column", "begun", "--json"]
    notes = [
        json.loads(runner().invoke(main, [*words, *more]).stdout)["notes"]
        for more in ([], ["--cause", "disk"])
    ]
    assert any("2 failures of 2 nodes" in note for note in notes[0])
    assert any("1 failure of 1 node" in note for note in notes[1])


def test_a_log_of_one_failure_needs_its_end_and_is_told_how_to_give_it(folder, tmp_path):
    (tmp_path / "one.csv").write_text("".join(DOWN_UP.splitlines(keepends=True)[:2]))
    asked = ["--log", "one.csv", "--checkpoint-cost", "6min"]
    refused = runner().invoke(main, ["interval", *asked])
    assert refused.exit_code == 2
    assert "or --until say when it ended" in refused.stderr
    ended = [*asked, "--until", "2003-12-29"]
    assert answer("interval", *ended)["failures"] == 0
    assert "when one machine failed again" in answer("interval", *ended)["no_forecast"]
    more = runner().invoke(main, ["forecast", "one.csv", *ended[2:], "--work", "7d"])
    assert "LOG must tell when one machine failed, more than once, got one failure" in more.stderr
