import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import (
    ValidityWarning,
    best_segments,
    best_window_segments,
    expected_makespan,
    optimal_pattern_two_levels,
    optimal_period_windows,
    pairs_crossover,
    recommend,
    waste_windows,
)
from tests.support.examples import examples

COSTS = {"mtbf": 5.0, "checkpoint_cost": 0.5, "recovery_cost": 0.4, "downtime": 0.3}


def times(work=20.0, **job):
    return {p.protocol: p.expected_time for p in recommend(work, quantity=None, **job).protocols}


def crossover(protocol, **job):
    (found,) = (p.crossover for p in recommend(**job).protocols if p.protocol == protocol)
    return found


def test_a_snapshot_that_is_durable_at_once_is_a_synchronous_checkpoint():
    found = times(**COSTS, snapshot_cost=0.5, latency=0.0)
    assert found["asynchronous"] == pytest.approx(found["synchronous"], rel=1e-13)


def test_a_local_copy_that_survives_all_failures_is_a_checkpoint():
    found = times(**COSTS, local_cost=0.5, survived=1.0, local_recovery=0.4)
    assert found["two_levels"] == pytest.approx(found["synchronous"], rel=1e-13)


def test_a_local_copy_that_survives_no_failure_is_not_written():
    found = times(**COSTS, local_cost=0.1, survived=0.0, local_recovery=0.4)
    assert found["two_levels"] == pytest.approx(found["synchronous"], rel=1e-13)


def test_the_synchronous_protocol_writes_the_best_number_of_segments():
    found = recommend(20.0, quantity=None, **COSTS)
    count = float(best_segments(20.0, mtbf=5.0, checkpoint_cost=0.5))
    assert found.best.protocol == "synchronous"
    assert found.best.segments == count
    assert found.best.interval == pytest.approx(20.0 / count)
    mean = float(expected_makespan(20.0, interval=20.0 / count, **COSTS))
    assert found.best.expected_time == pytest.approx(mean, rel=1e-14)
    assert found.best.overhead == pytest.approx(mean / 20.0 - 1.0)
    assert found.best.efficiency == pytest.approx(20.0 / mean)
    assert (found.best.regret, found.best.crossover, found.best.error) == (0.0, None, 0.0)


def test_a_long_job_gets_the_pattern_of_a_long_job():
    levels = {"local_cost": 0.01, "survived": 0.9, "local_recovery": 0.02}
    best = optimal_pattern_two_levels(mtbf=5.0, durable_cost=0.5, **levels)
    plans = recommend(1e5, quantity=None, **COSTS, **levels).protocols
    (found,) = (plan for plan in plans if plan.protocol == "two_levels")
    assert found.durable_every == best.durable_every
    assert found.interval == pytest.approx(best.interval, rel=1e-3)


def test_a_job_too_short_for_a_checkpoint_gets_none():
    found = recommend(0.5, **COSTS, quantity="work")
    assert [plan.protocol for plan in found.protocols] == ["single_segment", "synchronous"]
    assert found.protocols[1].regret == 0.0
    longer = found.protocols[1].crossover
    assert longer > 0.5
    assert best_segments(longer * 0.999, mtbf=5.0, checkpoint_cost=0.5) == 1.0
    assert best_segments(longer * 1.001, mtbf=5.0, checkpoint_cost=0.5) == 2.0


def test_the_order_turns_round_at_the_crossover():
    job = {**COSTS, "snapshot_cost": 0.1}
    at = crossover("asynchronous", work=20.0, latency=2.0, quantity="latency", **job)
    assert recommend(20.0, latency=at * 1.001, quantity=None, **job).best.protocol == "synchronous"
    assert recommend(20.0, latency=at * 0.999, quantity=None, **job).best.protocol == "asynchronous"


def test_a_long_job_takes_to_pairs_where_machines_do():
    costs = {"checkpoint_cost": 0.5, "recovery_cost": 0.4, "downtime": 0.3}
    at = crossover("pairs", work=1e4, mtbf=5.0, nodes=20, **costs)
    assert at == pytest.approx(pairs_crossover(20, **costs) / 20.0, rel=1e-3)


def test_the_order_turns_round_at_that_number_of_nodes():
    costs = {"checkpoint_cost": 0.5, "recovery_cost": 0.4, "downtime": 0.3}
    node_mtbf = 100.0
    at = crossover("pairs", work=40.0, mtbf=node_mtbf / 20, nodes=20, quantity="nodes", **costs)
    assert at > 20.0
    assert at == int(at)
    pairs, single = [], []
    for nodes in (int(at) - 1, int(at)):
        found = times(40.0, mtbf=node_mtbf / nodes, nodes=nodes, **costs)
        pairs.append(found["pairs"])
        single.append(found["synchronous"])
    assert pairs[0] > single[0]
    assert pairs[1] < single[1]


def test_crossovers_in_nodes_are_those_in_the_mtbf():
    job = {**COSTS, "work": 20.0, "snapshot_cost": 0.1, "latency": 1.0, "nodes": 4000}
    at = crossover("synchronous", **job)
    nodes = crossover("synchronous", **job, quantity="nodes")
    assert nodes == pytest.approx(4000 * 5.0 / at, abs=1.0)


def test_a_crossover_in_nodes_is_at_least_a_pair():
    found = [recommend(w, **COSTS, nodes=3, quantity="nodes") for w in (0.01, 2.0, 50.0)]
    at = [plan.crossover for each in found for plan in each.protocols]
    assert any(number is not None for number in at)
    assert all(number is None or number >= 2.0 for number in at)


def test_an_odd_node_is_left_over():
    even, odd = (times(**COSTS, nodes=nodes)["pairs"] for nodes in (2, 3))
    slower = 2.0 * 3.0 / 2.0 / 2.0  # a pair for three nodes, not for two; each fails less often
    assert even < odd < slower * even


def test_predicted_failures_have_an_error_of_their_own():
    predictor = {"recall": 0.7, "precision": 0.8, "proactive_cost": 0.01}
    costs = {**COSTS, "checkpoint_cost": 0.02, "recovery_cost": 0.02, "downtime": 0.02}
    found = {p.protocol: p for p in recommend(20.0, quantity=None, **costs, **predictor).protocols}
    assert found["predicted"].expected_time < found["synchronous"].expected_time
    assert found["predicted"].error == pytest.approx(0.22 * found["predicted"].overhead)
    with pytest.warns(ValidityWarning, match="disturbances per period"):
        far = recommend(20.0, quantity=None, **{**COSTS, "mtbf": 1.0}, **predictor)
    assert [p.error for p in far.protocols if p.protocol == "predicted"] == [math.inf]


PREDICTOR = {"recall": 0.7, "precision": 0.8, "proactive_cost": 0.01}


def test_a_window_takes_time_and_is_cut_where_that_pays():
    costs = {"mtbf": 30.0, "checkpoint_cost": 0.1, "recovery_cost": 0.02, "downtime": 0.02}
    windows = (0.0, 1e-9, 1.0, 4.0)
    found = [times(200.0, **costs, **PREDICTOR, window=w)["predicted"] for w in windows]
    assert found[1] == pytest.approx(found[0], rel=1e-9)
    assert found[1] < found[2] < found[3] < times(200.0, **costs)["synchronous"]
    job = {name: costs[name] for name in ("mtbf", "checkpoint_cost")}
    segments = best_window_segments(**job, **PREDICTOR, window=4.0)
    assert segments > 3
    period = (
        200.0
        / round(
            200.0
            / (
                optimal_period_windows(**job, **PREDICTOR, window=4.0, window_segments=segments)
                - 0.1
            )
        )
        + 0.1
    )
    waste = waste_windows(period, **costs, **PREDICTOR, window=4.0, window_segments=segments)
    assert found[3] == pytest.approx(200.0 / (1.0 - waste), rel=1e-3)


SKIPPED = {"checkpoint_cost": 1e-3, "snapshot_cost": 1.6e-7, "latency": 0.185, "in_flight": "skip"}


def test_a_protocol_that_cannot_be_computed_is_left_out():
    found = recommend(1e6, mtbf=0.453, **SKIPPED, local_cost=1e-4, survived=0.9)
    ((name, reason),) = found.left_out
    assert name == "asynchronous"
    assert reason.startswith("work must be at most 1000000 intervals where snapshots are skipped")
    others = recommend(1e6, mtbf=0.453, checkpoint_cost=1e-3, local_cost=1e-4, survived=0.9)
    assert found.protocols == others.protocols


@pytest.mark.slow
def test_a_crossover_is_searched_as_far_as_both_can_be_computed():
    found = recommend(39.5, mtbf=0.453, **SKIPPED)
    assert found.left_out == ()
    assert {plan.protocol for plan in found.protocols} >= {"asynchronous", "synchronous"}
    job = {"mtbf": 0.453, **SKIPPED}
    near = recommend(39.5, **job, quantity="latency")
    assert all(plan.crossover is None or plan.crossover > 0.0 for plan in near.protocols)


def test_a_job_of_more_segments_than_are_searched_has_as_many_as_it_takes():
    job = {"mtbf": 100.0, "checkpoint_cost": 0.1, "snapshot_cost": 0.01, "latency": 0.1}
    job |= {"local_cost": 1e-3, "survived": 0.9, "nodes": 8, **PREDICTOR, "quantity": None}
    short = {plan.protocol: plan for plan in recommend(1e12, **job).protocols}
    for plan in recommend(1e12 * 2.0**40, **job).protocols:
        known = short[plan.protocol]
        if plan.protocol != "single_segment":
            assert plan.segments > 1e20
            assert plan.interval == pytest.approx(known.interval, rel=1e-9)
            assert plan.overhead == pytest.approx(known.overhead, rel=1e-6)


def test_times_beyond_any_float_are_last():
    found = recommend(1e4, mtbf=1.0, checkpoint_cost=0.1)
    assert found.best.protocol == "synchronous"
    assert found.protocols[1].expected_time == math.inf
    assert found.protocols[1].efficiency == 0.0


@pytest.mark.few(3)
@pytest.mark.parametrize("survived", [1e-6, 0.5, 0.99])
@pytest.mark.parametrize("local_cost", [239.9, 240.0, 600.0])
def test_a_local_copy_that_gains_nothing_does_not_win_by_a_rounding(local_cost, survived):
    job = {"mtbf": 32_400.0, "checkpoint_cost": 240.0, "recovery_cost": 300.0, "downtime": 600.0}
    local = {"local_cost": local_cost, "survived": survived, "local_recovery": 300.0}
    found = {plan.protocol: plan for plan in recommend(172_800.0, **job, **local).protocols}
    if found["two_levels"].durable_every == 1.0:
        assert [*found][:2] == ["synchronous", "two_levels"]
        assert found["synchronous"].regret == 0.0
    else:
        assert survived > 0.5
        assert [*found][:2] == ["two_levels", "synchronous"]


@settings(deadline=None, max_examples=examples(60))
@given(
    st.floats(1e-3, 0.3), st.floats(1.0, 100.0), st.floats(1e-9, 0.9),
    st.sampled_from([0.5, 0.99, 1.0, 2.0]), st.sampled_from([0.0, 1.0]),
)  # fmt: skip
def test_none_is_shorter_than_the_best_and_near_ties_go_to_the_simplest(
    cost, work, survived, local, read
):
    job = {"mtbf": 1.0, "checkpoint_cost": cost, "recovery_cost": read * cost}
    local = {"local_cost": local * cost, "survived": survived, "local_recovery": read * cost}
    found = recommend(work, **job, **local, quantity=None).protocols
    assert found[0].regret == 0.0
    assert all(plan.regret >= 0.0 for plan in found)
    simple = ["single_segment", "synchronous", "two_levels"]
    for first, second in itertools.pairwise(found):
        if first.expected_time == second.expected_time:
            assert simple.index(first.protocol) < simple.index(second.protocol)


def test_where_all_times_are_beyond_any_float_none_is_regretted():
    found = recommend(1e6, mtbf=1e-3, checkpoint_cost=0.1, recovery_cost=1.0)
    assert {plan.expected_time for plan in found.protocols} == {math.inf}
    assert {plan.regret for plan in found.protocols} == {0.0}


@pytest.mark.parametrize("unit", [1e-248, 1e-9, 1e9, 1e240])
def test_the_unit_of_time_does_not_matter(unit):
    job = {**COSTS, "work": 20.0, "snapshot_cost": 0.1, "latency": 0.6, "local_cost": 0.05}
    scaled = {name: unit * value for name, value in job.items()}
    one, other = (times(**each, survived=0.7, nodes=6) for each in (job, scaled))
    assert list(one) == list(other)
    np.testing.assert_allclose(
        [unit * time for time in one.values()], list(other.values()), rtol=1e-9
    )


@pytest.mark.parametrize("unit", [3600.0, 1e-248, 1e240])
def test_a_crossover_has_the_unit_of_its_quantity(unit):
    job = {**COSTS, "work": 20.0, "snapshot_cost": 0.1, "latency": 0.6}
    one, other = (
        crossover("synchronous", quantity="latency", **{k: size * v for k, v in job.items()})
        for size in (1.0, unit)
    )
    assert other == pytest.approx(unit * one, rel=1e-8)


def test_a_reason_has_the_numbers_that_were_given():
    job = {"mtbf": 3e-200, "checkpoint_cost": 1e-201, "downtime": 1e-80}
    (found,) = recommend(1e-199, **job, nodes=4).left_out
    assert found[0] == "pairs"
    assert found[1].endswith(" within a factor of 1e+100, got 1e-201 and 1e-80")
