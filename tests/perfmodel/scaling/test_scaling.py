import numpy as np
import pytest

from perfmodel import (
    ValidityWarning,
    efficiency,
    expected_speedup,
    optimal_interval,
    optimal_nodes,
    optimal_nodes_first_order,
)

JOB = {"sequential_share": 0.01, "node_mtbf": 1e5, "checkpoint_cost": 5.0}


def test_without_failures_it_is_the_law():
    free = {**JOB, "node_mtbf": np.inf}
    np.testing.assert_allclose(expected_speedup(50, **free), 1.0 / (0.01 + 0.99 / 50), rtol=1e-15)
    np.testing.assert_allclose(expected_speedup(50, law="gustafson", **free), 0.01 + 0.99 * 50)


def test_it_is_the_efficiency_at_the_best_interval_times_the_law():
    costs = {"checkpoint_cost": 5.0, "recovery_cost": 7.0, "downtime": 20.0, "mtbf": 2000.0}
    best = optimal_interval(mtbf=2000.0, checkpoint_cost=5.0)
    known = efficiency(best, interval=best, **costs) / (0.01 + 0.99 / 50)
    found = expected_speedup(50, recovery_cost=7.0, downtime=20.0, **JOB)
    np.testing.assert_allclose(found, known, rtol=1e-13)


def test_a_cost_per_node_adds_up():
    several = expected_speedup(50, **{**JOB, "checkpoint_cost": 2.0}, checkpoint_cost_per_node=0.06)
    np.testing.assert_allclose(several, expected_speedup(50, **JOB), rtol=1e-14)


@pytest.mark.parametrize("law", ["amdahl", "gustafson"])
@pytest.mark.parametrize("most", [7, 999, 1001, 5000])
@pytest.mark.parametrize("per_node", [0.0, 0.01, 10.0])
def test_no_other_number_up_to_the_most_is_better(law, most, per_node):
    job = {**JOB, "law": law, "checkpoint_cost_per_node": per_node, "downtime": 30.0}
    found = expected_speedup(np.arange(1, most + 1), **job)
    assert optimal_nodes(most=most, **job) == np.argmax(found) + 1


def test_where_more_nodes_always_help_all_are_used():
    free = {"sequential_share": 0.0, "node_mtbf": 1e9, "checkpoint_cost": 0.0}
    assert optimal_nodes(most=4321, **free) == 4321
    assert optimal_nodes_first_order(sequential_share=0.1, node_mtbf=1e9) == np.inf


@pytest.mark.parametrize("share", [0.01, 0.3, 0.8])
@pytest.mark.parametrize("costs", [(1.0, 0.0), (0.0, 1.0), (0.0, 1e-3)])
def test_the_first_order_tends_to_the_optimum_for_any_sequential_share(share, costs):
    job = {"sequential_share": share, "node_mtbf": 1e13, "checkpoint_cost": costs[0]}
    job["checkpoint_cost_per_node"] = costs[1]
    found = float(optimal_nodes_first_order(**job))
    assert found == pytest.approx(optimal_nodes(**job), rel=5e-3)


def test_the_first_order_is_near_where_costs_are_small():
    year = 365.0 * 86400.0
    job = {"sequential_share": 1e-3, "node_mtbf": 10 * year}
    fixed = optimal_nodes_first_order(checkpoint_cost=0.06, **job)
    np.testing.assert_allclose(fixed, optimal_nodes(checkpoint_cost=0.06, **job), rtol=0.02)
    with pytest.warns(ValidityWarning, match="is beyond 0.1"):
        optimal_nodes_first_order(checkpoint_cost=6000.0, **job)


def test_arguments_broadcast():
    found = expected_speedup([[1], [50]], **{**JOB, "downtime": [0.0, 20.0, 1e9]})
    assert found.shape == (2, 3)
    np.testing.assert_allclose(found[1, 0], expected_speedup(50, **JOB), rtol=1e-15)


def test_failures_without_end_leave_free_checkpoints_as_they_are():
    machine = {"sequential_share": 0.0, "node_mtbf": 1e-296}
    assert expected_speedup(15_918_103_943_709, **machine, checkpoint_cost=0.0) > 0.0
    assert expected_speedup(15_918_103_943_709, **machine, checkpoint_cost=1e-100) == 0.0
