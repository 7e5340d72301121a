"""Jobs on some nodes of a machine, jobs that wait for repairs, and promises of the past."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from perfmodel.forecasts import (
    FailureHistory,
    PlannedJob,
    forecast_failures,
    forecast_makespan,
    forecasts_for,
    outlook_of,
    past_promises,
)
from perfmodel.forecasts.job import law_of

DAY, HOUR = 86_400.0, 3_600.0
ALARM = 1e-4
LIMIT = stats.norm.isf(0.5e-6)  # standard errors: false alarms of a comparison are 1e-6
JOB = {"work": 7.0 * DAY, "interval": 2.0 * HOUR, "checkpoint_cost": 300.0, "recovery_cost": 600.0}


def machine(nodes=64, days=400.0, mtbf=20.0 * DAY, seed=3, lemons=0):
    """Return a machine of constant rate, the first nodes of which fail ten times as often."""
    rng = np.random.default_rng(seed)
    rates = np.where(np.arange(nodes) < lemons, 10.0, 1.0) / mtbf
    counts = rng.poisson(rates * days * DAY)
    times = rng.uniform(0.0, days * DAY, counts.sum())
    return FailureHistory.of(
        times,
        days * DAY,
        repairs=rng.exponential(HOUR, times.size),
        nodes=np.repeat(np.arange(nodes), counts),
        machine=nodes,
    )


def rate_of(forecasts):
    return float(np.mean([each.mean_rate for each in forecasts]))


def apart(history):
    """Return the same with failures at equal distances, none of which follows another."""
    count = len(history.failures)
    return replace(history, failures=(np.arange(count) + 0.5) * history.observed / count)


def shares_of_sets(known, count, sets=4_000):
    """Return shares of clusters that random sets of so many nodes get, by drawing the sets."""
    rng = np.random.default_rng(20)
    first = np.flatnonzero(np.diff(known.failures, prepend=-math.inf) > HOUR)
    hits = np.empty(sets)
    for at in range(sets):
        struck = np.isin(known.nodes, rng.choice(known.machine, count, replace=False))
        hits[at] = np.logical_or.reduceat(struck, first).sum()
    return (hits + 32.0 * hits.mean() / first.size) / (first.size + 32.0)


def test_random_nodes_fail_as_often_as_their_share():
    known, rng = apart(machine()), np.random.default_rng(1)
    (whole,) = forecasts_for(known, 7.0 * DAY, rng=rng)
    part = forecasts_for(known, 7.0 * DAY, nodes=8, rng=rng)
    assert len(part) == 16  # two for each of eight sets, the second by the share of the machine
    shares = np.array([each.rates.mean for each in part[1::2]]) / whole.rates.mean
    law = shares_of_sets(known, 8)
    assert law.mean() == pytest.approx(1.0 / 8.0, rel=0.01)
    assert abs(shares.mean() - law.mean()) < LIMIT * law.std() / math.sqrt(8.0)
    (all_of_them,) = forecasts_for(known, 7.0 * DAY, nodes=64, rng=rng)
    assert all_of_them.mean_rate == whole.mean_rate


def test_nodes_that_fail_often_are_told_by_their_own_past_and_by_their_share():
    known, rng = apart(machine(lemons=8, mtbf=100.0 * DAY)), np.random.default_rng(1)
    bad = np.arange(64) < 8
    own, share = forecasts_for(known, 7.0 * DAY, nodes=bad, rng=rng)
    good, rest = forecasts_for(known, 7.0 * DAY, nodes=~bad, rng=rng)
    theirs = known.failures[known.nodes < 8]
    alone = forecast_failures(theirs, observed_time=known.observed, window=7.0 * DAY)
    assert own.mean_rate == alone.mean_rate
    chance = 8 / 64  # that a cluster of one strikes eight random nodes
    wanted = (theirs.size + 32.0 * chance) / (len(known.failures) + 32.0)
    assert share.mean_rate / rest.mean_rate == pytest.approx(wanted / (1.0 - wanted), rel=1e-12)
    assert good.mean_rate < own.mean_rate


def test_failures_without_a_node_strike_in_proportion():
    named = apart(machine())
    known = FailureHistory.of(named.failures, named.observed, machine=64)
    rng = np.random.default_rng(1)
    (whole,) = forecasts_for(known, 7.0 * DAY, rng=rng)
    (part,) = forecasts_for(known, 7.0 * DAY, nodes=16, rng=rng)
    assert part.mean_rate == pytest.approx(whole.mean_rate / 4.0, rel=1e-12)


def test_clusters_strike_few_nodes_less_often_than_their_failures():
    heads = 2.0 * DAY * np.arange(200)
    rng = np.random.default_rng(3)
    times = np.concatenate([heads, heads + 60.0, heads + 120.0])
    nodes = rng.permuted(np.tile(np.arange(64), (200, 1)), axis=1)[:, :3]
    known = FailureHistory.of(times, 401.0 * DAY, nodes=nodes.T.ravel(), machine=64)
    (whole,) = forecasts_for(known, 7.0 * DAY, rng=rng)
    assert whole.cluster_size == 3.0
    part = forecasts_for(known, 7.0 * DAY, nodes=16, rng=rng)
    # Of three distinct nodes one at least is among 16 of 64 with 1 - (48 47 46)/(64 63 62).
    chance = 1.0 - 48 * 47 * 46 / (64 * 63 * 62)
    law = shares_of_sets(known, 16)
    assert law.mean() == pytest.approx(chance, rel=0.01)
    shares = np.array([each.rates.mean for each in part[1::2]]) / whole.rates.mean
    assert abs(shares.mean() - chance) < LIMIT * law.std() / math.sqrt(8.0)
    assert np.mean([each.cluster_size for each in part]) < 2.0


def test_repairs_that_have_not_ended_are_not_known():
    known = FailureHistory.of([DAY, 2.0 * DAY, 3.0 * DAY], 3.5 * DAY, repairs=[HOUR, math.nan, DAY])
    assert known.ended_repairs.tolist() == [HOUR]
    assert known.until(1.01 * DAY).ended_repairs.tolist() == []
    later = known.since(1.5 * DAY)
    assert later.failures.tolist() == [0.5 * DAY, 1.5 * DAY]
    assert later.observed == 2.0 * DAY


def test_a_job_that_waits_takes_a_repair_longer_for_each_failure():
    known, rng = machine(), np.random.default_rng(4)
    forecasts = forecasts_for(known, 7.0 * DAY, rng=rng)
    job = PlannedJob(**JOB)
    law = law_of(forecasts, job, 2_000, np.random.default_rng(5))
    waits = PlannedJob(**JOB, wait_for_repair=True)
    waiting = law_of(forecasts, waits, 2_000, np.random.default_rng(5))
    # It is struck in the time that the job takes without waits, which is longer than its work.
    least = 7.0 * DAY * rate_of(forecasts) * known.ended_repairs.mean()
    most = 1.05 * least * law.mean / (7.0 * DAY)  # as more failures take more time
    noise = LIMIT * math.hypot(law.std, waiting.std) / math.sqrt(2_000.0)
    assert least - noise < waiting.mean - law.mean < most + noise


def test_the_law_is_exact_without_clusters_and_drawn_futures_have_it():
    apart = np.cumsum(np.random.default_rng(6).exponential(18.0 * HOUR, 200) + HOUR)
    known = FailureHistory.of(apart, apart[-1])
    forecasts = forecasts_for(known, 7.0 * DAY, rng=np.random.default_rng(0))
    job = PlannedJob(**JOB)
    exact = law_of(forecasts, job, 1, np.random.default_rng(0))
    drawn = forecast_makespan(forecasts, **JOB, futures=4_000, rng=np.random.default_rng(1))
    start, atom = exact.atom
    late = drawn.makespans[(drawn.makespans > start * (1 + 1e-12)) & np.isfinite(drawn.makespans)]
    top = float(exact.cdf(drawn.makespans[np.isfinite(drawn.makespans)][-1]))
    found = stats.kstest(late, lambda t: (exact.cdf(t) - atom) / (top - atom))
    assert found.pvalue > ALARM


def test_promises_of_the_past_on_some_nodes_with_repairs():
    known = machine(days=300.0)
    job = PlannedJob(**JOB, wait_for_repair=True, nodes=16)
    found = past_promises(known, job, rng=np.random.default_rng(7))
    assert found.jobs == 38
    # Of a constant rate both keep some 90 %; 26 of 38 would be four deviations below.
    assert found.kept > 26
    assert found.kept_constant > 26
    levels = [each.probability for each in found.levels]
    kept = [each.kept for each in found.levels]
    assert levels == sorted(levels)
    assert kept == sorted(kept)


def test_a_job_that_meets_thousands_of_failures_is_not_drawn():
    often = np.arange(1.0, 40.0 * DAY, 120.0)  # without clusters of their own this is one
    known = FailureHistory.of(often, 40.0 * DAY)
    found = outlook_of(known, PlannedJob(**JOB | {"interval": 60.0, "checkpoint_cost": 1.0}))
    assert found.name == "posterior"
    assert "for each job" in found.why
    assert found.past(PlannedJob(**JOB)).jobs == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"nodes": 65}, "nodes must be from 1 to 64, got 65"),
        ({"machine": 0, "nodes": 2}, "failures must name their nodes, and how many"),
        ({"machine": 3}, "machine must be > the largest of nodes, got 3"),
        ({"observed": 1.0}, "failures must be <= observed_time"),
    ],
)
def test_what_is_refused(given, said):
    known = {"observed": DAY, "machine": 64, "nodes": 2} | given
    with pytest.raises(ValueError, match=f"^{said}"):
        forecasts_for(
            FailureHistory.of(
                [5.0, 9.0],
                known["observed"],
                nodes=[-1, 3] if "nodes" in given else [1, 3],
                machine=known["machine"],
            )
            if known["machine"]
            else FailureHistory.of([5.0], DAY),
            DAY,
            nodes=known["nodes"],
            rng=np.random.default_rng(0),
        )
