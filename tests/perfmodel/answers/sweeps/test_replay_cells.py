"""A cell of replays has the numbers of the command, in the process that plays it."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from perfmodel import registry
from perfmodel.answers.sweeps.formulas import FormulaPlay
from perfmodel.answers.sweeps.study_file import read_study
from perfmodel.cli import main
from tests.support.runner import runner

JOBS = "; MaxProcs: 8\n" + "".join(
    f"{n} {300 * n} 0 3600 {1 + n % 8} -1 -1 {1 + n % 8} 5400 -1 1 1 1 -1 1 -1 -1 -1\n"
    for n in range(1, 30)
)
STUDY = """
[study]
replay = "jobs.swf"
[parameters]
policy = ["fcfs", "easy"]
mtbf = ["4h", "40h"]
checkpoint_interval = "20min"
checkpoint_cost = "1min"
on_failure = ["new", "original"]
walltime_factor = [1.0, 2.0]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.swf").write_text(JOBS)
    (tmp_path / "study.toml").write_text(STUDY)


def test_a_cell_has_the_numbers_of_the_command_for_its_seed():
    study = read_study(Path("study.toml"))
    play = study.play()
    assert len(play.cells) == study.size == 16
    for cell in [*study.parameters()][::3]:
        found = play(cell, seed=5)
        words = [
            word
            for name, value in cell.items()
            for word in (f"--{name.replace('_', '-')}", str(value))
        ]
        seconds = {"--mtbf", "--checkpoint-interval", "--checkpoint-cost"}
        words = [
            f"{word}s" if before in seconds else word
            for before, word in zip(["", *words], words, strict=False)
        ]
        done = runner().invoke(main, ["replay", "jobs.swf", *words, "--seed", "5", "--json"])
        assert done.exit_code == 0, done.output
        alone = json.loads(done.stdout)
        assert found.keys() <= alone.keys() | {"engine"}
        assert "engine_s" not in found
        assert {
            "mean_wait_s",
            "utilization",
            "failures",
            "failures_drawn",
            "engine",
        } <= found.keys()
        assert (found.pop("engine"), alone["engine"]) == ("kernel", "general")
        for name, value in found.items():
            known = math.nan if alone[name] is None else alone[name]
            assert value == pytest.approx(known, nan_ok=True), name
    drawn = {play(cell, seed=seed)["failures_drawn"] for seed in range(9)}
    assert len(drawn) > 1


@dataclass(frozen=True)
class Parts:
    whole: int
    part: float
    word: str
    many: tuple
    zero: object


class Pair(NamedTuple):
    first: float
    second: np.ndarray


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        (3, {"toy": 3.0}),
        (np.float64(2.5), {"toy": 2.5}),
        (np.array(2.5), {"toy": 2.5}),
        (
            Parts(2, 0.5, "w", (1.0, 2.0), np.int64(0)),
            {"whole": 2.0, "part": 0.5, "zero": 0.0},
        ),
        (Pair(1.5, np.ones(2)), {"first": 1.5}),
    ],
)
def test_a_formula_gives_each_number_of_its_answer_by_its_name(answer, numbers, monkeypatch):
    toy = SimpleNamespace(name="toy", function=lambda *, x: answer if x == 7 else None)
    monkeypatch.setattr(registry, "FORMULAS", (toy,))
    found = FormulaPlay("toy")({"x": 7}, seed=1)
    assert found == numbers
    assert {type(value) for value in found.values()} == {float}


@pytest.mark.parametrize("answer", ["text", np.ones(3), Parts, (1.0, 2.0)])
def test_a_formula_without_a_number_has_no_answer(answer, monkeypatch):
    toy = SimpleNamespace(name="toy", function=lambda: answer)
    monkeypatch.setattr(registry, "FORMULAS", (toy,))
    said = f"^formula must give numbers, got {type(answer).__name__}$"
    with pytest.raises(ValueError, match=said):
        FormulaPlay("toy")({}, seed=1)
