import json

import pytest
from click.testing import CliRunner

from perfmodel import expected_speedup, optimal_nodes
from perfmodel.cli import main

YEAR = 365.25 * 86400.0
WORDS = [
    *("--nodes", "100000", "--node-mtbf", "10y"),
    *("--sequential-share", "0.1%", "--checkpoint-cost", "1min"),
]


def run(*arguments):
    done = CliRunner().invoke(main, ["nodes", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_prints_what_the_formulas_say():
    job = {"sequential_share": 1e-3, "node_mtbf": 10 * YEAR, "checkpoint_cost": 60.0}
    found = json.loads(run(*WORDS, "--json"))
    assert found["best_nodes"] == optimal_nodes(**job) == 20_804
    rows = {row["nodes"]: row for row in found["counts"]}
    assert set(rows) >= {20_804, 100_000}
    for count, row in rows.items():
        assert row["speedup"] == pytest.approx(float(expected_speedup(count, **job)))
        assert row["speedup"] < row["speedup_without_failures"]
        assert row["mtbf_s"] == pytest.approx(10 * YEAR / count)


def test_the_text_names_the_best_number():
    text = run(*WORDS)
    assert "20,804 *" in text
    assert "Use 20,804 of 100,000 nodes." in text
    assert "Use all 50 nodes." in run(*WORDS, "--nodes", "50", "--law", "gustafson")


HOPELESS = [
    *("--nodes", "1000000", "--node-mtbf", "1s"),
    *("--sequential-share", "0.1%", "--checkpoint-cost", "1d"),
]


def test_no_number_of_nodes_finishes_a_job_whose_checkpoints_never_end():
    assert json.loads(run(*HOPELESS, "--json"))["best_nodes"] is None
    text = run(*HOPELESS)
    assert "No number of nodes finishes the job" in text
    assert "Use " not in text
    assert "*" not in text
    both = run(*HOPELESS, "--checkpoint-cost", "1d,1ms").splitlines()
    assert both[2].split() == ["1d", "-", "-", "-"]
    slow = run(*WORDS, "--node-mtbf", "10s")
    assert "so often that the job hardly advances" in " ".join(slow.split())


def test_one_node_is_not_all_of_them():
    assert "Use the one node." in run(*WORDS, "--nodes", "1")


def test_speedups_of_large_machines_are_written_out_and_never_nothing():
    text = run(
        *("--nodes", "100000000", "--node-mtbf", "1y"),
        *("--sequential-share", "0.0000001%", "--checkpoint-cost", "10min"),
    )
    last = next(line for line in text.splitlines() if line.startswith("100,000,000"))
    assert last.split()[-2:] == ["<0.01", "90,909,091"]
    assert "e+0" not in text
