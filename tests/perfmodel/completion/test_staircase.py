"""Fixed downtimes much longer than an attempt, against sums over the number of failures.

What n failures leave beside their downtimes is a sum of n uptimes, each cut at a segment, of which
the law is known by inclusion and exclusion of the cuts.
"""

import math

import numpy as np
import pytest
from scipy import special

from perfmodel import exact_makespan, wsj_compound
from perfmodel.completion._staircase import Staircase
from perfmodel.completion.inversion import Inversion

MOST = 13  # failures: with those below, more have a probability below 1e-10


def cut_uptimes(n, x, rate, span):
    """Return the chance that n uptimes each end within a span, and together within x."""
    if n == 0:
        return np.where(x >= 0.0, 1.0, 0.0)
    total = np.zeros(x.shape)
    for k in range(n + 1):
        late = rate * np.maximum(x - k * span, 0.0)
        sign = (-1.0) ** k * math.comb(n, k) * math.exp(-rate * k * span)
        total += sign * special.gammainc(n, late)
    return np.maximum(total, 0.0)


def struck(n, j, load):
    """Return the chance that j downtimes become n, where failures strike them (Borel, Tanner)."""
    if load == 0.0 or n == 0:
        return float(n == j)
    if j == 0 or n < j:
        return 0.0
    x = n * load
    return j / n * math.exp((n - j) * math.log(x) - x - math.lgamma(n - j + 1.0))


def summed(t, weights, *, rate, span, downtime, load):
    """Return the cdf of the time lost; weights[j] is what j failures have beside their uptimes."""
    total = np.zeros(t.shape)
    for n in range(60 if load else MOST):
        for j in range(min(n, MOST - 1) + 1):
            chance = struck(n, j, load) * weights[j]
            if chance > 1e-18:
                total += chance * cut_uptimes(j, t - n * downtime, rate, span)
    return total


def places(downtime, span):
    """Return times around the first steps, in them and between them."""
    steps = downtime * np.arange(0.0, 7.0)[:, None]
    return np.sort((steps + np.array([-1.0, 1e-4, 0.3, 0.9, 1.7, 4.0]) * span).ravel())[1:]


RATE, SPAN = 0.2, 0.3
SEGMENTS = [(1, 3.0), (5, 40.0), (9, 1e4)]


@pytest.mark.parametrize(("segments", "downtime"), SEGMENTS)
def test_equal_segments(segments, downtime):
    law = exact_makespan(
        segments * SPAN, interval=SPAN, mtbf=1.0 / RATE, checkpoint_cost=0.0, downtime=downtime
    )
    assert isinstance(law._inversion, Staircase)
    kept = math.exp(-RATE * SPAN * segments)
    weights = [math.comb(segments + j - 1, j) * kept for j in range(MOST)]
    t = places(downtime, SPAN)
    known = summed(t, weights, rate=RATE, span=SPAN, downtime=downtime, load=0.0)
    np.testing.assert_allclose(law.cdf(law.atom[0] + t), known, rtol=0.0, atol=2e-10)
    np.testing.assert_allclose(law.sf(law.atom[0] + t), 1.0 - known, rtol=0.0, atol=2e-10)
    assert law.error == 1e-9
    for step in range(1, 4):
        assert np.any(np.isclose(law.seams, law.atom[0] + step * downtime, rtol=1e-12))
    assert law.ceiling(t).tolist() == [1.0] * t.size


@pytest.mark.parametrize("downtime", [1.5, 3.0])
def test_failures_that_strike_downtimes(downtime):
    law = exact_makespan(
        3 * SPAN,
        interval=SPAN,
        mtbf=1.0 / RATE,
        checkpoint_cost=0.0,
        downtime=downtime,
        downtime_at_risk=True,
    )
    assert isinstance(law._inversion, Staircase)
    kept = math.exp(-RATE * SPAN * 3)
    weights = [math.comb(2 + j, j) * kept for j in range(MOST)]
    t = places(downtime, SPAN)
    known = summed(t, weights, rate=RATE, span=SPAN, downtime=downtime, load=RATE * downtime)
    np.testing.assert_allclose(law.cdf(law.atom[0] + t), known, rtol=0.0, atol=3e-9)


@pytest.mark.parametrize(("work", "downtime"), [(1.5, 2.0), (3.0, 3.0)])
def test_rework_that_never_fails(work, downtime):
    law = wsj_compound(work, mtbf=1.0 / RATE, downtime=downtime, interval=SPAN)
    assert isinstance(law._inversion, Staircase)
    struck_once = -math.expm1(-RATE * SPAN)
    weights = [
        math.exp(-RATE * work) * (RATE * work / struck_once) ** j / math.factorial(j)
        for j in range(MOST)
    ]
    t = places(downtime, SPAN)
    known = summed(t, weights, rate=RATE, span=SPAN, downtime=downtime, load=RATE * downtime)
    np.testing.assert_allclose(law.cdf(law.atom[0] + t), known, rtol=0.0, atol=3e-9)
    np.testing.assert_allclose(law.sf(law.atom[0] + t), 1.0 - known, rtol=0.0, atol=3e-9)


def test_a_last_segment_that_is_shorter_and_recoveries():
    """One failure in time: in a segment of either length, with no failure in its recovery."""
    downtime, recovery, spans = 50.0, 0.2, (0.3, 0.3, 0.12)
    law = exact_makespan(
        sum(spans),
        interval=SPAN,
        mtbf=1.0 / RATE,
        checkpoint_cost=0.0,
        recovery_cost=recovery,
        downtime=downtime,
    )
    start = sum(spans)
    kept = math.exp(-RATE * (start + recovery))
    for x in (0.0, 0.05, 0.11, 0.13, 0.29, 0.31, 5.0):
        once = kept * sum(-math.expm1(-RATE * min(x, span)) for span in spans)
        found = law.cdf(start + downtime + recovery + x)
        assert found == pytest.approx(math.exp(-RATE * start) + once, abs=1e-10)


@pytest.mark.parametrize("segments", [300, 2000])
def test_many_failures_have_the_moments_and_steps_of_their_number(segments):
    """Halfway between two steps all that happened is so many failures."""
    job = {"interval": 1.0, "mtbf": 10.0, "checkpoint_cost": 0.0, "downtime": 1e6}
    law = exact_makespan(float(segments), **job)
    done = math.exp(-0.1)
    number = np.arange(1.0, 3.0 * 0.2 * segments)
    cdf = special.betainc(segments, number + 1.0, done)  # of the negative binomial law
    np.testing.assert_allclose(law.cdf(1e6 * (number + 0.5)), cdf, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(
        law.sf(1e6 * (number + 0.5)), special.betainc(number + 1.0, segments, 1.0 - done), atol=1e-9
    )


@pytest.mark.parametrize(("segments", "number"), [(2000, 150), (2000, 230), (9000, 960)])
def test_within_a_late_step_the_rest_is_nearly_normal(segments, number):
    """Of so many cut uptimes; their skewness moves the middle by less than a fiftieth."""
    law = exact_makespan(segments, interval=1.0, mtbf=10.0, checkpoint_cost=0.0, downtime=1e6)
    done = math.exp(-0.1)
    chance = special.betainc(segments, number + 1.0, done) - special.betainc(segments, number, done)
    mean = 10.0 - 1.0 / math.expm1(0.1)  # of an uptime that is cut at 1
    variance = 100.0 - done / (1.0 - done) ** 2
    for z in (-3.0, -1.0, 0.0, 1.0, 3.0):
        t = law.start + 1e6 * number + number * mean + z * math.sqrt(number * variance)
        passed = (law.cdf(t) - law.cdf(1e6 * (number - 0.5))) / chance
        assert passed == pytest.approx(special.ndtr(z), abs=0.02)


JOBS = {
    "equal segments": {"work": 1.5, "checkpoint_cost": 0.0, "downtime": 3.0},
    "many": {"work": 12.0, "checkpoint_cost": 0.1, "downtime": 2.0},
    "a shorter last one": {"work": 1.42, "checkpoint_cost": 0.01, "downtime": 12.0},
    "recoveries": {"work": 1.42, "checkpoint_cost": 0.01, "recovery_cost": 0.1, "downtime": 2.0},
    "long recoveries": {
        "work": 2.4,
        "checkpoint_cost": 0.0,
        "recovery_cost": 2.0,
        "downtime": 10.0,
    },
    "often struck": {"work": 0.9, "checkpoint_cost": 0.0, "downtime": 1.5, "mtbf": 0.25},
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", JOBS)
def test_counted_step_by_step_or_not_it_is_the_same_law(name):
    law = exact_makespan(**{"interval": SPAN, "mtbf": 1.0 / RATE, **JOBS[name]})
    stairs, windows = law._inversion, Inversion(law.lost)
    assert isinstance(stairs, Staircase)
    steps = law.lost.spacing * np.arange(0.0, 9.0)[:, None]
    t = (steps + np.array([1e-3, 0.02, 0.5, 1.0, 1.7, 3.1, 6.0]) * law.lost.attempt).ravel()
    np.testing.assert_allclose(stairs.cdf(t), windows.cdf(t), rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(stairs.sf(t), windows.sf(t), rtol=0.0, atol=1e-12)
    assert stairs.error <= 1e-10
    assert windows.error <= 1e-10
    # Where failures are counted, nodes resolve a smooth rest, and recoveries that are in step.
    most = 2**12 if name == "long recoveries" else 2**11
    assert max(flight.nodes for flight in stairs._flights.values()) <= most


@pytest.mark.parametrize("model", ["exact", "wsj"])
def test_counted_or_not_where_failures_strike_repairs(model):
    if model == "exact":
        law = exact_makespan(
            0.9,
            interval=SPAN,
            mtbf=1.0 / RATE,
            checkpoint_cost=0.01,
            recovery_cost=0.05,
            downtime=1.5,
            downtime_at_risk=True,
        )
    else:
        law = wsj_compound(0.9, interval=SPAN, mtbf=1.0 / RATE, downtime=1.5)
    stairs, windows = law._inversion, Inversion(law.lost)
    assert isinstance(stairs, Staircase)
    t = 1.5 * np.arange(0.0, 5.0)[:, None] + np.array([1e-3, 0.1, 0.3, 0.5, 1.1])
    t = t.ravel()
    np.testing.assert_allclose(stairs.cdf(t), windows.cdf(t), rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(stairs.sf(t), windows.sf(t), rtol=0.0, atol=1e-12)
    assert stairs.error <= 1e-10
