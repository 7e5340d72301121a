"""Failures and loss of one segment, solved from their renewal equations."""

import sympy as sp

a, r, mu, t, lost, count, back = sp.symbols("a R mu t L N B", positive=True)
density = sp.exp(-t / mu) / mu
through = sp.exp(-a / mu)


def test_expected_lost_time_of_a_segment():
    # A failure at t < a loses t and starts the segment again; recovery is not counted here.
    renewal = sp.Eq(lost, sp.integrate(density * (t + lost), (t, 0, a)))
    solution = sp.solve(renewal, lost)[0]
    assert sp.simplify(solution - mu * (sp.exp(a / mu) - 1 - a / mu)) == 0


def test_expected_failures_of_a_segment():
    # After each failure a recovery of length R, which may fail again: `back` failures in all.
    recovery = sp.solve(sp.Eq(back, (1 - sp.exp(-r / mu)) * (1 + back)), back)[0]
    renewal = sp.Eq(count, (1 - through) * (1 + recovery + count))
    solution = sp.solve(renewal, count)[0]
    assert sp.simplify(solution - sp.exp(r / mu) * (sp.exp(a / mu) - 1)) == 0
