"""Replays asked from Python: what the command line prints, without one."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from asking.plain import strict
from perfmodel.cli import main
from sim.answers import (
    GridRequest,
    PromisesRequest,
    RecoveryRequest,
    Refused,
    ReplayRequest,
    StudyRequest,
    grid,
    promises,
    recovery,
    replay,
)
from tests.support.runner import option_named, runner

GRID = '[[cluster]]\nname = "a"\nmachines = 4\nprocessors_per_machine = 4\n'
ROOT = Path(__file__).resolve().parents[3]
RESTS = ("version", "options", "inputs")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{n} {50 * n} -1 {90 + n} {n} -1 -1 {n} 200 -1 1 1 1 1 1 1 -1 -1" for n in range(1, 9)]
    Path("jobs.swf").write_text("; MaxProcs: 16\n" + "\n".join(rows) + "\n")
    Path("grid.toml").write_text(GRID)


QUESTIONS = {
    "replay": (
        replay,
        ReplayRequest(log=Path("jobs.swf"), compare=("fcfs", "easy"), mtbf=600.0, seed=3),
        ["--compare", "fcfs,easy", "--mtbf", "10min", "--seed", "3"],
    ),
    "recovery": (
        recovery,
        RecoveryRequest(log=Path("jobs.swf"), cases=("ff", "all-b"), mtbf=600.0),
        ["--case", "ff,all-b", "--mtbf", "10min"],
    ),
    "qos": (
        promises,
        PromisesRequest(log=Path("jobs.swf"), accuracy=(0.5,), confidence=(0.9,)),
        ["--accuracy", "0.5", "--confidence", "0.9"],
    ),
    "grid": (
        grid,
        GridRequest(log=Path("jobs.swf"), machines=Path("grid.toml"), policies=("fcfs", "easy")),
        ["--machines", "grid.toml", "--policies", "fcfs,easy"],
    ),
}


def printed(name, words):
    done = runner().invoke(main, [name, "jobs.swf", *words, "--json"])
    assert done.exit_code == 0, done.output
    return {key: value for key, value in json.loads(done.stdout).items() if key not in RESTS}


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_what_the_command_prints(name):
    ask, request, words = QUESTIONS[name]
    found = ask(request)
    assert strict(found.to_dict(), option_named) == printed(name, words)
    assert len(found.to_frame()) == len(found.to_dict()["results"])


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_study_is_what_the_command_prints(name):
    ask, request, words = QUESTIONS[name]
    study = StudyRequest(seeds=(1, 2))
    words = [
        word for place, word in enumerate(words) if "--seed" not in words[place - 1 : place + 1]
    ]
    if name == "replay":
        request = replace(request, seed=0)
    found = ask(replace(request, study=study))
    assert strict(found.to_dict(), option_named) == printed(name, [*words, "--seeds", "1:2"])
    assert set(found.rows()["seed"]) == {1, 2}
    assert found.to_frame()["seeds"].max() == 2


def test_values_side_by_side_need_no_value_of_their_own():
    study = StudyRequest(varied={"mtbf": (600.0, 1200.0)})
    found = replay(ReplayRequest(log=Path("jobs.swf"), weibull_shape=0.7, study=study))
    assert [row["mtbf_s"] for row in found.to_dict()["results"]] == [600.0, 1200.0]


def test_attempts_say_where_jobs_ran_where_that_is_asked_for():
    request = ReplayRequest(log=Path("jobs.swf"), policy="fcfs")
    (table,) = replay(request, places=True).attempts().values()
    assert len(table) == 8
    assert table["place"].iloc[0] == "0"


def test_a_field_without_effect_is_refused_by_its_name():
    with pytest.raises(Refused, match=r"^weibull_shape must come with mtbf, got it alone$"):
        replay(ReplayRequest(log=Path("jobs.swf"), weibull_shape=0.7))
    said = frozenset({"weibull_shape"})  # as its default
    with pytest.raises(Refused, match=r"^weibull_shape must come with mtbf, got it alone$"):
        replay(ReplayRequest(log=Path("jobs.swf"), said=said))
    with pytest.raises(Refused, match=r"^seed must be left out with seeds$"):
        replay(ReplayRequest(log=Path("jobs.swf"), seed=3, study=StudyRequest(seeds=(1, 2))))


def test_a_file_may_be_named_by_a_text():
    assert ReplayRequest(log="jobs.swf").log == Path("jobs.swf")


def test_no_command_line_is_loaded():
    code = (
        "import sys; from sim.answers import ReplayRequest, replay; "
        "replay(ReplayRequest(log='jobs.swf')); "
        "print(*{name.partition('.')[0] for name in sys.modules} & {'click', 'rich', 'perfmodel'})"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.split() == []
