"""The claims of aucore on a machine that behaves as in the paper, and what its readings play."""

from zlib import crc32

import numpy as np
import pytest

from sim.cluster import replay
from sim.cluster.bluegene import Cobalt
from sim.cluster.order import first_band
from sim.cluster.recovery import OPTIONS, RecoverByOption
from validation.reproduction.aucore import runs
from validation.reproduction.aucore.claims import claims
from validation.reproduction.aucore.results import Results, wanted
from validation.reproduction.aucore.runs import Run, play
from validation.reproduction.aucore.setups import SETUPS, Setup
from validation.reproduction.estimates import ratio
from validation.reproduction.shown import AS_TABLES, Shown

SLOWDOWN = {"mr": 1.71, "even": 0.9, "normal": 0.8, "all-b": 1.06, "all-d": 0.55, "all-e": 0.47}
OF_C = {240.0: 2.76, 120.0: 1.21, 60.0: 0.7, 30.0: 0.45, 15.0: 0.12}
INSIDE = dict(zip("ABCDE", (1.98, 1.2, 0.6, 0.4, 0.36), strict=True))
RESPONSE = {
    **{"ff": 169.0, "mr": 235.0, "even": 190.0, "normal": 185.0},
    **{"all-b": 195.0, "all-c": 200.0, "all-d": 216.0, "all-e": 214.0},
}


SEEDS = (1, 2, 3, 4)


def as_printed(run):
    """Return metrics of a machine that behaves as in the paper."""
    rng = np.random.default_rng(crc32(f"{run.seed} {run.case} {run.mtbf} {run.gap}".encode()))
    noise = 1.0 + 0.001 * rng.random()
    harder = (10.0 / run.mtbf) ** 0.1 * noise
    shorter = {240.0: 1.5, 120.0: 1.1, 60.0: 1.0, 30.0: 0.9, 15.0: 0.8}[run.repair]
    mean = SLOWDOWN.get(run.case, 0.0) * (1.0 if run.case == "mr" else shorter)
    mean = harder * (OF_C[run.repair] if run.case == "all-c" else mean)
    response = harder * RESPONSE[run.case] * (5.0 / run.gap)
    if run.case == "mr" and run.mtbf == 24.0:
        response = 150.0
    return {
        "struck": [50 * mean, 50],
        "struck_by_option": {o: [10 * noise * value, 10] for o, value in INSIDE.items()},
        "surprise": rng.normal(size=2).tolist(),
        "surprise_by_option": {o: rng.normal(size=2).tolist() for o in INSIDE},
        "response": response,
    }


def judged(shown=AS_TABLES):
    played = {run: as_printed(run) for run in dict.fromkeys(wanted(SEEDS, shown))}
    each = [Results(played, SEEDS, setup) for setup in SETUPS]
    return {found.claim.says: found for found in claims(each, shown)}


def test_a_machine_like_the_papers_gets_every_claim_under_every_reading():
    found = judged()
    assert len(found) == 21
    for says, each in found.items():
        assert set(each.words) == {"yes"}, says
        alone = each.claim.place in ("Fig. 6", "Fig. 7", "Fig. 8")
        assert len(each.readings) == len(SETUPS) // (2 if alone else 1)


def test_what_the_runs_contradict_is_seen(monkeypatch):
    monkeypatch.setitem(SLOWDOWN, "all-b", 3.0)
    monkeypatch.setitem(RESPONSE, "mr", 175.0)
    found = judged(Shown(only="fig4"))
    verdicts = {each.verdict for says, each in found.items() if "manual" in says}
    assert verdicts == {"contradicted"}


def test_struck_jobs_are_pooled_over_seeds_without_what_was_chance():
    setup, seeds = Setup(), range(1, 41)
    rng = np.random.default_rng(1)
    chance = rng.normal(size=(40, 2))
    jobs = rng.integers(5, 15, size=40)
    sums = 2.0 * jobs + chance[:, 1]
    played = {
        Run("mr", seed, setup): {"struck": [sums[n], jobs[n]], "surprise": chance[n].tolist()}
        for n, seed in enumerate(seeds)
    }
    found = Results(played, seeds, setup).slowdown("mr")
    pooled = ratio(sums, jobs)
    assert pooled.mean() == pytest.approx(sums.sum() / jobs.sum())
    assert found.mean() == pytest.approx(2.0, abs=0.02)
    assert found.std() < 0.1 * pooled.std()


def test_runs_that_cannot_differ_are_played_once():
    new = Setup("new", "exact", rework=False)
    assert Run("mr", 1, new).played == Run("mr", 1, Setup("band", "exact", rework=False))
    assert Run("even", 1, new).played.setup == new
    assert Run("ff", 1, new, mtbf=4.0).played == Run("ff", 1, Setup("band", "exact"))
    cells = list(wanted([1]))
    assert {run.setup for run in cells} == set(SETUPS)
    assert all(run.played == run for run in cells)
    # Beside the text a quarter of the seeds; of the text alone no other reading.
    assert {run.seed for run in wanted(range(1, 17)) if run.setup == SETUPS[-1]} == {1, 2, 3, 4}
    assert {run.seed for run in wanted(range(1, 17)) if run.setup == SETUPS[0]} == set(range(1, 17))
    assert {run.setup for run in wanted([1], Shown(text=True))} == {SETUPS[0]}


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
    independent, alike = (runs.six_weeks(1, sessions) for sessions in (False, True))

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
    jobs = {w: runs._workload(1, 5.0, w) for w in ("requested", "halfway", "exact")}
    runtime = jobs["exact"].runtime
    np.testing.assert_array_equal(jobs["exact"].walltime, runtime)
    middle = (jobs["requested"].walltime + runtime) / 2.0
    np.testing.assert_allclose(jobs["halfway"].walltime, middle)


def test_without_rework_a_failure_takes_a_second_and_no_more(few):
    jobs, saving = runs._all_kept(runs._workload(1, 5.0, "exact"))
    machine = runs._machine()
    settings = {"policy": Cobalt(bands=first_band), "checkpointing": saving}
    failures = runs._failures(Run("all-e", 1, mtbf=0.2), machine, jobs)
    options = RecoverByOption([OPTIONS["E"]] * len(jobs))
    struck = replay(jobs, machine, recovery=options, failures=failures, **settings)
    assert struck.job_records.failures.sum() > 5
    assert struck.attempt_records.lost.max() <= 1.0
    # Undisturbed, every job runs as long as with checkpoints of 5 min after each 50 min.
    plain = replay(
        runs._workload(1, 5.0, "exact"),
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
    assert band["struck"][1] > 0
    assert new["struck"][0] / new["struck"][1] < band["struck"][0] / band["struck"][1]


@pytest.mark.parametrize("place", ["fig4", "fig6", "fig7", "fig8"])
def test_of_one_figure_no_more_is_played_than_it_shows(place):
    asked = set(wanted((1,), Shown(only=place)))
    assert len(asked) < 0.6 * len(set(wanted((1,))))
    assert all(place[-1] in found.claim.place for found in judged(Shown(only=place)).values()) or (
        place == "fig4"
    )


@pytest.mark.slow
def test_replays_bring_no_more_than_their_schedules_let_expect(few):
    played = [play(Run("even", seed, mtbf=0.5)) for seed in range(1, 41)]
    chance = np.array([run["surprise"] for run in played])
    off = chance.mean(axis=0) / (chance.std(axis=0, ddof=1) / np.sqrt(len(chance)))
    assert np.all(np.abs(off) < 3.5)
    assert min(run["struck"][1] for run in played) > 3
