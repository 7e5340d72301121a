"""A real scheduler and real workers on this machine, killed one after the other."""

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sim.sweep import Cell, Rule, cluster, open_ledger, sweep
from sim.sweep.engines import cluster as engine_module
from tests.sim.sweep.test_kills import (
    LONG,
    expected,
    played_rightly,
    results_in,
    wait_for_results,
)
from tests.support import sweep_client
from tests.support.sweep_client import hold_from

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


def told(process, pattern):
    """Return what a process writes about itself, when it has."""
    said = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError("".join(said))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return the files of TLS; one certificate signs itself."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", cert]
    subprocess.run(made, check=True, capture_output=True)
    return {"ca": cert, "cert": cert, "key": key}


@pytest.mark.slow
def test_a_scheduler_with_certificates_is_used(tmp_path, certificate):
    named = zip(("ca-file", "cert", "key"), certificate.values(), strict=True)
    tls = [word for name, path in named for word in (f"--tls-{name}", str(path))]
    place = ("--host", "127.0.0.1", "--port", "0", "--protocol", "tls", "--no-dashboard")
    boss = begun("distributed.cli.dask_scheduler", *place, *tls)
    address = told(boss, r"Scheduler at: +(tls://\S+)")
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
    worker = begun("distributed.cli.dask_worker", address, *options, *tls)
    try:
        told(worker, r"Registered to: +(tls://\S+)")
        cells = [Cell({"base": float(base)}) for base in range(3)]
        opening = cluster(sweep_client.Slow(0.0), address, tls=certificate)
        with closing(open_ledger(tmp_path / "l.db", {})) as ledger, opening as engine:
            sweep(cells, rule=Rule(2), seed=1, ledger=ledger, engine=engine)
            done = ledger.done([cell.name for cell in cells])
        assert [len(found) for found in done.values()] == [2, 2, 2]
    finally:
        for each in (worker, boss):
            each.kill()
            each.communicate()


class Crew:
    """A scheduler and its workers."""

    def __init__(self):
        host = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.boss = begun("distributed.cli.dask_scheduler", *host)
        self.workers = []

    def hire(self, number):
        """Start workers, and wait until the scheduler knows them."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        new = [begun("distributed.cli.dask_worker", self.address, *options) for _ in range(number)]
        self.workers += new
        for each in new:
            told(each, r"Registered to: +(tcp://\S+)")

    def fire(self, place):
        """Kill a worker."""
        self.workers[place].kill()
        self.workers[place].wait()


@contextmanager
def scheduler(workers):
    """Yield a scheduler with so many workers; end them afterwards."""
    crew = Crew()
    try:
        crew.address = told(crew.boss, r"(tcp://127\.0\.0\.1:\d+)")
        crew.hire(workers)
        yield crew
    finally:
        for each in (crew.boss, *crew.workers):
            each.kill()
            each.wait()
            each.stderr.close()


def started(folder, address, seconds="0.004"):
    arguments = (str(folder / "ledger.db"), str(folder / "table.csv"), address, seconds)
    return begun("tests.support.sweep_client", *arguments)


@pytest.mark.slow
def test_whoever_is_killed_the_table_is_that_of_one_process(tmp_path):
    hold_from(tmp_path, 20)
    with scheduler(2) as crew:
        client = started(tmp_path, crew.address)
        wait_for_results(tmp_path, client)
        crew.fire(0)
        time.sleep(0.3)
        client.kill()
        client.communicate()
        before = results_in(tmp_path)
        hold_from(tmp_path, 30)
        client = started(tmp_path, crew.address)
        wait_for_results(tmp_path, client, more_than=before)
        crew.boss.kill()
        _, said = client.communicate(timeout=LONG)
        assert client.returncode != 0
        assert "the scheduler at" in said
        assert "run the same command again" in said
    hold_from(tmp_path, None)
    with scheduler(2) as crew:
        client = started(tmp_path, crew.address, "0")
        _, said = client.communicate(timeout=LONG)
        assert client.returncode == 0, said
    assert (tmp_path / "table.csv").read_bytes() == expected(tmp_path)
    played_rightly(tmp_path / "ledger.db")


def answered(engine):
    """Return the next answers, however long they take."""
    while not (answers := engine.finished(LONG)):
        pass
    return answers


class Done:
    """A future that is still done for its client, and whose result was lost with its worker."""

    status = "finished"

    def __init__(self, future):
        self.result = future.result


@pytest.mark.slow
def test_a_worker_that_is_lost_with_its_result_is_replaced():
    task = sweep_client.cells()[0].task(0, seed=1)
    with scheduler(1) as crew, cluster(sweep_client.Slow(0.0), crew.address) as engine:
        engine.submit([task])
        (future,) = engine._under_way
        while not future.done():
            time.sleep(0.01)
        crew.hire(1)
        crew.fire(0)
        assert engine._result(Done(future)) == ()
        engine.submit([task])
        while not any(answer.played for answer in answered(engine)):
            pass


@pytest.mark.slow
def test_workers_that_are_all_lost_are_told():
    play = sweep_client.Slow(600.0)
    with scheduler(1) as crew, cluster(play, crew.address, patience=2.0) as engine:
        engine.submit([sweep_client.cells()[0].task(0, seed=1)])
        crew.fire(0)
        with pytest.raises(ConnectionError, match="must have a worker, got none at tcp"):
            answered(engine)


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
    with scheduler(1) as crew, cluster(sweep_client.Slow(0.0), crew.address) as engine:
        engine.submit([sweep_client.cells()[0].task(0, seed=1)])
        (future,) = engine._under_way
        while not future.done():
            time.sleep(0.01)
        engine._client = Unaware(engine._client)
        crew.boss.kill()
        crew.boss.wait()
        yield engine, future
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_scheduler_lost_while_results_are_taken_is_a_line(capfd, monkeypatch):
    with (
        one_done(capfd, monkeypatch) as (engine, _),
        pytest.raises(ConnectionError, match=r"the scheduler at tcp.* must stay until the end"),
    ):
        engine.finished(10.0)


@pytest.mark.slow
def test_a_scheduler_lost_within_a_result_is_a_line(capfd, monkeypatch):
    with (
        one_done(capfd, monkeypatch) as (engine, future),
        pytest.raises(ConnectionError, match=r"the scheduler at tcp.* must stay until the end"),
    ):
        engine._result(future)


@pytest.mark.slow
def test_an_engine_waits_for_an_answer():
    with scheduler(1) as crew, cluster(sweep_client.Slow(600.0), crew.address) as engine:
        engine.submit([sweep_client.cells()[0].task(0, seed=1)])
        began = time.monotonic()
        assert engine.finished(0.5) == []
        assert time.monotonic() - began >= 0.5


@pytest.mark.slow
def test_other_versions_are_refused(monkeypatch):
    known = engine_module.versions()
    monkeypatch.setattr(engine_module, "versions", lambda: known | {"numpy": "1.0"})
    words = r"numpy of workers must be 1\.0 as here, got .* at tcp"
    with (
        scheduler(1) as crew,
        pytest.raises(ValueError, match=words),
        cluster(sweep_client.Slow(0.0), crew.address),
    ):
        pytest.fail("it was opened")


def test_no_scheduler_is_a_line():
    words = "must be the address of a Dask scheduler, got 'tcp"
    with (
        pytest.raises(ConnectionError, match=words),
        cluster(sweep_client.Slow(0.0), "tcp://127.0.0.1:9", patience=0.5),
    ):
        pytest.fail("it was opened")


def test_no_worker_is_a_line():
    with (
        scheduler(0) as crew,
        pytest.raises(ConnectionError, match="must have a worker, got none at tcp"),
        cluster(sweep_client.Slow(0.0), crew.address, patience=1.0),
    ):
        pytest.fail("it was opened")


def test_workers_share_the_cells(tmp_path):
    with (
        scheduler(2) as crew,
        closing(open_ledger(tmp_path / "ledger.db", {"study": "slow"})) as ledger,
    ):
        with cluster(sweep_client.Slow(0.0), crew.address) as engine:
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
