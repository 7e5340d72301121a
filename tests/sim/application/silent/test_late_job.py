"""Paths worked out by hand: every row of the arrays plays the same draws."""

import numpy as np
import pytest

from sim.application import simulate_detected_late_makespans
from sim.application._plan import Plan
from sim.application.silent import late_job
from tests.support.scripted import Scripted

JOB = {
    "interval": 2.0,
    "checkpoint_cost": 1.0,
    "detection_latency": 1.0,
    "recovery_cost": 0.25,
    "downtime": 3.0,
}


def play(*draws, work=4.0):
    plan = Plan(work, 2.0, 1.0, 0.25, final_checkpoint=True)
    errors = late_job.LateErrors(1.0, 1.0, 1.0, 3.0)
    return late_job.play(Scripted(*draws), 1, plan=plan, errors=errors)[0]


NEVER = np.inf
# Draws: an uptime at each start of the machine, a strike at each start of computing, a latency at
# each strike.
PATHS = {
    "nothing fails": ((NEVER, NEVER, NEVER), 6.0),
    "an error that shows in its segment": (
        (NEVER, 1.0, 0.5, NEVER, NEVER),
        1.5 + 0.25 + 6.0,
    ),
    "one that shows in the next segment costs both": (
        (NEVER, 1.0, 3.0, NEVER, NEVER, NEVER),
        4.0 + 0.25 + 6.0,
    ),
    "one in the last segment shows while the job waits": (
        (NEVER, NEVER, 1.0, 5.0, NEVER),
        3.0 + 1.0 + 5.0 + 0.25 + 3.0,
    ),
    "a failure before the checkpoint takes the corruption away": (
        (2.5, 1.0, 4.0, NEVER, NEVER, NEVER),
        2.5 + 3.0 + 0.25 + 6.0,
    ),
    "a failure after the checkpoint does not": (
        # 3 s until the checkpoint, half a second on, back to it, and 1.5 of the latency are left.
        (3.5, 1.0, 4.0, NEVER, NEVER, NEVER, NEVER, NEVER),
        3.5 + 3.0 + 0.25 + 1.5 + 0.25 + 6.0,
    ),
    "a failure in the recovery from an error": (
        (1.6, 1.0, 0.5, NEVER, NEVER, NEVER),
        1.6 + 3.0 + 0.25 + 6.0,
    ),
    "a failure while computing": ((1.0, NEVER, NEVER, NEVER, NEVER), 1.0 + 3.0 + 0.25 + 6.0),
    "a failure in the checkpoint": ((2.5, NEVER, NEVER, NEVER, NEVER), 2.5 + 3.0 + 0.25 + 6.0),
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_path_by_hand(path):
    draws, makespan = path
    assert play(*draws) == makespan


def test_a_last_segment_that_is_shorter():
    assert play(NEVER, NEVER, NEVER, work=3.0) == 5.0


def test_the_seed_alone_decides():
    job = {"work": 4.0, "mtbf": 5.0, "silent_mtbf": 4.0, **JOB}
    few = simulate_detected_late_makespans(**job, replications=10, seed=2)
    more = simulate_detected_late_makespans(**job, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
    other = simulate_detected_late_makespans(**job, replications=10, seed=3)
    assert few.tolist() != other.tolist()


def test_without_errors_every_makespan_is_the_same():
    walls = simulate_detected_late_makespans(4.0, **JOB, replications=5, seed=1)
    assert walls.tolist() == [6.0] * 5
