"""A law of one's own: its class is all that a completion time needs."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from perfmodel import Gamma, exact_makespan, slowest_of, wsj_compound
from perfmodel.lifetimes import Lifetime

JOB = {"interval": 5.0, "mtbf": 12.0, "checkpoint_cost": 0.3}


@dataclass(frozen=True)
class Stages(Lifetime):
    """Two exponential stages in a row, of which only cdf, ppf and transform are written down."""

    stage: float

    @property
    def mean(self):
        return 2.0 * self.stage

    @property
    def scv(self):
        return 0.5

    def _scaled(self, factor):
        return replace(self, stage=self.stage * factor)

    def _cdf(self, t):
        x = t / self.stage
        series = sum((-x) ** n * (n - 1) / np.prod(np.arange(1.0, n + 1.0)) for n in range(2, 12))
        return np.where(x < 0.1, series, 1.0 - (1.0 + x) * np.exp(-x))

    def _ppf(self, q):
        return Gamma(2.0, self.stage).ppf(q)

    def _laplace(self, s):
        return (1.0 + self.stage * s) ** -2.0

    _sf = _pdf = _hazard = _cumulative_hazard = _cdf  # never called


@pytest.mark.parametrize("at_risk", [False, True])
def test_a_law_of_ones_own_repairs_as_the_same_law_of_the_package(at_risk):
    t = np.linspace(20.5, 60.0, 80)
    own, known = (
        exact_makespan(20.0, **JOB, downtime=downtime, downtime_at_risk=at_risk)
        for downtime in (Stages(0.7), Gamma(2.0, 0.7))
    )
    assert (own.mean, own.std) == pytest.approx((known.mean, known.std), rel=1e-14)
    np.testing.assert_allclose(own.cdf(t), known.cdf(t), rtol=0.0, atol=1e-9)


def test_a_law_of_ones_own_in_the_model_of_wsj_and_in_many_tasks():
    own, known = (
        slowest_of(wsj_compound(20.0, **JOB, downtime=downtime), 100)
        for downtime in (Stages(0.7), Gamma(2.0, 0.7))
    )
    np.testing.assert_allclose(own.ppf([0.1, 0.9]), known.ppf([0.1, 0.9]), rtol=1e-7)
