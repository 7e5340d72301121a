"""Checkpoints of single jobs, and checkpoints that count against the walltime."""

import json

import pytest
from click.testing import CliRunner

from perfmodel.cli import main

JOBS = """; MaxProcs: 4
1 0 -1 1000 1 -1 -1 1 1010 -1 1 1 1 1 1 1 -1 -1
2 0 -1 1000 1 -1 -1 1 1010 -1 1 1 1 1 1 1 -1 -1
7 0 -1 1000 1 -1 -1 1 1200 -1 1 1 1 1 1 1 -1 -1
8 0 -1 -1 1 -1 -1 1 1200 -1 5 1 1 1 1 1 -1 -1
9 0 -1 1000 8 -1 -1 8 1200 -1 1 1 1 1 1 1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.swf"
    path.write_text(JOBS)
    return str(path)


@pytest.fixture
def table(tmp_path):
    def write(text):
        path = tmp_path / "checkpoints.csv"
        path.write_text(text)
        return str(path)

    return write


def run(*arguments, code=0):
    done = CliRunner().invoke(main, ["replay", *arguments, "--oversize", "skip"])
    assert done.exit_code == code, done.output
    return done.stdout if code != 2 else done.stderr


def read(*arguments):
    return json.loads(run(*arguments, "--json"))


def test_jobs_checkpoint_as_the_file_says_and_others_do_not(log, table):
    own = table("job,interval,cost,recovery\n1, 100, 10, 5\n7,2min,30s,\n8,1h,1,1\n")
    found = read(log, "--job-checkpoints", own)
    # Nine dumps of 10 s, eight of 30 s; job 8 never ran, job 9 does not fit.
    assert found["checkpoint_node_h"] * 3600 == pytest.approx(9 * 10 + 8 * 30)
    assert "checkpoints.csv: checkpoints of 2 of 3 jobs; the others have none" in found["notes"]
    assert found["inputs"][1]["name"] == "checkpoints.csv"


def test_the_others_have_what_the_options_say(log, table):
    own = table("# by hand\ncost,job,interval\n10,1,100\n0,2,none\n")
    options = ("--checkpoint-interval", "500s", "--checkpoint-cost", "7s")
    found = read(log, "--job-checkpoints", own, *options)
    assert found["checkpoint_node_h"] * 3600 == pytest.approx(9 * 10 + 7)
    notes = " ".join(found["notes"])
    assert "checkpoints of 2 of 3 jobs; the others have the options'" in notes


def test_a_job_goes_on_from_its_own_checkpoint(log, table, tmp_path):
    failures = tmp_path / "failures.csv"
    failures.write_text("time,node,repair\n950,0,0\n")
    own = table("job,interval,cost,recovery\n1,400,10,5\n")
    found = read(log, "--job-checkpoints", own, "--failures", str(failures))
    # Struck at 950 with 800 saved at 820: 5 to read, 200 to do.
    assert found["failures"] == 1
    assert found["recovery_node_h"] * 3600 == pytest.approx(5)
    assert found["lost_node_h"] * 3600 == pytest.approx(130)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must begin with a line job,interval,cost"),
        ("job,interval\n1,2\n", "must begin with a line job,interval,cost"),
        ("job,interval,cost,speed\n", "must begin with a line job,interval,cost"),
        ("job,interval,cost\n5,1h,1min\n", "checkpoints.csv, line 2: job must be one of LOG, got"),
        ("job,interval,cost\n1,1h,1\n01,2h,1\n", "line 3: job must be one of its own, got '1' as"),
        ("job,interval,cost\n1,0,1\n", "line 2: interval must be > 0 or none, got '0'"),
        ("job,interval,cost\n1,nan,1\n", "line 2: interval must be seconds or a duration with"),
        ("job,interval,cost\n1,1h,-1\n", "line 2: cost must be seconds or a duration with a unit"),
        ("job,interval,cost\n1,1h,\n", "line 2: cost must be seconds or a duration with a unit"),
        ("job,interval,cost\n1,1h\n", "line 2: must have 3 columns, got 2"),
        ("job,interval,cost\n1,1e-9,1\n", "must leave at most 1,000,000 checkpoints a job"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(log, table, text, message):
    refused = run(log, "--job-checkpoints", table(text), code=2)
    assert message in refused
    assert len(refused.strip().splitlines()) == 1


def test_jobs_of_slurm_go_by_their_names(tmp_path, table):
    path = tmp_path / "jobs.txt"
    path.write_text(
        "JobID|Submit|Start|End|AllocCPUS|Timelimit|State\n"
        "9_1|2020-01-01T00:00:00|2020-01-01T00:00:00|2020-01-01T01:00:00|1|02:00:00|COMPLETED\n"
        "9_2|2020-01-01T00:00:00|2020-01-01T00:00:00|2020-01-01T01:00:00|1|02:00:00|COMPLETED\n"
    )
    own = table("job,interval,cost\n9_2,30min,1min\n")
    options = ("--format", "sacct", "--processors", "2", "--job-checkpoints", own)
    assert read(str(path), *options)["checkpoint_node_h"] * 3600 == pytest.approx(60)


SLACK = ("--checkpoint-interval", "400s", "--checkpoint-cost", "15s", "--checkpoints-in-walltime")


def test_users_who_leave_little_slack_lose_their_jobs_to_dumps(log):
    found = read(log, *SLACK)
    assert found["cut_by_checkpoints"] == found["killed"] == 2
    assert found["cut_node_h"] * 3600 == pytest.approx(2 * 1010)
    warning = (
        "warning: easy: checkpoints made 2 of 3 jobs reach their walltime, which would have come "
        "to their end without; they held 66.2 % of the time in use"
    )
    assert warning in found["notes"]
    assert warning in " ".join(run(log, *SLACK).split())
    beside = read(log, *SLACK[:-1])
    assert beside["cut_by_checkpoints"] == 0
    assert "warning" not in " ".join(beside["notes"])
