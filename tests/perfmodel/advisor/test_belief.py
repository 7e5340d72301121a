"""What a belief becomes with silence and with failures, against plain sums over its grid."""

import math

import numpy as np
import pytest
from scipy import stats

from perfmodel.advisor.belief import MTBFS, Belief, Prior

HOUR, YEAR = 3600.0, 365.25 * 86400.0
SHAPES = [0.5, 1.0, 2.0]


def risks(shape):
    """Return r of each MTBF, of a Weibull law whose hazard at age t is k r t^(k-1)."""
    return [(math.gamma(1.0 + 1.0 / shape) / mtbf) ** shape for mtbf in MTBFS]


def spread(weights, share, shape):
    """Return the weights once a share of each has gone to other rates, fewer to farther ones."""
    found = [(1.0 - share) * weight for weight in weights]
    for origin, weight in zip(MTBFS, weights, strict=True):
        near = [math.exp(-shape * abs(math.log(mtbf / origin))) for mtbf in MTBFS]
        for place, each in enumerate(near):
            found[place] += share * weight * each / sum(near)
    return np.array(found)


def normal(weights):
    return np.array(weights) / math.fsum(weights)


def some_belief(shape):
    weights = normal(np.random.default_rng(3).gamma(0.7, size=MTBFS.size))
    return Belief(weights, shape)


def test_the_grid_is_56_mtbfs_from_15_minutes_to_two_years():
    assert MTBFS.size == 56
    assert MTBFS[0] == 0.25 * HOUR
    assert MTBFS[-1] == pytest.approx(2.0 * YEAR, rel=1e-15)
    np.testing.assert_allclose(np.diff(np.log(MTBFS)), math.log(2.0 * YEAR / 900.0) / 55, rtol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("prior", [Prior(2.0, 40 * HOUR), Prior(0.5, HOUR), Prior(30.0, 9 * HOUR)])
def test_a_prior_is_nine_tenths_of_its_gamma_law(prior, shape):
    r = np.array(risks(shape))
    # Of mean r: that of the MTBF which the prior has.
    mean = (math.gamma(1.0 + 1.0 / shape) * prior.shape / prior.observed_time) ** shape
    density = stats.gamma(prior.shape, scale=mean / prior.shape).pdf(r) * r  # in log r
    known = 0.9 * density / density.sum() + 0.1 / 56
    np.testing.assert_allclose(Belief.of(prior, shape).weights, known, rtol=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("time", "age"), [(HOUR, 0.0), (9.0 * HOUR, 5 * HOUR), (30 * HOUR, 1.0)])
def test_silence_weighs_each_rate_by_its_chance_and_lets_some_change(shape, time, age):
    before, r = some_belief(shape), risks(shape)
    exposure = (age + time) ** shape - age**shape
    expected = math.fsum(w * each * exposure for w, each in zip(before.weights, r, strict=True))
    kept = [w * math.exp(-each * exposure) for w, each in zip(before.weights, r, strict=True)]
    known = spread(normal(kept), 1.0 - math.exp(-0.02 * expected), shape)
    np.testing.assert_allclose(before.after_silence(time, age).weights, known, rtol=1e-10)
    assert before.after_silence(time, age).shape == shape
    if shape == 1.0:  # memoryless: the age is nothing
        np.testing.assert_array_equal(
            before.after_silence(time).weights, before.after_silence(time, age).weights
        )


@pytest.mark.parametrize("shape", SHAPES)
def test_a_failure_weighs_each_rate_by_itself_and_lets_a_fiftieth_change(shape):
    before = some_belief(shape)
    known = spread(normal(before.weights * np.array(risks(shape))), 0.02, shape)
    np.testing.assert_allclose(before.after_failure().weights, known, rtol=1e-10)
    assert before.after_failure().shape == shape


@pytest.mark.parametrize("shape", SHAPES)
def test_a_silence_of_ages_leaves_no_rate_impossible(shape):
    weights = some_belief(shape).after_silence(1e4 * YEAR).after_failure().weights
    assert np.all(weights > 0.0)
    assert weights.sum() == pytest.approx(1.0, rel=1e-12)
    sure = np.zeros(56)
    sure[-1] = 1.0
    assert np.all(Belief(sure, shape).after_silence(1e-300).weights >= 1e-300)


@pytest.mark.parametrize("shape", SHAPES)
def test_rate_and_risk_are_means(shape):
    one = some_belief(shape)
    assert one.rate == pytest.approx(math.fsum(one.weights / MTBFS), rel=1e-14)
    assert one.risk == pytest.approx(math.fsum(one.weights * np.array(risks(shape))), rel=1e-14)


@pytest.mark.parametrize("confidence", [0.0, 0.5, 0.9, 0.99, 0.9999, 1.0])
def test_limits_of_the_mtbf_are_between_the_middles_of_its_weights(confidence):
    for one in (some_belief(1.0), Belief.of(Prior(40.0, 4000 * HOUR)), Belief(np.full(56, 1 / 56))):
        reached = np.cumsum(one.weights) - one.weights / 2.0
        tails = [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0]
        known = np.exp(np.interp(tails, reached, np.log(MTBFS)))
        np.testing.assert_allclose(one.mtbf_limits(confidence), known, rtol=1e-9)


def test_weights_that_were_written_down_are_read():
    weights = some_belief(2.0).weights.tolist()
    again = Belief.from_weights(weights, 2.0)
    assert again.weights.tolist() == weights
    assert (again.shape, Belief.from_weights(weights).shape) == (2.0, 1.0)
    zero = [*weights[:-2], 0.0, weights[-2] + weights[-1] + 0.9e-9]
    assert Belief.from_weights(zero).weights.tolist() == zero


@pytest.mark.parametrize(
    "weights",
    [
        [1.0],
        [[1 / 56] * 56],
        [1 / 55] * 55,
        [-0.5, 1.5, *[0.0] * 54],
        [1.0 + 1.1e-9, *[0.0] * 55],
        [1.0 - 1.1e-9, *[0.0] * 55],
        [math.nan] * 56,
    ],
)
def test_weights_that_are_no_belief_are_refused(weights):
    with pytest.raises(ValueError, match=r"^weights must be 56 probabilities that sum to 1, got "):
        Belief.from_weights(weights)
    with pytest.raises(ValueError, match=r"got \[1\.0\]$"):
        Belief.from_weights([1.0])


def test_what_priors_are_worth():
    assert Prior.of_history(1, 100.0) == Prior(2.0, 200.0)
    assert Prior.of_history(8, 100.0) == Prior(2.0, 25.0)
    assert Prior.of_history(0, 100.0) == Prior(0.5, 100.0)
    assert Prior.of_nodes(1, 5e6) == Prior(1.0, 5e6)
    assert Prior.of_nodes(50, 5e6) == Prior(1.0, 1e5)
    assert Prior.unknown() == Prior(0.5, HOUR)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Prior(0.0, 1.0), "shape must be finite and > 0, got 0.0"),
        (lambda: Prior(1.0, math.inf), "observed_time must be finite and > 0, got inf"),
        (lambda: Prior.of_history(-1, 1.0), "failures must be a whole number >= 0, got -1.0"),
        (lambda: Prior.of_history(1.5, 1.0), "failures must be a whole number >= 0, got 1.5"),
        (lambda: Prior.of_history(0, 0.0), "observed_time must be finite and > 0, got 0.0"),
        (lambda: Prior.of_nodes(0, 1.0), "nodes must be a whole number >= 1, got 0.0"),
        (lambda: Prior.of_nodes(1, -1.0), "node_mtbf must be finite and > 0, got -1.0"),
    ],
)
def test_priors_out_of_range_are_refused(make, words):
    with pytest.raises(ValueError, match=words) as error:
        make()
    assert str(error.value) == words
