"""Jobs that Slurm runs, where it can be started: a node of its own, on this machine."""

import os
import subprocess
import sys
import time

import pytest

from tests.support import real_slurm

from .test_kills import results_in, wait_for_results

pytest.importorskip("submitit", reason="submitit is not installed: perfmodel[cluster-slurm]")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(real_slurm.missing()), reason=real_slurm.missing()),
]
STUDY = """
[study]
simulate = "makespan"
seed = 1
[parameters]
work = "4d"
mtbf = ["2h", "4h", "8h"]
interval = ["15min", "1h", "4h"]
checkpoint_cost = "5min"
[replications]
number = 60
jobs = 8000
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Start Slurm for the tests of this file, and end it."""
    with real_slurm.running(tmp_path_factory.mktemp("slurm")) as site:
        yield site


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Return the bytes of the table by processes of this machine."""
    folder = tmp_path_factory.mktemp("here")
    ended(swept(folder, os.environ, "--workers", "2"))
    return (folder / "table.csv").read_bytes()


def swept(folder, env, *how):
    """Start the command in a folder."""
    (folder / "study.toml").write_text(STUDY)
    command = [sys.executable, "-m", "perfmodel", "sweep", "study.toml", "--quiet"]
    return subprocess.Popen(
        [*command, "--ledger", "ledger.db", "--table", "table.csv", *how],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def submitted(folder, site):
    asked = [("partition", "batch"), ("tasks", 60), ("jobs", 2), ("time", "10min")]
    options = [f"--slurm={key}={value}" for key, value in asked]
    return swept(folder, os.environ | site.env, *options)


def ended(client, code=0):
    """Return what a client says once it has ended."""
    try:
        out, err = client.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        client.kill()
        pytest.fail(f"the command does not end: {client.communicate()}")
    assert client.returncode == code, (out, err)
    return err


def a_running_job(site, client):
    """Wait for a job that plays; return its number."""
    until = time.monotonic() + 120.0
    while time.monotonic() < until and client.poll() is None:
        running = [job for job, state in site.jobs().items() if state == "RUNNING"]
        if running:
            return running[0]
        time.sleep(0.1)
    pytest.fail(f"no job runs: {client.communicate()}")


def no_job_is_left(site):
    until = time.monotonic() + 60.0
    while site.jobs():
        assert time.monotonic() < until, site.jobs()
        time.sleep(0.2)


def test_the_table_is_that_of_processes_and_nothing_is_said(tmp_path, site, table):
    assert ended(submitted(tmp_path, site)) == ""
    assert (tmp_path / "table.csv").read_bytes() == table
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("ledger.db", "study.toml", "table.csv")
    ]
    no_job_is_left(site)


def test_a_job_that_is_cancelled_is_told_and_the_next_command_goes_on(tmp_path, site, table):
    client = submitted(tmp_path, site)
    job = a_running_job(site, client)
    site.run("scancel", job)
    said = ended(client, 2)
    assert f"job {job} must live until its tasks end" in said
    assert "(state CANCELLED)" in said
    no_job_is_left(site)
    ended(submitted(tmp_path, site))
    assert (tmp_path / "table.csv").read_bytes() == table


def test_a_job_that_is_requeued_is_waited_for(tmp_path, site, table):
    client = submitted(tmp_path, site)
    site.run("scontrol", "requeue", a_running_job(site, client))
    ended(client)
    assert (tmp_path / "table.csv").read_bytes() == table


def test_the_client_is_killed_and_the_next_one_goes_on(tmp_path, site, table):
    client = submitted(tmp_path, site)
    wait_for_results(tmp_path, client)
    before = results_in(tmp_path)
    client.kill()
    client.communicate()
    assert before < 540
    ended(submitted(tmp_path, site))
    assert (tmp_path / "table.csv").read_bytes() == table


def test_the_controller_is_restarted_and_nothing_is_noticed(tmp_path, site, table):
    client = submitted(tmp_path, site)
    a_running_job(site, client)
    site.end("slurmctld")
    time.sleep(2.0)
    site.start("slurmctld")
    site.wait()
    assert ended(client) == ""
    assert (tmp_path / "table.csv").read_bytes() == table


def test_a_controller_that_forgot_a_job_is_told_and_the_next_command_goes_on(tmp_path, site, table):
    client = submitted(tmp_path, site)
    job = a_running_job(site, client)
    site.kill("slurmctld")  # it has had no time to write the job down
    site.start("slurmctld")
    site.wait()
    if job in site.jobs():
        ended(client)
    else:
        assert "(state forgotten)" in ended(client, 2)
        no_job_is_left(site)
        ended(submitted(tmp_path, site))
    assert (tmp_path / "table.csv").read_bytes() == table
