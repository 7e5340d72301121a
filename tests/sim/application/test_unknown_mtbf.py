"""Paths worked out by hand, then laws that are known from elsewhere."""

import numpy as np
import pytest
from scipy import stats

from sim.application import simulate_mtbfs, simulate_unknown_mtbf_makespans, unknown_mtbf
from sim.application._plan import Plan

JOB = {"interval": 2.0, "checkpoint_cost": 1.0, "recovery_cost": 0.5}


class Scripted:
    """A generator whose uptimes are listed, in units of the MTBF."""

    def __init__(self, *uptimes):
        self._uptimes = list(uptimes)

    def standard_exponential(self, count):
        return np.array([self._uptimes.pop(0) for _ in range(count)])


def makespan(monkeypatch, work, *uptimes, mtbf=1.0, downtime=3.0):
    monkeypatch.setattr(unknown_mtbf, "machines", lambda *_, **__: np.array([1.0 / mtbf]))
    plan = Plan(work, **JOB, final_checkpoint=True)
    (wall,) = unknown_mtbf.play(
        Scripted(*uptimes), 1, plan=plan, downtime=downtime, failures=1, observed_time=1.0
    )
    return wall


@pytest.mark.parametrize(
    ("work", "uptimes", "expected"),
    [
        (4.0, [99.0], 6.0),
        (5.0, [99.0], 8.0),  # the last segment is shorter
        (4.0, [4.0, 99.0], 10.5),  # in compute: 1 lost, down 3, recovery 0.5
        (4.0, [2.5, 99.0], 12.0),  # in a checkpoint: its segment is lost too
        (4.0, [4.0, 0.25, 99.0], 13.75),  # in recovery: down again, recovery again
        (2.0, [1.0, 99.0], 7.5),  # before the first checkpoint
    ],
)
def test_paths_worked_out_by_hand(monkeypatch, work, uptimes, expected):
    assert makespan(monkeypatch, work, *uptimes) == expected


def test_uptimes_are_in_units_of_the_mtbf_and_begin_when_the_machine_is_up(monkeypatch):
    # Up 0 to 4, down to 104, up to 110: one hour lost, recovery, then 3 hours to the end.
    assert makespan(monkeypatch, 4.0, 2.0, 3.0, mtbf=2.0, downtime=100.0) == 107.5


def test_jobs_side_by_side_do_not_meet(monkeypatch):
    monkeypatch.setattr(unknown_mtbf, "machines", lambda *_, **__: np.array([1.0, 0.5, 1.0]))
    walls = unknown_mtbf.play(
        Scripted(4.0, 0.5, 99.0, 99.0, 99.0),  # three first uptimes, then each as it comes up
        3,
        plan=Plan(4.0, **JOB, final_checkpoint=True),
        downtime=3.0,
        failures=1,
        observed_time=1.0,
    )
    assert walls.tolist() == [10.5, 10.5, 6.0]


def test_a_job_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(unknown_mtbf, "FAILURES_LIMIT", 5)
    with pytest.raises(RuntimeError, match="got no end"):
        makespan(monkeypatch, 4.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)


@pytest.mark.parametrize("failures", [0, 1, 5, 60])
def test_rates_have_the_posterior_of_jeffreys(failures):
    # A gamma law of shape failures + 1/2, in units of one per observed time.
    mtbfs = simulate_mtbfs(failures=failures, observed_time=50.0, replications=8000, seed=1)
    assert stats.kstest(50.0 / mtbfs, stats.gamma(failures + 0.5).cdf).pvalue > 1e-3


def test_the_observed_time_is_a_unit():
    short, long = (
        simulate_mtbfs(failures=2, observed_time=time, replications=9, seed=1)
        for time in (1.0, 1024.0)
    )
    assert (long == 1024.0 * short).all()


def test_a_machine_seen_for_ever_without_failure_does_not_fail():
    walls = simulate_unknown_mtbf_makespans(
        5.0, failures=0, observed_time=1e12, replications=9, seed=1, **JOB
    )
    assert walls.tolist() == [8.0] * 9


def test_the_mean_is_that_of_known_mtbfs_over_the_posterior():
    # A segment s at a known rate r takes exp(r R) (1/r + D) (exp(r (s + C)) - 1) on average.
    walls = simulate_unknown_mtbf_makespans(
        10.0, failures=20, observed_time=160.0, downtime=3.0, replications=8000, seed=2, **JOB
    )
    shape, time = 20.5, 160.0
    power = {span: 1.0 - span / time for span in (0.5, 3.5)}
    up = time / (shape - 1.0) * (power[3.5] ** (1.0 - shape) - power[0.5] ** (1.0 - shape))
    down = 3.0 * (power[3.5] ** -shape - power[0.5] ** -shape)
    assert abs(walls.mean() - 5.0 * (up + down)) < 4.0 * walls.std() / np.sqrt(walls.size)


def test_a_job_without_a_failure_is_as_likely_as_the_posterior_says():
    # The chance of none in 15 h after k failures in T is (1 + 15/T)^-(k + 1/2).
    walls = simulate_unknown_mtbf_makespans(
        10.0, failures=1, observed_time=40.0, replications=8000, seed=3, **JOB
    )
    unhurt = int((walls == 15.0).sum())
    assert stats.binomtest(unhurt, 8000, (1.0 + 15.0 / 40.0) ** -1.5).pvalue > 1e-3


def test_more_replications_only_append():
    few, many = (
        simulate_unknown_mtbf_makespans(
            10.0, failures=1, observed_time=40.0, replications=count, seed=3, **JOB
        )
        for count in (3, 8195)
    )
    assert (many[:3] == few).all()
    assert many[8192:].tolist() != few.tolist()
