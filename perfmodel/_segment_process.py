"""The transform of a makespan: segments that are tried until one attempt is not struck."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import FloatArray
from ._few_failures import FewFailures, Kernel, Term
from ._special import log1p
from .downtime import DowntimeLaw
from .inversion import Excess

__all__ = ["SegmentProcess"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

_SECTIONS = 32  # points at which the search for the pole looks at once


@dataclass(frozen=True, slots=True)
class SegmentProcess:
    """The transform of the makespan: `pieces` are (number, busy time) of equal segments."""

    rate: float
    pieces: tuple[tuple[int, float], ...]
    recovery: float
    law: DowntimeLaw

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
        """Bound on what the cdf changes if every segment takes an exponential time, [-].

        A sum of costs, geometric in number with a chance p of success, is exponential but for
        p E[X^2]/E[X]^2, by Brown's theorem (Annals of Probability 18, 1990, not seen). The
        scv of X, one failure's cost, is below that of its downtime plus 2.
        """
        if not math.isfinite(self.law.mean):
            return math.inf
        longest = max(length for _, length in self.pieces)
        segments = sum(count for count, _ in self.pieces)
        variation = math.sqrt(self.law.variance) / (1.0 / self.rate + self.law.mean)
        scv = min(variation, 1e125) ** 2
        return segments * math.exp(-self.rate * longest) * (3.0 + scv)

    def excess(self) -> Excess:
        """Return the time beyond the failure-free makespan."""
        log_atom = -self.rate * self.busy
        longest = max(length for _, length in self.pieces) + self.recovery
        kernel = self.law.kernel(longest) if log_atom > -32.0 else None
        return Excess(
            log_ratio=self.log_ratio,
            abscissa=self._abscissa(),
            log_atom=log_atom,
            explicit=self._few(kernel, math.exp(log_atom), longest),
            scale=self._scale,
            extent=self._extent,
        )

    @property
    def _scale(self) -> float:
        """What one failure costs, roughly, [time]."""
        longest = max(length for _, length in self.pieces) + self.recovery
        lost = min(longest, 1.0 / self.rate)
        return lost + (self.law.mean if math.isfinite(self.law.mean) else 0.0)

    @property
    def _extent(self) -> float:
        """What all failures cost, roughly, [time]."""
        return self._scale * min(self.downtimes, 1e250)

    def _attempt(self, s: ComplexArray, length: float) -> ComplexArray:
        """Transform of an uptime that ends within `length`."""
        z = s + self.rate
        x = z * length
        small = np.abs(x) < 1e-8
        with np.errstate(all="ignore"):
            share = np.asarray(-np.expm1(-x) / z, dtype=np.complex128)
        if small.any():
            share[small] = length * (1.0 - 0.5 * x[small])
        return np.asarray(self.rate * share)

    def _survival(self, s: ComplexArray, length: float, attempt: ComplexArray) -> ComplexArray:
        """Complement of `attempt`, which is nearly 1 where hardly any uptime is longer."""
        kept = np.asarray(1.0 - attempt)
        near = np.abs(s) < 0.5 * self.rate
        low = s[near]
        with np.errstate(all="ignore"):
            z = low + self.rate
            kept[near] = (low + self.rate * np.exp(-z * length)) / z
        return kept

    def _repair(self, s: ComplexArray) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
        """Transform of downtime and recovery, failed recoveries included, and its complement.

        Also the complement for those that fail. All are sums without cancellation:
        1 - A d = (1 - A) + A (1 - d), and 1 - rho = ((1 - d) + d s A/lambda)/(1 - A d).
        """
        with np.errstate(all="ignore"):
            lasting = self.law.complement(s)
            downtime = 1.0 - lasting
            again = self._attempt(s, self.recovery)
            once = self._survival(s, self.recovery, again) + again * lasting
            repair = downtime * np.exp(-(s + self.rate) * self.recovery) / once
            still = (lasting + downtime * s * again / self.rate) / once
        return np.asarray(repair), np.asarray(still), once

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""
        repair, lasting, _ = self._repair(s)
        total = np.zeros(s.shape, dtype=np.complex128)
        with np.errstate(all="ignore"):
            for count, length in self.pieces:
                attempt = self._attempt(s, length)
                failed = attempt * repair
                done = self._survival(s, length, attempt) + attempt * lasting
                change = log1p(-failed)
                near = ~(np.abs(failed) < 0.5)
                change[near] = np.log(done[near])  # where 1 - failed has lost digits
                total = total - count * change
        return total

    def _abscissa(self) -> float:
        """Return how far left of 0 the transform reaches: minus its dominant pole."""
        if self.law.abscissa == 0.0:
            return 0.0

        def inside(c: FloatArray) -> int:
            """Return how many of the points come before the pole."""
            c = c[: np.searchsorted(c, self.law.abscissa)]
            if c.size == 0:
                return 0
            s = (-c).astype(np.complex128)
            repair, lasting, once = self._repair(s)
            exists = (repair.real > 0.0) & (once.real > 0.0)
            with np.errstate(all="ignore"):
                for _, length in self.pieces:
                    attempt = self._attempt(s, length)
                    done = self._survival(s, length, attempt) + attempt * lasting
                    exists &= (attempt.real > 0.0) & (done.real > 0.0)
            return int(np.argmin(np.append(exists, False)))

        # The pole is nearer to 0 than the mean makespan is long.
        low, high = 0.0, min(1e-12 * self.rate, 1e-3 / self._extent)
        scale = 4.0 ** np.arange(_SECTIONS, dtype=np.float64)
        while (count := inside(high * scale)) == _SECTIONS:
            low, high = high * scale[-1], 4.0 * high * scale[-1]
        low, high = high * scale[count - 1] if count else low, high * scale[count]
        while high - low > 4e-16 * high:
            points = np.linspace(low, high, _SECTIONS + 2)
            if points[1] == low:
                break
            count = inside(points[1:-1])
            low, high = points[count], points[count + 1]
        return float(low)

    def _few(self, kernel: Kernel | None, atom: float, longest: float) -> FewFailures:
        depth = kernel.depth if kernel is not None else 0

        def powers(s: ComplexArray) -> ComplexArray:
            assert kernel is not None
            downtime = kernel.downtime(s)
            again = self._attempt(s, self.recovery) * downtime
            first = downtime * np.exp(-(s + self.rate) * self.recovery)
            result = np.zeros(s.shape, dtype=np.complex128)
            for parts, weight in _compositions(tuple(c for c, _ in self.pieces), depth).items():
                *hits, repeats = parts
                term = np.full(s.shape, weight * atom, dtype=np.complex128)
                for number, (_, length) in zip(hits, self.pieces, strict=True):
                    term = term * (self._attempt(s, length) * first) ** number
                result += term * again**repeats
            return result

        return FewFailures(kernel, self._terms(depth, atom), powers, longest)

    def _terms(self, depth: int, atom: float) -> tuple[Term, ...]:
        """Expand the powers into delayed ones, by the binomial theorem."""
        found: dict[tuple[int, float], float] = defaultdict(float)
        lengths = [length for _, length in self.pieces]
        for parts, weight in _compositions(tuple(c for c, _ in self.pieces), depth).items():
            *hits, repeats = parts
            terms: dict[float, float] = {sum(hits) * self.recovery: weight * atom}
            for number, length in [*zip(hits, lengths, strict=True), (repeats, self.recovery)]:
                spread: dict[float, float] = defaultdict(float)
                for delay, value in terms.items():
                    for j in range(number + 1 if length else 1):
                        spread[delay + j * length] += value * (-1) ** j * math.comb(number, j)
                terms = dict(spread) if length or not number else {}
            for delay, value in terms.items():
                found[sum(parts), delay] += value * math.exp(-self.rate * delay)
        return tuple(Term(order, value, delay) for (order, delay), value in found.items() if value)


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
        # A failed recovery belongs to one of the failures: that many ways to share them out.
        weight = float(math.comb(sum(hits) + repeats - 1, repeats))
        for number, count in zip(hits, counts, strict=True):
            weight *= math.comb(count + number - 1, number)
        weights[tuple(parts)] = weight
    return weights
