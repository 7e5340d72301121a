"""Workloads, machines and results of replays go to other processes and back."""

import pickle

import numpy as np
import pytest

from sim.cluster import Failures, Periodic, Workload, flat, replay
from sim.cluster.forecasts import DetectabilityForecaster
from sim.cluster.grid import ClusterSpec, Grid, replay_grid
from sim.cluster.promises import replay_promises
from sim.traces import Trace
from sim.traces.parsing import Findings

JOBS = Workload(
    submit=[0, 1, 2],
    runtime=[9, 5, 4],
    walltime=[10, 5, 8],
    processors=[3, 4, 1],
    dropped={"never_ran": 2},
)
STRIKE = Failures([3.0], [0], [2.0])
GRID = Grid((ClusterSpec("a", 4, queues={"short": 60.0}),))


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def assert_equal(first, second):
    for name in first.__dataclass_fields__:
        mine, other = getattr(first, name), getattr(second, name)
        if isinstance(mine, np.ndarray):
            np.testing.assert_array_equal(mine, other)
            assert mine.dtype == other.dtype
            assert mine.flags.writeable == other.flags.writeable
        else:
            assert dict(mine) == dict(other)


def test_a_workload_comes_back_as_read_only_as_it_went():
    found = again(JOBS)
    assert_equal(JOBS, found)
    with pytest.raises(TypeError):
        found.dropped["never_ran"] = 3
    with pytest.raises(ValueError, match="read-only"):
        found.submit[0] = 1.0


@pytest.mark.parametrize("engine", ["kernel", "general"])
def test_a_replay_comes_back_with_its_metrics(engine):
    done = replay(JOBS, flat(4), policy="easy", engine=engine)
    found = again(done)
    assert found.metrics == done.metrics
    assert found.jobs.equals(done.jobs)
    assert found.attempts.equals(done.attempts)


def test_a_replay_with_failures_comes_back():
    done = replay(
        JOBS, flat(4), policy="easy", failures=STRIKE, checkpointing=Periodic(2.0, 0.1, 0.1)
    )
    assert again(done).metrics == done.metrics


def test_promises_come_back():
    done = replay_promises(
        JOBS,
        processors=4,
        forecaster=DetectabilityForecaster(0.5, 1),
        confidence=0.5,
        failures=STRIKE,
        checkpoint_interval=10.0,
        checkpoint_cost=1.0,
    )
    found = again(done)
    assert found.quality_of_service == done.quality_of_service
    assert found.replay.metrics == done.replay.metrics


@pytest.mark.parametrize("policy", ["fcfs", "ls"])
def test_a_grid_and_what_ran_on_it_come_back(policy):
    done = replay_grid(JOBS, GRID, policy=policy, seed=1, failures=None)
    assert again(done).metrics == done.metrics
    (cluster,) = again(GRID).clusters
    assert cluster == GRID.clusters[0]
    with pytest.raises(TypeError):
        cluster.queues["short"] = 1.0


def test_a_trace_without_a_header_comes_back():
    report = Findings().report("log", records=0, rows=0, strict=False)
    found = again(Trace(JOBS.submit, report))
    assert (dict(found.header), found.report) == ({}, report)
