"""Which engine plays: the readable loop where it is through before a core would be compiled."""

import numpy as np
import pytest

from sim.cluster import POLICIES, Failures, Workload, flat, replay
from tests.support.engines import same


def all_at_once(count):
    runtime = np.arange(1.0, count + 1)
    return Workload(
        submit=np.zeros(count), runtime=runtime, walltime=runtime, processors=[1] * count
    )


@pytest.mark.parametrize(
    ("jobs", "replays", "engine"),
    [(50, None, "kernel"), (50, 1, "general"), (50, 700, "general"), (50, 800, "kernel")],
)
def test_few_small_replays_are_not_compiled(jobs, replays, engine):
    assert replay(all_at_once(jobs), flat(2), replays=replays).engine == engine


@pytest.mark.parametrize(
    "failures", [None, Failures(np.arange(20.0, 7000.0, 30.0), [0] * 233, [3.0] * 233)]
)
@pytest.mark.parametrize(("replays", "engine"), [(1, "general"), (100, "kernel")])
def test_a_queue_that_gets_long_is_left_to_the_core(replays, engine, failures):
    jobs, told = all_at_once(120), []
    asked = {"policy": "conservative", "failures": failures}
    found = replay(jobs, flat(1), **asked, replays=replays, progress=told.append)
    assert found.engine == engine
    assert told[-1] == len(jobs)
    same(found, replay(jobs, flat(1), **asked, engine="general"))


def test_an_engine_that_is_asked_for_plays():
    jobs = all_at_once(5)
    for engine in ("kernel", "general"):
        assert replay(jobs, flat(2), engine=engine, replays=1).engine == engine
    ordered = POLICIES["easy"].__class__(order=lambda cluster: cluster.queue)
    assert replay(jobs, flat(2), policy=ordered, replays=1).engine == "general"
