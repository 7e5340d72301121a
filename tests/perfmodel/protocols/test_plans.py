"""No other number of segments suits a protocol better: all are tried, by the library's means."""

import warnings

import numpy as np
import pytest

from perfmodel import (
    expected_makespan,
    expected_makespan_async,
    expected_makespan_two_levels,
    recommend,
    waste_of_pairs,
    waste_predicted,
    waste_windows,
)
from perfmodel.prediction import best_window_segments
from perfmodel.validity import ValidityWarning

COUNTS = np.arange(1.0, 400.0)
EXTRAS = {
    "asynchronous": {"snapshot_cost": 0.02, "latency": 0.4, "slowdown": 0.1},
    "two_levels": {"local_cost": 0.02, "survived": 0.8, "local_recovery": 0.05},
    "pairs": {"nodes": 11},
    "predicted": {"recall": 0.7, "precision": 0.6, "proactive_cost": 0.05},
}


def drawn(seed):
    rng = np.random.default_rng(seed)
    return {
        "work": 10.0 ** rng.uniform(-1.0, 1.7),
        "mtbf": 10.0 ** rng.uniform(0.0, 1.0),
        "checkpoint_cost": 10.0 ** rng.uniform(-1.5, 0.0),
        "recovery_cost": 10.0 ** rng.uniform(-2.0, 0.0),
        "downtime": 10.0 ** rng.uniform(-2.0, 0.0),
    }


def planned(job, protocol):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        found = recommend(**job, quantity=None)
    (plan,) = (each for each in found.protocols if each.protocol == protocol)
    least = found.best.expected_time
    time = plan.expected_time
    assert plan.overhead == pytest.approx(time / job["work"] - 1.0, rel=1e-12, abs=1e-15)
    assert plan.efficiency == pytest.approx(job["work"] / time, rel=1e-14)
    assert plan.regret == pytest.approx(time / least - 1.0, rel=1e-12, abs=1e-15)
    assert plan.crossover is None
    assert plan.interval == pytest.approx(job["work"] / plan.segments, rel=1e-14)
    assert found.left_out == ()
    assert (found.quantity, found.value) == (None, None)
    return plan


def assert_least(plan, means):
    """The mean is the least of all, that of its number, and none of fewer segments is as low."""
    least = float(np.min(means))
    assert plan.expected_time == pytest.approx(least, rel=1e-12)
    assert means[int(plan.segments) - 1] == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_synchronous_and_single_segments(seed):
    job = drawn(seed)
    rest = {name: value for name, value in job.items() if name != "work"}
    means = expected_makespan(job["work"], interval=job["work"] / COUNTS, **rest)
    plan = planned(job, "synchronous")
    assert_least(plan, means)
    alone = planned(job, "single_segment")
    assert (alone.segments, alone.interval) == (1.0, job["work"])
    assert alone.expected_time == pytest.approx(means[0], rel=1e-14)
    assert (plan.durable_every, plan.error, alone.durable_every, alone.error) == (1, 0, 1, 0)


@pytest.mark.few(4)
@pytest.mark.parametrize("rule", ["overlap", "single_buffer", "skip"])
@pytest.mark.parametrize("seed", range(6))
def test_asynchronous(seed, rule):
    job = {**drawn(seed), **EXTRAS["asynchronous"], "in_flight": rule}
    job["latency"] *= 5.0 ** (seed % 3)
    costs = {name: job[name] for name in ("mtbf", "recovery_cost", "downtime")}
    drain = {name: job[name] for name in ("latency", "slowdown", "in_flight")}
    means = expected_makespan_async(
        job["work"],
        interval=job["work"] / COUNTS,
        checkpoint_cost=job["snapshot_cost"],
        **costs,
        **drain,
    )
    assert_least(planned(job, "asynchronous"), means)


@pytest.mark.parametrize("seed", range(4))
def test_two_levels(seed):
    job = {**drawn(seed), **EXTRAS["two_levels"]}
    plan = planned(job, "two_levels")
    counts, every = (each + 1.0 for each in np.tril_indices(60))

    def mean(counts, every):
        return expected_makespan_two_levels(
            job["work"],
            interval=job["work"] / counts,
            durable_every=every,
            durable_cost=job["checkpoint_cost"],
            durable_recovery=job["recovery_cost"],
            **{name: job[name] for name in ("mtbf", "downtime", *EXTRAS["two_levels"])},
        )

    known = float(mean(plan.segments, plan.durable_every))
    assert plan.expected_time == pytest.approx(known, rel=1e-12)
    assert plan.expected_time <= np.min(mean(counts, every)) * (1.0 + 1e-4)


@pytest.mark.parametrize("nodes", [2, 11, 40])
@pytest.mark.parametrize("seed", range(3))
def test_pairs(seed, nodes):
    job = {**drawn(seed), "nodes": nodes}
    work = job["work"] * nodes / (nodes // 2)
    costs = {name: job[name] for name in ("checkpoint_cost", "recovery_cost", "downtime")}
    lost = waste_of_pairs(work / COUNTS, pairs=nodes // 2, node_mtbf=job["mtbf"] * nodes, **costs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        found = recommend(**job, quantity=None)
    (plan,) = (each for each in found.protocols if each.protocol == "pairs")
    assert plan.interval == pytest.approx(work / plan.segments, rel=1e-14)
    assert_least(plan, work / (1.0 - lost))
    assert plan.overhead == pytest.approx(plan.expected_time / job["work"] - 1.0, rel=1e-12)


@pytest.mark.parametrize("window", [0.0, 0.1, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_predicted(seed, window):
    job = {**drawn(seed), **EXTRAS["predicted"], "window": window}
    job["mtbf"] *= 10.0
    plan = planned(job, "predicted")
    predictor = {name: job[name] for name in (*EXTRAS["predicted"], "mtbf", "checkpoint_cost")}
    later = {name: job[name] for name in ("recovery_cost", "downtime")}
    waste = waste_predicted
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        if window:
            predictor["window"] = window
            predictor["window_segments"] = best_window_segments(**predictor)
            waste = waste_windows
        periods = job["work"] / COUNTS + job["checkpoint_cost"]
        useful = 1.0 - np.minimum(waste(periods, **predictor, **later), 1.0)
    means = np.divide(job["work"], useful, out=np.full(COUNTS.size, np.inf), where=useful > 0.0)
    assert_least(plan, means)


def test_of_equal_times_the_simplest_comes_first():
    job = {"work": 0.01, "mtbf": 10.0, "checkpoint_cost": 1.0}
    job |= {"snapshot_cost": 1.0, "latency": 0.0, "local_cost": 1.0, "survived": 1.0}
    found = recommend(**job, quantity=None)
    assert [plan.protocol for plan in found.protocols] == [
        *("single_segment", "synchronous", "asynchronous", "two_levels"),
    ]
    assert found.best is found.protocols[0]
    assert {plan.segments for plan in found.protocols} == {1.0}


BARE = {"work": 20.0, "mtbf": 5.0, "checkpoint_cost": 0.5}


def test_quantities_are_those_that_are_given():
    basic = "mtbf, work, checkpoint_cost"
    for more, choices in (
        ({}, basic),
        ({"latency": 1.0, "snapshot_cost": 0.1}, f"{basic}, latency"),
        ({"latency": 0.0, "snapshot_cost": 0.1}, basic),
        ({"local_cost": 0.1, "survived": 0.5}, f"{basic}, local_cost"),
        ({"nodes": 4}, f"{basic}, nodes"),
    ):
        for wrong in ("downtime", "survived", "Mtbf", ""):
            with pytest.raises(ValueError, match=r".") as refused:
                recommend(**BARE, **more, quantity=wrong)
            assert str(refused.value) == f"quantity must be one of {choices}, got {wrong!r}"
    found = recommend(**BARE, quantity="checkpoint_cost")
    assert (found.quantity, found.value) == ("checkpoint_cost", 0.5)
    assert recommend(**BARE).quantity == "mtbf"


def test_without_a_window_a_perfect_and_free_predictor_is_fine():
    perfect = {"recall": 1.0, "precision": 1.0, "proactive_cost": 0.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        found = recommend(**BARE, **perfect, quantity=None)
    assert found.best.protocol == "predicted"
