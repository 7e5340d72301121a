"""Where the windows of an inversion lie, what they cost, and what they state of their error.

Of a gamma law Chernoff's bound, the tilts and the bulk are elementary, and so is the law of a
geometric number of delays, each followed by a gamma time, whose steps a window may not resolve.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from scipy import optimize, special

from perfmodel._special import log1p
from perfmodel.completion._first_failures import FirstFailures
from perfmodel.completion.inversion import Inversion

NATS, RATIO = 7.0, 4.0  # of the levels of a tail, and of the ends of windows before it
CALLS = []  # values of the transform that an inversion asked for


@dataclass(frozen=True)
class GammaLost:
    """An atom, and a gamma law beyond it."""

    shape: float
    atom: float
    unit: float = 1.0
    light: bool = True
    first_failures: FirstFailures = field(default=FirstFailures(0.0, None, ()))
    counted: None = None

    @property
    def log_atom(self):
        return math.log(self.atom)

    @property
    def abscissa(self):
        return 1.0 / self.unit if self.light else 0.0

    @property
    def scale(self):
        return self.unit

    @property
    def extent(self):
        return self.shape * self.unit

    @property
    def finest(self):
        return 1e-3 * self.unit

    def log_transform(self, s):
        fall = -self.shape * log1p(self.unit * s)
        near = log1p((1.0 - self.atom) * np.expm1(fall))
        return np.where(np.abs(fall) < 1.0, near, self.log_atom + self.log_ratio(s))

    def log_ratio(self, s):
        CALLS.append(s.size)
        fall = -self.shape * log1p(self.unit * s)
        odds = math.log1p(-self.atom) - self.log_atom
        with np.errstate(over="ignore", invalid="ignore"):
            return np.where(fall.real + odds < 99.0, log1p(np.exp(fall + odds)), fall + odds)

    def rest_bound(self, s):
        return np.abs(np.exp(self.log_transform(s)))

    def resonances(self):
        return np.empty(0)

    def chernoff(self, t):
        """Return the bound on the logarithm of the sf, that of the probability of a loss apart."""
        x = t / self.unit
        return -(x - self.shape - self.shape * np.log(x / self.shape))

    def beyond(self, nats):
        """Return the time from which on the bound is below exp(-nats)."""
        low = self.extent
        high = 4.0 * self.unit * (self.shape + nats)
        return optimize.brentq(lambda t: self.chernoff(t) + nats, low, high, xtol=1e-14 * high)

    def before(self, goal):
        """Return a time before which less than `goal` of the losses are, by the same bound."""
        if self.chernoff(np.float64(1e-12 * self.extent)) > math.log(goal):
            return 0.0
        return optimize.brentq(
            lambda t: self.chernoff(t) - math.log(goal),
            1e-12 * self.extent,
            self.extent,
            xtol=1e-18 * self.extent,
        )

    def top(self):
        """Return the time at whose inverse 0.3 of the losses are noticed, times 2."""
        noticed = 1.0 - 0.3
        return 2.0 * self.unit / math.expm1(-math.log(noticed) / self.shape)

    def windows(self):
        """Return where one ends and the next begins."""
        tail = [self.beyond(NATS * (k + 0.5)) for k in range(31)] if self.light else []
        top = tail[0] if self.light else self.top()
        origin = self.before(1e-20)
        origin = origin if origin >= 0.01 * top else 0.0
        begin = self.before(1e-13)
        found, end = [begin, *tail], top - origin
        while origin + end > begin:
            found.append(origin + end)
            end /= RATIO
        if not self.light:
            found += [origin + (top - origin) * RATIO**k for k in range(1, 13)]
        return np.unique([end for end in found if end > 0.0])


GAMMAS = [
    GammaLost(5.0, 0.3),
    GammaLost(900.0, 1e-100),
    GammaLost(3.0, 1e-9),
    GammaLost(60.0, 0.999),
]


@pytest.mark.parametrize("unit", [1e-60, 1.0, 2.5e90])
@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("law", GAMMAS)
def test_windows_are_a_factor_apart_and_those_of_the_tail_seven_nats(law, light, unit):
    law = replace(law, unit=unit, light=light)
    found, known = Inversion(law).seams, law.windows()
    found = found[np.diff(found, prepend=0.0) > 1e-9 * found]  # the bulk ends where the tail begins
    assert found.size == known.size
    # Times are looked for in steps of a tenth, a top in steps of a fifth, tilts in far finer ones.
    np.testing.assert_allclose(found, known, rtol=2e-2)
    if light:
        np.testing.assert_allclose(found[-31:], known[-31:], rtol=2e-4)


@pytest.mark.parametrize("unit", [1e-60, 1.0, 2.5e90])
@pytest.mark.parametrize("law", GAMMAS)
def test_a_ceiling_is_the_bound_of_chernoff(law, unit):
    law = replace(law, unit=unit)
    inversion = Inversion(law)
    t = np.array([law.beyond(nats) for nats in (0.01, 1.0, 9.0, 50.0, 300.0)])
    known = (1.0 - law.atom) * np.exp(law.chernoff(t))
    found = inversion.ceiling(t)
    assert np.all(found >= known)
    assert np.all(found < 1.2 * known)
    assert inversion.ceiling(np.array([-unit, 0.0, 0.5 * law.extent])).tolist() == [1.0] * 3
    heavy = Inversion(replace(law, light=False))
    assert heavy.ceiling(t.reshape(5, 1)).tolist() == [[1.0]] * 5


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("law", GAMMAS)
def test_a_smooth_law_costs_two_doublings_of_a_window(law, light):
    """Half of 4,096 nodes settle it, but for the longest window of a law far from 0."""
    law = replace(law, light=light)
    CALLS.clear()
    inversion = Inversion(law)
    assert sum(CALLS) < 1200
    CALLS.clear()
    assert inversion.error <= 1e-11
    windows = len(inversion._windows)
    assert sum(CALLS) <= 4096 * (windows + 1) + windows * 1000


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("law", GAMMAS)
def test_every_window_has_its_digits(law, light):
    law = replace(law, light=light)
    inversion = Inversion(law)
    ends = law.windows()
    t = np.sort(np.concatenate([ends * share for share in (0.9999, 1.0001, 1.4, 2.3, 3.9)]))
    lost = 1.0 - law.atom
    known = lost * special.gammaincc(law.shape, t)
    np.testing.assert_allclose(inversion.sf(t), known, rtol=1e-8 if light else 0.0, atol=1e-12)
    cdf = law.atom + lost * special.gammainc(law.shape, t)
    np.testing.assert_allclose(inversion.cdf(t), cdf, rtol=0.0, atol=1e-12)
    if light:
        far = np.array([law.beyond(nats) for nats in np.arange(4.0, 160.0, 1.7)])
        known = lost * special.gammaincc(law.shape, far)
        np.testing.assert_allclose(inversion.sf(far), known, rtol=1e-8)


@dataclass(frozen=True)
class StepsLost:
    """A geometric number of losses: gamma times of unit scale, of which 98 % come after a delay."""

    atom: float
    delay: float
    shape: float
    light: bool = False
    first_failures: FirstFailures = field(default=FirstFailures(0.0, None, ()))
    counted: None = None
    finest: float = 1.0
    delayed: float = 0.98

    @property
    def log_atom(self):
        return math.log(self.atom)

    @property
    def scale(self):
        return self.delay + self.shape

    @property
    def extent(self):
        return self.scale * (1.0 / self.atom - 1.0)

    @property
    def abscissa(self):
        """The pole: where a loss is as improbable as it is weighted."""
        if not self.light:
            return 0.0

        def nats(c):
            delays = math.log(1.0 - self.delayed + self.delayed * math.exp(c * self.delay))
            return math.log1p(-self.atom) + delays - self.shape * math.log1p(-c)

        return optimize.brentq(nats, 0.0, min(0.9, 9.0 / self.delay), xtol=1e-300, rtol=1e-15)

    def _short(self, s):
        """Return 1 less the transform of one loss."""
        CALLS.append(s.size)
        short, late = np.expm1(-self.shape * log1p(s)), self.delayed * np.expm1(-s * self.delay)
        return -(short + late + short * late)

    def log_ratio(self, s):
        return -log1p(-(1.0 - self.atom) * (1.0 - self._short(s)))

    def log_transform(self, s):
        return -log1p(self._short(s) * (1.0 - self.atom) / self.atom)

    def rest_bound(self, s):
        loss = (1.0 - self.atom) * np.abs(1.0 - self._short(s))
        return self.atom * loss / (1.0 - loss)

    def resonances(self):
        return np.array([2.0 * np.pi / self.scale])

    def both(self, t):
        """Return cdf and sf, summed over the number of losses and of delays."""
        cdf, sf = np.full(t.shape, self.atom), np.zeros(t.shape)
        for number in range(1, 120):
            for late in range(number + 1):
                weight = self.atom * (1.0 - self.atom) ** number * math.comb(number, late)
                weight *= self.delayed**late * (1.0 - self.delayed) ** (number - late)
                if weight > 1e-19:
                    left = np.maximum(t - late * self.delay, 0.0)
                    cdf += weight * special.gammainc(number * self.shape, left)
                    sf += weight * special.gammaincc(number * self.shape, left)
        return cdf, sf

    def times(self):
        """Return times on the first steps and between them, and later ones."""
        steps = [n * self.scale + np.linspace(-3.0, 3.0, 9) * self.shape for n in range(1, 5)]
        t = np.concatenate([*steps, np.geomspace(0.01, 3.0, 20) * self.extent])
        return np.sort(t[t > 0.0])


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize(
    ("atom", "delay", "shape", "nodes"),
    [(0.5, 5.0, 4.0, 2**13), (0.5, 50.0, 6.0, 2**15), (0.5, 300.0, 6.0, 2**17)],
)
def test_steps_that_windows_resolve(atom, delay, shape, nodes, light):
    law = StepsLost(atom, delay, shape, light)
    CALLS.clear()
    inversion = Inversion(law)
    assert sum(CALLS) < 1500
    t = law.times()
    cdf, sf = law.both(t)
    np.testing.assert_allclose(inversion.cdf(t), cdf, rtol=0.0, atol=1e-11)
    np.testing.assert_allclose(inversion.sf(t), sf, rtol=1e-7 if light else 0.0, atol=1e-11)
    assert inversion.error < 1e-9
    largest = max(window.values.size for window in inversion._windows.values()) // 8
    assert largest <= nodes


@pytest.mark.parametrize(("delay", "most", "light"), [(5e3, 1e-2, False), (1e5, 0.5, True)])
def test_of_steps_that_no_window_resolves_the_error_is_stated(delay, most, light):
    law = StepsLost(0.5, delay, 6.0, light)
    inversion = Inversion(law)
    t = law.times()
    t = t[t < 2.0 * law.extent]
    cdf, sf = law.both(t)
    wrong = max(np.max(np.abs(inversion.cdf(t) - cdf)), np.max(np.abs(inversion.sf(t) - sf)))
    assert 0.0 < wrong <= inversion.error < most


@dataclass(frozen=True)
class StableLost:
    """An atom, and a one-sided stable law beyond it: its sf falls like a power of time."""

    power: float
    unit: float = 1.0
    atom: float = 0.4
    first_failures: FirstFailures = field(default=FirstFailures(0.0, None, ()))
    counted: None = None
    abscissa: float = 0.0

    @property
    def log_atom(self):
        return math.log(self.atom)

    @property
    def scale(self):
        return self.unit

    extent = scale

    @property
    def finest(self):
        return 1e-3 * self.unit

    def _late(self, s):
        """Return the transform of a loss."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(s == 0.0, 1.0, np.exp(-np.exp(self.power * np.log(s * self.unit))))

    def log_ratio(self, s):
        return log1p((1.0 / self.atom - 1.0) * self._late(s))

    def log_transform(self, s):
        with np.errstate(divide="ignore", invalid="ignore"):
            gone = np.expm1(-np.exp(self.power * np.log(s * self.unit)))
        return log1p((1.0 - self.atom) * np.where(s == 0.0, 0.0, gone))

    def rest_bound(self, s):
        return np.abs(np.exp(self.log_transform(s)))

    def resonances(self):
        return np.empty(0)

    def sf(self, t):
        """Return it by its series in falling powers of time, which converges from `unit` on."""
        k = np.arange(1.0, 60.0)
        terms = special.rgamma(1.0 - self.power * k) / special.factorial(k)
        x = -np.exp(-self.power * np.log(t / self.unit))
        return -(1.0 - self.atom) * (x[:, None] ** k @ terms)


@pytest.mark.parametrize("unit", [1e-60, 1.0, 1e60])
@pytest.mark.parametrize("power", [0.5, 0.15, 0.06])
def test_a_tail_that_falls_like_a_power_is_known_to_its_end(power, unit):
    law = StableLost(power, unit)
    inversion = Inversion(law)
    end = inversion._upper(inversion._widest)
    t = np.geomspace(unit, 0.99 * end, 60)
    np.testing.assert_allclose(inversion.sf(t), law.sf(t), rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(inversion.cdf(t), 1.0 - law.sf(t), rtol=0.0, atol=1e-12)
    # A window reaches over a factor of 4; 60 of them follow the bulk in any case.
    top = 2.0 * unit * (-math.log(0.7)) ** (-1.0 / power)
    assert inversion._top == pytest.approx(top, rel=2e-2)
    left = (1.0 - law.atom) * 1e-16
    if end >= 0.2e280:
        assert law.sf(np.array([end]))[0] > left
        assert inversion.sf(np.array([1e290]))[0] == pytest.approx(
            law.sf(np.array([end]))[0], abs=1e-12
        )
        assert inversion.sf(np.array([math.inf])) == 0.0
    else:
        assert end >= 4.0**60 * top * 0.9
        assert law.sf(np.array([end]))[0] <= left
        if end > 4.0**61 * top:
            assert law.sf(np.array([end / 16.0]))[0] > 0.3 * left
        assert inversion.sf(np.array([1.01 * end, 1e290, math.inf])).tolist() == [0.0] * 3
        assert inversion.cdf(np.array([1.01 * end, 1e290, math.inf])).tolist() == [1.0] * 3


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("law", GAMMAS)
def test_the_error_is_that_of_the_windows_down_to_a_trillionth(law, light):
    law = replace(law, light=light)
    inversion = Inversion(law)
    assert inversion.error >= 0.0
    end = special.gammainccinv(law.shape, 1e-12 / (1.0 - law.atom))
    lower = np.array([inversion._lower(key) for key in inversion._windows])
    upper = [
        float(inversion._tail_bounds[key - 1000]) if key >= 1000 else inversion._upper(key)
        for key in inversion._windows
    ]
    assert max(upper) >= 0.98 * end
    assert np.sum(lower > 1.05 * end) <= 1
    assert min(lower) <= inversion._begin
