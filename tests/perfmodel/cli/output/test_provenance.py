"""Every JSON of a replay, a sweep or a simulation says what it rests on, and equal runs agree."""

import hashlib
import json
import os
import threading
from importlib.metadata import version
from pathlib import Path

import pytest

from perfmodel.cli import main
from tests.support.runner import runner

JOBS = """; MaxProcs: 4
; UnixStartTime: 0
1 0 -1 9000 3 -1 -1 3 10000 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5000 2 -1 -1 2 5000 -1 1 1 1 2 1 1 -1 -1
3 2 -1 4000 1 -1 -1 1 8000 -1 1 1 1 1 1 1 -1 -1
"""
GRID = '[[cluster]]\nname = "a"\nmachines = 4\nprocessors_per_machine = 1\n'
FAILURES = "time,node,repair\n40,0,10\n1000,1,10\n2500,2,10\n"
COMMANDS = {
    "replay": ["jobs", "--mtbf", "1h", "--mttr", "20min"],
    "replay --compare": ["jobs", "--failures", "failures", "--compare", "fcfs,easy"],
    "recovery": ["jobs", "--mtbf", "1h", "--case", "ff,all-b"],
    "qos": ["jobs", "--accuracy", "0.5", "--confidence", "0.5,0.9"],
    "grid": ["jobs", "--machines", "grid", "--mtbf", "3h", "--policies", "fcfs,ls", "--runs", "2"],
    "completion": ["--log", "failures", "--format", "csv", "--checkpoint-cost", "1s"],
    "simulate": ["--mtbf", "8h", "--checkpoint-cost", "6min", "--replications", "200"],
}
UNTIMED = ("completion", "simulate")
TIMES = ("engine_s", "scheduler_s")


@pytest.fixture
def files(tmp_path):
    found = {}
    texts = {"jobs": JOBS, "grid": GRID, "failures": FAILURES}
    for name, suffix in (("jobs", "swf"), ("grid", "toml"), ("failures", "csv")):
        path = tmp_path / f"{name}.{suffix}"
        path.write_text(texts[name])
        found[name] = str(path)
    return found


def answer(files, command, *more):
    arguments = [files.get(word, word) for word in (*COMMANDS[command], "--json", *more)]
    done = runner().invoke(main, [command.split()[0], *arguments])
    assert done.exit_code in (0, 1), done.output
    return done.stdout


@pytest.mark.few(2)
@pytest.mark.parametrize("command", COMMANDS)
def test_equal_runs_are_equal_bytes_and_say_what_they_rest_on(files, command):
    seed = () if command == "completion" else ("--seed", "5")
    text = answer(files, command, *seed)
    assert text == answer(files, command, *seed)
    found = json.loads(text)
    assert found["version"] == version("perfmodel")
    assert found["seed"] == found["options"].get("seed") == (5 if seed else None)
    assert isinstance(found["notes"], list)
    read = [word for word in COMMANDS[command] if word in files]
    paths = [Path(files[name]) for name in read]
    assert found["inputs"] == [
        {"name": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for path in paths
    ]
    assert bool(found["notes"]) == bool(read)
    assert not any(name in text for name in TIMES)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in UNTIMED])
def test_times_are_told_when_asked_for(files, command):
    assert any(name in answer(files, command, "--timing") for name in TIMES)


def test_options_are_named_as_they_are_typed_and_in_plain_units(files):
    options = json.loads(answer(files, "replay"))["options"]
    assert options["log"] == "jobs.swf"
    assert (options["mtbf_s"], options["mttr_s"]) == (3600.0, 1200.0)
    assert options["format"] is options["policy"] is None
    assert not {"json", "out", "plot", "timing"} & options.keys()
    drawn = json.loads(answer(files, "recovery"))["options"]
    assert (drawn["case"], drawn["mtbf_s"]) == ("ff,all-b", 3600.0)
    played = json.loads(answer(files, "simulate"))
    assert played["options"]["interval_s"] == played["interval_s"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("replay", ["--checkpoint-interval", "1h", "--checkpoint-cost", "1s", "--since", "+0s"]),
        ("qos", ["--downtime", "1min"]),
        ("simulate", ["--step-time", "1s"]),
        ("completion", ["--deadline", "1d"]),
    ],
)
def test_the_name_of_an_option_has_its_unit_whether_or_not_it_is_given(files, command, more):
    plain = json.loads(answer(files, command))["options"]
    assert plain.keys() == json.loads(answer(files, command, *more))["options"].keys()
    # A law of durations is a text, with a unit in it.
    durations = plain.keys() - {"downtime_law"}
    timed = [n for n in durations if n.startswith(("mtbf", "mttr", "interval", "downtime"))]
    assert all(name.endswith("_s") for name in timed), timed


def test_drawn_failures_are_counted_until_the_last_job_ends(files):
    found = json.loads(answer(files, "replay"))
    # One an hour: several in the hours that the replay takes, while thousands are at hand.
    hours = found["makespan_s"] / 3600.0
    assert 0 < found["failures_drawn"] < 10 * hours
    assert found["failures"] <= found["failures_drawn"]
    read = json.loads(answer(files, "replay --compare"))["results"]
    assert [row["failures_drawn"] for row in read] == [None, None]
    cases = json.loads(answer(files, "recovery"))["results"]
    assert cases[0]["failures_drawn"] is None
    assert cases[1]["failures_drawn"] > 0
    promised = json.loads(answer(files, "qos", "--failures-per-year", "9000"))["results"]
    assert all(row["failures_drawn"] > 0 for row in promised)


def test_a_file_that_the_command_finds_by_itself_is_an_input(files, tmp_path):
    needs = tmp_path / "needs.csv"
    needs.write_text("job,properties\n1,fast\n")
    found = json.loads(answer(files, "grid", "--requirements", str(needs)))
    assert "needs.csv" in [file["name"] for file in found["inputs"]]


def test_a_pipe_has_no_checksum(files, tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    files["failures"] = str(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(FAILURES), daemon=True)
    writer.start()
    found = json.loads(answer(files, "replay --compare"))
    writer.join()
    assert found["inputs"][1] == {"name": "pipe.csv", "sha256": None}
