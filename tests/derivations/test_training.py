"""Shares of a training run from integrals over the uptime of one cycle."""

import sympy as sp

t, rate, back, period, drain = sp.symbols("t lambda R a l", positive=True)
density = rate * sp.exp(-rate * t)


def test_durable_snapshots_of_a_cycle():
    """One more for each instant R + k a + l, k = 1, 2, ..., that the uptime exceeds."""
    k = sp.symbols("k", integer=True, positive=True)
    beyond = sp.integrate(density, (t, back + k * period + drain, sp.oo))
    ratio = sp.simplify(beyond.subs(k, k + 1) / beyond)
    mean = beyond.subs(k, 1) / (1 - ratio)
    claimed = sp.exp(-rate * (back + period + drain)) / (1 - sp.exp(-rate * period))
    assert sp.simplify(mean - claimed) == 0


def test_time_of_a_stage_at_risk():
    """Of a stage between two ages the part that the uptime reaches."""
    start, length = sp.symbols("s r", positive=True)
    within = sp.integrate(density * (t - start), (t, start, start + length))
    through = length * sp.exp(-rate * (start + length))
    claimed = sp.exp(-rate * start) * (1 - sp.exp(-rate * length)) / rate
    assert sp.simplify(within + through - claimed) == 0
