"""Transforms of one repair: what is asked twice is computed once."""

import numpy as np
import pytest

from perfmodel import Empirical, LogNormal, Weibull
from perfmodel.completion.repairs._transforms import KeptRepair, repair_of


class Asked:
    abscissa = 0.0

    def __init__(self):
        self.with_ = []

    def complement(self, s):
        self.with_.append(s)
        return 2.0 * s


def test_the_same_array_is_answered_from_memory_and_another_is_not():
    asked = Asked()
    quick = KeptRepair(asked).complement
    one, other = np.array([1.0 + 0j]), np.array([1.0 + 0j])
    assert quick(one) is quick(one)
    assert len(asked.with_) == 1
    quick(other)
    quick(one)
    assert [id(s) for s in asked.with_] == [id(one), id(other), id(one)]


@pytest.mark.parametrize(
    "law",
    [
        Empirical([1.0, 2.0, 5.0]),
        LogNormal.from_mean(2.0, cv=0.1),
        Weibull(2.0, 1.0),
        Weibull(0.7, 1.0),
    ],
)
def test_transform_and_complement_add_up_to_one(law):
    found = repair_of(law)
    s = np.array([1e-9, 0.3, 2.0 + 1.0j])
    np.testing.assert_allclose(found.transform(s), law.laplace(s), rtol=1e-10)
    np.testing.assert_allclose(found.complement(s) + found.transform(s), 1.0, rtol=1e-15)
    assert found.complement(s)[0] == pytest.approx(1e-9 * law.mean, rel=1e-6)
