"""The moments of the makespan from its transform, differentiated at 60 digits."""

import mpmath as mp
import numpy as np
import pytest

from perfmodel import expected_makespan, makespan_variance, waste
from perfmodel.lifetimes import Deterministic, Exponential

# mtbf 1; from rare failures, where everything cancels, to very many.
CASES = [
    {"work": 1e-9, "interval": 1e-9, "checkpoint_cost": 1e-12, "recovery_cost": 1e-11},
    {"work": 3e-5, "interval": 1e-5, "checkpoint_cost": 1e-9, "recovery_cost": 1e-3},
    {"work": 2.0, "interval": 0.5, "checkpoint_cost": 0.1, "recovery_cost": 0.3},
    {"work": 30.0, "interval": 10.0, "checkpoint_cost": 5.0, "recovery_cost": 4.0},
    {"work": 4.0, "interval": 2.0, "checkpoint_cost": 0.0, "recovery_cost": 0.0},
]
DOWNTIMES = [Deterministic(0.0), Deterministic(0.7), Exponential(1e-6), Exponential(2.5)]


def log_transform(work, interval, checkpoint_cost, recovery_cost, downtime):
    """Return log E[e^(-s T)] for failure rate 1 and whole segments, from the renewal equations."""
    count = round(work / interval)

    def down(s):
        if isinstance(downtime, Deterministic):
            return mp.exp(-s * mp.mpf(downtime.value))
        return 1 / (1 + s * mp.mpf(downtime.mean))

    def passage(s, span, after_failure):
        stay = mp.exp(-(1 + s) * span)
        return stay / (1 - (1 - stay) / (1 + s) * after_failure)

    def logarithm(s):
        recovered = down(s) * passage(s, mp.mpf(recovery_cost), down(s))
        busy = mp.mpf(work) / count + mp.mpf(checkpoint_cost)
        return count * mp.log(passage(s, busy, recovered))

    return logarithm


@pytest.mark.parametrize("downtime", DOWNTIMES, ids=str)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"w={case['interval']:g}")
def test_moments(case, downtime):
    with mp.workdps(60):
        _, minus_mean, variance = mp.taylor(log_transform(**case, downtime=downtime), 0, 2)
        mean, variance = float(-minus_mean), float(2 * variance)
        lost = float((-minus_mean - mp.mpf(case["work"])) / -minus_mean)
    arguments = {**case, "mtbf": 1.0, "downtime": downtime}
    np.testing.assert_allclose(expected_makespan(**arguments), mean, rtol=1e-13)
    np.testing.assert_allclose(makespan_variance(**arguments), variance, rtol=1e-13)
    np.testing.assert_allclose(waste(**arguments), lost, rtol=1e-13)
