"""The tabulated complement of a transform against the integral itself."""

import math

import numpy as np
import pytest

from perfmodel import LogNormal, Weibull
from perfmodel.completion.repairs import repair_of
from perfmodel.completion.repairs._tabulated import TabulatedRepair

LAWS = [
    *(LogNormal.from_mean(1.0, cv=cv) for cv in (0.21, 0.41, 1.0, 4.0, 100.0)),
    *(Weibull.from_mean(1.0, cv=cv) for cv in (0.82, 1.0, 4.0, 30.0)),
]


@pytest.mark.parametrize("law", LAWS)
def test_the_table_is_the_integral(law):
    rng = np.random.default_rng(5)
    angle = np.concatenate([rng.uniform(-1.0, 1.0, 300), [-1.0, 0.0, 1.0] * 20]) * 0.5 * math.pi
    s = np.exp(rng.uniform(-16.0, 8.0, angle.size) + 1j * angle)
    s.real = np.maximum(s.real, 0.0)
    assert isinstance(repair_of(law), TabulatedRepair)
    np.testing.assert_allclose(
        repair_of(law).complement(s), law.laplace_complement(s), rtol=1e-10, atol=0.0
    )


@pytest.mark.parametrize(
    "law", [LogNormal(600.0, 1.0), LogNormal(-350.0, 1.0), Weibull(0.7, 1e250)]
)
def test_far_units(law):
    near = 1e-14 / law.mean
    assert repair_of(law).complement(np.array([near + 0j]))[0] == pytest.approx(1e-14, rel=1e-9)
    assert repair_of(law).complement(np.array([3e4j / law.mean]))[0] == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("law", [LAWS[2], LAWS[5], LAWS[-1], Weibull(0.167204, 6e-11)])
def test_digits_where_only_a_few_moments_count(law):
    s = 1e-12 / (law.mean * (1.0 + law.scv)) * np.exp(1j * np.linspace(-1.57, 1.57, 50))
    known = s * law.mean * (1.0 - 0.5 * s * law.mean * (1.0 + law.scv))
    np.testing.assert_allclose(repair_of(law).complement(s), known, rtol=3e-14, atol=0.0)


@pytest.mark.parametrize("law", [LAWS[0], LAWS[2], LAWS[-1]])
def test_shapes_and_zero(law):
    found = repair_of(law).complement(np.zeros((2, 3), dtype=complex))
    assert found.shape == (2, 3)
    assert not found.any()
    assert repair_of(law).complement(np.empty(0, dtype=complex)).shape == (0,)
