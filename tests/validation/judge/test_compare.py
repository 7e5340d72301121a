import json
import math

import numpy as np
import pytest

from validation.judge.chance import alpha_of, false_alarms, z_limit
from validation.judge.compare import (
    approximation_error,
    compare_at_most,
    compare_mean,
    compare_number,
    compare_order,
    compare_ratio,
    compare_variance,
    measure_distance,
)
from validation.judge.compare_laws import compare_cdf, compare_quantiles

ALPHA = 1e-4


def exponential(count, seed=1, mean=3.0):
    return mean * np.random.default_rng(seed).standard_exponential(count)


def test_z_limit_and_alpha_are_each_others_inverse():
    assert z_limit(alpha_of(4.0)) == pytest.approx(4.0, rel=1e-12)
    assert alpha_of(1.959963984540054) == pytest.approx(0.05, rel=1e-12)
    assert false_alarms(0.01, 2) == pytest.approx(1.0 - 0.99**2)


def test_a_right_mean_passes_and_a_wrong_one_is_rejected():
    sample = exponential(200_000)
    right = compare_mean(3.0, sample, alpha=ALPHA, tolerance=0.02)
    assert right.passed
    assert not right.rejected
    assert right.resolution == pytest.approx(z_limit(ALPHA) / math.sqrt(200_000), rel=0.02)
    wrong = compare_mean(3.1, sample, alpha=ALPHA, tolerance=0.02)
    assert wrong.rejected
    assert wrong.z < -10.0


def test_a_sample_that_could_not_see_the_error_gets_no_answer():
    verdict = compare_mean(3.0, exponential(100), alpha=ALPHA, tolerance=0.02)
    assert not verdict.passed
    assert not verdict.answered
    assert verdict.note.startswith("100 replications resolve a relative error of 0.")
    assert verdict.note.endswith("not the 0.02 asked for")


def test_a_gross_error_is_an_answer_whatever_the_resolution():
    assert compare_mean(0.3, exponential(100), alpha=ALPHA, tolerance=0.02).rejected


def test_a_tail_too_heavy_for_its_sample_gets_no_answer():
    sample = np.random.default_rng(2).pareto(1.2, 100_000)
    verdict = compare_mean(float(sample.mean()), sample, alpha=ALPHA, tolerance=10.0)
    assert not verdict.answered
    assert "tail is too heavy" in verdict.note


def test_what_differs_by_rounding_only_has_no_tail():
    sample = np.full(1000, 15.0)
    sample[7] = np.nextafter(15.0, 16.0)
    assert compare_mean(15.0, sample, alpha=ALPHA, tolerance=0.01).passed
    assert compare_mean(15.1, sample, alpha=ALPHA, tolerance=0.01).rejected


@pytest.mark.parametrize("predicted", [math.inf, math.nan])
def test_no_sample_confirms_an_infinite_mean(predicted):
    verdict = compare_mean(predicted, exponential(1000), alpha=ALPHA, tolerance=0.5)
    assert not verdict.passed
    assert verdict.note == f"no finite sample can confirm {predicted}"


def test_an_endless_replication_gets_no_answer():
    sample = np.append(exponential(1000), math.inf)
    with np.errstate(invalid="ignore"):
        verdict = compare_mean(3.0, sample, alpha=ALPHA, tolerance=1.0)
    assert verdict.note == "1 replications are not finite"


def test_without_spread_equal_up_to_rounding_passes():
    sample = np.full(1000, 0.1 + 0.2)
    assert compare_mean(0.3, sample, alpha=ALPHA, tolerance=0.01).passed
    assert compare_mean(0.300001, sample, alpha=ALPHA, tolerance=0.01).rejected
    assert compare_variance(0.0, sample, alpha=ALPHA, tolerance=0.01).passed


def test_a_sample_of_one_is_refused():
    with pytest.raises(ValueError, match="sample must be at least 2 replications, got 1"):
        compare_mean(1.0, [1.0], alpha=ALPHA, tolerance=0.1)


def test_false_alarms_come_as_often_as_they_may():
    alpha, runs = 0.05, 2000
    rng = np.random.default_rng(3)
    samples = rng.random((runs, 2000))
    alarms = sum(not compare_mean(0.5, s, alpha=alpha, tolerance=1.0).passed for s in samples)
    assert abs(alarms - alpha * runs) < 4.0 * math.sqrt(runs * alpha * (1.0 - alpha))


def test_the_error_of_a_variance_comes_from_the_fourth_moment():
    sample = exponential(400_000)
    verdict = compare_variance(9.0, sample, alpha=ALPHA, tolerance=0.03)
    assert verdict.passed
    # An exponential law has kurtosis 9, a normal one 3: its error is twice as large.
    assert verdict.stderr == pytest.approx(9.0 * math.sqrt(8.0 / 400_000), rel=0.05)
    assert compare_variance(9.5, sample, alpha=ALPHA, tolerance=0.03).rejected


def test_a_ratio_of_means_uses_that_the_pairs_belong_together():
    below = exponential(50_000)
    above = 2.0 * below + np.random.default_rng(5).normal(0.0, 0.1, below.size)
    verdict = compare_ratio(2.0, above, below, alpha=ALPHA, tolerance=0.001)
    assert verdict.passed
    assert compare_ratio(2.01, above, below, alpha=ALPHA, tolerance=0.001).rejected


def test_an_order_must_be_seen():
    low, high = exponential(100_000), exponential(100_000, seed=2, mean=3.1)
    assert compare_order(low, high, alpha=ALPHA).passed
    assert compare_order(high, low, alpha=ALPHA).rejected
    same = compare_order(low, exponential(100_000, seed=3), alpha=ALPHA)
    assert not same.passed
    assert not same.answered


def test_at_most_allows_what_is_below_and_noise_above():
    sample = exponential(10_000, seed=4) - 3.0
    options = {"scale": 30.0, "alpha": ALPHA, "tolerance": 0.01}
    assert compare_at_most(0.5, sample, **options).passed
    assert compare_at_most(-0.01, sample, **options).passed
    assert compare_at_most(-0.3, sample, **options).rejected
    few = compare_at_most(0.5, sample[:50], **options)
    assert not few.answered
    assert not few.passed
    assert compare_at_most(0.5, sample[:50], **{**options, "tolerance": 0.1}).passed
    assert compare_at_most(0.5, [np.nan, 1.0], **options).rejected


def test_a_distribution_is_judged_as_a_whole():
    sample = exponential(100_000)
    right = compare_cdf(lambda t: -np.expm1(-t / 3.0), sample, alpha=ALPHA, tolerance=0.01)
    assert right.passed
    # The same mean and nearly the same law: a gamma of shape 1.1.
    from scipy.special import gammainc

    wrong = compare_cdf(lambda t: gammainc(1.1, 1.1 * t / 3), sample, alpha=ALPHA, tolerance=0.01)
    assert wrong.rejected
    few = compare_cdf(lambda t: -np.expm1(-t / 3.0), sample[:100], alpha=ALPHA, tolerance=0.01)
    assert not few.answered


def with_atom(count, atom, seed=7):
    sample = atom + exponential(count, seed)
    sample[: count // 4] = atom * (1.0 + 1e-13)  # rounding of a simulation
    return sample


def test_an_atom_is_compared_on_both_its_sides_and_survives_rounding():
    atom = 0.1 + 0.2
    sample = with_atom(100_000, atom)

    def law(weight, at=0.3):
        return lambda t: np.where(
            t >= at, weight + (1.0 - weight) * -np.expm1(-(t - at) / 3.0), 0.0
        )

    assert compare_cdf(law(0.25), sample, alpha=ALPHA, tolerance=0.01).passed
    assert compare_cdf(law(0.27), sample, alpha=ALPHA, tolerance=0.01).rejected
    assert compare_cdf(law(0.0), sample, alpha=ALPHA, tolerance=0.01).rejected
    assert compare_cdf(law(0.25, at=0.25), sample, alpha=ALPHA, tolerance=0.01).rejected
    assert compare_cdf(law(0.25, at=0.35), sample, alpha=ALPHA, tolerance=0.01).rejected


def test_a_distribution_that_is_not_a_number_gets_no_answer():
    verdict = compare_cdf(lambda t: np.full_like(t, math.nan), [1.0, 2.0], alpha=0.1, tolerance=1)
    assert verdict.note == "the predicted distribution is not a number"


def test_quantiles_are_judged_by_counting():
    levels = np.array([0.5, 0.9, 0.99])
    right = -3.0 * np.log1p(-levels)
    sample = exponential(400_000)
    assert compare_quantiles(right, levels, sample, alpha=ALPHA, tolerance=0.03).passed
    for wrong in (0.97, 1.03):
        verdict = compare_quantiles(
            right * [1.0, 1.0, wrong], levels, sample, alpha=ALPHA, tolerance=0.03
        )
        assert verdict.rejected
        assert verdict.note == "the quantile of 0.99 is off"
        assert (verdict.z > 0.0) is (wrong < 1.0)
    assert not compare_quantiles(right, levels, sample[:500], alpha=ALPHA, tolerance=0.03).answered


def test_quantiles_inside_an_atom_are_right():
    sample = with_atom(100_000, 0.3)
    assert compare_quantiles([0.3], [0.1], sample, alpha=ALPHA, tolerance=0.01).passed
    assert compare_quantiles([0.31], [0.1], sample, alpha=ALPHA, tolerance=0.01).rejected


def test_a_number_is_compared_without_chance():
    assert compare_number(1.0 + 1e-13, 1.0, tolerance=1e-12).passed
    assert compare_number(1.0 + 1e-11, 1.0, tolerance=1e-12).rejected
    assert compare_number(0.0, 0.0, tolerance=0.0).passed


def test_a_stated_error_must_hold_and_mean_something():
    exact = np.ones(3)
    approximate = np.array([1.0, 0.99, 1.02])
    good = approximation_error(approximate, exact, stated=0.025)
    assert good.passed
    assert good.observed == pytest.approx(0.02)
    assert "stated 1.000%" in approximation_error(approximate, exact, stated=0.01).note
    assert "never exceeds 2.000%" in approximation_error(approximate, exact, stated=0.5).note
    assert not approximation_error([math.nan], [1.0], stated=0.5).passed


def test_a_distance_fails_only_where_one_is_stated():
    sample = exponential(100_000)
    assert measure_distance(4.0, sample, alpha=ALPHA).passed
    assert measure_distance(3.03, sample, alpha=ALPHA, stated=0.02).passed
    far = measure_distance(4.0, sample, alpha=ALPHA, stated=0.02)
    assert not far.passed
    assert far.note.startswith("+3")


def test_a_law_may_be_as_far_off_as_it_states_and_no_farther():
    sample = np.random.default_rng(1).random(200_000)

    def shifted(t):
        return np.clip(t + 0.02, 0.0, 1.0)

    judged = {"alpha": 1e-4, "tolerance": 0.05}
    assert not compare_cdf(shifted, sample, **judged).passed
    stated = compare_cdf(shifted, sample, **judged, stated=0.02)
    assert stated.passed
    assert stated.resolution > 0.02
    little = compare_cdf(shifted, sample, **judged, stated=0.01)
    assert not little.passed
    assert "and the error that is stated 0.01" in little.note


def test_a_verdict_on_a_law_is_plain_json():
    sample = np.random.default_rng(1).random(20_000)
    verdict = compare_cdf(lambda t: np.clip(t, 0.0, 1.0), sample, alpha=1e-4, tolerance=0.02)
    assert json.loads(json.dumps(verdict.as_json()))["answered"] is True


@pytest.mark.parametrize("compare", [compare_mean, compare_variance])
def test_a_sample_that_nothing_can_change_gives_the_same_verdicts_each_time(compare):
    sample = exponential(20_000)
    fixed = sample.copy()
    fixed.flags.writeable = False
    for predicted in (3.0, 9.0, 3.1):
        once = compare(predicted, sample, alpha=ALPHA, tolerance=0.2)
        assert [compare(predicted, fixed, alpha=ALPHA, tolerance=0.2) for _ in range(2)] == [
            once
        ] * 2


def test_a_sample_that_changes_is_looked_at_again():
    sample = exponential(20_000)
    first = compare_mean(3.0, sample, alpha=ALPHA, tolerance=0.2)
    sample *= 2.0
    assert compare_mean(3.0, sample, alpha=ALPHA, tolerance=0.2).observed == 2.0 * first.observed


def test_a_law_is_compared_with_the_same_ranks_of_a_sample_that_nothing_can_change():
    sample = exponential(20_000)
    fixed = sample.copy()
    fixed.flags.writeable = False
    for mean in (3.0, 3.3):
        once, again, still = (
            compare_cdf(lambda t, m=mean: -np.expm1(-t / m), one, alpha=ALPHA, tolerance=0.1)
            for one in (sample, fixed, fixed)
        )
        assert once == again == still
    assert once.rejected
