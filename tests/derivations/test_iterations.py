"""Jobs of random iterations: the mean of a segment, and when one iteration more is no better."""

import sympy as sp

rate, cost, recover = sp.symbols("l C A", positive=True)
n, step, exposed = sp.symbols("n h a", positive=True)
# E[e^(-l X)] and E[e^(l X)] of the length X of an iteration.
less, more = sp.symbols("L M", positive=True)
count = sp.symbols("k", integer=True, positive=True)


def test_iterations_that_take_a_new_time():
    # An attempt succeeds if no failure comes in n independent lengths and the checkpoint.
    success = less**count * sp.exp(-rate * cost)
    exposure = (1 - success) / rate
    segment = (exposure + (1 - success) * (recover - 1 / rate)) / success
    assert sp.simplify(segment - recover * (sp.exp(rate * cost) / less**count - 1)) == 0
    length = -sp.log(less) / rate
    as_fixed = recover * (sp.exp(rate * (cost + count * length)) - 1)
    assert sp.simplify(segment - as_fixed) == 0


def test_iterations_that_take_as_long_as_before():
    # Given its lengths a segment takes A (e^(l (sum + C)) - 1); the lengths are independent.
    length = sp.log(more) / rate
    mean = recover * (more**count * sp.exp(rate * cost) - 1)
    assert sp.simplify(mean - recover * (sp.exp(rate * (cost + count * length)) - 1)) == 0


def test_when_one_iteration_more_is_no_better():
    # With a = l (C + n w) and h = l w, pace(n + 1) >= pace(n) is a sum of positive parts.
    a = cost + n * step  # in units of the mtbf
    gain = n * (sp.exp(a + step) - 1) - (n + 1) * (sp.exp(a) - 1)
    parts = n * (sp.exp(step) - 1 - step) + (sp.exp(-a) - 1 + a) - cost
    assert sp.simplify(sp.expand(gain * sp.exp(-a) - parts)) == 0


def test_there_is_only_one_best_number():
    # The condition holds from some n on: its left side rises with n.
    a = cost + n * step
    left = n * (sp.exp(step) - 1 - step) + (sp.exp(-a) - 1 + a)
    slope = (sp.exp(step) - 1 - step) + step * (1 - sp.exp(-a))
    assert sp.simplify(sp.diff(left, n) - slope) == 0
