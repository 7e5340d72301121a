"""Every kind of repair: what is asked twice is computed once, and the transform is the law's."""

import pickle

import numpy as np
import pytest

from perfmodel import (
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)
from perfmodel.completion.repairs import Repair, repair_of
from perfmodel.completion.repairs._analytic import AnalyticRepair


class Asked(AnalyticRepair):
    def _complement(self, s):
        vars(self).setdefault("with_", []).append(s)
        return 2.0 * s


LAWS = [
    Deterministic(2.0),
    Exponential(2.0),
    HyperExponential((0.9, 0.1, 0.0), (1.0, 11.0, 99.0)),
    Gamma(0.5, 4.0),
    Gamma(9.0, 0.2),
    Empirical([1.0, 2.0, 5.0]),
    Empirical([2.0, 2.0]),
    LogNormal.from_mean(2.0, cv=0.1),
    LogNormal.from_mean(2.0, cv=1.0),
    Weibull(2.0, 1.0),
    Weibull(0.7, 1.0),
]


def test_the_same_array_is_answered_from_memory_and_another_is_not():
    asked = Asked(Exponential(1.0), contour=True)
    one, other = np.array([1.0 + 0j]), np.array([1.0 + 0j])
    assert asked.complement(one) is asked.complement(one)
    assert len(asked.with_) == 1
    asked.complement(other)
    asked.complement(one)
    assert [id(s) for s in asked.with_] == [id(one), id(other), id(one)]


def test_what_is_remembered_is_not_pickled():
    found = repair_of(Exponential(1.0))
    before = pickle.dumps(found)
    s = np.ones(100_000, dtype=complex)
    found.complement(s)
    assert pickle.dumps(found) == before
    assert np.array_equal(pickle.loads(before).complement(s), found.complement(s))


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_transform_and_complement_add_up_to_one(law):
    found = repair_of(law)
    s = np.array([1e-9, 0.3, 2.0 + 1.0j])
    np.testing.assert_allclose(found.transform(s), law.laplace(s), rtol=1e-10)
    np.testing.assert_allclose(found.complement(s) + found.transform(s), 1.0, rtol=1e-15)
    assert found.complement(s)[0] == pytest.approx(1e-9 * law.mean, rel=1e-6)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_a_kind_of_repair_answers_all_that_the_completion_time_asks(law):
    found = repair_of(law)
    busy = found.struck(100.0)
    for repair in (found, busy):
        assert isinstance(repair, Repair)
        assert 0.0 <= repair.abscissa <= np.inf
        known = repair.first_failures(0.01)
        assert known.depth >= 1
        assert abs(known.downtime(np.zeros(1, dtype=complex))[0]) <= 1.0 + 1e-12
    assert (found.mean, found.variance) == pytest.approx((law.mean, law.variance))
    assert busy.mean == pytest.approx(law.mean / (1.0 - law.mean / 100.0))
    assert busy.abscissa <= found.abscissa
    assert busy.spacing == found.spacing == (2.0 if law.scv == 0.0 else 0.0)
    assert found.load == 0.0
    assert busy.load == pytest.approx(found.spacing / 100.0)
    assert busy.struck(50.0).mean == pytest.approx(law.mean / (1.0 - law.mean / 50.0))
    with pytest.raises(ValueError, match="downtime/mtbf must be < 1"):
        found.struck(law.mean)


def test_a_mean_that_does_not_exist_is_no_reason_to_refuse():
    repair = repair_of(LogNormal(0.0, 60.0))
    assert (repair.mean, repair.variance, repair.abscissa) == (np.inf, np.inf, 0.0)
