import numpy as np
import pytest

from perfmodel import effective_checkpoint_cost
from perfmodel.lifetimes import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)

LIGHT = (
    Exponential(0.3),
    Gamma(2.0, 0.15),
    HyperExponential((0.25, 0.75), (0.6, 0.2)),
    Weibull(2.0, 0.3),
    Empirical([0.1, 0.2, 0.6]),
    Bathtub(0.45, 0.1, 0.08, 2.4),
)
HEAVY = (LogNormal(-1.5, 0.7), Weibull(0.7, 0.3))


@pytest.mark.parametrize("law", LIGHT + HEAVY)
def test_an_attempt_that_draws_anew_may_be_lucky(law):
    cost = effective_checkpoint_cost(law, mtbf=[0.1, 1.0, 10.0, 1e9])
    assert (np.diff(cost) > 0.0).all()
    np.testing.assert_allclose(cost[-1], law.mean, rtol=1e-8)
    assert cost[-1] < law.mean


@pytest.mark.parametrize("law", LIGHT)
def test_a_segment_that_keeps_its_cost_pays_for_long_ones(law):
    cost = effective_checkpoint_cost(law, mtbf=[1.0, 10.0, 1e9], drawn="segment")
    assert (np.diff(cost) < 0.0).all()
    np.testing.assert_allclose(cost[-1], law.mean, rtol=1e-8)


@pytest.mark.parametrize("law", HEAVY)
def test_a_heavy_tail_that_is_kept_has_no_mean(law):
    assert effective_checkpoint_cost(law, mtbf=1e9, drawn="segment") == np.inf


def test_an_exponential_cost_is_kept_forever_from_an_mtbf_of_its_mean_on():
    cost = effective_checkpoint_cost(Exponential(0.3), mtbf=[0.3, 0.31], drawn="segment")
    np.testing.assert_allclose(cost, [np.inf, 0.31 * np.log(31.0)], rtol=1e-13)


@pytest.mark.parametrize("drawn", ["attempt", "segment"])
def test_a_cost_that_is_fixed_is_its_own(drawn):
    given = {"mtbf": [0.1, np.inf], "drawn": drawn}
    found = effective_checkpoint_cost(Deterministic(0.3), **given)
    np.testing.assert_allclose(found, 0.3, rtol=1e-15)
    assert effective_checkpoint_cost(0.3, **given).tolist() == [0.3, 0.3]


@pytest.mark.parametrize("law", LIGHT)
@pytest.mark.parametrize("drawn", ["attempt", "segment"])
def test_without_failures_the_mean_counts(law, drawn):
    assert effective_checkpoint_cost(law, mtbf=np.inf, drawn=drawn) == law.mean
