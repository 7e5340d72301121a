"""Platforms worked out by hand."""

import numpy as np
import pytest

from sim.application import simulate_platform_failures, simulate_platform_makespans
from sim.application.nodes.renewals import failure_times
from sim.samplers import Deterministic, Exponential, Weibull


class Listed:
    """Durations from a list; the residual ones are negative in it."""

    def __init__(self, *durations):
        self._left = list(durations)

    def sample(self, rng):
        return self._left.pop(0)

    def residual(self, rng):
        return -self._left.pop(0)


def times(count, renewal, *durations):
    found = failure_times(None, Listed(*durations), 2, renewal)
    return [next(found) for _ in range(count)]


def test_a_failure_of_one_renews_all():
    assert times(3, "rejuvenated", 5.0, 3.0, 4.0, 9.0, 2.0, 6.0) == [3.0, 7.0, 9.0]


def test_a_failure_of_one_leaves_the_other_as_it_is():
    assert times(3, "from_new", 5.0, 3.0, 4.0, 9.0, 2.0) == [3.0, 5.0, 7.0]


def test_nodes_in_use_for_long_are_met_half_way():
    assert times(3, "stationary", -5.0, -3.0, 4.0, 9.0, 2.0) == [3.0, 5.0, 7.0]


@pytest.mark.parametrize(("renewal", "count"), [("rejuvenated", 2), ("from_new", 6)])
def test_constant_uptimes(renewal, count):
    found = simulate_platform_failures(
        10.0, uptime=Deterministic(4.0), nodes=3, renewal=renewal, replications=2, seed=1
    )
    assert found.tolist() == [count, count]


@pytest.mark.parametrize(
    ("renewal", "makespan"),
    # Failures at 5, 10, 15, each of both nodes. Two segments of 3 and a recovery of 0.5; with a
    # recovery of 5 none is left between two failures.
    [("rejuvenated", 8.5), ("from_new", 8.5)],
)
def test_a_job_goes_back_to_its_last_checkpoint(renewal, makespan):
    job = {"interval": 2.0, "checkpoint_cost": 1.0, "recovery_cost": 0.5}
    found = simulate_platform_makespans(
        4.0, uptime=Deterministic(5.0), nodes=2, renewal=renewal, **job, replications=1, seed=1
    )
    assert found.tolist() == [makespan]


def test_the_counts_are_those_of_the_failures_one_by_one():
    # The arrays draw in another order than the loop: their means must agree, z of 5.
    law = Weibull(0.7, 10.0)
    for renewal in ("rejuvenated", "from_new", "stationary"):
        counts = simulate_platform_failures(
            9.0, uptime=law, nodes=3, renewal=renewal, replications=4000, seed=3
        )
        loop = []
        rng = np.random.default_rng(4)
        for _ in range(2000):
            count = 0
            for time in failure_times(rng, law, 3, renewal):
                if time > 9.0:
                    break
                count += 1
            loop.append(count)
        spread = np.hypot(counts.std() / 4000**0.5, np.std(loop) / 2000**0.5)
        assert abs(counts.mean() - np.mean(loop)) < 5.0 * spread


def test_the_seed_alone_decides():
    job = {"interval": 2.0, "checkpoint_cost": 1.0, "nodes": 2, "renewal": "stationary"}
    few = simulate_platform_makespans(4.0, uptime=Exponential(9.0), **job, replications=5, seed=2)
    more = simulate_platform_makespans(4.0, uptime=Exponential(9.0), **job, replications=50, seed=2)
    np.testing.assert_array_equal(few, more[:5])


def test_refuses():
    given = {"uptime": Exponential(9.0), "nodes": 2, "replications": 1, "seed": 1}
    with pytest.raises(ValueError, match=r"renewal must be one of .*, got 'all'"):
        simulate_platform_failures(1.0, **given, renewal="all")
    with pytest.raises(ValueError, match="nodes must be a whole number >= 1, got 0"):
        simulate_platform_failures(1.0, **{**given, "nodes": 0}, renewal="from_new")
    with pytest.raises(TypeError, match=r"uptime must be a sampler, got 9\.0"):
        simulate_platform_failures(1.0, **{**given, "uptime": 9.0}, renewal="from_new")
