"""From what Slurm prints to an MTBF: jobs that lost a node, and nodes that were out of service."""

import json

import pytest

from perfmodel.cli import main
from sim.traces import SAMPLES
from tests.support.runner import runner

JOBS = """JobID|Submit|Elapsed|NNodes|AllocCPUS|State
1|2024-01-01T00:00:00|10:00:00|64|1024|COMPLETED
2|2024-01-01T05:00:00|20:00:00|128|2048|NODE_FAIL
3|2024-01-02T05:00:00|4-20:00:00|100|1600|TIMEOUT
"""
NODE_TIME = 3600.0 * (10 * 64 + 20 * 128 + 116 * 100)
EVENTS = """Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
c|n1|2024-01-01T00:00:00|2024-01-01T06:00:00|DOWN*|Not responding|slurm
c|n2|2024-01-03T00:00:00|2024-01-03T02:00:00|DRAIN|memory|root
c|n1|2024-01-09T00:00:00|2024-01-09T01:00:00|DOWN|Not responding|slurm
"""


@pytest.fixture
def files(tmp_path):
    for name, text in (("jobs.txt", JOBS), ("events.txt", EVENTS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(*arguments, code=0):
    done = runner().invoke(main, [*map(str, arguments)])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def test_jobs_tell_the_mtbf_of_a_node(files):
    found = json.loads(run("fit", files / "jobs.txt", "--json"))
    assert (found["failures"], found["observed_s"]) == (1, NODE_TIME)
    assert found["mtbf_s"] == NODE_TIME
    assert found["bad_nodes"] is found["uptime_family"] is None
    words = run("fit", files / "jobs.txt")
    assert "1 job ended as NODE_FAIL" in " ".join(words.split())
    assert "node MTBF" in words
    assert "more often than chance" not in words


def test_the_mtbf_of_a_job_is_that_of_its_nodes(files):
    job = ["interval", "--log", files / "jobs.txt", "--checkpoint-cost", "5min", "--json"]
    found = json.loads(run(*job, "--nodes", "128"))
    assert found["mtbf_s"] == pytest.approx(NODE_TIME / 128)
    assert "--nodes must be given with jobs.txt, a log of jobs" in run(*job, code=2)


def test_a_job_on_nodes_of_another_log_needs_as_many_there(files):
    job = ["interval", "--log", files / "events.txt", "--checkpoint-cost", "5min", "--json"]
    said = "--log-nodes must be given for a job on 8 nodes, as the log names 2 of them"
    assert said in run(*job, "--nodes", "8", code=2)
    # Two failures after the first, in eight days of 16 nodes without 8 h of repairs.
    found = json.loads(run(*job, "--nodes", "8", "--log-nodes", "16"))
    assert found["mtbf_s"] == pytest.approx((16 * 8 * 24 - 8) * 3600.0 / 2 / 8)


def test_a_scenario_asks_for_failures_of_the_machine(files):
    text = '[failures]\nlog = "jobs.txt"\n[checkpoint]\ncost = "1min"\n[job]\nwork = "1d"\n'
    (files / "plan.toml").write_text(text)
    assert "failures.log must count failures of the machine, got jobs of sacct" in run(
        "plan", files / "plan.toml", code=2
    )
    (files / "plan.toml").write_text(text.replace("jobs.txt", "events.txt"))
    assert "MTBF" in run("plan", files / "plan.toml")


def test_spares_read_events_and_their_repairs(files):
    found = json.loads(run("spares", "--nodes", 256, "--log", files / "events.txt", "--json"))
    assert found["node_mtbf_s"] == pytest.approx(256 * 8 * 86_400.0 / 2)
    assert found["mean_nodes_down"] == pytest.approx(256 * 3.0 * 3600.0 / found["node_mtbf_s"])
    words = run("spares", "--nodes", 256, "--log", files / "events.txt")
    assert "read as sacctmgr, by its first lines" in words
    blocks = ["spares", "--blocks", 16, "--standbys", 2, "--checkpoint-cost", "1min"]
    found = json.loads(run(*blocks, "--log", files / "events.txt", "--json"))
    assert found["job_mtbf_s"] == pytest.approx(8 * 86_400.0 / 2)
    assert 0.0 < found["goodput"] < 1.0


def test_jobs_of_slurm_are_replayed_without_a_format(files):
    words = run("replay", files / "jobs.txt", "--processors", "4096")
    assert "read as sacct, by its first lines: --format names another format" in words


def test_samples_are_shown(tmp_path):
    shown = run("traces", "formats")
    for name, sample in SAMPLES.items():
        assert f"{name} ({sample.kind}): " in shown
        assert sample.text.splitlines()[-1] in shown
    assert run("traces", "formats", "csv").count("(failures)") == 1
    assert "NAME must be one of swf, " in run("traces", "formats", "xls", code=2)
