"""The reference at 30 digits: its quadratures, and the times at which it has an answer."""

import mpmath as mp
import numpy as np
import pytest

from perfmodel.completion import exact_makespan
from perfmodel.lifetimes import Weibull
from validation.subjects.laws import Law
from validation.subjects.whole_laws.digits import (
    _exponential_nodes,
    _normal_nodes,
    _of_values,
    sf_of_job,
)
from validation.subjects.whole_laws.exponential_sums import ExponentialSum, fallen_and_slope

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


@pytest.mark.parametrize("s", [1e-3, 5.0 + 30.0j, 0.4 + 4000.0j, 900.0 + 2.0j])
@pytest.mark.parametrize(
    "nodes",
    [
        lambda: _exponential_nodes(0.3, 1.7),
        lambda: _normal_nodes(0.2, 1.1),
        lambda: ([mp.mpf(x) / 7 for x in (1, 2, 5)], [mp.mpf(w) / 10 for w in (3, 3, 4)]),
    ],
)
def test_compiled_sums_have_28_digits_of_those_in_mpmath(s, nodes):
    with mp.workdps(45):
        values, weights = nodes()
        slow = _of_values(values, weights)(mp.mpc(s))
        fast = ExponentialSum(values, weights)(mp.mpc(s))
        for one, other in zip(slow, fast, strict=True):
            assert abs(one - other) < 1e-28 * max(1, abs(one))


def test_failures_that_prolong_weibull_repairs_have_an_answer():
    known, unsure = sf_of_job(8.0, downtime=Law("Weibull", (0.7, 1.0)), **JOB)
    law = exact_makespan(**JOB, downtime=Weibull(0.7, 1.0))
    assert unsure < 1e-10
    assert abs(law.sf(law.start + 8.0) - known) <= unsure + 1e-11


@pytest.mark.parametrize("turn", [0.0, -0.7])
def test_compiled_sums_in_floats_are_those_of_numpy(turn):
    rng = np.random.default_rng(3)
    values = rng.gamma(0.5, 2.0, 300) * np.exp(1j * turn)
    weights = rng.dirichlet(np.ones(300)).astype(complex)
    s = 10.0 ** rng.uniform(-9.0, 3.0, 40) + 1j * 10.0 ** rng.uniform(-9.0, 3.0, 40)
    gone = np.expm1(-s[:, None] * values)
    fallen, slope = fallen_and_slope(s, values, weights)
    np.testing.assert_allclose(fallen, -gone @ weights, rtol=1e-12)
    np.testing.assert_allclose(slope, (1.0 + gone) @ (weights * values), rtol=1e-11)
