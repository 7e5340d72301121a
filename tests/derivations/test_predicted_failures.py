"""The waste with a predictor as a sum over events to first order, and its minimum."""

import sympy as sp

t, mu, c, cp, r, p, d, back, x = sp.symbols("T mu C C_p r p D R x", positive=True)
worth = cp / p  # below it, work at risk times precision is less than the cost
waste = c / t + ((1 - r) * t / 2 + d + back + r / p * cp * (1 - cp / (2 * p * t))) / mu


def test_waste_is_the_sum_over_kinds_of_events():
    unforeseen = (1 - r) / mu * sp.integrate(x / t, (x, 0, t))
    early = r / mu * sp.integrate(x / t, (x, 0, worth))  # the work at risk is lost
    acted = r / (p * mu) * sp.integrate(cp / t, (x, worth, t))  # true and false predictions
    assert sp.simplify(c / t + unforeseen + early + acted + (d + back) / mu - waste) == 0


def test_acting_pays_from_that_time_on():
    # An ignored prediction costs the work at risk if it is true; acting on it always costs C_p.
    assert sp.solve(sp.Eq(p * x, cp), x) == [worth]


def test_the_printed_period_is_stationary():
    best = sp.sqrt(2 * (mu * c - r * cp**2 / (2 * p**2)) / (1 - r))
    assert sp.simplify(sp.diff(waste, t).subs(t, best)) == 0
    # Where it exceeds C_p/p, so does Young's; and at C_p/p they are the same.
    assert sp.simplify((best**2 - worth**2) * (1 - r) - (2 * mu * c - worth**2)) == 0


def test_both_branches_meet_with_one_slope():
    deaf = c / t + (t / 2 + d + back) / mu
    assert sp.simplify((waste - deaf).subs(t, worth)) == 0
    assert sp.simplify(sp.diff(waste - deaf, t).subs(t, worth)) == 0
