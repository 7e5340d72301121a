"""Free processors against time: beside a list that holds one number an hour."""

import numpy as np
import pytest

from sim.cluster.backfill.profile import Profile

NEVER = float("inf")
HORIZON = 60


class Hours:
    """The same profile, hour by hour; after the last nothing changes."""

    def __init__(self, now, free, returns):
        self.now = now
        self.free = [
            free + sum(n for time, n in returns if time <= hour) for hour in range(now, HORIZON)
        ]

    def reserve(self, start, duration, processors):
        for hour in range(start, start + duration):
            self.free[hour - self.now] -= processors

    def earliest(self, processors, duration, after):
        for start in range(max(self.now, after), HORIZON - duration):
            if min(self.free[start - self.now : start - self.now + duration]) >= processors:
                return start
        return NEVER


@pytest.mark.parametrize("seed", range(30))
def test_agrees_with_a_list_of_hours(seed):
    rng = np.random.default_rng(seed)
    now = int(rng.integers(0, 3))
    returns = sorted((int(time), int(n)) for time, n in rng.integers([now, 1], [15, 4], (4, 2)))
    profile, hours = Profile(now, 1, returns), Hours(now, 1, returns)
    for _ in range(12):
        processors, duration = (int(drawn) for drawn in rng.integers([1, 1], [9, 6]))
        after = int(rng.integers(-1, 12))
        found = profile.earliest(processors, duration, after=after)
        assert found == hours.earliest(processors, duration, after)
        if found < 30:
            sign = int(rng.choice([1, 1, 1, -1]))
            profile.reserve(found, duration, sign * processors)
            hours.reserve(found, duration, sign * processors)
    steps = dict(zip(profile.times, profile.free, strict=True))
    at = [steps[max(time for time in steps if time <= hour)] for hour in range(now, HORIZON)]
    assert at == hours.free


def test_a_job_starts_at_the_instant_at_which_another_ends():
    profile = Profile(0.0, 0, [(5.0, 2), (5.0, 1), (9.0, 4)])
    assert (profile.times, profile.free) == ([0.0, 5.0, 9.0], [0, 3, 7])
    assert profile.earliest(3, 100.0) == 5.0
    assert profile.earliest(4, 100.0) == 9.0
    assert profile.earliest(8, 0.5) == NEVER


def test_a_gap_may_be_filled_exactly():
    profile = Profile(0.0, 4)
    profile.reserve(3.0, 2.0, 4)
    assert profile.earliest(1, 3.0) == 0.0
    assert profile.earliest(1, 3.5) == 5.0
    assert profile.earliest(1, 1.0, after=2.0) == 2.0
    assert profile.earliest(1, 1.5, after=2.0) == 5.0


def test_what_is_put_back_leaves_no_trace():
    profile = Profile(0.0, 4)
    for sign in (1, -1):
        profile.reserve(3.0, 2.0, sign * 4)
    assert set(profile.free) == {4}
    assert profile.earliest(4, 1e9) == 0.0
