"""A second witness of the law of a synchronous job: a finite sum over failures, at 60 digits.

With n failures, i of them in segments and the others in recoveries, the time lost is n downtimes,
i successful recoveries and n uptimes, each cut at a segment or at a recovery. A cut uptime has the
density of an uptime, less that of one which begins at the cut; so the cdf of the sum is one of
gamma laws, shifted by the cuts, with alternating signs. It is finite, as each failure costs D.
"""

import mpmath as mp
import pytest

from perfmodel import exact_makespan

JOBS = {
    "vector": (
        100.0,
        {"interval": 100.0 / 30.0, "mtbf": 10.0, "checkpoint_cost": 0.3},
        {"recovery_cost": 0.4, "downtime": 0.5},
    ),
    "harsh": (
        8.0,
        {"interval": 2.0, "mtbf": 5.0, "checkpoint_cost": 1.0},
        {"recovery_cost": 2.0, "downtime": 3.0},
    ),
    "long downtimes": (
        4.0,
        {"interval": 2.0, "mtbf": 3.0, "checkpoint_cost": 0.5},
        {"recovery_cost": 0.25, "downtime": 8.0},
    ),
}


def finite_sum(work, t, *, interval, mtbf, checkpoint_cost, recovery_cost, downtime):
    """Return P(T <= t) of a job with equal segments."""
    rate, recovery, down = 1 / mp.mpf(mtbf), mp.mpf(recovery_cost), mp.mpf(downtime)
    count = round(work / interval)
    span = mp.mpf(work) / count + mp.mpf(checkpoint_cost)
    left = mp.mpf(t) - count * span
    if left < 0:
        return mp.mpf(0)
    total, n = mp.mpf(1), 0
    while (n + 1) * down <= left:
        n += 1
        for i in range(1, n + 1):
            ways = mp.binomial(count - 1 + i, i) * mp.binomial(n - 1, i - 1)
            for p in range(i + 1):
                for q in range(n - i + 1):
                    shift = i * recovery + p * span + q * recovery
                    lasting = left - n * down - shift
                    if lasting <= 0:
                        break
                    sign = (-1) ** (p + q) * mp.binomial(i, p) * mp.binomial(n - i, q)
                    below = mp.gammainc(n, 0, rate * lasting, regularized=True)
                    total += ways * sign * mp.exp(-rate * shift) * below
    return mp.exp(-rate * count * span) * total


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("vector", marks=pytest.mark.slow),
        "harsh",
        "long downtimes",
    ],
)
def test_the_law_of_a_makespan_is_the_finite_sum(name):
    work, segments, costs = JOBS[name]
    law = exact_makespan(work, **segments, **costs)
    levels = [0.3, 0.6] if name == "vector" else [0.1, 0.5, 0.9]
    with mp.workdps(60):
        for t in law.ppf(levels):
            known = float(finite_sum(work, float(t), **segments, **costs))
            assert float(law.cdf(t)) == pytest.approx(known, abs=max(1e-11, 0.01 * law.error))
