"""Energy of a job that computes on beside its checkpoints: mean, optimum, and the first order."""

import pytest
import sympy as sp
from mpmath import mp

w, o, C, R, D, rate = sp.symbols("w o C R D l", positive=True)  # o: done beside a checkpoint
static, compute, io, down, omega = sp.symbols("s c i d omega", positive=True)
MU, T = sp.symbols("mu T", positive=True)
POINTS = (
    (0.75, 0.25, 0.5, 0.25, 0.125, 0.5, 1.0, 2.0, 3.0, 1.5, 0.5),
    (2.0, 0.125, 0.25, 1.0, 0.5, 0.25, 0.5, 4.0, 0.25, 5.0, 0.75),
)


def zero(expression, *more):
    """Say whether `expression` is 0, at two points and 40 digits: much faster than simplifying."""
    names = (w, o, C, R, D, rate, static, compute, io, down, omega, *more)
    value = sp.lambdify(names, expression, "mpmath")
    with mp.workdps(40):
        found = [value(*map(mp.mpf, (*point, *(0.375 for _ in more)))) for point in POINTS]
    return all(abs(each) < 1e-35 for each in found)


def exposed(span):
    """Return P(no failure in `span`) and the mean time to its end or to the failure."""
    return sp.exp(-rate * span), (1 - sp.exp(-rate * span)) / rate


def test_the_mean_time_to_the_end_of_a_span_or_a_failure():
    t, span = sp.symbols("t b", positive=True)
    ended, mean = exposed(span)
    by_parts = sp.integrate(rate * t * sp.exp(-rate * t), (t, 0, span)) + span * ended
    assert sp.simplify(by_parts - mean) == 0


def repair():
    back = sp.symbols("J")
    read, reading = exposed(R)
    tried = (static + down) * D + (static + io) * reading
    return sp.solve(sp.Eq(back, tried + (1 - read) * back), back)[0]


def attempt(alone, span):
    """Return P(success) and the energy of computing, then writing with computing for `span`."""
    up, computing = exposed(alone)
    kept, writing = exposed(C)
    _, beside = exposed(span)
    written = (static + io) * writing + omega * compute * beside
    return up * kept, (static + compute) * computing + up * written


def claimed(span):
    grown = sp.exp((w + C) * rate) - sp.exp(C * rate) - sp.exp(o * rate) + 1
    found = (static + compute) * grown / rate + (static + io) * (sp.exp(C * rate) - 1) / rate
    found += omega * compute * sp.exp(C * rate) * (1 - sp.exp(-rate * span)) / rate
    return found + repair() * (sp.exp((w + C) * rate) - sp.exp(o * rate))


def test_the_mean_energy_of_a_segment():
    span = sp.symbols("b", positive=True)
    warm_ok, warm = attempt(w - o, span)
    cold_ok, cold = attempt(w, span)
    whole = (cold + (1 - cold_ok) * repair()) / cold_ok
    found = warm + (1 - warm_ok) * (repair() + whole)
    assert zero(found - claimed(span), span)


def test_the_energy_from_a_failure_on():
    closed = sp.exp(R * rate) * (static + down) * D + (static + io) * (sp.exp(R * rate) - 1) / rate
    assert zero(repair() - closed)


def test_the_best_interval():
    # With o = omega C, the segment is (alpha e^(w l) - beta)/l, least per work where (1 - y) e^y
    # is beta/alpha, in which y = w l.
    every = claimed(C).subs(o, omega * C)
    alpha = sp.exp(C * rate) * (static + compute + rate * repair())
    beta = (static + compute) * (sp.exp(C * rate) + sp.exp(omega * C * rate) - 1)
    beta -= (static + omega * compute + io) * (sp.exp(C * rate) - 1)
    beta += rate * repair() * sp.exp(omega * C * rate)
    assert zero(every - (alpha * sp.exp(w * rate) - beta) / rate)
    y, a, b = sp.symbols("y a b", positive=True)
    slope = sp.diff((a * sp.exp(y) - b) / y, y)
    assert sp.simplify(slope * y**2 - (b - a * (1 - y) * sp.exp(y))) == 0


def test_what_a_checkpoint_takes_is_a_sum_without_cancellation():
    c = C * rate
    alpha = sp.exp(c) * (static + compute + rate * repair())
    beta = (static + compute) * (sp.exp(c) + sp.exp(omega * c) - 1)
    beta -= (static + omega * compute + io) * (sp.exp(c) - 1)
    beta += rate * repair() * sp.exp(omega * c)
    fewer, writes = 1 - sp.exp(-(1 - omega) * c), 1 - sp.exp(-c)
    beside = omega * writes - (sp.exp(-(1 - omega) * c) - sp.exp(-c))
    found = static * fewer + compute * beside + io * writes + rate * repair() * fewer
    assert zero((alpha - beta) * sp.exp(-c) - found)


def first_order(period):
    """Return the energy over the work as the source writes it."""
    lost = (1 - omega) * C
    final = period / ((period - lost) * (1 - (D + R + omega * C) / MU - period / (2 * MU)))
    square = C**2 / (2 * period)
    computing = 1 + final / MU * (omega * C + period / 2 - square + omega * square)
    writing = C / (period - lost) + final / MU * (R + square)
    return computing * compute + writing * io + final / MU * D * down + final * static


@pytest.mark.parametrize("numbers", [(0.5, 0.25, 0.125, 0.6, 20.0), (0.25, 1.0, 0.5, 0.0, 30.0)])
def test_the_best_period_of_the_first_order(numbers):
    at = dict(zip((C, R, D, omega, MU), map(sp.Rational, map(str, numbers)), strict=True))
    at |= {static: 1, compute: 2, io: 30, down: sp.Rational(1, 2)}
    a, b = (1 - omega) * C, 1 - (D + R + omega * C) / MU
    h = 2 * MU * b
    low = static * a + down * D * a / MU + io * (C * b + R * a / MU + omega * C**2 / (2 * MU))
    low += compute * omega * (1 - omega) * C**2 / (2 * MU)
    high = static * h + 2 * down * D * b + io * (2 * R * b + C**2 / (2 * MU))
    high += compute * (2 * omega * C * b + (h**2 - a * C) / (2 * MU))
    best = a + (h - a) * sp.sqrt(low) / (sp.sqrt(high) + sp.sqrt(low))
    energy = sp.lambdify(T, first_order(T).subs(at), "mpmath")
    with mp.workdps(60):
        place = mp.mpf(str(sp.N(best.subs(at), 60)))
        assert abs(mp.diff(energy, place)) < 1e-18
        assert mp.diff(energy, place * mp.mpf("1.0001")) > 1e-6


def test_the_first_order_begins_like_the_exact_energy():
    # With the interval 1/e and rates of e^2 the energy beyond the work's begins alike.
    e = mp.mpf(10) ** -20
    with mp.workdps(70):
        numbers = {C: 0.5, R: 0.25, D: 0.75, omega: 0.5, static: 1, compute: 2, io: 3, down: 4}
        numbers = {name: mp.mpf(value) for name, value in numbers.items()}
        names = list(numbers)
        exact = sp.lambdify([*names, w, o, rate], claimed(C), "mpmath")
        published = sp.lambdify([*names, T, MU], first_order(T), "mpmath")
        given = list(numbers.values())
        own = exact(*given, 1 / e, mp.mpf("0.25"), e**2) * e - 3
        other = published(*given, 1 / e + mp.mpf("0.25"), e**-2) - 3
        assert mp.almosteq(own / e, other / e, rel_eps=1e-18)
