import numpy as np
import pytest
from scipy import special, stats

from perfmodel import (
    MtbfPosterior,
    credible_interval,
    expected_makespan,
    fit_lifetime,
    mean_posterior,
    mtbf_confidence,
    mtbf_posterior,
    optimal_interval,
    spares_needed,
)
from perfmodel.credible import _spread


def test_the_rate_has_a_gamma_law():
    posterior = mtbf_posterior(10, 1000.0)
    rate = stats.gamma(10.5, scale=1e-3)
    for q in (0.025, 0.5, 0.9):
        assert 1.0 / posterior.ppf(q) == pytest.approx(rate.ppf(1.0 - q), rel=1e-10)
        assert posterior.cdf(posterior.ppf(q)) == pytest.approx(q, rel=1e-12)
    assert posterior.cdf(80.0) + posterior.sf(80.0) == pytest.approx(1.0, rel=1e-14)
    assert posterior.median == posterior.ppf(0.5)
    assert (posterior.ppf(0.0), posterior.ppf(1.0)) == (0.0, np.inf)


def test_arrays_broadcast():
    posterior = mtbf_posterior([[1], [10]], 1000.0)
    limits = posterior.ppf([0.025, 0.5, 0.975])
    assert limits.shape == (2, 3)
    assert limits[1, 1] == mtbf_posterior(10, 1000.0).ppf(0.5)
    assert posterior.cdf(80.0).shape == posterior.sf(80.0).shape == (2, 1)
    with pytest.raises(ValueError, match="shape, observed_time, q must be broadcastable"):
        mtbf_posterior([1, 10], 1000.0).ppf([0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("failures", "truncation", "mean"),
    [(0, "time", np.inf), (1, "failure", np.inf), (1, "time", 200.0), (3, "failure", 50.0)],
)
def test_the_mean_is_infinite_up_to_a_shape_of_one(failures, truncation, mean):
    assert mtbf_posterior(failures, 100.0, truncation=truncation).mean == mean


def test_limits_after_a_failure_are_those_of_chi_square():
    # Both ends with 2 n degrees of freedom: T/mtbf is gamma whatever the mtbf.
    low, high = mtbf_posterior(7, 50.0, truncation="failure").ppf([0.025, 0.975])
    assert low == pytest.approx(100.0 / stats.chi2.ppf(0.975, 14), rel=1e-12)
    assert high == pytest.approx(mtbf_confidence(7, 50.0).upper, rel=1e-12)


def shares_covered(expected):
    """Return the exact share of records whose 95 % limits hold the mtbf."""
    counts = np.arange(0, int(expected.max() + 12.0 * np.sqrt(expected.max())) + 40)
    limits = mtbf_posterior(counts, np.ones(counts.size))
    low, high = 1.0 / limits.ppf(0.975), 1.0 / limits.ppf(0.025)
    return np.array(
        [stats.poisson.pmf(counts[(low <= rate) & (rate <= high)], rate).sum() for rate in expected]
    )


@pytest.mark.parametrize(("least", "low", "high"), [(1.0, 0.904, 0.988), (3.0, 0.9157, 0.9724)])
def test_coverage_is_that_of_the_docstring(least, low, high):
    share = shares_covered(np.geomspace(least, 1000.0, 700))
    assert low <= share.min() < low + 0.006
    assert high - 0.006 < share.max() <= high
    assert share.mean() == pytest.approx({1.0: 0.9514, 3.0: 0.9492}[least], abs=1e-3)
    assert shares_covered(np.array([4.9e-4]))[0] == 0.0


def test_counts_and_times_broadcast():
    posterior = mtbf_posterior([[0], [5]], [10.0, 20.0, 30.0])
    assert posterior.ppf(0.5).shape == (2, 3)
    assert posterior.ppf(0.5)[1, 2] == mtbf_posterior(5, 30.0).median
    found = credible_interval(optimal_interval, {"mtbf": posterior, "checkpoint_cost": 0.1})
    assert found.lower.shape == (2, 3)


def test_limits_of_what_rises_and_what_falls_are_those_of_the_mtbf():
    posterior = mtbf_posterior(4, 1000.0)
    low, high = posterior.ppf([0.05, 0.95])
    up = credible_interval(
        optimal_interval, {"mtbf": posterior, "checkpoint_cost": 1.0}, confidence=0.9
    )
    assert (up.lower, up.upper) == (
        optimal_interval(mtbf=low, checkpoint_cost=1.0),
        optimal_interval(mtbf=high, checkpoint_cost=1.0),
    )
    nodes = {"nodes": 2048, "mttr": 48.0, "confidence": 0.99}  # an argument of that name as well
    down = credible_interval(spares_needed, {"mtbf": posterior, **nodes}, confidence=0.9)
    assert (down.lower, down.upper) == (
        spares_needed(mtbf=high, **nodes),
        spares_needed(mtbf=low, **nodes),
    )


def test_limits_of_a_mean_that_may_be_infinite():
    job = {"work": 1e5, "interval": 1e4, "checkpoint_cost": 1.0, "mtbf": mtbf_posterior(0, 1.0)}
    found = credible_interval(lambda **given: 2.0 * expected_makespan(**given), job)
    assert found.upper == np.inf
    assert not np.isnan(found.lower)


def test_a_fitted_law_is_uncertain_by_its_likelihood():
    rng = np.random.default_rng(3)
    row = fit_lifetime(rng.lognormal(1.5, 0.8, 60), families=["lognormal"]).best
    found = credible_interval(lambda uptime: uptime.mu, {"uptime": row.posterior})
    assert (found.lower, found.upper) == pytest.approx(row.intervals["mu"], rel=2e-3)
    assert found.median == pytest.approx(row.parameters["mu"], rel=1e-3)
    both = {"uptime": row.posterior, "mtbf": mtbf_posterior(3, 10.0)}
    wider = credible_interval(lambda uptime, mtbf: uptime.mu + 0.0 * mtbf, both)
    assert (wider.lower, wider.upper) == pytest.approx((found.lower, found.upper), rel=5e-3)


@pytest.mark.parametrize("dimensions", [1, 2, 3, 5])
def test_points_are_spread_as_evenly_as_the_docstring_says(dimensions):
    points = _spread(dimensions)
    assert ((points > 0.0) & (points < 1.0)).all()
    rng = np.random.default_rng(4)
    for _ in range(10):
        way = rng.normal(size=dimensions)
        sums = special.ndtri(points) @ (way / np.linalg.norm(way))
        low, high = special.ndtr(np.quantile(sums, [0.025, 0.975], method="inverted_cdf"))
        assert high - low == pytest.approx(0.95, abs=0.001 if dimensions == 1 else 0.004)


def test_a_posterior_is_a_value():
    assert mtbf_posterior(1, 2.0) == MtbfPosterior(1.5, 2.0)


def test_what_is_asked_of_a_posterior_is_refused_by_its_name():
    of_mtbf, of_mean = mtbf_posterior(5, 100.0), mean_posterior([3.0, 4.0, 7.0])
    for posterior in (of_mtbf, of_mean):
        for q in (-0.1, 1.1):
            with pytest.raises(ValueError, match=rf"^q must be in \[0, 1\], got {q}$"):
                posterior.ppf(q)
    for name, posterior in (("mtbf", of_mtbf), ("mean", of_mean)):
        for asked in (posterior.cdf, posterior.sf):
            with pytest.raises(ValueError, match=rf"^{name} must be .*> 0, got 0\.0$"):
                asked(0.0)
    two = mtbf_posterior([5, 6], 100.0)
    for asked, name in ((two.ppf, "q"), (two.cdf, "mtbf"), (two.sf, "mtbf")):
        with pytest.raises(ValueError, match=rf"\b{name}\b"):
            asked([0.1, 0.2, 0.3])
