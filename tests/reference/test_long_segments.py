"""Jobs whose segments are much longer than the mtbf, against residues in mpmath.

Beyond about 40 mtbf only the dominant pole of the transform contributes to the sf: its residue, by
a contour integral around it at 50 digits. Cancellation there costs e^-30 at most.
"""

import mpmath as mp
import numpy as np
import pytest

from perfmodel import (
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
    exact_makespan,
)
from perfmodel.completion.repairs import repair_of

RATE = mp.mpf(1)
LAWS = {
    "none": (0.0, lambda s: mp.mpf(1)),
    "constant": (0.25, lambda s: mp.exp(-s / 4)),
    "exponential": (Exponential(0.25), lambda s: 1 / (1 + s / 4)),
    "gamma": (Gamma(0.4, 0.5), lambda s: (1 + s / 2) ** mp.mpf(-0.4)),
    "hyperexponential": (
        HyperExponential((0.75, 0.25), (0.125, 0.5)),
        lambda s: 0.75 / (1 + s / 8) + 0.25 / (1 + s / 2),
    ),
}
LENGTHS = (5.0, 10.0, 13.0, 15.0, 17.0, 20.0, 30.0, 40.0)


def busy(transform):
    """Return the transform of the busy period by plain iteration."""

    def solved(s):
        y = mp.mpf(1)
        for _ in range(400):
            old, y = y, transform(s + RATE * (1 - y))
            if abs(y - old) < mp.mpf(10) ** -48:
                break
        return y

    return solved


def one_segment(transform, length, recovery):
    """Return 1 - P(failed) of one segment as a transform, 1 - A(s) rho(s); failures at RATE."""

    def attempt(s, span):
        return RATE / (RATE + s) * (1 - mp.exp(-(RATE + s) * span))

    def left(s):
        delta = transform(s)
        repair = delta * mp.exp(-(RATE + s) * recovery) / (1 - attempt(s, recovery) * delta)
        return 1 - attempt(s, length) * repair

    return left


def residue_sf(left, segments):
    """Return the mean excess and t -> P(excess > t): the residue at the pole next to 0."""
    tiny = mp.mpf(10) ** -34
    mean = (left(tiny) / left(mp.mpf(0)) - 1) / tiny
    pole = mp.findroot(left, (-0.99 / mean, -1.01 / mean), tol=1e-80)
    points, radius = 24, -pole / 4
    turns = [mp.expjpi(mp.mpf(2 * k) / points) for k in range(points)]
    places = [pole + radius * turn for turn in turns]
    factors = [
        (left(mp.mpf(0)) / left(s)) ** segments / s * radius * turn / points
        for s, turn in zip(places, turns, strict=True)
    ]

    def sf(t):
        return -mp.fsum(f * mp.exp(s * t) for f, s in zip(factors, places, strict=True)).real

    return mean * segments, sf


@pytest.mark.parametrize("at_risk", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LAWS)
def test_cdf_of_long_segments(name, at_risk):
    downtime, transform = LAWS[name]
    cases = zip(LENGTHS, (1, 3, 1, 3, 3, 1, 3, 1), strict=True)
    with mp.workdps(60):
        # Iteration at 60 digits is slow, so busy periods are tested at two lengths only.
        for length, segments in cases if not at_risk else [(13.0, 3), (18.0, 1)]:
            left = one_segment(busy(transform) if at_risk else transform, length, mp.mpf("0.25"))
            mean, sf = residue_sf(left, segments)
            law = exact_makespan(
                segments * length,
                interval=length,
                mtbf=1.0,
                checkpoint_cost=0.0,
                recovery_cost=0.25,
                downtime=downtime,
                downtime_at_risk=at_risk,
            )
            assert law.mean == pytest.approx(float(mean) + segments * length, rel=1e-12)
            times = [x for x in (0.01, 0.3, 1.0, 2.5, 8.0) if x * mean > 60 + segments * length]
            found = law.cdf(law.atom[0] + np.array([float(x * mean) for x in times]))
            known = [float(1 - sf(x * mean)) for x in times]
            np.testing.assert_allclose(found, known, rtol=0, atol=1e-9, err_msg=f"{length} mtbf")


@pytest.mark.slow
def test_what_is_called_rare_is_within_its_bound():
    """Compare with Brown's bound at lengths where it exceeds the resolution of the transform."""
    for downtime in (0.0, Exponential(0.5), LogNormal.from_mean(0.5, cv=4.0)):
        for length in (8.0, 15.0):
            law = exact_makespan(
                length, interval=length, mtbf=1.0, checkpoint_cost=0.0, downtime=downtime
            )
            scv = 0.0 if downtime == 0.0 else float(downtime.scv) * (0.5 / 1.5) ** 2
            excess = law.mean - length
            t = np.geomspace(1e-3, 5.0, 200) * excess
            distance = np.max(np.abs(law.cdf(length + t) + np.expm1(-t / excess)))
            assert 1e-9 < distance < np.exp(-length) * (3.0 + scv)


@pytest.mark.parametrize(
    "law",
    [
        Gamma(0.4, 0.5),
        HyperExponential((0.75, 0.25), (0.125, 0.5)),
        LogNormal(0.0, 0.05),
        LogNormal(0.0, 1.3),
        LogNormal.from_mean(0.5, cv=4.0),
        Weibull(0.6, 1.0),
        Weibull.from_mean(0.5, cv=4.0),
        Weibull(3.0, 1.0),
        Empirical([0.1, 0.7, 0.7, 4.0]),
    ],
)
def test_the_complement_of_a_repair_keeps_its_digits(law):
    """Compare with the moments: 1 - E[exp(-s T)] = s E[T] - s^2 E[T^2]/2 + ... near 0."""
    complement = repair_of(law).complement
    square = law.variance + law.mean**2
    s = np.array([1e-9, 1e-12 + 1e-12j, 1e-15j, 0.0])
    known = s * law.mean * (1.0 - s * square / law.mean / 2.0)
    np.testing.assert_allclose(complement(s), known, rtol=1e-12)
    # At larger s little cancels, and both methods must agree.
    s = np.geomspace(1e-5, 10.0, 40) * np.exp(1j * np.linspace(0.0, 1.57, 40)) / law.mean
    np.testing.assert_allclose(complement(s), 1.0 - law.laplace(s), rtol=0, atol=2e-13)
