import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfmodel import (
    Deterministic,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
    busy_period_mean,
    busy_period_transform,
    busy_period_variance,
)
from perfmodel.completion.repairs._repair_of import repair_of
from tests.support.examples import examples

LAWS = [
    Deterministic(2.0),
    Exponential(2.0),
    Gamma(0.5, 4.0),
    HyperExponential((0.9, 0.1), (1.0, 11.0)),
    LogNormal.from_mean(2.0, cv=0.8),
    Weibull.from_mean(2.0, cv=1.3),
]


@pytest.mark.filterwarnings("error")
def test_a_variance_that_overflows_is_inf_where_nothing_fails_too():
    assert busy_period_variance(mtbf=np.inf, downtime=LogNormal(600.0, 1.0)) == np.inf


@pytest.mark.parametrize("law", LAWS)
def test_the_transform_has_the_closed_moments(law):
    h = 1e-4
    at = busy_period_transform(h * np.arange(4.0), mtbf=10.0, downtime=law)
    # Second-order one-sided differences of phi at 0: -E[Y], then E[Y^2].
    slope = (-11.0 * at[0] + 18.0 * at[1] - 9.0 * at[2] + 2.0 * at[3]) / (6.0 * h)
    mean = busy_period_mean(mtbf=10.0, downtime=law)
    assert -slope == pytest.approx(float(mean), rel=1e-5)
    curve = (2.0 * at[0] - 5.0 * at[1] + 4.0 * at[2] - at[3]) / h**2
    square = busy_period_variance(mtbf=10.0, downtime=law) + mean**2
    assert curve == pytest.approx(float(square), rel=1e-3)


def test_exponential_repair_has_the_quadratic_root():
    s = np.array([0.3 + 2.0j, 1.0 - 0.4j, 5.0j, 0.0])
    rate, service = 0.1, 0.5
    b = s + rate + service
    known = (b - np.sqrt(b * b - 4.0 * rate * service)) / (2.0 * rate)
    found = busy_period_transform(s, mtbf=10.0, downtime=Exponential(2.0))
    np.testing.assert_allclose(found, known, rtol=1e-11)


def test_constant_repair_repeats_as_borel_says():
    s, rate, repair = 0.2 + 1.0j, mp.mpf(1) / 10, mp.mpf(2)
    load = rate * repair
    known = mp.nsum(
        lambda k: mp.exp(-load * k) * (load * k) ** (k - 1) / mp.factorial(k) * mp.exp(-s * k * 2),
        [1, mp.inf],
    )
    found = busy_period_transform(s, mtbf=10.0, downtime=2.0)
    assert complex(found) == pytest.approx(complex(known), rel=1e-11)


@settings(deadline=None, max_examples=examples(120))
@given(scale=st.floats(1e-3, 1e3), load=st.floats(0.01, 0.9))
def test_moments_scale_with_the_unit_of_time(scale, load):
    law, other = Exponential(load), Exponential(scale * load)
    mean = busy_period_mean(mtbf=[1.0, 2.0], downtime=law)
    np.testing.assert_allclose(
        busy_period_mean(mtbf=[scale, 2.0 * scale], downtime=other), scale * mean, rtol=1e-12
    )
    np.testing.assert_allclose(
        busy_period_variance(mtbf=scale, downtime=other),
        scale**2 * busy_period_variance(mtbf=1.0, downtime=law),
        rtol=1e-12,
    )


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="mtbf must be > 0"):
        busy_period_mean(mtbf=0.0, downtime=1.0)
    with pytest.raises(ValueError, match="s must be finite with real part >= 0"):
        busy_period_transform(-1.0, mtbf=2.0, downtime=1.0)


def test_infinite_variance_stays_infinite():
    wild = LogNormal(0.0, 25.0)
    assert busy_period_variance(mtbf=1e200, downtime=wild) == np.inf


@pytest.mark.parametrize("load", [0.5, 0.95, 0.999])
def test_digits_last_where_failures_nearly_outrun_repairs(load):
    # For exponential repairs the fixed point is the root of a quadratic.
    s = 1e-6 + 1j * np.geomspace(1e-8, 1e2, 200)
    found = repair_of(Exponential(load), unit=1.0).struck(1.0).complement(s)
    with mp.workdps(40):
        rho = mp.mpf(load)
        for point, value in zip(s, found, strict=True):
            half = (1 + rho * mp.mpc(point) - rho) / (2 * rho)
            known = mp.sqrt(half**2 + mp.mpc(point)) - half
            assert abs(mp.mpc(value) / known - 1) < 2e-15 / (1.0 - load)


@pytest.mark.parametrize("law", [LAWS[4], LAWS[5], Weibull(0.3, 0.1)])
@pytest.mark.parametrize("real", [0.0, 0.02])
def test_many_points_of_a_line_are_those_asked_one_by_one(law, real):
    """Beyond a thousand points a curve through fewer is read off; some points stay as they are."""
    busy = repair_of(law).struck(10.0)
    s = (real + 1j * 0.07 * np.arange(3000)).reshape(2, 1500)
    found = busy.complement(s)
    assert found.shape == s.shape
    picked = np.array([0, 1, 2, 40, 777, 2000, 2999])
    alone = busy.complement(s.ravel()[picked])
    np.testing.assert_allclose(found.ravel()[picked], alone, rtol=3e-11)
    equation = repair_of(law).complement(s.ravel()[picked] + 0.1 * alone)
    np.testing.assert_allclose(alone, equation, rtol=1e-11)
    # Points that are on no line above the axis are asked one by one, however many they are.
    below = s.ravel()[:1200].conj()
    np.testing.assert_allclose(busy.complement(below), found.ravel()[:1200].conj(), rtol=3e-11)


@pytest.mark.parametrize("law", LAWS)
def test_a_busy_period_has_its_closed_moments_and_reach(law):
    one = repair_of(law)
    busy = one.struck(10.0)
    load = law.mean / 10.0
    assert busy.mean == pytest.approx(law.mean / (1.0 - load))
    assert busy.variance == pytest.approx((law.variance + load * law.mean**2) / (1.0 - load) ** 3)
    if law.abscissa == 0.0:
        assert busy.abscissa == 0.0
        return
    # Where the real equation has its last solution, its two sides touch.
    c = busy.abscissa
    u = np.linspace(0.0, min(0.999 * law.abscissa, 3.0), 400_001)
    least = np.min(-u - 0.1 * one.complement(-u.astype(complex)).real)
    assert c == pytest.approx(-least, rel=1e-5)
    assert c < -least
    tiny = busy.complement(np.array([1e-120 + 0j, 1e-90 + 0j]))
    np.testing.assert_allclose(tiny, np.array([1e-120, 1e-90]) * busy.mean, rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("law", LAWS[:4])
def test_a_transform_in_any_unit_and_shape(law, unit):
    s = np.array([[0.0, 1e-3, 0.2], [7.0, 1e18, 1e25]])
    found = busy_period_transform(s / unit, mtbf=10.0 * unit, downtime=law.scaled(unit))
    assert found.shape == s.shape
    # Far out one repair is all.
    np.testing.assert_allclose(found[1, 1:], law.laplace(s[1, 1:]), rtol=1e-12, atol=1e-16)
    for value, point in zip(found[0], s[0], strict=True):
        again = law.laplace(point + (1.0 - value) / 10.0)
        assert value == pytest.approx(float(again), rel=1e-12)
    with pytest.raises(ValueError, match=r"^downtime must be finite and >= 0, got -1\.0$"):
        busy_period_transform(1.0, mtbf=10.0, downtime=-1.0)
