"""The law of a renewed job by sums: while at most two failures can be over, or of whole times.

What failures cost is summed over the segments that each of them leaves undone. No lattice, no
transform: one failure is a sum over the cells of the first uptime, a second one an integral of
such sums over the level of the first. Where all times are whole numbers, any number of failures
is a sum over these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import integrate

from validation.judge.chance import FloatArray
from validation.judge.verdict import Verdict

from ..laws import Law, predictable

__all__ = ["FAULTS", "at_cusps", "at_whole_times", "mutant"]

FAULTS = (
    "cusps ignored",
    "atoms on the wrong side",
    "a ten-thousandth of the error stated",
    "steps after many failures ignored",
)
_ROUNDING = 4e-15  # of a time, within which a law may step
_WITNESS = 2e-10  # of the integrals
_POWER = 12.0  # in which integrals begin
_LEFT = 1e-13  # chance of more failures
_LOOKED = 20_000  # times that are looked at

Predict = Callable[..., Any]


class _Job:
    """The cells of a job: what an uptime loses that ends after so many segments."""

    def __init__(self, *, uptime: Law, downtime: float | Law, **job: Any) -> None:
        self.law = predictable(uptime)
        work, cost = job["work"], job["checkpoint_cost"]
        self.count = max(1, math.ceil(work / job["interval"] * (1.0 - 2.0**-48)))
        self.period = job["interval"] + cost
        final = cost if job.get("final_checkpoint", True) else 0.0
        self.last = work - (self.count - 1) * job["interval"] + final
        self.recovery = job.get("recovery_cost", 0.0)
        self.start = (self.count - 1) * self.period + self.last
        self.downs = downtime.parameters[0] if isinstance(downtime, Law) else (downtime,)

    def ends(self, left: int, recovery: float) -> list[tuple[float, float, int]]:
        """Return the ends of cells of an uptime, and the segments left after each."""
        found = []
        for done in range(left):
            low = done * self.period + (recovery if done else 0.0)
            length = self.last if done == left - 1 else self.period
            found.append((low, done * self.period + recovery + length, left - done))
        return found

    def passes(self, left: int) -> float:
        """Return the chance that nothing strikes any more after a failure."""
        return float(self.law.sf(self.recovery + (left - 1) * self.period + self.last))

    def lost_once(self, y: float, left: int, recovery: float) -> float:
        """Return the chance to lose at most y by one failure and to finish then."""
        if y < 0.0:
            return 0.0
        total = 0.0
        for low, high, after in self.ends(left, recovery):
            top = min(high, (left - after) * self.period + y)
            if top > low:
                below = float(self.law.cdf(low)) if low > 0.0 else 0.0
                total += (float(self.law.cdf(top)) - below) * self.passes(after)
        return total

    def lost_twice(self, y: float) -> float:
        """Return the chance to lose at most y by two failures and to finish then."""
        total = 0.0
        for low, high, after in self.ends(self.count, 0.0):
            saved = (self.count - after) * self.period
            top = min(high, saved + y)
            if top <= low:
                continue
            kinks = {low, top}
            for begin, end, later in self.ends(after, self.recovery):
                shift = (after - later) * self.period
                kinks |= {saved + y - (begin - shift), saved + y - (end - shift)}
            edges = sorted(one for one in kinks if low <= one <= top)
            for a, b in pairwise(edges):
                total += self._piece(y + saved, a, b, after)
        return total

    def _piece(self, y: float, a: float, b: float, after: int) -> float:
        half = 0.5 * (b - a)
        total = 0.0
        # From either end in a power of the distance: densities and cusps are steep there.
        for end, way in ((a, 1.0), (b, -1.0)):

            def value(u: float, end: float = end, way: float = way) -> float:
                x = end + way * half * u**_POWER
                change = _POWER * half * u ** (_POWER - 1.0)
                later = self.lost_once(y - x, after, self.recovery)
                return float(self.law.pdf(x)) * float(change) * later

            total += integrate.quad(value, 0.0, 1.0, epsabs=1e-13, epsrel=1e-11, limit=200)[0]
        return total


def _known(job: _Job, t: float) -> float:
    """Return the cdf at a time before which no third failure is over."""
    total = float(job.law.sf(job.start))
    atoms = job.law.samples if hasattr(job.law, "samples") else None
    for one in job.downs:
        y = t - job.start - job.recovery - one
        total += job.lost_once(y, job.count, 0.0) / len(job.downs)
        for other in job.downs if y - min(job.downs) >= 0.0 else ():
            share = 1.0 / len(job.downs) ** 2
            if atoms is None:
                total += share * job.lost_twice(y - other)
                continue
            for x in atoms:
                for low, high, after in job.ends(job.count, 0.0):
                    if low < x <= high:
                        rest = y - other - (x - (job.count - after) * job.period)
                        total += share / atoms.size * job.lost_once(rest, after, job.recovery)
    return total


def at_cusps(predict: Predict, budget: Any, *, promised: float, **job: Any) -> Verdict:
    """Judge the law at its cusps and atoms and between, and that its error is no smaller."""
    del budget
    own = _Job(**job)
    found = predict(**{k: predictable(v) if isinstance(v, Law) else v for k, v in job.items()})
    recorded = hasattr(own.law, "samples")  # of times that floats hold
    rounding = 0.0 if recorded else _ROUNDING
    shortest, base = min(own.downs), own.start + own.recovery
    begins = [base + one for one in own.downs]
    begins += [base + one + other for one in own.downs for other in own.downs]
    if recorded:
        once = [x - own.period * math.floor(x / own.period) for x in own.law.samples]
        begins += [base + min(own.downs) + lost for lost in once]
    near = shortest * np.array([-1e-6, 0.0, 1e-9, 1e-5, 3.1e-3, 0.0717, 0.377, 0.9])
    times = np.unique(np.add.outer(begins, near))
    times = times[(times >= own.start) & (times < base + 3.0 * shortest)]
    worst, at = -math.inf, (0.0, 0.0)
    for t in times:
        value = float(found.cdf(t))
        low, high = (_known(own, t * (1.0 + side * rounding)) for side in (-1.0, 1.0))
        beyond = max(low - value, value - high)
        if beyond > worst:
            worst, at = beyond, (value, min(max(value, low), high))
    return _verdict(found, *at, promised)


def _by_whole_times(job: _Job, end: int) -> FloatArray:
    """Return the chance to lose each whole time before `end`, of recorded uptimes."""
    known, chance = np.unique(job.law.samples, return_counts=True)
    chance = chance / chance.sum()
    alive, done = {job.count: np.eye(1, end)[0]}, np.zeros(end)
    recovery = 0.0
    while sum(float(one.sum()) for one in alive.values()) > _LEFT:
        after: dict[int, FloatArray] = {}
        for left, mass in alive.items():
            for low, high, then in job.ends(left, recovery):
                inside = (known > low) & (known <= high) | (known == 0.0) & (low == 0.0)
                for x, share in zip(known[inside], chance[inside], strict=True):
                    cost = int(x - job.period * (left - then) + job.downs[0])
                    into = after.setdefault(then, np.zeros(end))
                    into[cost:] += share * mass[: end - cost]
        alive, recovery = after, job.recovery
        for left, mass in alive.items():
            done += job.passes(left) * mass
    done = np.append(np.zeros(int(recovery)), done)[:end]  # read back once more than lost
    done[0] = float(job.law.sf(job.start))
    return done


def at_whole_times(predict: Predict, budget: Any, *, promised: float, **job: Any) -> Verdict:
    """Judge the law of recorded uptimes after any number of failures; all times are whole."""
    del budget
    own = _Job(**job)
    found = predict(**{k: predictable(v) if isinstance(v, Law) else v for k, v in job.items()})
    known = np.cumsum(_by_whole_times(own, 1 + int(found.ppf(0.999) - own.start)))
    times = np.arange(known.size)[:: 1 + known.size // _LOOKED]
    values = np.append(found.cdf(own.start + times), found.cdf(own.start + times + 0.5))
    right = np.tile(known[times], 2)
    worst = int(np.argmax(np.abs(values - right)))
    return _verdict(found, float(values[worst]), float(right[worst]), promised)


def _verdict(found: Any, value: float, known: float, promised: float) -> Verdict:
    beyond = abs(value - known) - found.error - _WITNESS
    note = f"off by {beyond:.3g} more than stated" if beyond > 0.0 else ""
    if found.error > promised:
        note = f"states {found.error:.3g}, promised {promised:g}"
    return Verdict("exact", value, known, 0.0, 0.0, found.error, passed=not note, note=note)


class _Changed:
    """A law with its cdf changed."""

    def __init__(self, cdf: Callable[[Any], Any], error: float, right: Any) -> None:
        self.cdf, self.error, self.ppf = cdf, error, right.ppf


def mutant(fault: str, function: Callable[..., Any], **job: Any) -> Any:
    """Return the right law with a fault."""
    found = function(**job)
    if fault == "a ten-thousandth of the error stated":
        return replace(found, error=found.error / 1e4)
    if fault == "atoms on the wrong side":
        return _Changed(lambda t: found.cdf(np.asarray(t) * (1.0 - 1e-12)), found.error, found)
    grid = np.linspace(found.atom[0], found.seams[-1], 4096)
    known = found.cdf(grid)

    def smooth(t: Any) -> Any:
        return np.interp(t, grid, known, left=0.0)

    if fault == "cusps ignored":
        return _Changed(smooth, found.error, found)
    late = float(found.ppf(0.9))
    return _Changed(lambda t: np.where(t > late, smooth(t), found.cdf(t)), found.error, found)
