"""Delays under load, from the states of the queue at a failure."""

import sympy as sp

s, rho, d, second = sp.symbols("s rho D m2", positive=True)


def test_rear_is_a_busy_period_that_begins_with_what_waits_and_the_repair():
    wait = rho / s * second / (2 * (1 - rho))  # of a newcomer, by Pollaczek and Khinchine
    # Work that waits at a random instant of a running job: jobs that wait, over the share of
    # time in which there is a running job, each with its own running time.
    waiting_jobs = rho / s * wait  # Little
    waiting_work = waiting_jobs / rho * s
    assert sp.simplify(waiting_work - wait) == 0
    begun, delay = sp.symbols("V E", positive=True)
    busy = sp.solve(sp.Eq(delay, begun + rho * delay), delay)[0]  # arrivals bring rho per time
    found = busy.subs(begun, d + waiting_work).subs(second, 2 * s**2)
    assert sp.simplify(found - (d + rho * s / (1 - rho)) / (1 - rho)) == 0


def test_what_a_struck_job_leaves_behind_is_what_a_newcomer_finds():
    for places in (1, 2, 5):
        offered = places * rho
        chain = [offered**k / sp.factorial(k) for k in range(places + 1)]
        chain += [chain[-1] * rho**k for k in range(1, 6)]
        # A failure finds k jobs in proportion to the number running; one of them leaves.
        left = [min(k, places) * chain[k] for k in range(1, len(chain))]
        for one, other in zip(left, chain, strict=False):
            assert sp.simplify(one - offered * other) == 0


def test_a_failure_meets_all_other_places_taken_with_the_waiting_probability_over_load():
    for places in (1, 2, 5):
        offered = places * rho
        below = [offered**k / sp.factorial(k) for k in range(places)]
        full = offered**places / sp.factorial(places) / (1 - rho)
        waits = full / (sum(below) + full)
        running = sum(k * weight for k, weight in enumerate(below)) + places * full
        assert sp.simplify(places * full / running - waits / rho) == 0


def test_the_first_of_repair_and_another_end():
    t, others = sp.symbols("t n", positive=True)
    mean = sp.integrate(sp.exp(-others * t / s), (t, 0, d))
    assert sp.simplify(mean - s / others * (1 - sp.exp(-others * d / s))) == 0
