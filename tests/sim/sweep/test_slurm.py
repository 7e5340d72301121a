"""Jobs that submitit submits: to processes here, and to commands that stand for Slurm."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from sim.sweep import Cell, Rule, open_ledger, processes, slurm, sweep, sweep_rows
from sim.sweep.engines import slurm as engine_module
from sim.sweep.engines.engine import Answer
from sim.sweep.engines.journal import noting, place_of
from sim.sweep.playing import play_tasks
from tests.sim.sweep.test_kills import LONG, expected, played_rightly, wait_for_results
from tests.support import fake_slurm, sweep_client
from tests.support.sweep_client import SEED, Slow

pytest.importorskip("submitit", reason="submitit is not installed: perfmodel[cluster-slurm]")
ROOT = Path(__file__).resolve().parents[3]
CELLS = [Cell({"base": float(base)}) for base in range(12)]
RULE = Rule(4)


class Struck(Slow):
    """Meets a signal in the eighth cell, once."""

    def __init__(self, number, mark):
        super().__init__(0.0)
        self.number, self.mark = number, mark

    def __call__(self, parameters, seed):
        if parameters["base"] == 7.0 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), self.number)
        return super().__call__(parameters, seed)


def swept(folder, play, **how):
    """Sweep with jobs; return how many replications were known before, and the table."""
    how = {"tasks": 24, "jobs": 2, "cluster": "local", "pause": 0.05} | how
    return played(folder / "ledger.db", slurm(play, folder / "jobs", **how))


def played(path, opening):
    with closing(open_ledger(path, {})) as ledger, opening as engine:
        known = sum(map(len, ledger.done([cell.name for cell in CELLS]).values()))
        sweep(CELLS, rule=RULE, seed=SEED, ledger=ledger, engine=engine)
        return known, repr(list(sweep_rows(lambda: CELLS, rule=RULE, ledger=ledger)))


@pytest.fixture
def table(tmp_path):
    """Return the table of one process."""
    return played(tmp_path / "undisturbed.db", processes(Slow(0.0), 1))[1]


# Its debug executor leaves its logs open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("cluster", ["local", "debug"])
def test_the_table_is_that_of_one_process(tmp_path, table, cluster):
    assert swept(tmp_path, Slow(0.0), cluster=cluster) == (0, table)
    assert not (tmp_path / "jobs").exists()


@pytest.mark.slow
def test_a_job_that_is_killed_is_told_and_the_next_call_goes_on(tmp_path, table, capfd):
    play = Struck(signal.SIGKILL, tmp_path / "struck")
    words = r"(?s)job \d+ must live.*no result.*more time or mem.*its log is .*run the same command"
    with pytest.raises(ChildProcessError, match=words) as death:
        swept(tmp_path, play, tasks=16, jobs=1)
    assert capfd.readouterr() == ("", "")
    log = str(death.value).partition("its log is ")[2].partition(";")[0]
    assert Path(log).exists()
    assert swept(tmp_path, play) == (16, table)


@pytest.mark.slow
def test_a_job_whose_time_is_over_hands_back_what_it_has(tmp_path, table):
    assert swept(tmp_path, Struck(signal.SIGUSR2, tmp_path / "struck")) == (0, table)
    assert (tmp_path / "struck").exists()


@pytest.mark.slow
def test_a_job_that_cannot_begin_says_why(tmp_path, monkeypatch):
    known = engine_module.versions()
    monkeypatch.setattr(engine_module, "versions", lambda: known | {"numpy": "1.0"})
    words = "got ValueError: numpy of workers must be 1.0 as here, got .*: ask for"
    with pytest.raises(ChildProcessError, match=words):
        swept(tmp_path, Slow(0.0))


@pytest.mark.slow
def test_the_client_is_killed_and_the_next_call_goes_on(tmp_path):
    arguments = [str(tmp_path / name) for name in ("ledger.db", "table.csv", "jobs")]
    command = [sys.executable, "-m", "tests.support.sweep_client", *arguments, "0.004"]
    client = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    wait_for_results(tmp_path, client)
    client.kill()
    client.communicate()
    sweep_client.main(*arguments, "0")
    assert (tmp_path / "table.csv").read_bytes() == expected(tmp_path)
    played_rightly(tmp_path / "ledger.db")


class Counted(Slow):
    """Notes every play in a file."""

    def __init__(self, path):
        super().__init__(0.0)
        self.path = path

    def __call__(self, parameters, seed):
        with self.path.open("a") as file:
            file.write("played\n")
        return super().__call__(parameters, seed)


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_may_enter_is_refused(tmp_path, mode):
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs").chmod(mode)
    with pytest.raises(ValueError, match=rf"open to you alone, got .*jobs of mode {mode:o}: jobs"):
        swept(tmp_path, Slow(0.0))
    assert [*(tmp_path / "jobs").iterdir()] == []


def test_a_folder_of_others_and_what_is_none_are_refused(tmp_path, monkeypatch):
    (tmp_path / "jobs").symlink_to(tmp_path)
    with pytest.raises(ValueError, match="which is a file or a link"):
        swept(tmp_path, Slow(0.0))
    (tmp_path / "jobs").unlink()
    (tmp_path / "jobs").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(ValueError, match=r"folder must be yours, got .*jobs of user \d+"):
        swept(tmp_path, Slow(0.0))


def test_the_folder_is_closed_to_others_whatever_the_umask(tmp_path):
    class Looking(Slow):
        def __call__(self, parameters, seed):
            modes = [path.stat().st_mode & 0o777 for path in [jobs, *jobs.iterdir()]]
            return {"open": sum(mode & 0o077 for mode in modes), "folders": len(modes)}

    jobs = tmp_path / "jobs"
    before = os.umask(0)
    try:
        _, found = swept(tmp_path, Looking(0.0))
    finally:
        os.umask(before)
    assert "'open': 0.0" in found
    assert "'folders': 3.0" in found


@pytest.mark.slow
def test_what_jobs_noted_is_not_played_again(tmp_path, table):
    play = Counted(tmp_path / "plays")
    results = place_of(tmp_path / "jobs", engine_module._packed(play))
    results.parent.mkdir(mode=0o700)
    results.mkdir(mode=0o700)
    tasks = [cell.task(number, seed=SEED) for cell in CELLS for number in range(4)]
    with noting(results) as note:
        for task in [*tasks[:30], *tasks[40:]]:
            note(play_tasks(Slow(0.0), [task])[0])
    (path,) = results.iterdir()
    lines = path.read_text().splitlines()
    lines[3] = lines[3].replace('"base"', '"vase"').replace("0.", "1.")  # damaged
    path.write_text("\n".join([*lines[:-1], lines[-1][:50]]))  # and cut off
    assert swept(tmp_path, play) == (0, table)
    assert play.path.read_text().count("played") == 12
    assert not (tmp_path / "jobs").exists()


@pytest.mark.slow
def test_a_client_that_fails_leaves_what_jobs_noted(tmp_path, table):
    play = Counted(tmp_path / "plays")

    def until_both_play(done):
        while play.path.read_text().count("played") <= 24:
            time.sleep(0.02)
        raise InterruptedError

    with (
        pytest.raises(InterruptedError),
        closing(open_ledger(tmp_path / "ledger.db", {})) as ledger,
        slurm(play, tmp_path / "jobs", tasks=24, jobs=2, cluster="local") as engine,
    ):
        sweep(CELLS, rule=RULE, seed=SEED, ledger=ledger, engine=engine, progress=until_both_play)
    before = play.path.read_text().count("played")
    assert swept(tmp_path, play)[1] == table
    in_flight = 2  # one cell of each job, which is cancelled before it is noted
    assert play.path.read_text().count("played") <= max(48, before) + in_flight


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Put commands on the path that stand for Slurm."""
    for name, value in fake_slurm.install(tmp_path / "slurm").items():
        monkeypatch.setenv(name, value)
    return tmp_path / "slurm" / "jobs"


def test_slurm_gets_arrays_of_jobs_with_what_was_asked_for(tmp_path, table, site):
    options = {"partition": "batch", "mem": "4G"}
    setup = ["export SET_UP=1"]
    asked = {"time": 7200.0, "options": options, "setup": setup}
    assert swept(tmp_path, Slow(0.0), cluster="slurm", **asked) == (0, table)
    first = (site / "100.sh").read_text().splitlines()
    asked = {line.removeprefix("#SBATCH --") for line in first if line.startswith("#SBATCH")}
    assert asked >= {"partition=batch", "mem=4G", "time=120", "signal=USR2@90", "array=0-1%2"}
    assert asked >= {"job-name=perfmodel-sweep"}
    assert "export SET_UP=1" in first
    assert not (tmp_path / "jobs").exists()


@pytest.mark.slow
def test_a_death_in_slurm_cancels_the_other_jobs(tmp_path, table, site):
    play = Struck(signal.SIGKILL, tmp_path / "struck")
    with pytest.raises(ChildProcessError, match=r"job 100_\d must live .*\(state FAILED\)"):
        swept(tmp_path, play, cluster="slurm")
    until = time.monotonic() + LONG
    while len(list(site.glob("*.ended"))) < len(list(site.glob("*.pid"))):
        assert time.monotonic() < until, "jobs are left"
        time.sleep(0.05)
    assert swept(tmp_path, play, cluster="slurm")[1] == table


def test_what_slurm_refuses_is_a_line(tmp_path, site, capfd):
    words = "must take the jobs, got 'sbatch: error: invalid partition specified: none'"
    with pytest.raises(ConnectionError, match=words):
        swept(tmp_path, Slow(0.0), cluster="slurm", options={"partition": "none"})
    assert capfd.readouterr() == ("", "")
    assert not (tmp_path / "jobs").exists()


def test_a_machine_without_slurm_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConnectionError, match=r"Slurm must be on this machine, got .*login node"):
        swept(tmp_path, Slow(0.0), cluster="slurm")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"tasks": 0}, "tasks must be"),
        ({"jobs": 0}, "jobs must be"),
        ({"time": 59.0}, r"time must be >= 60, got 59\.0"),
        ({"cluster": "pbs"}, "cluster must be"),
        ({"options": {"array": "0-9"}}, "name of an option must be"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, how, words):
    with pytest.raises(ValueError, match=words), slurm(Slow(0.0), tmp_path / "jobs", **how):
        pytest.fail("it was opened")


def test_without_submitit_the_remedy_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "submitit", None)
    with (
        pytest.raises(ImportError, match=r"pip install 'perfmodel\[cluster-slurm\]'"),
        slurm(Slow(0.0), tmp_path / "jobs"),
    ):
        pytest.fail("it was opened")


def test_what_is_handed_back_in_part_is_played_again_in_the_rest(tmp_path, table):
    class Halves:
        """An engine that plays the first half of what it gets."""

        group, width = 7, 1

        def submit(self, tasks):
            self.tasks = tasks

        def finished(self, timeout):
            half = self.tasks[: (len(self.tasks) + 1) // 2]
            return [Answer(self.tasks, play_tasks(Slow(0.0), half))]

    assert played(tmp_path / "ledger.db", nullcontext(Halves())) == (0, table)
