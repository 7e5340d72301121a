"""What an answer holds, number by number, against the formulas that it is made of."""

import math
from dataclasses import replace

import numpy as np
import pytest

from perfmodel.ageing import (
    expected_makespan_ageing,
    optimal_interval_ageing,
    optimal_intervals_ageing,
    useful_share_ageing,
)
from perfmodel.answers.known.job import job_of
from perfmodel.answers.logs.watched import SiteLogs
from perfmodel.answers.parts.ageing import aged
from perfmodel.answers.parts.asynchronous import drained
from perfmodel.answers.parts.energy import energies
from perfmodel.answers.parts.levels import layered
from perfmodel.answers.parts.watched import watched
from perfmodel.answers.requests.job import JobRequest
from perfmodel.answers.requests.levels import local_copy
from perfmodel.answers.requests.powers import powers
from perfmodel.cli.output.measures import engine_words
from perfmodel.completion import exact_makespan
from perfmodel.energy import expected_energy, time_energy_curve
from perfmodel.fitting import mtbf_posterior, rate_change
from perfmodel.interval import optimal_interval, optimal_interval_async
from perfmodel.lemons import bad_nodes
from perfmodel.levels import Level, optimal_pattern_levels
from perfmodel.lifetimes import Weibull
from perfmodel.makespan import efficiency, expected_makespan, expected_makespan_async
from sim.answers.logs.recorded import Recorded
from sim.answers.replays.measures import cut_warnings, recorded_measures
from sim.cluster import Workload

HOUR, DAY = 3600.0, 86400.0
COSTS = {
    "mtbf": 8 * HOUR,
    "checkpoint_cost": 360.0,
    "recovery_cost": 240.0,
    "downtime": 600.0,
}
JOB = job_of(JobRequest(**COSTS, work=10 * DAY))


@pytest.mark.parametrize("in_flight", ["overlap", "single_buffer", "skip"])
def test_checkpoints_that_become_durable_later(in_flight):
    found = drained(JOB, 20.0, 1200.0, in_flight)
    costs = {**COSTS, "checkpoint_cost": 20.0}
    how = {"latency": 1200.0, "in_flight": in_flight}
    long = float(optimal_interval_async(mtbf=8 * HOUR, checkpoint_cost=20.0, **how))
    few = max(math.floor(10 * DAY / long), 1)
    times = {
        count: float(expected_makespan_async(10 * DAY, interval=10 * DAY / count, **how, **costs))
        for count in (few, few + 1)
    }
    best = min(times, key=times.get)
    assert found.segments == best
    assert found.interval_s == pytest.approx(10 * DAY / best)
    assert found.expected_makespan_s == pytest.approx(times[best])
    assert found.efficiency == pytest.approx(10 * DAY / times[best])
    assert (found.snapshot_cost_s, found.latency_s, found.in_flight) == (20.0, 1200.0, in_flight)


def test_a_short_job_has_one_segment():
    found = drained(replace(JOB, work=60.0), 20.0, 1200.0, "overlap")
    assert (found.segments, found.interval_s) == (1, 60.0)


def test_levels_are_ordered_by_what_they_survive():
    copies = [
        local_copy("cost=30s,recovery=20s,survives=90%"),
        local_copy("cost=5s,recovery=4s,survives=50%"),
    ]
    found = layered(JOB, copies)
    every = [Level(5.0, 4.0, 0.5), Level(30.0, 20.0, 0.9), Level(360.0, 240.0, 1.0)]
    best = optimal_pattern_levels(every, mtbf=8 * HOUR, downtime=600.0)
    alone = optimal_pattern_levels(every[-1:], mtbf=8 * HOUR, downtime=600.0)
    assert [(layer.cost_s, layer.recovery_s, layer.survives) for layer in found.levels] == [
        (5.0, 4.0, 0.5),
        (30.0, 20.0, 0.9),
        (360.0, 240.0, 1.0),
    ]
    # After n checkpoints of a level comes one of the next: one in n + 1 is of a higher one.
    spread = [1, 1 + best.counts[0], (1 + best.counts[0]) * (1 + best.counts[1])]
    used = [*best.counts, 1]
    expected = [number if count else 0 for number, count in zip(spread, used, strict=True)]
    assert [layer.every for layer in found.levels] == expected
    assert (found.interval_s, found.efficiency) == (best.interval, best.efficiency)
    assert (found.single_interval_s, found.single_efficiency) == (alone.interval, alone.efficiency)
    assert found.overhead == pytest.approx(1 / best.efficiency - 1)
    assert found.single_overhead == pytest.approx(1 / alone.efficiency - 1)


@pytest.mark.parametrize("overlap", [0.0, 0.5])
def test_time_and_energy(overlap):
    drawn = powers("static=8MW,compute=10MW,io=1MW,down=2MW")
    found = energies(JOB, drawn, overlap)
    watts = {"static_power": 8e6, "compute_power": 10e6, "io_power": 1e6, "down_power": 2e6}
    curve = time_energy_curve(**COSTS, **watts, overlap=overlap)
    assert (found.static_w, found.compute_w, found.io_w, found.down_w) == (8e6, 10e6, 1e6, 2e6)
    assert found.overlap == overlap
    np.testing.assert_allclose([point.interval_s for point in found.curve], curve.interval)
    np.testing.assert_allclose([point.time for point in found.curve], curve.time)
    np.testing.assert_allclose([point.energy for point in found.curve], curve.energy)
    for choice, at in ((found.least_time, 0), (found.least_energy, -1)):
        interval = float(curve.interval[at])
        assert choice.interval_s == interval
        spent = expected_energy(10 * DAY, interval=interval, **COSTS, **watts, overlap=overlap)
        assert choice.expected_energy_j == pytest.approx(float(spent))
        if not overlap:  # a job that stands still meanwhile takes the time of the plain formula
            time = float(expected_makespan(10 * DAY, interval=interval, **COSTS))
            assert choice.expected_makespan_s == pytest.approx(time)


def test_a_law_of_uptimes():
    law = Weibull.from_mean(8 * HOUR, cv=1.5)
    found = aged(JOB, law, "as typed", sequence=True)
    costs = {"checkpoint_cost": 360.0, "recovery_cost": 240.0}
    best = optimal_interval_ageing(uptime=law, **costs)
    plain = float(optimal_interval(mtbf=8 * HOUR, checkpoint_cost=360.0))
    assert (found.law, found.cv) == ("as typed", pytest.approx(1.5))
    assert found.interval_s == best
    assert found.exponential_interval_s == pytest.approx(plain)
    how = {"uptime": law, "downtime": 600.0, **costs}
    assert found.useful_share == pytest.approx(useful_share_ageing(best, **how))
    assert found.exponential_useful_share == pytest.approx(useful_share_ageing(plain, **how))
    ages = optimal_intervals_ageing(uptime=law, **costs)
    assert found.intervals_s == ages.tolist()
    assert found.intervals_useful_share == pytest.approx(useful_share_ageing(ages, **how))
    segments = round(10 * DAY / best)
    makespan = expected_makespan_ageing(10 * DAY, interval=10 * DAY / segments, **how)
    assert found.expected_makespan_s == pytest.approx(float(makespan))
    alone = aged(JOB, law, "as typed", sequence=False)
    assert (alone.intervals_s, alone.intervals_useful_share) == (None, None)
    assert alone.useful_share == found.useful_share


def logs(**changes):
    made = {
        "start": np.array([0.0, 4.0, 11.0, 12.0, 15.0]) * DAY,
        "end": np.array([5.0, 12.0, 14.0, 20.0, 25.0]) * DAY,
        "nodes": np.array([4, 5, 7, 64, 1]),
        "struck": np.array([True, True, True, False, True]),
        "now": 20 * DAY,
        "since": 10 * DAY,
        "failed_at": None,
        "failed_node": (),
        "machine": 100,
        "covered": True,
        "notes": ("read",),
    }
    return SiteLogs(**{**made, **changes})


def test_a_site_without_a_failure_log():
    found = watched(logs(), cost=300.0, recovery_cost=60.0)
    # Node days of the last ten days: 5 x 2, 7 x 3, 64 x 8, 1 x 5; of those before: 4 x 5, 5 x 6.
    assert found.observed_s == pytest.approx((10 + 21 + 512 + 5) * DAY)
    assert found.observed_before_s == pytest.approx((20 + 30) * DAY)
    assert (found.failures, found.failures_before) == (2, 1)
    assert (found.by_log, found.suspects, found.notes) == (False, None, ("read",))
    assert (found.now_s, found.since_s, found.nodes, found.covered) == (
        20 * DAY,
        10 * DAY,
        100,
        True,
    )
    # Half a failure more than was seen.
    assert found.node_mtbf_s == pytest.approx(548 * DAY / 2.5)
    limits = mtbf_posterior(2, 548 * DAY).ppf([0.025, 0.975])
    assert (found.node_mtbf_low_s, found.node_mtbf_high_s) == pytest.approx(limits)
    change = rate_change(1, 50 * DAY, 2, 548 * DAY, confidence=0.95)
    assert found.change == change
    assert found.changed is bool(change.p_value <= 0.05 / 4)
    assert found.level == 0.05 / 4  # of three classes and all together
    assert [(one.least, one.most) for one in found.classes] == [(1, 1), (4, 7), (64, 127)]
    one = found.classes[1]
    assert (one.jobs, one.failures, one.failures_before) == (2, 2, 1)
    assert one.nodes == pytest.approx((10 * 5 + 21 * 7) / 31)  # a mean over node time
    assert one.share == pytest.approx(31 / 548)
    assert one.length_s == pytest.approx(5.5 * DAY)  # the median of 8 and 3 days
    mtbf = found.node_mtbf_s / one.nodes
    assert one.mtbf_s == pytest.approx(mtbf)
    assert one.mtbf_low_s == pytest.approx(limits[0] / one.nodes)
    assert one.mtbf_high_s == pytest.approx(limits[1] / one.nodes)
    best = float(optimal_interval(mtbf=mtbf, checkpoint_cost=300.0))
    assert one.interval_s == pytest.approx(best)
    before = 50 * DAY / 1.5 / one.nodes
    assert one.interval_before_s == pytest.approx(
        float(optimal_interval(mtbf=before, checkpoint_cost=300.0))
    )
    how = {"interval": best, "mtbf": mtbf, "checkpoint_cost": 300.0, "recovery_cost": 60.0}
    how["final_checkpoint"] = False
    assert one.goodput == pytest.approx(float(efficiency(5.5 * DAY, **how)))
    assert one.promise_s == pytest.approx(float(exact_makespan(5.5 * DAY, **how).ppf(0.9)))
    assert one.change == rate_change(1, 50 * DAY, 2, 31 * DAY, confidence=0.95)
    # Of a class whose only job runs on, what is known of its length.
    assert found.classes[0].length_s == 5 * DAY
    assert found.classes[0].failures == 0
    quiet = found.classes[2].change
    assert math.isnan(quiet.ratio)
    assert (quiet.lower, quiet.upper, quiet.p_value, quiet.confidence) == (0.0, math.inf, 1.0, 0.95)
    assert not found.classes[2].changed


def test_a_site_with_a_failure_log():
    times = np.array([*np.linspace(10.5, 19.5, 40), 3.0, 20.0, 10.0]) * DAY
    names = (*["n7"] * 38, "-1", "n8", "n9", "n9", "n1")
    found = watched(logs(failed_at=times, failed_node=names), cost=300.0, recovery_cost=60.0)
    assert found.by_log
    assert (found.failures, found.failures_before) == (41, 2)  # a window ends with its last instant
    assert found.observed_s == found.observed_before_s == 1000 * DAY
    counts = [1, 38, 1, 1]  # of -1, n7, n8 and n9
    tested = bad_nodes([*counts, *[0] * 96], false_alarm=0.05)
    (bad,) = found.suspects
    assert (bad.node, bad.failures, bad.system) == ("n7", 38, "")
    assert bad.expected == pytest.approx(float(tested.expected[1]))
    assert bad.probability == pytest.approx(float(tested.probability[1]))
    early = logs(failed_at=times[40:41], failed_node=("n9",))
    assert watched(early, cost=300.0, recovery_cost=60.0).suspects == ()


def test_nothing_is_called_changed_where_logs_begin_late():
    many = logs(
        start=np.zeros(400),
        end=np.linspace(10.5, 19.5, 400) * DAY,
        nodes=np.full(400, 4),
        struck=np.ones(400, bool),
    )
    found = watched(many, cost=300.0, recovery_cost=60.0)
    assert found.changed
    assert found.classes[0].changed
    late = watched(replace(many, covered=False), cost=300.0, recovery_cost=60.0)
    assert not late.changed
    assert not late.classes[0].changed


def jobs(**changes):
    made = {
        "submit": np.array([0.0, 10.0, 30.0]),
        "runtime": np.array([5.0, 20.0, 100.0]),
        "walltime": np.array([5.0, 20.0, 100.0]),
        "processors": np.array([1, 2, 4]),
        "line": np.array([3, 5, 9]),
    }
    return Workload(**{**made, **changes})


def test_what_a_log_says_of_its_own_jobs():
    known = Recorded(np.array([3, 5, 9]), np.array([10.0, 0.0, 20.0]))
    found = recorded_measures(known, jobs(), size=8)
    assert found["jobs"] == 3
    assert found["mean_wait_s"] == 10.0
    assert found["mean_response_s"] == pytest.approx((15 + 20 + 120) / 3)
    # Of jobs of less than 10 s the slowdown is that over 10 s.
    assert found["mean_bounded_slowdown"] == pytest.approx((1.5 + 1.0 + 1.2) / 3)
    assert found["utilization"] == pytest.approx((5 + 40 + 400) / (8 * 150.0))
    assert list(found["wait_percentiles_s"].values())[-1] <= 20.0
    some = recorded_measures(Recorded(np.array([5]), np.array([7.0])), jobs(), size=8)
    assert (some["jobs"], some["mean_wait_s"], some["mean_response_s"]) == (1, 7.0, 27.0)
    assert math.isnan(some["utilization"])
    assert recorded_measures(None, jobs(), size=8) is None
    assert recorded_measures(Recorded(np.array([4]), np.array([7.0])), jobs(), size=8) is None
    none = Recorded(np.empty(0, np.int64), np.empty(0))
    assert recorded_measures(none, jobs(), size=8) is None


def test_checkpoints_that_bring_jobs_to_their_walltime():
    row = {"cut_by_checkpoints": 1200, "jobs": 4800, "cut_node_h": 10.0, "useful_node_h": 50.0}
    row |= {"lost_node_h": 20.0, "checkpoint_node_h": 20.0, "recovery_node_h": 10.0}
    assert cut_warnings({"easy": row, "fcfs": {"cut_by_checkpoints": 0}}) == [
        "warning: easy: checkpoints made 1,200 of 4,800 jobs reach their walltime, which would "
        "have come to their end without; they held 10.0 % of the time in use"
    ]


def test_what_played_the_replays():
    def words(*engines):
        rows = [{"policy": f"p{place}", "engine": each} for place, each in enumerate(engines)]
        return engine_words(rows)

    assert words("kernel", "kernel") == "the compiled core"
    assert words("loop", "loop") == "the readable loop"
    assert words("kernel", "loop", "loop") == "the compiled core; the readable loop for p1, p2"
