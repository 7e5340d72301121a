"""Spot machines of any law: closed forms of other laws, and records enumerated by hand."""

import math

import numpy as np
import pytest
from scipy import special

from perfmodel import (
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    deadline_probability_spot,
    expected_cost_safety_net,
    spot_outlook,
    spot_probability_safety_net,
)

PRICES = {"spot_price": 1.2, "on_demand_price": 4.0}
JOBS = [
    (24.0, {"deadline": 36.0, "start_time": 0.5}, 10.0, 2.0),
    (10.0, {"deadline": 16.0, "start_time": 0.4}, 3.0, 1.0),
    (10.0, {"deadline": 12.0, "start_time": 0.0}, 40.0, 5.0),
    (10.0, {"deadline": 10.5, "start_time": 0.3}, 4.0, 1.0),
    (10.0, {"deadline": 9.0, "start_time": 0.3}, 4.0, 1.0),
]


@pytest.mark.parametrize("age", [0.0, 3.0, None])
@pytest.mark.parametrize(("work", "job", "life", "gap"), JOBS)
def test_exponential_lives_are_as_exact_as_stated_at_any_age(work, job, life, gap, age):
    laws = {"spot_life": Exponential(life), "spot_gap": Exponential(gap)}
    found = spot_outlook(work, **job, **laws, **PRICES, age=age)
    means = {**job, "spot_life": life, "spot_gap": gap}
    for value, error, exact in (
        (found.deadline_probability, found.deadline_error, deadline_probability_spot),
        (found.spot_probability, found.spot_error, spot_probability_safety_net),
    ):
        assert abs(value - exact(work, **means)) <= error <= 2e-4
    cost = expected_cost_safety_net(work, **means, **PRICES)
    assert abs(found.cost - cost) <= found.cost_error <= 1e-3 * cost


def test_lives_and_gaps_of_two_phases_by_the_gamma_law_of_their_sums():
    work, deadline, start = 10.0, 17.0, 0.25
    found = spot_outlook(
        work,
        deadline=deadline,
        spot_life=Gamma(2.0, 1.5),
        spot_gap=Gamma(2.0, 0.5),
        start_time=start,
    )
    n = np.arange(1, 60)
    upto = np.append(1.0, special.gammainc(2.0 * n, work / 1.5))
    for value, error, reserve in (
        (found.deadline_probability, found.deadline_error, 1.0),
        (found.spot_probability, found.spot_error, 2.0),
    ):
        spare = deadline - work - (n + reserve) * start
        fits = np.where(spare > 0.0, special.gammainc(2.0 * n, np.maximum(spare, 0.0) / 0.5), 0.0)
        exact = np.sum(np.append(1.0, fits)[:-1] * (upto[:-1] - upto[1:]))
        assert abs(value - exact) <= error <= 2e-4


def test_the_cost_and_its_error_are_in_the_unit_of_the_prices():
    job = {"deadline": 16.0, "start_time": 0.4, "spot_gap": Gamma(2.0, 0.5)}
    job["spot_life"] = Gamma(2.0, 1.5)
    one = spot_outlook(10.0, **job, **PRICES)
    cents = spot_outlook(10.0, **job, spot_price=2.0**-60 * 1.2, on_demand_price=2.0**-60 * 4.0)
    assert (cents.cost, cents.cost_error) == (2.0**-60 * one.cost, 2.0**-60 * one.cost_error)


def test_a_cost_beyond_the_floats_is_inf():
    job = {"deadline": 16.0, "spot_life": [3.0], "spot_gap": [0.5]}
    found = spot_outlook(10.0, **job, spot_price=1e308, on_demand_price=1e308)
    assert math.isinf(found.cost)
    assert math.isinf(found.cost_error)
    assert found.deadline_probability == 1.0


RECORD = [0.5, 4.0, 1.0, 1.0, 3.0]


def kept(begin, first, *, work, spare, gap):
    """Return whether gaps of one length fit, from a machine of the record on."""
    lives = [first, *(RECORD[(begin + k) % len(RECORD)] for k in range(1, 99))]
    losses = np.searchsorted(np.cumsum(lives), work * (1.0 - 1e-9))
    return losses * gap <= spare


@pytest.mark.parametrize("age", [0.0, 0.75, 3.5])
def test_recorded_lives_follow_each_other(age):
    job = {"work": 5.3, "spare": 1.1, "gap": 0.5}
    firsts = [(begin, life - age) for begin, life in enumerate(RECORD) if life > age]
    exact = np.mean([kept(*first, **job) for first in firsts])
    found = spot_outlook(
        5.3, deadline=6.4, spot_life=RECORD, spot_gap=[0.5, 0.5], age=age, start_time=0.0
    )
    assert abs(found.deadline_probability - exact) <= found.deadline_error <= 1e-9
    assert found.deadline_probability == found.spot_probability


def test_a_record_begins_at_any_instant_of_its_lives():
    job = {"work": 5.3, "spare": 0.6, "gap": 0.5}
    instants = [
        (begin, life * (1.0 - (k + 0.5) / 400.0), life)
        for begin, life in enumerate(RECORD)
        for k in range(400)
    ]
    chances = [kept(begin, first, **job) for begin, first, _ in instants]
    exact = np.average(chances, weights=[life for *_, life in instants])
    found = spot_outlook(5.3, deadline=5.9, spot_life=RECORD, spot_gap=[0.5], age=None)
    assert found.deadline_probability == pytest.approx(exact, abs=2e-3)


def test_a_machine_in_mid_life_lasts_longer_where_most_lives_are_short():
    job = {"deadline": 36.0, "spot_gap": Exponential(2.0), "start_time": 0.1}
    life = LogNormal.from_mean(6.0, cv=3.0)
    new, old, any_instant = (
        spot_outlook(24.0, spot_life=life, **job, age=age).deadline_probability
        for age in (0.0, 12.0, None)
    )
    assert new < min(old, any_instant)


def test_independent_lives_promise_more_than_short_ones_in_a_row():
    lives = [0.1] * 20 + [30.0] * 20
    job = {"deadline": 11.1, "spot_gap": Deterministic(0.25)}
    alone = spot_outlook(8.0, spot_life=Empirical(lives), **job)
    together = spot_outlook(8.0, spot_life=lives, **job)
    assert alone.deadline_probability > 0.99
    # From one of the last 12 of the short ones on, or of the long ones.
    assert together.deadline_probability == pytest.approx(32.0 / 40.0)


def test_no_error_is_stated_below_the_rounding_of_its_number():
    # Both bounds of a cost that is all but certain meet, and rounding may set them the wrong way.
    for unit in (1.0, 2.0, 8.0, 64.0):
        found = spot_outlook(
            2.8e6 * unit,
            deadline=1e7 * unit,
            spot_life=LogNormal.from_mean(1e7 * unit, cv=1.0),
            spot_gap=Exponential(unit),
            spot_price=1.0,
        )
        assert found.cost_error >= (1.0 - 1e-12) * 1e-12 * found.cost
        assert min(found.deadline_error, found.spot_error) >= 1e-12
