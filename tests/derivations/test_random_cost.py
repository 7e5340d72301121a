"""Checkpoints of random cost: the mean of a segment, and the constant cost that gives it."""

import sympy as sp

w, rate, recover, mtbf = sp.symbols("w l A m", positive=True)
# E[e^(-l C)], and E[e^(l C)] of a cost that is kept.
less, more = sp.symbols("L M", positive=True)


def test_a_cost_that_each_attempt_draws():
    # An attempt succeeds with e^(-l w) L and is exposed for (1 - e^(-l w) L)/l in the mean; a
    # failed one costs a repair of mean A - 1/l as well.
    success = sp.exp(-rate * w) * less
    exposed = (1 - success) / rate
    segment = (exposed + (1 - success) * (recover - 1 / rate)) / success
    assert sp.simplify(segment - recover * (sp.exp(rate * w) / less - 1)) == 0
    cost = -sp.log(less) / rate
    assert sp.simplify(segment - recover * (sp.exp(rate * (w + cost)) - 1)) == 0


def test_a_cost_that_a_segment_keeps():
    # Given its cost C a segment takes A (e^(l (w + C)) - 1), whose mean has M for e^(l C).
    cost = sp.log(more) / rate
    mean = recover * (sp.exp(rate * w) * more - 1)
    assert sp.simplify(mean - recover * (sp.exp(rate * (w + cost)) - 1)) == 0
