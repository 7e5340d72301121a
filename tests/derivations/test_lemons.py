"""Nodes of random rates: the mean time to a first failure, from transforms of the rates."""

from itertools import product

import numpy as np
import pytest
import sympy as sp
from mpmath import mp

t, n, cv = sp.symbols("t n c", positive=True)


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_two_rates(nodes):
    # No failure until t: ((1 - q) e^-at + q e^-kat)^n, multiplied out and integrated.
    q, k, a = sp.Rational(1, 5), 4, sp.Rational(3, 7)
    nothing = ((1 - q) * sp.exp(-a * t) + q * sp.exp(-k * a * t)) ** nodes
    mean = sp.integrate(sp.expand(nothing), (t, 0, sp.oo))
    claimed = sum(
        sp.binomial(nodes, i) * q**i * (1 - q) ** (nodes - i) / (nodes + (k - 1) * i)
        for i in range(nodes + 1)
    )
    assert sp.simplify(mean - claimed / a) == 0


def test_gamma_rates():
    # The antiderivative of (1 + t c^2)^(-n/c^2) is that power plus one, over n - c^2.
    nothing = (1 + t * cv**2) ** (-n / cv**2)
    whole = (1 + t * cv**2) ** (1 - n / cv**2) / (n - cv**2)
    assert sp.simplify(sp.diff(-whole, t) - nothing) == 0
    assert whole.subs(t, 0) == 1 / (n - cv**2)


def test_failures_until_a_repair_cures_a_lemon():
    # A lemon stays one until an exponential time of rate p k a; its failures are those of its rate
    # until then and of the lower one since.
    p, q, k, a, u = sp.symbols("p q k a u", positive=True)
    rate = (1 - q) * a + q * (a + (k - 1) * a * sp.exp(-p * k * a * u))
    mean = sp.integrate(rate, (u, 0, t))
    s = p * k * a * t
    assert sp.simplify(mean - a * t * (1 + q * (k - 1) * (1 - sp.exp(-s)) / s)) == 0


def test_the_transform_of_a_gamma_rate():
    with mp.workdps(20):
        square = mp.mpf("0.6")
        density = lambda x: x ** (1 / square - 1) * mp.exp(-x / square)  # noqa: E731
        scale = mp.gamma(1 / square) * square ** (1 / square)
        found = mp.quad(lambda x: mp.exp(-1.7 * x) * density(x), [0, 1, 5, 40]) / scale
        assert mp.almosteq(found, (1 + mp.mpf(1.7) * square) ** (-1 / square), rel_eps=1e-12)


@pytest.mark.parametrize("removed", [1, 2])
def test_the_worst_of_three_nodes_by_all_their_counts(removed):
    # Every count of every node, with the mean rate that a node has after it; of equal counts
    # each is as likely to go, and they have the same mean rate.
    share, factor, time = 0.3, 4.0, 1.2
    counts = np.arange(40)
    factorials = np.cumprod(np.maximum(counts, 1.0))
    joint = [
        weight * rate**power * (rate * time) ** counts * np.exp(-rate * time) / factorials
        for power in (0, 1)
        for weight, rate in ((1.0 - share, 1.0), (share, factor))
    ]
    chance = joint[0] + joint[1]
    mean = (joint[2] + joint[3]) / chance
    kept = sum(
        np.prod(chance[list(three)]) * sum(mean[x] for x in sorted(three)[: 3 - removed])
        for three in product(range(25), repeat=3)
    )
    more = np.array([chance[x + 1 :].sum() for x in counts])
    beyond = sum(
        comb * more**b * (1.0 - more) ** (3 - b) * max(b - removed, 0)
        for b, comb in ((1, 3), (2, 3), (3, 1))
    )
    claimed = (3 - removed) * mean[0] + np.diff(mean) @ beyond[:-1]
    assert kept == pytest.approx(claimed, rel=1e-7)
