"""The renewal equations of a job on a machine that ages, solved by symbols for two segments."""

import numpy as np
import sympy as sp

from perfmodel import (
    Empirical,
    expected_makespan_ageing,
    makespan_variance_ageing,
    useful_share_ageing,
)


def test_two_segments_and_uptimes_of_three_values():
    # Periods of 2 and a recovery of 1/2: an uptime of 1 saves nothing, one of 3 the first segment.
    p, q, d = sp.symbols("p q d", positive=True)
    (one, both), (one2, both2) = sp.symbols("one both"), sp.symbols("one2 both2")
    half = sp.Rational(1, 2)
    rest = 1 - p - q

    def after(uptime, moment, square):
        """Return mean and mean square of an uptime, a downtime and what follows."""
        return uptime + d + moment, (uptime + d) ** 2 + 2 * (uptime + d) * moment + square

    lone, single = after(1, one, one2), (2 + half, (2 + half) ** 2)
    equations = [sp.Eq(one, p * lone[0] + (q + rest) * single[0])]
    equations.append(sp.Eq(one2, p * lone[1] + (q + rest) * single[1]))
    none, first, all_ = after(1, both, both2), after(3, one, one2), (4 + half, (4 + half) ** 2)
    equations.append(sp.Eq(both, p * none[0] + q * first[0] + rest * all_[0]))
    equations.append(sp.Eq(both2, p * none[1] + q * first[1] + rest * all_[1]))
    solved = sp.solve(equations, [one, both, one2, both2], dict=True)[0]
    start = p * none[0] + q * first[0] + rest * 4
    square = p * none[1] + q * first[1] + rest * 16
    values = {p: sp.Rational(1, 5), q: sp.Rational(2, 5), d: sp.Rational(1, 5)}
    mean, second = (float(x.subs(solved).subs(values)) for x in (start, square))
    job = {"interval": 1.5, "checkpoint_cost": 0.5, "recovery_cost": 0.5, "downtime": 0.2}
    uptime = Empirical([1.0, 3.0, 3.0, 9.0, 9.0])
    found = expected_makespan_ageing(3.0, uptime=uptime, **job)
    np.testing.assert_allclose(found, mean, rtol=1e-14)
    found = makespan_variance_ageing(3.0, uptime=uptime, **job)
    np.testing.assert_allclose(found, second - mean**2, rtol=1e-12)


def test_the_stationary_sequence_is_where_the_work_saved_does_not_change():
    # The derivative of sum (t_i - t_{i-1} - C) S(t_i) in one of the times.
    before, t, after, c = sp.symbols("before t after c", positive=True)
    sf = sp.Function("S")
    saved = (t - before - c) * sf(t) + (after - t - c) * sf(after)
    density = -sp.diff(sf(t), t)
    change = sf(t) - sf(after) - (t - before - c) * density
    assert sp.simplify(sp.diff(saved, t) - change) == 0


def test_the_share_is_the_ratio_of_work_saved_to_a_cycle():
    job = {"checkpoint_cost": 0.5, "recovery_cost": 1.0, "downtime": 2.0}
    # Complete at 3.5 and 7: of uptimes 3, 5 and 10 the second saves 2, the last 5.
    share = useful_share_ageing([2.0, 3.0], uptime=Empirical([3.0, 5.0, 10.0]), **job)
    np.testing.assert_allclose(share, (0.0 + 2.0 + 5.0) / (18.0 + 3 * 2.0), rtol=1e-15)
