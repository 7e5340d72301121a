"""Jobs with silent errors: the closed form of the mean, its optimum, and the first order."""

import pytest
import sympy as sp
from mpmath import mp

w, V, C, R, D = sp.symbols("w V C R D", positive=True)
fail, strike = sp.symbols("f s", positive=True)  # rates of failures and of silent errors


def claimed():
    grown = sp.exp(fail * (w + V + C) + strike * w) - 1
    spared = (sp.exp(strike * w) - 1) * sp.exp(fail * (C - R))
    return sp.exp(fail * R) * (1 / fail + D) * (grown - spared)


def exposed(span, rate):
    """Return P(no failure in `span`) and the mean time to its end or to the failure."""
    ended = mp.exp(-rate * span)
    return ended, mp.quad(lambda y: rate * y * mp.exp(-rate * y), [0, span]) + span * ended


def solved(point):
    """Solve the renewal equations: E of a segment, B of a recovery."""
    at = {str(name): mp.mpf(value) for name, value in point.items()}
    rate, down = at["f"], at["D"]
    (read, reading), (up, tried), (kept, writing) = (
        exposed(span, rate) for span in (at["R"], at["w"] + at["V"], at["C"])
    )
    clean = mp.exp(-at["s"] * at["w"])
    # E = constant + E (1 - success) + B times how often; B = reading + (1 - read) (D + B)
    stopped = (1 - up) + up * clean * (1 - kept)
    silent = up * (1 - clean)
    matrix = mp.matrix([[1 - stopped - silent, -stopped - silent], [0, read]])
    right = mp.matrix([tried + up * clean * writing + stopped * down, reading + (1 - read) * down])
    return mp.lu_solve(matrix, right)[0]


POINTS = [
    dict(zip((w, V, C, R, D, fail, strike), numbers, strict=True))
    for numbers in ((1.5, 0.25, 0.5, 0.75, 2, 0.25, 0.5), (0.5, 0.125, 1, 3, 0.5, 1, 0.25))
]


@pytest.mark.parametrize("point", POINTS)
def test_the_mean(point):
    with mp.workdps(30):
        closed = sp.lambdify(list(point), claimed(), "mpmath")(*map(mp.mpf, point.values()))
        assert mp.almosteq(solved(point), closed, rel_eps=1e-25)


def test_the_mean_is_convex_in_the_interval():
    # Its second derivative is positive, as e^(f (V + R + w)) (f + s)^2 > s^2.
    second = sp.diff(claimed() / (sp.exp(fail * R) * (1 / fail + D)), w, 2)
    form = sp.exp(strike * w + fail * (C - R)) * (
        (fail + strike) ** 2 * sp.exp(fail * (w + V + R)) - strike**2
    )
    assert sp.simplify(sp.expand(second - form)) == 0


def test_the_equation_of_the_best_interval():
    pace = claimed() / w
    gain = sp.exp(fail * R) * (1 + fail * D)
    scale = gain * sp.exp(fail * (C + w + V) + strike * w) / w**2
    y = fail * (w + V)
    left = (strike * w) * (1 - sp.exp(-y)) / fail + (sp.exp(-y) - 1 + y) / fail
    bend = sp.exp(-strike * w) - 1 + strike * w
    left += (1 - sp.exp(-fail * R)) / fail * sp.exp(-y) * bend
    right = V + (1 - sp.exp(-fail * C)) / fail * sp.exp(-y - strike * w)
    assert sp.simplify(sp.expand(sp.diff(pace, w) - scale * (left - right))) == 0


def test_the_first_order():
    # With rates e^2 and the interval 1/e, the waste begins with e ((V + C)/w + (s + f/2) w).
    numbers = (1.5, 0.25, 0.5, 0.75, 2, 0.25, 0.5)
    with mp.workdps(60):
        e = mp.mpf(10) ** -20
        at = [mp.mpf(number) for number in numbers]
        scaled = [at[0] / e, *at[1:5], at[5] * e**2, at[6] * e**2]
        mean = sp.lambdify((w, V, C, R, D, fail, strike), claimed(), "mpmath")(*scaled)
        first = (at[1] + at[2]) / at[0] + (at[6] + at[5] / 2) * at[0]
        assert mp.almosteq((mean / scaled[0] - 1) / e, first, rel_eps=1e-18)
