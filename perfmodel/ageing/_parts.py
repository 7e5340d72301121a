"""The law of the time that failures cost as a sum of parts, by the number of failures.

Where uptimes begin with an infinite density, or have atoms, so has the law of the makespan at
every multiple of downtime and recovery. With so many failures those times are fixed, and stay off
the lattice: a part is a curve that begins at 0, and the places at which it stands. Curves come
from lattices that are nested at 0, where alone they are steep.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import FloatArray, IntArray
from ..lifetimes import Lifetime
from ._lattice import Masses
from .makespan import Scalars

_NEST, _WIDER = 32, 4  # of lattices, one within the other, and of those before there are kinks
_SAFETY = 1.5  # times the change of what is extrapolated, which is some times its error
_FEWEST, _FEW, _POINTS = 2**11, 2**12, 2**14  # of a lattice
_WORK, _MOST_WORK = 2**17, 2**20  # points times segments
_CHUNK, _KEPT = 2**20, 2**22  # numbers at once, and of a law
_RESOLVED = 1e-7  # probability in the first step of the finest lattice
_BEYOND = 8  # last points of a lattice, of which coarser ones know too little
_ADDED = 3  # times the most different sums, that are added up in all
_LOOKED = 2**12  # times at which a lattice is compared
_ROUNDED = 16  # first points of a lattice of which the step is the rounding of times
_GONE = 1e-10  # probability that is left out


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Times with masses, sorted."""

    at: FloatArray
    mass: FloatArray

    @classmethod
    def merged(cls, at: FloatArray, mass: FloatArray, unit: float) -> Atoms:
        """Return atoms of which those within the rounding of `unit` are one."""
        order = np.argsort(at)
        at, mass = at[order], mass[order]
        begins = np.flatnonzero(np.diff(at, prepend=-np.inf) > 1e-13 * unit)
        return cls(at[begins], np.add.reduceat(mass, begins) if at.size else mass)

    def plus(self, other: Atoms, unit: float) -> Atoms:
        """Return the law of the sum with an independent time."""
        at = np.add.outer(self.at, other.at).ravel()
        return Atoms.merged(at, np.multiply.outer(self.mass, other.mass).ravel(), unit)


def atoms_of(law: Lifetime) -> Atoms | None:
    """Return the atoms of a law that has nothing else, where they are known."""
    known = law.atoms()
    return None if known is None else Atoms(*known)


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A cdf by monotone cubics, in units of its end; of times below 0 it is 0."""

    line: Any
    end: float

    def __call__(self, t: FloatArray) -> FloatArray:
        return np.where(t >= 0.0, self.line(np.clip(t / self.end, 0.0, 1.0)), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Once:
    """The cdf of what a single failure loses, in closed form."""

    law: Lifetime
    job: Scalars

    def __call__(self, t: FloatArray) -> FloatArray:
        job = self.job
        number = np.arange(job.count)
        alive = self.law.sf(job.recovery + job.period * number[::-1] + job.last)
        low = job.period * number
        base = np.where(number > 0, self.law.cdf(low), 0.0)
        found = np.zeros(t.shape)
        for place in np.flatnonzero(alive * (1.0 - base) > 1e-14):
            end = job.last if place == job.count - 1 else job.period
            gone = self.law.cdf(low[place] + np.minimum(t, end)) - base[place]
            found += alive[place] * gone
        return np.where(t >= 0.0, found, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Beyond:
    """The cdf of what a time exceeds a shorter one by."""

    law: Lifetime
    begin: float

    def __call__(self, t: FloatArray) -> FloatArray:
        return np.where(t >= 0.0, self.law.cdf(self.begin + t), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The cdf of times with masses, sorted, of which `below` has the sums, from 0 on."""

    at: FloatArray
    below: FloatArray

    @classmethod
    def of(cls, atoms: Atoms) -> Steps:
        """Return the cdf of atoms."""
        return cls(atoms.at, np.append(0.0, np.cumsum(atoms.mass)))

    @property
    def end(self) -> float:
        """The last of the times, [time]."""
        return float(self.at[-1])

    def __call__(self, t: FloatArray) -> FloatArray:
        return self.below[np.searchsorted(self.at, t, side="right")]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Atoms, each of them the begin of a curve; without a curve, the atoms themselves."""

    atoms: Atoms
    curve: Callable[[FloatArray], FloatArray] = Steps(np.zeros(1), np.array([0.0, 1.0]))

    @property
    def chance(self) -> float:
        """The probability of the part, [-]."""
        return float(self.atoms.mass.sum() * self.curve(np.array([math.inf]))[0])

    @property
    def end(self) -> float:
        """Up to where the part is known by points, [time]."""
        return float(self.atoms.at[-1]) + getattr(self.curve, "end", 0.0)

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return the probability of at most `t`, [-]."""
        at, mass = self.atoms.at, self.atoms.mass
        flat, end = t.ravel(), getattr(self.curve, "end", math.inf)
        if isinstance(self.curve, Steps):
            flat = flat + 1e-13 * np.abs(flat)
        # What ends before t counts in full; what begins later, not at all.
        first = np.searchsorted(at, flat - end, side="right")
        many = np.searchsorted(at, flat, side="right") - first
        found = np.append(0.0, np.cumsum(mass))[first]
        if end < math.inf:
            found *= self.curve(np.array([end]))
        total, inside = np.cumsum(many), np.flatnonzero(many)
        for some in np.split(inside, np.flatnonzero(np.diff(total[inside] // _CHUNK)) + 1):
            owner = np.repeat(some, many[some])
            place = np.arange(owner.size) + (first - total + many)[owner] + (total - many)[some[:1]]
            since = self.curve(flat[owner] - at[place]) * mass[place] if owner.size else owner
            found += np.bincount(owner, since, minlength=flat.size)
        return found.reshape(t.shape)


def doubt(found: Part, known: Part) -> float:
    """Return 1.5 times how much a part of a lattice is off from what is known.

    A lattice blurs the sums of many failures, so that it does not show its own error.
    """
    begins, more = known.atoms.at, known.curve.at if isinstance(known.curve, Steps) else np.zeros(1)
    most = min(_LOOKED, max(_CHUNK // begins.size, 64))
    few = begins[:: 1 + begins.size // (64 if more.size > 1 else most)]
    at = np.add.outer(few, more[:: 1 + few.size * more.size // most]).ravel()
    at = np.append(at, at * (1.0 - 1e-12))
    return _SAFETY * float(np.max(np.abs(found.cdf(at) - known.cdf(at))))


def curves(
    masses: Callable[[float, int], Masses],
    ends: tuple[float, float, float],
    failures: int,
    *,
    points: int,
    unresolved: Callable[[float], float],
    after: int = 0,
    halved: bool = False,
) -> list[tuple[Curve, float]]:
    """Return curves of what so many failures cost, and any more, each with its error.

    Parameters
    ----------
    masses : callable
        Masses of one failure on a lattice of this step and so many points.
    ends : tuple of float, [time]
        Of the longest lattice, of the one that shows kinks, and of one short enough to be the last.
    failures, after : int, [-]
        At most so many, and more than so many.
    points : int, [-]
        Of every lattice; `halved` at each one within, which still are finer.
    unresolved : callable
        What is lost in a first step of this length; a lattice that leaves little is the last.
    """
    known: list[FloatArray] = []
    at: list[FloatArray] = []
    slopes: list[FloatArray] = []
    errors = np.zeros(failures - after + 1)
    end, knee, shortest = ends
    while True:
        step = end / points
        whole, change = _by_two(masses(step, points), points, failures, after=after)
        within = points - _BEYOND
        wide = step * within > knee
        inner = max(end / _WIDER, knee) if wide else end / _NEST
        ends_here = end <= shortest or (not wide and unresolved(step) < _RESOLVED)
        first = 0 if ends_here else min(math.ceil(inner / step), within - 1)
        seen = _ROUNDED if end <= shortest else first  # nearer to 0 than times are rounded
        errors = np.maximum(errors, change[:, seen:within].max(axis=1))
        at.append(np.asarray(step * np.arange(float(first), within)))
        known.append(whole[:, first:within])
        slopes.append(_slopes(step, whole)[:, first:within])
        if ends_here:
            break
        if wide and halved:
            points = max(points // 2, min(points, _FEWEST))
        elif end < knee:  # where alone the law is steep
            points = min(points, _FEWEST)
        end = inner
    places = np.concatenate(at[::-1])
    rows = (np.concatenate(one[::-1], axis=1) for one in (known, slopes))
    return [_curve(places, *each) for each in zip(*rows, errors, strict=True)]


def size(job: Scalars, *, most: int | None = None) -> int:
    """Return of how many points lattices of a job are, at most so many times its segments."""
    limit = _POINTS if most is None or most > _WORK else _FEW
    if most is None:
        most = max(_WORK, min(_FEW * job.count, _MOST_WORK))
    return int(2 ** math.floor(math.log2(min(max(most / job.count, _FEWEST), limit))))


def by_atoms(uptimes: Atoms, job: Scalars, most: int) -> tuple[list[Atoms], list[Part]]:
    """Return what 1, 2, ... failures of recorded uptimes lose, until nearly all jobs are done.

    Or until there are more than so many different sums, or some times as many in all; then also
    what one failure more loses, as parts.
    """
    unit = job.busy + job.recovery
    x, mass = uptimes.at, uptimes.mass
    begun = {job.count: Atoms(np.zeros(1), np.ones(1))}
    found: list[Atoms] = []
    recovery, added = 0.0, 0
    passed = [
        float(mass[x > job.recovery + job.period * (left - 1) + job.last].sum())
        for left in range(job.count + 1)
    ]
    while True:
        after: dict[int, list[Atoms]] = {}
        for left, so_far in begun.items():
            cell = _saved(x, left, recovery, job)
            for done in np.unique(cell[cell < left]):
                inside = cell == done
                lost = Atoms(x[inside] - job.period * done, mass[inside])
                after.setdefault(left - int(done), []).append(so_far.plus(lost, unit))
        recovery = job.recovery
        begun = {left: _merged(several, unit) for left, several in after.items()}
        done_ = [Atoms(one.at, one.mass * passed[left]) for left, one in begun.items()]
        found.append(_merged(done_, unit))
        going = sum(float(one.mass.sum()) * (1.0 - passed[left]) for left, one in begun.items())
        sums = sum(one.at.size for one in begun.values()) * x.size
        added += sums
        if going < _GONE:
            return found, []
        if sums > most or added > _ADDED * most:
            return found, _one_more(begun, uptimes, np.array(passed), job)


def _saved(x: FloatArray, left: int, recovery: float, job: Scalars) -> IntArray:
    """Return how many of the segments that are left uptimes save."""
    ends = recovery + job.period * np.arange(left) + job.period
    ends[-1] = recovery + job.period * (left - 1) + job.last
    return np.searchsorted(ends, x)


def _one_more(
    begun: dict[int, Atoms], uptimes: Atoms, passed: FloatArray, job: Scalars
) -> list[Part]:
    """Return what one failure more loses: records, each of them the begin of all sums so far."""
    cells = np.array([_saved(uptimes.at, left, job.recovery, job) for left in begun])
    kinds, kind = np.unique(cells, axis=1, return_inverse=True)
    at = np.concatenate([one.at for one in begun.values()])
    if kinds.shape[1] * at.size > _KEPT:
        return []
    order, sizes = np.argsort(at), [one.at.size for one in begun.values()]
    mass = np.concatenate([one.mass for one in begun.values()])[order]
    found = []
    for number, saved in enumerate(kinds.T):
        after = np.array(list(begun)) - saved
        chance = mass * np.repeat(np.where(after > 0, passed[after], 0.0), sizes)[order]
        some = chance > 0.0
        if some.any():
            inside = kind.ravel() == number
            lost = uptimes.at[inside] - job.period * saved[after > 0][0]
            begin = Atoms(lost, uptimes.mass[inside])
            found.append(Part(begin, Steps.of(Atoms(at[order][some], chance[some]))))
    return found


def _merged(several: list[Atoms], unit: float) -> Atoms:
    at, mass = (np.concatenate([getattr(one, name) for one in several]) for name in ("at", "mass"))
    return Atoms.merged(at, mass, unit)


def _by_two(
    masses: Masses, points: int, failures: int, *, after: int
) -> tuple[FloatArray, FloatArray]:
    """Return cdfs by the number of failures, and for more, and their errors, by two lattices."""
    fine = _below(masses.by_failures(points, failures, after=after))
    coarse = _below(masses.coarser().by_failures(points // 2, failures, after=after))
    fine[:, 0] = coarse[:, 0] = 0.0
    ours = np.arange(float(points))
    theirs = ours[::2]
    # Of an atom between two points the third difference has all, the other change a part.
    jumps = np.abs(np.diff(fine, 3, axis=1, prepend=np.zeros((len(fine), 2)), append=fine[:, -1:]))
    return fine, _SAFETY * np.abs(fine - _between(theirs, coarse, ours)) + jumps


def _below(masses: FloatArray) -> FloatArray:
    """Return the cdf at each point, by Euler and Maclaurin: a mass lies on both sides of it."""
    slope = np.zeros(masses.shape)
    slope[:, 1:-1] = masses[:, 2:] - masses[:, :-2]
    return np.asarray(np.cumsum(masses, axis=1) - 0.5 * masses - slope / 24.0)


def _between(at: FloatArray, rows: FloatArray, wanted: FloatArray) -> FloatArray:
    from scipy.interpolate import PchipInterpolator  # takes long to import

    with np.errstate(over="ignore"):
        return np.asarray(PchipInterpolator(at, rows, axis=1)(np.minimum(wanted, at[-1])))


def _slopes(step: float, rows: FloatArray) -> FloatArray:
    from scipy.interpolate import PchipInterpolator

    at = np.arange(rows.shape[1])
    with np.errstate(over="ignore"):  # harmonic means of next to nothing
        return np.asarray(PchipInterpolator(at, rows, axis=1).derivative()(at) / step)


def _curve(
    at: FloatArray, values: FloatArray, slopes: FloatArray, error: float
) -> tuple[Curve, float]:
    """Return a curve through values, and its error; one that fell is wrong by as much."""
    from scipy.interpolate import CubicHermiteSpline

    end = float(at[-1])
    at, slopes = at / end, slopes * end  # cubes of times may leave the floats
    rising = np.maximum.accumulate(np.maximum(values, 0.0))
    fall = float(np.max(np.abs(rising - values)))
    secants = np.diff(rising) / np.diff(at)
    most = 3.0 * np.minimum(np.append(secants, secants[-1]), np.append(secants[0], secants))
    line = CubicHermiteSpline(at, rising, np.clip(slopes, 0.0, most))  # rises, by Fritsch
    return Curve(line, end), float(error) + fall
