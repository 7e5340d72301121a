"""Failures to come, and a job under them: what the law is where it is known, and what is drawn."""

import math

import numpy as np
import pytest
from scipy import stats

from perfmodel import exact_makespan
from perfmodel.forecasts import (
    FailureHistory,
    PlannedJob,
    forecast_failures,
    forecast_makespan,
    past_promises,
)
from perfmodel.forecasts.job import played
from validation.promises.entries import in_rows

DAY = 86_400.0
ALARM = 1e-4  # false alarms of each statistical test here
JOB = {"interval": 7_200.0, "checkpoint_cost": 300.0, "recovery_cost": 600.0}


def steady(mtbf, count, seed):
    return np.cumsum(np.random.default_rng(seed).exponential(mtbf, count))


def test_without_memory_and_drift_the_rate_has_the_law_of_a_count():
    past = steady(2.0 * DAY, 40, seed=3)
    found = forecast_failures(
        past,
        observed_time=100.0 * DAY,
        window=10.0 * DAY,
        cluster_gap=0.0,
        half_lives=(math.inf,),
        spreads=(0.0,),
    )
    count = len(past[past <= 100.0 * DAY])
    assert found.weights.tolist() == [[1.0]]
    assert found.counts.tolist() == [count + 1.0]
    drawn = found.draw_rates(4_000, np.random.default_rng(1))
    law = stats.gamma(count + 1.0, scale=found.mean_rate / (count + 1.0))
    assert stats.kstest(drawn, law.cdf).pvalue > ALARM


def test_a_rate_that_changed_is_forgotten_and_a_constant_one_is_kept():
    rare, often = steady(10.0 * DAY, 60, seed=5), steady(DAY, 100, seed=6)
    changed = np.concatenate([rare, rare[-1] + often])
    lately = forecast_failures(changed, observed_time=changed[-1], window=7.0 * DAY)
    assert 0.7 / DAY < lately.mean_rate < 1.4 / DAY
    old = lately.half_lives > 365.0 * DAY
    assert lately.weights[old].sum() < 0.05
    constant = steady(DAY, 400, seed=7)
    known = forecast_failures(constant, observed_time=constant[-1], window=7.0 * DAY)
    assert known.weights[old].sum() > 0.3
    # A tenth is two deviations of 400 counts.
    assert known.mean_rate == pytest.approx(400.0 / constant[-1], rel=0.1)


def test_failures_within_the_gap_are_followers_of_one_cluster():
    heads = steady(3.0 * DAY, 50, seed=9) + 7_200.0 * np.arange(50)  # none within a gap
    followed = np.sort(np.concatenate([heads, heads[::2] + 600.0, heads[::2] + 1_200.0]))
    settings = {"observed_time": followed[-1] + DAY, "window": 7.0 * DAY}
    found = forecast_failures(followed, **settings)
    assert found.cluster_size == pytest.approx(2.0)
    assert sorted({len(lags) for lags in found.followers}) == [0, 2]
    rates = forecast_failures(heads, **settings).mean_rate
    assert found.mean_rate == pytest.approx(2.0 * rates)
    futures = found.draw_failures(7.0 * DAY, 2_000, np.random.default_rng(2))
    assert all((np.diff(each) >= 0.0).all() and (each < 7.0 * DAY).all() for each in futures)
    counts = np.array([len(each) for each in futures])
    wanted, error = found.mean_rate * 7.0 * DAY, counts.std() / math.sqrt(len(counts))
    assert abs(counts.mean() - wanted) < stats.norm.isf(ALARM / 2.0) * error + 1e-3 * wanted


@pytest.mark.parametrize("mtbf", [0.5, 2.0, 8.0, 48.0])
def test_failures_that_strike_at_random_are_hardly_taken_for_clusters(mtbf):
    pasts = [steady(3_600.0 * mtbf, 400, seed=each) for each in range(30)]
    found = [forecast_failures(past, observed_time=past[-1], window=7.0 * DAY) for past in pasts]
    # Of the last 60 clusters: by chance one follower in twenty, and one past in a hundred of more.
    most = stats.nbinom(60, 0.95).isf(0.01)
    often = sum(sum(map(len, one.followers)) > most for one in found)
    assert often <= stats.binom(len(found), 0.02).isf(1e-6)


def test_followers_are_found_however_often_failures_strike():
    heads = steady(4.0 * 3_600.0, 300, seed=13)
    past = np.sort(np.concatenate([heads, heads[::3] + 1_500.0]))
    found = forecast_failures(past, observed_time=past[-1], window=7.0 * DAY)
    assert found.cluster_size > 1.3  # a third have one, others do by chance


def test_makespans_in_futures_of_a_constant_rate_have_the_exact_law():
    rng, mtbf, work = np.random.default_rng(11), 8.0 * 3600.0, 2.0 * DAY
    futures = [np.cumsum(rng.exponential(mtbf, 120)) for _ in range(4_000)]
    found = played(PlannedJob(work=work, **JOB), in_rows(futures, math.inf), None, math.inf)
    law = exact_makespan(work, mtbf=mtbf, **JOB)
    start, atom = law.atom
    assert found.min() == pytest.approx(start, rel=1e-12)
    free = stats.binomtest(int((found <= start * (1.0 + 1e-12)).sum()), len(found), atom)
    assert free.pvalue > ALARM
    late = found[found > start * (1.0 + 1e-12)]
    assert stats.kstest(late, lambda t: (law.cdf(t) - atom) / (1.0 - atom)).pvalue > ALARM


def test_a_struck_recovery_begins_again_and_a_downtime_is_not_struck():
    futures = [np.array([1_000.0, 1_200.0]), np.array([1_000.0, 1_050.0]), np.array([])]
    costs = {"checkpoint_cost": 50.0, "recovery_cost": 300.0, "downtime": 100.0}
    job, struck = PlannedJob(work=1_800.0, interval=900.0, **costs), in_rows(futures, math.inf)
    found = played(job, struck, None, math.inf)
    # One segment is done at 950; the other is struck, then takes 900 + 50 from the recovery on.
    assert found.tolist() == [1_200.0 + 400.0 + 950.0, 1_000.0 + 400.0 + 950.0, 1_900.0]
    assert played(job, struck, None, 2_000.0).tolist()[:2] == [math.inf, math.inf]
    waits = [np.array([7.0, 9.0]), np.array([7.0, 9.0]), np.array([])]
    waited = played(job, struck, in_rows(waits, 0.0), math.inf)
    assert (waited - found).tolist() == [9.0, 7.0, 0.0]


def test_the_law_of_a_job_and_its_error():
    past = steady(2.0 * DAY, 200, seed=13)
    found = forecast_failures(past, observed_time=past[-1], window=10.0 * DAY, repairs=[3600.0])
    settings = {"futures": 1_000, "rng": np.random.default_rng(4)}
    law = forecast_makespan(found, 10.0 * DAY, **JOB, **settings)
    assert law.error == pytest.approx(math.sqrt(math.log(2_000.0) / 2_000.0))
    assert law.ppf(1e-9) >= 10.0 * DAY + math.ceil(120.0) * 300.0
    assert law.cdf(law.ppf(0.5)) >= 0.5 > law.cdf(np.nextafter(law.ppf(0.5), 0.0))
    longer = forecast_makespan(found, 10.0 * DAY, **JOB, **settings, wait_for_repair=True)
    assert longer.mean > law.mean + 3.0 * 3600.0


def kept_so_far(failures, observed, work=7.0 * DAY):
    history = FailureHistory.of(failures, observed)
    return past_promises(history, PlannedJob(work=work, **JOB), rng=np.random.default_rng(1))


def test_a_job_whose_end_the_log_does_not_see_is_not_counted():
    past = np.arange(1.0, 90.0, 5.0) * DAY
    # Jobs begin at 30, 37, ..., 86 days, and take 7.3 days without failures.
    known = kept_so_far(past, 100.0 * DAY)
    assert (known.jobs, known.kept, known.kept_constant) == (9, 9, 9)
    cut = kept_so_far(past, 93.1 * DAY)
    assert (cut.jobs, cut.kept, cut.kept_constant) == (8, 8, 8)


def test_a_job_that_is_still_struck_when_its_time_is_over_broke_its_promise():
    quiet, end = np.arange(1.0, 86.0, 5.0) * DAY, 100.0 * DAY
    struck = np.concatenate([quiet, np.arange(86.0 * DAY, end, 1_000.0)])  # no segment ends
    found = kept_so_far(struck, end)
    # The one of 79 days ends within 86 or not by its failures; that of 86 does not by 100.
    assert found.jobs >= 8
    assert found.kept < found.jobs
    assert found.kept_constant < found.jobs


def test_nothing_is_said_of_a_past_shorter_than_two_jobs():
    found = kept_so_far([DAY], 50.0 * DAY, work=40.0 * DAY)
    assert (found.jobs, found.kept, found.kept_constant) == (0, 0, 0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"observed_time": 5.0}, "failures must be <= observed_time, got 9 of 5"),
        ({"window": 0.0}, "window must be finite and > 0"),
        ({"half_lives": ()}, "half_lives must be non-empty"),
        ({"half_lives": (0.0,)}, "half_lives must be > 0, got 0.0"),
        ({"spreads": (-1.0,)}, "spreads must be finite and >= 0"),
        ({"repairs": [-1.0]}, "repairs must be finite and >= 0"),
    ],
)
def test_what_is_refused(change, said):
    given = {"observed_time": 10.0 * DAY, "window": DAY} | change
    with pytest.raises(ValueError, match=f"^{said}"):
        forecast_failures([9.0], **given)
    nothing = forecast_failures([], observed_time=DAY, window=DAY)
    assert nothing.mean_rate > 0.0  # that none was seen yet does not mean that none comes
    with pytest.raises(ValueError, match=r"^forecast must know repairs to wait for, got none$"):
        forecast_makespan(nothing, DAY, **JOB, wait_for_repair=True, rng=np.random.default_rng(0))
