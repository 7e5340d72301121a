"""Chains against jobs of equal segments, at their ends, and what is refused."""

import numpy as np
import pytest

from perfmodel import (
    best_segments,
    expected_makespan,
    expected_makespan_chain,
    makespan_variance,
    makespan_variance_chain,
    optimal_checkpoints_chain,
)

COSTS = {"mtbf": 9.0, "downtime": 0.5}


@pytest.mark.parametrize("tasks", [1, 7])
def test_equal_tasks_are_the_segments_of_a_job(tasks):
    chain = {
        "works": [2.0] * tasks,
        "checkpoint_after": [True] * tasks,
        "checkpoint_costs": 0.3,
        "recovery_costs": 0.4,
        "input_recovery": 0.4,
        **COSTS,
    }
    job = {"interval": 2.0, "checkpoint_cost": 0.3, "recovery_cost": 0.4, **COSTS}
    work = 2.0 * tasks
    assert expected_makespan_chain(**chain) == pytest.approx(
        expected_makespan(work, **job), rel=1e-14
    )
    assert makespan_variance_chain(**chain) == pytest.approx(
        makespan_variance(work, **job), rel=1e-13
    )


def test_a_fine_chain_has_as_many_checkpoints_as_the_best_job():
    plan = optimal_checkpoints_chain(np.full(600, 0.1), checkpoint_costs=0.2, **COSTS)
    best = int(best_segments(60.0, mtbf=9.0, checkpoint_cost=0.2))
    assert plan.checkpoint_after.sum() == best
    assert plan.expected_makespan == pytest.approx(
        expected_makespan(60.0, interval=60.0 / best, checkpoint_cost=0.2, **COSTS), rel=1e-4
    )


def test_without_failures_nothing_is_written_but_the_last():
    plan = optimal_checkpoints_chain([1.0, 2.0, 3.0], mtbf=np.inf, checkpoint_costs=0.1)
    assert plan.checkpoint_after.tolist() == [False, False, True]
    assert plan.expected_makespan == pytest.approx(6.1)


def test_free_checkpoints_and_tasks_without_work():
    plan = optimal_checkpoints_chain([1.0, 0.0, 3.0], checkpoint_costs=0.0, **COSTS)
    assert plan.checkpoint_after[[0, 2]].tolist() == [True, True] or plan.checkpoint_after[1]
    flags = [True, True, True]
    chain = {"works": [1.0, 0.0, 3.0], "checkpoint_costs": 0.0, **COSTS}
    assert expected_makespan_chain(checkpoint_after=flags, **chain) == pytest.approx(
        plan.expected_makespan, rel=1e-15
    )


def test_a_hopeless_chain_takes_for_ever():
    assert expected_makespan_chain(
        [1e4, 1.0], checkpoint_after=[False, False], mtbf=1.0, checkpoint_costs=0.1
    ) == float("inf")


def test_too_long_a_chain_is_refused():
    with pytest.raises(ValueError, match="works must be at most 5000 tasks, got 5001"):
        optimal_checkpoints_chain(np.ones(5001), mtbf=9.0, checkpoint_costs=0.1)


@pytest.mark.parametrize(
    "name", ["works", "checkpoint_costs", "recovery_costs", "input_recovery", "downtime", "mtbf"]
)
@pytest.mark.parametrize("bad", [np.nan, -1.0, "1"])
def test_each_time_is_refused_by_its_name(name, bad):
    chain = {"works": [1.0, 2.0], "checkpoint_costs": [0.1, 0.2], "recovery_costs": [0.1, 0.2]}
    chain |= {"input_recovery": 0.1, "downtime": 0.1, "mtbf": 9.0}
    given = [1.0, bad] if isinstance(chain[name], list) else bad
    with pytest.raises((TypeError, ValueError), match=rf"^{name} must be "):
        expected_makespan_chain(checkpoint_after=[True, False], **{**chain, name: given})
    with pytest.raises((TypeError, ValueError), match=rf"^{name} must be "):
        optimal_checkpoints_chain(**{**chain, name: given})
