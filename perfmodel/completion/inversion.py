r"""From the Laplace transform of a nonnegative time back to its distribution.

The time E has an atom at 0 and a transform f(s) = E[e^{-sE}] known on a right half-plane. The
atom, and the first few failures, which carry the jumps and worst kinks, are known in closed form;
what is left is smooth. Its cdf or sf is a Fourier series on a vertical line of the s-plane [1]_,
summed for a whole window of times by one FFT and read off by 8-point interpolation.

The series is cut by a filter that is 1 up to nearly half of the frequencies, so that what it
gives is the function smoothed over a small part of the window: a kink far away does no harm. The
number of nodes is doubled until half of them give the same values; what then still changes is the
window's error.

Windows widen by factors of 4 from where the first failures no longer suffice up to the bulk, and
for laws with a heavy tail beyond. Far tails of light laws have their line to the left of 0, at
the saddle point of the wanted tail level, so that the error is relative to the tail itself: an
exponential tilt, of which the dominant pole is the limit. A time always belongs to the same
window, whatever else is asked.

References
----------
.. [1] J. Abate and W. Whitt, "The Fourier-series method for inverting transforms of probability
   distributions", Queueing Systems 10, 1992. The article was not seen; derived here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from .._checks import ComplexArray, FloatArray
from .._special import power_of_two
from ._first_failures import FirstFailures
from ._staircase import LEAST_SF, CountedFailures
from .fourier import PASSED, interpolate, late_rise, series

_RATIO = 4.0  # of the ends of a window
_PERIODS = 10.0  # upper ends of the window in a period of the series
_DAMPING = 30.0  # nats by which a value is damped that is one period too late
_FIRST_NODES, _MOST_NODES = 2**11, 2**17
_STEPS = 2**13  # nodes that show whether there are steps
_CLOSE = 1e-11  # change of the cdf when nodes are doubled, from which on they suffice
_CLOSE_TAIL = 1e-9  # the same, relative to the sf
_NOISE = 4e-16  # rounding of one term of the series
_WEAK = 1e-11  # a resonance that adds no digit
_TURNS, _HEIGHTS = 32, 2**13  # multiples of the highest resonance, and heights looked at
_NOTHING = 1e-13  # share of the mass before the first window
_TAIL_NATS = 7.0
_TILTED = 30  # windows: below 1e-90 of the probability of any failure, sf is taken as 0
_ROUNDED = 1e-9  # of a logarithm, so that the bound on a tail stays one
_ROOM = 8.0  # nats by which a tilt may stay behind the tail
_WIDEST = 60  # windows beyond the bulk, and more for tails that go on
_MOST = 1100  # windows of the bulk: the range of a float
_FARTHEST, _LITTLE = 1e280, 1e-16  # where the last window ends, or what is left there


class LostTime(Protocol):
    """A time E >= 0 with an atom at 0, described by its transform for Re s > -abscissa."""

    @property
    def log_atom(self) -> float:
        """Logarithm of P(E = 0), [-]."""

    @property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]; 0 for a heavy tail."""

    @property
    def first_failures(self) -> FirstFailures:
        """The part, atom excluded, that is known in time."""

    @property
    def scale(self) -> float:
        """What one failure costs, roughly, [time]; finite even where the mean is not."""

    @property
    def extent(self) -> float:
        """What all failures cost, roughly, [time]."""

    @property
    def finest(self) -> float:
        """The shortest time on which something happens, roughly, [time]."""

    @property
    def counted(self) -> CountedFailures | None:
        """The time itself, if its failures can be counted; else None."""

    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform but for its first failures, from moduli alone, [-]."""

    def resonances(self) -> FloatArray:
        """Return heights at which the transform may rise again, [1/time], sorted."""

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s E)] - log P(E = 0), relatively accurate far from 0."""

    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s E)], relatively accurate near 0."""


@dataclass(frozen=True, slots=True)
class _Window:
    """Values on a grid of times: exp(-line (t - start)) times a cdf or sf, periodic."""

    start: float
    step: float
    line: float
    log_scale: float
    values: FloatArray
    error: float

    def at(self, t: FloatArray) -> FloatArray:
        smooth = interpolate(self.values, (t - self.start) / self.step)
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(smooth * np.exp(self.line * (t - self.start) + self.log_scale))


@dataclass(frozen=True, slots=True)
class _Rises:
    """Sizes of a window's integrand at heights that are apart by `gap`, from 0, [1/time]."""

    least: float
    gap: float
    size: FloatArray

    def late(self, close: float) -> float:
        """Return the height of a rise that comes after a settled series, [1/time]; 0: none."""
        # A rise is narrower than an eighth of a turn.
        return self.gap * late_rise(self.size, 0.1 * close * 8.0 * np.pi / self.least)

    def beyond(self, height: float) -> float:
        """Return a bound on what a series misses that ends at a height, [-]; 1 is no bound."""
        missed = self.gap / np.pi * self.size[min(int(height / self.gap), self.size.size) :]
        near, far = (float(part.sum()) for part in np.array_split(missed, 2))
        return min(1.0, 2.0 * (near + far)) if far < 0.5 * near else 1.0


class Inversion:
    """The cdf and sf of a `LostTime`; windows are built when first asked for."""

    def __init__(self, lost: LostTime) -> None:
        self._lost = lost
        self._windows: dict[int, _Window] = {}
        self._error: float | None = None
        # The probability of at least one failure scales every tolerance.
        self._some = -math.expm1(lost.log_atom)
        size = max(lost.extent, lost.scale)
        finest = max(lost.finest, 1e-280 * size)
        count = 12 * math.ceil(12.0 + math.log10(size) - math.log10(finest))
        lines: FloatArray = np.geomspace(1e-5 / size, 1e7 / finest, count)
        self._begin, self._origin = self._first_times(lines)
        self._tilts, self._tail_bounds, self._chernoff = self._plan_tail()
        tail = float(self._tail_bounds[0]) if self._tail_bounds.size else self._heavy_top(lines)
        if self._origin < 0.01 * tail:
            self._origin = 0.0
        self._top = tail
        self._first = self._bulk_numbers()[-1]
        self._widest = self._last_number()
        self._resonance, self._rise = self._strongest_resonance()

    def __reduce__(self) -> tuple[type[Inversion], tuple[LostTime]]:
        return Inversion, (self._lost,)

    @property
    def seams(self) -> FloatArray:
        """Where another window, or another part in time, takes over, [time]; sorted."""
        found = [self._begin, *self._tail_bounds, self._lost.first_failures.rough]
        found += [self._upper(number) for number in self._bulk_numbers()]
        if not self._tail_bounds.size:
            found += [self._upper(k) for k in range(1, 13)]
        return np.unique([x for x in found if 0.0 < x < np.inf])

    @property
    def error(self) -> float:
        """Largest change of cdf or sf, down to sf = 1e-12, when nodes are doubled, [-]."""
        if self._error is None:
            worst = 0.0
            for number in self._bulk_numbers():
                worst = max(worst, self._window(number).error)
            if self._tail_bounds.size:
                last = int(np.ceil(-math.log(LEAST_SF / self._some) / _TAIL_NATS + 0.5))
                for k in range(1, min(max(last, 0), self._tilts.size) + 1):
                    worst = max(worst, self._window(_TAIL + k).error)
            else:
                number = 1
                while (
                    number < self._widest
                    and self.sf(np.array([self._upper(number - 1)])) > LEAST_SF
                ):
                    worst = max(worst, self._window(number).error)
                    number += 1
            self._error = worst
        return self._error

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return P(E <= t), [-], at any real times [time]."""
        return self._both(t)[0]

    def sf(self, t: FloatArray) -> FloatArray:
        """Return P(E > t), [-], at any real times [time]."""
        return self._both(t)[1]

    def ceiling(self, t: FloatArray) -> FloatArray:
        """Return a bound on `sf` from above by the tilt for each time; 1 for a heavy tail, [-]."""
        tilts, log_m, peaks = self._chernoff
        if not tilts.size:
            return np.ones(t.shape)
        near = np.minimum(np.searchsorted(peaks, t), tilts.size - 1)
        with np.errstate(over="ignore", invalid="ignore"):
            bound = log_m[near] - tilts[near] * t + _ROUNDED * (1.0 + np.abs(log_m[near]))
        return np.exp(np.where(t > peaks[0], np.minimum(bound, 0.0), 0.0))

    def _both(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        times = np.asarray(t, dtype=np.float64)
        flat = np.ascontiguousarray(times.ravel())
        atom, some = math.exp(self._lost.log_atom), self._some
        cdf, sf = np.zeros(flat.size), np.ones(flat.size)
        # Beyond the last window sf is less than the error, or stays for longer than is asked.
        end = self._tail_bounds[-1] if self._tail_bounds.size else self._upper(self._widest)
        done = np.isposinf(flat) if self._goes_on else flat >= end
        cdf[done], sf[done] = 1.0, 0.0
        flat = np.where(done, flat, np.minimum(flat, end))
        early = (flat >= 0.0) & (flat < self._begin)
        known = self._lost.first_failures.cdf(flat[early])
        cdf[early], sf[early] = atom + known, some - known
        # At 0 a window is half of what it is at either end of its period.
        start = flat == 0.0
        cdf[start], sf[start] = atom, some
        late = (flat >= self._begin) & ~done & ~start
        number = self._number(flat)
        for key in np.unique(number[late]):
            here = late & (number == key)
            x = flat[here]
            window = self._window(int(key))
            if self._is_cdf(int(key)):
                lost = window.at(x) + self._lost.first_failures.cdf(x)
                cdf[here], sf[here] = atom + lost, some - lost
            else:
                left = window.at(x)
                if self._has_first(int(key)):
                    left = left + (
                        self._lost.first_failures.total - self._lost.first_failures.cdf(x)
                    )
                cdf[here], sf[here] = 1.0 - left, left
        cdf, sf = np.clip(cdf, 0.0, 1.0), np.clip(sf, 0.0, 1.0)
        return cdf.reshape(times.shape), sf.reshape(times.shape)

    def _bulk_numbers(self) -> list[int]:
        """Return the windows up to the bulk, from the last to the first."""
        number = 0
        most = _MOST if self._begin > 0.0 else _WIDEST
        while self._upper(number - 1) > max(self._begin, 1.0 / _FARTHEST) and number > -most:
            number -= 1
        return list(range(0, number - 1, -1))

    def _last_number(self) -> int:
        """Return the last window: where little is left, or no float is much larger."""
        self._goes_on = False
        if self._tail_bounds.size:
            return _WIDEST
        reach = math.log(_FARTHEST) - math.log(self._top - self._origin)
        last = math.floor(min(reach, math.log(_FARTHEST)) / math.log(_RATIO))
        low, high = _WIDEST, max(last, _WIDEST)
        self._goes_on = self._left(high) > _LITTLE * self._some
        if self._goes_on or not self._left(low) > _LITTLE * self._some:
            return high if self._goes_on else low
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (
                (middle, high) if self._left(middle) > _LITTLE * self._some else (low, middle)
            )
        return high

    def _left(self, number: int) -> float:
        """Return a bound on the sf at the end of a window, by Markov's inequality, [-]."""
        s = np.array([1.0 / self._upper(number)], dtype=np.complex128)
        return float(-np.expm1(self._lost.log_transform(s).real)[0]) / 0.6

    def _upper(self, number: int) -> float:
        """Where a window of the bulk ends, [time]; number 0 is the last of the bulk."""
        return self._origin + (self._top - self._origin) * _RATIO**number

    def _number(self, t: FloatArray) -> npt.NDArray[np.int64]:
        """Return the number of the window: 0, -1, ... bulk, 1, 2, ... beyond it, others tilted."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratio = (t - self._origin) / (self._top - self._origin)
            number = np.ceil(np.log(ratio) / math.log(_RATIO))
        number = np.where(number > self._first, np.minimum(number, self._widest), self._first)
        number = number.astype(np.int64)
        tail = np.searchsorted(self._tail_bounds, t, side="right")
        return np.where(tail > 0, _TAIL + tail, number)

    def _window(self, key: int) -> _Window:
        if key not in self._windows:
            build = self._tail(key - _TAIL) if key >= _TAIL else self._bulk(key)
            self._windows[key] = build
        return self._windows[key]

    def _lower(self, key: int) -> float:
        if key >= _TAIL:
            return float(self._tail_bounds[key - _TAIL - 1])
        return self._upper(key - 1)

    def _has_first(self, key: int) -> bool:
        """Return whether first failures are added apart, because they may have kinks here."""
        return self._lower(key) < 1.1 * self._lost.first_failures.rough

    def _is_cdf(self, key: int) -> bool:
        return key < _TAIL and self._has_first(key)

    def _first_times(self, lines: FloatArray) -> tuple[float, float]:
        """Return times before which there are but few failures, and none, by Chernoff's bound."""
        with np.errstate(all="ignore"):
            beyond = self._log_beyond(lines)
            rest = beyond
            if self._lost.first_failures.total > 0.0:
                first = self._lost.first_failures.transform(lines.astype(np.complex128)).real
                rest = beyond + np.log(np.maximum(1.0 - first * np.exp(-beyond), 1e-15))
            found = []
            for mass, goal in ((rest, _NOTHING * self._some), (beyond, 1e-20 * self._some)):
                bound = (math.log(goal) - mass) / lines
                found.append(max(0.0, float(bound[np.isfinite(bound)].max(initial=0.0))))
        return found[0], found[1]

    def _strongest_resonance(self) -> tuple[float, float]:
        """Return at which height the transform may rise most again, [1/time], and how far."""
        heights = self._lost.resonances()
        if not heights.size:
            return 0.0, 0.0
        with np.errstate(all="ignore"):
            bound = self._lost.rest_bound(np.asarray(1j * heights))
        if not bound.max() > _WEAK * self._some:
            return 0.0, 0.0
        # Of equal ones the first: the others are met on the way to it and from it on.
        highest = int(np.argmax(bound > (1.0 - 1e-6) * bound.max()))
        return float(heights[highest]), min(1.0, float(bound[highest]))

    @cached_property
    def _spread(self) -> float:
        """Standard deviation of the time lost, roughly, from the transform near 0, [time]."""
        size = max(self._lost.extent, self._lost.scale)
        fall = -self._lost.log_transform(np.array([1e-2j / size])).real[0]
        return math.sqrt(max(2.0 * float(fall), 1e-12)) * 1e2 * size

    def _log_beyond(self, c: FloatArray) -> FloatArray:
        """Return log E[exp(-c E); E > 0] for real c > -abscissa, [-]."""
        ratio = self._lost.log_ratio(c.astype(np.complex128)).real
        with np.errstate(all="ignore"):
            grown = np.where(ratio < 30.0, np.log(np.expm1(ratio)), ratio)
        return np.asarray(grown + self._lost.log_atom)

    def _heavy_top(self, lines: FloatArray) -> float:
        """Return a time that few exceed: where exp(-c E) stays near the probability of 0."""
        while True:
            with np.errstate(all="ignore"):
                left = -np.expm1(self._lost.log_transform(lines.astype(np.complex128)).real)
            if not left[0] > 0.3 * self._some or lines[0] < 1.0 / _FARTHEST:
                return float(2.0 / np.interp(0.3, left / self._some, lines))
            lines = lines[0] * np.geomspace(1e-20, 1.0, 240)

    def _plan_tail(self) -> tuple[FloatArray, FloatArray, tuple[FloatArray, ...]]:
        """Choose a tilt for each block of `_TAIL_NATS` in log sf, and the times between.

        With them, for Chernoff's bound, tilts, logarithms of the law tilted by each, and the
        times at which each is best.
        """
        lost = self._lost
        if not lost.abscissa > 0.0:
            return np.empty(0), np.empty(0), (np.empty(0),) * 3
        size = max(lost.extent, lost.scale)
        if size * lost.abscissa > 1e200:
            tilts = np.geomspace(1e-5 / size, 1e8 / lost.scale, 1601)
        else:
            # From tilts that are small beside 1/size, also where the pole is far beyond that.
            near = np.geomspace(min(1e-7, 1e-5 / (size * lost.abscissa)), 0.5, 400)
            tilts = lost.abscissa * np.concatenate([near[:-1], 1.0 - near[::-1]])
        with np.errstate(all="ignore"):
            log_m = self._log_beyond(-tilts)
            good = np.isfinite(log_m)
        last = int(np.argmin(good)) if not good.all() else good.size
        tilts, log_m = tilts[:last], log_m[:last]
        with np.errstate(all="ignore"):
            # In a unit between both ends: the gradient squares its steps.
            unit = power_of_two(math.sqrt(tilts[0]) * math.sqrt(tilts[-1]))
            times = np.gradient(log_m, tilts / unit) / unit
            level = log_m - tilts * times - np.log(self._some)
        last = int(np.argmin(np.isfinite(level))) if not np.isfinite(level).all() else level.size
        tilts, times, level = tilts[:last], times[:last], level[:last]
        chernoff = tilts, log_m[:last], np.maximum.accumulate(times)
        order = np.argsort(-level)
        edges = -_TAIL_NATS * (np.arange(_TILTED + 1.0) + 0.5)
        edges = edges[: max(1, int(np.sum(edges > level.min())))]
        bounds = np.maximum.accumulate(np.interp(-edges, -level[order], times[order]))
        centres = np.interp(0.5 * _TAIL_NATS - edges, -level[order], tilts[order])
        if np.isfinite(lost.abscissa):
            # Beyond the tilts that were looked at, sf falls at the rate of the singularity.
            more = np.arange(1, _TILTED + 2 - edges.size) * (_TAIL_NATS / lost.abscissa)
            bounds = np.concatenate([bounds, bounds[-1] + more])
            centres = np.concatenate([centres, np.full(more.size, tilts[-1])])
        return centres[1:], bounds, chernoff

    def _bulk(self, key: int) -> _Window:
        lower, upper = self._upper(key - 1), self._upper(key)
        period = _PERIODS * (upper - self._origin)
        return self._sum(key, _DAMPING / period, self._origin, period, (lower, upper))

    def _tail(self, number: int) -> _Window:
        lost, tilt = self._lost, float(self._tilts[number - 1])
        if np.isfinite(lost.abscissa):
            # Nearer to the singularity the tilted law would fall too slowly for a short period.
            room = _ROOM / float(self._tail_bounds[number])
            tilt = min(tilt, max(lost.abscissa - room, 0.5 * lost.abscissa))
        base = float(self._log_beyond(np.array([-tilt]))[0])
        shifts = np.geomspace(1e-4 / max(lost.extent, lost.scale), 1e6 / lost.scale, 401)
        with np.errstate(all="ignore"):
            down = (-32.0 - (self._log_beyond(shifts - tilt) - base)) / shifts
            start = max(0.0, float(np.max(down, where=np.isfinite(down), initial=0.0)))
            room = lost.abscissa - tilt
            ups = shifts[shifts < room]
            if np.isfinite(room):
                ups = np.concatenate([ups, room * np.linspace(0.02, 0.98, 97)])
            high = (self._log_beyond(-tilt - ups) - base + 32.0) / ups
            top = float(np.nanmin(np.where(np.isfinite(high), high, np.inf)))
        lower = float(self._tail_bounds[number - 1])
        upper = float(self._tail_bounds[number])
        start = min(start, lower)
        period = max(top, upper) - start + 30.0 / tilt
        return self._sum(_TAIL + number, -tilt, start, period, (lower, upper))

    def _sum(
        self, key: int, line: float, start: float, period: float, ends: tuple[float, float]
    ) -> _Window:
        """Double the nodes of a window until half of them give the same values."""
        lost = self._lost
        step = 2.0 * np.pi / period
        log_scale = 0.0 if line > 0.0 else self._log_beyond(np.array([line]))[0] + line * start
        value = np.empty(0, dtype=np.complex128)
        coarse, nodes = np.empty(0), _FIRST_NODES // 2
        wanted = PASSED * self._resonance / step
        rises: _Rises | None = None
        # Steps so short that no window shows them stay as they are when nodes are doubled.
        counted = lost.counted is not None and lost.counted.spacing > 0.0
        steps = counted and wanted > 0.0 and _MOST_NODES * step * lost.finest < 1.0
        worst = math.inf
        while True:
            heights = step * np.arange(value.size, nodes, dtype=np.float64)
            s = np.asarray(line + 1j * heights)
            value = np.concatenate([value, self._integrand(key, s, start, float(log_scale))])
            fine = series(value, period)
            if not coarse.size:
                coarse, nodes = fine, 2 * nodes
                continue
            grid = fine.size
            inside = _inside(start, 2.0 * period / grid, grid // 2, ends)
            places = start + 2.0 * period / grid * inside
            with np.errstate(all="ignore"):
                grown = np.exp(line * (places - start) + log_scale)
            change = np.abs(fine[2 * inside] - coarse[inside]) * grown
            before, worst = worst, float(np.max(change, initial=0.0))
            noise = _NOISE * float(np.sum(np.abs(value)) * step / np.pi * grown.max(initial=0.0))
            close = min(_CLOSE, 1e-10 * self._some) if line > 0.0 else 0.0
            if not self._is_cdf(key):
                relative = _CLOSE_TAIL * float(
                    np.max(np.abs(fine[2 * inside]) * grown, initial=0.0)
                )
                close = min(close, relative) if line > 0.0 else relative
            # Resonances repeat at large distances: go on to beyond the first before settling.
            settled = worst <= max(close, noise)
            slow = steps and nodes >= max(_STEPS, 2.0 * wanted) and worst > 0.35 * before
            if (settled or slow) and rises is None:
                rises = self._rises(key, line, start, log_scale, float(grown.max(initial=0.0)))
                wanted = max(wanted, PASSED / step * rises.late(close))
            if settled and nodes >= wanted:
                break
            slow = slow and nodes >= 2.0 * wanted
            if slow or nodes >= _MOST_NODES:
                # What a doubling still changes, those after it may change by twice as much again.
                worst = min(1.0, 3.0 * worst)
                break
            if settled and rises is not None and wanted > _MOST_NODES:
                # No window reaches the resonance: its steps are smoothed, by one step at most.
                slope = float(np.max(np.abs(np.diff(fine[2 * inside] * grown)), initial=0.0))
                missed = (
                    self._rise if self._resonance else rises.beyond(_MOST_NODES * step / PASSED)
                )
                worst = max(worst, min(0.5 * slope * PASSED * grid / wanted, missed))
                break
            coarse, nodes = fine, 2 * nodes
        return _Window(start, period / grid, line, float(log_scale), fine, worst)

    def _rises(
        self, key: int, line: float, start: float, log_scale: float, largest: float
    ) -> _Rises:
        """Return the transform where too few nodes might not meet a resonance of it."""
        bases = self._lost.resonances()
        if not bases.size:
            return _Rises(1.0, 1.0, np.empty(0))
        least, most = float(bases[0]), _TURNS * float(bases[-1])
        gap = min(least / 16.0, 1.0 / self._spread)  # a rise is as wide as the time's spread
        count = int(min(most / gap, _HEIGHTS))
        s = np.asarray(line + 1j * gap * np.arange(count + 1.0))
        with np.errstate(all="ignore"):
            if key < _TAIL:  # without the jump at the start, and first failures: they do no harm
                size = np.abs(self._struck(s, np.zeros(1)) - self._lost.first_failures.transform(s))
                size *= np.exp(line * start) / np.abs(s)
            else:
                size = np.abs(self._integrand(key, s, start, log_scale))
        return _Rises(least, gap, largest * size)

    def _struck(self, s: ComplexArray, shift: FloatArray | ComplexArray) -> ComplexArray:
        """Return E[exp(-s E); E > 0] times exp(`shift`), [-], also where the atom is no float."""
        ratio, atom = self._lost.log_ratio(s), self._lost.log_atom
        if np.max(ratio.real, initial=0.0) < 30.0:
            return np.asarray(np.expm1(ratio) * np.exp(atom + shift))  # nothing cancels
        return np.asarray(np.exp(ratio + atom + shift) - np.exp(atom + shift))

    def _integrand(self, key: int, s: ComplexArray, start: float, log_scale: float) -> ComplexArray:
        """Transform of the window's cdf or sf, in units of its size on the line."""
        lost = self._lost
        shift = s * start - log_scale
        first = lost.first_failures.transform(s) if self._has_first(key) else None
        if self._is_cdf(key) or key >= _TAIL:
            value = self._struck(s, shift)
            if first is not None:
                value = value - first * np.exp(shift)
            return np.asarray((value if self._is_cdf(key) else -value) / s)
        # The sf of what lies beyond `start`, before which there is nothing.
        return np.asarray(-np.expm1(lost.log_transform(s) + s * start) / s)


def _inside(
    start: float, step: float, grid: int, ends: tuple[float, float]
) -> npt.NDArray[np.int64]:
    first = max(0, math.floor((ends[0] - start) / step))
    last = min(grid - 1, math.ceil((ends[1] - start) / step))
    return np.arange(first, max(first, last) + 1)


_TAIL = 1000  # added to the numbers of tilted windows
