"""How many replications a cell takes, whatever the order in which they come."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.sweep import Cell, Rule

EXACT = Rule(until=0.05, metric="x", most=60)


def course(rule, numbers, order):
    """Return the replications that a cell takes if those under way end in a certain order."""
    done = {}
    while missing := rule.state(done).missing:
        take = sorted(missing, key=order)[: max(1, len(missing) // 2)]
        done.update({number: numbers(number) for number in take})
    return rule.state(done).replications


def draws(seed):
    values = np.random.default_rng(seed).gamma(40.0, size=100)
    return lambda number: {"x": float(values[number])}


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 97))
def test_the_order_of_the_results_does_not_matter(seed, step):
    numbers = draws(seed)
    plain = course(EXACT, numbers, order=lambda n: n)
    assert course(EXACT, numbers, order=lambda n: n * step % 101) == plain


def test_it_stops_at_the_first_look_at_which_the_interval_is_tight():
    numbers = draws(3)
    size = course(EXACT, numbers, order=lambda n: n)
    looks = list(itertools.takewhile(lambda n: n <= 60, (8 * k for k in range(1, 8))))
    reach = {}
    for look in [*looks, 60]:
        values = np.array([numbers(n)["x"] for n in range(look)])
        half = values.std(ddof=1) / math.sqrt(look) * student(look - 1)
        reach[look] = half / values.mean()
    assert size == next((look for look in reach if reach[look] <= 0.05), 60)
    assert 8 < size < 60


def student(degrees):
    from scipy.stats import t

    return t.ppf(0.975, degrees)


def test_a_fixed_number_is_all_wanted_at_once():
    assert Rule(5).state({1: {}, 3: {}}).missing == [0, 2, 4]
    assert Rule(5).state({n: {} for n in range(9)}) == (5, [])


def test_a_cell_ends_with_the_first_replication_that_could_not_be_computed():
    assert Rule(5).state({3: None}).missing == [0, 1, 2]
    assert Rule(5).state({0: {}, 1: None, 3: None}) == (2, [])
    assert Rule().state({0: None}) == (1, [])
    assert EXACT.state({9: None}).missing == list(range(8))


def test_a_wrong_metric_is_refused_with_those_there_are():
    done = {number: {"wait": 1.0, "loss": 2.0} for number in range(8)}
    with pytest.raises(ValueError, match="metric must be one of wait, loss, got 'x'"):
        EXACT.state(done)
    with pytest.raises(ValueError, match="metric must be given with until, got None"):
        Rule(until=0.1)


def test_equal_numbers_are_known_at_once():
    assert EXACT.state({n: {"x": 0.0} for n in range(8)}).missing == []


def test_a_seed_depends_on_parameters_and_replication_alone():
    one, same = Cell({"a": 1.0, "b": "x"}), Cell({"b": "x", "a": 1.0})
    assert one.name == same.name
    assert one.task(3, seed=1) == same.task(3, seed=1)
    seeds = {
        cell.task(number, seed=seed).seed
        for cell in (one, Cell({"a": 1.0, "b": "y"}), Cell({"a": 2.0, "b": "x"}))
        for number in range(50)
        for seed in (1, 2)
    }
    assert len(seeds) == 300
    # A fixed point: a version that draws other seeds must say so.
    assert one.task(0, seed=1).seed == 1106390384086793984


def test_paired_cells_have_the_same_seeds_and_different_names():
    one, other = (Cell({"a": 1.0, "b": b}, paired=("b",)) for b in "xy")
    assert one.name != other.name
    assert one.task(2, seed=1).seed == other.task(2, seed=1).seed
