import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures
from sim.cluster.forecasts import (
    DetectabilityForecaster,
    QsimForecaster,
    RateForecaster,
    StatedForecaster,
)
from sim.streams import DETECTABILITY, stream
from tests.support.examples import examples
from tests.support.workloads import random_failures, seeds

NODES = 5


def answer(failures, detectability, accuracy, nodes, window):
    """Return what section 4.3 of the paper says, failure by failure."""
    start, end = window
    for time, node, repair, seen in zip(
        failures.time, failures.node, failures.repair, detectability, strict=True
    ):
        if node in nodes and time < end and time + repair > start and seen <= accuracy:
            return seen
    return 0.0


@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds, accuracy=st.sampled_from((0.0, 0.3, 0.7, 1.0)))
def test_the_partition_chosen_has_the_least_probability_of_all(rng, accuracy):
    failures = random_failures(rng, nodes=NODES)
    detectability = stream(7, *DETECTABILITY).random(len(failures))
    outlook = DetectabilityForecaster(accuracy, 7).outlook(failures, NODES)
    free = np.flatnonzero(rng.random(NODES) < 0.8)
    start, length = rng.integers(0, 40), rng.integers(1, 30)
    for count in range(1, free.size + 1):
        nodes, chance = outlook.choose(free, count, start, start + length)
        window = (start, start + length)
        assert len(set(nodes.tolist())) == count
        assert set(nodes.tolist()) <= set(free.tolist())
        assert chance == answer(failures, detectability, accuracy, nodes, window)
        assert chance <= accuracy == outlook.ceiling
        assert chance == min(
            answer(failures, detectability, accuracy, some, window)
            for some in itertools.combinations(free.tolist(), count)
        )


def test_detectability_belongs_to_the_failure_and_not_to_the_accuracy():
    failures = Failures(np.arange(1.0, 200.0), np.zeros(199, dtype=np.int64), np.zeros(199))

    def seen(accuracy):
        outlook = DetectabilityForecaster(accuracy, 3).outlook(failures, 1)
        return [outlook.risk(np.array([0]), t - 0.5, t) for t in failures.time]

    all_of_them, some = np.array(seen(1.0)), np.array(seen(0.4))
    np.testing.assert_array_equal(some, np.where(all_of_them <= 0.4, all_of_them, 0.0))
    assert seen(0.4) == seen(0.4)
    assert 0.3 < np.mean(some > 0.0) < 0.5


def test_the_first_seen_failure_speaks_and_the_window_is_open_at_its_start():
    failures = Failures(np.array([5.0, 8.0]), np.array([0, 1]), np.array([2.0, 2.0]))
    outlook = DetectabilityForecaster(1.0, 0).outlook(failures, 2)
    first, second = stream(0, *DETECTABILITY).random(2)
    both = np.array([0, 1])
    assert outlook.risk(both, 0.0, 10.0) == first
    assert outlook.risk(both, 5.0, 10.0) == second
    assert outlook.risk(both, 0.0, 5.0) == first
    assert outlook.risk(both, 0.0, 4.9) == 0.0
    # A node still out at the start breaks a promise too.
    assert outlook.choose(both, 2, 6.9, 7.5)[1] == first
    assert outlook.choose(both, 2, 7.0, 8.0)[1] == 0.0


def test_stated_qualities_give_one_of_two_numbers():
    failures = Failures(np.array([5.0]), np.array([0]), np.array([1.0]))
    outlook = StatedForecaster(QsimForecaster(0.7, 0.9)).outlook(failures, 3)
    nodes, chance = outlook.choose(np.arange(3), 2, 0.0, 10.0)
    assert (nodes.tolist(), round(chance, 12)) == ([1, 2], 0.1)
    assert outlook.choose(np.arange(3), 3, 0.0, 10.0)[1] == 0.7
    assert outlook.risk(np.array([0]), 4.0, 5.0) == 0.7
    worse = StatedForecaster(QsimForecaster(0.1, 0.2)).outlook(failures, 3)
    assert worse.choose(np.arange(3), 1, 0.0, 10.0)[0].tolist() == [0]


def test_a_rate_gives_the_exponential_law_and_prefers_good_nodes():
    outlook = RateForecaster((0.3, 0.1, 0.2)).outlook(None, 3)
    nodes, chance = outlook.choose(np.arange(3), 2, 4.0, 6.0)
    assert nodes.tolist() == [1, 2]
    assert chance == pytest.approx(1.0 - np.exp(-0.6), rel=1e-15)
    assert outlook.changes.size == 0
