"""Parts of the formulas for machines that age: cells, lattices, sums, rules, plans, refusals."""

import math

import numpy as np
import pytest
from scipy import integrate

from perfmodel import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    Weibull,
    exact_makespan_ageing,
    expected_makespan_ageing,
    expected_makespan_rejuvenated,
    hazard_intervals,
    lazy_intervals,
    makespan_variance_ageing,
    optimal_interval_ageing,
    optimal_intervals_ageing,
    optimal_plan_ageing,
    useful_share_ageing,
)
from perfmodel.ageing._cells import Cells, cells, first_cell, has_density
from perfmodel.ageing.share import saved_work

SMOOTH = [Weibull(0.5, 12.0), Gamma(3.0, 2.0), LogNormal(1.0, 0.8), Bathtub(0.45, 1.0, 0.8, 24.0)]
RECORDED = [Deterministic(7.0), Empirical([0.5, 2.0, 3.1, 7.0, 7.0, 9.4])]


def moments_between(law, low, high):
    """Return chance, mean and variance of uptimes in (low, high]."""
    if isinstance(law, Deterministic | Empirical):
        values = np.atleast_1d(law.ppf((np.arange(6) + 0.5) / 6.0))
        inside = values[(values > low) & (values <= high)]
        chance = inside.size / 6.0
        return (chance, inside.mean(), inside.var()) if inside.size else (0.0, None, None)
    nodes, weights = np.polynomial.legendre.leggauss(300)
    x = low + (high - low) * (nodes + 1.0) / 2.0
    mass = (high - low) / 2.0 * weights * law.pdf(x)
    mean = mass @ x / mass.sum()
    return mass.sum(), mean, mass @ (x - mean) ** 2 / mass.sum()


@pytest.mark.parametrize("law", SMOOTH + RECORDED, ids=repr)
@pytest.mark.parametrize("length", [1.5, 0.6])
def test_what_is_lost_if_an_uptime_ends_in_a_cell(law, length):
    recovery, period = 0.4, 1.5
    numbers = np.array([1.0, 2.0, 4.0, 9.0])
    found = cells(law, recovery, period, numbers, length)
    for place, number in enumerate(numbers):
        low = recovery + number * period
        chance, mean, variance = moments_between(law, low, min(low + length, law.ppf(1.0)))
        assert found.chance[place] == pytest.approx(chance, rel=1e-9, abs=1e-15)
        if chance > 1e-12:
            assert found.lost[place] == pytest.approx(mean - number * period, rel=1e-9)
            assert found.variance[place] == pytest.approx(variance, rel=1e-8, abs=1e-12)
    none = cells(law, recovery, period, np.empty(0), length)
    assert none.chance.shape == none.lost.shape == none.variance.shape == (0,)


def test_the_first_cell_begins_at_birth():
    found = first_cell(Exponential(2.0), 3.0)
    chance = -math.expm1(-1.5)
    first = 2.0 - 5.0 * math.exp(-1.5)  # integrals of t and t^2 by parts
    second = 8.0 - (9.0 + 12.0 + 8.0) * math.exp(-1.5)
    assert found.chance[0] == pytest.approx(chance)
    assert found.lost[0] == pytest.approx(first / chance)
    assert found.variance[0] == pytest.approx(second / chance - (first / chance) ** 2)
    nothing = first_cell(Deterministic(5.0), 4.0)
    assert (nothing.chance[0], nothing.lost[0], nothing.variance[0]) == (0.0, 0.0, 0.0)
    both = found.then(nothing)
    assert both.chance.tolist() == [found.chance[0], 0.0]
    part = Cells(*np.arange(12.0).reshape(3, 4)).part(1, 3)
    assert [part.chance.tolist(), part.lost.tolist(), part.variance.tolist()] == [
        [1.0, 2.0],
        [5.0, 6.0],
        [9.0, 10.0],
    ]


@pytest.mark.parametrize("law", [Exponential(0.01), Weibull(8.0, 1.0), Gamma(3.0, 0.02)], ids=repr)
def test_the_chance_of_a_cell_in_which_a_tail_ends_has_all_digits(law):
    """Where the density falls by hundreds of orders within the cell, no nodes find its sum."""
    found = cells(law, 0.5, 1.0, np.array([1.0, 2.0]), 40.0)
    np.testing.assert_allclose(found.chance, law.sf([1.5, 2.5]), rtol=1e-12)


def test_which_laws_have_a_density():
    assert all(has_density(law) for law in [*SMOOTH, Exponential(1.0)])
    assert not any(has_density(law) for law in RECORDED)


def test_the_law_of_one_segment_with_memoryless_failures():
    """What one failure costs is an uptime cut at the span, a downtime and a recovery."""
    law = exact_makespan_ageing(
        1.0, interval=1.0, uptime=Exponential(50.0), checkpoint_cost=0.5, downtime=2.0
    )
    once = -math.expm1(-0.03)
    assert law.atom == (1.5, pytest.approx(1.0 - once))
    for t in (0.3, 0.9, 1.4):
        known = 1.0 - once + (1.0 - once) * -math.expm1(-t / 50.0)
        assert law.cdf(1.5 + 2.0 + t) == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize("law", [*SMOOTH, RECORDED[1]], ids=repr)
def test_saved_work_is_a_plain_sum(law):
    intervals, cost, recovery = np.array([0.5, 0.7, 0.2]), 0.1, 0.3
    every = np.append(intervals, np.full(60_000, 0.2))
    ends = recovery + np.cumsum(every + cost)
    known = float(every @ law.sf(ends))
    assert saved_work(law, intervals, cost, recovery) == pytest.approx(known, rel=1e-9)


def test_saved_work_beyond_the_terms_that_are_added_up():
    law, w, cost = Weibull(0.5, 12.0), 5e-3, 5e-4
    ends = (w + cost) * np.arange(1.0, 1e6)
    known = w * float(law.sf(ends).sum())
    assert saved_work(law, np.array([w]), cost, 0.0) == pytest.approx(known, rel=1e-7)
    share = useful_share_ageing(w, uptime=law, checkpoint_cost=cost, downtime=6.0)
    assert share == pytest.approx(known / (24.0 + 6.0), rel=1e-7)
    random = useful_share_ageing(w, uptime=law, checkpoint_cost=cost, downtime=Gamma(2.0, 3.0))
    assert random == share


@pytest.mark.parametrize("law", SMOOTH, ids=repr)
@pytest.mark.parametrize("recovery", [0.0, 0.4])
def test_the_best_sequence_is_stationary(law, recovery):
    cost = 0.5
    w = optimal_intervals_ageing(uptime=law, checkpoint_cost=cost, recovery_cost=recovery)
    ends = recovery + np.cumsum(w + cost)
    sf = np.append(law.sf(ends), 0.0)
    gradient = w * law.pdf(ends) - (sf[:-1] - sf[1:])
    assert np.all(np.abs(gradient) <= 1e-8 * sf[:-1] + 1e-14)


@pytest.mark.parametrize("law", SMOOTH, ids=repr)
@pytest.mark.parametrize("recovery", [0.0, 0.4])
def test_intervals_by_hazard_follow_it_until_no_uptime_lasts(law, recovery):
    cost = 0.25
    w = hazard_intervals(uptime=law, checkpoint_cost=cost, recovery_cost=recovery)
    begins = recovery + np.cumsum(w + cost) - (w + cost)
    end = float(law.ppf(1.0 - 1e-12))
    assert begins[0] == pytest.approx(recovery, abs=1e-15)
    assert begins[-1] < end <= begins[-1] + w[-1] + cost
    rule = w**2 * law.hazard(begins + w / 2.0)
    inside = np.isfinite(rule) & (w < 0.99 * np.maximum(end - begins, cost))
    np.testing.assert_allclose(rule[inside], 2.0 * cost, rtol=1e-9)
    assert inside[0]


def test_as_many_segments_as_are_told_are_taken():
    job = {"interval": 1.0, "checkpoint_cost": 0.5, "uptime": Deterministic(1e6)}
    assert expected_makespan_ageing(20_000.0, **job) == 30_000.0
    assert makespan_variance_ageing(20_000.0, **job) == 0.0
    assert exact_makespan_ageing(1000.0, **job).mean == 1500.0
    for function, work in ((expected_makespan_ageing, 20_001.0), (exact_makespan_ageing, 1001.0)):
        with pytest.raises(ValueError, match=r"^work/interval must be at most \d+ segments"):
            function(work, **job)


def test_lazy_intervals_grow_as_a_power_of_the_age():
    law, cost, recovery = Weibull(0.6, 8.0), 0.25, 0.4
    w = lazy_intervals(uptime=law, checkpoint_cost=cost, recovery_cost=recovery)
    young = math.sqrt(2.0 * cost * law.mean)
    age = recovery + np.cumsum(w + cost)
    assert w[0] == pytest.approx(young, rel=1e-14)
    np.testing.assert_allclose(w[1:], young * (age[:-1] / young) ** 0.4, rtol=1e-12)
    end = float(law.ppf(1.0 - 1e-12))
    assert age[-2] < end <= age[-1]


@pytest.mark.parametrize("law", [SMOOTH[0], SMOOTH[3]], ids=repr)
def test_the_mean_of_a_plan_is_that_of_its_own_intervals(law):
    """By the equation of the docstring, from one cell of work on; used time by quadrature."""
    cost, recovery, down = 0.5, 0.75, 0.25
    plan = optimal_plan_ageing(
        5.0, uptime=law, checkpoint_cost=cost, recovery_cost=recovery, downtime=down
    )
    assert len(plan.after) * plan.cell == pytest.approx(5.0 + plan.cell)
    grid = np.linspace(0.0, 40.0, 40_001)
    used = integrate.cumulative_trapezoid(law.sf(grid), grid, initial=0.0)
    means = [0.0]

    def first(cells_, age):
        """Return time and chance of each end, but for failures in the first interval."""
        ends = age + plan.cell * np.cumsum(cells_) + cost * np.arange(1.0, len(cells_) + 1.0)
        alive = law.sf(ends)
        total = float(np.interp(ends[-1], grid, used)) + down * (1.0 - alive[-1])
        left = sum(cells_) - np.cumsum(cells_)
        for j in range(1, len(cells_)):
            total += (alive[j - 1] - alive[j]) * means[left[j - 1]]
        return total, alive[0]

    for left in range(1, len(plan.after)):
        assert plan.after[left].sum() == left
        total, passed = first(plan.after[left], recovery)
        means.append(total / passed)
    start = np.rint(plan.intervals / plan.cell).astype(int)
    total, passed = first(start, 0.0)
    assert plan.mean == pytest.approx(total + (1.0 - passed) * means[-1], rel=1e-5)
    np.testing.assert_allclose(plan.cell * start, plan.intervals, rtol=1e-12)
    np.testing.assert_allclose(plan.after_failure(5.0), plan.cell * plan.after[-1], rtol=1e-12)
    same = expected_makespan_ageing(
        5.0,
        interval=float(plan.intervals[0]),
        uptime=law,
        checkpoint_cost=cost,
        recovery_cost=recovery,
        downtime=down,
    )
    assert plan.mean <= float(same) * (1.0 + 1e-9)


def test_after_a_failure_the_last_interval_is_shorter_between_grid_points():
    plan = optimal_plan_ageing(
        6.0, uptime=Weibull(0.7, 5.0), checkpoint_cost=0.5, recovery_cost=0.75
    )
    for count in (1, 2, 7, len(plan.after) - 1):
        whole = plan.cell * plan.after[count].astype(float)
        np.testing.assert_allclose(plan.after_failure(count * plan.cell), whole, rtol=1e-9)
        less = plan.after_failure((count - 0.4) * plan.cell)
        np.testing.assert_allclose(less[:-1], whole[: less.size - 1], rtol=1e-9)
        assert less.sum() == pytest.approx((count - 0.4) * plan.cell)


def test_the_first_of_several_nodes_is_the_uptime_of_their_job():
    job = {"interval": 2.0, "checkpoint_cost": 0.1, "recovery_cost": 0.3, "downtime": 0.2}
    found = expected_makespan_rejuvenated(9.0, uptime=Weibull(0.7, 90.0), nodes=8, **job)
    first = Weibull(0.7, 90.0 * 8 ** (-1.0 / 0.7))
    assert found == pytest.approx(expected_makespan_ageing(9.0, uptime=first, **job), rel=1e-12)
    open_ = {**job, "final_checkpoint": False}
    found = expected_makespan_rejuvenated(9.0, uptime=Weibull(0.7, 90.0), nodes=8, **open_)
    assert found == pytest.approx(expected_makespan_ageing(9.0, uptime=first, **open_), rel=1e-12)


def test_what_is_left_out_costs_nothing_and_any_recovery_counts():
    law, job = Weibull(0.7, 5.0), {"interval": 2.0, "checkpoint_cost": 0.1}
    for function in (expected_makespan_ageing, makespan_variance_ageing):
        free = function(9.0, uptime=law, **job)
        assert free == function(9.0, uptime=law, **job, recovery_cost=0.0, downtime=0.0)
        near = [float(function(9.0, uptime=law, **job, recovery_cost=r)) for r in (0.99, 1.0, 1.01)]
        assert near[0] < near[1] < near[2]
        assert near[1] == pytest.approx((near[0] + near[2]) / 2.0, rel=1e-4)
    assert hazard_intervals(uptime=Exponential(1.0), checkpoint_cost=1e5).size == 1
    with pytest.raises(ValueError, match=r"uptime, checkpoint_cost.* within a factor of 1e\+100"):
        optimal_interval_ageing(uptime=Exponential(1e-60), checkpoint_cost=1e60)


@pytest.mark.parametrize("unit", [2.0**436, 2.0**-436])
def test_cubes_of_times_may_leave_the_floats(unit):
    def law(unit):
        return exact_makespan_ageing(
            1.0 * unit,
            interval=0.2 * unit,
            uptime=Exponential(unit),
            checkpoint_cost=0.05 * unit,
            downtime=Empirical(np.array([5.0, 0.03, 0.8]) * unit),
        )

    times = np.array([1.3, 2.0, 5.0, 9.0])
    np.testing.assert_allclose(law(unit).cdf(times * unit), law(1.0).cdf(times), rtol=1e-9)


@pytest.mark.parametrize(
    ("records", "downtimes", "stated"),
    [
        # More failures than single sums are kept of: the lattice of the others blurs them.
        ([1, 3, 403, 3288, 6337, 86415], [2000], 1e-5),
        ([3, 17, 90, 403, 1711, 3288, 4519, 6337, 86415], [6000], 2e-5),
        ([17, 403, 1711, 3288, 4519, 86415], [31, 260, 1203, 2000], 1e-5),
        # As many sums as whole times: more failures do not make the steps finer.
        (
            [47, 126, 195, 411, 446, 491, 661, 779, 922, 970, 1342, 1556, 2256, *[86415] * 7],
            [139],
            1e-7,
        ),
    ],
)
def test_records_of_whole_times_are_a_power_series(records, downtimes, stated):
    size, work, recovery = 2**20, 7000, 137
    once, damped = np.zeros(size), np.exp(-25.0 / size * np.arange(size))
    for down in downtimes:
        once[np.array([x for x in records if x < work]) + down] += (
            1.0 / len(records) / len(downtimes)
        )
    done = sum(x > work for x in records) / len(records)
    lost = np.fft.irfft(done / (1.0 - np.fft.rfft(once * damped)), size) / damped
    law = exact_makespan_ageing(
        float(work),
        interval=math.inf,
        uptime=Empirical(np.array(records, dtype=float)),
        checkpoint_cost=0.0,
        recovery_cost=float(recovery),
        downtime=Empirical(np.array(downtimes, dtype=float)),
    )
    t = np.unique(np.append(np.arange(1, 190_000, 997), np.arange(148_550, 148_600)))
    away = np.abs(law.cdf(work + recovery + t + np.array([[0.0], [0.5]])) - np.cumsum(lost)[t])
    assert away.max() <= law.error <= stated


@pytest.mark.parametrize(
    "downtime", [Gamma(2.0, 1e-3), Gamma(0.6, 1e-3), Gamma(4.0, 0.2)], ids=repr
)
def test_recorded_uptimes_and_random_downtimes_of_one_segment(downtime):
    """Of gamma downtimes any number have a gamma law, each sum of records a binomial chance."""
    law = exact_makespan_ageing(
        1.0,
        interval=1.0,
        uptime=Empirical([0.25, 0.7, 9.0]),
        checkpoint_cost=0.0,
        recovery_cost=0.1,
        downtime=downtime,
    )
    t = np.linspace(1.0, 15.0, 401) + 1e-4
    known = np.full(t.shape, 1.0 / 3.0)
    for k in range(1, 60):
        downs = Gamma(k * downtime.shape, downtime.scale)
        for short in range(k + 1):
            after = t - 1.1 - 0.25 * short - 0.7 * (k - short)
            known += math.comb(k, short) / 3.0 ** (k + 1) * downs.cdf(np.maximum(after, 0.0))
    assert np.max(np.abs(law.cdf(t) - known)) <= law.error <= 2e-8


def test_a_lattice_that_ends_at_the_last_kink():
    """None of its points lay beyond the next one, and there was nothing to compare."""
    law = exact_makespan_ageing(
        2.0,
        interval=0.25,
        uptime=Weibull(0.7, 1.0),
        checkpoint_cost=0.01,
        recovery_cost=0.005,
        downtime=Gamma(4.0, 0.001987060928778683),
    )
    assert law.error < 1e-6
