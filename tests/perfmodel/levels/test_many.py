import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from perfmodel import (
    Level,
    expected_makespan,
    expected_makespan_two_levels,
    expected_pattern_time,
    optimal_interval,
    optimal_pattern_levels,
    optimal_pattern_two_levels,
)
from validation.subjects.levels.chain import mean_time


def machine(rates, costs):
    """Return levels with one kind of failure each, and the mtbf of all."""
    shares = [*(np.cumsum(rates)[:-1] / sum(rates)), 1.0]
    levels = [Level(c, c, float(s)) for c, s in zip(costs, shares, strict=True)]
    return levels, 1.0 / sum(rates)


MADE_UP = machine((7.78e-6, 5.19e-7, 3e-8), (9.0, 50.0, 438.0))
ATLAS = machine((7.78e-6, 5.19e-7), (9.0, 438.0))


# Efficiencies of the published program of the rule's authors.
@pytest.mark.parametrize(
    ("factor", "interval", "counts", "known"),
    [
        (1.0, 10000.0, (0, 0), 0.9136570837738764),
        (1.0, 2500.0, (0, 200), 0.9613106195857174),
        (1.0, 500.0, (200, 0), 0.9485987606270921),
        (2.0, 7000.0, (0, 0), 0.877587400281),
        (2.0, 2000.0, (0, 200), 0.945154999601),
    ],
)
def test_published_efficiencies(factor, interval, counts, known):
    levels, mtbf = MADE_UP
    time = expected_pattern_time(
        levels, interval=interval, counts=counts, mtbf=mtbf / factor, rule="escalate"
    )
    work = interval * math.prod(1 + n for n in counts)
    assert work / time == pytest.approx(known, rel=1e-9)


@pytest.mark.parametrize("rule", ["reinstated", "escalate"])
def test_one_level_is_the_exact_mean(rule):
    found = expected_pattern_time(
        [Level(0.3, 0.4, 1.0)], interval=3.0, counts=(), mtbf=10.0, downtime=0.5, rule=rule
    )
    known = expected_makespan(
        3.0, interval=3.0, mtbf=10.0, checkpoint_cost=0.3, recovery_cost=0.4, downtime=0.5
    )
    assert found == pytest.approx(float(known), rel=1e-14)


@pytest.mark.parametrize("survived", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("count", [0, 1, 6])
def test_two_levels_are_those_of_the_closed_form(survived, count):
    levels = [Level(0.1, 0.2 if count else 0.9, survived), Level(0.5, 0.9, 1.0)]
    found = expected_pattern_time(levels, interval=1.0, counts=(count,), mtbf=5.0, downtime=0.3)
    known = expected_makespan_two_levels(
        1.0 + count,
        interval=1.0,
        durable_every=count + 1,
        mtbf=5.0,
        survived=survived,
        local_cost=0.1,
        durable_cost=0.5,
        local_recovery=levels[0].recovery,
        durable_recovery=0.9,
        downtime=0.3,
    )
    assert found == pytest.approx(float(known), rel=1e-13)


def test_levels_that_survive_nothing_more_do_not_matter():
    levels = [Level(0.1, 0.2, 0.5), Level(0.5, 0.9, 1.0)]
    more = [Level(0.05, 0.1, 0.0), levels[0], Level(0.2, 0.3, 0.5), levels[1]]
    job = {"interval": 1.0, "mtbf": 6.0, "downtime": 0.3}
    few = expected_pattern_time(levels, counts=(3,), **job)
    assert expected_pattern_time(more, counts=(0, 3, 0), **job) == pytest.approx(few, rel=1e-15)


@pytest.mark.parametrize("rule", ["reinstated", "escalate"])
@pytest.mark.parametrize("counts", [(2, 1), (0, 2), (1, 3)])
def test_the_markov_chain(rule, counts):
    levels = [Level(0.1, 0.3, 0.5), Level(0.2, 0.6, 0.8), Level(0.5, 1.0, 1.0)]
    job = {"interval": 0.7, "counts": counts, "mtbf": 4.0, "downtime": 0.3, "rule": rule}
    assert expected_pattern_time(levels, **job) == pytest.approx(
        mean_time(levels, **job), rel=1e-12
    )


def test_rare_failures_keep_their_digits_and_many_are_endless():
    levels, _ = MADE_UP
    found = expected_pattern_time(levels, interval=1000.0, counts=(3, 4), mtbf=1e15)
    free = 20 * 1000.0 + 15 * 9.0 + 4 * 50.0 + 438.0
    assert 0.0 < found - free < 1e-6
    assert expected_pattern_time(levels, interval=1e6, counts=(3, 4), mtbf=1.0) == math.inf


def test_published_patterns():
    levels, mtbf = ATLAS
    best = optimal_pattern_levels(levels, mtbf=mtbf, rule="escalate")
    assert best.counts == (26,)
    assert best.efficiency == pytest.approx(0.966949, abs=5e-7)
    two = optimal_pattern_two_levels(
        mtbf=mtbf,
        survived=levels[0].survives,
        local_cost=9.0,
        durable_cost=438.0,
        local_recovery=9.0,
    )
    best = optimal_pattern_levels(levels, mtbf=mtbf)
    assert best.counts == (two.durable_every - 1,)
    assert best.interval == pytest.approx(two.interval, rel=1e-5)


def test_one_level_has_the_optimal_interval():
    best = optimal_pattern_levels([Level(0.3, 0.4, 1.0)], mtbf=10.0)
    known = float(optimal_interval(mtbf=10.0, checkpoint_cost=0.3))
    assert best.interval == pytest.approx(known, rel=1e-6)


def test_a_level_that_survives_nothing_is_left_out():
    levels = [Level(0.01, 0.01, 0.0), Level(0.3, 0.4, 1.0)]
    assert optimal_pattern_levels(levels, mtbf=10.0).counts == (0,)
    dear = [Level(0.29, 0.3, 0.3), Level(0.3, 0.4, 1.0)]
    assert optimal_pattern_levels(dear, mtbf=10.0).counts == (0,)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_exhaustive_search_finds_none_better(seed):
    rng = np.random.default_rng(seed)
    rates, costs = np.sort(rng.uniform(0.1, 1.0, 3))[::-1] ** 3, np.sort(rng.uniform(0, 1, 3)) ** 3
    levels, mtbf = machine(tuple(rates), tuple(0.02 * costs + 1e-4))
    best = optimal_pattern_levels(levels, mtbf=mtbf)

    def value(log, counts):
        w = math.exp(log)
        time = expected_pattern_time(levels, interval=w, counts=counts, mtbf=mtbf)
        return time / (w * math.prod(1 + n for n in counts))

    around = math.log(best.interval)
    for counts in itertools.product(range(7), repeat=2):
        found = minimize_scalar(
            lambda x, n=counts: value(x, n), bounds=(around - 2, around + 2), method="bounded"
        )
        assert found.fun >= (1.0 - 1e-9) / best.efficiency
