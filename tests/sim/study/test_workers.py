"""Processes of a study: they end, and leave nothing behind, whatever the reason."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from sim.cluster import Failures, Workload
from sim.study import Study, StudyInterrupted, play_cells, workers
from sim.study.sharing import parcel
from tests.support.sweep_client import strike_at_birth


class Sums:
    """Plays that add numbers, and do what a cell is named for."""

    def __init__(self, values):
        self.values = values

    def __call__(self, cell, seed):
        if cell == "wrong":
            raise ValueError(f"seed must be lucky, got {seed}")
        if cell == "odd":
            raise Unsendable(1, 2)
        if cell == "killed" and seed == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        if cell == "slow" and seed >= 2:
            time.sleep(600.0)
        return {"sum": float(self.values.sum()) + seed, "process": os.getpid()}


def test_shared_columns_have_no_name_that_a_kill_would_leave(folder):
    values = np.arange(1000.0)
    with parcel({"values": values}) as packed:
        assert [*folder.iterdir()] == []
        opened = packed.opened()["values"]
    assert opened.tolist() == values.tolist()


class Unsendable(Exception):  # noqa: N818
    def __init__(self, one, two):
        super().__init__("one and two")
        self.held = lambda: one + two  # packages may teach pickle exceptions, but not this


SUMS = Sums(np.arange(1000.0))


@pytest.fixture(autouse=True)
def interruptible():
    """Let interrupts through: what runs in the background may ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where shared columns lie; empty again after each study."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.glob("*.columns")) == []
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("start", multiprocessing.get_all_start_methods())
def test_processes_share_the_work_however_they_are_started(folder, monkeypatch, start):
    context = multiprocessing.get_context(start)
    for name in ("Pipe", "Process"):
        monkeypatch.setattr(multiprocessing, name, getattr(context, name))
    study = play_cells(SUMS, ["a", "b"], seeds=range(6), workers=2)
    assert study.rows["sum"].tolist() == [499500.0 + seed for seed in range(6) for _ in "ab"]
    assert study.rows["cell"].tolist() == ["a", "b"] * 6
    assert os.getpid() not in set(study.rows["process"])


def test_an_error_is_that_of_the_play(folder):
    with pytest.raises(ValueError, match="seed must be lucky, got"):
        play_cells(SUMS, ["a", "wrong"], seeds=range(6), workers=2)
    with pytest.raises(RuntimeError, match="Unsendable: one and two"):
        play_cells(SUMS, ["odd"], seeds=range(6), workers=2)


def test_a_process_that_is_killed_is_missed(folder):
    with pytest.raises(ChildProcessError, match=r"workers must live .* code -9; .* use fewer"):
        play_cells(SUMS, ["a", "killed"], seeds=range(6), workers=2)


@pytest.mark.parametrize("number", [1, 2])
def test_ctrl_c_hands_over_the_seeds_that_are_complete(folder, number):
    def interrupt(done, of):
        if done == 5:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1.0)

    with pytest.raises(KeyboardInterrupt) as caught:
        play_cells(SUMS, ["a", "b"], seeds=range(400), workers=number, progress=interrupt)
    assert isinstance(caught.value, StudyInterrupted)
    study = caught.value.study
    assert not study.complete
    # Five plays ended, of two processes not always those of the first seeds.
    seeds = study.rows["seed"].tolist()
    assert 1 <= len(set(seeds)) <= 2
    assert study.rows["cell"].tolist() == ["a", "b"] * len(set(seeds))
    assert study.rows["sum"].tolist() == [499500.0 + seed for seed in seeds]


def test_ctrl_c_ends_what_is_being_played(folder):
    def interrupt(done, of):
        if done == 6:  # the next of both processes would take ten minutes
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(StudyInterrupted) as caught:
        play_cells(SUMS, ["a", "slow"], seeds=range(400), workers=2, progress=interrupt)
    assert caught.value.study.rows["seed"].tolist() == [0, 0, 1, 1]


def test_ctrl_c_does_not_strike_a_process_that_has_just_begun(folder, monkeypatch, capfd):
    monkeypatch.setattr(multiprocessing, "Process", multiprocessing.get_context("fork").Process)
    strike_at_birth(monkeypatch)
    assert len(play_cells(SUMS, ["a", "b"], seeds=range(6), workers=2).rows) == 12
    assert capfd.readouterr().err == ""


def test_ctrl_c_leaves_no_process_that_nobody_knows(folder, monkeypatch):
    start = multiprocessing.Process.start

    over = threading.Event()
    other = threading.Thread(target=over.wait, daemon=True)
    other.start()

    def interrupted(process):
        start(process)
        signal.pthread_kill(other.ident, signal.SIGINT)  # the system may choose any thread
        time.sleep(0.2)

    monkeypatch.setattr(multiprocessing.Process, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play_cells(Sums(np.float64(1.0)), ["a"], seeds=range(6), workers=2)
    over.set()
    assert multiprocessing.active_children() == []


class CutOff:
    """A line whose other end died in the middle of an answer."""

    def recv(self):
        raise OSError("got end of file during message")


def test_a_process_that_is_killed_while_it_answers_is_missed():
    dead = multiprocessing.Process(target=os._exit, args=(9,))
    dead.start()
    with pytest.raises(ChildProcessError, match=r"workers must live .* code 9; .* use fewer"):
        workers._answer(workers._Worker(dead, CutOff()))


def test_an_interrupted_study_may_be_empty(folder):
    def interrupted(cell, seed):
        raise KeyboardInterrupt

    with pytest.raises(StudyInterrupted) as caught:
        play_cells(interrupted, ["a"])
    empty = caught.value.study
    assert isinstance(empty, Study)
    assert empty.rows.columns.tolist() == ["cell", "seed"]
    assert len(empty.means()) == len(empty.differences({})) == 0


SCRIPT = """
import os, sys, tempfile, time
from sim.study import play_cells
import numpy as np
tempfile.tempdir = sys.argv[1]
class Plays:
    values = None
    def __init__(self): self.values = np.arange(9.0)
    def __call__(self, cell, seed):
        os.write(1, b"playing\\n")  # one write, which no other process splits
        time.sleep(0.2)
        return {"x": 1.0}
play_cells(Plays(), ["a"], seeds=range(600), workers=2)
"""


def test_processes_end_and_clean_up_after_a_sender_that_was_killed(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as sender:
        assert sender.stdout.readline() == "playing\n"
        assert list(tmp_path.iterdir()) == []  # not even now
        sender.kill()
        sender.stdout.read()  # until the last of the processes has closed it
    assert list(tmp_path.iterdir()) == []


def test_a_parcel_holds_arrays_once():
    jobs = Workload(np.arange(50.0), np.ones(50), np.ones(50), np.ones(50, np.int64))
    strikes = Failures(np.arange(9.0), np.zeros(9, np.int64), np.ones(9))
    scratch = np.zeros(7)
    with parcel((jobs, strikes, scratch)) as packed:
        assert len(packed.body) < 4000
        found, struck, room = packed.opened()
        again = packed.opened()[0]
        assert not found.submit.flags.writeable
        assert not found.submit.flags.owndata
        assert not struck.time.flags.owndata
        np.testing.assert_array_equal(found.runtime, jobs.runtime)
        np.testing.assert_array_equal(struck.time, strikes.time)
        room[3] = 1.0  # seen by this process alone
        assert packed.opened()[2].tolist() == [0.0] * 7
    assert not Path(packed.path).exists()
    np.testing.assert_array_equal(again.submit, jobs.submit)


def test_what_has_no_arrays_needs_no_file():
    with parcel({"a": 1}) as packed:
        assert packed.opened() == {"a": 1}


def test_no_more_processes_are_started_than_there_are_tasks(monkeypatch):
    started, start = [], multiprocessing.Process.start
    monkeypatch.setattr(
        multiprocessing.Process, "start", lambda process: started.append(1) or start(process)
    )
    study = play_cells(SUMS, ["a"], seeds=range(2), workers=9)
    assert len(study.rows) == 2
    assert len(started) == 2
