"""Failures of a platform: renewal functions from their power series, at many digits."""

import pytest
from mpmath import mp

from perfmodel import (
    Weibull,
    platform_failures_from_new,
    platform_failures_rejuvenated,
    platform_failures_stationary,
)


def renewals(shape, x):
    """Return the renewal function at x scales: both sides of its equation as powers of x^shape."""
    with mp.workdps(60):
        k, power = mp.mpf(shape), mp.mpf(x) ** shape
        moments = [mp.gamma(k * n + 1) / mp.factorial(n) for n in range(150)]
        terms, total = [mp.mpf(0)], mp.mpf(0)
        for n in range(1, 150):
            terms.append(moments[n] - sum(moments[j] * terms[n - j] for j in range(1, n)))
            total -= (-power) ** n * terms[n] / mp.gamma(k * n + 1)
        return float(total)


@pytest.mark.parametrize(("shape", "x"), [(0.7, 0.3), (0.7, 4.0), (2.0, 0.5), (2.0, 2.5)])
def test_by_the_series_of_powers(shape, x):
    node = Weibull(shape, 7.0)
    found = platform_failures_from_new(7.0 * x, uptime=node, nodes=5)
    assert found == pytest.approx(5.0 * renewals(shape, x), rel=1e-7)
    # The first of 5 is Weibull too, of a scale 5^(1/k) times shorter.
    time = 7.0 * x * 5.0 ** (-1.0 / shape)
    found = platform_failures_rejuvenated(time, uptime=node, nodes=5)
    assert found == pytest.approx(renewals(shape, x), rel=1e-7)


def test_stationary_nodes_by_their_renewal_equation():
    # Begun with the law of residual times, (1 - F)/mu, the renewal function is t/mu: with it on
    # both sides, t/mu = G(t) + int (t - x)/mu dF(x), as G(t) mu = t - int F.
    node = Weibull(0.7, 7.0)
    with mp.workdps(20):
        cdf = lambda t: 1 - mp.exp(-((t / 7) ** mp.mpf(0.7)))  # noqa: E731
        integral = mp.quad(cdf, [0, 0.01, 1, 9])
        begun = (9 - integral) / node.mean
        later = integral / node.mean  # of (t - x)/mu dF, by parts
    found = platform_failures_stationary(9.0, uptime=node, nodes=3)
    assert found == pytest.approx(3.0 * float(begun + later), rel=1e-12)
