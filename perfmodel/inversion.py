r"""From the Laplace transform of a nonnegative time back to its distribution.

The time E has an atom at 0 and a transform f(s) = E[e^{-sE}] known on a right half-plane. The
atom, and the terms of the first few failures, which carry the jumps and kinks, are subtracted
and known in closed form; what is left is smooth. Its cdf is a Fourier series on a vertical line
of the s-plane [1]_, summed for a whole window of times by one FFT and read off by 8-point
interpolation. The number of nodes follows from the transform itself: they end where it has
decayed below the tolerance.

Three kinds of windows share this code. The bulk has its line to the right of 0. Far tails of
light laws have it to the left, at the saddle point of the wanted tail level, so that the error
is relative to the tail itself: an exponential tilt, of which the dominant pole is the limit.
Heavy laws have no transform left of 0; their windows widen by factors of 8 instead.

References
----------
.. [1] J. Abate and W. Whitt, "The Fourier-series method for inverting transforms of probability
   distributions", Queueing Systems 10, 1992. The article was not seen; derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.fft import next_fast_len

from ._checks import FloatArray

__all__ = ["Excess", "Inversion"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

_TOLERANCE = 1e-10
_TAIL_TOLERANCE = 1e-9
_NODES = 2**16
_TAIL_NODES = 2**15
_DAMPING = 27.0
_TAIL_NATS = 7.0
_OCTAVES = 48  # of frequencies that are looked at, until there is nothing left
_PROBES = 16  # in an octave


class Explicit(Protocol):
    """A part of the distribution that is known both as a transform and in time."""

    @property
    def end(self) -> float:
        """Where its mass ends, [time]; inf if it does not."""

    @property
    def total(self) -> float:
        """Its whole mass, [-]."""

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return its transform, [-]."""

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return its mass up to `t`, [-]."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A time >= 0 with an atom at 0, described by its transform.

    Parameters
    ----------
    log_ratio : callable
        log E[exp(-s E)] - log P(E = 0) for complex s [1/time] with Re s > -abscissa.
    abscissa : float, [1/time]
        0 for a heavy tail.
    log_atom : float, [-]
        Logarithm of P(E = 0).
    explicit : Explicit
        The part, atom excluded, that is subtracted before the inversion.
    scale, extent : float, [time]
        What one failure costs and what all do, roughly; finite even where the mean is not.
    """

    log_ratio: Callable[[ComplexArray], ComplexArray]
    abscissa: float
    log_atom: float
    explicit: Explicit
    scale: float
    extent: float

    def log_moment(self, c: FloatArray) -> FloatArray:
        """Return log E[exp(-c E)] for real c > -abscissa, [-]."""
        return np.asarray(self.log_ratio(c.astype(np.complex128)).real + self.log_atom)

    def log_beyond(self, c: FloatArray) -> FloatArray:
        """Return log E[exp(-c E); E > 0] for real c > -abscissa, [-]."""
        ratio = self.log_ratio(c.astype(np.complex128)).real
        with np.errstate(all="ignore"):
            grown = np.where(ratio < 30.0, np.log(np.expm1(ratio)), ratio)
        return np.asarray(grown + self.log_atom)


@dataclass(frozen=True, slots=True)
class _Window:
    """Values on a grid of times: exp(-line (t - start)) times a cdf or sf, periodic."""

    start: float
    step: float
    line: float
    log_scale: float
    values: FloatArray

    def at(self, t: FloatArray) -> FloatArray:
        place = np.minimum((t - self.start) / self.step, 1e15)  # beyond, the damping has won
        base = np.floor(place)
        offset = place - base
        index = (base.astype(np.int64)[..., None] + np.arange(-3, 5)) % self.values.size
        weights = _lagrange(offset)
        smooth = np.sum(self.values[index] * weights, axis=-1)
        return np.asarray(smooth * np.exp(self.line * (t - self.start) + self.log_scale))


class Inversion:
    """The cdf and sf of an `Excess`; windows are built when first asked for.

    The error of `cdf` is below 1e-9 times the probability of any failure at all; the largest
    truncation estimate met so far is kept in `error`. `sf` keeps its relative accuracy where
    the law is light, and is good to about 1e-11 absolute where it is heavy.
    """

    def __init__(self, excess: Excess) -> None:
        self._excess = excess
        self.error = 0.0
        self._windows: dict[int, _Window] = {}
        # The probability of at least one failure scales every tolerance.
        self._some = -np.expm1(excess.log_atom)
        self._lines = np.geomspace(1e-5 / max(excess.extent, excess.scale), 1e7 / excess.scale, 241)
        with np.errstate(all="ignore"):
            self._right = excess.log_moment(self._lines)
        self._start = self._first_time()
        self._tilts, self._tail_bounds = self._plan_tail()
        self._tops = self._plan_bulk()

    @property
    def tail_start(self) -> float:
        """Where the first tilted window takes over, [time]; inf for heavy tails."""
        return float(self._tail_bounds[0]) if self._tail_bounds.size else np.inf

    @property
    def seams(self) -> FloatArray:
        """Where another window, or another part in time, takes over, [time]; sorted."""
        found = [self._start, *self._tops, *self._tail_bounds]
        if not self._tail_bounds.size:
            found += [self._tops[0] * 8.0**k for k in range(1, 12)]
        if np.isfinite(self._excess.explicit.end):
            found.append(self._excess.explicit.end)
        return np.unique([x for x in found if 0.0 < x < np.inf])

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return P(E <= t), [-], at any real times [time]."""
        return self._both(t)[0]

    def sf(self, t: FloatArray) -> FloatArray:
        """Return P(E > t), [-], at any real times [time]."""
        return self._both(t)[1]

    def _both(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        times = np.asarray(t, dtype=np.float64)
        flat = times.ravel()
        cdf, sf = np.zeros(flat.size), np.ones(flat.size)
        done = np.isposinf(flat)
        cdf[done], sf[done] = 1.0, 0.0
        atom, some = np.exp(self._excess.log_atom), self._some
        low = (flat >= 0.0) & (flat < self._start)
        cdf[low], sf[low] = atom, some
        number = self._number(flat)
        live = (flat >= self._start) & ~done
        for key in np.unique(number[live]):
            here = live & (number == key)
            x = flat[here]
            window = self._window(int(key))
            if key == 0:
                known = self._excess.explicit.cdf(x)
                smooth = window.at(x)
                cdf[here] = atom + (known + smooth)
                sf[here] = some - (known + smooth)
            else:
                sf[here] = window.at(x) + self._explicit_sf(int(key), x)
                cdf[here] = 1.0 - sf[here]
        cdf, sf = np.clip(cdf, 0.0, 1.0), np.clip(sf, 0.0, 1.0)
        order = np.argsort(flat, kind="stable")
        # Noise far below the tolerance must not make a distribution fall.
        cdf[order] = np.maximum.accumulate(cdf[order])
        sf[order] = np.minimum.accumulate(sf[order])
        return cdf.reshape(times.shape), sf.reshape(times.shape)

    def _number(self, t: FloatArray) -> npt.NDArray[np.int64]:
        """Tell which window answers: 0 bulk, 1, 2, ... wider bulk, -1, -2, ... tail."""
        first = self._tops[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            wide = np.ceil(np.log2(np.maximum(t / first, 1.0)) / 3.0)
        wide = np.where(np.isfinite(wide), wide, 0.0).astype(np.int64)
        tail = np.searchsorted(self._tail_bounds, t, side="right")
        return np.where(tail > 0, -tail, wide)

    def _window(self, key: int) -> _Window:
        if key not in self._windows:
            self._windows[key] = self._tail(-key - 1) if key < 0 else self._bulk(key)
        return self._windows[key]

    def _explicit_sf(self, key: int, t: FloatArray) -> FloatArray:
        """Return what the tail and wide windows leave to the explicit part."""
        subtracted = key > 0 or self._few_in_tail(-key - 1)
        if not subtracted or t.min() >= self._excess.explicit.end:
            return np.zeros(t.shape)
        return np.asarray(self._excess.explicit.total - self._excess.explicit.cdf(t))

    def _few_in_tail(self, number: int) -> bool:
        """Tell whether to subtract the first failures: if they end, or do not cancel yet."""
        return number < 1 or bool(np.isfinite(self._excess.explicit.end))

    def _first_time(self) -> float:
        """Return a time before which there is no mass but the atom, by Chernoff's bound."""
        goal = -50.0
        with np.errstate(all="ignore"):
            bound = (goal - self._right) / self._lines
        bound = bound[np.isfinite(bound)]
        return max(0.0, float(bound.max(initial=0.0)))

    def _plan_tail(self) -> tuple[FloatArray, FloatArray]:
        """Choose a tilt for each block of `_TAIL_NATS` in log sf, and the times between."""
        excess = self._excess
        if not excess.abscissa > 0.0:
            return np.empty(0), np.empty(0)
        if np.isinf(excess.abscissa):
            tilts = np.geomspace(1e-5 / max(excess.extent, excess.scale), 1e4 / excess.scale, 801)
        else:
            # A pole far beyond what the job's own times can bear is never come near.
            least = 1e-5 / (max(excess.extent, excess.scale) * excess.abscissa)
            near = np.geomspace(min(1e-7, least), 0.5, 400)
            tilts = excess.abscissa * np.concatenate([near[:-1], 1.0 - near[::-1]])
        with np.errstate(all="ignore"):
            log_m = excess.log_beyond(-tilts)
            good = np.isfinite(log_m)
        last = int(np.argmin(good)) if not good.all() else good.size
        tilts, log_m = tilts[:last], log_m[:last]
        with np.errstate(all="ignore"):
            times = np.gradient(log_m, tilts)
            level = log_m - tilts * times - np.log(self._some)
        last = int(np.argmin(np.isfinite(level))) if not np.isfinite(level).all() else level.size
        tilts, times, level = tilts[:last], times[:last], level[:last]
        centres = -_TAIL_NATS * np.arange(1.0, 100.0)
        reachable = centres > level.min()
        edges = np.append(centres, 0.0)[: reachable.sum()] + 0.5 * _TAIL_NATS
        order = np.argsort(-level)
        at_centre = np.interp(-centres[reachable], -level[order], tilts[order])
        bounds = np.interp(-edges, -level[order], times[order])
        bounds = np.maximum.accumulate(bounds)
        return at_centre, bounds

    def _plan_bulk(self) -> tuple[float, float]:
        """Return where the first window and the bulk end."""
        top = self.tail_start
        if np.isinf(top):
            top = self._heavy_top()
        span = top - self._start
        need = self._needed_frequency(_DAMPING / (3.0 * span), 2.0 * np.pi / (3.0 * span))[0]
        affordable = _NODES * np.pi / (3.0 * need)
        if self._start > 0.01 * span:
            return top, top
        kinks = self._excess.explicit.end
        kinks = 2.0 * kinks if np.isfinite(kinks) else 0.0
        return min(top, max(affordable, kinks, 4.0 * self._excess.scale)), top

    def _heavy_top(self) -> float:
        """Return a time that few exceed: where exp(-c E) stays near the probability of 0."""
        share = -np.expm1(self._right) / self._some
        return float(2.0 / np.interp(1e-2, share, self._lines))

    def _needed_frequency(
        self, line: float, step: float, start: float = 0.0, *, few: bool = True
    ) -> tuple[float, FloatArray, FloatArray]:
        """Return from which frequency on the transform may be dropped, and how it decays."""
        tolerance = _TOLERANCE * self._some if line > 0.0 else _TAIL_TOLERANCE
        envelope = np.zeros(_OCTAVES)
        for first in range(0, _OCTAVES, 8):
            probe = step * 2.0 ** (first + np.arange(8 * _PROBES) / _PROBES)
            with np.errstate(under="ignore"):
                size = np.abs(self._integrand(_line(line, probe), start, few=few)) * probe
            found = size.reshape(8, _PROBES).max(axis=1)
            envelope[first : first + 8] = found
            if found[-4:].max() <= 1e-2 * tolerance:
                break
        beyond = np.cumsum(envelope[::-1])[::-1] * (np.log(2.0) / np.pi)
        small = np.flatnonzero(beyond <= tolerance)
        cut = small[0] if small.size else _OCTAVES - 1
        edges: FloatArray = step * np.exp2(np.arange(_OCTAVES, dtype=np.float64))
        return float(edges[cut]), edges, np.asarray(beyond, dtype=np.float64)

    def _log_scale(self, line: float, start: float) -> float:
        """Logarithm of the size of the transform on a tilted line; 0 on the others."""
        if line > 0.0:
            return 0.0
        return float(self._excess.log_beyond(np.array([line]))[0]) + line * start

    def _integrand(self, s: ComplexArray, start: float, *, few: bool) -> ComplexArray:
        """Transform of the smooth part's cdf, in units of its size on the line."""
        excess = self._excess
        shift = s * start - self._log_scale(float(s.real.flat[0]), start)
        ratio = excess.log_ratio(s)
        if np.max(ratio.real, initial=0.0) < 30.0:
            value = np.expm1(ratio) * np.exp(excess.log_atom + shift)  # nothing cancels
        else:
            value = np.exp(ratio + excess.log_atom + shift) - np.exp(excess.log_atom + shift)
        if few:
            value = value - excess.explicit.transform(s) * np.exp(shift)
        return np.asarray(value / s)

    def _bulk(self, key: int) -> _Window:
        top = self._tops[0] * 8.0**key
        start = self._start if key == 0 else 0.0
        period = 3.0 * (top - start)
        line = _DAMPING / period
        if key == 0:
            return self._sum(line, start, period, few=True, sign=1.0)
        # Written for the sf: its relative error stays small where the sf is.
        return self._sum(line, start, period, few=True, sign=-1.0)

    def _tail(self, number: int) -> _Window:
        excess, tilt = self._excess, float(self._tilts[number])
        base = float(excess.log_beyond(np.array([-tilt]))[0])
        shifts = np.geomspace(1e-4 / max(excess.extent, excess.scale), 1e6 / excess.scale, 401)
        with np.errstate(all="ignore"):
            down = (-32.0 - (excess.log_beyond(shifts - tilt) - base)) / shifts
            start = max(0.0, float(np.max(down, where=np.isfinite(down), initial=0.0)))
            room = excess.abscissa - tilt
            ups = shifts[shifts < room]
            if np.isfinite(room):
                ups = np.concatenate([ups, room * np.linspace(0.02, 0.98, 97)])
            high = (excess.log_beyond(-tilt - ups) - base + 32.0) / ups
            top = float(np.nanmin(np.where(np.isfinite(high), high, np.inf)))
        period = top - start + 30.0 / tilt
        return self._sum(-tilt, start, period, few=self._few_in_tail(number), sign=-1.0)

    def _sum(self, line: float, start: float, period: float, *, few: bool, sign: float) -> _Window:
        step = 2.0 * np.pi / period
        need, edges, beyond = self._needed_frequency(line, step, start, few=few)
        wanted = next_fast_len(int(np.ceil(1.25 * min(need / step, 1e9))))
        nodes = int(min(max(wanted, 64.0), _NODES if line > 0.0 else _TAIL_NODES))
        if nodes < wanted and sign > 0.0:
            self.error = max(self.error, float(np.interp(nodes * step / 2.0, edges, beyond)))
        s = _line(line, step * np.arange(nodes, dtype=np.float64))
        log_scale = self._log_scale(line, start)
        value = self._integrand(s, start, few=few)
        if line > 0.0 and sign < 0.0:
            total = self._some - self._excess.explicit.total
            value = value - total / s
        value = value * np.exp(-36.0 * (np.arange(nodes) / nodes) ** 32)
        grid = 8 * nodes
        sums = np.fft.irfft(value, n=grid) * (0.5 * grid) * (step / np.pi)
        return _Window(start, period / grid, line, log_scale, sign * sums)


def _line(real: float, heights: FloatArray) -> ComplexArray:
    return np.asarray(real + 1j * heights, dtype=np.complex128)


def _lagrange(offset: FloatArray) -> FloatArray:
    """Weights of the nodes -3 .. 4 for a point at `offset` in [0, 1)."""
    gaps = offset[..., None] - _PLACES
    left, right = np.ones(gaps.shape), np.ones(gaps.shape)
    for j in range(1, 8):
        left[..., j] = left[..., j - 1] * gaps[..., j - 1]
        right[..., 7 - j] = right[..., 8 - j] * gaps[..., 8 - j]
    return np.asarray(left * right / _SPACING)


_PLACES = np.arange(-3.0, 5.0)
_SPACING = np.array([np.prod((x - _PLACES)[x != _PLACES]) for x in _PLACES])
