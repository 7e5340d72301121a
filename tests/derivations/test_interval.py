"""The optimal interval, its series and its regret, from the mean segment time."""

import sympy as sp

from perfmodel._special import _optimum_series

w, c, mu, x, root = sp.symbols("w C mu x s", positive=True)
MEAN_PER_WORK = (sp.exp((w + c) / mu) - 1) / w


def test_optimal_interval_is_the_stationary_point():
    slope = sp.diff(MEAN_PER_WORK, w) * w**2
    assert sp.simplify(slope - (1 - (1 - w / mu) * sp.exp((w + c) / mu))) == 0
    optimum = mu * (1 + sp.LambertW(-sp.exp(-1 - c / mu)))
    for cost in (sp.Rational(1, 1000), sp.Rational(3, 10), 40):
        assert abs(slope.subs({w: optimum}).subs({mu: 10, c: cost}).evalf(40)) < 1e-30


def test_the_mean_is_convex_in_the_interval_so_that_there_is_one_optimum():
    # (e^v - 1)/w has second derivative w^-3 ((w^2/mu^2 - 2 w/mu + 2) e^v - 2), which is > 0:
    # u^2 - 2 u + 2 >= 2 e^-u for u >= 0, as both are equal at 0 and their slopes ordered.
    second = sp.diff(MEAN_PER_WORK, w, 2) * w**3
    u = w / mu
    assert sp.simplify(second - ((u**2 - 2 * u + 2) * sp.exp((w + c) / mu) - 2)) == 0
    gap = sp.diff(x**2 - 2 * x + 2 - 2 * sp.exp(-x), x)
    assert gap.subs(x, 0) == 0
    assert sp.simplify(sp.diff(gap, x) - 2 * (1 - sp.exp(-x))) == 0


def test_series_of_the_optimum_solves_its_equation():
    terms = 12
    exact = [sp.Rational(a).limit_denominator(1000) for a in _optimum_series(4)]
    assert exact == [1, sp.Rational(-1, 3), sp.Rational(1, 36), sp.Rational(1, 270)]
    # Differentiated, log(1 - x) + x + s^2 / 2 = 0 is x x' = s (1 - x); and x = 0 at s = 0.
    equation = sp.Function("x")(root)
    implicit = sp.log(1 - equation) + equation + root**2 / 2
    slope = sp.diff(equation, root)
    assert (
        sp.simplify(
            sp.diff(implicit, root) * (1 - equation) + equation * slope - root * (1 - equation)
        )
        == 0
    )
    series = sum(sp.Float(a, 40) * root ** (n + 1) for n, a in enumerate(_optimum_series(terms)))
    residue = sp.expand(series * sp.diff(series, root) - root * (1 - series))
    assert all(abs(residue.coeff(root, n)) < 1e-15 for n in range(terms + 1))


def test_regret_without_cancellation():
    best = sp.Symbol("x_0", positive=True)
    growth = 1 / (1 - best)  # e^(x_0 + C/mu) at the optimum
    mean = (growth * sp.exp(x - best) - 1) / x
    least = (growth - 1) / best
    delta = x - best
    assert sp.simplify(mean / least - 1 - (sp.exp(delta) - 1 - delta) / x) == 0


def test_the_closed_form_is_best_where_a_failure_loses_half_an_interval():
    share = w / (w + c) * (1 - w / (2 * mu))
    slope = sp.numer(sp.together(sp.diff(sp.log(share), w)))
    closed = sp.sqrt(2 * c * mu + c**2) - c
    assert sp.simplify(slope.subs(w, closed)) == 0
    # (w + C)^2 = 2 C mu + C^2 is C = w^2/(2 (mu - w)); the exact optimum has C = -w - log(1 - w).
    asked = sp.series(x**2 / (2 * (1 - x)), x, 0, 4).removeO()
    exact = sp.series(-x - sp.log(1 - x), x, 0, 4).removeO()
    assert sp.expand(asked - exact) == x**3 / 6
    assert sp.limit(closed.subs(mu, 1), c, sp.oo) == 1
