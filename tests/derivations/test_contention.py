"""Jobs that share a file system: the periods of the least waste, by a price on the bandwidth."""

import sympy as sp

q, n, c, r, mu, used, price, p = sp.symbols("q n C R mu N L P", positive=True)


def test_a_failure_costs_half_a_period_and_a_recovery():
    # It strikes anywhere in a period, q/mu times per unit of time.
    t = sp.symbols("t", positive=True)
    assert sp.simplify(sp.integrate((t + r) / p, (t, 0, p)) - (p / 2 + r)) == 0


def test_the_period_of_a_kind_at_a_price_is_where_its_waste_is_stationary():
    waste = n * q / used * (c / p + q / mu * (p / 2 + r))
    load = n * c / p
    best = sp.sqrt(2 * mu * used * (q / used + price) * c / q**2)
    slope = sp.diff(waste + price * (load - 1), p)
    assert sp.simplify(slope.subs(p, best)) == 0
    # In place of the period the rate of checkpoints: waste convex, load linear, one minimum.
    rate = sp.symbols("u", positive=True)
    assert sp.simplify(sp.diff(waste.subs(p, 1 / rate), rate, 2)).is_positive
    assert sp.diff(load.subs(p, 1 / rate), rate, 2) == 0


def test_one_over_the_squared_load_is_concave_in_the_price():
    # Of two kinds, with weights a and b; Newton's method from below then stays below the root.
    a, b, x, y = sp.symbols("a b x y", positive=True)
    load = a / sp.sqrt(x + price) + b / sp.sqrt(y + price)
    bend = sp.diff(load**-2, price, 2).subs(price, 0)
    known = -sp.Rational(3, 2) * a * b * (x - y) ** 2
    ratio = sp.simplify(bend / known)
    for at in ({a: 1, b: 2, x: 3, y: 5}, {a: 7, b: 1, x: 1, y: 9}):
        assert ratio.subs(at).evalf() > 0
