"""The transform of a makespan with asynchronous checkpoints of which some are skipped.

A chain of durable snapshots, each known by the number of segments that it does not hold. Where
nothing fails, the next one after a warm snapshot holds `stride` segments more; after a failure it
holds one more, from a cold start. All equations are solved from the last snapshot backwards.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._checks import ComplexArray, FloatArray
from .._special import log1p
from ._async_process import AbstractAsyncProcess
from ._first_failures import Visit
from ._uptimes import attempt, attempt_lasting

_LARGE = 1e200  # a sum of paths from which on it is put into another unit
_BLOCK = 2**20  # values of s times stride that are solved for at once: 32 MB
_LEAST_BLOCK = 64

_Ways = Mapping[tuple["_Step", ...], int]


@dataclass(frozen=True, slots=True, order=True)
class _Step:
    """From a warm snapshot to the next: `span` if nothing fails.

    Parameters
    ----------
    span, busy : float, [time]
        Of the step, and of the cold start after a failure; 0 of a step that is a cold start.
    excess : float, [time]
        What a failure costs that strikes at once and is repaired at once: the cold start and all
        after it, less what was left without a failure.
    """

    span: float
    busy: float
    excess: float


@dataclass(frozen=True)
class SkippingProcess(AbstractAsyncProcess):
    """The time lost by a cold snapshot and by a chain of warm ones.

    Parameters
    ----------
    count, stride : int, [-]
        All segments, and those from one warm snapshot to the next.
    between : float, [time]
        From one warm snapshot to the next, where more than `stride` segments are left.
    ends : tuple of float, [time]
        From a warm snapshot to the end, where 1, 2, ... `stride` are left.
    last : float, [time]
        The last segment, from a cold start.
    """

    count: int
    stride: int
    between: float
    ends: tuple[float, ...]
    last: float

    @property
    def busy(self) -> float:
        """The makespan without failures, [time]."""
        left = self.count - 1
        if not left:
            return self.first
        steps = (left - 1) // self.stride
        return math.fsum(
            (self.first, steps * self.between, self.ends[left - steps * self.stride - 1])
        )

    @property
    def finest(self) -> float:
        """The shortest time that an attempt takes, roughly, [time]."""
        return min(1.0 / self.rate, self.first, self.last, *self.ends)

    @property
    def longest(self) -> float:
        """The longest attempt, [time], which is from a cold start."""
        return max(self.first, self.last)

    @cached_property
    def _last_steps(self) -> tuple[_Step, ...]:
        """Steps to the end, where 1, 2, ... segments are left."""
        after = (0.0, *self.ends)
        busy = (self.last, *(self.first,) * (len(self.ends) - 1))
        return tuple(
            _Step(end, cold, max(cold + rest - end, 0.0))
            for end, cold, rest in zip(self.ends, busy, after[:-1], strict=True)
        )

    @cached_property
    def _steps_between(self) -> tuple[_Step, ...]:
        """Steps to a snapshot before the end, by what is left beyond whole strides."""
        if self.count - 1 <= self.stride:
            return ()
        one = self.first + self.ends[-1] - self.between - self.ends[0]
        excess = (max(one, 0.0), *(step.excess for step in self._last_steps[1:]))
        return tuple(_Step(self.between, self.first, more) for more in excess)

    def _step(self, left: int) -> _Step:
        """Return the step from the warm snapshot after which `left` segments are left."""
        if left <= self.stride:
            return self._last_steps[left - 1]
        return self._steps_between[(left - 1) % self.stride]

    @property
    def downtimes(self) -> float:
        """Mean number of downtimes, those of failed recoveries included, [-]."""
        ring = [0.0] * self.stride
        for left in range(1, self.count):
            step = self._step(left)
            struck = -math.expm1(-self.rate * step.span)
            again = math.exp(min(self.rate * step.busy, 700.0)) + ring[(left - 1) % self.stride]
            at = left % self.stride
            ring[at] = (1.0 - struck) * ring[at] + struck * again
        failures = math.expm1(min(self.rate * self.first, 700.0))
        failures += ring[(self.count - 1) % self.stride]
        return failures * math.exp(min(self.rate * self.recovery, 700.0))

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""
        return self._by_blocks(self._log_ratio, s)

    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))], relatively accurate also near s = 0."""
        return self._by_blocks(self._log_transform, s)

    def _by_blocks(
        self, function: Callable[[ComplexArray], ComplexArray], s: ComplexArray
    ) -> ComplexArray:
        """Return `function` of s, in blocks: the chain has `stride` numbers for each value."""
        size = max(min(2048, _BLOCK // self.stride), _LEAST_BLOCK)
        found = [function(s[begin : begin + size]) for begin in range(0, s.size, size)]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.complex128)

    def _log_ratio(self, s: ComplexArray) -> ComplexArray:
        with np.errstate(all="ignore"):
            repair = self.cold.repair(s)
            colds = {busy: self.tried(busy).log_ratio(s) for busy in (self.first, self.last)}

            def struck(step: _Step) -> ComplexArray:
                later = np.exp(colds[step.busy] - (s + self.rate) * step.excess)
                return np.asarray(attempt(s, self.rate, step.span) * repair * later)

            return np.asarray(colds[self.first] + self._log_paths(struck, s.size))

    def _log_paths(self, struck: Callable[[_Step], ComplexArray], size: int) -> ComplexArray:
        """Return the log of the sum over all paths from the first warm snapshot to the end.

        Each is a product of `struck` of the steps that fail; that of the path without any is 1.
        """
        ring = np.zeros((self.stride, size), dtype=np.complex128)  # less the path without any
        one, shift = np.ones(size), np.zeros(size)
        known: dict[_Step, tuple[ComplexArray, float]] = {}
        largest = 1.0
        for left in range(1, self.count):
            step = self._step(left)
            if step not in known:
                factor = struck(step)
                known[step] = factor, float(np.max(np.abs(factor), initial=0.0))
            factor, most = known[step]
            if left <= self.stride:
                del known[step]
            if largest * (1.0 + most) > _LARGE:
                scale = np.maximum(one, np.abs(ring).max(axis=0))
                ring, one, shift, largest = ring / scale, one / scale, shift + np.log(scale), 1.0
            largest *= 1.0 + most
            ring[left % self.stride] += factor * (one + ring[(left - 1) % self.stride])
        more = ring[(self.count - 1) % self.stride]
        scaled = shift + np.log(one + more)
        return np.where(shift == 0.0, log1p(np.asarray(more)), scaled)

    def _log_transform(self, s: ComplexArray) -> ComplexArray:
        with np.errstate(all="ignore"):
            lasting = self.cold.repair_lasting(s)
            colds = {busy: self.tried(busy).log_transform(s) for busy in (self.first, self.last)}

            def parts(step: _Step) -> tuple[float, ComplexArray, ComplexArray]:
                """Return what is kept of the step after, what is lost, and what of the next."""
                after = -np.expm1(log1p(-lasting) + colds[step.busy] - s * step.excess)
                struck = attempt(s, self.rate, step.span)
                lost = attempt_lasting(s, self.rate, step.span) + struck * after
                return math.exp(-self.rate * step.span), lost, struck * (1.0 - after)

            ring = np.zeros((self.stride, s.size), dtype=np.complex128)  # 1 less each transform
            known: dict[_Step, tuple[float, ComplexArray, ComplexArray]] = {}
            for left in range(1, self.count):
                step = self._step(left)
                if step not in known:
                    known[step] = parts(step)
                kept, lost, back = known[step]
                if left <= self.stride:
                    del known[step]
                at = left % self.stride
                ring[at] = kept * ring[at] + lost + back * ring[(left - 1) % self.stride]
            left_out = ring[(self.count - 1) % self.stride]
            return np.asarray(colds[self.first] + log1p(np.asarray(-left_out)))

    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform but for its first failures, from moduli alone, [-]."""
        repair, grown = self.repair_bound(s), s.real + self.rate

        def tried(busy: float) -> FloatArray:
            return np.asarray(1.0 - np.abs(attempt(s, self.rate, busy)) * repair)

        def struck(step: _Step) -> ComplexArray:
            once = np.abs(attempt(s, self.rate, step.span)) * repair
            bound = once * np.exp(-grown * step.excess) / tried(step.busy)
            return np.asarray(bound, dtype=np.complex128)

        paths = self._log_paths(struck, s.size).real
        total = self.log_atom - np.log(tried(self.first)) + paths
        return np.asarray(np.exp(total) - math.exp(self.log_atom) - self.first_failures.bound(s))

    def _visits(self, depth: int) -> Iterator[Visit]:
        """Return the ways to fail up to `depth` times."""
        for number, ways in enumerate(self._ways(depth)[1:], start=1):
            for steps, chosen in ways.items():
                spans = tuple(step.span for step in steps)
                for repeats in range(depth - number + 1 if self.recovery else 1):
                    delay = number * self.recovery + math.fsum(step.excess for step in steps)
                    kept = math.exp(self.log_atom - self.rate * delay)
                    weight = chosen * math.comb(number + repeats - 1, repeats)
                    yield Visit(weight * kept, delay, (*spans, *(self.recovery,) * repeats))

    def _ways(self, depth: int) -> list[_Ways]:
        """Return the steps that fail, and in how many ways, of 0 ... `depth` failures."""

        def failing(step: _Step, after: list[_Ways], number: int) -> Iterator[_Ways]:
            """Return the ways where the step fails, and the cold start after it 0, 1, ... times."""
            for more in range(number):
                steps = (step, *(_Step(step.busy, 0.0, 0.0),) * more)
                yield _with(after[number - 1 - more], steps)

        known: dict[int, list[_Ways]] = {0: [{(): 1}, *({} for _ in range(depth))]}
        begin = self.count - 1
        for left in range(1, self.count):
            # Each failure leads to a path that is one segment shorter than the first path.
            shorter = (begin - left) % self.stride
            onward, after = known[max(left - self.stride, 0)], known[left - 1]
            step = self._step(left)
            known[left] = [
                _sum(onward[n], *failing(step, after, n)) for n in range(depth + 1 - shorter)
            ]
            known.pop(left - self.stride, None)
        start, first = known[begin], _Step(self.first, 0.0, 0.0)
        return [
            _sum(*(_with(start[n - more], (first,) * more) for more in range(n + 1)))
            for n in range(depth + 1)
        ]


def _with(ways: _Ways, steps: tuple[_Step, ...]) -> _Ways:
    """Return the ways where these steps fail as well."""
    return {tuple(sorted(key + steps)): number for key, number in ways.items()}


def _sum(*parts: _Ways) -> _Ways:
    total: dict[tuple[_Step, ...], int] = defaultdict(int)
    for part in parts:
        for key, number in part.items():
            total[key] += number
    return dict(total)
