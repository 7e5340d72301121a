"""The law of a makespan under a mixture of rates: against exact laws, their sums and its limits."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from perfmodel import (
    efficiency,
    exact_makespan,
    optimal_interval,
    predictive_makespan,
)
from perfmodel.forecasts import (
    RateMixture,
    forecast_failures,
    mixed_makespan,
    mixed_useful_share,
    optimal_interval_mixed,
)

DAY, HOUR = 86_400.0, 3_600.0
JOB = {"interval": 1.5 * HOUR, "checkpoint_cost": 300.0, "recovery_cost": 600.0, "downtime": 100.0}
COSTS = {"checkpoint_cost": 0.1, "recovery_cost": 0.2, "downtime": 0.5}


def test_one_rate_without_spread_is_the_exact_law():
    known = exact_makespan(7.0 * DAY, mtbf=20.0 * HOUR, **JOB)
    found = mixed_makespan(
        7.0 * DAY, weights=[0.3, 0.7], shapes=math.inf, means=1.0 / (20.0 * HOUR), **JOB
    )
    probabilities = [0.05, 0.5, 0.9, 0.999]
    assert found.ppf(probabilities) == pytest.approx(known.ppf(probabilities), rel=1e-12)
    assert found.mean == pytest.approx(known.mean, rel=1e-12)
    assert found.variance == pytest.approx(known.variance, rel=1e-12)


@pytest.mark.parametrize(
    ("days", "hours", "shape"),
    [
        (7.0, 20.0, 5.0),
        pytest.param(30.0, 10.0, 3.0, marks=pytest.mark.slow),
        (1.0, 100.0, 0.4),
    ],
)
def test_a_gamma_law_of_the_rate_against_the_sum_of_exact_laws(days, hours, shape):
    work, mean = days * DAY, 1.0 / (hours * HOUR)
    found = mixed_makespan(work, weights=1.0, shapes=shape, means=mean, **JOB)
    points, weights = special.roots_genlaguerre(120, shape - 1.0)
    kept = weights > 1e-12 * weights.sum()
    times = np.concatenate([found.start * np.array([1.0, 1.003, 1.01, 1.1]), found.ppf([0.5, 0.9])])
    exact = sum(
        weight * exact_makespan(work, mtbf=shape / (mean * point), **JOB).cdf(times)
        for point, weight in zip(points[kept], weights[kept] / weights.sum(), strict=True)
    )
    assert found.error < 6e-4
    assert np.abs(found.cdf(times) - exact).max() < found.error
    assert found.sf(times) == pytest.approx(1.0 - found.cdf(times), abs=1e-12)


def test_moments_of_a_gamma_law_are_those_of_a_count_of_failures():
    settings = {"failures": 20, "observed_time": 40.0 * DAY, **JOB}
    known = predictive_makespan(7.0 * DAY, **settings)
    shape = 20.5
    found = mixed_makespan(
        7.0 * DAY, weights=[1.0], shapes=[shape], means=[shape / (40.0 * DAY)], **JOB
    )
    assert found.mean == pytest.approx(known.mean, rel=1e-12)
    assert found.std == pytest.approx(known.std, rel=1e-3)
    assert found.ppf(0.9) == pytest.approx(known.ppf(0.9), rel=1e-4)


def test_a_mixture_is_the_sum_of_its_laws():
    laws = {"weights": [1.0, 2.0], "shapes": [4.0, math.inf], "means": [1e-5, 2e-5]}
    found = mixed_makespan(7.0 * DAY, **laws, **JOB)
    each = [
        mixed_makespan(7.0 * DAY, weights=1.0, shapes=shape, means=mean, **JOB)
        for shape, mean in zip(laws["shapes"], laws["means"], strict=True)
    ]
    times = found.ppf([0.2, 0.5, 0.8, 0.95])
    wanted = (each[0].cdf(times) + 2.0 * each[1].cdf(times)) / 3.0
    assert found.cdf(times) == pytest.approx(wanted, abs=found.error + each[0].error)
    assert found.mean == pytest.approx((each[0].mean + 2.0 * each[1].mean) / 3.0, rel=1e-12)
    start, atom = found.atom
    assert atom == pytest.approx(
        sum(w * one.atom[1] for w, one in zip((1, 2), each, strict=True)) / 3.0, abs=1e-4
    )
    assert found.cdf(np.nextafter(start, 0.0)) == 0.0


def test_a_rate_that_makes_the_job_hopeless_makes_the_mean_infinite_and_no_percentile():
    found = mixed_makespan(7.0 * DAY, weights=1.0, shapes=0.05, means=1.0 / (20.0 * HOUR), **JOB)
    assert math.isinf(found.mean)
    assert math.isinf(found.std)
    assert found.ppf(0.5) < 8.0 * DAY


def test_a_learnt_forecast_without_clusters_has_that_law():
    failures = np.cumsum(np.random.default_rng(7).exponential(20.0 * HOUR, 300))
    known = forecast_failures(
        failures, observed_time=failures[-1], window=7.0 * DAY, cluster_gap=0.0
    )
    found = mixed_makespan(
        7.0 * DAY,
        weights=known.weights,
        shapes=known.shapes,
        means=known.means[:, None],
        **JOB,
    )
    rates = known.draw_rates(3_000, np.random.default_rng(1))
    assert stats.kstest(rates, known.rates.cdf).pvalue > 1e-4
    assert found.error < 6e-4


def test_rates_have_the_quantiles_and_moments_of_the_mixture():
    mixture = RateMixture.of([1.0, 3.0], [2.0, math.inf], [0.5, 0.1])
    assert mixture.mean == pytest.approx(0.2)
    assert float(mixture.cdf(mixture.ppf(0.9))) == pytest.approx(0.9, abs=1e-9)
    rates, weights = mixture.rates(30.0)
    assert weights.sum() == pytest.approx(1.0)
    for order in (1, 2, 3):
        exact = 0.25 * stats.gamma(2.0, scale=0.25).moment(order) + 0.75 * 0.1**order
        assert weights @ rates**order == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize(("shape", "mtbf"), [(0.3, 20.0), (2.0, 20.0), (20.0, 5.0), (0.25, 10.0)])
def test_the_interval_lets_a_job_get_on_most(shape, mtbf):
    law = {"weights": 1.0, "shapes": shape, "means": 1.0 / mtbf}
    points, weights = np.polynomial.legendre.leggauss(300)
    rates = stats.gamma(shape, scale=1.0 / (mtbf * shape)).ppf(0.5 * (points + 1.0))

    def share(interval):
        each = efficiency(1e9 * interval, interval=interval, mtbf=1.0 / rates, **COSTS)
        return float(0.5 * weights @ each)

    found = optimal_interval_mixed(**law, **COSTS)
    best = optimize.minimize_scalar(
        lambda log: -share(math.exp(log)),
        bounds=(math.log(found / 5), math.log(found * 5)),
        method="bounded",
        options={"xatol": 1e-9},
    )
    assert found == pytest.approx(math.exp(best.x), rel=1e-3)
    assert share(found) >= share(math.exp(best.x)) - 1e-9
    assert float(mixed_useful_share(found, **law, **COSTS)) == pytest.approx(share(found), abs=1e-6)
    # Rates at which little gets done count less: it is longer than that of the mean rate.
    assert found > optimal_interval(mtbf=mtbf, checkpoint_cost=0.1)


def test_the_interval_of_one_rate_is_the_optimal_one():
    found = optimal_interval_mixed(weights=1.0, shapes=math.inf, means=0.05, **COSTS)
    assert found == pytest.approx(optimal_interval(mtbf=20.0, checkpoint_cost=0.1), rel=1e-12)
    share = mixed_useful_share([1.0, found], weights=1.0, shapes=math.inf, means=0.05, **COSTS)
    assert share.shape == (2,)
    known = efficiency(1e9, interval=found, mtbf=20.0, **COSTS)
    assert share[1] == pytest.approx(known, rel=1e-7)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weights": [0.0]}, "weights must have one > 0, got a sum of 0.0"),
        ({"weights": [-1.0]}, "weights must be finite and >= 0"),
        ({"shapes": [0.0]}, "shapes must be > 0"),
        ({"means": [0.0]}, "means must be finite and > 0, got 0.0"),
    ],
)
def test_what_is_refused(change, said):
    given = {"weights": [1.0], "shapes": [2.0], "means": [1e-5]} | change
    with pytest.raises(ValueError, match=f"^{said}"):
        mixed_makespan(DAY, **given, **JOB)


def test_the_mean_useful_share_is_an_integral_over_the_rates():
    law = stats.gamma(2.0, scale=1.0 / 40.0)

    def integrand(rate):
        busy = rate * 2.1
        return (
            law.pdf(rate) * rate * 2.0 * math.exp(-0.2 * rate) / (1 + 0.5 * rate) / math.expm1(busy)
        )

    exact, _ = integrate.quad(integrand, 0.0, 5.0, epsabs=1e-10)
    found = mixed_useful_share(2.0, weights=1.0, shapes=2.0, means=0.05, **COSTS)
    assert float(found) == pytest.approx(exact, abs=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [2.0**power for power in (-1000, -300, -60, 60, 300, 600, 1000)])
def test_a_mixture_in_another_unit_is_the_same_law(unit):
    def asked(unit):
        given = {"weights": [1.0, 2.0], "shapes": [3.0, 8.0], "means": np.array([0.05, 0.1]) / unit}
        costs = {name: unit * value for name, value in COSTS.items()}
        law = mixed_makespan(10.0 * unit, interval=2.0 * unit, **given, **costs)
        best = optimal_interval_mixed(**given, **costs)
        share = mixed_useful_share(2.0 * unit, **given, **costs)
        return law, [law.mean, law.std, *law.ppf([0.5, 0.99]), best], [law.error, float(share)]

    (law, times, shares), (other, theirs, same) = asked(1.0), asked(unit)
    np.testing.assert_allclose(np.array(theirs) / unit, times, rtol=1e-9)
    np.testing.assert_allclose(same, shares, rtol=1e-9)
    assert other.sf(12.0 * unit) == pytest.approx(float(law.sf(12.0)), abs=1e-12)


def share_by_sums(interval, *, shape, mean, checkpoint_cost, recovery_cost, downtime):
    """Add up the useful share over a fine grid of rates."""
    span = interval + checkpoint_cost
    rate = np.geomspace(1e-45 * min(mean, 1.0 / span), min(100.0 * mean, 700.0 / span), 100_001)
    density = stats.gamma.pdf(rate, shape, scale=mean / shape) * rate
    kept = np.exp(-rate * recovery_cost) / (1.0 + rate * downtime)
    share = interval * rate * kept / np.expm1(rate * span)
    return np.trapezoid(density * share, np.log(rate))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("cost", [0.1, 1.0, 100.0, 1e4])
@pytest.mark.parametrize("shape", [0.5, 1.0])
def test_where_failures_come_within_a_checkpoint_only_low_rates_count(shape, cost):
    costs = {"checkpoint_cost": cost, "recovery_cost": 0.5 * cost, "downtime": 0.2 * cost}
    mixture = {"weights": 1.0, "shapes": shape, "means": 1.0}
    best = optimal_interval_mixed(**mixture, **costs)
    near = [share_by_sums(best * by, shape=shape, mean=1.0, **costs) for by in (0.98, 1.0, 1.02)]
    assert max(near) == near[1]
    assert mixed_useful_share(best, **mixture, **costs) == pytest.approx(near[1], rel=1e-9)


@pytest.mark.parametrize("mean", [1e-3, 1.0, 10.0, 1e4])
@pytest.mark.parametrize("shape", [0.3, 1.0, 9.0])
def test_the_share_is_that_of_low_rates_where_failures_come_within_an_interval(shape, mean):
    costs = {"checkpoint_cost": 1e-3, "recovery_cost": 0.02, "downtime": 30.0}
    found = mixed_useful_share(2.0, weights=1.0, shapes=shape, means=mean, **costs)
    known = share_by_sums(2.0, shape=shape, mean=mean, **costs)
    assert found == pytest.approx(known, rel=1e-9, abs=0.0)


def test_the_share_is_that_of_no_failure_where_all_rates_are_rare():
    found = mixed_useful_share(
        1e-12, weights=1.0, shapes=[0.5, 10.0], means=1e-6, checkpoint_cost=1e-13
    )
    assert found == pytest.approx(1.0 / 1.1, rel=1e-12)


def test_the_best_interval_is_that_of_the_rates_at_which_a_job_gets_on():
    mixture = {"weights": [1.0, 2.0], "shapes": [2e5, math.inf], "means": [1e-24, 1e6]}
    best = optimal_interval_mixed(**mixture, checkpoint_cost=1e18)
    alone = optimal_interval(mtbf=1e24, checkpoint_cost=1e18)
    assert best == pytest.approx(float(alone), rel=1e-5)


@pytest.mark.filterwarnings("error")
def test_rates_far_from_the_costs_leave_no_float():
    assert (
        optimal_interval_mixed(weights=1.0, shapes=1.0, means=1e-43, checkpoint_cost=1e143) < 1e145
    )


@pytest.mark.filterwarnings("error")
def test_sure_rates_have_the_variance_of_their_laws():
    job = {"interval": 1.0, "checkpoint_cost": 0.1, "recovery_cost": 0.2}
    parts = [exact_makespan(3.0, mtbf=mtbf, **job) for mtbf in (10.0, 2.0)]
    means = np.array([law.mean for law in parts])
    squares = np.array([law.variance for law in parts]) + means**2
    found = mixed_makespan(3.0, weights=[1.0, 3.0], shapes=math.inf, means=[0.1, 0.5], **job)
    assert found.variance == pytest.approx([0.25, 0.75] @ squares - found.mean**2, rel=1e-9)


@pytest.mark.filterwarnings("error")
def test_a_rate_that_strays_by_orders_warns_of_nothing():
    job = {"interval": 0.05, "checkpoint_cost": 0.00101, "recovery_cost": 0.05}
    found = mixed_makespan(0.1, weights=1.0, shapes=0.0115, means=3.55, **job)
    assert found.std == math.inf
    assert 0.97 < found.cdf(1.0) < found.cdf(1e3) < 1.0


def test_windows_of_times_meet_where_a_job_may_take_for_ever():
    # Its mean is infinite: one window of all times would show nothing of the first failures.
    costs = {"checkpoint_cost": 1.889, "recovery_cost": 0.184, "downtime": 0.0864}
    found = mixed_makespan(
        10.0,
        weights=[1.0, 1.13],
        shapes=[2.07, 0.539],
        means=[0.366, 0.0012],
        interval=3.72,
        **costs,
    )
    assert found.mean == math.inf
    assert found.error < 1e-3
    seams = found.seams
    assert seams.size > 8  # one window and those beyond it
    before, after = (found.cdf(seams * (1.0 + side * 1e-11)) for side in (-1.0, 1.0))
    assert np.abs(after - before).max() <= found.error


@pytest.mark.parametrize("mean", [1e-12, 1e-16, 1e-17, 1e-18, 1e-25])
def test_a_share_of_intervals_that_failures_hardly_meet(mean):
    found = mixed_useful_share(1.0, weights=1.0, shapes=[0.3, 4.0], means=mean, checkpoint_cost=0.5)
    assert found == pytest.approx(1.0 / 1.5, rel=5e-12)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_time_that_is_beyond_floats_in_the_unit_of_the_job_is_certain():
    tiny = 2.0**-900
    law = mixed_makespan(
        0.5 * tiny, weights=1.0, shapes=3.0, means=0.04 / tiny, interval=tiny, checkpoint_cost=0.0
    )
    assert law.cdf([1e300, math.inf]).tolist() == [1.0, 1.0]
    assert law.sf(1e300) == 0.0


def test_a_job_that_hardly_any_float_of_failures_meets_is_certain():
    law = mixed_makespan(
        1e-82, weights=1.0, shapes=1.0, means=1e-242, interval=1.0, checkpoint_cost=0.0
    )
    assert (law.mean, law.std) == (1e-82, 0.0)
    assert law.cdf([0.9e-82, 1e-82]).tolist() == [0.0, 1.0]
