"""Pairs of nodes: strikes and time to interruption, the integral of S, and the first orders."""

import pytest
import sympy as sp
from mpmath import mp

u, b = sp.symbols("u b", positive=True)


@pytest.mark.parametrize("pairs", [1, 2, 3, 6])
def test_the_mean_number_of_strikes(pairs):
    # In a state with d pairs that have one node down: a strike hits a node that is down, a node
    # of a whole pair, or the node that is left of a pair.
    nodes = 2 * pairs
    left = sp.Integer(0)
    for down in range(pairs, -1, -1):
        whole = sp.Rational(nodes - 2 * down, nodes)
        wasted = sp.Rational(down, nodes)
        left = (1 + whole * left) / (1 - wasted)
    assert left == 1 + sp.Integer(4) ** pairs / sp.binomial(2 * pairs, pairs)


@pytest.mark.parametrize("pairs", [1, 2, 5])
def test_the_time_to_interruption_is_the_integral_of_the_survival(pairs):
    # With u = e^-t, dt = -du/u.
    survival = (1 - (1 - u) ** 2) ** pairs
    mean = sp.integrate(sp.expand(survival / u), (u, 0, 1))
    strikes = 1 + sp.Integer(4) ** pairs / sp.binomial(2 * pairs, pairs)
    assert sp.simplify(mean - strikes / (2 * pairs)) == 0


def test_the_integral_of_the_survival_by_an_incomplete_beta_function():
    with mp.workdps(30):
        for pairs, end in ((1, mp.mpf(1) / 2), (7, mp.mpf(1) / 5)):
            v = 1 - mp.exp(-end)
            known = mp.quad(lambda t, n=pairs: (1 - (1 - mp.exp(-t)) ** 2) ** n, [0, end])
            beta = mp.betainc(mp.mpf(1) / 2, pairs, 0, v**2) / 2
            assert mp.almosteq(beta + (1 - (1 - v**2) ** pairs) / (2 * pairs), known)


def test_the_first_orders():
    # With restarts a segment T is lost with probability b T^2, after 2/3 of it on average; without
    # a time T/2 is lost at each interruption.
    w, c, m = sp.symbols("w C M", positive=True)
    lost = sp.integrate(2 * b * u * u, (u, 0, w)) / w  # density 2 b t of the interruption
    best = sp.solve(sp.diff(c / w + lost, w), w)
    assert sp.simplify(best[0] ** 3 - 3 * c / (4 * b)) == 0
    assert sp.simplify(sp.solve(sp.diff(c / w + w / 2 / m, w), w)[0] ** 2 - 2 * m * c) == 0
