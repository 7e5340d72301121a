r"""Mean stop and goodput of a job with standby blocks.

**What a failure finds.** At work, also in recoveries and checkpoints, the job fails at the
constant rate a = B/block_mtbf, whatever the pool does. With the stops cut out of the clock,
failures are thus a Poisson process of rate a that is independent of the pool between them. The pool
is then a Markov chain with rates Q of its own, which each failure moves by Z, the chances of what a
whole stop leaves. Its long-run law pi solves pi (Q + a (Z - I)) = 0, and by PASTA a failure finds
the pool in this law. Renewal rewards: the mean stop is pi d, d_j the mean stop that begins in j.

**Goodput.** A segment takes N failures, whose number depends on exposed times alone: again it is
independent of the pool, and each failure costs pi d in the long run. So the job is that of
`expected_makespan` with this downtime.

**Without switch and hazards.** The job waits in the state S + 1 for mttr/(S + 1) with unlimited
crews. In real time the blocks down are then a loss system: arrivals at a below S + 1, none in it,
and departures at j/mttr. Its share of time in S + 1 is Erlang's B(S + 1, a mttr).
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import quad

from perfmodel import mean_stop, spares_goodput

a, mu, t = sp.symbols("a mu t", positive=True)


def test_one_standby_by_hand():
    # Between failures the one block that is down comes back at mu; a failure at 0 leaves one down,
    # at 1 it waits 1/(2 mu), and one is down as well.
    z = sp.Matrix([[0, 1], [0, 1]])
    q = sp.Matrix([[0, 0], [mu, -mu]])
    pi = sp.Matrix(sp.symbols("p0 p1"))
    balance = (pi.T * (q + a * (z - sp.eye(2)))).T
    found = sp.solve([balance[0], sum(pi) - 1], list(pi), dict=True)[0]
    stop = sp.simplify(found[pi[1]] / (2 * mu))
    assert sp.simplify(stop - a / (2 * mu * (a + mu))) == 0
    load = a / mu
    erlang = (load**2 / 2) / (1 + load + load**2 / 2)
    assert sp.simplify(stop / (1 / a + stop) - erlang) == 0
    for rate, back in ((0.3, 0.2), (2.0, 5.0)):
        known = float(stop.subs({a: rate, mu: back}))
        assert mean_stop(1, 1, block_mtbf=1 / rate, mttr=1 / back) == pytest.approx(known)


def test_one_standby_that_fails_with_a_switch_by_hand():
    # The pool has one block: it is back at mu, and fails at f a. In the switch it is out at first,
    # for the failure took it; the chance that it is back after t is p(t).
    f, rate, back, switch = 0.4, 0.3, 0.2, 1.7
    both = f * rate + back
    p = back / both * -np.expm1(-both * switch)
    # A stop leaves a standby with chance p, from either state. Balance of "none": pi1.
    pi1 = (f * rate + rate * (1 - p)) / (both + rate)
    known = switch + pi1 / (2 * back)
    found = mean_stop(
        1, 1, block_mtbf=1 / rate, mttr=1 / back, standby_hazard=f, switch_time=switch
    )
    assert found == pytest.approx(known, rel=1e-13)


def test_a_switch_at_risk_by_hand():
    # No repair matters where standbys never end: attempts at a switch until one is not struck.
    hazard, rate, switch = 0.7, 0.5, 1.3
    struck, _ = quad(lambda x: x * hazard * rate * np.exp(-hazard * rate * x), 0, switch)
    passes = np.exp(-hazard * rate * switch)
    known = (struck + passes * switch) / passes
    found = mean_stop(
        1, np.inf, block_mtbf=1 / rate, mttr=1.0, switch_time=switch, stopped_hazard=hazard
    )
    assert found == pytest.approx(known, rel=1e-12)


def test_work_until_the_standbys_are_used_up():
    # Without repair the goodput is 0; with a very long one it is the work until the pool is empty,
    # over the wait: S + 1 failures, each of which is followed by 1/a at work, less the rework.
    job = {"block_mtbf": 10.0, "checkpoint_cost": 0.1, "interval": 1.0}
    slow = spares_goodput(1, 3, **job, mttr=1e9)
    kept = np.exp(-1.1 / 10.0) / -np.expm1(-1.1 / 10.0)  # segments to the next failure
    # One of four comes back in mttr/4.
    assert slow == pytest.approx(kept * 1.0 / (1e9 / 4), rel=1e-7)
