"""Plans of whole jobs on machines that age."""

import numpy as np
import pytest
from scipy import integrate

from perfmodel import (
    Bathtub,
    Deterministic,
    Exponential,
    Gamma,
    LogNormal,
    Weibull,
    expected_makespan,
    expected_makespan_ageing,
    optimal_plan_ageing,
)
from perfmodel.ageing.plan import _Job, _planned

# Work, checkpoint, recovery, downtime; least mean by a grid of 1/32 or 1/64 h, which is an upper
# bound, and the intervals at the start.
JOBS = {
    "weibull": (Weibull(0.5, 12.0), (96.0, 0.5, 0.75, 0.25), 123.45420, [3.156, 4.0, 4.594]),
    "lognormal": (
        LogNormal.from_mean(24.0, cv=1.0),
        (96.0, 0.5, 0.5, 0.25),
        123.14111,
        [5.031, 4.031, 3.844],
    ),
    "bathtub": (
        Bathtub(0.45, 1.0, 0.8, 24.0),
        (60.0, 0.25, 0.25, 0.25),
        66.99908,
        [19.266, 2.375, 0.859],
    ),
}
COSTS = {"checkpoint_cost": 0.5, "recovery_cost": 0.75, "downtime": 0.25}


def planned(law, work, cost, recovery, down):
    return optimal_plan_ageing(
        work, uptime=law, checkpoint_cost=cost, recovery_cost=recovery, downtime=down
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("name", JOBS)
def test_mean_and_first_intervals_of_three_jobs(name):
    law, job, known, first = JOBS[name]
    plan = planned(law, *job)
    assert known - 4e-4 < plan.mean < known * (1.0 + 2e-4)
    assert plan.intervals[:3] == pytest.approx(first, abs=0.15)
    assert plan.intervals.sum() == pytest.approx(job[0], rel=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_a_finer_grid_meets_the_least_mean(name):
    law, job, known, _ = JOBS[name]
    assert _planned(_Job(law, *job), 3072.0).mean == pytest.approx(known, abs=4e-4)


@pytest.mark.slow
def test_a_machine_that_does_not_age_has_equal_intervals():
    job = {"checkpoint_cost": 0.25, "recovery_cost": 0.5, "downtime": 0.5}
    plan = optimal_plan_ageing(60.0, uptime=Exponential(10.0), **job)
    best = min(
        float(expected_makespan(60.0, interval=60.0 / k, mtbf=10.0, **job)) for k in range(20, 40)
    )
    assert best <= plan.mean < best * (1.0 + 5e-5)
    assert np.ptp(plan.intervals[:-1]) <= 2.0 * plan.cell


@pytest.mark.slow
@pytest.mark.parametrize("unit", [1e-60, 1.0, 1e60])
def test_any_unit_of_time(unit):
    plan = optimal_plan_ageing(
        20.0 * unit,
        uptime=Weibull(0.7, 5.0 * unit),
        **{name: value * unit for name, value in COSTS.items()},
    )
    known = optimal_plan_ageing(20.0, uptime=Weibull(0.7, 5.0), **COSTS)
    assert plan.mean == pytest.approx(unit * known.mean, rel=1e-9)


def test_a_short_job_is_done_in_one_interval():
    plan = optimal_plan_ageing(0.5, uptime=Weibull(0.7, 50.0), **COSTS)
    known = expected_makespan_ageing(0.5, interval=0.5, uptime=Weibull(0.7, 50.0), **COSTS)
    assert plan.intervals.tolist() == [0.5]
    assert plan.mean == pytest.approx(float(known), rel=1e-9)


@pytest.mark.slow
def test_what_is_planned_after_a_failure_adds_up_to_the_work_left():
    plan = optimal_plan_ageing(20.0, uptime=Gamma(0.5, 12.0), **COSTS)
    for left in (20.0, 7.3, plan.cell, 0.3 * plan.cell):
        found = plan.after_failure(left)
        assert found.sum() == pytest.approx(left, rel=1e-14)
        assert (found > 0.0).all()


@pytest.mark.slow
def test_uptimes_of_one_length_are_filled_with_one_interval_each():
    plan = optimal_plan_ageing(29.0, uptime=Deterministic(11.0), **COSTS)
    # 10.5 in the first uptime and 9.75 in the second: all but a checkpoint and a recovery.
    assert plan.intervals[0] == pytest.approx(10.5, abs=2.0 * plan.cell)
    assert plan.mean == pytest.approx(2 * 11.25 + 0.75 + 8.75 + 0.5, abs=3.0 * plan.cell)


@pytest.mark.slow
def test_little_room_after_a_recovery_is_used():
    # A tenth is left of each uptime: less than a cell of the first, coarse grid.
    plan = optimal_plan_ageing(
        20.0, uptime=Deterministic(17.0), checkpoint_cost=0.1, recovery_cost=16.8
    )
    each = 3.0 * plan.cell
    assert each < 0.1 < 4.0 * plan.cell
    uptimes = np.ceil((20.0 - 16.9) / each)
    assert plan.mean == pytest.approx(uptimes * 17.0 + 16.8 + each + 0.1, abs=3.0 * plan.cell)


def test_more_work_left_than_work_is_refused():
    plan = optimal_plan_ageing(5.0, uptime=Weibull(0.7, 50.0), **COSTS)
    with pytest.raises(ValueError, match=r"work_left must be at most the work, 5, got 5\.1"):
        plan.after_failure(5.1)
    for none in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match=rf"^work_left must be finite and > 0, got {none}"):
            plan.after_failure(none)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("law", "work", "downtime", "known"),
    [
        (Bathtub(0.45, 1.0, 0.8, 24.0), 20.0, 1 / 12, 20.88960),
        (Bathtub(0.5, 0.5, 0.8, 24.0), 10.0, 0.0, 10.56458),
    ],
)
def test_spot_machines_are_left_alone_in_their_safe_middle(law, work, downtime, known):
    costs = {"checkpoint_cost": 1 / 12, "recovery_cost": 1 / 12, "downtime": downtime}
    plan = optimal_plan_ageing(work, uptime=law, **costs)
    assert plan.mean == pytest.approx(known, rel=1e-5)
    assert plan.intervals.max() > 9.0


def best_of_all(law, work, cost, recovery, down):
    """Return the least mean, and the intervals for each work left, where all times are whole.

    Bellman's equation over the work left and the age: each value is that from the end of a
    checkpoint on, times the chance of its age.
    """
    far = recovery + work + 12 * cost + work + 1
    sf = np.append(1.0, law.sf(np.arange(1, far)))  # a job starts before an uptime of 0 ends
    used = np.append(0.0, np.cumsum([integrate.quad(law.sf, t, t + 1)[0] for t in range(far - 1)]))
    value = np.full((work + 1, far), np.inf)
    value[0] = 0.0
    taken = np.zeros((work + 1, far), dtype=int)
    fresh, first = np.zeros(work + 1), np.zeros(work + 1, dtype=int)
    age = np.arange(far - work - cost)
    for left in range(1, work + 1):
        k = np.arange(1, left + 1)
        at = recovery + k + cost
        tried = (used[at] + down * (1.0 - sf[at]) + value[left - k, at]) / sf[at]
        fresh[left], first[left] = tried.min(), k[tried.argmin()]
        at = age + k[:, None] + cost
        tried = used[at] - used[age] + (sf[age] - sf[at]) * (down + fresh[left])
        tried = tried + value[left - k[:, None], at]
        value[left, age], taken[left, age] = tried.min(axis=0), k[tried.argmin(axis=0)]

    def followed(interval, left, age):
        found = []
        while left:
            found.append(int(interval))
            left, age = left - interval, age + interval + cost
            interval = taken[left, age]
        return found

    after = [followed(first[left], left, recovery) for left in range(1, work + 1)]
    return value[work, 0], followed(taken[work, 0], work, 0), after


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("law", "work", "cost", "recovery", "down"),
    [
        (Weibull(0.6, 90.0), 96, 24, 10, 7.0),
        (Weibull(0.5, 300.0), 96, 5, 3, 0.0),
        (Gamma(3.0, 25.0), 96, 30, 5, 11.0),
        (LogNormal.from_mean(130.0, cv=1.4), 96, 17, 0, 40.0),
        (Exponential(150.0), 96, 15, 40, 20.0),
        (Bathtub(0.45, 30.0, 20.0, 260.0), 96, 14, 6, 9.0),
        (Weibull(0.6, 90.0), 192, 24, 10, 7.0),
        (Gamma(0.5, 200.0), 192, 30, 7, 3.0),
    ],
    ids=repr,
)
def test_a_plan_is_the_best_of_all_where_ages_are_those_of_its_grid(
    law, work, cost, recovery, down
):
    """Costs are whole cells, so that nothing lies between two ages of the grid."""
    plan = planned(law, float(work), float(cost), float(recovery), down)
    assert plan.cell == 1.0
    mean, start, after = best_of_all(law, work, cost, recovery, down)
    assert plan.mean == pytest.approx(mean, rel=1e-9)
    assert plan.intervals.tolist() == start
    assert [found.tolist() for found in plan.after[1:]] == after
