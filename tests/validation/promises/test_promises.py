"""The benchmark of promises: its windows, its referee, its scores, and entries that must fail."""

import math

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from perfmodel import exact_makespan
from perfmodel.forecasts.job import makespans_under
from validation.advice.logs import FailureLog
from validation.promises.__main__ import checked_logs, entered, main, noted, open_logs
from validation.promises.entries import ENTRIES, WRONG
from validation.promises.player import makespan
from validation.promises.scores import deadlines, score
from validation.promises.table import rows_of, scores_of
from validation.promises.windows import DAY, Job, windows

ALARM = 1e-4
JOB = Job(2.0 * DAY, 7_200.0, 300.0, 600.0, 1e9)


def steady(mtbf, days, seed):
    gaps = np.random.default_rng(seed).exponential(mtbf, int(3.0 * days * DAY / mtbf))
    times = 1e9 + np.cumsum(gaps)
    return FailureLog("steady", times[times < 1e9 + days * DAY])


def test_windows_begin_after_a_lead_and_end_within_the_log():
    log = steady(DAY, 400, seed=1)
    found = list(windows(log))
    assert {each.job.work for each in found} == {7.0 * DAY, 30.0 * DAY, 90.0 * DAY}
    for each in found:
        assert each.history.observed >= max(30.0 * DAY, each.job.work) * (1.0 - 1e-12)
        assert (each.history.failures <= each.history.observed).all()
        assert (each.future > 0.0).all()
        assert each.job.work <= each.job.longest <= 3.0 * each.job.work
        young = math.sqrt(2.0 * each.job.checkpoint_cost * each.history.mtbf)
        assert each.job.interval == pytest.approx(young)
        begin = log.times[0] + each.history.observed
        assert len(each.history.failures) + len(each.future) == len(log.times)
        assert begin + each.job.work <= log.times[-1] + 1e-6
    week = [each for each in found if each.job.work == 7.0 * DAY]
    assert len(week) == 40
    assert {each.job.checkpoint_cost for each in week} == {300.0, 1800.0}
    later = list(windows(log, shift=0.5))
    assert later[0].history.observed - found[0].history.observed == pytest.approx(3.5 * DAY)


def test_the_referee_plays_the_exact_law():
    rng, mtbf = np.random.default_rng(2), 8.0 * 3600.0
    found = np.array([makespan(JOB, np.cumsum(rng.exponential(mtbf, 120))) for _ in range(2_000)])
    law = exact_makespan(
        JOB.work, mtbf=mtbf, interval=7_200.0, checkpoint_cost=300.0, recovery_cost=600.0
    )
    start, atom = law.atom
    late = found[found > start + 1e-6]
    assert stats.binomtest(len(found) - len(late), len(found), atom).pvalue > ALARM
    assert stats.kstest(late, lambda t: (law.cdf(t) - atom) / (1.0 - atom)).pvalue > ALARM


def test_the_referee_and_the_product_play_alike():
    rng = np.random.default_rng(3)
    for _ in range(50):
        failures = np.sort(rng.uniform(0.0, 4.0 * DAY, rng.integers(0, 30)))
        work, interval = rng.uniform(0.5, 3.0) * DAY, rng.uniform(0.02, 4.0) * DAY
        job = Job(work, min(interval, work), 300.0, 600.0, 1e9)
        (other,) = makespans_under(
            [failures],
            work,
            math.inf,
            interval=job.interval,
            checkpoint_cost=300.0,
            recovery_cost=600.0,
        )
        assert makespan(job, failures) == pytest.approx(other, rel=1e-9)
    assert makespan(Job(2.0 * DAY, DAY, 300.0, 600.0, DAY), []) == DAY  # cut


def test_scores_of_draws_in_closed_form():
    job = Job(100.0, 10.0, 1.0, 1.0, 1e9)
    draws = np.linspace(100.0, 120.0, 201)
    found = score("log", job, 1e3, draws, 110.0)
    # Uniform on an interval of 20 about what came: CRPS is a twelfth of its length.
    assert found.crps * 100.0 == pytest.approx(20.0 / 12.0, rel=0.02)
    assert found.below < 0.5 < found.up_to
    assert [found.covered(level) for level in (0.5, 0.9)] == [1.0, 1.0]
    late = score("log", job, 1e3, draws, 119.5)
    assert (late.covered(0.9), late.covered(0.99)) == (0.0, 1.0)
    certain = score("log", job, 1e3, np.full(200, 105.0), 105.0)
    assert (certain.crps, certain.covered(0.9)) == (0.0, pytest.approx(0.9))
    assert found.promised == tuple((draws <= end).mean() for end in deadlines(job, 1e3))
    with pytest.raises(ValueError, match=r"^stated must be 200 makespans or more"):
        score("log", job, 1e3, np.ones(199), 110.0)


def test_the_mixture_holds_on_a_constant_rate_and_wrong_ones_are_told():
    logs = [steady(DAY, 400, seed=20)]
    named = {"exponential, past mean": ENTRIES["exponential, past mean"]}
    named |= {"mixture": ENTRIES["mixture"], **WRONG}
    rows = {row.name: row for row in rows_of(named, logs, seed=1)}
    mixture = rows["mixture"]
    # Of three works alike, of 40, 12 and 3 windows: the deviation is 0.066, three of them 0.2.
    assert mixture.windows == 55
    assert mixture.held[2] > 0.7
    assert mixture.ratio < 1.25
    assert rows["half the spread"].held[2] < mixture.held[2] - 0.1
    assert rows["rate times 1.5"].crps > 1.2 * mixture.crps
    scores, cost_s = scores_of(ENTRIES["posterior of the MTBF"], logs, seed=2)
    assert len(scores) == mixture.windows
    assert 0.0 < cost_s < 10.0


@pytest.mark.slow
def test_what_forgets_nothing_is_told_where_the_rate_jumps():
    rare, often = steady(6.0 * DAY, 400, seed=30).times, steady(DAY / 2.0, 400, seed=31).times
    log = FailureLog("jump", np.concatenate([rare, rare[-1] + often - 1e9]))
    named = {name: ENTRIES[name] for name in ("exponential, past mean", "mixture")}
    rows = {row.name: row for row in rows_of({**named, **WRONG}, [log], seed=1)}
    assert rows["mixture"].held[2] > rows["forgets nothing"].held[2] + 0.1
    assert rows["mixture"].ratio < 0.8


def test_an_entry_of_ones_own_is_found_by_its_name_or_refused():
    assert entered("validation.promises.entries:mixture") is ENTRIES["mixture"]
    for name in ("nothing", "no.such.module:name", "math:nothing", ""):
        done = CliRunner().invoke(main, ["--entry", name, "--logs", "constant"])
        assert done.exit_code == 2
        said = f"--entry must be package.module:name of a function, got {name!r} ("
        assert said in " ".join(done.output.split())


def test_each_run_on_checked_logs_is_counted(tmp_path):
    kept = tmp_path / "attempts.csv"
    kept.write_text("date,logs,entry,held,ratio\n2026-01-01,open,other,0,1\n")
    logs = [steady(DAY, 60, seed=1)]
    rows = rows_of({"exponential, past mean": ENTRIES["exponential, past mean"]}, logs, seed=1)
    assert noted(kept, "checked", rows[:1]) == 1
    assert noted(kept, "checked", rows[:1]) == 2
    assert len(kept.read_text().splitlines()) == 4


@pytest.mark.slow
def test_no_log_is_both_open_and_checked():
    tuned, reported = ({log.name for log in of()} for of in (open_logs, checked_logs))
    if not tuned:
        pytest.skip("failure logs are not at hand: PERFMODEL_TRACES names their folder")
    assert not tuned & reported
    assert {"LANL 3", "Titan GPUs"} <= tuned
    assert {"LANL 2", "Blue Gene/L"} <= reported
    assert not {"GLM-130B", "Mira, all grouped"} & (tuned | reported)
