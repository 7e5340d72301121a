"""Goodput against the synchronous and the asynchronous mean, and the shares against each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfmodel import (
    efficiency,
    expected_makespan_async,
    goodput,
    optimal_interval_async,
    training_shares,
)

STAGES = {"restore": 0.2, "warm_up": 0.1, "detection": 0.3, "queue": 0.05, "rescheduling": 0.4}
ratios = st.floats(-4.0, 1.0).map(lambda power: 10.0**power)


@given(ratios, ratios, ratios, ratios)
def test_it_is_the_efficiency_of_a_job_that_writes_at_once(interval, cost, recovery, downtime):
    found = goodput(
        interval=interval, mtbf=1.0, checkpoint_cost=cost, restore=recovery, queue=downtime
    )
    known = efficiency(
        interval,
        interval=interval,
        mtbf=1.0,
        checkpoint_cost=cost,
        recovery_cost=recovery,
        downtime=downtime,
    )
    assert found == pytest.approx(known, rel=1e-13)


@given(ratios, ratios, ratios, st.floats(0.0, 1.0))
def test_it_is_that_of_one_segment_more_of_an_asynchronous_job(interval, cost, recovery, share):
    costs = {"interval": interval, "mtbf": 1.0, "checkpoint_cost": cost}
    latency = share * interval
    found = goodput(**costs, latency=latency, warm_up=recovery, detection=0.5)
    one, two = (
        expected_makespan_async(
            count * interval, **costs, latency=latency, recovery_cost=recovery, downtime=0.5
        )
        for count in (1, 2)
    )
    if np.isfinite(two):
        assert found == pytest.approx(interval / (two - one), rel=1e-9)


def test_shares_add_up_and_go_by_name():
    shares = training_shares(interval=[0.1, 1.0, 50.0], mtbf=3.0, checkpoint_cost=0.05, **STAGES)
    losses = shares.losses()
    np.testing.assert_allclose(shares.goodput + sum(losses.values()), 1.0, rtol=1e-15)
    assert list(losses) == [
        "checkpoint_save",
        "wasted_progress",
        "detection",
        "queue",
        "rescheduling",
        "checkpoint_restore",
        "warm_up",
    ]
    assert losses["queue"] / losses["detection"] == pytest.approx([1 / 6] * 3)


def test_far_ends():
    never = training_shares(interval=3.0, mtbf=np.inf, checkpoint_cost=1.0, **STAGES)
    assert (never.goodput, never.checkpoint_save, never.detection) == (0.75, 0.25, 0.0)
    assert goodput(interval=1e-300, mtbf=1.0, checkpoint_cost=0.0) == 1.0
    hopeless = training_shares(interval=1e5, mtbf=1.0, checkpoint_cost=0.0, restore=1.0)
    assert (hopeless.goodput, hopeless.wasted_progress) == (0.0, pytest.approx(np.exp(-1.0)))
    for beyond in (
        {"interval": 1.0, "checkpoint_cost": 1e197, "mtbf": 1e-188},
        {"interval": 1e300},
    ):
        lost = training_shares(**{"mtbf": 1e-95, "checkpoint_cost": 5.5e213, **beyond})
        assert (lost.goodput, lost.wasted_progress) == (0.0, 1.0)
    rare = training_shares(interval=1.0, mtbf=1e14, checkpoint_cost=0.0)
    assert rare.wasted_progress == pytest.approx(5e-15, rel=1e-12)


def test_the_best_interval_of_the_job_is_that_of_the_run():
    costs = {"mtbf": 10.0, "checkpoint_cost": 0.1, "latency": 0.5}
    best = optimal_interval_async(**costs)
    around = best * np.array([0.98, 1.0, 1.02])
    found = goodput(interval=around, **costs, **STAGES)
    assert found[1] > max(found[0], found[2])
