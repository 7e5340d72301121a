import numpy as np
import pytest

from validation.judge.compare_minimum import compare_minimiser

ALPHA = 1e-4


def bowl(count=20_000, spread=0.1):
    """Return replications whose mean x + 4/x is least at 2, with curvature 4 in log x."""

    def sample(x, index):
        noise = np.random.default_rng((5, index)).normal(0.0, spread, count)
        return x + 4.0 / x + noise

    return sample


def judged(predicted, sample=None, tolerance=0.01, step=0.2):
    return compare_minimiser(
        predicted, sample or bowl(), alpha=ALPHA, tolerance=tolerance, step=step
    )


def test_the_minimum_passes_and_its_place_comes_with_an_error():
    verdict = judged(2.0)
    assert verdict.passed
    assert abs(verdict.observed - 2.0) < 4.0 * verdict.stderr
    # Slope 1.08 noise/step, curvature 4, on the logarithmic scale.
    expected = 1.082 * 0.1 / np.sqrt(20_000) / 0.2 / 4.0
    assert verdict.stderr / 2.0 == pytest.approx(expected, rel=0.05)
    assert verdict.resolution == pytest.approx(3.89 * expected, rel=0.05)


@pytest.mark.parametrize("factor", [0.5, 0.98, 1.02, 2.0])
def test_two_per_cent_beside_it_is_rejected(factor):
    verdict = judged(2.0 * factor)
    assert verdict.rejected
    assert (verdict.z > 0.0) is (factor < 1.0)


def test_too_few_replications_give_no_answer():
    verdict = judged(2.0, bowl(count=200))
    assert not verdict.answered
    assert not verdict.passed


def test_a_mean_without_a_bottom_gives_no_answer_or_a_rejection():
    def flat(x, index):
        return np.random.default_rng((6, index)).normal(1.0, 0.1, 1000)

    def falling(x, index):
        return flat(x, index) + 1.0 / x

    assert not judged(2.0, flat).passed
    assert judged(2.0, falling).rejected


@pytest.mark.parametrize("predicted", [np.inf, np.nan, 0.0, -1.0])
def test_no_sample_can_be_played_there(predicted):
    verdict = judged(predicted)
    assert not verdict.passed
    assert not verdict.answered
