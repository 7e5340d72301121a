import numpy as np
import pytest

from perfmodel import (
    deadline_probability_spot,
    expected_cost_safety_net,
    spot_probability_safety_net,
)

JOB = {"deadline": 36.0, "spot_life": 10.0, "spot_gap": 2.0, "start_time": 0.5}
PRICES = {"spot_price": 1.0, "on_demand_price": 4.0}


def test_machines_that_are_never_taken_away_cost_the_work_and_one_start():
    job = {**JOB, "spot_life": np.inf}
    np.testing.assert_allclose(expected_cost_safety_net(24.0, **job, **PRICES), 24.5, rtol=1e-15)
    assert spot_probability_safety_net(24.0, **job) == 1.0
    assert deadline_probability_spot(24.0, **job) == 1.0


@pytest.mark.parametrize("deadline", [10.0, 24.0, 24.9])
def test_without_slack_all_is_on_demand(deadline):
    job = {**JOB, "deadline": deadline}
    np.testing.assert_allclose(expected_cost_safety_net(24.0, **job, **PRICES), 98.0, rtol=1e-15)
    assert spot_probability_safety_net(24.0, **job) == 0.0


def test_the_slack_of_one_start_suffices_for_spot_alone():
    exact = {**JOB, "deadline": 24.5}
    np.testing.assert_allclose(deadline_probability_spot(24.0, **exact), np.exp(-2.4), rtol=1e-13)
    assert deadline_probability_spot(24.0, **{**exact, "deadline": 24.25}) == 0.0


def test_the_reserve_of_one_more_start_is_all_that_parts_the_probabilities():
    net = spot_probability_safety_net(24.0, **JOB)
    alone = deadline_probability_spot(24.0, **{**JOB, "deadline": 35.5})
    np.testing.assert_allclose(net, alone, rtol=1e-14)


def test_an_endless_deadline_leaves_all_to_spot():
    job = {**JOB, "deadline": 1e6}
    np.testing.assert_allclose(spot_probability_safety_net(24.0, **job), 1.0, rtol=1e-13)
    starts = 1.0 + 24.0 / 10.0
    np.testing.assert_allclose(
        expected_cost_safety_net(24.0, **job, **PRICES), 24.0 + 0.5 * starts, rtol=1e-12
    )


def test_one_loss_by_hand():
    # Without starts and with a tiny slack the first gap ends it: half the work at a life of W/ln 2.
    job = {"deadline": 1.0 + 1e-12, "spot_life": 1.0 / np.log(2.0), "spot_gap": 1.0}
    cost = expected_cost_safety_net(1.0, **job, spot_price=0.0, on_demand_price=1.0)
    left = 1.0 - 0.5 / np.log(2.0)  # W - a (1 - e^(-W/a))
    np.testing.assert_allclose(cost, left, rtol=1e-10)
    np.testing.assert_allclose(spot_probability_safety_net(1.0, **job), 0.5, rtol=1e-10)


def test_arguments_broadcast():
    found = expected_cost_safety_net([[24.0], [10.0]], **{**JOB, "spot_gap": [1, 2, 3]}, **PRICES)
    assert found.shape == (2, 3)
    assert found[0, 1] == expected_cost_safety_net(24.0, **JOB, **PRICES)
