"""Paths worked out by hand, then the compiled loop against the readable model, bit by bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.application import (
    PredictedRecord,
    _replications,
    simulate_makespans,
    simulate_predicted_job,
    simulate_predicted_makespans,
)
from sim.application.predicted import job as predicted_job
from sim.samplers import Deterministic, Exponential, Gamma, LogNormal, Recorded, Weibull
from sim.streams import stream
from tests.support.examples import examples

JOB = {
    "work": 8.0,
    "interval": 4.0,
    "recall": 1.0,
    "false_alarms": None,
    "proactive_cost": 0.5,
    "threshold": 1.0,
    "checkpoint_cost": 1.0,
    "recovery_cost": 0.25,
    "downtime": 3.0,
}
RANDOM = {
    "work": 50.0,
    "interval": 4.0,
    "uptime": Exponential(6.0),
    "recall": 0.6,
    "false_alarms": Exponential(9.0),
    "proactive_cost": 0.25,
    "threshold": 0.5,
    "checkpoint_cost": 0.5,
    "recovery_cost": 0.5,
    "downtime": LogNormal(0.0, 1.0),
}


def after(*gaps):
    return Recorded(gaps, then="never")


# makespan, work, rework, checkpoint, proactive, recovery, down, failures, acted upon
PATHS = {
    "no failure": (after(1e9), {}, (10.0, 8.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0, 0)),
    "a predicted failure costs its checkpoint and the way back": (
        after(3.0),
        {},
        (13.75, 8.0, 0.0, 2.0, 0.5, 0.25, 3.0, 1, 1),
    ),
    "one that is not predicted costs the work as well": (
        after(3.0),
        {"recall": 0.0},
        (16.25, 8.0, 3.0, 2.0, 0.0, 0.25, 3.0, 1, 0),
    ),
    "too near to the last checkpoint": (
        after(3.0),
        {"threshold": 3.5},
        (16.25, 8.0, 3.0, 2.0, 0.0, 0.25, 3.0, 1, 0),
    ),
    "no time before a failure right at the start": (
        after(0.25),
        {"threshold": 0.0},
        (13.5, 8.0, 0.25, 2.0, 0.0, 0.25, 3.0, 1, 0),
    ),
    "no time during a periodic checkpoint": (
        after(4.75),
        {},
        (18.0, 8.0, 4.0, 2.75, 0.0, 0.25, 3.0, 1, 0),
    ),
    "a false alarm costs its checkpoint, and the segment goes on": (
        after(1e9),
        {"false_alarms": after(2.0), "recall": 0.0},
        (10.5, 8.0, 0.0, 2.0, 0.5, 0.0, 0.0, 0, 1),
    ),
    "a false alarm that saves work by luck": (
        after(3.0),
        {"false_alarms": after(2.0), "recall": 0.0},
        (14.25, 8.0, 0.5, 2.0, 0.5, 0.25, 3.0, 1, 1),
    ),
    "struck while saving itself for another reason": (
        after(2.25),
        {"false_alarms": after(2.0), "recall": 0.0},
        (15.5, 8.0, 2.0, 2.0, 0.25, 0.25, 3.0, 1, 1),
    ),
}


@pytest.mark.parametrize(("uptime", "changes", "parts"), PATHS.values(), ids=PATHS.keys())
def test_paths(uptime, changes, parts):
    job = JOB | changes
    record = simulate_predicted_job(**job, uptime=uptime, rng=stream(0))
    assert record == PredictedRecord(*parts)
    rewound = {name: v.rewound() if isinstance(v, Recorded) else v for name, v in job.items()}
    for method in ("kernel", "events"):
        (wall,) = simulate_predicted_makespans(
            **rewound, uptime=uptime.rewound(), replications=1, seed=0, method=method
        )
        assert wall == parts[0]


LAWS = {
    "exponential": {},
    "weibull": {"uptime": Weibull(0.7, 5.0)},
    "no false alarms": {"false_alarms": None},
    "dear, and at once": {"proactive_cost": 2.0, "threshold": 0.0},
    "longer than a checkpoint": {"proactive_cost": 0.75, "checkpoint_cost": 0.125},
    "alarms of another law": {"false_alarms": Gamma(0.5, 4.0), "recall": 1.0},
    "one segment": {"work": 3.0},
    "a shorter last segment": {"work": 13.0, "downtime": Deterministic(2.0)},
}


@pytest.mark.parametrize("changes", LAWS.values(), ids=LAWS.keys())
def test_the_compiled_loop_is_the_readable_model_bit_by_bit(changes):
    job = RANDOM | changes
    walls = [
        simulate_predicted_makespans(**job, replications=150, seed=3, method=method)
        for method in ("kernel", "events")
    ]
    np.testing.assert_array_equal(*walls)


@pytest.mark.parametrize(
    "changes",
    [
        {"recall": 0.5},
        {"threshold": 1.0},
        {"false_alarms": None},
        {"proactive_cost": 0.3},
        {"recovery_cost": 0.25},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_the_comparison_can_detect_another_rule(changes):
    right = simulate_predicted_makespans(**RANDOM, replications=20, seed=3)
    wrong = simulate_predicted_makespans(**RANDOM | changes, replications=20, seed=3)
    assert not np.array_equal(right, wrong)


@settings(deadline=None, max_examples=examples(240))
@given(
    st.integers(0, 10**6),
    st.floats(0.0, 1.0),
    st.floats(0.0, 2.0),
    st.floats(0.0, 5.0),
    st.floats(0.0, 1.0),
)
def test_every_moment_is_accounted_for(seed, recall, cost, threshold, downtime):
    changes = {"recall": recall, "proactive_cost": cost, "threshold": threshold}
    job = RANDOM | changes | {"downtime": downtime}
    record = simulate_predicted_job(**job, rng=stream(seed))
    parts = (
        record.work,
        record.rework,
        record.checkpoint_time,
        record.proactive_time,
        record.recovery_time,
        record.downtime,
    )
    assert sum(parts) == pytest.approx(record.makespan, rel=1e-12)
    assert record.work == pytest.approx(job["work"], rel=1e-12)
    assert min(parts) >= 0.0


def test_without_predictions_it_is_the_plain_job():
    shared = {
        "interval": 4.0,
        "uptime": Exponential(6.0),
        "checkpoint_cost": 0.5,
        "recovery_cost": 0.5,
        "downtime": 1.0,
        "replications": 20_000,
    }
    deaf = {"recall": 0.0, "false_alarms": None, "proactive_cost": 0.1, "threshold": 0.0}
    predicted = simulate_predicted_makespans(13.0, seed=1, **shared, **deaf)
    plain = simulate_makespans(13.0, seed=2, **shared)
    error = np.hypot(predicted.std(), plain.std()) / np.sqrt(20_000)
    assert abs(predicted.mean() - plain.mean()) < 5.0 * error


def test_same_seed_same_bytes_and_more_only_append():
    few = simulate_predicted_makespans(**RANDOM, replications=5, seed=9)
    more = simulate_predicted_makespans(**RANDOM, replications=300, seed=9)
    np.testing.assert_array_equal(few, more[:5])


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"recall": 1.5}, ValueError, r"recall must be in \[0, 1\], got 1\.5"),
        ({"threshold": -1.0}, ValueError, "threshold must be finite and >= 0"),
        ({"proactive_cost": -1.0}, ValueError, "proactive_cost must be finite and >= 0"),
        ({"uptime": 5.0}, TypeError, r"uptime must be a sampler, got 5\.0"),
        ({"false_alarms": 5.0}, TypeError, r"false_alarms must be a sampler, got 5\.0"),
        (
            {"uptime": Recorded([2.0])},
            RuntimeError,
            "durations must be enough for the replication, got only 1; with",
        ),
        (
            {"downtime": Recorded([0.5])},
            RuntimeError,
            "durations must be enough for the replication, got only 1; with",
        ),
        ({"method": "magic"}, ValueError, "method must be one of kernel, events"),
    ],
)
def test_refusals(changes, error, message):
    with pytest.raises(error, match=message):
        simulate_predicted_makespans(**RANDOM | changes, replications=1, seed=0)


@pytest.mark.parametrize("method", ["kernel", "events"])
def test_a_job_without_end_is_given_up(method, monkeypatch):
    for module in (predicted_job, _replications):
        monkeypatch.setattr(module, "FAILURES_LIMIT", 100)
    job = RANDOM | {"uptime": Deterministic(0.2)}
    with pytest.raises(RuntimeError, match="the job must end within"):
        simulate_predicted_makespans(**job, replications=1, seed=0, method=method)
