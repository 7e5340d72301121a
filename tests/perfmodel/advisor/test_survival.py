"""What is learnt of the failures that levels survive, from a statement and from counts."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from perfmodel.advisor.survival import contradiction, mean_survived
from tests.support.examples import examples

SHARES = st.floats(0.0, 0.999)
COUNTS = st.integers(0, 60)


def by_quadrature(stated, survived, others):
    """Return the mean of the share and the evidence of the law without a statement."""
    laws = ((0.9, stats.beta(15.0 * stated, 15.0 * (1.0 - stated))), (0.1, stats.beta(2.0, 0.5)))

    def integral(law, power):
        def density(angle):  # x = sin^2 of it, which takes away the poles at both ends
            x = math.sin(angle) ** 2
            if not 0.0 < x < 1.0:
                return 0.0
            log = law.logpdf(x) + (survived + power) * math.log(x) + others * math.log1p(-x)
            return math.exp(log) * math.sin(2.0 * angle)

        return integrate.quad(density, 0.0, 0.5 * math.pi, limit=200)[0]

    whole = [weight * integral(law, 0) for weight, law in laws]
    first = [weight * integral(law, 1) for weight, law in laws]
    return sum(first) / sum(whole), 10.0 * whole[1]


@pytest.mark.parametrize("stated", [0.2, 0.5, 0.9])
@pytest.mark.parametrize(("survived", "others"), [(0, 0), (7, 0), (0, 3), (9, 1), (20, 20)])
def test_mean_and_contradiction_are_those_of_the_densities(stated, survived, others):
    mean, unstated = by_quadrature(stated, survived, others)
    assert mean_survived([stated], (survived, others))[0] == pytest.approx(mean, rel=1e-6)
    factor = unstated / (stated**survived * (1.0 - stated) ** others)
    assert contradiction([stated], (survived, others)) == pytest.approx(factor, rel=1e-6)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(SHARES, min_size=1, max_size=4).map(sorted), st.data())
def test_higher_levels_survive_more_and_the_last_one_all(stated, data):
    seen = data.draw(st.tuples(*[COUNTS] * (len(stated) + 1)))
    found = mean_survived(stated, seen)
    assert all(0.0 < share < 1.0 for share in found[:-1])
    assert list(found) == sorted(found)
    assert found[-1] == 1.0
    assert contradiction(stated, seen) > 0.0


@settings(max_examples=examples(100), deadline=None)
@given(SHARES, COUNTS, COUNTS)
def test_a_failure_that_a_level_survives_is_in_its_favour(stated, survived, others):
    now = mean_survived([stated], (survived, others))[0]
    assert mean_survived([stated], (survived + 1, others))[0] > now
    assert mean_survived([stated], (survived, others + 1))[0] < now


@pytest.mark.parametrize("true", [0.3, 0.9])
@pytest.mark.parametrize("stated", [0.0, 0.5, 0.999])
def test_any_statement_gives_way_to_many_failures(true, stated):
    seen = (2000.0 * true, 2000.0 * (1.0 - true))
    assert mean_survived([stated], seen)[0] == pytest.approx(true, abs=0.01)
    assert contradiction([stated], seen) > 1e6


@pytest.mark.parametrize("lost", [0.5, 0.2, 0.1, 0.05, 0.01, 0.001])
def test_a_right_statement_is_contradicted_in_one_job_of_twenty_at_most(lost):
    rng = np.random.default_rng(2)
    struck = np.cumsum(rng.random((400, 40)) < lost, axis=1)
    contradicted = sum(
        any(contradiction([1.0 - lost], (n - x, x)) >= 20.0 for n, x in enumerate(row, start=1))
        for row in struck.tolist()
    )
    # Of 400 jobs more than 40 would be so with a probability of 2e-5.
    assert contradicted <= 40


def test_a_statement_that_is_far_too_high_is_contradicted_by_three_losses_of_ten():
    assert contradiction([0.99], (7, 3)) > 20.0
    alone, trusting = 9.0 / 12.5, (15.0 * 0.99 + 7.0) / 25.0
    assert alone < mean_survived([0.99], (7, 3))[0] < 0.5 * (alone + trusting)


def beta_mixture(stated, survived, others):
    """Return the mean of one level's own share, and the contradiction, by sums of logarithms."""
    stated = min(max(stated, 1e-9), 1.0 - 1e-9)

    def evidence(a, b):
        return sum(math.log((a + k) / (a + b + k)) for k in range(survived)) + sum(
            math.log((b + k) / (a + b + survived + k)) for k in range(others)
        )

    laws = ((0.9, 15.0 * stated, 15.0 * (1.0 - stated)), (0.1, 2.0, 0.5))
    weights = [share * math.exp(evidence(a, b)) for share, a, b in laws]
    means = [(a + survived) / (a + b + survived + others) for _, a, b in laws]
    mean = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    right = survived * math.log(stated) + others * math.log1p(-stated)
    return mean, math.exp(evidence(2.0, 0.5) - right)


@pytest.mark.parametrize(
    "stated", [(0.0,), (0.3,), (0.2, 0.6), (0.5, 0.5, 0.9), (0.1, 1.0 - 1e-12)]
)
@pytest.mark.parametrize("seen", [(0, 0, 0, 0), (4, 1, 2, 3), (9, 0, 0, 1), (0, 5, 0, 0)])
def test_each_level_has_a_share_of_what_no_lower_one_survives(stated, seen):
    seen = (*seen[: len(stated)], sum(seen[len(stated) :]))
    rest, known, factor, below = 1.0, [], 1.0, 0.0
    for level, share in enumerate(stated):
        own = (share - below) / (1.0 - below)
        mean, wrong = beta_mixture(own, seen[level], sum(seen[level + 1 :]))
        rest, factor, below = rest * (1.0 - mean), factor * wrong, share
        known.append(min(1.0 - rest, 1.0 - 1e-9))
    assert mean_survived(stated, seen) == pytest.approx((*known, 1.0), rel=1e-11)
    assert contradiction(stated, seen) == pytest.approx(factor, rel=1e-9)


def test_what_cannot_be_said_in_a_float_is_said_to_be_large():
    assert contradiction([0.999], (0, 200)) == math.exp(700.0)
    assert mean_survived([0.999], (0, 200))[0] == pytest.approx(2.0 / 202.5)
    assert mean_survived([0.999999999], (10**7, 0))[0] == 1.0 - 1e-9
