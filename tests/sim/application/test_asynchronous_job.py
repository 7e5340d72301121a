"""Paths worked out by hand, then the compiled loop against the readable model, bit by bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.application import AsyncRecord, simulate_async_job, simulate_async_makespans
from sim.samplers import Exponential, LogNormal, Recorded, Weibull
from tests.support.examples import examples

JOB = {
    "work": 8.0,
    "interval": 2.0,
    "checkpoint_cost": 1.0,
    "latency": 2.0,
    "recovery_cost": 0.25,
    "downtime": 3.0,
}


def after(*gaps):
    return Recorded(gaps, then="never")


# makespan, compute, copy, wait, recovery, down, durable, skipped, failures
PATHS = {
    "the last drain is waited for": (
        after(1e9),
        {},
        (14.0, 8.0, 4.0, 2.0, 0.0, 0.0, 4, 0, 0),
    ),
    "one that drains is lost with the work after it": (
        after(4.5),
        {},  # cold from 7.75 on
        (21.75, 11.5, 5.0, 2.0, 0.25, 3.0, 4, 0, 1),
    ),
    "a durable one is kept": (
        after(5.5),  # the first is durable at 5, the second is being copied
        {},
        (19.75, 10.0, 4.5, 2.0, 0.25, 3.0, 4, 0, 1),
    ),
    "the last drain is at risk": (
        after(13.5),
        {},
        (21.75, 10.0, 5.0, 3.5, 0.25, 3.0, 4, 0, 1),
    ),
    "with two buffers drains follow each other": (
        after(1e9),
        {"latency": 4.0},
        (19.0, 8.0, 4.0, 7.0, 0.0, 0.0, 4, 0, 0),
    ),
    "with one buffer the copy waits": (
        after(1e9),
        {"latency": 4.0, "in_flight": "single_buffer"},
        (22.0, 8.0, 4.0, 10.0, 0.0, 0.0, 4, 0, 0),
    ),
    "a boundary is passed while one drains": (
        after(1e9),
        {"latency": 3.0, "in_flight": "skip"},
        (15.0, 8.0, 3.0, 4.0, 0.0, 0.0, 3, 1, 0),
    ),
    "a drain that ends at a boundary leaves it free": (
        after(1e9),
        {"latency": 2.0, "in_flight": "skip"},
        (14.0, 8.0, 4.0, 2.0, 0.0, 0.0, 4, 0, 0),
    ),
    "computing beside a drain is slow, the rest is not": (
        after(1e9),
        {"work": 4.0, "latency": 2.0, "slowdown": 0.5},
        (9.0, 5.0, 2.0, 2.0, 0.0, 0.0, 2, 0, 0),
    ),
    "without latency": (
        after(1e9),
        {"latency": 0.0},
        (12.0, 8.0, 4.0, 0.0, 0.0, 0.0, 4, 0, 0),
    ),
}


@pytest.mark.parametrize("name", PATHS)
def test_a_path_worked_out_by_hand(name):
    uptime, changed, expected = PATHS[name]
    record = simulate_async_job(**{**JOB, **changed}, uptime=uptime, rng=np.random.default_rng(0))
    assert record == AsyncRecord(*expected)


RULES = st.sampled_from(("overlap", "single_buffer", "skip"))


@settings(max_examples=examples(240), deadline=None)
@given(
    interval=st.sampled_from((1.0, 2.5, 4.0, 30.0)),
    latency=st.sampled_from((0.0, 0.3, 1.0, 2.0, 2.5, 3.7, 12.0)),
    slowdown=st.sampled_from((0.0, 0.3, 0.75, 1.0)),
    rule=RULES,
    uptime=st.sampled_from((Exponential(9.0), Weibull(0.7, 12.0))),
    seed=st.integers(0, 10**6),
)
def test_both_methods_give_the_same_bits(*, interval, latency, slowdown, rule, uptime, seed):
    job = {
        "interval": interval,
        "uptime": uptime,
        "checkpoint_cost": 0.5,
        "latency": latency,
        "recovery_cost": 0.5,
        "downtime": LogNormal(0.0, 1.0),
        "slowdown": slowdown,
        "in_flight": rule,
        "replications": 20,
        "seed": seed,
    }
    fast = simulate_async_makespans(10.0, **job)
    assert fast.tolist() == simulate_async_makespans(10.0, **job, method="events").tolist()


@given(
    gaps=st.lists(st.floats(0.1, 20.0), min_size=1, max_size=6),
    rule=RULES,
    latency=st.floats(0.0, 9.0),
)
def test_the_parts_add_up_to_the_makespan(gaps, rule, latency):
    job = {**JOB, "latency": latency, "in_flight": rule, "slowdown": 0.25}
    record = simulate_async_job(**job, uptime=after(*gaps), rng=np.random.default_rng(0))
    parts = record.compute_time + record.checkpoint_time + record.waiting_time
    parts += record.recovery_time + record.downtime
    assert parts == pytest.approx(record.makespan, rel=1e-12)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"latency": -1.0}, "latency must be"),
        ({"slowdown": 1.5}, r"slowdown must be in \[0, 1\], got 1.5"),
        ({"in_flight": "both"}, "in_flight must be one of overlap, single_buffer, skip"),
    ],
)
def test_impossible_arguments_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        simulate_async_job(**{**JOB, **changed}, uptime=after(1.0), rng=np.random.default_rng(0))
