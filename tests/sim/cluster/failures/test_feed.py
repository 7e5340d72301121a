import math

import numpy as np
import pytest

from sim.cluster import Failures
from sim.samplers import Deterministic, Exponential, Gamma, LogNormal, Recorded, Weibull


def test_failures_are_sorted_by_time_and_ties_keep_their_order():
    failures = Failures([5.0, 1.0, 5.0], [3, 2, 1], [1.0, 2.0, 3.0])
    assert failures.time.tolist() == [1.0, 5.0, 5.0]
    assert failures.node.tolist() == [2, 3, 1]
    assert failures.repair.tolist() == [2.0, 1.0, 3.0]


def test_one_node_or_one_repair_serves_all():
    failures = Failures([1.0, 2.0], 0, 60.0)
    assert failures.node.tolist() == [0, 0]
    assert failures.repair.tolist() == [60.0, 60.0]


def test_a_sampled_node_alternates_uptimes_and_repairs():
    failures = Failures.sampled(
        nodes=1,
        uptime=Recorded([3.0, 4.0, 5.0]),
        repair=Recorded([1.0, 2.0]),
        end=12.0,
        seed=0,
        new_nodes=True,
    )
    assert failures.time.tolist() == [3.0, 8.0]
    assert failures.repair.tolist() == [1.0, 2.0]


def test_more_nodes_leave_the_first_ones_as_they_were():
    def sample(nodes):
        return Failures.sampled(
            nodes=nodes, uptime=Exponential(5.0), repair=Deterministic(1.0), end=100.0, seed=7
        )

    few, many = sample(2), sample(4)
    np.testing.assert_array_equal(few.time, many.time[many.node < 2])


def test_a_span_without_failures_gives_an_empty_feed():
    failures = Failures.sampled(
        nodes=3,
        uptime=Deterministic(9.0),
        repair=Deterministic(1.0),
        end=9.0,
        seed=0,
        new_nodes=True,
    )
    assert len(failures) == 0
    with pytest.raises(ValueError, match="nodes must be >= 1, got 0"):
        Failures.sampled(nodes=0, uptime=Deterministic(1), repair=Deterministic(1), end=9, seed=0)
    with pytest.raises(ValueError, match="end must be finite and >= start, got inf"):
        Failures.sampled(
            nodes=1, uptime=Deterministic(1), repair=Deterministic(1), end=np.inf, seed=0
        )


OLD = {
    "exponential": (Exponential(2.0), 2.0),
    "weibull 0.5": (Weibull(0.5, 1.0), 2.0),
    "weibull 0.7": (Weibull(0.7, 1.0), math.gamma(1.0 + 1.0 / 0.7)),
    "gamma": (Gamma(0.3, 4.0), 1.2),
    "lognormal": (LogNormal(0.0, 1.5), math.exp(1.125)),
}


@pytest.mark.few(4)
@pytest.mark.parametrize(("uptime", "mean"), OLD.values(), ids=OLD.keys())
@pytest.mark.parametrize("span", [0.05, 0.5, 3.0])
def test_nodes_in_use_fail_once_in_a_mean_uptime_from_the_first_second(uptime, mean, span):
    drawn = Failures.sampled(
        nodes=3_000, uptime=uptime, repair=Deterministic(0.0), end=span * mean, seed=3
    )
    each = np.bincount(drawn.node, minlength=3_000)
    assert abs(each.mean() - span) < 5.0 * each.std() / np.sqrt(3_000)


def test_new_nodes_of_a_falling_hazard_fail_more_often_at_first():
    shared = {"nodes": 2_000, "repair": Deterministic(0.0), "end": 0.1, "seed": 3}
    uptime = Weibull(0.5, 0.5)  # of mean 1
    old, new = (Failures.sampled(uptime=uptime, new_nodes=n, **shared) for n in (False, True))
    assert len(new) > 4 * len(old)


def test_a_sampler_without_ages_must_begin_new():
    rule = r"uptime must be a sampler that knows what is left .* or new_nodes be True, got "
    with pytest.raises(TypeError, match=rule):
        Failures.sampled(nodes=1, uptime=Recorded([1.0]), repair=Deterministic(1), end=9, seed=0)
