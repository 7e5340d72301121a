"""The margin of the last checkpoint: closed forms, steps, and reservations that are too short."""

import numpy as np
import pytest
from scipy.special import lambertw

from perfmodel import expected_saved_work, optimal_checkpoint_margin
from perfmodel.lifetimes import Deterministic, Empirical, Exponential, HyperExponential


@pytest.mark.parametrize(("reservation", "mean"), [(10.0, 1.0), (24.0, 0.5), (0.1, 1.0)])
def test_the_margin_of_exponential_costs_has_a_closed_form(reservation, mean):
    ratio = reservation / mean
    known = mean * (1.0 + ratio - lambertw(np.exp(1.0 + ratio)).real)
    found = optimal_checkpoint_margin(reservation, checkpoint_cost=Exponential(mean))
    assert found == pytest.approx(known, rel=1e-7)
    saved = [
        expected_saved_work(reservation, margin=margin, checkpoint_cost=Exponential(mean))
        for margin in (found, known)
    ]
    assert saved[0] == pytest.approx(saved[1], rel=1e-14)


def test_published_margins():
    # A mean of 1 in 10: 2.177325, which saves 6.9360; a mean of 1/2 in 24: 1.905428.
    first = optimal_checkpoint_margin(10.0, checkpoint_cost=Exponential(1.0))
    assert first == pytest.approx(2.177325, abs=5e-7)
    saved = expected_saved_work(10.0, margin=first, checkpoint_cost=Exponential(1.0))
    assert saved == pytest.approx(6.9360, abs=5e-5)
    second = optimal_checkpoint_margin(24.0, checkpoint_cost=Exponential(0.5))
    assert second == pytest.approx(1.905428, abs=5e-7)


def test_fixed_and_recorded_costs_begin_at_a_step():
    assert optimal_checkpoint_margin(10.0, checkpoint_cost=3.0) == 3.0
    assert optimal_checkpoint_margin(10.0, checkpoint_cost=Deterministic(3.0)) == 3.0
    recorded = Empirical(np.array([1.0, 2.0, 4.0]))
    assert optimal_checkpoint_margin(10.0, checkpoint_cost=recorded) == 4.0
    assert optimal_checkpoint_margin(5.0, checkpoint_cost=recorded) == 2.0


def test_the_higher_of_two_peaks():
    law = HyperExponential((0.5, 0.5), (0.01, 10.0))
    assert optimal_checkpoint_margin(1.0, checkpoint_cost=law) < 0.1
    assert optimal_checkpoint_margin(1000.0, checkpoint_cost=law) > 10.0


def test_a_checkpoint_that_never_fits_begins_at_once():
    assert optimal_checkpoint_margin(2.0, checkpoint_cost=3.0) == 2.0
    assert expected_saved_work(2.0, margin=2.0, checkpoint_cost=0.0) == 0.0
    assert expected_saved_work(2.0, margin=5.0, checkpoint_cost=0.0) == 0.0
