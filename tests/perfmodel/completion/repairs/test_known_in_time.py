"""One and two failures in time, against integrals over the sum of their uptimes."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from perfmodel import (
    Bathtub,
    Deterministic,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)
from perfmodel.completion._first_failures import Visit
from perfmodel.completion.repairs import repair_of

RATE = 0.4
FINE = {"epsabs": 1e-13, "epsrel": 1e-12, "limit": 200}


def overlap(x, spans):
    """Return the density of uptimes that end within their spans, over that of uncut ones."""
    if len(spans) == 1:
        return float(x < spans[0])
    return max(0.0, min(spans[0], x) - max(0.0, x - spans[1]))


def mass(t, visit, cdf):
    """Integrate over the sum of the uptimes; `cdf` is that of the sum of the downtimes."""
    late, order = t - visit.delay, visit.order

    def density(x):
        return RATE**order * math.exp(-RATE * x) * overlap(x, visit.spans) * cdf(late - x)

    end = min(late, math.fsum(visit.spans))
    if end <= 0.0:
        return 0.0
    kinks = sorted({0.0, end, *(k for k in (*visit.spans, late - 0.9) if 0.0 < k < end)})
    parts = itertools.pairwise(kinks)
    return visit.weight * sum(integrate.quad(density, *part, **FINE)[0] for part in parts)


ONE = [Visit(0.7, 0.3, (1.3,)), Visit(1.0, 0.0, (4.0,)), Visit(2.0, 1.0, (0.02,))]
TWO = [Visit(0.5, 0.2, (1.3, 1.3)), Visit(1.5, 0.4, (0.5, 2.0))]
TIMES = [0.1, 0.29, 0.6, 1.1, 1.4, 2.7, 3.9, 6.1, 12.0, 40.0]


def known_in_time(repair):
    return repair.first_failures(RATE)


def check(known, visits, cdf, atol):
    found = known.cdf(tuple(visits), np.array(TIMES))
    exact = [sum(mass(t, visit, cdf) for visit in visits) for t in TIMES]
    np.testing.assert_allclose(found, exact, rtol=0.0, atol=atol)


LAWS = [
    Deterministic(0.9),
    Exponential(0.5),
    HyperExponential((0.8, 0.2), (0.2, 3.0)),
    Gamma(2.5, 0.3),
    Gamma(9.0, 0.1),
    LogNormal.from_mean(0.8, cv=0.15),
    LogNormal.from_mean(0.8, cv=1.5),
    Weibull(2.5, 0.9),
    Weibull(0.6, 0.9),
    Bathtub(0.2, 0.5, 0.6, 2.0),
]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_one_failure(law):
    known = known_in_time(repair_of(law))
    check(known, ONE, lambda x: float(law.cdf(x)), 3e-10)
    s = np.array([0.3 + 0.2j])
    assert known.downtime(s)[0] == pytest.approx(law.laplace(s)[0], rel=1e-9)


DOUBLED = [
    (Deterministic(0.45), Deterministic(0.9).cdf),
    (Exponential(0.5), Gamma(2.0, 0.5).cdf),
    (Gamma(1.25, 0.3), Gamma(2.5, 0.3).cdf),
    (Gamma(3.9, 0.2), Gamma(7.8, 0.2).cdf),
]


@pytest.mark.parametrize(("law", "cdf"), DOUBLED)
def test_two_failures(law, cdf):
    known = known_in_time(repair_of(law))
    assert known.depth >= 2
    check(known, TWO, lambda x: float(cdf(x)), 3e-9)
    check(known, [*ONE[:1]], lambda x: float(law.cdf(x)), 3e-10)


@pytest.mark.few(2)
@pytest.mark.parametrize("law", [*LAWS[3:-1], Weibull(1.0, 0.6)], ids=repr)
def test_one_failure_whose_repair_nothing_prolongs(law):
    """Integrated over the repair, of which one that takes x meets no failure by exp(-rate x)."""

    def exact(t, visit):
        late = t - visit.delay
        if late <= 0.0:
            return 0.0

        def density(y):
            cut = -math.expm1(-RATE * min(visit.spans[0], late - y))
            return float(law.pdf(y)) * math.exp(-RATE * y) * cut

        kinks = sorted({0.0, *(k for k in (late - visit.spans[0], 0.7, late) if 0.0 < k <= late)})
        parts = itertools.pairwise(kinks)
        return visit.weight * sum(integrate.quad(density, *part, **FINE)[0] for part in parts)

    known = known_in_time(repair_of(law).struck(1.0 / RATE))
    found = known.cdf(tuple(ONE), np.array(TIMES))
    known_masses = [sum(exact(t, visit) for visit in ONE) for t in TIMES]
    np.testing.assert_allclose(found, known_masses, rtol=0.0, atol=1e-9)
    s = np.array([0.3 + 0.2j])
    assert known.downtime(s)[0] == pytest.approx(law.laplace(s + RATE)[0], rel=1e-9)


def test_two_failures_whose_repairs_nothing_prolongs():
    known = known_in_time(repair_of(Gamma(1.25, 0.3)).struck(1.0 / RATE))
    share = (1.0 + 0.3 * RATE) ** -2.5
    prolonged = stats.gamma(2.5, scale=0.3 / (1.0 + 0.3 * RATE))
    check(known, TWO, lambda x: share * float(prolonged.cdf(x)), 3e-9)


def test_where_times_are_in_step_again():
    wide, narrow = Gamma(2.0, 0.5), LogNormal.from_mean(0.8, cv=0.15)
    turn = 2.0 * math.pi
    for law, delay, span, height in (
        (wide, 3.0, 1.0, turn / 3.0),
        (wide, 1.0, 3.0, None),
        (narrow, 1.0, 3.0, turn / 1.8),
        (Weibull(0.6, 0.9), 3.0, 1.0, turn / 3.0),
        (Weibull(0.6, 0.9), 1.0, 3.0, None),
        (Deterministic(0.9), 0.6, 9.0, turn / 1.5),
        (Deterministic(0.0), 0.0, 9.0, None),
    ):
        found = known_in_time(repair_of(law)).resonances(delay, span)
        assert found.tolist() == ([] if height is None else [pytest.approx(height)]), law


def test_up_to_where_a_repair_makes_kinks():
    assert known_in_time(repair_of(Deterministic(0.9))).rough == 0.9
    assert known_in_time(repair_of(Exponential(0.5))).rough == 0.0
    narrow = LogNormal.from_mean(0.8, cv=0.15)
    assert known_in_time(repair_of(narrow)).rough == pytest.approx(float(narrow.ppf(1.0 - 1e-15)))
    assert known_in_time(repair_of(LogNormal.from_mean(0.8, cv=1.5))).rough == 0.0
