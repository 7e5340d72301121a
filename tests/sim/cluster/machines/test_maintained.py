"""Planned windows: no job is started that would reach into one, and nothing else changes."""

import numpy as np
import pytest

from sim.cluster import (
    Failures,
    Maintenance,
    Periodic,
    Workload,
    flat,
    maintained,
    replay,
)
from sim.records import Outcome
from sim.traces import Window
from tests.sim.cluster.failures.test_maintenance import random_windows
from tests.support.engines import same
from tests.support.workloads import ORDERS, POLICIES, random_failures, random_workload

FAR = Window(1e6, 2e6, "planned")
ALL = Window(10.0, 20.0, "planned")


def starts(jobs, windows, *, policy, nodes=4, event_order="batch"):
    known = Maintenance(windows, nodes)
    played = replay(
        jobs,
        maintained(flat(nodes), known),
        policy=policy,
        event_order=event_order,
        failures=known.failures(),
    )
    assert played.metrics["failures"] == 0
    return played.jobs["start"].tolist()


JOBS = Workload(
    submit=[0.0, 1.0, 2.0, 2.0],
    runtime=[6.0, 6.0, 5.0, 4.0],
    walltime=[6.0, 6.0, 5.0, 4.0],
    processors=[4, 4, 2, 2],
)


@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        # The second job would reach into the window; what is behind it waits, but for the fourth,
        # which ends at the very start of the window.
        ("fcfs", [0.0, 20.0, 26.0, 26.0]),
        ("easy", [0.0, 20.0, 26.0, 6.0]),
        ("conservative", [0.0, 20.0, 26.0, 6.0]),
        ("conservative-compress", [0.0, 20.0, 26.0, 6.0]),
    ],
)
def test_jobs_are_held_back_from_a_window_of_the_whole_machine(policy, expected, event_order):
    assert starts(JOBS, (ALL,), policy=policy, event_order=event_order) == expected


@pytest.mark.parametrize("policy", POLICIES)
def test_a_job_that_is_too_long_for_some_nodes_gets_others(policy):
    jobs = Workload([0.0, 0.0, 0.0], [30.0, 8.0, 9.0], [30.0, 8.0, 9.0], [1, 2, 1])
    window = Window(8.0, 20.0, "planned", ((0, 1),))
    assert starts(jobs, (window,), policy=policy) == [0.0, 0.0, 0.0]
    later = Window(7.0, 20.0, "planned", ((0, 1),))
    # Two nodes stay: the first job has one of them, and the second needs two.
    found = starts(jobs, (later,), policy=policy)
    assert found[:2] == [0.0, 20.0]
    assert found[2] == (20.0 if policy == "fcfs" else 0.0)


@pytest.mark.parametrize("policy", ["easy", "conservative"])
def test_the_head_is_not_delayed_by_jobs_behind_it(policy):
    jobs = Workload([0.0, 1.0, 2.0], [5.0, 4.0, 6.0], [5.0, 4.0, 6.0], [3, 3, 1])
    # The head fits between the end of the first job and the window; the third ends at 8.
    assert starts(jobs, (ALL,), policy=policy) == [0.0, 5.0, 2.0]
    wide = Workload([0.0, 1.0, 2.0], [5.0, 4.0, 6.0], [5.0, 4.0, 6.0], [3, 4, 1])
    assert starts(wide, (ALL,), policy=policy) == [0.0, 5.0, 20.0]


@pytest.mark.few(3)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("event_order", ORDERS)
def test_a_window_far_away_changes_no_record(policy, event_order):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        jobs = random_workload(rng, processors=6, jobs=20)
        machine = flat(6, processors_per_node=int(rng.integers(1, 3)))
        settings = {
            "policy": policy,
            "event_order": event_order,
            "failures": random_failures(rng, nodes=machine.nodes),
            "checkpointing": Periodic(3.0, 1.0, 1.0) if seed % 2 else None,
            "engine": "general",
        }
        far = maintained(machine, Maintenance((FAR,), machine.nodes))
        same(replay(jobs, far, **settings), replay(jobs, machine, **settings))


def reaching(played, known, request):
    """Return how many attempts were started whose planned end reaches into a planned window."""
    found = 0
    attempts = played.attempt_records
    for place, position, start in zip(
        attempts.placement, attempts.position, attempts.start, strict=True
    ):
        nodes = set(np.asarray(place).tolist())
        for window in known.planned():
            inside = start < window.end and start + request[position] > window.start
            found += inside and bool(nodes & set(known.members(window).tolist()))
    return found


@pytest.mark.few(3)
@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_no_job_is_started_that_would_reach_into_a_planned_window(policy, event_order):
    without = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        jobs = random_workload(rng, processors=5, jobs=20)
        known = random_windows(rng, 5, kinds=("planned",))
        settings = {"policy": policy, "event_order": event_order, "failures": known.failures()}
        played = replay(jobs, maintained(flat(5), known), **settings)
        assert played.engine == "general"
        assert reaching(played, known, jobs.walltime) == 0
        assert played.metrics["failures"] == 0
        assert set(played.job_records.outcome.tolist()) <= {Outcome.COMPLETED, Outcome.KILLED}
        time = played.node_time
        assert time.delivered + time.down + time.idle == pytest.approx(time.capacity)
        # The mutant: a machine that does not know the windows.
        unknown = replay(jobs, flat(5), **settings)
        without += reaching(unknown, known, jobs.walltime)
    assert without > 50


@pytest.mark.parametrize("policy", POLICIES)
def test_windows_beside_outages_and_failures_lose_no_job(policy):
    for seed in range(40):
        rng = np.random.default_rng(1000 + seed)
        jobs = random_workload(rng, processors=5, jobs=20)
        known = random_windows(rng, 5, kinds=("planned", "outage"))
        feed = Failures.together(known.failures(), random_failures(rng, nodes=5))
        played = replay(jobs, maintained(flat(5), known), policy=policy, failures=feed)
        assert reaching(played, known, jobs.walltime) == 0
        assert set(played.job_records.outcome.tolist()) <= {Outcome.COMPLETED, Outcome.KILLED}


def test_the_compiled_core_does_not_take_planned_windows():
    known = Maintenance((ALL,), 4)
    machine = maintained(flat(4), known)
    assert replay(JOBS, machine, failures=known.failures()).engine == "general"
    with pytest.raises(ValueError, match="for a machine of kind Maintained, got 'kernel'"):
        replay(JOBS, machine, failures=known.failures(), engine="kernel")


def test_a_machine_without_planned_windows_is_itself():
    machine = flat(4)
    assert maintained(machine, Maintenance((Window(1.0, 2.0),), 4)) is machine
    with pytest.raises(ValueError, match="maintenance must be of 4 nodes, as the machine, got 5"):
        maintained(machine, Maintenance((ALL,), 5))
    with pytest.raises(TypeError, match="machine must be a Flat"):
        maintained(4, Maintenance((ALL,), 5))
