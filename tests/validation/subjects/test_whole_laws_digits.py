"""The reference at 30 digits: its quadratures, and the times at which it has an answer."""

import mpmath as mp
import pytest

from perfmodel.completion import exact_makespan
from perfmodel.lifetimes import Weibull
from validation.subjects.laws import Law
from validation.subjects.whole_laws.digits import _exponential_nodes, _of_values, sf_of_job

JOB = {
    "work": 4.0,
    "interval": 2.0,
    "mtbf": 10.0,
    "checkpoint_cost": 0.1,
    "recovery_cost": 0.2,
    "final_checkpoint": True,
    "downtime_at_risk": True,
}


@pytest.mark.parametrize("s", [5.0, 5.0 + 30.0j, 5.0 + 300.0j])
def test_weibull_repairs_have_25_digits(s):
    with mp.workdps(40):
        z = mp.mpc(s)
        once = _of_values(*_exponential_nodes(1.0, 1.0))
        assert abs(once(z)[0] - 1 / (1 + z)) < 1e-25
        assert abs(once(z)[1] - 1 / (1 + z) ** 2) < 1e-25
        # The square root of an exponential variable.
        once = _of_values(*_exponential_nodes(2.0, 1.0))
        known = 1 - z * mp.sqrt(mp.pi) / 2 * mp.exp(z * z / 4) * mp.erfc(z / 2)
        assert abs(once(z)[0] - known) < 1e-25


@pytest.mark.slow
def test_failures_that_prolong_weibull_repairs_have_an_answer():
    known, unsure = sf_of_job(8.0, downtime=Law("Weibull", (0.7, 1.0)), **JOB)
    law = exact_makespan(**JOB, downtime=Weibull(0.7, 1.0))
    assert unsure < 1e-10
    assert abs(law.sf(law.start + 8.0) - known) <= unsure + 1e-11
