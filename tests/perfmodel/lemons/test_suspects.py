import numpy as np
import pytest

from perfmodel import bad_node_power, bad_nodes

MACHINE = {"nodes": 100, "node_mtbf": 2.5, "lemon_factor": 5.0, "lemons": 15}


def test_powers_of_another_program():
    found = [bad_node_power(1.0, **MACHINE, baseline=which) for which in ("known", "estimated")]
    np.testing.assert_allclose(found, [0.052653017343711125, 0.030376260736333816], rtol=1e-12)


def test_a_node_that_fails_as_often_is_rarely_called_bad():
    # Each of n nodes may take its part of the level, and a count is whole.
    found = bad_node_power(
        [0.1, 3.0, 300.0], nodes=50, node_mtbf=1.0, lemon_factor=1.0, false_alarm=0.1
    )
    assert (found > 0.0).all()
    assert (found <= 0.1 / 50).all()


def test_long_observation_finds_a_bad_node_that_is_alone():
    found = bad_node_power([1.0, 30.0, 1e4], nodes=1000, node_mtbf=30.0, lemon_factor=3.0)
    assert (np.diff(found) > 0.0).all()
    assert found[-1] == pytest.approx(1.0, abs=1e-9)


def test_where_all_nodes_are_bad_none_is_found_without_a_baseline():
    given = {"nodes": 20, "node_mtbf": 1.0, "lemon_factor": 10.0, "lemons": 20}
    assert bad_node_power(50.0, **given) <= 0.05 / 20
    assert bad_node_power(50.0, **given, baseline="known") == pytest.approx(1.0, abs=1e-12)


@pytest.mark.slow
def test_the_mean_of_very_many_failures_takes_no_time():
    found = bad_node_power(1e9, nodes=1000, node_mtbf=1.0, lemon_factor=1.0003)
    assert 0.9 < found <= 1.0


def test_no_failure_at_all_and_a_single_node():
    assert bad_nodes([0, 0, 0]).probability.tolist() == [1.0, 1.0, 1.0]
    assert not bad_nodes([7]).bad.any()
    assert bad_nodes([7], node_mtbf=1.0).bad.all()


def test_a_node_observed_for_long_may_fail_more_often():
    counts = [9, 1, 0, 2, 1, 0, 2]
    assert bad_nodes(counts).bad.tolist() == [True] + 6 * [False]
    assert not bad_nodes(counts, observed=[8.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]).bad.any()


def test_times_neither_overflow_nor_vanish():
    counts = [9, 1, 0, 2, 1, 0, 2]
    for unit in (1e-308, 1e308):
        found = bad_nodes(counts, observed=7 * [unit])
        np.testing.assert_array_equal(found.probability, bad_nodes(counts).probability)
