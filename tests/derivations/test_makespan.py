"""Mean and variance of the checkpointed job, solved from its renewal equations."""

import pytest
import sympy as sp

lam, a, r, d, var_d, s, t = sp.symbols("lambda a R D V_D s t", positive=True)

# The transform of a downtime up to the second moment.
DOWN = 1 - s * d + s**2 * (d**2 + var_d) / 2


def passage(span, after_failure):
    """Return the transform of the time to stay up for `span`, with `after_failure` per failure.

    phi = e^-(lam + s) span + (int_0^span lam e^-(lam + s) t dt) after_failure phi, solved.
    """
    failure = sp.integrate(lam * sp.exp(-(lam + s) * t), (t, 0, span))
    return sp.exp(-(lam + s) * span) / (1 - failure * after_failure)


def mean_and_variance(transform):
    """Return the first two cumulants, -(log phi)'(0) and (log phi)''(0)."""
    logarithm = sp.log(transform)
    return -sp.diff(logarithm, s).subs(s, 0), sp.diff(logarithm, s, 2).subs(s, 0)


def vanishes(expression):
    grow_a, grow_r = sp.symbols("A B", positive=True)
    flat = sp.expand(sp.expand_power_exp(expression), power_exp=True)
    flat = flat.subs({sp.exp(lam * a): grow_a, sp.exp(lam * r): grow_r})
    flat = flat.subs({sp.exp(-lam * a): 1 / grow_a, sp.exp(-lam * r): 1 / grow_r})
    return sp.simplify(sp.together(flat)) == 0


RECOVERED = DOWN * passage(r, DOWN)
"""From a failure to the end of the recovery."""


def test_expected_makespan_of_a_segment():
    mean, _ = mean_and_variance(passage(a, RECOVERED))
    claimed = sp.exp(lam * r) * (1 / lam + d) * (sp.exp(lam * a) - 1)
    assert vanishes(mean - claimed)


@pytest.mark.slow
def test_makespan_variance_of_a_segment():
    _, variance = mean_and_variance(passage(a, RECOVERED))

    def lost(span, repair, repair_variance):
        """Return mean and variance of the compound geometric sum in the docstring."""
        p = sp.exp(-lam * span)
        count, count_variance = (1 - p) / p, (1 - p) / p**2
        uptime = 1 / lam - span * p / (1 - p)
        uptime_second = 2 / lam**2 - (span**2 + 2 * span / lam) * p / (1 - p)
        each, each_variance = uptime + repair, uptime_second - uptime**2 + repair_variance
        return count * each, count * each_variance + count_variance * each**2

    recovery, recovery_variance = lost(r, d, var_d)
    claimed = lost(a, d + recovery + r, var_d + recovery_variance)[1]
    assert vanishes(variance - claimed)
