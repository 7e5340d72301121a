"""The rule of single numbers against the formulas for arrays, and against plain integrals."""

import math

import numpy as np
import pytest

from perfmodel import efficiency, optimal_interval, optimal_interval_async
from perfmodel.advisor.rule import best_interval, excess_of_waiting, expected_loss, interval_by_age
from tests.support.examples import examples


@pytest.mark.parametrize("seed", range(examples(200)))
def test_it_is_the_optimal_interval(seed):
    rng = np.random.default_rng(seed)
    mtbf = 10.0 ** rng.uniform(-3.0, 9.0)
    cost = mtbf * 10.0 ** rng.uniform(-14.0, 2.8)
    known = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
    assert best_interval(1.0 / mtbf, cost) == pytest.approx(known, rel=1e-12)
    latency = mtbf * 10.0 ** rng.uniform(-3.0, 1.0)
    waiting = optimal_interval_async(
        mtbf=mtbf, checkpoint_cost=cost, latency=latency, in_flight="single_buffer"
    )
    assert best_interval(1.0 / mtbf, cost, latency) == pytest.approx(float(waiting), rel=1e-12)


def test_without_failures_no_checkpoint_pays():
    assert best_interval(0.0, 1.0) == math.inf
    assert expected_loss(math.inf, 0.0, 1.0, 0.0) == 0.0
    assert expected_loss(9.0, 0.0, 1.0, 0.0) == pytest.approx(0.1)
    assert excess_of_waiting(5.0, math.inf, 0.0, 1.0, 0.0) == 0.0


@pytest.mark.parametrize("interval", [0.01, 0.7, 5.0, 40.0])
@pytest.mark.parametrize("recovery", [0.0, 0.3])
def test_the_loss_is_one_less_the_efficiency(interval, recovery):
    job = {"interval": interval, "checkpoint_cost": 0.1, "recovery_cost": recovery}
    known = 1.0 - float(efficiency(1e6 * interval, mtbf=8.0, **job))
    assert expected_loss(interval, 1.0 / 8.0, 0.1, recovery) == pytest.approx(known, rel=1e-9)


def test_hopeless_intervals_lose_everything():
    assert expected_loss(1e4, 1.0, 1.0, 0.0) == 1.0
    assert excess_of_waiting(1e4, 1.0, 1.0, 1.0, 0.0) == math.inf


@pytest.mark.parametrize("delay", [1e-6, 0.02, 3.0])
def test_waiting_loses_what_one_longer_segment_costs_beyond_its_work(delay):
    rate, cost, recovery = 0.125, 0.3, 0.2
    best = best_interval(rate, cost)

    def mean_time(work):
        return math.exp(rate * recovery) * math.expm1(rate * (work + cost)) / rate

    per_work = mean_time(best) / best
    lost = mean_time(best + delay) - mean_time(best) - per_work * delay
    found = excess_of_waiting(delay, best, rate, cost, recovery)
    assert found == pytest.approx(lost, rel=1e-6, abs=1e-14)


@pytest.mark.parametrize("rate", [1e-5, 2.0])
def test_up_to_the_largest_floats_waiting_loses_a_number(rate):
    """Beyond exp(700) it is inf; the exponent is that of the whole late segment."""
    rest = 0.5 + 0.25 + 0.125  # interval, cost and recovery, in mtbf
    for late, known in (
        (699.99, math.exp(699.99 + rest - 1.0) * math.e / rate),
        (700.01, math.inf),
    ):
        found = excess_of_waiting((late - rest) / rate, 0.5 / rate, rate, 0.25 / rate, 0.125 / rate)
        assert found == pytest.approx(known / math.exp(rest), rel=1e-9)


def test_a_little_waiting_is_of_the_second_order():
    for delay in (0.99e-4, 1.01e-4, 1e-9):
        known = math.exp(1.75) * sum(delay**k / math.factorial(k) for k in (2, 3, 4))
        assert excess_of_waiting(delay, 1.0, 1.0, 0.5, 0.25) == pytest.approx(known, rel=1e-8)


@pytest.mark.parametrize("shape", [0.3, 0.5, 0.9, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("age", [0.0, 0.1, 30.0])
@pytest.mark.parametrize("cost", [1e-4, 0.1, 3.0])
def test_the_interval_by_age_is_the_best_one_for_the_hazard_in_its_middle(shape, age, cost):
    risk = 0.7
    interval, rate = interval_by_age(risk, shape, age, cost)
    hazard = shape * risk * (age + interval / 2.0) ** (shape - 1.0)
    assert rate == pytest.approx(hazard, rel=2e-6)
    assert interval == pytest.approx(
        float(optimal_interval(mtbf=1.0 / hazard, checkpoint_cost=cost)), rel=2e-6
    )
