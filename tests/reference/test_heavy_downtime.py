"""The law of a makespan with lognormal and Weibull downtime, by the renewal equation on a grid."""

import numpy as np
import pytest

from perfmodel import LogNormal, Weibull, exact_makespan


def renewal_cdf(downtime, *, rate, span, horizon, steps):
    """Solve G = p + (1 - p) h * G for the time lost, by the trapezoidal rule.

    h is the density of an uptime cut at `span` plus a repair; p the chance of no failure.
    """
    x = np.linspace(0.0, horizon, steps + 1)
    nodes, weights = np.polynomial.legendre.leggauss(500)
    uptime = 0.5 * span * (nodes + 1.0)
    weights = 0.5 * span * weights * rate * np.exp(-rate * uptime)
    repair = x[:, None] - uptime[None, :]
    lost = np.where(repair > 0.0, downtime.pdf(np.where(repair > 0.0, repair, 1.0)), 0.0) @ weights
    unharmed = np.exp(-rate * span)
    cdf = np.empty(steps + 1)
    cdf[0] = unharmed
    for i in range(1, steps + 1):
        sum_ = lost[1:i] @ cdf[i - 1 : 0 : -1] + 0.5 * lost[i] * cdf[0]
        cdf[i] = (unharmed + x[1] * sum_) / (1.0 - 0.5 * x[1] * lost[0])
    return cdf


@pytest.mark.parametrize("downtime", [LogNormal(0.2, 0.8), LogNormal(-0.3, 1.2), Weibull(3.0, 1.5)])
def test_cdf_with_downtime_that_has_no_closed_transform(downtime):
    # About one failure a job. Two grids, extrapolated, leave the reference an error near 1e-9.
    rate, span, horizon = 0.5, 2.0, 16.0
    law = exact_makespan(
        span, interval=span, mtbf=1.0 / rate, checkpoint_cost=0.0, downtime=downtime
    )
    coarse, fine = (
        renewal_cdf(downtime, rate=rate, span=span, horizon=horizon, steps=steps)
        for steps in (1000, 2000)
    )
    known = (4.0 * fine[::2] - coarse) / 3.0
    places = np.array([50, 125, 250, 500, 999])
    found = law.cdf(span + places * horizon / 1000)
    assert float(np.max(np.abs(found - known[places]))) < 1e-7
