import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from perfmodel import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
    busy_period_mean,
    exact_makespan,
    expected_makespan,
    makespan_variance,
    wsj_compound,
)
from tests.support.completion import constant_kernel, series_cdf, series_terms, transform_kernel
from validation.subjects.whole_laws.reference import excess_of_job

VECTOR = {
    "interval": 100 / 30,
    "mtbf": 10.0,
    "checkpoint_cost": 0.3,
    "recovery_cost": 0.4,
    "downtime": 0.5,
}
UNEVEN = {"interval": 1.0, "mtbf": 10.0, "checkpoint_cost": 0.25, "recovery_cost": 0.4}


def test_the_vector_of_the_formula_page():
    law = exact_makespan(100.0, **VECTOR)
    assert law.mean == pytest.approx(143.63842, abs=5e-6)
    assert law.variance == pytest.approx(145.92423, abs=5e-6)
    known = [142.7032, 159.6269, 164.9838, 175.7033]
    np.testing.assert_allclose(law.ppf([0.5, 0.9, 0.95, 0.99]), known, rtol=0.0, atol=5.1e-5)
    assert law.atom == pytest.approx((109.0, np.exp(-10.9)), rel=1e-12)


@pytest.mark.slow
def test_the_percentiles_of_the_vector_against_mpmath():
    """Bromwich integral at 30 digits on a line of its own, with no window and no FFT."""
    rate, a, r, d = mp.mpf("0.1"), mp.mpf(100) / 30 + mp.mpf("0.3"), mp.mpf("0.4"), mp.mpf("0.5")

    def transform(s):
        v = rate / (rate + s)
        failed = v * (1 - mp.exp(-(rate + s) * r)) * mp.exp(-s * d)
        repair = mp.exp(-s * d - (rate + s) * r) / (1 - failed)
        return (mp.exp(-(rate + s) * a) / (1 - v * (1 - mp.exp(-(rate + s) * a)) * repair)) ** 30

    # Fourier series with damping exp(-40) and a period of 400; the transform dies by height 60.
    line, step = mp.mpf(40) / 400, 2 * mp.pi / 400
    weights = [transform(line + 1j * step * k) / (line + 1j * step * k) for k in range(9000)]
    factors = np.array([complex(w) for w in weights])
    factors[0] *= 0.5
    s = 0.1 + 1j * float(step) * np.arange(9000)
    law = exact_makespan(100.0, **VECTOR)
    for q in (0.5, 0.9, 0.95, 0.99):
        t = float(law.ppf(q))
        value = np.sum((factors * np.exp(s * t)).real) * float(step) / np.pi
        # The atom, 2e-5 at 109, rings with the cut-off: 2e-5/(60 * 34) is 1e-8.
        density = (law.cdf(t + 1e-3) - law.cdf(t - 1e-3)) / 2e-3
        assert abs(value - q) / density < 1e-6 * t


CONSTANT = [(0.5, 0.4, True), (0.0, 0.4, True), (0.01, 0.0, False)]


@pytest.mark.parametrize(("downtime", "recovery", "final"), CONSTANT)
def test_cdf_near_its_kinks_with_constant_downtime(downtime, recovery, final):
    with mp.workdps(40):
        rate, last = mp.mpf(1) / 10, 0.5 + 0.25 * final
        terms = series_terms(rate=rate, pieces=[(2, 1.25), (1, last)], recovery=recovery, depth=8)
        costs = {**UNEVEN, "recovery_cost": recovery, "final_checkpoint": final}
        law = exact_makespan(2.5, downtime=downtime, **costs)
        start = law.atom[0]
        kinks = sorted({float(k) for part in terms[1:3] for k in part if k < 2.5})
        points = [k + m * downtime + e for k in kinks for m in (1, 2) for e in (-1e-6, 1e-6, 0.03)]
        points = [p for p in points if 0 < p < 2.6][::3]
        kernel = constant_kernel(rate, downtime)
        for point in points:
            known = series_cdf(point, terms, kernel)
            assert abs(float(law.cdf(start + point) - known)) < 1e-8
            assert abs(float(law.sf(start + point) - (1 - known))) < 1e-8


RANDOM = [
    (Exponential(0.5), lambda s: 1 / (1 + s / 2)),
    (Exponential(0.01), lambda s: 1 / (1 + s / 100)),
    (Gamma(0.3, 2.0), lambda s: (1 + s * 2) ** mp.mpf("-0.3")),
    (Gamma(6.0, 0.1), lambda s: (1 + s / 10) ** -6),
    (HyperExponential((0.9, 0.1), (0.2, 5.0)), lambda s: 0.9 / (1 + s / 5) + 0.1 / (1 + 5 * s)),
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("downtime", "transform"), RANDOM)
def test_cdf_with_random_downtime(downtime, transform):
    with mp.workdps(30):
        rate = mp.mpf(1) / 10
        terms = series_terms(rate=rate, pieces=[(1, 1.25), (1, 0.75)], recovery=0.4, depth=6)
        law = exact_makespan(1.5, downtime=downtime, **UNEVEN)
        kernel = transform_kernel(rate, transform, points=30)
        for point in (1e-3, 0.4001, 0.75, 1.16, 1.3):
            known = series_cdf(point, terms, kernel)
            assert abs(float(law.cdf(law.atom[0] + point) - known)) < 1e-8


@pytest.mark.slow
def test_far_tail_of_one_segment_against_mpmath():
    with mp.workdps(100):
        rate = mp.mpf(1) / 2
        terms = series_terms(rate=rate, pieces=[(1, 1.0)], recovery=0.0, depth=92)
        law = exact_makespan(1.0, interval=1.0, mtbf=2.0, checkpoint_cost=0.0)
        kernel = constant_kernel(rate, 0)
        for t in (3.0, 9.0, 15.9):
            known = 1 - series_cdf(t, terms, kernel)
            assert float(law.sf(1.0 + t)) == pytest.approx(float(known), rel=1e-9)
        assert known < 1e-12


def test_segments_that_are_minute_beside_a_repair_keep_the_digits_of_the_tail():
    """The time lost is that of the repairs alone, whose number is negative binomial."""
    repair, segments, struck = Gamma.from_mean(1e5, cv=0.45), 3000.0, -np.expm1(-1.1e-4)
    job = exact_makespan(30.0, interval=1e-2, mtbf=100.0, checkpoint_cost=1e-3, downtime=repair)
    t = repair.ppf(1.0 - np.geomspace(0.99, 1e-13, 300))
    sf = np.zeros(t.size)
    for k in range(1, 30):
        ways = special.poch(segments, k) / special.factorial(k)
        chance = ways * struck**k * (1.0 - struck) ** segments
        sf += chance * special.gammaincc(k * repair.shape, t / repair.scale)
    np.testing.assert_allclose(job.sf(job.atom[0] + t), sf, rtol=1e-5)


@pytest.mark.parametrize("mtbf", [1e6, 1e12, 1e16, 1e31])
@pytest.mark.parametrize("work", [1.0, 2.5])
def test_attempts_that_fail_far_less_often_than_recoveries(work, mtbf):
    recovery = 1e-3 * mtbf
    law = exact_makespan(
        work=work,
        interval=1.0,
        mtbf=mtbf,
        checkpoint_cost=0.0,
        recovery_cost=recovery,
        downtime=mtbf,
    )
    # One failure, and another before the recovery and no more than the rest of the work are done.
    twice = work / mtbf * -np.expm1(-recovery / mtbf)
    slack = 1e-9 + 2.0 * work / recovery
    assert law.sf(work + 1.5 * mtbf) == pytest.approx(twice, rel=slack, abs=0.0)


def test_a_narrow_repair_much_longer_than_a_segment_never_gains_probability():
    repair = LogNormal.from_mean(1e5, cv=0.3)
    job = exact_makespan(30.0, interval=1e-2, mtbf=100.0, checkpoint_cost=1e-3, downtime=repair)
    tail = job.sf(job.atom[0] + repair.ppf(1.0 - np.geomspace(1e-3, 1e-13, 300)))
    assert np.all(tail[1:] < 0.99 * tail[:-1])


def test_the_tail_falls_at_the_rate_of_the_dominant_pole():
    law = exact_makespan(1.0, interval=1.0, mtbf=2.0, checkpoint_cost=0.0)
    pole = mp.findroot(lambda c: 1 - (1 - mp.exp(-(0.5 - c))) * 0.5 / (0.5 - c), 1.9)
    t = np.array([20.0, 24.0])
    assert np.all(law.sf(t) < 1e-12)
    assert -np.diff(np.log(law.sf(t)))[0] / 4.0 == pytest.approx(float(pole), rel=1e-6)


LAWS = [
    0.5,
    Exponential(0.5),
    Gamma(0.4, 2.0),
    HyperExponential((0.95, 0.05), (0.2, 6.0)),
    LogNormal.from_mean(0.5, cv=0.6),
    Weibull.from_mean(0.5, cv=0.8),
    Empirical([0.1, 0.2, 0.2, 0.9, 1.5]),
]


SETTINGS = [
    *((False, False, law) for law in LAWS),
    *((True, True, law) for law in (0.5, Exponential(0.5), Gamma(0.4, 2.0))),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("final", "at_risk", "downtime"), SETTINGS)
def test_integrals_of_the_sf_are_the_closed_moments(downtime, final, at_risk):
    law = exact_makespan(
        7.3, downtime=downtime, final_checkpoint=final, downtime_at_risk=at_risk, **UNEVEN
    )
    far = law.std * 8.0 if not isinstance(downtime, LogNormal | Weibull) else 60.0 * law.std
    far = max(far, float(law.isf(1e-9)) - law.atom[0])
    near = min(far, 8.0 * law.std)
    edges = np.concatenate([np.linspace(0.0, near, 200), np.geomspace(near, 1.01 * far, 40)[1:]])
    nodes, weights = np.polynomial.legendre.leggauss(6)
    half = 0.5 * np.diff(edges)
    x = (edges[:-1] + half)[:, None] + half[:, None] * nodes
    mass = law.sf(law.atom[0] + x) * weights * half[:, None]
    assert law.atom[0] + mass.sum() == pytest.approx(law.mean, rel=1e-6)
    second = 2.0 * (mass * x).sum() - mass.sum() ** 2
    assert second == pytest.approx(law.variance, rel=1e-3)


@pytest.mark.parametrize("downtime", LAWS)
def test_moments_are_those_of_the_closed_formulas(downtime):
    law = exact_makespan(7.3, downtime=downtime, **UNEVEN)
    assert law.mean == pytest.approx(float(expected_makespan(7.3, downtime=downtime, **UNEVEN)))
    variance = makespan_variance(7.3, downtime=downtime, **UNEVEN)
    assert law.variance == pytest.approx(float(variance))


def test_downtime_that_can_be_hit_costs_a_busy_period():
    hit = exact_makespan(7.3, downtime=2.0, downtime_at_risk=True, **UNEVEN)
    longer = float(busy_period_mean(mtbf=10.0, downtime=2.0))
    assert hit.mean == pytest.approx(float(expected_makespan(7.3, downtime=longer, **UNEVEN)))
    safe = exact_makespan(7.3, downtime=2.0, **UNEVEN)
    t = np.linspace(8.0, 60.0, 200)
    assert np.all(hit.sf(t) >= safe.sf(t) - 1e-9)
    with pytest.raises(ValueError, match="downtime/mtbf must be < 1"):
        exact_makespan(7.3, downtime=10.0, downtime_at_risk=True, **UNEVEN)


SAME = [
    (Weibull(1.0, 0.5), Exponential(0.5)),
    (Empirical([0.5, 0.5]), Deterministic(0.5)),
    (Gamma(1.0, 0.5), Exponential(0.5)),
    (HyperExponential((0.3, 0.7), (0.5, 0.5)), Exponential(0.5)),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_law_by_another_name_takes_another_road_to_the_same_place(one, other):
    """Weibull goes by quadrature, spline and widening windows, the others do not."""
    first, second = (exact_makespan(7.3, downtime=law, **UNEVEN) for law in (one, other))
    t = first.atom[0] + np.concatenate([np.geomspace(1e-5, 1.0, 80), np.linspace(1.0, 60.0, 200)])
    np.testing.assert_allclose(first.cdf(t), second.cdf(t), rtol=0.0, atol=1e-8)


@pytest.mark.parametrize("downtime", [LogNormal.from_mean(1.0, cv=2.0), Weibull(0.5, 0.5)])
def test_heavy_downtime_against_conditioning_on_one_failure(downtime):
    """With hardly any failure, the law beyond the atom is uptime plus downtime plus recovery."""
    from scipy.integrate import quad

    mtbf = 1e7
    law = exact_makespan(
        2.0, interval=2.0, mtbf=mtbf, checkpoint_cost=0.0, recovery_cost=0.3, downtime=downtime
    )
    for t in (0.31, 1.0, 2.29, 2.31, 7.0, 40.0):
        known = quad(
            lambda x, t=t: float(downtime.sf(t - 0.3 - x)),
            0.0,
            2.0,
            limit=400,
            epsabs=0.0,
            epsrel=1e-10,
            points=[min(2.0, t - 0.3)],
        )[0]
        assert float(law.sf(2.0 + t)) * mtbf == pytest.approx(known, rel=1e-5)


EXTREMES = {
    "many segments, hardly a failure": (1e5, 1.0, 1e9, 0.01),
    "many segments, many failures": (1e5, 1.0, 10.0, 0.01),
    "ten thousand failures in one segment": (9.2, 9.2, 1.0, 0.01),
    "atom of nearly 1": (1.0, 1.0, 1e12, 1e-3),
    "tiny everything": (1e-9, 1e-10, 1e-8, 1e-12),
}


@pytest.mark.parametrize("case", EXTREMES.values(), ids=EXTREMES.keys())
@pytest.mark.parametrize("downtime", [0.5, Exponential(0.5)])
def test_extremes_stay_distributions(case, downtime):
    work, interval, mtbf, cost = case
    if work < 1e-3:
        downtime = 1e-9 if isinstance(downtime, float) else Exponential(1e-9)
    law = exact_makespan(
        work, interval=interval, mtbf=mtbf, checkpoint_cost=cost, downtime=downtime
    )
    start, mass = law.atom
    spread = law.mean - start + 8.0 * law.std
    t = np.sort(np.concatenate([start + spread * np.linspace(0.0, 1.0, 500), [0.0, start]]))
    cdf, sf = law.cdf(t), law.sf(t)
    assert np.all(np.diff(cdf) >= -law.error)
    assert np.all(np.diff(sf) <= law.error)
    assert np.all((cdf >= 0.0) & (cdf <= 1.0))
    np.testing.assert_allclose(cdf + sf, 1.0, atol=1e-8)
    assert float(law.cdf(start)) == pytest.approx(mass, abs=1e-9)
    q = np.array([0.01, 0.5, 0.99])
    beyond = q > mass + 1e-9
    np.testing.assert_allclose(law.cdf(law.ppf(q))[beyond], q[beyond], atol=1e-8)


def test_huge_mean_number_of_failures_is_nearly_normal():
    """10^5 segments with one failure in ten: skewness decides the difference to a normal law."""
    law = exact_makespan(1e5, interval=1.0, mtbf=10.0, checkpoint_cost=0.01, downtime=0.5)
    z = (law.ppf([0.1587, 0.5, 0.8413]) - law.mean) / law.std
    np.testing.assert_allclose(z, [-1.0, 0.0, 1.0], atol=0.01)


@settings(deadline=None, max_examples=12)
@given(
    q=st.floats(1e-6, 1.0 - 1e-9),
    interval=st.floats(0.5, 5.0),
    downtime=st.floats(0.0, 3.0),
    scale=st.sampled_from([1e-3, 1.0, 3600.0]),
)
def test_percentiles_invert_the_cdf_in_any_unit(q, interval, downtime, scale):
    law = exact_makespan(
        10.0 * scale,
        interval=interval * scale,
        mtbf=8.0 * scale,
        checkpoint_cost=0.1 * scale,
        downtime=downtime * scale,
    )
    t = float(law.ppf(q))
    start, mass = law.atom
    if q <= mass:
        assert t == start
    else:
        assert float(law.cdf(t)) == pytest.approx(q, abs=2e-8)
    p = min(q, 1.0 - mass)
    assert float(law.sf(law.isf(p))) == pytest.approx(p, rel=1e-5)


def test_ends_of_the_percentiles():
    law = exact_makespan(100.0, **VECTOR)
    assert law.ppf(0.0) == 109.0
    assert law.ppf(1.0) == np.inf
    assert law.isf(0.0) == np.inf
    assert law.isf(1.0) == 109.0
    assert law.cdf(108.9) == 0.0
    assert law.ppf([[0.1, 0.2]]).shape == (1, 2)


@pytest.mark.slow
def test_infinite_moments_are_infinite():
    wild = LogNormal(0.0, 30.0)
    assert np.isinf(wild.variance)
    law = exact_makespan(1.0, interval=1.0, mtbf=10.0, checkpoint_cost=0.0, downtime=wild)
    assert law.variance == np.inf
    assert law.std == np.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"interval": 0.0}, "interval must be > 0, got 0.0: only free checkpoints"),
        ({"mtbf": np.nan}, "mtbf must be > 0"),
        ({"checkpoint_cost": -1.0}, "checkpoint_cost must be finite and >= 0, got -1.0"),
        ({"recovery_cost": np.inf}, "recovery_cost must be finite and >= 0"),
        ({"downtime": -0.5}, "downtime must be finite and >= 0"),
        ({"mtbf": [1.0, 2.0]}, "single numbers"),
    ],
)
def test_bad_arguments_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        exact_makespan(100.0, **{**VECTOR, **change})


def test_wrong_kinds_are_named():
    law = exact_makespan(100.0, **VECTOR)
    with pytest.raises(TypeError, match="downtime_at_risk must be True or False"):
        exact_makespan(100.0, **VECTOR, downtime_at_risk=1)
    with pytest.raises(TypeError, match="t must be a number"):
        law.cdf("Friday")
    with pytest.raises(ValueError, match="t must be a time, got nan"):
        law.cdf(np.nan)
    with pytest.raises(ValueError, match=r"q must be in \[0, 1\], got 1.1"):
        law.ppf(1.1)


@pytest.mark.parametrize("unit", [1e300, 1e-300, 1e-307, 7e150])
def test_absurd_units_change_nothing(unit):
    job = {"interval": 5.0, "mtbf": 50.0, "checkpoint_cost": 0.3, "recovery_cost": 0.4}
    job["downtime"] = 0.5
    plain = exact_makespan(100.0, **job)
    other = exact_makespan(100.0 * unit, **{name: value * unit for name, value in job.items()})
    t, q = np.array([110.0, 120.0, 200.0]), [0.1, 0.5, 0.99, 1.0 - 1e-9]
    np.testing.assert_allclose(other.sf(t * unit), plain.sf(t), rtol=1e-7)
    np.testing.assert_allclose(other.ppf(q) / unit, plain.ppf(q), rtol=1e-9)
    assert other.mean / unit == pytest.approx(plain.mean)
    assert other.std / unit == pytest.approx(plain.std)


@pytest.mark.parametrize(
    "downtime",
    [0.5, Exponential(0.5), LogNormal(0.0, 1.0), Empirical(np.arange(1.0, 80.0))],
)
@pytest.mark.parametrize("mtbf", [1e17, 1e300])
def test_failures_that_never_come(mtbf, downtime):
    job = {"interval": 5.0, "mtbf": mtbf, "checkpoint_cost": 0.3, "recovery_cost": 0.4}
    law = exact_makespan(100.0, **job, downtime=downtime)
    assert law.ppf([0.01, 0.999999]).tolist() == [106.0, 106.0]
    # At this t one failure, at any of the segments, must have cost 3 or more.
    assert 0.0 <= law.sf(109.0) <= 106.0 / mtbf
    if mtbf == 1e17 and not isinstance(downtime, float | Exponential):
        assert law.sf(109.0) > 0.0


@pytest.mark.parametrize("downtime", [0.5, Exponential(2.0), LogNormal(0.0, 1.0)])
def test_a_segment_hardly_ever_done_takes_an_exponential_time(downtime):
    # 16 mtbf by the transform, 40 and 300 by their limit; both in tests/reference.
    for length, room in ((16.0, 2e-6), (40.0, 1e-9), (300.0, 1e-9)):
        law = exact_makespan(
            2.0 * length, interval=length, mtbf=1.0, checkpoint_cost=0.0, downtime=downtime
        )
        t = law.mean * np.linspace(0.0, 4.0, 30)
        np.testing.assert_allclose(
            law.cdf(t), special.gammainc(2.0, 2.0 * t / law.mean), rtol=0, atol=room
        )


def test_what_no_float_can_hold_is_never():
    law = exact_makespan(100.0, interval=5.0, mtbf=1e-3, checkpoint_cost=0.3, downtime=1.0)
    assert law.mean == law.variance == law.std == np.inf
    assert law.atom == (pytest.approx(106.0), 0.0)
    assert law.ppf([0.0, 0.5, 1.0]).tolist() == [106.0, np.inf, np.inf]
    assert law.sf([0.0, 1e280, np.inf]).tolist() == [1.0, 1.0, 0.0]
    assert law.cdf([0.0, 1e280, np.inf]).tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("downtime", [Deterministic, Exponential, lambda mean: Gamma(2.0, mean)])
@pytest.mark.parametrize("model", [exact_makespan, wsj_compound])
def test_times_of_which_no_float_holds_the_inverse(model, downtime):
    tiny = 2.0**-1030
    one, other = (
        model(
            4.0 * unit,
            interval=2.0 * unit,
            mtbf=16.0 * unit,
            checkpoint_cost=0.5 * unit,
            downtime=downtime(unit),
        )
        for unit in (1.0, tiny)
    )
    t = np.linspace(4.0, 30.0, 40)
    np.testing.assert_allclose(other.cdf(tiny * t), one.cdf(t), rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("work", [1e-4, 0.08])
def test_the_last_repair_that_counts_may_be_the_first_of_its_kind(work):
    """After 8 and after 16 fixed repairs, from which on no more are counted."""
    job = exact_makespan(
        work, interval=min(work, 0.01), mtbf=1.0, checkpoint_cost=0.0, downtime=1000.0
    )
    t = job.atom[0] + 1000.0 * np.arange(1.0, 20.0)[:, None] + np.array([-1.0, 1e-5, 0.2, 1.0])
    left = job.sf(t.ravel())
    assert np.all(np.diff(left) <= 1e-15)
    assert left[0] > 0.9 * work  # the first repair has just not ended
    assert left[-1] < 1e-20


def test_percentiles_at_the_end_of_a_ramp_and_tails_that_end():
    """Fixed repairs make ramps as long as a segment; beyond the last that counts is nothing."""
    unit = 3.3e4  # in this one the first failures once left 3e-18 for ever
    job = exact_makespan(
        15500.0 * unit,
        interval=100.0 * unit,
        mtbf=1e6 * unit,
        checkpoint_cost=0.0102 * unit,
        downtime=5.22e8 * unit,
    )
    assert job.sf(1e100) == 0.0
    p = np.array([1.1977e-4, 1.19775e-4, 1.198e-4, 1.2e-4])
    np.testing.assert_allclose(job.sf(job.isf(p)), p, rtol=1e-6)


@pytest.mark.parametrize("interval", [3.6e-16, 1.0])
def test_percentiles_of_steps_as_narrow_as_two_floats(interval):
    """Beside fixed repairs of 3e14 all rework is a step: a percentile is the float after it."""
    job = exact_makespan(1.0, interval=interval, mtbf=1.0, checkpoint_cost=0.0, downtime=3e14)
    q = np.array([0.3, 0.5, 0.9, 0.99, 0.9999])
    q = q[q > job.atom[1]]
    t = job.ppf(q)
    before = np.nextafter(np.nextafter(np.nextafter(t, 0.0), 0.0), 0.0)
    assert np.all(job.cdf(t) >= q * (1.0 - 1e-12))
    assert np.all(job.cdf(before) < q)


def test_failures_that_never_come_are_not_too_many():
    """Where the mean time lost is below the rounding of the mean, its difference is no time."""
    job = exact_makespan(5e128, interval=4.5e116, mtbf=1e285, checkpoint_cost=1e-52)
    assert job.atom[1] == 1.0
    assert job.ppf(0.999) == 5e128


@pytest.mark.parametrize("length", [21.6, 25.0, 30.0])
def test_hardly_any_job_is_done_at_the_start_where_success_is_rare(length):
    law = exact_makespan(length, interval=length, mtbf=1.0, checkpoint_cost=0.5)
    start, mass = law.atom
    assert law.cdf(start) == pytest.approx(mass, rel=1e-12)
    assert law.sf(start) == pytest.approx(1.0, abs=1e-9)
    assert law.cdf(start * (1.0 + 1e-9)) < 1e-9


@pytest.mark.few(4)
@pytest.mark.parametrize("length", [22.0, 25.0, 27.5, 29.9, 32.0, 49.0])
@pytest.mark.parametrize("recovery", [3.0, 25.0, 62.0])
def test_next_to_nothing_is_done_soon_where_recoveries_nearly_never_succeed(length, recovery):
    law = exact_makespan(
        length, interval=length, mtbf=1.0, checkpoint_cost=0.0, recovery_cost=recovery, downtime=0.1
    )
    # No sooner than an exponential time of the mean, beside the work itself.
    times = length + np.append(0.0, np.geomspace(1e-3, 1e-2 * law.mean, 200))
    most = law.atom[1] - np.expm1(-(times - length) / (law.mean - length)) + 1e-9
    assert np.all(law.cdf(times) <= most)
    assert np.all(np.diff(law.cdf(times)) >= -law.error)


@pytest.mark.parametrize(
    ("segments", "mtbf"),
    [
        pytest.param(100, 10.0, marks=pytest.mark.slow),
        pytest.param(1000, 100.0, marks=pytest.mark.slow),
        (1, 0.5),
    ],
)
@pytest.mark.parametrize(
    "repair",
    [
        pytest.param(Weibull(0.003, 1.0), marks=pytest.mark.slow),
        Weibull(0.01, 1.0),
        pytest.param(LogNormal(0.0, 60.0), marks=pytest.mark.slow),
    ],
)
def test_tails_so_heavy_that_the_longest_repair_is_the_time_lost(repair, segments, mtbf):
    law = exact_makespan(
        float(segments), interval=1.0, mtbf=mtbf, checkpoint_cost=0.0, downtime=repair
    )
    times = np.geomspace(1e3 * segments, 1e270, 20)
    # A geometric number of failures in each segment; all repairs last between the longest and n
    # of them, where more than n failures are improbable.
    done = np.exp(-1.0 / mtbf)
    most = stats.nbinom.isf(1e-12, segments, done)

    def longest_below(t):
        return (done / (done + (1.0 - done) * repair.sf(t))) ** segments

    assert np.all(law.cdf(times) <= longest_below(times) + 1e-9)
    lost = (times - law.start) / most - 1.0
    assert np.all(law.cdf(times) >= longest_below(lost) - 1e-9)
    q = np.array([0.02, 0.5, 0.99])
    found = law.ppf(q)
    inside = (found < 1e279) & (found > law.start)
    np.testing.assert_allclose(law.cdf(found[inside]), q[inside], rtol=1e-8)
    assert np.all(longest_below(1e278) < q[~inside & (found > law.start)])


@pytest.mark.slow
def test_a_job_that_most_likely_outlasts_every_float():
    law = exact_makespan(
        1e6, interval=1.0, mtbf=1.0, checkpoint_cost=0.0, downtime=Weibull(0.003, 1.0)
    )
    np.testing.assert_array_equal(law.ppf([0.1, 0.9]), np.inf)
    np.testing.assert_allclose(law.sf([1e10, 1e200, np.inf]), [1.0, 1.0, 0.0], atol=1e-9)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_the_error_of_a_law_that_begins_at_once():
    """Success is rare, and the time to it exponential from 0 on: no window is the first."""
    law = exact_makespan(1.0, interval=1.0, mtbf=1200.0, checkpoint_cost=30000.0)
    assert law.error == 1e-9
    assert law.ppf(0.5) == pytest.approx(np.log(2.0) * law.mean, rel=1e-8)


@pytest.mark.few(1)
@pytest.mark.parametrize("recovery", [100.0, 342.0, 600.0])
def test_a_job_of_many_segments_that_take_nearly_for_ever(recovery):
    """Each takes an exponential time but for 2e-10: together a Gamma law."""
    law = exact_makespan(
        230_000.0,
        interval=34.2,
        mtbf=1.0,
        checkpoint_cost=0.00964,
        recovery_cost=recovery,
        downtime=0.95,
        downtime_at_risk=True,
    )
    lost, count = law.mean - law.start, 230_000 // 34.2
    assert (lost / law.std) ** 2 == pytest.approx(count, rel=1e-8)
    excess = lost * np.linspace(0.94, 1.06, 25)
    known = stats.gamma(count, scale=lost / count)
    np.testing.assert_allclose(law.sf(law.start + excess), known.sf(excess), rtol=1e-6, atol=1e-9)
    assert law.error <= 1e-9
    q = np.array([0.01, 0.3, 0.7, 0.99, 0.9999])
    np.testing.assert_allclose(law.cdf(law.ppf(q)), q, rtol=0.0, atol=1e-9)


def test_work_that_is_nothing_beside_costs_that_take_nearly_for_ever():
    costs = {"mtbf": 0.05, "checkpoint_cost": 1.0, "recovery_cost": 28.0}
    law = exact_makespan(1e-200, interval=1.0, **costs)
    assert law.mean == pytest.approx(expected_makespan(1e-200, interval=1.0, **costs))
    assert law.ppf(0.5) == pytest.approx(np.log(2.0) * law.mean, rel=1e-6)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_job_that_once_struck_outlasts_every_float():
    law = exact_makespan(
        1e-11, interval=1.0, mtbf=30200000.0, checkpoint_cost=0.0, recovery_cost=2e10
    )
    struck = 1e-11 / 30200000.0
    np.testing.assert_allclose(law.sf([1e-11, 1e280, 1e290]), struck, rtol=1e-12)
    assert law.error <= 1e-9
    assert law.ppf(0.999) == 1e-11


def test_a_million_segments_do_not_amplify_the_rounding_of_a_table():
    # The deviation is 1e-3 of the mean: what a repair's transform is off by counts 1000 times,
    # and 20 times at this load. All is over long before 60 deviations.
    repair = Weibull(0.167204, 0.272152)
    costs = {"checkpoint_cost": 0.874, "recovery_cost": 470.0, "downtime": repair}
    law = exact_makespan(4.48e9, interval=4480.0, mtbf=199.0, downtime_at_risk=True, **costs)
    beyond = law.mean + law.std * np.linspace(20.0, 300.0, 500)
    assert np.max(law.sf(beyond)) < 1e-10
    assert np.min(np.diff(law.cdf(beyond))) > -1e-10


def test_recoveries_that_are_in_step_only_after_the_series_settles():
    repair, recovery = 701_000.0, 63_500.0
    job = {"interval": 7890.0, "mtbf": 1e6, "checkpoint_cost": 2.19, "recovery_cost": recovery}
    law = exact_makespan(8.84e7, **job, downtime=repair, downtime_at_risk=True)
    # From 200,000 terms of the transform's own Fourier series, without any part known in time.
    assert float(law.sf(298232244.08716214)) == pytest.approx(0.6420593301, abs=1.1e-9)


@pytest.mark.slow
def test_recoveries_and_short_repairs_that_are_in_step_only_after_the_series_settles():
    job = {"interval": 6e-4, "mtbf": 1.0, "checkpoint_cost": 1e-6, "recovery_cost": 0.02}
    law = exact_makespan(300.0, **job, downtime=0.0698, downtime_at_risk=True)
    known = excess_of_job(work=300.0, **job, downtime=0.0698, downtime_at_risk=True)
    for t in law.mean + law.std * np.linspace(-1.0, 1.0, 7):
        value, unsure = known.sf(t - law.atom[0])
        assert abs(float(law.sf(t)) - value) <= law.error + unsure


@pytest.mark.slow
def test_a_rise_that_no_window_reaches_is_in_the_stated_error():
    job = {"interval": 3e-5, "mtbf": 1.0, "checkpoint_cost": 1e-6, "recovery_cost": 0.02}
    law = exact_makespan(300.0, **job, downtime=0.0301, downtime_at_risk=True)
    assert 1e-9 < law.error < 1e-2


def test_repairs_in_step_are_in_the_error_where_a_job_surely_fails():
    # With more than 745 failures expected, no float holds the probability of none.
    job = {"interval": 29_300.0, "mtbf": 1e6, "checkpoint_cost": 119.0, "recovery_cost": 134.0}
    law = exact_makespan(1.15e9, **job, downtime=858_000.0, downtime_at_risk=True)
    # From the transform's own Fourier series, up to beyond the steps of the repairs.
    missed = abs(float(law.sf(7786864271.575146)) - (0.79944885641689948 + 2.4598052e-8))
    assert 1e-9 < missed <= law.error < 1e-6


def test_a_turn_too_long_for_a_law_is_refused_by_what_was_given():
    bath = Bathtub(0.45, 1.0, 0.8, 24.0)
    job = {"interval": 1e-221, "checkpoint_cost": 0.0, "downtime": bath}
    for more in ({}, {"downtime_at_risk": True}):
        with pytest.raises(
            ValueError, match=r"a turn of at most 1e\+150 .*; expected_makespan has no such limit"
        ):
            exact_makespan(1e-221, mtbf=64.0, **job, **more)
    with pytest.raises(ValueError, match="downtime/mtbf must be < 1 if failures strike repairs"):
        exact_makespan(1e-221, mtbf=1e-200, **job, downtime_at_risk=True)


def test_a_mean_that_no_float_holds_in_the_unit_of_the_job():
    """Of 672 mtbfs without a failure the mean is e^672 mtbfs: a float holds it in one unit only."""
    mean = np.exp(672.0) / 672.0
    for unit, known in ((1.0, pytest.approx(mean, rel=1e-9)), (1e10, np.inf)):
        law = exact_makespan(unit, interval=unit, mtbf=unit / 672.0, checkpoint_cost=0.0)
        assert law.mean == known
