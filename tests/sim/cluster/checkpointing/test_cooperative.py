"""Requests of one job, granted or not, worked out by hand: 35 s of work, a request each 10 s."""

from types import SimpleNamespace

import numpy as np
import pytest

from sim.cluster.checkpointing.cooperative import Cooperative
from sim.cluster.loop.jobs import Job

NODES = np.array([3, 4])


class Scripted:
    """An outlook that knows its answers beforehand, and notes the windows that it is asked for."""

    changes = np.array([])
    ceiling = 1.0

    def __init__(self, *chances):
        self.chances, self.windows = list(chances), []

    def risk(self, nodes, start, end):
        assert nodes is NODES
        self.windows.append((start, end))
        return self.chances.pop(0)

    def choose(self, free, count, start, end):
        raise NotImplementedError


def job(deadline=None):
    note = None if deadline is None else SimpleNamespace(deadline=deadline)
    return Job(0, 0.0, 2, 35.0, 35.0, killed=False, note=note)


def course(outlook, *, deadline=None, start=0.0):
    policy = Cooperative(interval=10.0, cost=2.0, outlook=outlook)
    return policy.timeline(job(deadline), 35.0, start, NODES)


def test_every_request_is_granted_where_a_failure_is_certain():
    found = course(Scripted(1.0, 1.0, 1.0))
    assert found.saved == [10.0, 20.0, 30.0]
    assert found.written == [12.0, 24.0, 36.0]
    assert (found.work, found.wall, found.recovery) == (35.0, 41.0, 0.0)


def test_work_at_stake_grows_until_a_checkpoint_is_worth_its_cost():
    # 0.1 of 10 s is less than 2 s; 0.1 of 20 s is not; then 10 s are at stake again.
    outlook = Scripted(0.1, 0.1, 0.1)
    found = course(outlook, start=100.0)
    assert (found.saved, found.written, found.wall) == ([20.0], [22.0], 37.0)
    # From the request to the end of the next checkpoint: 2 + 10 + 2 s.
    assert outlook.windows == [(110.0, 124.0), (120.0, 134.0), (132.0, 146.0)]


def test_a_checkpoint_that_is_just_worth_its_cost_is_granted():
    assert course(Scripted(0.2, 0.19, 0.0)).saved == [10.0]


def test_nothing_is_written_without_risk():
    found = course(Scripted(0.0, 0.0, 0.0))
    assert (found.saved, found.written, found.wall) == ([], [], 35.0)


@pytest.mark.parametrize(
    ("deadline", "saved"),
    [
        (41.0, [10.0, 20.0, 30.0]),  # kept with all three
        (39.0, [10.0, 20.0]),  # the third would end the job at 41
        (38.5, [10.0]),
        (36.5, []),
        (35.0, []),  # kept to the instant
        (34.0, [10.0, 20.0, 30.0]),  # missed whatever is done
        (35.0 - 1e-7, []),  # rounding is not a delay
    ],
)
def test_a_promise_that_can_be_kept_is_not_broken_for_a_checkpoint(deadline, saved):
    found = course(Scripted(1.0, 1.0, 1.0), deadline=deadline)
    assert found.saved == saved
    assert found.wall == 35.0 + 2.0 * len(saved)


def test_plans_count_every_request():
    policy = Cooperative(10.0, 2.0, Scripted())
    assert policy.planned(job(), 35.0) == 41.0
    assert policy.planned(job(), 30.0) == 34.0  # none at the end


@pytest.mark.parametrize(
    ("interval", "cost", "error"),
    [(0.0, 2.0, "interval must be > 0, got 0.0"), (10.0, -1.0, "cost must be finite and >= 0")],
)
def test_what_cannot_be_is_refused(interval, cost, error):
    with pytest.raises(ValueError, match=error):
        Cooperative(interval, cost, Scripted())


def test_requests_too_many_to_be_counted_are_refused():
    policy = Cooperative(1e-9, 2.0, Scripted())
    policy.check_jobs(np.array([0.5]))
    with pytest.raises(ValueError, match="interval must be at least"):
        policy.check_jobs(np.array([0.5, 2.0]))
