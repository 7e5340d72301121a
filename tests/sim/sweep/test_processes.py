"""Processes that are lost at the worst moments: half an answer sent, Ctrl-C before they listen."""

import multiprocessing.connection
import os
import signal
import struct
import time
from contextlib import closing

import pytest

from sim.sweep import Cell, open_ledger, processes, sweep
from tests.sim.sweep.test_kills import expected
from tests.support import sweep_client
from tests.support.sweep_client import RULE, SEED, Slow, strike_at_birth


def swept(folder, play):
    """Return the table of a sweep by two processes."""
    with closing(open_ledger(folder / "ledger.db", {"study": "slow"})) as ledger:
        with processes(play, 2) as engine:
            sweep(sweep_client.cells(), rule=RULE, seed=SEED, ledger=ledger, engine=engine)
        sweep_client.write(ledger, folder / "table.csv")
    return (folder / "table.csv").read_bytes()


class CutOff(Slow):
    """Sends the first half of one answer; then it is killed, or is as slow as can be."""

    def __init__(self, mark, *, killed):
        super().__init__(0.0)
        self.mark, self.killed = mark, killed

    def __call__(self, parameters, seed):
        if parameters["base"] == 1.0 and not self.mark.exists():
            line = multiprocessing.connection.Connection
            line._send_bytes = lambda line, content: self.cut(line.fileno(), bytes(content))
        return super().__call__(parameters, seed)

    def cut(self, line, content):
        os.write(line, struct.pack("!i", len(content)) + content[:10])
        self.mark.touch()
        if self.killed:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(600.0)


def test_a_process_that_is_killed_while_it_answers_is_replaced(tmp_path):
    assert swept(tmp_path, CutOff(tmp_path / "mark", killed=True)) == expected(tmp_path)
    assert (tmp_path / "mark").exists()


def test_processes_end_while_one_of_them_answers(tmp_path):
    mark = tmp_path / "mark"
    with processes(CutOff(mark, killed=False), 2) as engine:
        engine.submit([Cell({"base": 1.0}).task(0, seed=SEED)])
        while not mark.exists():
            time.sleep(0.01)
    assert multiprocessing.active_children() == []


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_ctrl_c_does_not_strike_a_process_that_has_just_begun(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(
        multiprocessing, "get_context", lambda get=multiprocessing.get_context: get("fork")
    )
    strike_at_birth(monkeypatch)
    assert swept(tmp_path, Slow(0.0)) == expected(tmp_path)
    assert capfd.readouterr().err == ""
