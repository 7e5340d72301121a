"""Jobs with predicted windows: paths computed by hand, seeds and arguments."""

import math

import numpy as np
import pytest

from sim.application import simulate_windowed_makespans
from sim.application._plan import Plan
from sim.application.predicted import windowed_job

JOB = {
    "interval": 8.0,
    "mtbf": np.inf,
    "false_alarm_mtbf": np.inf,
    "recall": 1.0,
    "window": 4.0,
    "window_segments": 2,
    "proactive_cost": 0.5,
    "threshold": 2.0,
    "checkpoint_cost": 1.0,
    "recovery_cost": 0.25,
    "downtime": 3.0,
}
NEVER = np.inf


class Scripted:
    """A generator whose draws are listed, in the order in which they are asked for."""

    def __init__(self, exponential, uniform):
        self._exponential, self._uniform = list(exponential), list(uniform)

    def standard_exponential(self, count):
        return np.full(count, self._exponential.pop(0) if count else 0.0)

    def random(self, count):
        return np.full(count, self._uniform.pop(0) if count else 0.0)


def play(exponential, uniform, *, work=8.0, segments=2, threshold=2.0):
    plan = Plan(work, 8.0, 1.0, 0.25, final_checkpoint=True)
    windows = windowed_job.Windows(1.0, 1.0, 0.5, 4.0, segments, 0.5, threshold, 3.0)
    return windowed_job.play(Scripted(exponential, uniform), 1, plan=plan, windows=windows)[0]


# Draws: an uptime and the time to the first false alarm; another uptime at each start, another
# alarm after each. Beside each uptime: whether it is predicted (below 0.5), and where in its
# window.
KNOWN, UNKNOWN = 0.0, 0.9
CLEAR = (UNKNOWN, 0.0)
PATHS = {
    "nothing fails": ((NEVER, NEVER), CLEAR, {}, 9.0),
    "a failure that nobody named loses all": (
        (5.0, NEVER, NEVER),
        (*CLEAR, *CLEAR),
        {},
        5.0 + 3.0 + 0.25 + 9.0,
    ),
    "a false window costs its two checkpoints, and its work counts in no segment": (
        # 3 s of work, checkpoint, 1.5 s, checkpoint, 2 s, then the 1.5 s that are left.
        (NEVER, 3.0, NEVER),
        CLEAR,
        {},
        3.0 + 0.5 + 1.5 + 0.5 + 2.0 + 1.5 + 1.0,
    ),
    "in one segment the window costs one": (
        (NEVER, 3.0, NEVER),
        CLEAR,
        {"segments": 1},
        8.0 + 0.5 + 1.0,
    ),
    "a segment after the window is as long as it was left": (
        # 3 + 4 s of 16; 5 s are left of the first segment, then a checkpoint, then 4 s.
        (NEVER, 3.0, NEVER),
        CLEAR,
        {"segments": 1, "work": 16.0},
        16.0 + 0.5 + 1.0 + 1.0,
    ),
    "a failure in the first part of its window": (
        # Named at 5 - 0.5 - 0.25 * 4 = 3.5; 1 s of work is lost.
        (5.0, NEVER, NEVER),
        (KNOWN, 0.25, *CLEAR),
        {},
        5.0 + 3.0 + 0.25 + 4.5 + 1.0,
    ),
    "a failure in the second part loses less": (
        # Named at 7 - 0.5 - 3 = 3.5; 3.5 + 1.5 s of work are saved at 6.
        (7.0, NEVER, NEVER),
        (KNOWN, 0.75, *CLEAR),
        {},
        7.0 + 3.0 + 0.25 + 3.0 + 1.0,
    ),
    "a window too soon after the checkpoint is ignored": (
        (5.0, NEVER, NEVER),
        (KNOWN, 0.25, *CLEAR),
        {"threshold": 4.5},
        5.0 + 3.0 + 0.25 + 9.0,
    ),
    "no window is acted upon where the threshold has no bound": (
        (5.0, NEVER, NEVER),
        (KNOWN, 0.25, *CLEAR),
        {"threshold": math.inf},
        5.0 + 3.0 + 0.25 + 9.0,
    ),
    "a prediction before the start does not come": (
        (3.0, NEVER, NEVER),
        (KNOWN, 0.75, *CLEAR),
        {},
        3.0 + 3.0 + 0.25 + 9.0,
    ),
    "a failure in the recovery": (
        (5.0, NEVER, 0.125, NEVER),
        (*CLEAR, *CLEAR, *CLEAR),
        {},
        5.0 + 3.0 + 0.125 + 3.0 + 0.25 + 9.0,
    ),
    "an alarm in the window is ignored": (
        (NEVER, 3.0, 1.0, NEVER),
        CLEAR,
        {},
        8.0 + 0.5 + 0.5 + 1.0,
    ),
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_path_by_hand(path):
    exponential, uniform, changes, makespan = path
    assert play(exponential, uniform, **changes) == makespan


def test_the_seed_alone_decides():
    job = {"work": 16.0, **JOB, "mtbf": 20.0, "false_alarm_mtbf": 20.0}
    few = simulate_windowed_makespans(**job, replications=10, seed=2)
    more = simulate_windowed_makespans(**job, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
    other = simulate_windowed_makespans(**job, replications=10, seed=3)
    assert few.tolist() != other.tolist()


def test_without_failures_every_makespan_is_the_same():
    walls = simulate_windowed_makespans(16.0, **JOB, replications=5, seed=1)
    assert walls.tolist() == [18.0] * 5
