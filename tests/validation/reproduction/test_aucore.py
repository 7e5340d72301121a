import json
from zlib import crc32

import numpy as np
import pytest

from sim.cluster import replay
from sim.cluster.bluegene import Cobalt
from sim.cluster.order import first_band
from sim.cluster.recovery import OPTIONS, RecoverByOption
from validation.reproduction.aucore import main as aucore
from validation.reproduction.aucore import runs
from validation.reproduction.aucore.results import Results
from validation.reproduction.aucore.runs import Run, play
from validation.reproduction.aucore.setups import SETUPS, Setup
from validation.reproduction.shown import Shown

SLOWDOWN = {"mr": 1.71, "even": 0.9, "normal": 0.8, "all-b": 1.06, "all-d": 0.55, "all-e": 0.47}
OF_C = {240.0: 2.76, 120.0: 1.21, 60.0: 0.7, 30.0: 0.5, 15.0: 0.12}
INSIDE = dict(zip("ABCDE", (1.98, 1.2, 0.6, 0.4, 0.36), strict=True))
RESPONSE = {
    **{"ff": 169.0, "mr": 235.0, "even": 190.0, "normal": 185.0},
    **{"all-b": 195.0, "all-c": 200.0, "all-d": 216.0, "all-e": 214.0},
}


def as_printed(run):
    """Return metrics of a machine that behaves as in the paper."""
    rng = np.random.default_rng(crc32(f"{run.seed} {run.case} {run.mtbf} {run.gap}".encode()))
    harder = (10.0 / run.mtbf) ** 0.1 * (1.0 + 0.001 * rng.random())
    slowdown = harder * (OF_C[run.repair] if run.case == "all-c" else SLOWDOWN.get(run.case, 0.0))
    return {
        "slowdown": slowdown,
        "slowdown_by_option": {option: harder * value for option, value in INSIDE.items()},
        "median_slowdown": 0.5,
        "delay": 1.0,
        "own": 2.0,
        "failed": 50,
        "response": harder * RESPONSE[run.case],
        "utilization": 0.6,
    }


@pytest.fixture
def played(monkeypatch):
    def sweep(cells, play, *, path, workers):
        del play, path, workers
        return {run: as_printed(run) for run in dict.fromkeys(cells)}

    monkeypatch.setattr(aucore, "sweep", sweep)


@pytest.mark.slow
def test_a_machine_like_the_papers_gets_every_row_under_every_set_up(played, tmp_path, capsys):
    assert aucore.main(seeds=4, out=tmp_path) == 0
    text = capsys.readouterr().out
    # A table for independent jobs, and one for sessions.
    assert text.count("| rows: holds |" + " 18 |" * (len(SETUPS) // 2) + "\n") == 2
    for setup in SETUPS:
        assert f"### {setup.name}" in text
    # Two minutes for each of 11,000 jobs.
    assert "| requested, rework | 50.00 ± 0.00 | 366.7 ± 0.0 |" in text
    assert "| sessions, requested, rework | 50.00 ± 0.00 | 366.7 ± 0.0 |" in text
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == [
        f"aucore-fig{number}.svg" for number in range(4, 9)
    ]


def test_what_the_runs_contradict_is_named(played, monkeypatch, capsys):
    monkeypatch.setitem(SLOWDOWN, "all-b", 3.0)
    monkeypatch.setitem(RESPONSE, "mr", 175.0)
    assert aucore.main(seeds=4, out=None, shown=Shown(as_data=True, only="fig4")) == 1
    rows = json.loads(capsys.readouterr().out)
    assert {row["setup"] for row in rows} == {setup.name for setup in SETUPS}
    reasons = {row["what"]: (row["verdict"], row["reason"]) for row in rows}
    assert reasons["failure slowdown: MR / B, C, D, E"] == ("fails", "not so: B < MR")
    word, reason = reasons["response of MR above FF [min]"]
    assert (word, reason) == ("fails", "failed jobs' own delays are 2.00 ± 0.00")


def test_gains_are_over_the_case_in_which_all_have_the_option():
    cells = [Run(case, seed) for case in ("mr", "all-e", "even") for seed in (1, 2)]
    results = Results(
        {run: as_printed(run) for run in cells}, (1, 2), SETUPS[0], runs.HALVED[False]
    )
    assert results.gain("even", "E").mean() == pytest.approx(100.0 * (1 - 0.36 / 0.47), abs=0.5)
    assert results.gain("even", "A").mean() == pytest.approx(100.0 * (1 - 1.98 / 1.71), abs=0.5)


def test_runs_that_cannot_differ_are_played_once():
    new = Setup("new", "exact", rework=False)
    assert Run("mr", 1, new).played == Run("mr", 1, Setup("band", "exact", rework=False))
    assert Run("even", 1, new).played.setup == new
    assert Run("ff", 1, new, mtbf=4.0).played == Run("ff", 1, Setup("band", "exact"))
    cells = list(aucore.cells([1]))
    assert {run.setup for run in cells} == set(SETUPS)
    assert all(run.played == run for run in cells)
    for sessions in (False, True):
        shares = {run.halved for run in cells if run.setup.sessions is sessions}
        assert shares == {runs.HALVED[sessions], runs.OTHER_SIZES[sessions]}


@pytest.fixture
def few(monkeypatch):
    """Let the six weeks have 200 jobs, on a regular machine."""
    monkeypatch.setattr(runs, "JOBS", 200)
    for cached in (runs.six_weeks, runs._workload, runs._machine):
        cached.cache_clear()
    monkeypatch.setenv("PERFMODEL_TRACES", "/nowhere")
    yield
    for cached in (runs.six_weeks, runs._workload, runs._machine):
        cached.cache_clear()


def test_with_sessions_jobs_that_follow_each_other_are_alike_and_counts_are_kept(few, monkeypatch):
    monkeypatch.setattr(runs, "JOBS", 4_000)
    independent, alike = (runs.six_weeks(1, 0.55, sessions) for sessions in (False, True))

    def following(jobs):
        length = np.log(jobs.runtime)
        return np.corrcoef(length[1:], length[:-1])[0, 1]

    # The standard error of a correlation of 4,000 independent pairs is 0.016.
    assert abs(following(independent)) < 0.08
    assert following(alike) > 0.3
    for jobs in (independent, alike):
        assert len(jobs) == 4_000
        assert jobs.submit[-1] - jobs.submit[0] == 4_000 * runs.MEAN_GAP * 60.0
        assert jobs.runtime.mean() == pytest.approx(runs.MEAN_RUNTIME * 60.0)
        assert jobs.processors.min() >= runs.SMALLEST


def test_halfway_is_between_what_is_requested_and_what_runs(few):
    jobs = {w: runs._workload(1, 5.0, w, 0.5) for w in ("requested", "halfway", "exact")}
    runtime = jobs["exact"].runtime
    np.testing.assert_array_equal(jobs["exact"].walltime, runtime)
    middle = (jobs["requested"].walltime + runtime) / 2.0
    np.testing.assert_allclose(jobs["halfway"].walltime, middle)


def test_without_rework_a_failure_takes_a_second_and_no_more(few):
    jobs, saving = runs._all_kept(runs._workload(1, 5.0, "exact", 0.0))
    machine = runs._machine()
    settings = {"policy": Cobalt(bands=first_band), "checkpointing": saving}
    failures = runs._failures(Run("all-e", 1, mtbf=0.2), machine, jobs)
    options = RecoverByOption([OPTIONS["E"]] * len(jobs))
    struck = replay(jobs, machine, recovery=options, failures=failures, **settings)
    assert struck.job_records.failures.sum() > 5
    assert struck.attempt_records.lost.max() <= 1.0
    # Undisturbed, every job runs as long as with checkpoints of 5 min after each 50 min.
    plain = replay(
        runs._workload(1, 5.0, "exact", 0.0),
        machine,
        policy=settings["policy"],
        checkpointing=runs._checkpointing(),
    )
    calm = replay(jobs, machine, **settings)
    np.testing.assert_allclose(calm.job_records.end, plain.job_records.end)


def test_as_a_new_submission_option_b_waits_for_nobody_behind_it(few):
    band, new = (
        play(Run("all-b", 1, Setup(option_b), mtbf=0.5, gap=1.0)) for option_b in ("band", "new")
    )
    assert band["failed"] > 0
    assert new["slowdown"] < band["slowdown"]
    assert new["own"] > 0.0


@pytest.mark.few(2)
@pytest.mark.parametrize("place", ["fig4", "fig5", "fig6", "fig7", "fig8"])
def test_of_one_figure_no_more_is_played_than_it_shows(played, place, tmp_path, capsys):
    asked = list(dict.fromkeys(aucore.cells(range(1, 5), Shown(only=place))))
    assert len(asked) < 0.6 * len(set(aucore.cells(range(1, 5))))
    figures = tmp_path / "figures"
    aucore.main(seeds=4, out=None, shown=Shown(only=place, as_data=True, figures=figures))
    rows = json.loads(capsys.readouterr().out)
    assert {row["figure"] for row in rows} == {f"Fig. {place[-1]}"}
    assert [path.name for path in figures.iterdir()] == [f"aucore-{place}.svg"]
