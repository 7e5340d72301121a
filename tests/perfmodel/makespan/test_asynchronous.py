import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfmodel import (
    expected_makespan,
    expected_makespan_async,
    makespan_variance,
    makespan_variance_async,
)
from perfmodel.lifetimes import LogNormal

RULES = ("overlap", "single_buffer", "skip")
FUNCTIONS = (expected_makespan_async, makespan_variance_async)
JOB = {"interval": 2.0, "mtbf": 10.0, "checkpoint_cost": 0.1, "recovery_cost": 0.4}

# Computed apart from this code, with simulations of 4,000,000 jobs: interval, mtbf, cost, latency,
# downtime, recovery, segments, rule, mean, variance (of O4 a simulated one, 200.15 +- 0.16).
VECTORS = {
    "A1": (2.25, 10.0, 0.05, 1.5, 0.5, 0.4, 30, "overlap", 100.2728744042165, 149.6317916955991),
    "A2": (1.0, 5.0, 0.02, 0.9, 0.1, 0.3, 20, "overlap", 30.41150047990991, 23.10927980307021),
    "A3": (3.0, 20.0, 0.3, 3.2, 1.0, 1.0, 12, "overlap", 59.60151160988254, 154.4980970677309),
    "O1": (1.0, 10.0, 0.1, 2.0, 0.5, 0.4, 40, "overlap", 109.308734882916, 114.4530717323212),
    "O4": (1.0, 10.0, 0.1, 2.5, 0.5, 0.4, 40, "skip", 71.72469263235853, None),
    "A3 with one buffer": (*(3.0, 20.0, 0.3, 3.2, 1.0, 1.0, 12, "single_buffer", 62.437106, None),),
}


@pytest.mark.parametrize("name", VECTORS)
def test_vectors(name):
    interval, mtbf, cost, latency, down, recovery, count, rule, mean, variance = VECTORS[name]
    job = {
        "interval": interval,
        "mtbf": mtbf,
        "checkpoint_cost": cost,
        "latency": latency,
        "recovery_cost": recovery,
        "downtime": down,
        "in_flight": rule,
    }
    digits = 1e-8 if name.endswith("buffer") else 1e-14
    assert float(expected_makespan_async(count * interval, **job)) == pytest.approx(
        mean, rel=digits
    )
    if variance is not None:
        found = float(makespan_variance_async(count * interval, **job))
        assert found == pytest.approx(variance, rel=1e-13)


def test_the_variance_with_skipped_snapshots_is_that_of_a_simulation():
    job = {**JOB, "interval": 1.0, "downtime": 0.5, "latency": 2.5, "in_flight": "skip"}
    assert float(makespan_variance_async(40.0, **job)) == pytest.approx(200.15, abs=4 * 0.16)


@pytest.mark.few(2)
@pytest.mark.parametrize("rule", RULES)
@given(
    work=st.floats(0.1, 200.0),
    interval=st.floats(0.1, 50.0),
    mtbf=st.floats(1.0, 1e4),
    cost=st.floats(0.0, 5.0),
    recovery=st.floats(0.0, 5.0),
    down=st.one_of(st.floats(0.0, 5.0), st.just(LogNormal(0.0, 1.0))),
    slowdown=st.floats(0.0, 1.0),
)
def test_without_latency_it_is_the_synchronous_job(
    rule, *, work, interval, mtbf, cost, recovery, down, slowdown
):
    job = {
        "interval": interval,
        "mtbf": mtbf,
        "checkpoint_cost": cost,
        "recovery_cost": recovery,
        "downtime": down,
    }
    more = {"latency": 0.0, "slowdown": slowdown, "in_flight": rule}
    assert expected_makespan_async(work, **job, **more) == expected_makespan(work, **job)
    np.testing.assert_allclose(
        makespan_variance_async(work, **job, **more), makespan_variance(work, **job), rtol=1e-11
    )


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("rule", RULES)
def test_between_no_latency_and_a_standstill(function, rule):
    # While no rule acts; a drain is at most as bad as a longer copy.
    sync = {expected_makespan_async: expected_makespan, makespan_variance_async: makespan_variance}
    best = sync[function](20.0, **JOB)
    worst = sync[function](20.0, **{**JOB, "checkpoint_cost": 1.1})
    found = function(20.0, **JOB, latency=1.0, in_flight=rule)
    assert best < found < worst


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_full_slowdown_is_a_longer_copy(function):
    sync = {expected_makespan_async: expected_makespan, makespan_variance_async: makespan_variance}
    found = function(20.0, **JOB, latency=1.0, slowdown=1.0)
    # But for the last drain: nothing is left to be slowed down.
    longer = sync[function](20.0, **{**JOB, "checkpoint_cost": 1.1})
    assert float(found) == pytest.approx(float(longer), rel=1e-13)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("rule", RULES)
def test_arrays_give_the_numbers_of_their_elements(function, rule):
    latency, slowdown = np.array([0.0, 1.0, 2.5, 9.0]), np.array([[0.0], [0.3], [1.0]])
    found = function(19.0, **JOB, latency=latency, slowdown=slowdown, in_flight=rule)
    assert found.shape == (3, 4)
    for i, j in np.ndindex(3, 4):
        one = function(19.0, **JOB, latency=latency[j], slowdown=slowdown[i, 0], in_flight=rule)
        assert one == found[i, j]


@pytest.mark.parametrize("rule", RULES)
def test_without_failures_it_is_the_plain_schedule(rule):
    job = {**JOB, "mtbf": np.inf, "latency": 5.0, "in_flight": rule, "work": 8.0}
    free = {"overlap": 2.1 + 3 * 5.0 + 5.0, "single_buffer": 2.1 + 3 * 5.1 + 5.0, "skip": 13.2}
    assert float(expected_makespan_async(**job)) == pytest.approx(free[rule], rel=1e-14)
    assert float(makespan_variance_async(**job)) == 0.0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_hopeless_jobs_take_for_ever(function):
    assert function(100.0, **{**JOB, "mtbf": 1e-3}, latency=1.0) == np.inf


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"latency": -1.0}, ValueError, "latency must be finite and >= 0, got -1.0"),
        ({"slowdown": 1.5}, ValueError, r"slowdown must be in \[0, 1\], got 1.5"),
        ({"in_flight": "queue"}, ValueError, "in_flight must be one of 'overlap', 'single_buffer'"),
        ({"interval": 0.0, "checkpoint_cost": 0.0}, ValueError, "interval must be > 0, got 0.0"),
        ({"latency": "1s"}, TypeError, "latency must be a number"),
        (
            {"interval": 1e-6, "in_flight": "skip"},
            ValueError,
            "work must be at most 1000000 intervals where snapshots are skipped",
        ),
    ],
)
def test_impossible_arguments_are_refused(function, changed, error, message):
    with pytest.raises(error, match=message):
        function(20.0, **{**JOB, "latency": 1.0, **changed})


@pytest.mark.parametrize("function", [expected_makespan_async, makespan_variance_async])
def test_snapshots_skipped_by_hopeless_jobs(function):
    job = {"interval": 3.0, "mtbf": 500.0, "latency": 172.0, "in_flight": "skip"}
    found = function(1e5, checkpoint_cost=[1e6, 4.2], **job)
    assert found[0] == np.inf
    assert np.isfinite(found[1])
    endless = {"mtbf": 1.0, "checkpoint_cost": 0.0, "latency": 1e300, "in_flight": "skip"}
    assert function(1e-19, interval=1e-20, **endless) == np.inf
