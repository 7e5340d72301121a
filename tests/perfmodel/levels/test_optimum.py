import math

import numpy as np
import pytest

from perfmodel import (
    expected_makespan_two_levels,
    optimal_interval,
    optimal_pattern_two_levels,
)

COSTS = {"mtbf": 1.0, "survived": 0.9, "local_cost": 0.01, "durable_cost": 0.2}


def slowdown(interval, every, **costs):
    work = 1000.0 * interval * every
    return expected_makespan_two_levels(work, interval=interval, durable_every=every, **costs)


@pytest.mark.parametrize(
    ("rates", "costs", "every", "interval"),
    [
        ((7.78e-6, 5.19e-7), (9.0, 438.0), 27, 1491.81949985523),
        ((8.54e-7, 2.01e-7), (15.0, 1835.0), 23, 5794.08367094304),
    ],
)
def test_the_best_pattern_of_two_machines(rates, costs, every, interval):
    # Exhaustive over counts, with Newton's method for the interval.
    machine = {"mtbf": 1 / sum(rates), "survived": rates[0] / sum(rates)}
    local, durable = costs
    found = optimal_pattern_two_levels(
        **machine, local_cost=local, durable_cost=durable, local_recovery=local
    )
    assert found.durable_every == every
    assert found.interval == pytest.approx(interval, rel=1e-12)


@pytest.mark.parametrize("recovery", [0.0, 0.5])
@pytest.mark.parametrize("survived", [0.0, 0.3, 0.9, 0.99])
def test_no_count_of_an_exhaustive_search_is_better(survived, recovery):
    costs = {**COSTS, "survived": survived, "local_recovery": recovery}
    best = optimal_pattern_two_levels(**costs)
    least = slowdown(best.interval, best.durable_every, **costs) / (
        best.interval * best.durable_every
    )
    every, interval = np.arange(1.0, 81.0)[:, None], np.geomspace(0.01, 2.0, 2000)
    others = slowdown(interval, every, **costs) / (interval * every)
    assert least <= others.min() * (1.0 + 1e-13)
    assert least >= others.min() * (1.0 - 1e-5)


def test_counts_of_which_neighbours_differ_by_rounding_are_told_apart():
    mtbf, rare = 1000.0, 4.84e-11
    costs = {"local_cost": 1.0, "durable_cost": 100000.0}
    best = optimal_pattern_two_levels(mtbf=mtbf, survived=1.0 - rare, **costs)

    def log_cost(interval, count):
        job = {"mtbf": mtbf, "survived": 1.0 - rare, **costs, "interval": interval}
        mean = expected_makespan_two_levels(interval * count, **job, durable_every=count)
        return math.log(mean / (interval * count))

    least = log_cost(best.interval, best.durable_every)
    for more in (0.5, 0.9, 0.99, 1.01, 1.1, 2.0):
        count = round(more * best.durable_every)
        for longer in (0.99, 1.0, 1.01):
            assert least <= log_cost(longer * best.interval, count) + 1e-11


def test_a_durable_checkpoint_as_cheap_as_a_local_one_is_written_every_time():
    best = optimal_pattern_two_levels(**{**COSTS, "durable_cost": 0.01})
    assert best.durable_every == 1


def test_where_no_failure_is_survived_it_is_the_interval_of_one_level():
    best = optimal_pattern_two_levels(**{**COSTS, "survived": 0.0})
    known = optimal_interval(mtbf=1.0, checkpoint_cost=0.2)
    assert best.durable_every == 1
    assert best.interval == pytest.approx(float(known), rel=1e-12)


def test_where_all_failures_are_survived_no_checkpoint_needs_to_be_durable():
    best = optimal_pattern_two_levels(**{**COSTS, "survived": 1.0})
    assert best.durable_every == math.inf
    assert best.interval == optimal_interval(mtbf=1.0, checkpoint_cost=0.01)


def test_costs_at_the_ends_are_answered():
    for cost in (1e-100, 1e-30, 1e30, 1e99):
        best = optimal_pattern_two_levels(
            mtbf=1.0, survived=0.5, local_cost=cost, durable_cost=cost
        )
        assert 0.0 < best.interval < 10.0
        assert best.durable_every >= 1.0


def test_more_local_checkpoints_than_floats_can_count_are_found():
    # Beyond 2^53 a third of what is left may be less than what a float tells apart.
    best = optimal_pattern_two_levels(
        mtbf=6.12e32, survived=1.0 - 7.22e-13, local_cost=86_000.0, durable_cost=3.29e29
    )
    # Young's intervals for each kind of failure; local ones cost 2e-14, so that many are as good.
    local = math.sqrt(2.0 * 86_000.0 * 6.12e32)
    durable = math.sqrt(2.0 * 3.29e29 * 6.12e32 / 7.22e-13)
    assert best.interval == pytest.approx(local, rel=0.5)
    assert best.interval * best.durable_every == pytest.approx(durable, rel=0.1)
