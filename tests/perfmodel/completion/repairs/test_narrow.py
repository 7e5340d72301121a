"""Repairs that vary little: short sums against the integrals, and jobs with them."""

import math

import numpy as np
import pytest

from perfmodel import Empirical, LogNormal, Weibull, exact_makespan
from perfmodel.completion.repairs import repair_of
from perfmodel.completion.repairs._narrow import NarrowRepair

LAWS = [
    *(LogNormal.from_mean(0.7, cv=cv) for cv in (3e-4, 0.05, 0.1, 0.199)),
    *(Weibull.from_mean(0.7, cv=cv) for cv in (0.02, 0.1, 0.3, 0.6)),
    Weibull(1.26, 3.0),
    Weibull(2.0, 1e200),
]


@pytest.mark.parametrize("law", LAWS)
def test_the_short_sum_is_the_integral(law):
    found = repair_of(law)
    assert isinstance(found, NarrowRepair)
    rng = np.random.default_rng(3)
    angle = np.concatenate([rng.uniform(-1.0, 1.0, 60), [1.0] * 60]) * 0.5 * math.pi
    top = math.log(3.0 * found.reach)
    s = np.exp(rng.uniform(top - 22.0, top, angle.size) + 1j * angle)
    s.real = np.maximum(s.real, 0.0)
    with np.errstate(over="ignore"):
        integral = law.laplace_complement(s)
    np.testing.assert_allclose(found.complement(s), integral, rtol=2e-10, atol=0.0)


@pytest.mark.parametrize("law", LAWS)
def test_the_record_is_short_and_has_the_mean(law):
    record = repair_of(law).values
    assert record.values.size <= 550
    assert record.weights @ record.values == pytest.approx(law.mean, rel=1e-12)
    assert not repair_of(law).complement(np.zeros(2, dtype=complex)).any()


def test_wide_laws_are_not_narrow():
    for law in (LogNormal.from_mean(1.0, cv=0.21), Weibull(1.2, 1.0)):
        assert not isinstance(repair_of(law), NarrowRepair)


@pytest.mark.few(2)
@pytest.mark.parametrize("at_risk", [False, True])
@pytest.mark.parametrize("kind", [LogNormal, Weibull])
def test_repairs_that_hardly_vary(kind, at_risk):
    # A cdf that rises within 0.1 % of the mean fell between the panels: errors of 4e-5.
    law = kind.from_mean(0.5, cv=1e-3)
    quantiles = Empirical(law.ppf((np.arange(2000) + 0.5) / 2000.0))
    job = {"interval": 5.0, "mtbf": 10.0, "checkpoint_cost": 0.3, "downtime_at_risk": at_risk}
    t = np.linspace(5.3, 12.0, 300)
    found = exact_makespan(5.0, **job, downtime=law).cdf(t)
    near = exact_makespan(5.0, **job, downtime=quantiles).cdf(t)
    np.testing.assert_allclose(found, near, rtol=0.0, atol=1e-8)


@pytest.mark.parametrize("at_risk", [False, True])
def test_repairs_whose_spread_no_float_can_hold(at_risk):
    job = {"interval": 5.0, "mtbf": 10.0, "checkpoint_cost": 0.3, "downtime_at_risk": at_risk}
    t = np.linspace(5.3, 12.0, 50)
    found = exact_makespan(5.0, **job, downtime=LogNormal(math.log(0.5), 1e-170))
    fixed = exact_makespan(5.0, **job, downtime=0.5)
    np.testing.assert_allclose(found.cdf(t), fixed.cdf(t), rtol=0.0, atol=1e-12)
