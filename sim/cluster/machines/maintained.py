"""A plain machine whose planned windows of maintenance are known beforehand.

A job takes the lowest free processors that no window takes away before its planned end. Policies
plan with counts: how many processors are free when, and how many the windows take away. Which of
them a job gets is decided when it starts; where the free ones that last long enough are too few
then, it waits on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..._checks import kind_of
from ...records import FloatArray, IntArray
from ..failures.maintenance import Maintenance
from .flat import Flat, NumberedOccupancy

if TYPE_CHECKING:
    from ..loop.jobs import Job
    from ..loop.protocols import PooledOccupancy

_NOTHING = Maintenance((), 1)


@dataclass(frozen=True, slots=True)
class Maintained(Flat):
    """The description: a plain machine and windows, of which it knows those that are planned."""

    maintenance: Maintenance = _NOTHING

    def occupancy(self, *, numbered: bool) -> PooledOccupancy:
        """Return the empty machine, always numbered."""
        del numbered
        return _Maintained(self)


def maintained(machine: Flat, maintenance: Maintenance) -> Flat:
    """Return `machine` with the knowledge of its planned windows.

    Parameters
    ----------
    machine : Flat
        Of as many nodes as `maintenance` says.
    maintenance : Maintenance
        Its windows; give ``maintenance.failures()`` to the replay as well, alone or together with
        other failures, for they take the nodes out.

    Returns
    -------
    Flat
        `machine` itself where nothing is planned.

    Raises
    ------
    ValueError
        If the numbers of nodes differ.
    TypeError
        If an argument is not of the kind given above.

    Examples
    --------
    >>> from sim.cluster import Maintenance, Workload, flat, replay
    >>> from sim.traces import Window
    >>> jobs = Workload(submit=[0, 0], runtime=[9, 9], walltime=[9, 9], processors=[2, 1])
    >>> known = Maintenance((Window(5.0, 20.0, "planned", ((0, 1),)),), nodes=4)
    >>> played = replay(jobs, maintained(flat(4), known), failures=known.failures())
    >>> played.jobs["start"].tolist()  # the second waits for the two nodes that stay
    [0.0, 9.0]
    """
    kind_of("machine", machine, Flat, "make one with flat(processors)")
    kind_of("maintenance", maintenance, Maintenance, "make one with Maintenance(windows, nodes)")
    if maintenance.nodes != machine.nodes:
        raise ValueError(
            f"maintenance must be of {machine.nodes} nodes, as the machine, got {maintenance.nodes}"
        )
    if not maintenance.planned():
        return machine
    return Maintained(machine.processors, machine.processors_per_node, maintenance)


class _Maintained(NumberedOccupancy):
    """Processors with numbers, each with the instant until which it may be planned for."""

    def __init__(self, machine: Maintained) -> None:
        super().__init__(machine)
        self._clock: Callable[[], float] = lambda: -np.inf
        node = np.arange(machine.processors) // machine.processors_per_node
        windows = machine.maintenance.planned()
        self._windows = [
            (window.start, window.end, np.flatnonzero(np.isin(node, members)))
            for window in windows
            for members in (machine.maintenance.members(window),)
        ]
        self._until = np.full(machine.processors, np.inf)
        self._next_end = -np.inf  # of a window, after which `_until` is out of date

    def watch(self, clock: Callable[[], float]) -> None:
        """Take the clock of the replay, [s]."""
        self._clock = clock

    def closures(self) -> list[tuple[float, float, int]]:
        """Return (from [s], until [s], processors) of what windows will take away."""
        now = self._clock()
        back = np.full(self._until.size, -np.inf)
        for until, members in (*self._out.values(), *self._held):
            back[members] = np.maximum(back[members], until)
        found = []
        for start, end, members in self._windows:
            if end <= now:
                continue
            # What is out then already is not taken away before it would have come back.
            begins, counts = np.unique(
                np.maximum(np.maximum(back[members], start), now), return_counts=True
            )
            pairs = zip(begins.tolist(), counts.tolist(), strict=True)
            found += [(begin, end, count) for begin, count in pairs if begin < end]
        return found

    def place(self, job: Job) -> IntArray | None:
        """Return the lowest processors that are free until the planned end, or None."""
        if job.processors > self.idle:
            return None
        now = self._clock()
        until = self._free_until(now)
        able = np.flatnonzero(self._is_free & (until > now) & (until >= now + job.planned))
        return able[: job.processors] if able.size >= job.processors else None

    def _free_until(self, now: float) -> FloatArray:
        """Return when the next window of each processor begins, or the one that lasts began."""
        if now >= self._next_end:
            self._windows = [window for window in self._windows if window[1] > now]
            self._until[:] = np.inf
            for start, _, members in reversed(self._windows):
                self._until[members] = start
            self._next_end = min((end for _, end, _ in self._windows), default=np.inf)
        return self._until
