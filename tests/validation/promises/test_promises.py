"""The benchmark of promises: its windows, its referee, its scores, and how one enters."""

import csv
import inspect
import math
import time

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from perfmodel import exact_makespan
from sim.traces import locate
from validation.advice.logs import FILES, FailureLog, Records, first_of_each, logs
from validation.promises import example, page, tiers
from validation.promises.__main__ import entered, main
from validation.promises.entries import ENTRIES, exponential, played
from validation.promises.laws import Refused, draws_of, limited
from validation.promises.player import makespan
from validation.promises.scores import deadlines, score
from validation.promises.table import row_of, rows_of, scores_of, told
from validation.promises.windows import (
    DAY,
    FILE,
    KINDS,
    History,
    Job,
    asked_of,
    read_asked,
    windows,
    write_asked,
)

ALARM = 1e-4
JOB = Job(2.0 * DAY, 7_200.0, 300.0, 600.0, 1e9, 8.0 * 3600.0)


def steady(mtbf, days, seed, size=16):
    """Return a machine of some nodes that fail alike, with repairs of an hour in the mean."""
    rng = np.random.default_rng(seed)
    times = 1e9 + np.cumsum(rng.exponential(mtbf, int(3.0 * days * DAY / mtbf)))
    times = times[times < 1e9 + days * DAY]
    nodes, repairs = rng.integers(size, size=len(times)), rng.exponential(3600.0, len(times))
    first = np.diff(times, prepend=-np.inf) > 120.0
    return FailureLog("steady", times[first], Records(times, nodes, repairs, size))


def windows_of(log, kind="whole", shifted=0.0):
    return list(windows(log, asked_of(log, shifts=(shifted,)), kind))


def test_windows_begin_after_a_lead_and_end_within_the_log():
    log = steady(DAY, 400, seed=1)
    found = windows_of(log)
    assert {each.job.work for each in found} == {7.0 * DAY, 30.0 * DAY, 90.0 * DAY}
    for each in found:
        assert each.history.observed >= max(30.0 * DAY, each.job.work) * (1.0 - 1e-12)
        assert (each.history.failures <= each.history.observed).all()
        assert (each.future > 0.0).all()
        assert each.job.work <= each.job.longest <= 3.0 * each.job.work
        young = math.sqrt(2.0 * each.job.checkpoint_cost * each.job.mtbf)
        assert each.job.interval == pytest.approx(young)
        past = each.history.struck(None)[0]
        assert each.job.mtbf == each.history.observed / len(past)
        begin = log.times[0] + each.history.observed
        assert len(past) + len(each.future) == len(log.times)
        assert begin + each.job.work <= log.times[-1] + 1e-6
    week = [each for each in found if each.job.work == 7.0 * DAY]
    assert len(week) == 40
    assert {each.job.checkpoint_cost for each in week} == {300.0, 1800.0}
    later = windows_of(log, shifted=0.5)
    assert later[0].history.observed - found[0].history.observed == pytest.approx(3.5 * DAY)


def test_a_job_on_a_part_is_struck_on_its_nodes_alone():
    log = steady(DAY / 4.0, 200, seed=2)
    for each in windows_of(log, "part"):
        own = each.job.nodes
        assert len(own) == len(set(own.tolist())) == 2
        past, _ = each.history.struck(own)
        assert len(past) >= 2
        assert set(past) <= set(each.history.failures[np.isin(each.history.nodes, own)])
        share = (len(past) + len(each.future)) / len(log.times)
        assert 0.02 < share < 0.3
    assert not windows_of(steady(DAY, 200, seed=3, size=1), "part")
    assert len(windows_of(steady(DAY / 4.0, 200, seed=4, size=5), "part")[0].job.nodes) == 1


def test_a_job_that_waits_knows_the_repairs_that_have_ended():
    log = steady(DAY / 4.0, 200, seed=5)
    for each in windows_of(log, "wait"):
        past = each.history
        ended = past.failures + log.records.repairs[: len(past.failures)] <= past.observed
        assert np.array_equal(np.isfinite(past.repairs), ended)
        assert len(each.waits) == len(each.future)
        assert (each.waits > 0.0).all()
    unsaid = FailureLog("no repairs", log.times)
    assert {kind for each in asked_of(unsaid) for kind in each.kinds} == {"whole"}
    assert [window.job.waits for window in windows_of(log)][:1] == [False]


def test_windows_are_written_and_read_alike(tmp_path):
    found = list(asked_of(steady(DAY, 300, seed=6)))
    write_asked(found, tmp_path / "windows.csv")
    assert read_asked(tmp_path / "windows.csv") == tuple(found)


def test_the_file_of_windows_is_that_of_a_log():
    shipped = read_asked()
    assert {kind for each in shipped for kind in each.kinds} == set(KINDS)
    name = "jobs/metacentrum-2009/metacentrum.mwf.failures"
    if (path := locate(name)) is None:
        pytest.skip("failure logs are not at hand: PERFMODEL_TRACES names their folder")
    ((machine, records),) = FILES[name](path)
    log = FailureLog(machine, records.times[first_of_each(records.times)], records)
    assert list(asked_of(log)) == [each for each in shipped if each.log == machine]


@pytest.mark.slow
def test_the_whole_file_of_windows_is_made_again(tmp_path):
    if not logs():
        pytest.skip("failure logs are not at hand: PERFMODEL_TRACES names their folder")
    write_asked(tiers.windows_to_ship(), tmp_path / "windows.csv")
    assert (tmp_path / "windows.csv").read_bytes() == FILE.read_bytes()


def test_the_referee_plays_the_exact_law():
    rng, mtbf = np.random.default_rng(2), JOB.mtbf
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
        waits = rng.exponential(3600.0, len(failures))
        work, interval = rng.uniform(0.5, 3.0) * DAY, rng.uniform(0.02, 4.0) * DAY
        job = Job(work, min(interval, work), 300.0, 600.0, 1e9, DAY, waits=True)
        for lasting in (waits, 0.0 * waits):
            (other,) = played(job, [failures], [lasting])
            assert makespan(job, failures, lasting) == pytest.approx(other, rel=1e-9)
    assert makespan(Job(2.0 * DAY, DAY, 300.0, 600.0, DAY, DAY), []) == DAY  # cut
    assert makespan(JOB, [DAY], [math.inf]) == JOB.longest  # a repair that never ends


def test_scores_of_draws_in_closed_form():
    job = Job(100.0, 10.0, 1.0, 1.0, 1e9, 1e3)
    draws = np.linspace(100.0, 120.0, 201)
    found = score("log", job, draws, 110.0)
    # Uniform on an interval of 20 about what came: CRPS is a twelfth of its length.
    assert found.crps * 100.0 == pytest.approx(20.0 / 12.0, rel=0.02)
    assert found.below < 0.5 < found.up_to
    assert [found.covered(level) for level in (0.5, 0.9)] == [1.0, 1.0]
    late = score("log", job, draws, 119.5)
    assert (late.covered(0.9), late.covered(0.99)) == (0.0, 1.0)
    certain = score("log", job, np.full(200, 105.0), 105.0)
    assert (certain.crps, certain.covered(0.9)) == (0.0, pytest.approx(0.9))
    assert found.promised == tuple((draws <= end).mean() for end in deadlines(job))


def test_what_a_law_draws_is_covered_as_stated_however_few_draws():
    # Each rank among 200 draws and what came is as likely as any, with ties broken evenly.
    rng, job = np.random.default_rng(4), Job(100.0, 10.0, 1.0, 1.0, 1e9, 1e3)
    for drawn in (rng.uniform(100.0, 120.0, (4_000, 201)), rng.integers(3, size=(4_000, 201))):
        found = [score("log", job, each[1:] + 0.0, float(each[0])) for each in drawn]
        for level in (0.5, 0.8, 0.9):
            held = np.array([each.covered(level) for each in found])
            error = held.std() / math.sqrt(len(held))
            assert abs(held.mean() - level) < stats.norm.isf(ALARM / 2.0) * error


def test_a_law_is_draws_or_a_cdf():
    law = exact_makespan(
        JOB.work, mtbf=JOB.mtbf, interval=7_200.0, checkpoint_cost=300.0, recovery_cost=600.0
    )
    draws = draws_of(law, Job(*(getattr(JOB, name) for name in Job.__slots__[:4]), 1e6, JOB.mtbf))
    start, atom = law.atom
    assert np.isclose(draws, start).mean() == pytest.approx(atom, abs=2e-3)
    for probability in (0.3, 0.5, 0.9, 0.99):
        assert np.quantile(draws, probability) == pytest.approx(law.ppf(probability), rel=3e-3)
    for wrong in (np.ones(199), np.ones((200, 2)), np.full(300, np.nan), "late", None):
        with pytest.raises((Refused, ValueError, TypeError)):
            draws_of(wrong, JOB)


def test_baselines_state_laws_of_every_kind_of_job():
    log = steady(DAY / 2.0, 100, seed=7)
    for kind in KINDS:
        window = windows_of(log, kind)[-1]
        for name, entry in ENTRIES.items():
            draws = draws_of(entry(window.history, window.job), window.job)
            again = draws_of(entry(window.history, window.job), window.job)
            assert np.array_equal(draws, again), name
            assert (draws >= window.job.work).all()
    shorter = windows_of(log, "wait")[-1]
    waits = exponential(shorter.history, shorter.job)
    assert waits.mean() > exponential(*_not_waiting(log)).mean()


def _not_waiting(log):
    window = windows_of(log)[-1]
    return window.history, window.job


def crash(history: History, job: Job):
    raise RuntimeError("no law for me")


def too_slow(history: History, job: Job):
    begin = time.process_time()
    while time.process_time() < begin + 20.0:
        math.sqrt(2.0)


def too_large(history: History, job: Job):
    return np.ones(1 << 28)[:300] * job.work


def other_each_time(history: History, job: Job):
    return np.random.default_rng().uniform(job.work, job.longest, 300)


def test_an_entry_of_ones_own_is_scored_within_its_limits():
    asked = windows_of(steady(DAY, 60, seed=8))[:3]
    scores, spent = scores_of(told(limited(example.forecast)), asked)
    assert not any(each.refused for each in scores)
    assert len(spent) == 3
    against, _ = scores_of(told(exponential), asked)
    for wrong, at in ((crash, 3), (too_slow, 1), (too_large, 1), (other_each_time, 1)):
        refused, _ = scores_of(told(limited(wrong)), asked[:at])
        assert [each.refused for each in refused] == [True] * at, wrong
        assert [each.crps for each in refused] == [2.0 * each.crps for each in against[:at]]
    row = row_of("crash", refused, spent[:1], against=against[:1])
    assert (row.refused, row.ratio) == (1, pytest.approx(2.0))


def test_why_an_entry_is_refused():
    window = windows_of(steady(DAY, 60, seed=8))[0]
    for wrong, said in (
        (crash, "RuntimeError: no law for me"),
        (too_large, "MemoryError"),
        (other_each_time, "an entry must be deterministic"),
    ):
        with pytest.raises(Refused, match=said):
            limited(wrong)(window.history, window.job)


def test_entries_are_ranked_that_cover_what_they_state():
    found = windows_of(steady(DAY, 500, seed=9))
    rows = {row.name: row for row in rows_of({"sure": _sure, "exponential": exponential}, found)}
    assert rows["exponential"].ratio == pytest.approx(1.0)
    assert (rows["exponential"].rank, rows["sure"].rank) == (1, None)
    assert rows["sure"].failed == ("steady",)
    assert sum(rows["exponential"].deciles) == pytest.approx(1.0)
    assert set(rows["exponential"].by_work) == {"7", "30", "90"}
    signed = {row.signature for row in rows.values()}
    assert len(signed) == 3
    assert rows_of({"exponential": exponential}, found)[0].signature in signed


def _sure(history, job):
    return np.full(200, 1.01 * job.work)


def test_an_entry_is_found_by_its_name_or_refused():
    assert entered("validation.promises.entries:mixture") is ENTRIES["mixture"]
    for name in ("nothing", "no.such.module:name", "math:nothing", ""):
        done = CliRunner().invoke(main, ["play", "--entry", name, "--logs", "constant rate"])
        assert done.exit_code == 2
        said = f"--entry must be package.module:name of a function, got {name!r} ("
        assert said in " ".join(done.output.split())


def test_each_run_on_checked_logs_is_signed_and_counted(tmp_path):
    kept = tmp_path / "attempts.csv"
    head = tiers.ATTEMPTS.read_text().splitlines()[0]
    kept.write_text(f"{head}\n2026-01-01,open,whole,other,,,0,1,\n")
    rows = rows_of({"exponential": exponential}, windows_of(steady(DAY, 60, seed=1)))
    assert tiers.noted(kept, "checked", "whole", [(rows[0], "code")]) == 1
    assert tiers.noted(kept, "checked", "part", [(rows[0], "code")]) == 2
    lines = list(csv.DictReader(kept.read_text().splitlines()))
    assert (lines[-1]["kind"], lines[-1]["code"]) == ("part", "code")
    assert lines[-1]["scores"] == rows[0].signature


def test_a_site_plays_a_log_of_its_own(tmp_path):
    log = steady(DAY, 90, seed=10)
    rows = [
        f"{time:.0f},n{node},3600" for time, node in zip(log.times, log.records.nodes, strict=False)
    ]
    (tmp_path / "failures.csv").write_text("\n".join(["time,node,repair", *rows]) + "\n")
    path = str(tmp_path / "failures.csv")
    for more in ([], ["--kind", "part"], ["--kind", "wait", "--since", "2001-10-20"]):
        done = CliRunner().invoke(main, ["play", "--sealed", path, "--only", "post", *more])
        assert done.exit_code == 0, done.output
        assert "posterior of the MTBF" in done.output
        assert "steady" not in done.output


def test_the_page_has_what_was_kept():
    text = page.PAGE.read_text()
    assert page.with_tables(text) == text


def test_the_page_shows_the_example_of_an_entry():
    shown = inspect.getsource(example.forecast)
    assert shown in page.PAGE.read_text()


@pytest.mark.slow
def test_no_log_is_both_open_and_checked():
    tuned, reported = ({log.name for log in of()} for of in (tiers.open_logs, tiers.checked_logs))
    if not tuned:
        pytest.skip("failure logs are not at hand: PERFMODEL_TRACES names their folder")
    assert not tuned & reported
    assert {"LANL 3", "Titan GPUs"} <= tuned
    assert {"LANL 2", "Blue Gene/L"} <= reported
    assert not {"GLM-130B", "Mira, all grouped"} & (tuned | reported)
