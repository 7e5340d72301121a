"""The transform of a makespan: each segment is tried until an attempt is not struck."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._checks import BoolArray, ComplexArray, FloatArray
from .._special import log1p
from ._first_failures import FirstFailures, Visit
from ._pole import nearest_pole
from ._struck_process import StruckProcess
from ._uptimes import attempt, attempt_lasting, attempt_survival
from .repairs import Repair

_NO_ATOM = -50.0  # logarithm of an atom that no digit of the transform shows


@dataclass(frozen=True)
class SegmentProcess(StruckProcess):
    """The time lost in segments: `pieces` are (number, busy time) of equal ones."""

    rate: float
    pieces: tuple[tuple[int, float], ...]
    recovery: float
    down: Repair

    @property
    def busy(self) -> float:
        """The makespan without failures, [time]."""
        return math.fsum(count * length for count, length in self.pieces)

    @property
    def downtimes(self) -> float:
        """Mean number of downtimes, those of failed recoveries included, [-]."""
        failures = sum(count * _expm1(self.rate * length) for count, length in self.pieces)
        return failures * (1.0 + _expm1(self.rate * self.recovery))

    @property
    def from_exponential(self) -> float:
        """Bound on the change of the cdf if every segment takes an exponential time, [-].

        A sum of costs, geometric in number with a chance p of success, is exponential but for
        p E[X^2]/E[X]^2, by Brown's theorem (Annals of Probability 18, 1990, not seen). The
        scv of X, one failure's cost, is below that of its downtime plus 2.
        """
        if not math.isfinite(self.down.mean):
            return math.inf
        longest = max(length for _, length in self.pieces)
        segments = sum(count for count, _ in self.pieces)
        variation = math.sqrt(self.down.variance) / (1.0 / self.rate + self.down.mean)
        scv = min(variation, 1e125) ** 2
        return segments * math.exp(-self.rate * longest) * (3.0 + scv)

    @property
    def finest(self) -> float:
        """The shortest time that an attempt takes, roughly, [time]."""
        return min(1.0 / self.rate, *(length for _, length in self.pieces))

    @property
    def scale(self) -> float:
        """What one failure costs, roughly, [time]."""
        longest = max(length for _, length in self.pieces) + self.recovery
        lost = min(longest, 1.0 / self.rate)
        return lost + (self.down.mean if math.isfinite(self.down.mean) else 0.0)

    @property
    def extent(self) -> float:
        """What all failures cost, roughly, [time]."""
        return self.scale * min(self.downtimes, 1e250)

    def _repair(self, s: ComplexArray) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
        """Transform of downtime and recovery, failed recoveries included, and its complement.

        Also the complement for those that fail. All are sums without cancellation:
        1 - A d = (1 - A) + A (1 - d), and 1 - rho = ((1 - d) + d s A/lambda)/(1 - A d).
        """
        with np.errstate(all="ignore"):
            lasting = self.down.complement(s)
            downtime = 1.0 - lasting
            again = attempt(s, self.rate, self.recovery)
            once = attempt_survival(s, self.rate, self.recovery, again) + again * lasting
            repair = downtime * np.exp(-(s + self.rate) * self.recovery) / once
            still = (lasting + downtime * s * again / self.rate) / once
        return np.asarray(repair), np.asarray(still), once

    def repair(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of the time from a failure to the end of the recovery, [-]."""
        return self._repair(s)[0]

    def repair_lasting(self, s: ComplexArray) -> ComplexArray:
        """Return 1 less `repair`, without cancellation, [-]."""
        return self._repair(s)[1]

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""
        repair, lasting, _ = self._repair(s)
        total = np.zeros_like(s)
        with np.errstate(all="ignore"):
            for count, length in self.pieces:
                cut = attempt(s, self.rate, length)
                failed = cut * repair
                change = log1p(-failed)
                near = ~(np.abs(failed) < 0.5)
                if near.any():  # where 1 - failed has lost digits
                    struck = cut[near]
                    done = attempt_survival(s[near], self.rate, length, struck)
                    done += struck * lasting[near]
                    change[near] = np.log(done)
                total = total - count * change
        return total

    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))], relatively accurate also near s = 0."""
        _, lasting, _ = self._repair(s)
        total = np.zeros_like(s)
        with np.errstate(all="ignore"):
            for count, length in self.pieces:
                cut = attempt(s, self.rate, length)
                more = attempt_lasting(s, self.rate, length) + cut * lasting
                total = total - count * log1p(more * math.exp(self.rate * length))
        return total

    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform but for its first failures, from moduli alone, [-]."""
        down = np.abs(self.down.transform(s))
        again = np.abs(attempt(s, self.rate, self.recovery))
        repair = down * np.exp(-(s.real + self.rate) * self.recovery) / (1.0 - again * down)
        total = np.full(s.shape, self.log_atom)
        for count, length in self.pieces:
            total -= count * np.log1p(-np.abs(attempt(s, self.rate, length)) * repair)
        return np.asarray(np.exp(total) - math.exp(self.log_atom) - self.first_failures.bound(s))

    def resonances(self) -> FloatArray:
        """Return heights at which the transform may rise again, [1/time], sorted."""
        return self._known.resonances(self.recovery, self.attempt - self.recovery)

    @cached_property
    def abscissa(self) -> float:
        """Return how far left of 0 the transform reaches: minus its dominant pole."""

        def exists(c: FloatArray) -> BoolArray:
            s = (-c).astype(np.complex128)
            repair, lasting, once = self._repair(s)
            good = (repair.real > 0.0) & (once.real > 0.0)
            with np.errstate(all="ignore"):
                for _, length in self.pieces:
                    cut = attempt(s, self.rate, length)
                    done = attempt_survival(s, self.rate, length, cut) + cut * lasting
                    good &= (cut.real > 0.0) & (done.real > 0.0)
            return np.asarray(good)

        # The pole is nearer to 0 than the mean makespan is long.
        start = min(1e-12 * self.rate, 1e-3 / self.extent)
        return nearest_pole(exists, start=start, end=self.down.abscissa)

    @property
    def counted(self) -> SegmentProcess:
        """The process itself: its failures can be counted."""
        return self

    @property
    def attempt(self) -> float:
        """The longest attempt and recovery, [time]."""
        return max(length for _, length in self.pieces) + self.recovery

    @property
    def lost(self) -> float:
        """What a failure costs but for its downtime, roughly and at most, [time]."""
        return min(max(length for _, length in self.pieces), 1.0 / self.rate) + self.recovery

    @property
    def delay(self) -> float:
        """What every failure costs exactly, but for its downtime, [time]."""
        return self.recovery

    @property
    def failures(self) -> float:
        """Mean number of downtimes, those during a downtime apart, [-]."""
        return self.downtimes

    @property
    def spacing(self) -> float:
        """What every downtime takes, [time]; 0 unless they are all equal."""
        return self.down.spacing

    @property
    def load(self) -> float:
        """Mean number of failures that strike a downtime, [-]."""
        return self.down.load

    def counting(self, s: ComplexArray) -> SegmentCounting:
        """Return the coefficient of z^0; z is the transform of a downtime."""
        again = attempt(s, self.rate, self.recovery)
        done = np.exp(-(s + self.rate) * self.recovery)
        more = tuple(done * attempt(s, self.rate, length) for _, length in self.pieces)
        one = np.ones_like(s)
        first = self.pieces[0][0]
        return SegmentCounting(0, self.log_atom, one, one, 0.0 * one, first, again, more)

    def _visits(self, depth: int) -> tuple[Visit, ...]:
        """Return the ways to fail up to `depth` times."""
        found = []
        for parts, weight in _compositions(tuple(c for c, _ in self.pieces), depth).items():
            *hits, repeats = parts
            spans = [
                length
                for number, (_, length) in zip(hits, self.pieces, strict=True)
                for _ in range(number)
            ]
            if repeats and not self.recovery:
                continue
            delay = sum(hits) * self.recovery
            kept = math.exp(self.log_atom - self.rate * delay)
            found.append(Visit(weight * kept, delay, (*spans, *(self.recovery,) * repeats)))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class SegmentCounting:
    """The power series of K segments, ((1 - alpha z)/(1 - beta z))^K, times that of the last one.

    alpha is the transform of a recovery that fails, beta that of a recovery or of the segment after
    it that fails, z that of a downtime.

    Parameters
    ----------
    count : int, [-]
        Downtimes so far.
    log_unit : float, [-]
        Logarithm of the unit.
    value, equal, before : ndarray, [-]
        Coefficients of all, of the equal segments, and of these with one downtime less.
    segments : int, [-]
        K.
    again : ndarray, [-]
        alpha.
    more : tuple of ndarray, [-]
        beta - alpha of the equal segments, and of the last if it is another.
    """

    count: int
    log_unit: float
    value: ComplexArray
    equal: ComplexArray
    before: ComplexArray
    segments: int
    again: ComplexArray
    more: tuple[ComplexArray, ...]

    def following(self) -> SegmentCounting:
        """Return the coefficients with one downtime more, by the logarithmic derivative."""
        # From beta - alpha: beside recoveries that fail it may be far below a digit of beta.
        alpha, (gain, *others), n = self.again, self.more, self.count
        beta = alpha + gain
        grown = (n * (alpha + beta) + self.segments * gain) * self.equal
        equal = (grown - (n - 1) * alpha * beta * self.before) / (n + 1)
        value = equal
        for other in others:
            value = equal + (alpha + other) * (self.value - self.equal) + other * self.equal
        size = float(abs(value[0]))
        if not 1e-100 < size < 1e100:
            log_unit = self.log_unit + math.log(size)
            parts = (value / size, equal / size, self.equal / size)
        else:
            log_unit, parts = self.log_unit, (value, equal, self.equal)
        return SegmentCounting(n + 1, log_unit, *parts, self.segments, alpha, self.more)


@dataclass(frozen=True, slots=True)
class RareSuccess:
    """The time lost where success is rare: each segment takes an exponential time.

    Parameters
    ----------
    counts : tuple of int, [-]
        Segments of each length.
    means : tuple of float, [time]
        What one of them takes.
    log_atom : float, [-]
        Logarithm of the probability that nothing fails.
    """

    counts: tuple[int, ...]
    means: tuple[float, ...]
    log_atom: float
    counted = None  # there are too many failures to count

    @property
    def first_failures(self) -> FirstFailures:
        """None: a few failures are too improbable to count."""
        return FirstFailures(0.0, None, ())

    @property
    def abscissa(self) -> float:
        """The pole of the longest segments, [1/time]."""
        return 1.0 / max(self.means)

    @property
    def scale(self) -> float:
        """What the longest segment takes, [time]."""
        return max(self.means)

    @property
    def finest(self) -> float:
        """A time in which hardly any segment is done, [time]."""
        return 1e-8 * min(self.means)

    @property
    def extent(self) -> float:
        """What all segments take, [time]."""
        return sum(n * mean for n, mean in zip(self.counts, self.means, strict=True))

    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return the modulus of the transform, [-]."""
        return np.exp(self.log_transform(s).real)

    def resonances(self) -> FloatArray:
        """Return no height: the transform falls, [1/time]."""
        return np.empty(0)

    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))]."""
        if self.log_atom < _NO_ATOM:
            return self._log_failing(s)
        return np.asarray(self.log_atom + self.log_ratio(s))

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""
        if self.log_atom < _NO_ATOM:
            return np.asarray(self._log_failing(s) - self.log_atom)
        # Without the atom the transform would fall below it far out, as if time went backwards.
        failing: ComplexArray = np.exp(self._log_failing(s))
        return log1p(failing * math.expm1(-self.log_atom))

    def _log_failing(self, s: ComplexArray) -> ComplexArray:
        """Return the same of a job that fails."""
        total = np.zeros_like(s)
        for count, mean in zip(self.counts, self.means, strict=True):
            total = total - count * log1p(mean * s)
        return total


def _expm1(x: float) -> float:
    return math.expm1(x) if x < 709.0 else math.inf


def _compositions(counts: tuple[int, ...], depth: int) -> dict[tuple[int, ...], float]:
    """Weights of h_1, h_2, ... failures in the pieces and r in recoveries, at most `depth`."""
    weights: dict[tuple[int, ...], float] = {}
    grid = np.ndindex(*(depth + 1,) * (len(counts) + 1))
    for parts in grid:
        *hits, repeats = parts
        if not 0 < sum(hits) <= sum(parts) <= depth:
            continue
        # A failed recovery follows one of the failures: these are the ways to assign them.
        weight = float(math.comb(sum(hits) + repeats - 1, repeats))
        for number, count in zip(hits, counts, strict=True):
            weight *= math.comb(count + number - 1, number)
        weights[tuple(parts)] = weight
    return weights
