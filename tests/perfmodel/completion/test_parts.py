"""The small parts of a law, against closed forms: series, searches, quadratures, simple laws."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from perfmodel import exact_makespan, wsj_compound, wsj_makespan
from perfmodel.completion._pole import nearest_pole
from perfmodel.completion._uptimes import attempt, attempt_lasting, attempt_survival
from perfmodel.completion.fourier import OVERSAMPLED, interpolate, series
from perfmodel.completion.law import (
    CertainCompletionTime,
    NeverCompletionTime,
    require_spread,
    solve_monotone,
)
from perfmodel.completion.predictive import _gauss
from perfmodel.completion.wsj import GammaCompletionTime, _beyond_one

POINTS = [0.0, 1e-12, 1e-9j, 1e-3, -0.3, 0.2 + 0.1j, -0.499, -0.501, 4.0, -2.0 + 1.0j, 50.0j, 900.0]


@pytest.mark.parametrize("rate", [1e-9, 1e-3, 0.5, 1.0, 40.0])
@pytest.mark.parametrize("span", [1e-10, 0.01, 0.9, 1.1, 20.0])
def test_an_uptime_that_is_cut(rate, span):
    s = np.array([*POINTS, -rate, -rate * (1.0 + 1e-9), -rate + 0.4j / span], dtype=complex)
    s = s[(s.real + rate) * span > -500.0]
    struck, lasting, surviving = [], [], []
    with mp.workdps(60):
        done = mp.exp(-mp.mpf(rate) * span)
        for point in s:
            z = mp.mpc(point.real, point.imag) + rate
            cut = rate * (1 - mp.exp(-z * span)) / z if z else mp.mpf(rate) * span
            struck.append(complex(cut))
            lasting.append(complex(1 - done - cut))
            surviving.append(complex(1 - cut))
    found = attempt(s, rate, span)
    np.testing.assert_allclose(found, struck, rtol=3e-13)
    # Near -rate a difference of two parts is divided by nearly 0, and no law asks for it there.
    apart = np.abs(s + rate) > 0.01 * rate
    exact, cut = np.array(lasting)[apart], np.abs(struck)[apart]
    wrong = np.abs(attempt_lasting(s[apart], rate, span) - exact)
    assert np.all(wrong <= 3e-13 * cut + 2e-12 * np.abs(exact))
    near = np.abs(s) * span < 0.4
    if rate * span < 1.0:
        np.testing.assert_allclose(
            attempt_lasting(s[near], rate, span), np.array(lasting)[near], rtol=1e-12, atol=1e-60
        )
    kept = attempt_survival(s, rate, span, found)
    inside = (np.abs(s) < 0.45 * rate) & (s.real >= 0.0)
    np.testing.assert_allclose(kept[inside], np.array(surviving)[inside], rtol=1e-12)
    np.testing.assert_allclose(kept, surviving, rtol=1e-12, atol=1e-12 * np.max(np.abs(struck)))
    assert not attempt(s, rate, 0.0).any()


def test_a_series_is_the_sum_of_its_first_terms():
    rng = np.random.default_rng(1)
    terms = np.zeros(64, dtype=complex)
    terms[:25] = rng.normal(size=25) + 1j * rng.normal(size=25)
    terms[0] = terms[0].real
    found = series(terms, 5.0)
    assert found.size == OVERSAMPLED * 64
    angle = 2.0 * np.pi * np.arange(found.size) / found.size
    waves = np.exp(1j * np.multiply.outer(angle, np.arange(64)))
    known = (2.0 * (waves @ terms).real - terms[0].real) / 5.0
    np.testing.assert_allclose(found, known, atol=1e-13)


def test_a_series_leaves_out_its_last_terms():
    passed = [series(np.eye(200)[k].astype(complex), 1.0)[0] / 2.0 for k in (80, 140, 195)]
    assert passed == [
        pytest.approx(1.0, abs=1e-13),
        pytest.approx(0.5),
        pytest.approx(0.0, abs=1e-8),
    ]


def test_between_points_a_polynomial_of_degree_seven_is_read_exactly():
    place = np.array([40.0, 40.25, 43.9, 50.5])
    for power in range(8):
        values = ((np.arange(100.0) - 45.0) / 10.0) ** power
        np.testing.assert_allclose(
            interpolate(values, place), ((place - 45.0) / 10.0) ** power, atol=1e-14
        )
    values = np.cos(2.0 * np.pi * np.arange(100) / 100.0)
    place = np.array([-0.5, 0.3, 99.7, 130.2])
    np.testing.assert_allclose(interpolate(values, place), np.cos(0.02 * np.pi * place), atol=1e-11)


@pytest.mark.parametrize("start", [1e-12, 1.0, 1e9])
@pytest.mark.parametrize("root", [1e-250, 3.7e-5, 1.0, 12.0, 5e200])
def test_the_nearest_pole_is_found_to_the_last_digits(root, start):
    asked = []

    def exists(c):
        asked.append(c.size)
        return c < root

    found = nearest_pole(exists, start=min(start, root), end=math.inf)
    assert found == pytest.approx(root, rel=1e-15)
    assert found <= root
    assert nearest_pole(exists, start=min(start, root), end=0.5 * root) == pytest.approx(
        0.5 * root, rel=1e-15
    )
    assert nearest_pole(exists, start=start, end=0.0) == 0.0


SHAPES = {
    "exponential": (lambda t: -np.expm1(-t), lambda q: -np.log1p(-q)),
    "heavy": (lambda t: 1.0 - (1.0 + t) ** -0.1, lambda q: (1.0 - q) ** -10.0 - 1.0),
    "late": (lambda t: stats.norm.cdf(t, 1000.0, 0.01), lambda q: stats.norm.ppf(q, 1000.0, 0.01)),
    "early": (lambda t: -np.expm1(-1e6 * t), lambda q: -np.log1p(-q) / 1e6),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("count", [1, 3, 50])
def test_where_a_rising_function_passes_a_value(name, count):
    cdf, ppf = SHAPES[name]
    wanted = np.linspace(0.97, 0.02, count) if count > 1 else np.array([0.4])
    found = solve_monotone(
        lambda t: cdf(np.maximum(t - 7.0, 0.0)), wanted, start=7.0, spread=1.0, rising=True
    )
    np.testing.assert_allclose(found - 7.0, ppf(wanted), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["exponential", "heavy", "early"])
def test_where_a_falling_function_passes_a_value(name):
    cdf, ppf = SHAPES[name]
    wanted = np.array([[1e-3, 0.9], [0.2, 0.2]])
    found = solve_monotone(lambda t: 1.0 - cdf(t), wanted, start=0.0, spread=2.0, rising=False)
    np.testing.assert_allclose(found, ppf(1.0 - wanted), rtol=1e-8)


@pytest.mark.parametrize(("count", "calls", "values"), [(1, 6, 16), (3, 12, 60), (50, 10, 450)])
@pytest.mark.parametrize(("start", "spread"), [(0.0, 2.0), (7.0, 1.0), (40.0, 0.6), (7e-9, 2e-9)])
def test_a_time_is_found_in_few_calls(start, spread, count, calls, values):
    """Halving would take some fifty; a falling exponential is a straight line in the logarithm."""
    wanted = np.linspace(0.97, 0.02, count) if count > 1 else np.array([0.4])
    asked = []
    unit = spread if spread < 1e-3 else 1.0

    def cdf(t):
        asked.append(t.size)
        return -np.expm1(-(t - start) / unit)

    found = solve_monotone(cdf, wanted, start=start, spread=spread, rising=True)
    known = -np.log1p(-wanted)
    np.testing.assert_allclose(
        (found - start) / unit, known, rtol=2e-11, atol=2.0 * np.spacing(start)
    )
    assert len(asked) <= calls
    assert sum(asked) <= values
    asked.clear()
    solve_monotone(lambda t: 1.0 - cdf(t), wanted, start=start, spread=spread, rising=False)
    assert len(asked) <= 6


@pytest.mark.parametrize("spread", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize("rising", [False, True])
def test_a_tail_of_many_decades_takes_few_calls(spread, rising):
    cdf, ppf = SHAPES["heavy"]
    asked = []

    def function(t):
        asked.append(t.size)
        return cdf(t) if rising else 1.0 - cdf(t)

    wanted = np.array([0.97, 0.5, 0.02])
    levels = wanted if rising else 1.0 - wanted
    found = solve_monotone(function, levels, start=0.0, spread=spread, rising=rising)
    np.testing.assert_allclose(found, ppf(wanted), rtol=1e-9)
    assert len(asked) <= 20
    assert sum(asked) <= 100


def test_values_that_are_never_passed_and_steps():
    def half(t):
        return 0.5 * -np.expm1(-t)

    found = solve_monotone(half, np.array([0.25, 0.6]), start=0.0, spread=1.0, rising=True)
    assert found.tolist() == [pytest.approx(math.log(2.0)), math.inf]
    found = solve_monotone(
        lambda t: np.where(t < 3.7, 0.1, 0.8), np.array([0.4]), start=1.0, spread=1.0, rising=True
    )
    assert found[0] == pytest.approx(3.7, rel=1e-15)
    assert found[0] >= 3.7


def test_all_that_is_asked_of_a_certain_time():
    law = CertainCompletionTime(9.0)
    t = np.array([[-math.inf, 8.999], [9.0, math.inf]])
    assert law.cdf(t).tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert law.sf(t).tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert law.ppf([0.0, 0.3, 1.0]).tolist() == [9.0, 9.0, 9.0]
    assert law.isf([0.0, 0.3, 1.0]).tolist() == [9.0, 9.0, 9.0]
    assert (law.mean, law.variance, law.std, law.atom) == (9.0, 0.0, 0.0, (9.0, 1.0))
    assert (law.error, law.light, law.seams.shape) == (0.0, True, (0,))
    assert law.ceiling(t).tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_all_that_is_asked_of_a_time_without_end():
    law = NeverCompletionTime(9.0, math.log(0.25))
    t = np.array([8.9, 9.0, 1e300, math.inf])
    assert law.cdf(t) == pytest.approx([0.0, 0.25, 0.25, 1.0])
    assert law.sf(t) == pytest.approx([1.0, 0.75, 0.75, 0.0])
    assert law.ppf([0.0, 0.2, 0.3, 0.7]).tolist() == [9.0, 9.0, math.inf, math.inf]
    assert law.isf([0.0, 0.3, 0.74, 0.76, 1.0]).tolist() == [math.inf] * 3 + [9.0] * 2
    assert (law.mean, law.variance, law.std) == (math.inf,) * 3
    assert law.atom == (9.0, pytest.approx(0.25))
    assert (law.error, law.light, law.seams.shape) == (1e-280, True, (0,))
    assert NeverCompletionTime(9.0).atom == (9.0, 0.0)


def test_a_law_that_is_shown_tells_its_main_numbers():
    law = exact_makespan(100.0, interval=5.0, mtbf=50.0, checkpoint_cost=0.5, downtime=1.0)
    shown = law._repr_html_()
    names = [
        "mean",
        "standard deviation",
        "without failures",
        "probability of no failure",
        "median",
        "90 %",
        "99 %",
        "error of probabilities",
    ]
    values = [law.mean, law.std, *law.atom, *law.ppf([0.5, 0.9, 0.99]), law.error]
    places = [shown.index(name) for name in names]
    assert places == sorted(places)
    assert "Completion time" in shown
    for name, place, value in zip(names, places, values, strict=True):
        assert f"{value:.6g}" in shown[place:].split("</tr>")[0], name
    assert repr(law) == f"<completion time: mean {law.mean:.6g}, std {law.std:.6g}>"


def test_only_an_inversion_without_digits_is_refused():
    require_spread(1.0, 1e-10, failures=1e14, of="f")
    require_spread(1.0, 0.0, failures=1e15, of="f")
    require_spread(2.0, 6.01e-8, failures=1e15, of="f")
    with pytest.raises(ValueError, match="work must be shorter") as error:
        require_spread(2.0, 5.99e-8, failures=1.001e14, of="some_mean")
    assert str(error.value) == (
        "work must be shorter than some 1e15 mtbf for a law, got a time lost of std/mean = 3e-08; "
        "use some_mean, which has every digit"
    )


@pytest.mark.parametrize("shape", [0.5, 1.0, 7.5, 900.0])
def test_a_quadrature_is_exact_for_polynomials(shape):
    rates, weights = _gauss(shape, 3.0, 8)
    assert rates.size == 8
    for power in range(16):
        moment = math.prod((shape + k) / 3.0 for k in range(power))
        assert weights @ rates**power == pytest.approx(moment, rel=1e-9)


@pytest.mark.parametrize("load", [1e-9, 0.05, 0.0999, 0.1001, 1.0, 49.9, 50.1, 600.0])
def test_what_more_than_one_failure_adds(load):
    with mp.workdps(50):
        x = mp.mpf(load)
        known = float(1 + x - x / (1 - mp.exp(-x)))
    assert _beyond_one(load) == pytest.approx(known, rel=1e-12)


def test_the_gamma_law_of_a_task_is_that_of_another_library():
    law = GammaCompletionTime(start=10.0, failing=0.4, shape=2.5, scale=3.0)
    lost = stats.gamma(2.5, scale=3.0)
    t = np.array([-1.0, 9.99, 10.0, 11.0, 30.0, 200.0, math.inf])
    beyond = np.maximum(t - 10.0, 0.0)
    np.testing.assert_allclose(law.cdf(t), np.where(t < 10.0, 0.0, 0.6 + 0.4 * lost.cdf(beyond)))
    np.testing.assert_allclose(law.sf(t), np.where(t < 10.0, 1.0, 0.4 * lost.sf(beyond)))
    q = np.array([0.0, 0.6, 0.7, 0.99, 1.0])
    np.testing.assert_allclose(law.ppf(q), 10.0 + lost.ppf(np.maximum(q - 0.6, 0.0) / 0.4))
    p = np.array([1e-20, 0.1, 0.39, 0.41, 1.0])
    np.testing.assert_allclose(law.isf(p), 10.0 + lost.isf(np.minimum(p / 0.4, 1.0)), rtol=1e-12)
    mean, square = 0.4 * lost.mean(), 0.4 * (lost.var() + lost.mean() ** 2)
    assert law.mean == pytest.approx(10.0 + mean)
    assert law.variance == pytest.approx(square - mean**2)
    assert law.std == pytest.approx(math.sqrt(square - mean**2))
    assert (law.atom, law.light, law.seams.shape) == ((10.0, 0.6), True, (0,))


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize("interval", [0.5, 6.0, 300.0])
@pytest.mark.parametrize("mtbf", [3.0, 40.0, 1e6])
def test_the_gamma_law_of_a_task_has_the_moments_of_the_law(interval, mtbf):
    task = {"mtbf": mtbf, "downtime": 0.7, "interval": interval, "checkpoint_cost": 0.2}
    law, exact = wsj_makespan(60.0, **task), wsj_compound(60.0, **task)
    assert (law.mean, law.std) == pytest.approx((exact.mean, exact.std), rel=1e-12)
    assert law.atom == pytest.approx(exact.atom, rel=1e-12)
    printed = wsj_makespan(60.0, **task, printed=True)
    assert printed.start == 60.0
    failing = -math.expm1(-60.0 / mtbf)
    lost = exact.mean - exact.start
    assert printed.shape * printed.scale == pytest.approx(lost / failing, rel=1e-9)
    assert printed.shape * printed.scale**2 == pytest.approx(exact.variance / failing, rel=1e-12)
