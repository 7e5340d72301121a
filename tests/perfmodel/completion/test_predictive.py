import numpy as np
import pytest
from scipy import integrate, special

from perfmodel import (
    Exponential,
    LogNormal,
    exact_makespan,
    expected_makespan,
    makespan_variance,
    mtbf_posterior,
    predictive_makespan,
)

COSTS = {"interval": 10.0, "checkpoint_cost": 0.5, "recovery_cost": 0.5, "downtime": 2.0}
JOB = {"failures": 3, "observed_time": 300.0, **COSTS}


@pytest.fixture(scope="module")
def law():
    return predictive_makespan(60.0, **JOB)


@pytest.mark.slow
def test_it_is_the_law_of_each_mtbf_averaged_over_all(law):
    posterior = mtbf_posterior(3, 300.0)
    times = np.array([62.0, 64.0, 70.0, 90.0])
    q = (np.arange(30) + 0.5) / 30
    laws = [exact_makespan(60.0, mtbf=float(posterior.ppf(share)), **COSTS) for share in q]
    # The even points of the probability leave out the ends: 3e-3 is their error.
    np.testing.assert_allclose(law.cdf(times), sum(one.cdf(times) for one in laws) / 30, atol=3e-3)
    assert law.error < 1e-4


def test_its_parts_agree(law):
    start, untouched = law.atom
    assert start == 63.0
    assert untouched == pytest.approx((1.0 + 63.0 / 300.0) ** -3.5, rel=1e-12)
    assert law.cdf(start) == pytest.approx(untouched, abs=1e-8)
    assert law.ppf([0.0, 0.3]).tolist() == [start, start]
    late = law.ppf([0.6, 0.9, 0.99])
    np.testing.assert_allclose(law.cdf(late), [0.6, 0.9, 0.99], rtol=1e-9)
    np.testing.assert_allclose(law.isf([0.4, 0.1, 0.01]), late, rtol=1e-9)
    np.testing.assert_allclose(law.cdf(late) + law.sf(late), 1.0, atol=1e-12)
    assert law.variance == law.std**2
    assert not law.light
    assert "mean" in repr(law)
    assert law.seams.size


@pytest.mark.slow
def test_rounding_takes_no_probability_beyond_one():
    law = predictive_makespan(
        1e6, failures=42, observed_time=1e6, truncation="failure", interval=1e4, checkpoint_cost=0.0
    )
    times = law.mean + law.std * np.linspace(0.0, 40.0, 41)
    assert law.cdf(times).max() == 1.0
    assert law.sf(np.linspace(0.0, law.mean, 9)).max() == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("downtime", [0.0, 2.0, Exponential(2.0)])
def test_its_moments_are_those_of_each_mtbf_averaged(downtime):
    posterior, costs = mtbf_posterior(3, 300.0), {**COSTS, "downtime": downtime}
    law = predictive_makespan(60.0, failures=3, observed_time=300.0, **costs)

    def averaged(value):
        return integrate.quad(lambda q: float(value(float(posterior.ppf(q)))), 0.0, 1.0, limit=200)[
            0
        ]

    mean = averaged(lambda mtbf: expected_makespan(60.0, mtbf=mtbf, **costs))
    square = averaged(
        lambda mtbf: (
            makespan_variance(60.0, mtbf=mtbf, **costs)
            + (expected_makespan(60.0, mtbf=mtbf, **costs) - mean) ** 2
        )
    )
    assert law.mean == pytest.approx(mean, rel=1e-8)
    assert law.variance == pytest.approx(square, rel=1e-6)


def test_many_failures_leave_the_mtbf_known():
    sure = exact_makespan(60.0, mtbf=100.0, **COSTS)
    law = predictive_makespan(60.0, failures=10**6, observed_time=1e8, **COSTS)
    assert law.mean == pytest.approx(sure.mean, rel=1e-4)
    assert law.std == pytest.approx(sure.std, rel=1e-3)
    assert law.cdf(70.0) == pytest.approx(sure.cdf(70.0), abs=1e-4)


def test_infinite_moments():
    hopeless = predictive_makespan(60.0, failures=3, observed_time=10.0, **COSTS)
    assert (hopeless.mean, hopeless.std) == (np.inf, np.inf)


@pytest.mark.parametrize(
    ("failures", "truncation", "shape"),
    [(0, "time", 0.5), (3, "time", 3.5), (1, "failure", 1.0), (6, "failure", 6.0)],
)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"recovery_cost": 0.0, "downtime": 0.0},
        {"interval": 17.0, "final_checkpoint": False},
        {"downtime": Exponential(2.0), "interval": np.inf},
    ],
)
def test_mean_and_deviation_are_integrals_over_the_rate(failures, truncation, shape, changes):
    costs = {**COSTS, **changes}
    found = predictive_makespan(
        60.0, failures=failures, observed_time=300.0, truncation=truncation, **costs
    )
    nodes, weights = np.polynomial.legendre.leggauss(200)
    u = 0.5 * (nodes + 1.0) * (50.0 / 100.0) ** 0.5  # of rates, which may have an infinite density
    rate = u * u
    density = 300.0**shape * rate ** (shape - 1.0) * np.exp(-300.0 * rate) / special.gamma(shape)
    mass = 0.5 * (50.0 / 100.0) ** 0.5 * weights * 2.0 * u * density
    means = expected_makespan(60.0, mtbf=1.0 / rate, **costs)
    assert mass.sum() == pytest.approx(1.0, rel=1e-12)
    assert found.mean == pytest.approx(float(mass @ means), rel=1e-9)
    squares = makespan_variance(60.0, mtbf=1.0 / rate, **costs) + (means - found.mean) ** 2
    assert found.std == pytest.approx(float(mass @ squares) ** 0.5, rel=1e-7)
    assert found.atom == (found.start, pytest.approx((1.0 + found.start / 300.0) ** -shape))


def test_moments_that_do_not_exist_are_infinite():
    job = {"failures": 3, "interval": 10.0, "checkpoint_cost": 0.5, "recovery_cost": 0.5}
    longest = 0.5 + 10.0 + 0.5
    found = predictive_makespan(60.0, observed_time=longest * 0.999, **job)
    assert (found.mean, found.std) == (np.inf, np.inf)
    found = predictive_makespan(60.0, observed_time=longest * 1.001, **job)
    assert (found.mean < np.inf, found.std) == (True, np.inf)
    assert predictive_makespan(60.0, observed_time=2.3 * longest, **job).std < np.inf
    for failures in (0, 3):  # the density of the rate at 0 is infinite, or 0
        for recovery, observed in ((0.5, 0.9 * longest), (20.0, 15.0)):
            short = {**job, "failures": failures, "recovery_cost": recovery}
            found = predictive_makespan(60.0, observed_time=observed, **short)
            assert (found.mean, found.std) == (np.inf, np.inf)
    endless = predictive_makespan(60.0, observed_time=90.0, downtime=LogNormal(0.0, 30.0), **job)
    assert endless.std == np.inf


@pytest.mark.slow
def test_the_error_with_many_failures_is_as_small_as_promised():
    costs = {"interval": 2.0, "checkpoint_cost": 0.05, "recovery_cost": 0.05, "downtime": 0.02}
    law = predictive_makespan(100.0, failures=1000, observed_time=100.0, **costs)
    assert law.error < 1e-4


@pytest.mark.parametrize("power", [-900, -600, 600, 900])
@pytest.mark.parametrize("downtime", [0.0, LogNormal.from_mean(1.0, cv=1.0)])
def test_squares_that_no_float_holds_change_nothing(power, downtime):
    unit = 2.0**power
    job = {"observed_time": 900.0, "interval": 0.003, "checkpoint_cost": 0.7, "recovery_cost": 0.2}
    far = {name: value * unit for name, value in job.items()}
    far["downtime"] = downtime.scaled(unit) if isinstance(downtime, LogNormal) else downtime
    near = predictive_makespan(1.0, failures=2, downtime=downtime, **job)
    law = predictive_makespan(unit, failures=2, **far)
    times = near.start + (near.mean - near.start) * np.array([0.0, 0.1, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(law.cdf(unit * times), near.cdf(times), rtol=1e-7, atol=1e-12)
    assert law.std / unit == pytest.approx(near.std, rel=1e-9)
    assert law.error == pytest.approx(near.error, rel=1e-3)
