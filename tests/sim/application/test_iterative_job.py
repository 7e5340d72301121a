"""Paths worked out by hand: every row of the arrays plays the same draws."""

import numpy as np
import pytest

from sim.application import iterative_job, simulate_iterative_makespans
from sim.samplers import Exponential, Recorded
from tests.support.scripted import Scripted

NEVER = np.inf


def play(*uptimes, lengths, redone="anew", iterations=3):
    job = iterative_job.IterativeJob(iterations, 2, Recorded(lengths), 1.0, 1.0, 0.25, 3.0, redone)
    return iterative_job.play(Scripted(*uptimes, NEVER), 1, job=job)[0]


def test_a_checkpoint_after_every_two_and_after_the_last():
    assert play(lengths=[2.0, 3.0, 5.0]) == 2.0 + 3.0 + 1.0 + 5.0 + 1.0


def test_iterations_take_a_new_time():
    found = play(4.0, lengths=[2.0, 3.0, 1.0, 1.5, 5.0])
    assert found == 4.0 + 3.25 + 1.0 + 1.5 + 1.0 + 5.0 + 1.0


def test_iterations_take_as_long_as_before():
    found = play(4.0, lengths=[2.0, 3.0, 5.0], redone="alike")
    assert found == 4.0 + 3.25 + 2.0 + 3.0 + 1.0 + 5.0 + 1.0


def test_a_failure_in_the_checkpoint_loses_its_iterations():
    found = play(5.5, lengths=[2.0, 3.0, 5.0], redone="alike")
    assert found == 5.5 + 3.25 + 5.0 + 1.0 + 5.0 + 1.0


def test_a_failure_in_the_recovery_begins_it_again():
    found = play(4.0, 0.125, lengths=[2.0, 3.0, 5.0], redone="alike")
    assert found == 4.0 + 3.125 + 3.25 + 5.0 + 1.0 + 5.0 + 1.0


JOB = {"every": 2, "iteration_time": Exponential(1.0), "mtbf": 5.0, "checkpoint_cost": 0.5}


def test_the_seed_alone_decides():
    few = simulate_iterative_makespans(3, **JOB, replications=10, seed=2)
    more = simulate_iterative_makespans(3, **JOB, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])


@pytest.mark.parametrize(
    ("name", "bad", "error", "message"),
    [
        ("mtbf", 0.0, ValueError, r"mtbf must be > 0, got 0\.0"),
        ("every", 0, ValueError, "every must be"),
        ("redone", "never", ValueError, "redone must be"),
        ("iteration_time", 1.0, TypeError, "iteration_time must be a sampler or a list"),
    ],
)
def test_refuses(name, bad, error, message):
    with pytest.raises(error, match=message):
        simulate_iterative_makespans(3, **{**JOB, name: bad}, replications=5, seed=1)
