"""Paths worked out by hand, and two levels against the job that has two."""

import numpy as np
import pytest

from sim.application import simulate_level_makespans, simulate_two_level_makespans
from sim.samplers import Exponential, Recorded

JOB = {
    "interval": 2.0,
    "counts": (1, 1),
    "costs": (1.0, 2.0, 3.0),
    "recoveries": (0.5, 1.5, 2.5),
    "downtime": 4.0,
    "replications": 1,
    "seed": 1,
}
LOW, MIDDLE, HIGH = (1.0, 1.0, 1.0), (0.0, 1.0, 1.0), (0.0, 0.0, 1.0)


# Without a failure: levels 0, 1, 0, 2 complete at 3, 7, 10, 15.
@pytest.mark.parametrize(
    ("gaps", "survives", "rule", "wall"),
    [
        ([1e9], LOW, "reinstated", 15.0),
        ([9.0], LOW, "reinstated", 15.0 + 2.0 + 4.0 + 0.5),
        ([9.0], MIDDLE, "reinstated", 15.0 + 2.0 + 4.0 + 1.5),
        ([9.0], HIGH, "reinstated", 15.0 + 9.0 + 4.0 + 2.5),
        ([9.0], LOW, "escalate", 15.0 + 2.0 + 4.0 + 1.5),  # level 1 alone has a copy
        ([12.0], LOW, "escalate", 15.0 + 2.0 + 4.0 + 0.5),
        ([1.0], LOW, "escalate", 15.0 + 1.0 + 4.0 + 2.5),
        # Struck again while level 0 is read: it is read again, or given up for level 1.
        ([12.0, 0.25], LOW, "reinstated", 15.0 + 2.0 + 4.0 + 0.25 + 4.0 + 0.5),
        ([12.0, 0.25], LOW, "escalate", 15.0 + 5.0 + 4.0 + 0.25 + 4.0 + 1.5),
    ],
)
def test_paths_worked_out_by_hand(gaps, survives, rule, wall):
    uptime = Recorded(gaps, then="never")
    found = simulate_level_makespans(**JOB, survives=survives, rule=rule, uptime=uptime)
    assert found.tolist() == [wall]


def test_two_levels_are_the_job_that_has_two():
    job = {"interval": 1.0, "uptime": Exponential(5.0), "downtime": 0.3, "replications": 4000}
    many = simulate_level_makespans(
        **job, counts=(3,), costs=(0.1, 0.5), recoveries=(0.2, 0.9), survives=(0.7, 1.0), seed=1
    )
    two = simulate_two_level_makespans(
        4.0,
        **job,
        durable_every=4,
        survived=0.7,
        local_cost=0.1,
        durable_cost=0.5,
        local_recovery=0.2,
        durable_recovery=0.9,
        seed=2,
    )
    spread = np.hypot(many.std(), two.std()) / np.sqrt(4000)
    assert abs(many.mean() - two.mean()) < 4.0 * spread  # a false alarm in 16,000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"survives": (0.5, 0.4, 1.0)}, "survives must rise to 1"),
        ({"costs": (1.0, 2.0)}, "costs, recoveries and survives must be 3 each"),
        ({"interval": 0.0}, "interval must be"),
        ({"rule": "bare"}, "rule must be"),
    ],
)
def test_what_is_refused(change, words):
    job = {**JOB, "survives": LOW, "uptime": Exponential(5.0), **change}
    with pytest.raises(ValueError, match=words):
        simulate_level_makespans(**job)
