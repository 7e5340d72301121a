"""The job with asynchronous checkpoints: mean, variance and transform from its renewal states."""

import itertools

import numpy as np
import pytest
import sympy as sp

from perfmodel import exact_makespan_async, expected_makespan_async, makespan_variance_async

lam, x, g, r, d, var_d, s, t = sp.symbols("lambda x g R D V_D s t", positive=True)
b = x + g

# The transform of a downtime up to the second moment.
DOWN = 1 - s * d + s**2 * (d**2 + var_d) / 2


def struck(span):
    """Return the transform of an uptime below `span`."""
    return sp.integrate(lam * sp.exp(-(lam + s) * t), (t, 0, span))


RECOVERED = DOWN * sp.exp(-(lam + s) * r) / (1 - struck(r) * DOWN)
COLD = sp.exp(-(lam + s) * b) / (1 - struck(b) * RECOVERED)
# From one durable snapshot to the next: a failure leads to a cold start with the same durable one.
WARM = sp.exp(-(lam + s) * x) + struck(x) * RECOVERED * COLD


def vanishes(expression):
    """Return whether an expression is 0, by its value at rational points, at 60 digits."""
    symbols = (lam, x, g, r, d, var_d)
    points = itertools.islice(itertools.permutations([2, 3, 5, 7, 11, 13]), 0, 720, 97)
    values = [
        expression.subs({k: sp.Rational(v, 7) for k, v in zip(symbols, point, strict=True)})
        for point in points
    ]
    return all(abs(sp.N(value, 60)) < sp.Float("1e-45") for value in values)


def moments(transform):
    """Return mean and variance, -(log phi)'(0) and (log phi)''(0)."""
    first, second = (sp.diff(transform, s, order).subs(s, 0) for order in (1, 2))
    return -first, second - first**2


def cut(span):
    """Return mean and variance of an uptime, given that it is below `span`."""
    p = sp.exp(-lam * span)
    mean = 1 / lam - span * p / (1 - p)
    square = 2 / lam**2 - (span**2 + 2 * span / lam) * p / (1 - p)
    return mean, square - mean**2


def tries(span, each, each_variance):
    """Return mean and variance of a geometric sum, one term for each failure within `span`."""
    p = sp.exp(-lam * span)
    count, count_variance = (1 - p) / p, (1 - p) / p**2
    return count * each, count * each_variance + count_variance * each**2


@pytest.mark.slow
def test_the_mean_of_a_cold_and_of_a_warm_snapshot():
    scale = sp.exp(lam * r) * (1 / lam + d)
    assert vanishes(moments(COLD)[0] - scale * (sp.exp(lam * b) - 1))
    assert vanishes(moments(WARM)[0] - scale * sp.exp(lam * b) * (1 - sp.exp(-lam * x)))


@pytest.mark.slow
def test_the_variance_of_a_cold_and_of_a_warm_snapshot():
    lost, spread = cut(r)
    recovery, recovery_variance = tries(r, lost + d, spread + var_d)
    repair, repair_variance = d + r + recovery, var_d + recovery_variance
    lost, spread = cut(b)
    more, cold_variance = tries(b, lost + repair, spread + repair_variance)
    lost, spread = cut(x)
    p, q = sp.exp(-lam * x), 1 - sp.exp(-lam * x)
    warm_variance = q * (spread + repair_variance + cold_variance)
    warm_variance += p * q * (lost + repair + b + more - x) ** 2
    assert vanishes(moments(COLD)[1] - cold_variance)
    assert vanishes(moments(WARM)[1] - warm_variance)


@pytest.mark.parametrize("latency", [1.3, 2.0, 4.7, 30.0])
@pytest.mark.parametrize("slowdown", [0.0, 0.4])
def test_skipped_snapshots_by_the_equations_of_their_chain_as_one_linear_system(latency, slowdown):
    w, last, mu, c, r_, d_ = 1.0, 0.6, 10.0, 0.1, 0.4, 0.5
    count, whole = 9, 8
    spans = [w] * whole + [last]
    rate = 1 / mu
    attempt = np.exp(rate * r_) * (mu + d_) - mu  # from a failure to the end of the recovery
    # Unknowns: cold at 0 .. count - 1, then warm at 1 .. count - 1; each as one equation.
    matrix, right = np.eye(2 * count), np.zeros(2 * count)
    for j in range(count):
        p = np.exp(-rate * (spans[j] + c + latency))
        matrix[j, j] -= 1 - p
        right[j] = (1 - p) * (mu + attempt)
        if j + 1 < count:
            matrix[j, count + j + 1] -= p
    for j in range(1, count):
        # Computing on from boundary to boundary until nothing drains, or there is no work.
        computed, until = 0.0, j
        while until < count:
            computed += spans[until]
            until += 1
            beside = min(latency, computed / (1 - slowdown))
            elapsed = computed + slowdown * beside
            if elapsed >= latency:
                break
        span = max(elapsed, latency) + c
        p = np.exp(-rate * span)
        right[count + j] = (1 - p) * (mu + attempt)
        matrix[count + j, j] -= 1 - p
        if until < count:
            matrix[count + j, count + until] -= p
    expected = np.linalg.solve(matrix, right)[0]
    job = {"interval": w, "mtbf": mu, "checkpoint_cost": c, "recovery_cost": r_, "downtime": d_}
    found = expected_makespan_async(
        whole * w + last, **job, latency=latency, slowdown=slowdown, in_flight="skip"
    )
    assert float(found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("latency", [1.3, 2.0, 4.7, 30.0])
@pytest.mark.parametrize("slowdown", [0.0, 0.4])
def test_the_transform_of_skipped_snapshots_by_one_linear_system(latency, slowdown):
    w, last, mu, c, r_, d_ = 1.0, 0.6, 10.0, 0.1, 0.4, 0.5
    count, whole = 9, 8
    spans = [w] * whole + [last]
    job = {"interval": w, "mtbf": mu, "checkpoint_cost": c, "recovery_cost": r_, "downtime": d_}
    law = exact_makespan_async(
        whole * w + last, **job, latency=latency, slowdown=slowdown, in_flight="skip"
    )
    for at in (0.03, 0.4, 1e-4, 0.2 + 1.7j, 3.0j):
        z = 1 / mu + at

        def cut(span, z=z):
            return (1 - np.exp(-z * span)) / (mu * z)

        down = np.exp(-at * d_)
        repair = down * np.exp(-z * r_) / (1 - cut(r_) * down)
        # Unknowns: cold at 0 .. count - 1, then warm at 1 .. count - 1; each as one equation.
        matrix = np.eye(2 * count, dtype=complex)
        right = np.zeros(2 * count, dtype=complex)

        def leads(row, weight, to, right=right, matrix=matrix):
            if to == count:
                right[row] += weight
            else:
                matrix[row, count + to] -= weight

        for j in range(count):
            busy = spans[j] + c + latency
            matrix[j, j] -= cut(busy) * repair
            leads(j, np.exp(-z * busy), j + 1)
        for j in range(1, count):
            computed, until, elapsed = 0.0, j, 0.0
            while until < count and elapsed < latency:
                computed += spans[until]
                until += 1
                elapsed = computed + slowdown * min(latency, computed / (1 - slowdown))
            span = max(elapsed, latency) + c
            matrix[count + j, j] -= cut(span) * repair
            leads(count + j, np.exp(-z * span), until)
        expected = np.linalg.solve(matrix, right)[0]
        s = np.array([at * law.unit], dtype=complex)
        for log in (law.lost.log_ratio(s) + law.lost.log_atom, law.lost.log_transform(s)):
            found = np.exp(log[0] - at * law.atom[0])
            assert abs(found - expected) < 1e-12 * abs(expected)


def test_the_variance_of_the_skipping_chain_where_it_skips_nothing_is_the_closed_form():
    job = {"interval": 2.0, "mtbf": 10.0, "checkpoint_cost": 0.1, "recovery_cost": 0.4}
    # Of two segments the second is the end of the work, where the job waits under both rules.
    for function in (expected_makespan_async, makespan_variance_async):
        waits, skips = (
            float(function(3.5, **job, latency=5.0, downtime=0.5, in_flight=rule))
            for rule in ("single_buffer", "skip")
        )
        assert skips == pytest.approx(waits, rel=1e-13)


def test_the_best_interval_where_no_drain_queues_and_where_all_do():
    w, c, latency, k = sp.symbols("w c l k", positive=True)
    # Per unit of work a long job costs e^(lam gap) (e^(lam spacing) - 1)/w, but for a factor.
    alone = sp.exp(lam * latency) * (sp.exp(lam * (w + c)) - 1) / w
    synchronous = (sp.exp(lam * (w + c)) - 1) / w
    assert sp.simplify(sp.diff(alone / synchronous, w)) == 0
    queued = sp.exp(lam * (w + c)) * (sp.exp(lam * latency) - 1) / w
    assert sp.solve(sp.diff(sp.log(queued), w), w) == [1 / lam]
    # A drain that ends during a copy: w takes w (1 + k), at k = s/(1 - s), and the spacing is that
    # and c; the equation that the search halves is w^2 times the derivative, over lam.
    beside = (sp.exp(lam * (w + c)) - sp.exp(-lam * k * w)) / w
    y, g = lam * w, lam * c
    claimed = sp.exp(g) * (y * (sp.exp(y) - 1) - (sp.exp(y) - 1 - y)) - (sp.exp(g) - 1)
    claimed -= sp.exp(-k * y) * (sp.exp(k * y) - 1 - k * y)
    assert sp.simplify(sp.expand(sp.diff(beside, w) * w**2 - claimed)) == 0
