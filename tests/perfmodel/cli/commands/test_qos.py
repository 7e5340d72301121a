import json
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest

from perfmodel.cli import main
from sim import cluster
from sim.answers import PromisesRequest, promises
from sim.streams import DETECTABILITY, stream
from tests.support.runner import runner

KEYS = {"accuracy", "confidence", "qos", "utilization", "lost_work_node_s", "kept"}
# Two nodes; the first job holds both until 10, the second follows.
JOBS = """; MaxProcs: 2
1 0 -1 10 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1
2 1 -1 5 2 -1 -1 2 5 -1 1 1 1 1 1 1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    return str(path)


@pytest.fixture
def strike(tmp_path):
    """Processor 0 fails at 4 and is out for 2 s."""
    path = tmp_path / "failures.csv"
    path.write_text("time,node,repair\n4,0,2\n")
    return str(path)


@pytest.fixture
def busy(tmp_path):
    """A month of jobs that a bad machine strikes often."""
    rng = np.random.default_rng(1)
    submit = np.sort(rng.integers(0, 200_000, 150))
    lines = [
        f"{n} {t} -1 {r} {p} -1 -1 {p} {r} -1 1 1 1 1 1 1 -1 -1"
        for n, (t, r, p) in enumerate(
            zip(submit, rng.integers(60, 20_000, 150), rng.integers(1, 9, 150), strict=True), 1
        )
    ]
    path = tmp_path / "busy.swf"
    path.write_text("; MaxProcs: 16\n" + "\n".join(lines) + "\n")
    return str(path)


def run(*arguments, code=0):
    done = runner().invoke(main, ["qos", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


def read(*arguments):
    return json.loads(run(*arguments, "--json"))["results"]


def test_a_cell_worked_by_hand(log, strike):
    (row,) = read(log, "--failures", strike, "--accuracy", "0", "--confidence", "0.5")
    assert row.keys() >= KEYS
    assert (row["accuracy"], row["confidence"]) == (0.0, 0.5)
    # The second job keeps its place, 10..15; the first runs again after it, 15..25.
    assert row["qos"] == pytest.approx(10.0 / 30.0)
    assert row["utilization"] == pytest.approx(30.0 / 50.0)
    assert row["lost_work_node_s"] == 8.0
    assert row["kept"] == 0.5
    assert row["engine"] == "general"  # so few jobs


def test_who_asks_for_more_waits_for_the_repair(log, strike):
    seed = next(s for s in range(99) if 0.2 < stream(s, *DETECTABILITY).random() < 0.5)
    rows = read(
        log, "--failures", strike, "--accuracy", "1", "--confidence", "0.1,0.9", "--seed", str(seed)
    )
    assert rows[0]["mean_promised"] < 1.0
    assert rows[0]["qos"] < rows[1]["qos"] == 1.0
    assert rows[1]["makespan_s"] == 6.0 + 15.0


def test_ranges_include_both_ends_and_every_pair_is_played(log):
    rows = read(log, "--accuracy", "0:1:0.1", "--confidence", "0.1,0.9")
    assert [row["accuracy"] for row in rows[::2]] == [round(0.1 * k, 10) for k in range(11)]
    assert [row["confidence"] for row in rows[:2]] == [0.1, 0.9]
    assert len(rows) == 22


def test_the_identities_of_the_paper_hold_on_drawn_failures(busy):
    options = ("--failures-per-year", "3000", "--seed", "4")
    asked = ("--accuracy", "0,0.4,1", "--confidence", "0.5,0.9,1")
    rows = read(busy, *options, *asked, "--within-accuracy")
    by = {(row["accuracy"], row["confidence"]): row for row in rows}
    assert by[1.0, 1.0]["qos"] == by[1.0, 1.0]["kept"] == 1.0
    assert by[1.0, 1.0]["lost_work_node_s"] == 0.0
    for accuracy in (0.0, 0.4):
        first = {**by[accuracy, 0.5], "confidence": 0}
        for confidence in (0.9, 1.0):
            assert {**by[accuracy, confidence], "confidence": 0} == first
    assert by[0.0, 0.5]["failures"] > 0
    assert by[0.0, 0.5]["qos"] < 1.0
    insisting = read(busy, *options, "--accuracy", "0.4", "--confidence", "1")
    assert insisting[0]["mean_promised"] == 1.0 > by[0.4, 1.0]["mean_promised"]


@pytest.mark.parametrize("kind", ["stated", "rate"])
def test_other_forecasters_have_no_accuracy(busy, kind):
    (row,) = read(busy, "--forecaster", kind, "--confidence", "0.5", "--failures-per-year", "3000")
    assert row["accuracy"] is None
    assert 0.0 < row["mean_promised"] < 1.0


def test_what_users_do_not_ask_for_is_played_once(busy, monkeypatch):
    played = []
    play = cluster.replay_promises
    monkeypatch.setattr(
        cluster,
        "replay_promises",
        lambda *of, **how: played.append(how["confidence"]) or play(*of, **how),
    )
    options = ("--accuracy", "0.3,0.6", "--confidence", "0.1,0.5,0.9", "--within-accuracy")
    rows = read(busy, *options)
    assert played == [0.0, 0.0, 0.5]
    asked = PromisesRequest(
        log=busy, accuracy="0.3,0.6", confidence="0.1,0.5,0.9", within_accuracy=True
    )
    parts = promises(asked).parts
    for row in rows:  # as if each had been played by itself
        accuracy, confidence = row["accuracy"], row["confidence"]
        alone = play(
            parts.workload,
            processors=parts.processors,
            forecaster=cluster.DetectabilityForecaster(accuracy, asked.seed),
            confidence=confidence,
            within_accuracy=True,
            failures=parts.failures,
            checkpoint_interval=asked.checkpoint_interval,
            checkpoint_cost=asked.checkpoint_cost,
            checkpointing=asked.checkpoints,
        )
        assert row["qos"] == alone.quality_of_service
        assert row["mean_promised"] == float(alone.promised.mean())


def test_a_sweep_is_taken_up_where_it_was_left(busy, tmp_path, monkeypatch):
    kept = tmp_path / "cells.jsonl"
    options = (busy, "--accuracy", "0,1", "--confidence", "0.5", "--json")
    never_stopped = run(*options)
    resumed = (*options, "--resume", str(kept))
    run(*resumed)
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-20])
    played = []
    play = cluster.replay_promises
    monkeypatch.setattr(
        cluster,
        "replay_promises",
        lambda *of, **how: played.append(how["confidence"]) or play(*of, **how),
    )
    assert run(*resumed) == never_stopped
    assert played == [0.5]
    header, first, second = (json.loads(line) for line in kept.read_text().splitlines())
    assert header["version"] == version("perfmodel")
    assert first["result"]["confidence"] == second["result"]["confidence"] == 0.5
    error = run(*resumed, "--seed", "9", code=2)
    assert "--resume must be a file of the same settings" in error


def test_attempts_say_where_they_ran_and_what_was_promised(log, strike, tmp_path):
    out = tmp_path / "attempts.csv"
    cell = ("--failures", strike, "--accuracy", "0,1", "--confidence", "0.5")
    run(log, *cell, "--out", str(out))
    table = pd.read_csv(out)
    assert table.columns[:3].tolist() == ["accuracy", "confidence", "job"]
    without, aware = (rows for _, rows in table.groupby("accuracy"))
    assert without["job"].tolist() == [1, 1, 2]
    assert without["attempt"].tolist() == [1, 2, 1]
    assert without["start"].tolist() == [0.0, 15.0, 10.0]
    assert without["end"].tolist() == [4.0, 25.0, 15.0]
    assert without["outcome"].tolist() == ["failed", "completed", "completed"]
    assert without["place"].tolist() == ["0-1"] * 3
    assert without["deadline"].tolist() == [10.0, 10.0, 15.0]
    assert without["kept"].tolist() == [False, False, True]
    assert (aware["promised"] <= 1.0).all()


def test_a_foreign_file_is_no_place_to_resume_from(log, tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("precious notes without newline")
    cell = ("--accuracy", "0.5", "--confidence", "0.5")
    assert "began" in run(log, *cell, "--resume", str(notes), code=2)
    assert notes.read_text() == "precious notes without newline"


def test_a_table_without_json(log, strike):
    text = run(log, "--failures", strike, "--accuracy", "0", "--confidence", "0.5")
    assert "0.3333" in text
    assert f"{8.0 / 3600.0:.5f}" in text  # lost, in node hours
    assert "lasts beyond the last failure" in text


def test_a_predictor_of_true_probabilities(busy):
    (row,) = read(busy, "--forecaster", "calibrated", "--recall", "0.9", "--confidence", "0.5")
    assert row["accuracy"] is None
    assert row["engine"] == "general"
    assert 0.0 < row["brier"] < 1.0
    (other,) = read(busy, "--forecaster", "calibrated", "--recall", "0.1", "--confidence", "0.5")
    assert other["brier"] != row["brier"]
