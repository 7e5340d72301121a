"""``recovery``, ``qos`` and ``grid`` with several seeds: each draws failures and choices anew."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from perfmodel.cli import main

JOBS = 60


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    rng = np.random.default_rng(7)
    path = tmp_path_factory.mktemp("logs") / "jobs.swf"
    lines = ["; MaxProcs: 8"]
    for number, at in enumerate(np.sort(rng.integers(0, 40_000, JOBS)), 1):
        runtime, processors = rng.integers(600, 5_000), rng.integers(1, 9)
        asked = int(runtime * rng.uniform(1.0, 3.0))
        job = f"{number} {at} -1 {runtime} {processors} -1 -1 {processors} {asked}"
        lines.append(job + " -1 1 1 1 1 1 1 -1 -1")
    path.write_text("\n".join(lines) + "\n")
    clusters = "".join(
        f'[[cluster]]\nname = "{name}"\nmachines = {size}\n' for name, size in (("a", 8), ("b", 3))
    )
    (path.parent / "grid.toml").write_text(clusters)
    return path


# Command -> its options, its cells as columns of the rows, and metrics.
COMMANDS = {
    "recovery": (
        ("--case", "ff,mr,normal", "--mtbf", "1h", "--checkpoint-interval", "10min"),
        [{"case": name} for name in ("ff", "mr", "normal")],
        ("mean_response_s", "failures"),
    ),
    "qos": (
        ("--accuracy", "0.3,0.9", "--confidence", "0.5", "--failures-per-year", "9000"),
        [{"accuracy": value, "confidence": 0.5} for value in (0.3, 0.9)],
        ("lost_work_node_s", "failures"),
    ),
    "grid": (
        ("--machines", "grid.toml", "--mtbf", "3h", "--policies", "easy,ls"),
        [
            {"scenario": scenario, "policy": policy}
            for scenario in ("BASIC", "EXT-FAIL")
            for policy in ("easy", "ls")
        ],
        ("mean_response_s", "kills"),
    ),
}


def run(command, log, *arguments, code=0):
    arguments = [str(log.parent / word) if word == "grid.toml" else word for word in arguments]
    done = CliRunner().invoke(main, [command, str(log), *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done.stderr if code == 2 else done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_row_is_what_the_command_says_of_its_seed(log, tmp_path, command):
    options, cells, metrics = COMMANDS[command]
    once = ("--runs", 1) if command == "grid" else ()
    out = tmp_path / "rows.csv"
    text = run(command, log, *options, "--seeds", "4,6", "--out", out)
    assert f"{len(cells)} cells x 2 seeds" in text
    assert "\nengine" in text
    assert "the compiled core" in text
    rows = pd.read_csv(out)
    assert rows["seed"].tolist() == [seed for seed in (4, 6) for _ in cells]
    for seed in (4, 6):
        one = run(command, log, *options, *once, "--seed", seed, "--json")
        alone = json.loads(one)["results"]
        of_seed = rows[rows["seed"] == seed].to_dict("records")
        for row, expected, cell in zip(of_seed, alone, cells, strict=True):
            assert {name: row[name] for name in cell} == cell
            assert [row[name] for name in metrics] == [expected[name] for name in metrics]
            assert (row["engine"], expected["engine"]) == ("kernel", "general")
    values = rows.pivot_table(index="seed", columns=list(cells[0]), values=metrics[0])
    assert (values.iloc[0] != values.iloc[1]).any()


@pytest.mark.few(2)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_answer_does_not_depend_on_the_workers(log, tmp_path, command):
    options, cells, (metric, _) = COMMANDS[command]
    found = []
    for workers in (1, 2):
        out = tmp_path / f"{workers}.csv"
        study = (*options, "--seeds", "1:4", "--workers", workers, "--out", out)
        found.append((run(command, log, *study), run(command, log, *study, "--json")))
        found[-1] += (out.read_bytes(),)
    assert found[0] == found[1]
    answer = json.loads(found[0][1])
    assert (answer["seeds"], answer["complete"], len(answer["results"])) == (4, True, len(cells))
    rows = pd.read_csv(tmp_path / "2.csv")
    first = answer["results"][0]["metrics"][metric]
    assert first["mean"] == pytest.approx(rows[metric].iloc[:: len(cells)].mean())


@pytest.mark.few(1)
@pytest.mark.parametrize("command", COMMANDS)
def test_until_is_about_a_metric_of_the_command(log, command):
    options, _, (metric, _) = COMMANDS[command]
    goal = ("--until", "90%", "--metric", metric, "--seeds", "1:40")
    assert f"{metric} is known to" in run(command, log, *options, *goal)
    wrong = run(command, log, *options, "--until", "90%", "--metric", "speed", code=2)
    assert wrong.startswith("Error: --metric must be one of ")
    assert run(command, log, *options, "--until", "2h", code=2) == (
        "Error: --until must be a share of the mean, such as 2% or 0.02, got '2h' (a duration)\n"
    )


def test_recovery_is_compared_with_its_first_case(log):
    options = COMMANDS["recovery"][0]
    found = json.loads(run("recovery", log, *options, "--seeds", "1:5", "--json"))
    first, *others = found["results"]
    assert "differences" not in first
    for row in others:
        assert row["difference_to"] == {"case": "ff"}
        gap = row["metrics"]["mean_wait_s"]["mean"] - first["metrics"]["mean_wait_s"]["mean"]
        assert row["differences"]["mean_wait_s"]["mean"] == pytest.approx(gap)
    assert first["metrics"]["failures"] == {"mean": 0.0, "half_width": 0.0, "seeds": 5}


def test_a_grid_is_compared_within_each_scenario(log):
    found = json.loads(run("grid", log, *COMMANDS["grid"][0], "--seeds", "1:3", "--json"))
    against = [row.get("difference_to") for row in found["results"]]
    assert against == [
        None,
        {"scenario": "BASIC", "policy": "easy"},
        None,
        {"scenario": "EXT-FAIL", "policy": "easy"},
    ]
    basic = found["results"][0]["metrics"]["mean_response_s"]
    assert basic["half_width"] == 0.0  # nothing is drawn


def test_runs_of_random_policies_are_not_seeds_of_a_study(log):
    options = (*COMMANDS["grid"][0], "--runs", "3")
    assert "--runs must be left out with" in run("grid", log, *options, "--seeds", "1", code=2)
    text = run("grid", log, *options)
    assert "± sd, 3 seeds" in text
