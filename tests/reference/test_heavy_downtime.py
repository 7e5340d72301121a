"""The law of a makespan with lognormal or Weibull downtime, by the renewal equation on a grid."""

import numpy as np
import pytest

from perfmodel import LogNormal, Weibull, exact_makespan


def renewal_cdf(downtime, *, rate, span, horizon, steps):
    """Solve G = p + (1 - p) h * G for the time lost, by the trapezoidal rule.

    h is the density of an uptime below `span` plus a repair; p the probability of no failure.
    """
    x, step = np.linspace(0.0, horizon, steps + 1, retstep=True)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    repair = x[:-1, None] + 0.5 * step * (nodes + 1.0)
    density = downtime.pdf(repair) * np.exp(-rate * (x[1:, None] - repair))
    panels = 0.5 * step * rate * (density @ weights)
    lost = np.zeros(steps + 1)
    for i, panel in enumerate(panels):
        lost[i + 1] = lost[i] * np.exp(-rate * step) + panel
    cut = round(span / step)
    lost[cut:] = lost[cut:] - np.exp(-rate * span) * lost[: steps + 1 - cut]
    unharmed = np.exp(-rate * span)
    cdf = np.empty(steps + 1)
    cdf[0] = unharmed
    for i in range(1, steps + 1):
        sum_ = lost[1:i] @ cdf[i - 1 : 0 : -1] + 0.5 * lost[i] * cdf[0]
        cdf[i] = (unharmed + x[1] * sum_) / (1.0 - 0.5 * x[1] * lost[0])
    return cdf


@pytest.mark.parametrize(
    "downtime",
    [LogNormal(0.2, 0.8), LogNormal(-0.3, 1.2), Weibull(3.0, 1.5)],
)
def test_cdf_with_downtime_that_has_no_closed_transform(downtime):
    # About one failure per job. Extrapolated from two grids, the reference has an error near 1e-9.
    rate, span, horizon = 0.5, 2.0, 16.0
    law = exact_makespan(
        span, interval=span, mtbf=1.0 / rate, checkpoint_cost=0.0, downtime=downtime
    )
    coarse, fine = (
        renewal_cdf(downtime, rate=rate, span=span, horizon=horizon, steps=steps)
        for steps in (1600, 3200)
    )
    known = (4.0 * fine[::2] - coarse) / 3.0
    places = np.array([80, 200, 400, 800, 1598])
    found = law.cdf(span + places * horizon / 1600)
    assert float(np.max(np.abs(found - known[places]))) < 1e-8
