"""What measured costs leave open about their mean."""

import numpy as np
import pytest
from scipy import stats

from perfmodel import credible_interval, mean_posterior, mtbf_posterior, optimal_interval

FIVE = [61.0, 58.0, 75.0, 66.0, 60.0]


def test_limits_are_those_of_students_test_where_nothing_is_cut():
    samples = 100.0 + np.arange(30.0)
    found = mean_posterior(samples).ppf([0.025, 0.975])
    known = stats.ttest_1samp(samples, 0.0).confidence_interval(0.95)
    assert found == pytest.approx([known.low, known.high], rel=1e-12)


def test_cdf_and_sf_are_those_of_the_quantiles_in_both_tails():
    posterior = mean_posterior(FIVE)
    q = np.array([1e-9, 0.3, 0.5, 0.9, 1.0 - 1e-9])
    assert posterior.cdf(posterior.ppf(q)) == pytest.approx(q, rel=1e-6)
    assert posterior.sf(posterior.ppf(q)) == pytest.approx(1.0 - q, rel=1e-6)
    assert posterior.median == posterior.ppf(0.5)


@pytest.mark.parametrize("samples", [FIVE, [0.1, 30.0], [1.0, 2.0]])
def test_far_tails_keep_their_digits_also_where_means_below_0_are_cut(samples):
    posterior = mean_posterior(samples)
    tail = 0.5 ** np.array([1.0, 2.0, 20.0, 45.0])
    assert posterior.sf(posterior.ppf(1.0 - tail)) == pytest.approx(tail, rel=1e-9)
    assert posterior.cdf(posterior.ppf(tail)) == pytest.approx(tail, rel=1e-3)
    assert posterior.cdf(posterior.ppf(0.25)) == pytest.approx(0.25, rel=1e-12)
    assert posterior.ppf(1.0) == np.inf
    assert (posterior.dimensions, posterior.degrees) == (1, len(samples) - 1.0)
    assert posterior.at(np.array([[0.25], [0.5]])) == list(posterior.ppf([0.25, 0.5]))


def test_a_mean_is_never_below_0():
    posterior = mean_posterior([0.1, 30.0])
    assert posterior.ppf(0.0) == pytest.approx(0.0, abs=1e-12)
    assert np.all(np.diff(posterior.ppf(np.linspace(0.0, 1.0, 50))) > 0.0)
    assert posterior.cdf(1e-300) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("unit", [1e-290, 1.0, 1e290])
def test_any_unit_of_time(unit):
    found = mean_posterior(unit * np.array(FIVE)).ppf(0.975)
    assert found == pytest.approx(unit * mean_posterior(FIVE).ppf(0.975), rel=1e-12)


def test_cost_and_mtbf_together_leave_more_open_than_each():
    cost, mtbf = mean_posterior(FIVE), mtbf_posterior(8, 1e6)
    sure = {"mtbf": 1e5, "checkpoint_cost": 64.0}
    widths = []
    for uncertain in ({"checkpoint_cost": cost}, {"mtbf": mtbf}):
        one = credible_interval(optimal_interval, {**sure, **uncertain})
        widths.append(np.log(one.upper / one.lower))
    both = credible_interval(optimal_interval, {"mtbf": mtbf, "checkpoint_cost": cost})
    assert np.log(both.upper / both.lower) == pytest.approx(np.hypot(*widths), rel=0.05)
