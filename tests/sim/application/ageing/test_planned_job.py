import numpy as np
import pytest

from sim.application import simulate_makespans, simulate_planned_makespans
from sim.samplers import Exponential, Recorded

COSTS = {"checkpoint_cost": 0.5, "recovery_cost": 1.0, "downtime": 0.25}


def whole(left):
    return [left]


def test_a_job_by_hand():
    # The first checkpoint is complete at 2.5; the rest takes 1 + 3 + 0.5 of the second uptime.
    found = simulate_planned_makespans(
        [2.0, 3.0], whole, uptime=Recorded([4.0, 9.0]), **COSTS, replications=1, seed=1
    )
    assert found.tolist() == [4.0 + 0.25 + 4.5]


def test_a_checkpoint_that_ends_with_the_uptime_is_not_saved():
    asked = []

    def plan(left):
        asked.append(left)
        return [left]

    simulate_planned_makespans(
        [2.0, 3.0], plan, uptime=Recorded([2.5, 9.0]), **COSTS, replications=1, seed=1
    )
    assert asked == [5.0]


def test_equal_intervals_are_those_of_the_plain_job():
    job = {"uptime": Exponential(4.0), **COSTS, "replications": 40_000, "seed": 3}

    def equal(left):
        return np.full(round(left), 1.0)

    planned = simulate_planned_makespans(equal(6.0), equal, **job)
    plain = simulate_makespans(6.0, interval=1.0, **job)
    error = np.hypot(planned.std(), plain.std()) / np.sqrt(planned.size)
    assert abs(planned.mean() - plain.mean()) < 4.0 * error


def test_the_same_seed_gives_the_same_bytes():
    job = {"uptime": Exponential(4.0), **COSTS, "seed": 3}
    few, many = (
        simulate_planned_makespans([2.0, 2.0], whole, **job, replications=n) for n in (300, 700)
    )
    assert many[:300].tobytes() == few.tobytes()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"intervals": [1.0, 0.0]}, ValueError, "intervals must be finite and > 0, got 0.0"),
        ({"uptime": 3.0}, TypeError, "uptime must be a sampler"),
        (
            {"after_failure": lambda left: [0.5 * left]},
            ValueError,
            "after_failure must return intervals that add up to the work left, 2.0",
        ),
    ],
)
def test_refusals(change, error, message):
    job = {"intervals": [2.0], "after_failure": whole, "uptime": Recorded([1.0, 9.0]), **change}
    with pytest.raises(error, match=message):
        simulate_planned_makespans(
            job.pop("intervals"), job.pop("after_failure"), **job, **COSTS, replications=1, seed=1
        )
