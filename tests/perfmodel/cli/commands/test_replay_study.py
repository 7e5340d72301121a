"""``perfmodel replay`` with several seeds or values: one table of means, whatever plays it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

from perfmodel.cli import main

RNG = np.random.default_rng(5)
FAILING = ("--mtbf", "20min", "--mttr", "1min")


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "jobs.swf"
    submit = np.sort(RNG.integers(0, 9000, 60))
    lines = ["; MaxProcs: 8"]
    for number, at in enumerate(submit, 1):
        runtime, processors = RNG.integers(60, 900), RNG.integers(1, 9)
        asked = int(runtime * RNG.uniform(1.0, 3.0))
        job = f"{number} {at} -1 {runtime} {processors} -1 -1 {processors} {asked}"
        lines.append(job + " -1 1 1 1 1 1 1 -1 -1")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def run(*arguments, code=0):
    done = CliRunner().invoke(main, ["replay", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done.stderr if code == 2 else done.stdout


def alone(log, *arguments):
    return json.loads(run(log, *FAILING, *arguments, "--json"))


GRID = ("--compare", "easy,fcfs", "--checkpoint-interval", "2min,5min", "--checkpoint-cost", "5s")


def test_every_row_is_the_replay_of_its_cell_and_seed(log, tmp_path):
    out = tmp_path / "rows.csv"
    run(log, *FAILING, *GRID, "--seeds", "3,5:6", "--out", out)
    rows = pd.read_csv(out)
    assert rows[["policy", "checkpoint_interval_s", "seed"]].to_numpy().tolist() == [
        [policy, interval, seed]
        for seed in (3, 5, 6)
        for interval in (120.0, 300.0)
        for policy in ("easy", "fcfs")
    ]
    of_one = ("--policy", "fcfs", "--checkpoint-interval", "5min", "--checkpoint-cost", "5s")
    expected = alone(log, *of_one, "--seed", "6")
    row = rows.iloc[-1]
    for name in ("mean_wait_s", "mean_bounded_slowdown", "failures", "service_unit_loss"):
        assert row[name] == expected[name]
    assert row["failures"] > 0


def test_means_and_differences_are_those_of_the_rows(log, tmp_path):
    out = tmp_path / "rows.csv"
    found = json.loads(run(log, *FAILING, *GRID, "--seeds", "1:9", "--out", out, "--json"))
    rows = pd.read_csv(out)
    assert (found["seeds"], found["complete"]) == (9, True)
    assert found["options"]["checkpoint_interval_s"] == [120.0, 300.0]
    assert (found["options"]["seeds"], found["options"]["compare"]) == ("1:9", "easy,fcfs")
    waits = rows.pivot(
        index="seed", columns=["policy", "checkpoint_interval_s"], values="mean_wait_s"
    )
    assert len(found["results"]) == 4
    for row in found["results"]:
        own = waits[row["policy"], row["checkpoint_interval_s"]]
        assert row["metrics"]["mean_wait_s"]["mean"] == pytest.approx(own.mean())
        if row["policy"] == "easy":
            assert "differences" not in row
            continue
        assert row["difference_to"] == {**row["difference_to"], "policy": "easy"}
        gap = own - waits["easy", row["checkpoint_interval_s"]]
        difference = row["differences"]["mean_wait_s"]
        assert difference["mean"] == pytest.approx(gap.mean())
        assert difference["half_width"] == pytest.approx(stats.t.ppf(0.975, 8) * stats.sem(gap))


@pytest.mark.slow
def test_the_table_has_the_same_bytes_with_one_and_two_workers(log, tmp_path, monkeypatch):
    """Table, JSON and rows, here and of a whole process."""
    monkeypatch.chdir(tmp_path)
    study = ("replay", log, *FAILING, *GRID, "--seeds", "1:6")
    for more, out in ((["--out", "rows.csv"], "rows.csv"), (["--json"], None)):
        here = CliRunner().invoke(main, [*study, "--workers", "1", *more])
        rows = out and Path(out).read_bytes()
        command = [sys.executable, "-m", "perfmodel", *study, "--workers", "2", *more]
        there = subprocess.run(command, capture_output=True, check=True)
        assert there.stderr == here.stderr_bytes == b""
        assert there.stdout == here.stdout_bytes
        assert rows == (out and Path(out).read_bytes())


def test_a_study_shows_its_cells_with_intervals(log):
    text = run(log, "--mtbf", "20min,40min", "--seeds", "1:4", "--compare", "easy,fcfs")
    assert "4 cells x 4 seeds, 1 to 4" in text
    assert re.search(r"seed 1 and each\s+other anew", text)
    assert "± half of their 95 % intervals (Student)" in text
    assert "Difference to easy, seed by seed:" in text
    rows = [line.split() for line in text.splitlines() if line.startswith(("easy", "fcfs"))]
    assert [row[:2] for row in rows] == [
        ["easy", "20min"],
        ["fcfs", "20min"],
        ["easy", "40min"],
        ["fcfs", "40min"],
        ["fcfs", "20min"],
        ["fcfs", "40min"],
    ]
    assert all(row[3] == "±" for row in rows)
    assert all(row[2][0] in "+-" for row in rows[4:])


def test_several_values_without_seeds_play_the_one_seed(log):
    found = alone(log, "--scale-gaps", "0.5,1", "--on-failure", "original,drop", "--seed", "4")
    cells = [(row["scale_gaps"], row["on_failure"]) for row in found["results"]]
    assert cells == [(0.5, "original"), (0.5, "drop"), (1.0, "original"), (1.0, "drop")]
    for row, (gaps, recovery) in zip(found["results"], cells, strict=True):
        one = alone(log, "--scale-gaps", gaps, "--on-failure", recovery, "--seed", 4)
        wait = row["metrics"]["mean_wait_s"]
        assert wait == {"mean": one["mean_wait_s"], "half_width": None, "seeds": 1}
    text = run(log, *FAILING, "--scale-gaps", "0.5,1")
    assert "2 cells x 1 seed, 0" in text
    assert "±" not in text


@pytest.mark.slow
def test_until_goes_on_until_every_interval_is_as_tight_as_asked(log):
    goal = ("--compare", "easy,fcfs", "--until", "5%", "--metric", "mean_response_s")
    found = alone(log, *goal, "--seed", "2")
    assert found["seeds"] > 8
    for row in found["results"]:
        response = row["metrics"]["mean_response_s"]
        assert response["half_width"] <= 0.05 * response["mean"]
        assert response["seeds"] == found["seeds"]
    assert "mean_response_s is known to " in run(log, *FAILING, *goal)
    few = run(log, *FAILING, *goal, "--seeds", "1:8")
    assert "8 seeds, 1 to 8" in few
    assert re.search(r"mean_response_s is known to [\d.]+ %\s+of\s+its\s+mean", few)
    assert re.search(r";\s+5\s+%\s+takes\s+more\s+seeds", few)


def test_a_failure_log_strikes_every_cell(log, tmp_path):
    path = tmp_path / "failures.csv"
    path.write_text(
        "time,node,repair\n" + "".join(f"{t},{t % 8},60\n" for t in range(60, 9000, 91))
    )
    read = ("--failures", path, "--checkpoint-cost", "5s")
    found = json.loads(run(log, *read, "--checkpoint-interval", "2min,5min", "--json"))
    for row, interval in zip(found["results"], ("2min", "5min"), strict=True):
        one = json.loads(run(log, *read, "--checkpoint-interval", interval, "--json"))
        assert row["metrics"]["mean_wait_s"]["mean"] == one["mean_wait_s"]
        assert row["metrics"]["failures"]["mean"] == one["failures"] > 0


def test_a_blue_gene_is_studied_too(log, tmp_path):
    out = tmp_path / "rows.csv"
    machine = ("--machine", "bluegene:1x1", "--processors-per-node", "1", "--fault-aware")
    failing = ("--mtbf", "1min", "--scale-gaps", "0.01")
    study = ("--compare", "wfp3,fcfs", "--seeds", "1:3", "--workers", "2", "--out", out)
    run(log, *machine, *failing, *study)
    rows = pd.read_csv(out)
    assert rows["utility"].tolist() == ["wfp3", "fcfs"] * 3
    one = json.loads(run(log, *machine, *failing, "--utility", "fcfs", "--seed", "2", "--json"))
    for name in ("mean_wait_s", "failures", "lost_node_h"):
        assert rows[name].iloc[3] == one[name] > 0.0


def _on_a_terminal(*arguments, interrupt=None):
    """Return exit code, standard output and what a terminal as standard error was sent."""
    own, theirs = pty.openpty()
    # What runs in the background may ignore interrupts, and would hand that down.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [sys.executable, "-m", "perfmodel", "replay", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    ) as done:
        os.close(theirs)
        signal.signal(signal.SIGINT, before)
        seen = b""
        while True:
            try:
                piece = os.read(own, 4096)
            except OSError:  # closed by the other end
                break
            if not piece:
                break
            seen += piece
            if interrupt is not None and re.search(interrupt, seen):
                interrupt = None
                os.killpg(done.pid, signal.SIGINT)
        shown = done.stdout.read().decode()
    os.close(own)
    return done.returncode, shown, seen.decode()


def test_a_terminal_shows_how_far_the_study_is(log):
    code, shown, seen = _on_a_terminal(log, *FAILING, "--seeds", "1:40")
    assert code == 0
    assert "1 cell x 40 seeds, 1 to 40" in shown
    lines = seen.replace("\x1b[K", "").split("\r")
    assert "40 of 40 replays, 1 s left" in lines
    assert lines[-1] == ""  # cleared


def test_ctrl_c_prints_the_seeds_that_are_complete(log, tmp_path):
    out = tmp_path / "rows.csv"
    study = (*FAILING, *GRID, "--seeds", "1:100000", "--workers", "2", "--out", out)
    code, shown, seen = _on_a_terminal(log, *study, interrupt=rb"\d\d of 400,000 replays")
    assert code == 130
    # Two workers end their seeds in any order.
    told = re.search(r"Interrupted: --seeds ([\d:,]+) plays the rest\.\r\n$", seen)
    assert told
    ends = [tuple(map(int, part.split(":"))) for part in told[1].split(",")]
    left = {seed for run in ends for seed in range(run[0], run[-1] + 1)}
    assert len(ends) < 8
    assert "Traceback" not in seen
    assert "interrupted: the table has the seeds that were complete" in shown
    assert "Difference to easy, seed by seed:" in shown
    rows = pd.read_csv(out)
    cells = rows.groupby("seed").size()
    assert set(cells) == {4}
    assert {*cells.index} == {*range(1, 100_001)} - left
    assert f"4 cells x {len(cells):,} seed" in shown


@pytest.mark.parametrize("compared", [(), ("--compare", "easy,fcfs")])
def test_ctrl_c_before_the_first_seed_is_complete_says_so(compared, log, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.cluster.replay", interrupted)
    done = CliRunner().invoke(main, ["replay", log, *FAILING, *compared, "--seeds", "1:3"])
    assert done.exit_code == 130
    assert "interrupted: none of its seeds was complete" in done.stdout
    assert done.stderr == "Interrupted: the same command begins anew.\n"
    study = (*FAILING, *compared, "--seeds", "1:3", "--json")
    done = CliRunner().invoke(main, ["replay", log, *study])
    assert done.exit_code == 130
    found = json.loads(done.stdout)
    assert (found["results"], found["seeds"], found["complete"]) == ([], 0, False)


def test_a_metric_that_a_cell_does_not_have_is_said_to_be_unknown(log):
    goal = ["--seeds", "1:3", "--until", "2%", "--metric", "failure_slowdown"]
    text = run(log, "--mtbf", "9999y", *goal)
    assert "failure_slowdown is unknown in a cell, or its mean is 0" in " ".join(text.split())
    assert "inf" not in text
