"""Whatever is killed, at whatever moment: the table has the same bytes, and no cell twice."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.support import sweep_client
from tests.support.sweep_client import SEED, hold_from

ROOT = Path(__file__).resolve().parents[3]
LONG = 300.0  # s, in which whatever is awaited comes on any machine


def started(folder, number, seconds):
    command = [sys.executable, "-m", "tests.support.sweep_client"]
    arguments = [folder / "ledger.db", folder / f"table{number}.csv", 2, seconds]
    return subprocess.Popen([*command, *map(str, arguments)], cwd=ROOT, stderr=subprocess.PIPE)


def children(process):
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(number) for number in text.split()]


def lives(process):
    """Return whether a process runs; one that has ended may be listed until it is waited for."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def expected(folder):
    """Return the table as one process writes it that nobody disturbs."""
    path = folder / "undisturbed.csv"
    sweep_client.main(str(folder / "undisturbed.db"), str(path), "1", "0")
    return path.read_bytes()


def played_rightly(ledger):
    """Assert that each replication is there once, with the number that its seed gives."""
    names = {cell.name: cell for cell in sweep_client.cells()}
    with closing(sqlite3.connect(ledger)) as base:
        rows = base.execute("SELECT cell, replication, seed, numbers FROM played").fetchall()
        left = base.execute("SELECT count(*) FROM claims").fetchone()[0]
    assert len({row[:2] for row in rows}) == len(rows)
    assert left == 0
    for cell, replication, seed, _ in rows:
        assert names[cell].task(replication, seed=SEED).seed == seed


def results_in(folder):
    """Return how many results the ledger has."""
    try:
        with closing(sqlite3.connect(folder / "ledger.db")) as base:
            return base.execute("SELECT count(*) FROM played").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def wait_for_results(folder, process, more_than=0):
    """Wait until the ledger has more results than so many."""
    end = time.monotonic() + LONG
    while not ((folder / "ledger.db").exists() and results_in(folder) > more_than):
        if time.monotonic() > end or process.poll() is not None:
            process.kill()
            pytest.fail(f"no result: {process.communicate()[1]}")
        time.sleep(0.05)


def killed(folder, *, kills, seed, seconds, clients=1):
    """Let clients run and kill them and their workers until so many were killed; then finish."""
    rng = random.Random(seed)
    hold_from(folder, 39)  # the last cell: what is to be killed has something to do
    running = [started(folder, number, seconds) for number in range(clients)]
    while kills:
        time.sleep(rng.uniform(0.0, 0.5))
        place = rng.randrange(clients)
        client = running[place]
        assert client.poll() is None, "nothing is left to kill"
        workers = children(client.pid)
        victim = rng.choice([client.pid, *workers])
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
            kills -= 1
        if victim == client.pid:
            client.communicate()
            running[place] = started(folder, place, seconds)
    hold_from(folder, None)
    ends = []
    for client in running:
        _, said = client.communicate(timeout=LONG)
        ends.append((client.returncode, said.decode()[-2000:]))
    assert ends == [(0, "")] * clients
    return [(folder / f"table{number}.csv").read_bytes() for number in range(clients)]


@pytest.mark.slow
def test_clients_and_workers_are_killed(tmp_path):
    tables = killed(tmp_path, kills=4, seed=1, seconds=0.004)
    assert tables == [expected(tmp_path)]
    played_rightly(tmp_path / "ledger.db")


@pytest.mark.slow
def test_two_clients_share_a_ledger_and_one_of_them_is_killed(tmp_path):
    tables = killed(tmp_path, kills=3, seed=2, seconds=0.008, clients=2)
    assert tables == [expected(tmp_path)] * 2
    played_rightly(tmp_path / "ledger.db")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_ten_kills_at_random_moments(tmp_path, seed):
    tables = killed(tmp_path, kills=10, seed=100 + seed, seconds=0.05, clients=1 + seed % 2)
    assert set(tables) == {expected(tmp_path)}
    played_rightly(tmp_path / "ledger.db")


@pytest.mark.parametrize("workers", [2, 4])
def test_the_table_does_not_depend_on_the_number_of_workers(tmp_path, workers):
    path = tmp_path / "table.csv"
    sweep_client.main(str(tmp_path / "ledger.db"), str(path), str(workers), "0")
    assert path.read_bytes() == expected(tmp_path)


def test_workers_end_with_their_client(tmp_path):
    hold_from(tmp_path, 39)
    client = started(tmp_path, 0, 0.01)
    until = time.monotonic() + LONG
    while len(workers := children(client.pid)) < 2:
        assert time.monotonic() < until, "no workers"
        time.sleep(0.01)
    client.kill()
    client.communicate()
    while any(map(lives, workers)):
        assert time.monotonic() < until, "workers are left"
        time.sleep(0.05)
