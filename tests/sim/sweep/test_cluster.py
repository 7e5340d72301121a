"""A real scheduler and real workers on this machine, killed one after the other."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sim.sweep import cluster, open_ledger, sweep
from sim.sweep.engines import cluster as engine_module
from tests.sim.sweep.test_kills import expected, played_rightly, results_in, wait_for_results
from tests.support import sweep_client

pytest.importorskip("distributed", reason="distributed is not installed: perfmodel[cluster-dask]")
ROOT = Path(__file__).resolve().parents[3]


def begun(*command):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )


def worker(address):
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
    return begun("distributed.cli.dask_worker", address, *options)


@contextmanager
def scheduler(workers):
    """Yield the address, the scheduler and its workers; end them afterwards."""
    host = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    process = begun("distributed.cli.dask_scheduler", *host)
    address = None
    for line in process.stderr:
        if found := re.search(r"(tcp://127\.0\.0\.1:\d+)", line):
            address = found[1]
            break
    crew = [worker(address) for _ in range(workers)]
    try:
        yield address, process, crew
    finally:
        for each in (process, *crew):
            each.kill()
            each.wait()
            each.stderr.close()


def started(folder, address, seconds="0.01"):
    arguments = (str(folder / "ledger.db"), str(folder / "table.csv"), address, seconds)
    return begun("tests.support.sweep_client", *arguments)


def test_whoever_is_killed_the_table_is_that_of_one_process(tmp_path):
    with scheduler(2) as (address, boss, crew):
        client = started(tmp_path, address)
        wait_for_results(tmp_path, client)
        crew[0].send_signal(signal.SIGKILL)
        time.sleep(0.3)
        client.send_signal(signal.SIGKILL)
        client.communicate()
        before = results_in(tmp_path)
        client = started(tmp_path, address)
        wait_for_results(tmp_path, client, more_than=before)
        boss.send_signal(signal.SIGKILL)
        code, said = client.wait(60), client.communicate()[1]
        if code:
            assert "the scheduler at" in said
            assert "run the same command again" in said
    with scheduler(2) as (address, _, _):
        client = started(tmp_path, address, "0")
        assert client.wait(100) == 0, client.communicate()[1]
        client.communicate()
    assert (tmp_path / "table.csv").read_bytes() == expected(tmp_path)
    played_rightly(tmp_path / "ledger.db")


class Unaware:
    """A client that does not know yet that its scheduler is lost, as each is for a moment."""

    status = "running"

    def __init__(self, client):
        self._client = client

    def __getattr__(self, name):
        return getattr(self._client, name)


@contextmanager
def one_done(capfd, monkeypatch):
    """Yield an engine, and a future that is done while its client misses its scheduler's end."""
    monkeypatch.setattr(engine_module, "_PATIENCE", 3.0)
    with (
        scheduler(1) as (address, boss, _),
        cluster(sweep_client.Slow(0.0), address) as engine,
    ):
        engine.submit([sweep_client.cells()[0].task(0, seed=1)])
        (future,) = engine._under_way
        while not future.done():
            time.sleep(0.01)
        engine._client = Unaware(engine._client)
        boss.kill()
        boss.wait()
        yield engine, future
    assert capfd.readouterr().err == ""


def test_a_scheduler_lost_while_results_are_taken_is_a_line(capfd, monkeypatch):
    with (
        one_done(capfd, monkeypatch) as (engine, _),
        pytest.raises(ConnectionError, match=r"the scheduler at tcp.* must stay until the end"),
    ):
        engine.finished(10.0)


def test_a_scheduler_lost_within_a_result_is_a_line(capfd, monkeypatch):
    with (
        one_done(capfd, monkeypatch) as (engine, future),
        pytest.raises(ConnectionError, match=r"the scheduler at tcp.* must stay until the end"),
    ):
        engine._result(future)


def test_an_engine_waits_for_an_answer():
    with scheduler(1) as (address, _, _), cluster(sweep_client.Slow(3.0), address) as engine:
        engine.submit([sweep_client.cells()[0].task(0, seed=1)])
        began = time.monotonic()
        assert engine.finished(0.5) == []
        assert time.monotonic() - began >= 0.5


def test_other_versions_are_refused(monkeypatch):
    known = engine_module.versions()
    monkeypatch.setattr(engine_module, "versions", lambda: known | {"numpy": "1.0"})
    words = r"numpy of workers must be 1\.0 as here, got .* at tcp"
    with (
        scheduler(1) as (address, _, _),
        pytest.raises(ValueError, match=words),
        cluster(sweep_client.Slow(0.0), address),
    ):
        pytest.fail("it was opened")


def test_no_scheduler_and_no_worker_are_a_line(monkeypatch):
    monkeypatch.setattr(engine_module, "_PATIENCE", 1.0)
    words = "must be the address of a Dask scheduler, got 'tcp"
    with (
        pytest.raises(ConnectionError, match=words),
        cluster(sweep_client.Slow(0.0), "tcp://127.0.0.1:9"),
    ):
        pytest.fail("it was opened")
    with (
        scheduler(0) as (address, _, _),
        pytest.raises(ConnectionError, match="must have a worker, got none at tcp"),
        cluster(sweep_client.Slow(0.0), address),
    ):
        pytest.fail("it was opened")


def test_workers_share_the_cells(tmp_path):
    with (
        scheduler(2) as (address, _, _),
        closing(open_ledger(tmp_path / "ledger.db", {"study": "slow"})) as ledger,
    ):
        with cluster(sweep_client.Slow(0.0), address) as engine:
            assert engine.width >= 2
            sweep(
                sweep_client.cells(),
                rule=sweep_client.RULE,
                seed=sweep_client.SEED,
                ledger=ledger,
                engine=engine,
            )
        sweep_client.write(ledger, tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_bytes() == expected(tmp_path)
