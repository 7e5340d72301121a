"""Nodes that fail: the slowdown at the best interval, and the best number of nodes."""

import sympy as sp
from mpmath import mp


def test_the_mean_time_per_work_at_the_best_interval():
    # At the best x = w/M, (1 - x) e^(x + C/M) = 1, so that e^((w + C)/M) - 1 is x/(1 - x).
    x, m, r, d = sp.symbols("x M R D", positive=True)
    grown = 1 / (1 - x) - 1
    pace = sp.exp(r / m) * (m + d) * grown / (x * m)
    assert sp.simplify(pace - sp.exp(r / m) * (1 + d / m) / (1 - x)) == 0


def test_the_logarithm_of_what_is_left():
    with mp.workdps(40):
        y = mp.mpf(1) / 7
        x = 1 + mp.lambertw(-mp.exp(-1 - y))
        assert mp.almosteq(mp.log(1 - x), -(x + y))


def test_the_first_orders():
    # Time per work s + (1 - s)/p, plus s times the overhead sqrt(2 cost p/mu).
    s, c, p = sp.symbols("s C p", positive=True)
    for cost in (c, c * p):
        pace = s + (1 - s) / p + s * sp.sqrt(2 * cost * p)
        slope = sp.diff(pace, p)
        fixed = (2 * (1 - s) / (s * sp.sqrt(2 * c))) ** sp.Rational(2, 3)
        growing = sp.sqrt((1 - s) / (s * sp.sqrt(2 * c)))
        best = fixed if cost == c else growing
        at = {s: sp.Rational(1, 50), c: sp.Rational(1, 10**6)}
        assert abs(sp.N(slope.subs(p, best).subs(at), 30)) < 1e-25
