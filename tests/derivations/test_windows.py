"""The waste with predicted windows as a sum over events to first order, and its minimum."""

import sympy as sp

t, mu, c, cp, r, p, w, x, n, j = sp.symbols("T mu C C_p r p I x n j", positive=True)
late = cp / p
part = w / n
# What a window costs: the checkpoint before it, those inside, and the work lost in its last part.
each = cp + (n - 1) * (1 - p / 2) * cp + p * w / (2 * n)


def test_what_a_window_costs():
    # A failure in the j-th part, counted from 0, comes after j checkpoints and loses half of it.
    true = sp.summation(j / n, (j, 0, n - 1)) * cp + sp.integrate(x / part, (x, 0, part))
    found = cp + p * true + (1 - p) * (n - 1) * cp
    assert sp.simplify(found - each) == 0


def test_the_time_in_windows():
    true = sp.integrate(x / w, (x, 0, w))
    length = p * true + (1 - p) * w
    assert sp.simplify(length - w * (1 - p / 2)) == 0


def test_a_neglected_prediction_loses_what_is_there_when_the_failure_comes():
    # The window begins x < b after the checkpoint, the failure comes within it.
    u = sp.symbols("u", positive=True)
    found = sp.integrate(sp.integrate((x + u) / w, (u, 0, w)) / t, (x, 0, late))
    assert sp.simplify(found - late / t * (late + w) / 2) == 0


def test_the_number_of_segments():
    # One more pays while it saves more work than its checkpoint costs.
    saved = each - each.subs(n, n + 1)
    room = w * p / (cp * (2 - p))
    positive = (1 - p / 2) * cp * (room / (n * (n + 1)) - 1)
    assert sp.simplify(saved - positive) == 0


def test_the_printed_periods_are_stationary():
    more = (n - 1) * (2 - p) * late / 2
    parts = {
        (late + w) / t: late / 2 + more - w / 2 * (1 - 1 / n),
        sp.Integer(1): late + more + w / (2 * n),
    }
    for loss, bracket in parts.items():
        windows = r / (p * mu) * ((1 - late / t) * each + p * late / 2 * loss)
        outside = c / t + (1 - r) * t / (2 * mu) + windows
        best = sp.sqrt(2 / (1 - r) * (mu * c - r * late * bracket))
        assert sp.simplify(sp.diff(outside, t).subs(t, best)) == 0


def test_windows_of_no_length_are_exact_predictions():
    outside = c / t + (1 - r) * t / (2 * mu)
    outside += r / (p * mu) * ((1 - late / t) * each + p * late**2 / (2 * t))
    exact = c / t + ((1 - r) * t / 2 + r / p * cp * (1 - cp / (2 * p * t))) / mu
    assert sp.simplify(outside.subs({w: 0, n: 1}) - exact) == 0
