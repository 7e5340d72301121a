import warnings

import mpmath as mp
import numpy as np
import pytest
from scipy import special, stats

from perfmodel import (
    Bathtub,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    ValidityWarning,
    Weibull,
    gamma_error,
    wsj_compound,
    wsj_makespan,
    wsj_mean,
    wsj_variance,
)
from perfmodel.completion.wsj import GAMMA_RANGE

TASK = {"mtbf": 64.0, "downtime": Exponential(2.0), "interval": 4.0}


@pytest.mark.filterwarnings("ignore:std/mean:perfmodel.ValidityWarning")
def test_the_conditional_deviation_is_the_corrected_one():
    law, printed = wsj_makespan(128.0, **TASK), wsj_makespan(128.0, **TASK, printed=True)
    assert law.scale * np.sqrt(law.shape) == pytest.approx(6.290, abs=5e-4)
    assert printed.scale * np.sqrt(printed.shape) == pytest.approx(7.169, abs=5e-4)
    assert law.mean == pytest.approx(136.09, abs=5e-3)
    assert law.variance == pytest.approx(44.44, abs=5e-3)


@pytest.mark.parametrize("downtime", [2.0, Exponential(2.0), Gamma(2.0, 1.0)])
@pytest.mark.parametrize("cost", [0.0, 0.3])
def test_moments_are_those_of_the_closed_formulas(downtime, cost):
    job = {"mtbf": 64.0, "downtime": downtime, "interval": 4.0, "checkpoint_cost": cost}
    for law in (wsj_makespan(128.0, **job), wsj_compound(128.0, **job)):
        assert law.mean == pytest.approx(float(wsj_mean(128.0, **job)), rel=1e-12)
        assert law.variance == pytest.approx(float(wsj_variance(128.0, **job)), rel=1e-9)


@pytest.mark.filterwarnings("ignore:std/mean:perfmodel.ValidityWarning")
def test_checkpoints_shift_the_support_unless_printed():
    job = {**TASK, "checkpoint_cost": 0.2}
    start, mass = wsj_makespan(128.0, **job).atom
    assert start == pytest.approx(128.0 * 1.05)
    assert mass == pytest.approx(np.exp(-2.0))
    assert wsj_compound(128.0, **job).atom == pytest.approx((start, mass))
    assert wsj_makespan(128.0, **job, printed=True).atom[0] == 128.0


def test_the_gamma_law_is_that_of_scipy():
    law = wsj_makespan(128.0, **TASK)
    t = np.array([127.0, 128.0, 130.0, 140.0, 200.0])
    lost = stats.gamma(law.shape, scale=law.scale)
    known = np.where(t < 128.0, 0.0, np.exp(-2.0) + (1.0 - np.exp(-2.0)) * lost.cdf(t - 128.0))
    np.testing.assert_allclose(law.cdf(t), known, rtol=1e-12)
    q = np.array([0.01, 0.2, 0.9, 0.9999])
    np.testing.assert_allclose(law.cdf(law.ppf(q))[1:], q[1:], rtol=1e-12)
    assert law.ppf(q)[0] == 128.0
    assert float(law.sf(law.isf(1e-30))) == pytest.approx(1e-30, rel=1e-9)


def test_the_compound_law_against_its_failure_series():
    """Constant repair and few failures: Poisson many Borel sums and truncated uptimes."""
    rate, work, gamma, repair = mp.mpf(1) / 200, 20, 4, mp.mpf("0.7")
    law = wsj_compound(20.0, mtbf=200.0, downtime=0.7, interval=4.0)
    mean = rate * work

    def rework_sum(n, x):
        """P(sum of n exponentials truncated at gamma <= x)."""
        total = mp.mpf(0)
        for j in range(n + 1):
            left = x - j * gamma
            if left > 0:
                share = mp.gammainc(n, 0, rate * left, regularized=True)
                total += (-1) ** j * mp.binomial(n, j) * mp.exp(-rate * gamma * j) * share
        return total / (1 - mp.exp(-rate * gamma)) ** n

    def down_weight(n, k):
        """P(n busy periods take k repairs): Borel-Tanner."""
        load = rate * repair
        return mp.exp(-load * k) * (load * k) ** (k - n) / mp.factorial(k - n) * mp.mpf(n) / k

    with mp.workdps(40):
        for t in (0.6999, 0.7001, 1.4, 2.9, 4.6999, 4.7001, 5.5, 9.4, 13.0):
            known = mp.exp(-mean)
            for n in range(1, 9):
                chance = mp.exp(-mean) * mean**n / mp.factorial(n)
                known += chance * mp.fsum(
                    down_weight(n, k) * rework_sum(n, t - k * repair)
                    for k in range(n, n + 10)
                    if t > k * repair
                )
            assert abs(float(law.cdf(20.0 + t)) - known) < 1e-8
            assert float(law.sf(20.0 + t)) == pytest.approx(float(1 - known), rel=2e-6)


@pytest.mark.parametrize("interval", [0.1, 1e-3, 1e-5])
def test_tails_keep_their_digits_however_short_the_segments_are(interval):
    work = 1e8
    law = wsj_compound(work, mtbf=work, downtime=Gamma(4.38, 1.0), interval=interval)
    lost = np.linspace(20.0, 80.0, 61)
    n = np.arange(1.0, 60.0)[:, None]
    # Each rework takes half a segment on average; a failure in 1e7 or so strikes a repair.
    rest = stats.gamma.sf(lost - 0.5 * interval * n, 4.38 * n)
    known = np.sum(stats.poisson.pmf(n, 1.0) * rest, axis=0)
    np.testing.assert_allclose(law.sf(work + lost), known, rtol=1e-3)


def test_gamma_error_is_the_distance_seen_on_a_finer_grid():
    gamma, exact = wsj_makespan(128.0, **TASK), wsj_compound(128.0, **TASK)
    t = 128.0 + np.linspace(1e-6, 60.0, 20001)
    distance = float(np.max(np.abs(gamma.cdf(t) - exact.cdf(t))))
    assert gamma_error(128.0, **TASK) == pytest.approx(distance, rel=1e-2)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("work", "task"),
    [
        # Steps of 18000, each some multiples of 97.2 wide.
        (3.89e6, {"mtbf": 3.56e5, "downtime": Empirical((18_000.0,)), "interval": 97.2}),
        (1.04, {"mtbf": 1.0, "downtime": 1e-3, "interval": 1e-9}),
        (100.0, {"mtbf": 1.0, "downtime": LogNormal.from_mean(0.3, cv=10.0), "interval": 1.0}),
        (1e6, TASK),
    ],
)
def test_gamma_error_holds_its_bound_on_any_grid(work, task):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        gamma, exact = wsj_makespan(work, **task), wsj_compound(work, **task)
    given, lost = gamma_error(work, **task), exact.mean - work
    near = np.concatenate([exact.seams * (1.0 - 1e-15), exact.seams, exact.seams * (1.0 + 1e-12)])
    t = np.concatenate([work + lost * np.linspace(0.0, 5.0, 50_001), near])
    distances = np.abs(gamma.cdf(t) - exact.cdf(t))
    t = np.sort(t)
    above = np.max(gamma.cdf(t[1:]) - exact.cdf(t[:-1]))
    below = np.max(exact.cdf(t[1:]) - gamma.cdf(t[:-1]))
    assert np.max(distances) - 2e-5 <= given <= max(above, below) + 2e-5


def test_heavy_repair_makes_the_gamma_law_wrong_by_more_than_half():
    """Of the law given a failure for the repairs of the LANL log; outright for wilder ones."""
    lanl = LogNormal.from_mean(5.92, cv=3.67)
    given = gamma_error(128.0, mtbf=512.0, downtime=lanl, interval=4.0) / -np.expm1(-0.25)
    assert 0.5 < given < 0.6
    wild = LogNormal.from_mean(2.0, cv=30.0)
    assert gamma_error(128.0, mtbf=64.0, downtime=wild, interval=4.0) > 0.5


def test_beyond_its_range_of_repairs_it_warns():
    job = {"mtbf": 144.0, "interval": 4850.0, "checkpoint_cost": 2.72}
    wide = LogNormal(0.919951, 2.57902)
    assert gamma_error(116_000.0, downtime=wide, **job) > 0.35
    with pytest.warns(
        ValidityWarning, match=r"^cv of downtime = 27\.7997 is beyond 2, up to which"
    ):
        wsj_makespan(116_000.0, downtime=wide, **job)


@pytest.mark.slow
def test_a_few_long_repairs_are_within_the_stated_error_or_it_warns():
    job = {"mtbf": 1.0, "interval": 1e-9}
    few = Empirical([0.0001] * 49 + [0.0001 / 0.05])
    assert few.scv < 4.0
    assert 0.1 < gamma_error(10.1, downtime=few, **job) < GAMMA_RANGE.error
    wsj_makespan(10.1, downtime=few, **job)  # without a warning
    third = Empirical([1e-9, 1e-9, 1e-3])
    assert gamma_error(2.9, downtime=third, **job) > GAMMA_RANGE.error
    with pytest.warns(ValidityWarning, match=r"is beyond 0.7, up to which"):
        wsj_makespan(2.9, downtime=third, **job)


def test_steps_of_constant_repairs_are_within_the_stated_error():
    job = {"mtbf": 1.0, "downtime": 1e-3, "interval": 1e-9}
    assert 0.2 < gamma_error(1.04, **job) < GAMMA_RANGE.error
    wsj_makespan(1.04, **job)  # without a warning


def test_users_are_told():
    wild = LogNormal.from_mean(2.0, cv=5.0)
    with pytest.warns(ValidityWarning, match="beyond 0.7, up to which wsj_makespan is within"):
        wsj_makespan(128.0, mtbf=64.0, downtime=wild, interval=4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wsj_makespan(128.0, **TASK)
        gamma_error(128.0, mtbf=64.0, downtime=wild, interval=4.0)


def test_small_and_large_numbers_of_failures():
    few = wsj_compound(1.0, mtbf=1e9, downtime=Exponential(2.0), interval=1.0)
    # One failure: rework uniform on (0, 1) and an exponential repair.
    x = 3.0
    known = 1e-9 * 2.0 * (np.exp(-(x - 1.0) / 2.0) - np.exp(-x / 2.0))
    assert float(few.sf(1.0 + x)) == pytest.approx(known, rel=1e-6)
    many = wsj_compound(1e6, mtbf=100.0, downtime=Exponential(2.0), interval=1.0)
    z = (many.ppf([0.1587, 0.5, 0.8413]) - many.mean) / many.std
    np.testing.assert_allclose(z, [-1.0, 0.0, 1.0], atol=0.02)
    assert special.ndtr(1.0) == pytest.approx(0.8413, abs=1e-4)


@pytest.mark.parametrize("law_of_task", [wsj_compound, wsj_makespan])
def test_several_downtimes_are_not_one_task(law_of_task):
    with pytest.raises(ValueError, match=r"downtime must be a single number, got shape \(2,\)"):
        law_of_task(1.0, mtbf=1.0, downtime=[0.1, 0.2], interval=1.0)


def test_more_failures_than_a_float_counts_are_a_step():
    law = wsj_makespan(1e126, mtbf=1e-180, downtime=0.0, interval=1.0)
    at = np.array([0.0, 1e126, 1.5e126, 2.5e126, 1e200, np.inf])
    assert law.cdf(at).tolist() == [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    assert law.sf(at).tolist() == [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("law_of_task", [wsj_compound, wsj_makespan])
def test_checkpoints_that_take_longer_than_any_float(law_of_task):
    task = {"mtbf": 1e308, "downtime": 0.0, "interval": 1.0, "checkpoint_cost": 10.0}
    law = law_of_task(1e308, **task)
    assert law.cdf([1.0, 1e308, np.inf]).tolist() == [0.0, 0.0, 1.0]
    assert law.sf([1.0, 1e308, np.inf]).tolist() == [1.0, 1.0, 0.0]
    assert law.ppf([0.0, 0.5, 1.0]).tolist() == [np.inf] * 3
    assert law.mean == np.inf


def test_repairs_far_below_the_last_digit_of_the_work():
    task = {"mtbf": 1e112, "downtime": 1e-17, "interval": 1e-16}
    law = wsj_compound(1e13, **task)
    assert law.sf(1e13) == pytest.approx(1e-99)
    assert law.ppf(0.5) == 1e13
    assert gamma_error(1e13, **task) < 1e-15


@pytest.mark.parametrize("downtime", [1e-196, 1e-30, 0.0])
def test_repairs_that_no_float_holds_beside_the_rework(downtime):
    law = wsj_compound(1.0, mtbf=1e119, downtime=downtime, interval=6.8e226)
    # One failure in 1e119 tasks, and then an uptime of rework.
    known = 1e-119 * np.exp([-1.0, -3.0, -10.0])
    np.testing.assert_allclose(law.sf(1e119 * np.array([1.0, 3.0, 10.0])), known, rtol=1e-6)


BATH = Bathtub(0.45, 1.0, 0.8, 24.0)


def test_a_turn_too_long_for_a_law_is_refused_by_what_was_given():
    with pytest.raises(
        ValueError,
        match=r"downtime must have a turn of at most 1e\+150 times the work for a law, got "
        r"Bathtub\(share=0.45.* with work 1e-221; wsj_mean has no such limit",
    ):
        wsj_compound(1e-221, mtbf=64.0, downtime=BATH, interval=4.0)
    assert wsj_mean(1e-221, mtbf=64.0, downtime=BATH, interval=4.0) > 1e-221


OWN = {"mtbf": 10.0, "interval": np.inf}


@pytest.mark.few(3)
@pytest.mark.parametrize("downtime", [0.0, 0.7, Gamma(3.0, 0.3)])
@pytest.mark.parametrize("cost", [0.7, Exponential(1.0), LogNormal(-0.5, 1.2)])
def test_a_recovery_cost_of_ones_own_has_the_moments_of_its_laws(downtime, cost):
    task = {**OWN, "downtime": downtime, "recovery_cost": cost}
    law = wsj_compound(90.0, **task)
    mean, variance = wsj_mean(90.0, **task), wsj_variance(90.0, **task)
    assert (law.mean, law.variance) == pytest.approx((mean, variance))
    gamma = wsj_makespan(90.0, **task)
    assert (gamma.mean, gamma.variance) == pytest.approx((mean, variance))
    assert gamma_error(90.0, **task) < 0.25
    # The law itself, not only what it says of itself.
    t = np.linspace(90.0, float(law.isf(1e-9)), 400_001)
    assert 90.0 + np.trapezoid(law.sf(t), t) == pytest.approx(mean, rel=1e-4)


def test_fixed_repairs_and_recoveries_are_sums_of_a_poisson_number():
    law = wsj_compound(20.0, **OWN, downtime=0.0, recovery_cost=0.5)
    chances = np.exp(-2.0) * np.array([1.0, 2.0, 2.0, 4.0 / 3.0])
    times = 20.0 + 0.5 * np.arange(4)
    np.testing.assert_allclose(law.cdf(times), np.cumsum(chances), rtol=1e-13)
    np.testing.assert_allclose(law.sf(times - 1e-9), 1.0 - np.cumsum(chances) + chances, rtol=1e-12)
    assert law.ppf([0.1, 0.3, 0.6, 0.8]).tolist() == [20.0, 20.5, 21.0, 21.5]
    # Both: busy periods of 1, 2, ... repairs by Borel's law, and one recovery after each.
    law = wsj_compound(20.0, **OWN, downtime=1.0, recovery_cost=0.25)
    load = 0.1
    one, two = np.exp(-load), load * np.exp(-2.0 * load)
    atom = np.exp(-2.0)
    expected = atom * np.cumsum([1.0, 2.0 * one, 2.0 * two + 0.0, 2.0 * one**2])
    np.testing.assert_allclose(law.cdf([20.0, 21.25, 22.25, 22.5]), expected, rtol=1e-12)


def test_nothing_to_repair_or_to_recover_takes_the_work():
    law = wsj_compound(20.0, **OWN, downtime=0.0, recovery_cost=0.0)
    assert (law.mean, law.cdf(20.0)) == (20.0, 1.0)


def test_a_recovery_cost_without_a_variance_has_no_gamma_law():
    wild = LogNormal(-500.0, 30.0)
    with pytest.raises(ValueError, match="recovery_cost must have a finite variance"):
        wsj_makespan(20.0, **OWN, downtime=0.0, recovery_cost=wild)
    with pytest.warns(ValidityWarning, match="cv of downtime"):
        wsj_makespan(900.0, **OWN, downtime=0.0, recovery_cost=LogNormal(-1.0, 1.5))


def test_a_recovery_cost_beyond_floats_beside_the_work_is_refused_by_its_name():
    with pytest.raises(ValueError, match=r"^recovery_cost must be at most 1e\+290 times the work"):
        wsj_compound(1e-131, mtbf=1e-9, downtime=4e-167, interval=1.0, recovery_cost=2e213)


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
def test_a_gamma_law_of_a_tiny_shape_does_not_exceed_1():
    law = wsj_makespan(
        10.0, mtbf=0.017, downtime=0.0, interval=1.0, recovery_cost=Weibull(0.015, 1.0)
    )
    at = np.array([11.0, 1e50, 1e130, 1e300])
    assert (np.diff(law.cdf(at)) >= 0.0).all()
    np.testing.assert_array_equal(law.cdf(at), 1.0)
    assert (law.sf(at[:-1]) > 0.0).all()
