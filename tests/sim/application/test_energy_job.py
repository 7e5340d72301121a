"""Paths worked out by hand: every row of the arrays plays the same draws."""

import numpy as np
import pytest

from sim.application import Powers, energy_job, simulate_energies
from sim.application._plan import Plan
from tests.support.scripted import Scripted

POWERS = Powers(static=1.0, compute=10.0, io=100.0, down=1000.0)
NEVER = np.inf


def play(*draws, work=4.0, overlap=0.5, checkpoint_cost=1.0):
    plan = Plan(work, 2.0, checkpoint_cost, 0.25, final_checkpoint=True)
    rules = energy_job._Rules(1.0, 3.0, overlap)
    return energy_job.play(Scripted(*draws), 1, plan=plan, rules=rules, powers=POWERS)[0]


def energy(*, time, computed=4.0, io=2.0, down=0.0):
    return time + 10.0 * computed + 100.0 * io + 1000.0 * down


# Uptimes until the first that lasts; each failure costs a downtime of 3 and a reading of 0.25.
PATHS = {
    "nothing fails: half a unit is done beside the first checkpoint": (
        (),
        energy(time=2.0 + 1.0 + 1.5 + 1.0),
    ),
    "a failure while computing": (
        (1.0,),
        energy(time=1.0 + 3.25 + 5.5, computed=5.0, io=2.25, down=3.0),
    ),
    "a failure in the first checkpoint loses what was done beside it": (
        (2.5,),
        energy(time=2.5 + 3.25 + 5.5, computed=6.25, io=2.75, down=3.0),
    ),
    "a failure after it loses that too": (
        (3.5,),
        energy(time=3.5 + 3.25 + 3.0, computed=2.0 + 0.5 + 0.5 + 2.0, io=2.25, down=3.0),
    ),
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_path_by_hand(path):
    uptimes, expected = path
    assert play(*uptimes, NEVER) == expected


def test_work_ends_beside_a_long_checkpoint_and_the_next_one_waits():
    # 1 unit of the last segment takes 2 of the 4 that the first checkpoint takes.
    found = play(NEVER, work=3.0, checkpoint_cost=4.0)
    assert found == energy(time=2.0 + 4.0 + 4.0, computed=3.0, io=8.0)


def test_without_overlap_phases_follow_each_other():
    assert play(NEVER, overlap=0.0) == energy(time=6.0)


JOB = {"interval": 2.0, "checkpoint_cost": 1.0, "recovery_cost": 0.25, "downtime": 3.0}


def test_the_seed_alone_decides():
    job = {"work": 4.0, "mtbf": 5.0, "overlap": 0.5, "powers": POWERS, **JOB}
    few = simulate_energies(**job, replications=10, seed=2)
    more = simulate_energies(**job, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
    assert few.tolist() != simulate_energies(**job, replications=10, seed=3).tolist()


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("mtbf", 0.0, "mtbf must be > 0, got 0.0"),
        ("overlap", 1.5, r"overlap must be in \[0, 1\], got 1.5"),
        ("downtime", -1.0, "downtime must be finite and >= 0, got -1.0"),
    ],
)
def test_refuses(name, bad, message):
    job = {"mtbf": 5.0, "powers": POWERS, **JOB, name: bad}
    with pytest.raises(ValueError, match=message):
        simulate_energies(3.0, **job, replications=1, seed=1)
