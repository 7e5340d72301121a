"""Completion-time distributions by a second method: the full failure series in mpmath.

The makespan is a sum over the number of failures; every term is a delayed sum of uptimes and
downtimes, whose cdf is a regularised incomplete gamma function (constant downtime) or a Talbot
inversion at 40 digits (any rational transform). It uses no Fourier series, no windows and
no double precision; it is slow, and only for few segments and few failures.
"""

from collections import defaultdict

import mpmath as mp


def series_terms(*, rate, pieces, recovery, depth):
    """Return {order: {delay: weight}} of prod_k 1/(1 - q_k), q_k = y (1 - A_k) E/(1 - y(1 - E)).

    Polynomials in y whose coefficients are polynomials in delays, multiplied out one by one.
    """
    e = {mp.mpf(recovery): mp.exp(-rate * recovery)}
    not_e = _add({mp.mpf(0): mp.mpf(1)}, _scale(e, -1))
    repair = [{} for _ in range(depth + 1)]
    for power in range(1, depth + 1):
        repair[power] = e if power == 1 else _multiply(repair[power - 1], not_e)
    total = [{mp.mpf(0): mp.mpf(1)}] + [{} for _ in range(depth)]
    for count, length in pieces:
        fail = _add({mp.mpf(0): mp.mpf(1)}, {mp.mpf(length): -mp.exp(-rate * length)})
        hit = [_multiply(fail, part) for part in repair]
        for _ in range(count):
            # result = total + hit * result, order by order, because hit starts at order 1.
            result = []
            for n in range(depth + 1):
                value = dict(total[n])
                for j in range(1, n + 1):
                    value = _add(value, _multiply(hit[j], result[n - j]))
                result.append(value)
            total = result
    atom = mp.exp(-rate * sum(count * length for count, length in pieces))
    return [_scale(part, atom) for part in total]


def series_cdf(t, terms, kernel):
    """Return P(excess <= t) from the terms and kernel(order, t)."""
    value = mp.fsum(terms[0].values())
    for order, part in enumerate(terms[1:], start=1):
        for delay, weight in part.items():
            if t > delay:
                value += weight * kernel(order, mp.mpf(t) - delay)
    return value


def constant_kernel(rate, downtime):
    def kernel(order, t):
        x = rate * (t - order * mp.mpf(downtime))
        return mp.gammainc(order, 0, x, regularized=True) if x > 0 else mp.mpf(0)

    return kernel


def transform_kernel(rate, downtime_transform, *, points=48):
    """Return the cdf of sums of `order` uptimes and downtimes by the fixed Talbot rule."""

    def kernel(order, t):
        r = mp.mpf(2 * points) / (5 * t)

        def image(s):
            return (rate / (rate + s) * downtime_transform(s)) ** order / s

        total = mp.exp(r * t) * image(r) / 2
        for k in range(1, points):
            theta = k * mp.pi / points
            cot = mp.cot(theta)
            s = r * theta * (cot + 1j)
            slope = 1 + 1j * (theta + (theta * cot - 1) * cot)
            total += mp.re(mp.exp(t * s) * image(s) * slope)
        return total * r / points

    return kernel


def _add(left, right):
    total = defaultdict(mp.mpf, left)
    for delay, weight in right.items():
        total[delay] += weight
    return dict(total)


def _scale(part, factor):
    return {delay: weight * factor for delay, weight in part.items()}


def _multiply(left, right):
    total = defaultdict(mp.mpf)
    for d1, w1 in left.items():
        for d2, w2 in right.items():
            total[mp.nstr(d1 + d2, 25)] += w1 * w2
    return {mp.mpf(delay): weight for delay, weight in total.items()}
