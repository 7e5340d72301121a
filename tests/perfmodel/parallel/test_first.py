"""The first of replicas whose times are exponential beyond a start is known in closed form."""

import numpy as np
import pytest

from perfmodel import exact_makespan
from perfmodel.completion.wsj import GammaCompletionTime
from perfmodel.parallel import FirstCompletionTime

START, SCALE = 5.0, 2.0
Q = np.array([1e-12, 1e-3, 0.1, 0.5, 0.9, 1.0 - 1e-6])


def law(count, failing=1.0):
    one = GammaCompletionTime(start=START, failing=failing, shape=1.0, scale=SCALE)
    return FirstCompletionTime(one, count)


@pytest.mark.parametrize("count", [1.0, 2.0, 7.0, 1e4])
def test_of_exponential_times_it_is_one_of_a_shorter_mean(count):
    found, mean = law(count), SCALE / count
    assert found.mean == pytest.approx(START + mean, rel=1e-8)
    assert found.variance == pytest.approx(mean**2, rel=1e-5)
    assert found.std == pytest.approx(mean, rel=1e-5)
    assert found.atom == (START, 0.0)
    t = START + mean * np.array([1e-6, 0.5, 3.0, 30.0])
    np.testing.assert_allclose(found.cdf(t), -np.expm1(-(t - START) / mean), rtol=1e-9)
    np.testing.assert_allclose(found.sf(t), np.exp(-(t - START) / mean), rtol=1e-9)
    np.testing.assert_allclose(found.ppf(Q) - START, -mean * np.log1p(-Q), rtol=1e-6, atol=1e-14)
    np.testing.assert_allclose(found.isf(Q) - START, -mean * np.log(Q), rtol=1e-8, atol=1e-14)


@pytest.mark.parametrize("count", [2.0, 7.0])
def test_one_that_is_not_struck_is_enough(count):
    found = law(count, failing=0.3)
    assert found.atom == (START, pytest.approx(1.0 - 0.3**count, rel=1e-14))
    t = START + np.array([0.0, 1.0, 4.0])
    np.testing.assert_allclose(
        found.sf(t), (0.3 * np.exp(-(t - START) / SCALE)) ** count, rtol=1e-12
    )
    # Of those that are all struck the first is done after SCALE/count on average.
    late, mean = 0.3**count, SCALE / count
    assert found.mean == pytest.approx(START + late * mean, rel=1e-9)
    assert found.variance == pytest.approx(2.0 * late * mean**2 - (late * mean) ** 2, rel=1e-7)
    assert law(count, failing=0.0).atom == (START, 1.0)


def test_digits_and_seams_are_those_of_a_replica():
    job = exact_makespan(10.0, interval=2.0, mtbf=5.0, checkpoint_cost=0.1, downtime=0.3)
    found = FirstCompletionTime(job, 3.0)
    assert found.error == min(1.0, 3.0 * job.error)
    assert FirstCompletionTime(job, 1e300).error == 1.0
    assert found.light == job.light
    np.testing.assert_array_equal(found.seams, job.seams)
    q = np.array([0.2, 0.5, 0.999])
    np.testing.assert_allclose(found.cdf(found.ppf(q)), np.maximum(q, found.atom[1]), rtol=1e-6)
