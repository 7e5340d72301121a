import numpy as np
import pytest

from sim.cluster import Failures, Job, Periodic, Workload, flat, replay
from sim.cluster.checkpointing import Cooperative
from sim.cluster.failures import bursty_failures
from sim.cluster.promises import Promise
from sim.metrics import calibration, kept, lost_work, quality_of_service

YEAR = 365 * 86_400.0


def test_work_is_lost_since_the_start_of_the_last_completed_checkpoint():
    # Checkpoints 4..6 and 10..12; the failure at 15 rolls back to 10.
    jobs = Workload(submit=[0], runtime=[20], walltime=[20], processors=[3])
    feed = Failures(np.array([15.0]), np.array([0]), np.array([1.0]))
    done = replay(jobs, flat(3), checkpointing=Periodic(4.0, 2.0), failures=feed)
    assert lost_work(done.attempt_records, checkpoint_cost=2.0) == 5.0 * 3


def test_quality_weighs_work_by_what_was_promised_and_kept():
    jobs = Workload(submit=[0, 0], runtime=[10, 5], walltime=[10, 5], processors=[1, 2])
    records = replay(jobs, flat(3)).job_records
    was_kept = kept(records, np.array([10.0, 4.0]))
    assert was_kept.tolist() == [True, False]
    assert quality_of_service(records, np.array([0.8, 1.0]), was_kept) == pytest.approx(0.4)


def test_calibration_sets_promised_beside_kept():
    promised = np.array([0.05, 0.92, 0.98, 1.0, 1.0])
    bins = calibration(promised, np.array([False, True, False, True, True]))
    assert [row.jobs for row in bins] == [1, 2, 2]
    assert [row.observed for row in bins] == [0.0, 0.5, 1.0]
    assert bins[1].promised == pytest.approx(0.95)
    # Wilson (1927): 1 of 2 at 95 %.
    assert (bins[1].low, bins[1].high) == (
        pytest.approx(0.0945, abs=1e-4),
        pytest.approx(0.9055, abs=1e-4),
    )
    assert bins[2].high == 1.0


class Certain:
    """An outlook with a risk of its own for every request."""

    changes = np.empty(0)
    ceiling = 1.0

    def __init__(self, *risks):
        self.risks, self.asked = list(risks), []

    def risk(self, nodes, start, end):
        self.asked.append((start, end))
        return self.risks.pop(0)

    def choose(self, free, count, start, end):
        return free[:count], 0.0


def course(outlook, *, work, deadline=1e9):
    job = Job(0, 0.0, 1, work, work, False, note=Promise(1.0, deadline, 0.0))
    return Cooperative(10.0, 2.0, outlook).timeline(job, work, 100.0, np.array([0]))


def test_a_request_is_granted_when_the_work_at_stake_is_worth_its_cost():
    # 0.1 x 1 x 10 < 2, then 0.1 x 2 x 10 >= 2 because the first was skipped, then 0.2 x 1 x 10.
    outlook = Certain(0.1, 0.1, 0.2)
    line = course(outlook, work=35.0)
    assert list(line.saved) == [20.0, 30.0]
    assert list(line.written) == [22.0, 34.0]
    assert line.wall == 39.0
    # From the request to the end of the next checkpoint.
    assert outlook.asked == [(110.0, 124.0), (120.0, 134.0), (132.0, 146.0)]


def test_a_request_is_skipped_if_only_that_meets_the_deadline():
    assert list(course(Certain(1.0, 1.0), work=25.0, deadline=129.0).saved) == [10.0, 20.0]
    assert list(course(Certain(1.0, 1.0), work=25.0, deadline=128.0).saved) == [10.0]
    assert list(course(Certain(1.0, 1.0), work=25.0, deadline=125.0).saved) == []
    # Too late either way: back to the rule.
    assert list(course(Certain(1.0, 1.0), work=25.0, deadline=124.0).saved) == [10.0, 20.0]


def test_planned_time_has_every_requested_checkpoint():
    job = Job(0, 0.0, 1, 35.0, 35.0, False)
    assert Cooperative(10.0, 2.0, Certain()).planned(job, 35.0) == 41.0


def test_bursts_have_the_rate_asked_for_and_cluster():
    feed = bursty_failures(
        nodes=128, per_year=1021.0, repair=120.0, start=0.0, end=50 * YEAR, seed=2
    )
    assert len(feed) / 50 == pytest.approx(1021.0, rel=0.05)
    gaps = np.diff(feed.time)
    assert gaps.std() / gaps.mean() > 1.3  # 1 without clusters
    counts = np.bincount(feed.node, minlength=128)
    assert counts.min() > 0.8 * counts.mean()
    plain = bursty_failures(
        nodes=128,
        per_year=1021.0,
        repair=1.0,
        start=0.0,
        end=50 * YEAR,
        seed=2,
        shape=1.0,
        burst=1.0,
    )
    gaps = np.diff(plain.time)
    assert gaps.std() / gaps.mean() == pytest.approx(1.0, abs=0.03)


def test_no_failures_a_year_are_none():
    feed = bursty_failures(nodes=2, per_year=0.0, repair=1.0, start=0.0, end=1.0, seed=0)
    assert len(feed) == 0


@pytest.mark.parametrize(
    ("where", "group", "same_node", "same_group"),
    [
        ("anywhere", 4, 1.0 / 30.0, 3.87 / 30.0),
        ("group", 4, 0.267, 1.0),  # seven groups of four and one of two
        ("group", 1, 1.0, 1.0),
        ("node", 4, 1.0, 1.0),
    ],
)
def test_failures_of_a_burst_strike_where_they_should(where, group, same_node, same_group):
    # Bursts a month apart, over in minutes: which failures are of one is plain to see.
    feed = bursty_failures(
        nodes=30,
        per_year=48.0,
        repair=1.0,
        start=0.0,
        end=400 * YEAR,
        seed=3,
        shape=3.0,
        burst=4.0,
        spread=60.0,
        where=where,
        group=group,
    )
    together = np.diff(feed.time) < 3600.0
    one, other = feed.node[:-1][together], feed.node[1:][together]
    assert together.sum() > 10_000
    assert (one == other).mean() == pytest.approx(same_node, abs=0.02)
    assert (one // group == other // group).mean() == pytest.approx(
        same_group if group == 4 else 1.0, abs=0.02
    )
    apart = ~together
    assert (feed.node[:-1][apart] == feed.node[1:][apart]).mean() == pytest.approx(1 / 30, abs=0.02)
    counts = np.bincount(feed.node, minlength=30)
    assert counts.min() > 0.6 * counts.mean()


def test_where_bursts_strike_leaves_their_times():
    usual = {"nodes": 30, "per_year": 500.0, "repair": 1.0, "start": 0.0, "end": YEAR, "seed": 3}
    plain, again = (bursty_failures(**usual, where=where) for where in ("anywhere", "node"))
    np.testing.assert_array_equal(plain.time, again.time)
