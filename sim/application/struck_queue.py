"""A queue that one failure strikes, and how long the struck job then waits to run again.

The rules, in words, are the whole specification:

- Jobs arrive at random times of a given mean gap. Each runs on one of `places` equal places, first
  come, first served; its running time is drawn when it starts. The queue is empty at time 0.
- At time `strike` a place chosen at random fails. If a job runs there it is struck; otherwise the
  replication is not counted. The place is out for `downtime`.
- The struck job comes back by its `option`. ``head``: at once, before all who wait. ``rear``: at
  once, and starts only when no other job waits. ``later``: after `rest`, behind those that then
  wait.
- At one instant an arrival or a return comes before an end, and an end before a repair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from .._checks import nonnegative, one_of, positive, whole
from ..engine import Engine, Handle
from ..samplers import FloatArray, Recorded, Sampler
from ._arguments import Method, by_kernel, only_sampler, unplayed
from ._replications import Fill, replicate

Option: TypeAlias = Literal["head", "rear", "later"]

_OPTIONS: tuple[Option, ...] = ("head", "rear", "later")
_BLOCK = 1024  # replications that share a stream; both methods draw from it in the same order


@dataclass(frozen=True, slots=True)
class _Queue:
    gap: float
    places: int
    strike: float
    downtime: float
    option: Option
    rest: float


class _Play:
    """The rules as events on an engine."""

    def __init__(self, queue: _Queue, running: Sampler, rng: np.random.Generator) -> None:
        self._queue, self._running, self._rng = queue, running, rng
        self._engine = Engine()
        self._ends: list[Handle | None] = [None] * queue.places
        self._broken = -1
        self._waiting = 0
        self._ahead = -1  # who waits before the struck job; -1 while it is not in the queue
        self.delay = math.nan

    def run(self) -> float:
        self._engine.schedule(self._queue.strike, self._strike)
        self._engine.schedule(self._queue.gap * self._rng.standard_exponential(), self._arrive)
        self._live = True
        while self._live:
            self._engine.step()
        return self.delay

    def _arrive(self) -> None:
        self._engine.schedule(self._queue.gap * self._rng.standard_exponential(), self._arrive)
        self._waiting += 1
        self._start()

    def _strike(self) -> None:
        place = int(self._rng.random() * self._queue.places)
        end = self._ends[place]
        if end is None:
            self._live = False
            return
        end.cancel()
        self._ends[place] = None
        self._broken = place
        self._engine.schedule(self._queue.downtime, self._repair)
        if self._queue.option == "later":
            self._engine.schedule(self._queue.rest, self._return)
        else:
            self._return()

    def _return(self) -> None:
        self._ahead = 0 if self._queue.option == "head" else self._waiting
        self._start()

    def _repair(self) -> None:
        self._broken = -1
        self._start()

    def _start(self) -> None:
        """Start who comes next on every free place, the lowest first."""
        for place, end in enumerate(self._ends):
            if end is not None or place == self._broken:
                continue
            rear = self._queue.option == "rear"
            if self._ahead >= 0 and (self._waiting == 0 if rear else self._ahead == 0):
                self.delay = self._engine.now - self._queue.strike
                self._live = False
                return
            if not self._waiting:
                return
            self._waiting -= 1
            self._ahead = max(self._ahead - 1, 0) if self._ahead >= 0 else -1
            self._begin(place)

    def _begin(self, place: int) -> None:
        def end() -> None:
            self._ends[place] = None
            self._start()

        self._ends[place] = self._engine.schedule(self._running.sample(self._rng), end)


def simulate_delays_after_failure(
    *,
    gap: float,
    places: int,
    running: Sampler,
    strike: float,
    option: Option,
    downtime: float = 0.0,
    rest: float = 0.0,
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> FloatArray:
    """Play the queue many times; return how long each struck job waits, [time].

    Parameters
    ----------
    gap : float, [time]
        Mean time between two arrivals; > 0.
    places : int
        How many jobs run at a time; >= 1.
    running : Sampler, [time]
        Running times. With ``option="rear"`` the mean must stay below `gap` times `places`, or
        the queue never empties.
    strike : float, [time]
        When the failure comes: late enough to have forgotten the empty start; > 0.
    option : {"head", "rear", "later"}
        Where the struck job stands when it comes back.
    downtime, rest : float, [time]
        How long the place is out, and with ``later`` the job away; >= 0.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, by either method; more replications only append; >= 0.
    method : {"kernel", "events"}
        The compiled loop, or the readable model it must agree with. A recorded list, and a
        sampler that is not of `sim.samplers`, is always played by the latter.

    Returns
    -------
    ndarray, [time]
        Shape (replications,); nan where the failure struck no job.

    Raises
    ------
    ValueError
        If the option is unknown.

    Examples
    --------
    >>> from sim.samplers import Deterministic
    >>> delays = simulate_delays_after_failure(
    ...     gap=20.0, places=1, running=Deterministic(10.0), strike=500.0, option="head",
    ...     downtime=3.0, replications=1000, seed=1,
    ... )
    >>> set(delays[~np.isnan(delays)].tolist())
    {3.0}
    """
    one_of("option", option, _OPTIONS)
    only_sampler("running", running)
    wants_kernel = by_kernel(method)
    queue = _Queue(
        positive("gap", gap),
        whole("places", places),
        positive("strike", strike),
        nonnegative("downtime", downtime),
        option,
        nonnegative("rest", rest),
    )

    def play(rng: np.random.Generator) -> float:
        return _Play(queue, unplayed(running), rng).run()

    compiled = _kernel(queue, running) if wants_kernel else None
    return replicate(play, compiled, replications=replications, seed=seed, block=_BLOCK)


def _kernel(queue: _Queue, running: Sampler) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from . import kernels

    if isinstance(running, Recorded):
        return None  # the loop does not count its starts
    return kernels.filled_by(
        kernels.delays_after_failure,
        queue.gap,
        queue.places,
        running,
        queue.strike,
        _OPTIONS.index(queue.option),
        queue.downtime,
        queue.rest,
    )
