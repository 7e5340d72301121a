"""Paths worked out by hand: every row of the arrays plays the same draws."""

import numpy as np
import pytest

from sim.application import random_cost_job, simulate_random_cost_makespans
from sim.application._plan import Plan
from sim.samplers import Exponential, Recorded
from tests.support.scripted import Scripted

NEVER = np.inf


def play(*uptimes, costs, drawn="attempt"):
    plan = Plan(4.0, 2.0, 0.0, 0.25, final_checkpoint=True)
    rules = random_cost_job._Rules(Recorded(costs), drawn, 1.0, 3.0)
    return random_cost_job.play(Scripted(*uptimes, NEVER), 1, plan=plan, rules=rules)[0]


def test_each_checkpoint_takes_what_was_drawn():
    assert play(costs=[1.0, 5.0]) == 2.0 + 1.0 + 2.0 + 5.0


def test_an_attempt_after_a_failure_draws_anew():
    assert play(4.0, costs=[9.0, 1.0, 5.0]) == 4.0 + 3.25 + 2.0 + 1.0 + 2.0 + 5.0


def test_a_segment_keeps_its_cost():
    found = play(4.0, costs=[9.0, 1.0], drawn="segment")
    assert found == 4.0 + 3.25 + 2.0 + 9.0 + 2.0 + 1.0


def test_a_failure_before_the_checkpoint_draws_nothing():
    found = play(1.0, costs=[9.0, 1.0], drawn="segment")
    assert found == 1.0 + 3.25 + 2.0 + 9.0 + 2.0 + 1.0


JOB = {"interval": 2.0, "mtbf": 5.0, "checkpoint_cost": Exponential(0.5)}


def test_the_seed_alone_decides():
    few = simulate_random_cost_makespans(4.0, **JOB, replications=10, seed=2)
    more = simulate_random_cost_makespans(4.0, **JOB, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])


@pytest.mark.parametrize(
    ("name", "bad", "error", "message"),
    [
        ("mtbf", 0.0, ValueError, r"mtbf must be > 0, got 0\.0"),
        ("drawn", "job", ValueError, "drawn must be"),
        ("checkpoint_cost", 0.5, TypeError, "checkpoint_cost must be a sampler"),
    ],
)
def test_refuses(name, bad, error, message):
    with pytest.raises(error, match=message):
        simulate_random_cost_makespans(4.0, **{**JOB, name: bad}, replications=1, seed=1)
