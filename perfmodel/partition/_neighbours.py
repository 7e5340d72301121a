"""Sets that differ from a set of machines by one machine put in, taken out, or exchanged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._checks import FloatArray, IntArray
from ._slowest import farthest, log_cdfs, panels
from ._sweep import objectives
from .machines import Machines, Subtasks

_ALL = 32  # machines up to which every exchange is computed
_SOME = 48  # else machines to put in, and to take out, of which all pairs are
_FLOOR = -80.0  # a cdf of e^-80 adds no digit, and logarithms stay finite
_CELLS = 1 << 20  # sets times nodes at once

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Changes of a set, the most promising first.

    Parameters
    ----------
    out, into : ndarray of int, [-]
        The machine taken out and the machine put in; -1 where there is none.
    values : ndarray, [time]
        Objectives of the sets after the change, computed to 1e-5, or estimated for many machines.
    """

    out: IntArray
    into: IntArray
    values: FloatArray

    def several(self, best: float) -> tuple[IntArray, IntArray]:
        """Return changes with values below `best`, no machine in two of them."""
        used: set[int] = set()
        kept = []
        for at in np.flatnonzero(self.values < best).tolist():
            pair = {int(self.out[at]), int(self.into[at])} - {-1}
            if not pair & used:
                used |= pair
                kept.append(at)
        return self.out[kept], self.into[kept]


def moves_from(work: float, machines: Machines, members: Flags, *, swaps_only: bool) -> Moves:
    """Return the changes of a set, with values."""
    pairs = _pairs if members.size <= _ALL else _promising
    with np.errstate(all="ignore"):  # what a float cannot hold is inf
        out, into, values = pairs(work, machines, members, swaps_only)
    order = np.argsort(values, kind="stable")
    return Moves(out[order], into[order], values[order])


def _singles(members: Flags) -> tuple[IntArray, IntArray]:
    """Return every machine taken out, unless it is the last, and every machine put in."""
    inside, outside = np.flatnonzero(members), np.flatnonzero(~members)
    leaving = inside if inside.size > 1 else inside[:0]
    out = np.concatenate([leaving, np.full(outside.size, -1)])
    return out, np.concatenate([np.full(leaving.size, -1), outside])


def _pairs(
    work: float, machines: Machines, members: Flags, swaps_only: bool
) -> tuple[IntArray, IntArray, FloatArray]:
    """Compute every change."""
    inside, outside = np.flatnonzero(members), np.flatnonzero(~members)
    out, into = np.repeat(inside, outside.size), np.tile(outside, inside.size)
    if not swaps_only:
        more = _singles(members)
        out, into = np.concatenate([out, more[0]]), np.concatenate([into, more[1]])
    sets = np.repeat(members[None, :], out.size, axis=0)
    rows = np.arange(out.size)
    sets[rows[out >= 0], out[out >= 0]] = False
    sets[rows[into >= 0], into[into >= 0]] = True
    times = work / (sets @ machines.effective_speed)
    return out, into, objectives(machines, sets, times)


def _promising(
    work: float, machines: Machines, members: Flags, swaps_only: bool
) -> tuple[IntArray, IntArray, FloatArray]:
    """Estimate changes of one machine, and exchanges of those of which that is best."""
    estimate = _Estimate(work, machines, members)
    out, into = _singles(members)
    values = estimate(out, into)
    order = np.argsort(values, kind="stable")
    leaving = out[order][out[order] >= 0][:_SOME]
    coming = into[order][into[order] >= 0][:_SOME]
    if leaving.size == 0:
        leaving = np.flatnonzero(members)
    both = np.repeat(leaving, coming.size), np.tile(coming, leaving.size)
    swapped = estimate(*both)
    if swaps_only:
        return (*both, swapped)
    return (
        np.concatenate([out, both[0]]),
        np.concatenate([into, both[1]]),
        np.concatenate([values, swapped]),
    )


class _Estimate:
    """Objectives after a change, by the laws of subtasks of the set as it is.

    In multiples of the mean time of a subtask they change little when one machine of many does.
    """

    def __init__(self, work: float, machines: Machines, members: Flags) -> None:
        self._speed = machines.effective_speed
        self._work, self._total = work, float(self._speed[members].sum())
        time = work / self._total
        tasks = machines.subtasks(time * self._speed)
        own = Subtasks(*(column[members] for column in _columns(tasks)))
        start, number = np.asarray(np.max(own.start)), np.asarray(float(own.start.size))
        far = farthest(own, own.failing, number, start)
        top = np.where(far > 0.0, far, 1e-9 * start)
        share, weights, end = panels(own, own.failing, number, start, top)
        rows = Subtasks(*(column[None] for column in _columns(tasks)))
        logs = log_cdfs(rows, (start + top * share)[None])[0]
        self._logs = np.maximum(logs, _FLOOR).T
        self._own = self._logs[members].sum(axis=0)
        self._start, self._unit = float(start) / time, float(top) / time
        # Between the start and the last node the cdf is taken for what it is there.
        weights = weights.copy()
        weights[-1] += end
        self._weights, self._squares = weights, 2.0 * weights * share

    def __call__(self, out: IntArray, into: IntArray) -> FloatArray:
        """Return the objectives, [time]."""
        found = np.empty(out.size)
        step = max(1, _CELLS // self._own.size)
        for at in range(0, out.size, step):
            block = slice(at, at + step)
            found[block] = self._some(out[block], into[block])
        return found

    def _some(self, out: IntArray, into: IntArray) -> FloatArray:
        leaves, comes = (out >= 0)[:, None], (into >= 0)[:, None]
        logs = self._own - np.where(leaves, self._logs[out], 0.0)
        logs += np.where(comes, self._logs[into], 0.0)
        sf = -np.expm1(np.minimum(logs, 0.0))
        first, second = sf @ self._weights, sf @ self._squares
        spread = np.sqrt(np.maximum(second - first * first, 0.0))
        total = self._total - np.where(leaves[:, 0], self._speed[out], 0.0)
        total += np.where(comes[:, 0], self._speed[into], 0.0)
        return np.asarray(self._work / total * (self._start + self._unit * (first + spread)))


def _columns(tasks: Subtasks) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    return tasks.start, tasks.failing, tasks.shape, tasks.scale
