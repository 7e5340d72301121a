import pytest

from perfmodel import plan, plans
from perfmodel.units import DURATIONS

TABLES = {
    "machine": {"nodes": [100, 200], "bandwidth": ["1GB/s", "2GB/s"]},
    "failures": {"node_mtbf": "1y"},
    "job": {"node_work": "3y"},
    "checkpoint": {"size": "300GB"},
}


def test_each_combination_is_the_plan_of_its_own_scenario():
    found = plans(TABLES)
    assert [tuple(each.values.values()) for each in found] == [
        (100, "1GB/s"),
        (100, "2GB/s"),
        (200, "1GB/s"),
        (200, "2GB/s"),
    ]
    alone = plan({**TABLES, "machine": {"nodes": 200, "bandwidth": "1GB/s"}}, brief=True)
    assert found[2].plan == alone
    assert alone.job.work == 3.0 * DURATIONS["y"] / 200


def test_without_a_list_there_is_one_plan_with_all_answers():
    (found,) = plans({**TABLES, "machine": {"nodes": 100, "bandwidth": "1GB/s"}})
    assert found.values == {}
    assert found.plan.sensitivities


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], r"machine.nodes must have at least one value, got \[\]"),
        ([1] * 101, "lists must have at most 200 combinations, got 202"),
        ([[1]], r"machine.nodes must be a whole number >= 1, got \[1\]"),
        ([100, "x"], "machine.nodes must be a whole number >= 1, got 'x'"),
    ],
)
def test_lists_that_cannot_be_planned_are_refused(nodes, message):
    machine = {"nodes": nodes, "bandwidth": ["1GB/s", "2GB/s"]}
    with pytest.raises(ValueError, match=message):
        plans({**TABLES, "machine": machine})
