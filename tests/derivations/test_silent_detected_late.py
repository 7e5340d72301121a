"""Silent errors that show late: the renewal equations, the closed mean, its best interval."""

import pytest
import sympy as sp
from mpmath import mp

w, C, R, D, L = sp.symbols("w C R D L", positive=True)
fail, strike = sp.symbols("f s", positive=True)  # rates of failures and of silent errors
NAMES = (w, C, R, D, L, fail, strike)


def claimed():
    each = strike * (L + (1 - sp.exp(-fail * R)) / fail) / (1 + fail * L)
    both, apart = fail + strike, strike - 1 / L
    parts = (sp.exp(fail * C) - 1) / fail
    parts += sp.exp(fail * C) * (1 + each) * (sp.exp(both * w) - 1) / both
    parts += each * fail * L * sp.exp(-C / L) * (sp.exp(apart * w) - 1) / apart
    return sp.exp(fail * R) * (1 + fail * D) * parts


def solved(point):
    """Solve the equations of a clean segment, a saved corruption and a recovery, by quadrature."""
    at = {str(name): mp.mpf(value) for name, value in point.items()}
    span, cost, rate, hits, show = at["w"], at["C"], at["f"], at["s"], 1 / at["L"]
    read = mp.exp(-rate * at["R"])
    # back = mean time reading + (1 - read) (D + back)
    reading = (1 - read) / rate
    back = (reading + (1 - read) * at["D"]) / read
    failed = at["D"] + back
    # A saved corruption goes on through failures until it shows.
    saved = (1 / show) + (rate / show) * failed + back

    def corrupt(left):
        """Return the mean time from a strike until the segment begins again."""
        end = mp.exp(-(rate + show) * left)

        def struck(y):
            return mp.exp(-(rate + show) * y) * (rate * (y + failed) + show * (y + back))

        return mp.quad(struck, [0, left]) + end * (left + saved)

    def first(y):
        density = mp.exp(-(rate + hits) * y)
        return density * (rate * (y + failed) + hits * (y + corrupt(span + cost - y)))

    computed = mp.exp(-(rate + hits) * span)
    attempt = mp.quad(first, [0, span])
    attempt += computed * mp.quad(
        lambda y: rate * mp.exp(-rate * y) * (span + y + failed), [0, cost]
    )
    success = computed * mp.exp(-rate * cost)
    return (attempt + success * (span + cost)) / success


POINTS = [
    dict(zip(NAMES, numbers, strict=True))
    for numbers in ((1.5, 0.25, 0.5, 2, 0.75, 0.25, 0.5), (0.5, 1, 3, 0.5, 4, 1, 0.125))
]


@pytest.mark.parametrize("point", POINTS)
def test_the_mean(point):
    with mp.workdps(20):
        closed = sp.lambdify(list(point), claimed(), "mpmath")(*map(mp.mpf, point.values()))
        assert mp.almosteq(solved(point), closed, rel_eps=1e-15)


@pytest.mark.slow
def test_without_failures_only_the_mean_of_the_latency_matters():
    # Each strike costs a latency X and R; E = time + P(strike) (E X + R + E), whatever law X has.
    mean_latency, segment = sp.symbols("X E", positive=True)
    struck = 1 - sp.exp(-strike * w)
    renewal = struck / strike + (1 - struck) * C + struck * (mean_latency + R + segment)
    found = sp.solve(sp.Eq(segment, renewal), segment)[0]
    limit = sp.limit(claimed(), fail, 0).subs(L, mean_latency)
    assert sp.simplify(sp.expand(found - limit)) == 0


def test_the_mean_is_convex_in_the_interval():
    # Of the second derivative the first part is at least (1 + each) (f + s) e^(f C), the second at
    # least -each f: together positive for every interval.
    each = sp.symbols("k", positive=True)
    both, apart = fail + strike, strike - 1 / L
    pace = sp.exp(fail * C) * (1 + each) * (sp.exp(both * w) - 1) / both
    pace += each * fail * L * sp.exp(-C / L) * (sp.exp(apart * w) - 1) / apart
    second = sp.exp(fail * C) * (1 + each) * both * sp.exp(both * w)
    second += each * fail * sp.exp(-C / L) * (strike * L - 1) * sp.exp(apart * w)
    assert sp.simplify(sp.expand(sp.diff(pace, w, 2) - second)) == 0


def test_the_equation_of_the_best_interval():
    def h(x):
        return 1 + (x - 1) * sp.exp(x)

    each = strike * (L + (1 - sp.exp(-fail * R)) / fail) / (1 + fail * L)
    both, apart = fail + strike, strike - 1 / L
    left = sp.exp(fail * C) * (1 + each) * h(both * w) / both
    left += each * fail * L * sp.exp(-C / L) * h(apart * w) / apart
    right = (sp.exp(fail * C) - 1) / fail
    scale = sp.exp(fail * R) * (1 + fail * D) / w**2
    numbers = dict(zip(NAMES, (1.5, 0.25, 0.5, 2, 0.75, 0.25, 0.5), strict=True))
    slope = sp.diff(claimed() / w, w) - scale * (left - right)
    assert abs(slope.evalf(30, subs={k: sp.Rational(v) for k, v in numbers.items()})) < 1e-25
