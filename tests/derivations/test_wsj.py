"""The equations of Wu, Sun and Jin under their own assumptions, and the error in eq. (7)."""

import math

import pytest
import sympy as sp

from perfmodel import wsj_variance
from perfmodel.lifetimes import Exponential

lam, mu_f, sigma_f, mu_c, sigma_c, w = sp.symbols(
    "lambda mu_f sigma_f mu_c sigma_c w", positive=True
)
gamma, alpha, t, x = sp.symbols("gamma alpha t x", positive=True)

UP = 1 - lam * mu_f
MEAN_3 = (1 / UP + lam * mu_c) * w
VARIANCE_4 = (
    ((mu_f**2 + sigma_f**2) / UP**3 + mu_c**2 + sigma_c**2 + 2 * mu_f * mu_c / UP) * lam * w
)
MU_C_11 = (1 - sp.exp(-lam * gamma) - lam * gamma * sp.exp(-lam * gamma)) / (
    lam * (1 - sp.exp(-lam * gamma))
)
MEAN_12 = (1 / UP + alpha / gamma + 1 - lam * gamma / (sp.exp(lam * gamma) - 1)) * w


def busy_period_moments():
    """Return E[Y] and E[Y^2] of the M/G/1 busy period from B(s) = F(s + lam - lam B(s))."""
    s, first, second = sp.symbols("s m_1 m_2")
    busy = 1 - first * s + second * s**2 / 2
    argument = s + lam - lam * busy
    service = 1 - mu_f * argument + (mu_f**2 + sigma_f**2) * argument**2 / 2
    gap = sp.expand(busy - service)
    m_1 = sp.solve(gap.coeff(s, 1), first)[0]
    m_2 = sp.solve(gap.coeff(s, 2).subs(first, m_1), second)[0]
    return m_1, m_2


def moments_of_completion_time():
    """Return mean and variance of w + a Poisson sum of Y + Z, by conditioning on the number."""
    y_1, y_2 = busy_period_moments()
    z_1, z_2 = mu_c, mu_c**2 + sigma_c**2
    n = sp.Symbol("n", integer=True, nonnegative=True)
    chance = sp.exp(-lam * w) * (lam * w) ** n / sp.factorial(n)
    given_n = n * (y_1 + z_1)
    variance_given_n = n * (y_2 - y_1**2 + z_2 - z_1**2)
    count = sp.simplify(sp.summation(n * chance, (n, 0, sp.oo)))
    count_second = sp.simplify(sp.summation(n**2 * chance, (n, 0, sp.oo)))
    mean = w + given_n.subs(n, count)
    spread = (y_1 + z_1) ** 2 * (count_second - count**2)
    return sp.simplify(mean), sp.simplify(variance_given_n.subs(n, count) + spread)


def test_equation_3():
    assert sp.simplify(moments_of_completion_time()[0] - MEAN_3) == 0


def test_equation_4():
    assert sp.simplify(moments_of_completion_time()[1] - VARIANCE_4) == 0


def test_equation_7_as_printed_forgets_the_spread_of_the_mean():
    # U is 0 without a failure, so its moments given one are those of U over p.
    m, v, p = sp.symbols("m v p", positive=True)
    corrected = (v + m**2) / p - (m / p) ** 2
    printed = v / p
    assert sp.simplify(p * (corrected + (m / p) ** 2) - m**2 - v) == 0
    assert sp.simplify(printed - corrected - m**2 * (1 - p) / p**2) == 0


def test_equation_7_in_numbers():
    rate, work, interval = 1 / 64, 128.0, 4.0
    variance = float(wsj_variance(work, mtbf=64.0, downtime=Exponential(2.0), interval=interval))
    rework = float(MU_C_11.subs({lam: rate, gamma: interval}))
    m = rate * work * (2.0 / (1 - 2.0 * rate) + rework)
    p = -math.expm1(-rate * work)
    assert math.sqrt(variance / p) == pytest.approx(7.169, abs=5e-4)
    assert math.sqrt((variance + m**2) / p - (m / p) ** 2) == pytest.approx(6.290, abs=5e-4)


def test_equation_11_and_sigma_c_are_the_exponential_truncated_at_the_interval():
    density = lam * sp.exp(-lam * t)
    first, second = (
        sp.integrate(t**n * density, (t, 0, gamma)) / (1 - sp.exp(-lam * gamma)) for n in (1, 2)
    )
    claimed = 1 / lam**2 - gamma**2 * sp.exp(lam * gamma) / (sp.exp(lam * gamma) - 1) ** 2
    assert sp.simplify(first - MU_C_11) == 0
    assert sp.simplify(second - first**2 - claimed) == 0


def test_equation_12_is_3_with_11_and_the_checkpoints():
    assert sp.simplify(MEAN_3.subs(mu_c, MU_C_11) + alpha * w / gamma - MEAN_12) == 0


def test_optimum_of_equation_12():
    slope = sp.diff(MEAN_12, gamma).subs(gamma, x / lam)
    g = x**2 * (x * sp.exp(x) - sp.exp(x) + 1) / (sp.exp(x) - 1) ** 2
    stationary = sp.solve(sp.Eq(slope, 0), alpha)
    assert len(stationary) == 1
    assert sp.simplify(stationary[0] * lam - g) == 0


def test_the_interior_minimum_is_the_best_only_up_to_a_closed_form_limit():
    # Without checkpoints the mean is that of gamma -> oo: 1/(1 - lam mu_f) + 1.
    assert sp.limit(1 - x / (sp.exp(x) - 1), x, sp.oo) == 1
    g = x**2 * (x * sp.exp(x) - sp.exp(x) + 1) / (sp.exp(x) - 1) ** 2
    tie = sp.together(g / x - x / (sp.exp(x) - 1))
    at = 2 + sp.LambertW(-2 * sp.exp(-2))
    assert abs(tie.subs(x, at).evalf(40)) < 1e-35
    assert abs(g.subs(x, at).evalf(30) - sp.Float("0.647610237891914859647", 21)) < 1e-20
