"""All that an advisor remembers: frozen, so that it is written down and read back as it is.

A named tuple, because an event makes one or two anew, which takes a third of the time of
`dataclasses.replace`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .belief import Belief
from .copies import Copies
from .phases import Phases
from .steps import Pace
from .tracked import Tracked


class Memory(NamedTuple):
    """What an advisor remembers from one event to the next.

    Parameters
    ----------
    belief : Belief or Phases
        A probability for each failure rate; of `Phases`, whether there are two is learnt.
    cost, latency : Tracked
        Of checkpoints: for how long the job stands still, and from then until it is durable.
    running : bool
        Whether the job is thought to run.
    last : float, [s]
        Time of the last event; -inf before the first.
    segment : float, [s]
        When the work began that no checkpoint holds; nan if the job does not run.
    interval, next_checkpoint : float, [s]
        Chosen for that work; inf if no checkpoint is due.
    bound : str
        What made the interval another than the best one.
    begun, draining : float, [s]
        Since when a checkpoint is written, or on its way; nan if none is.
    failures : int
        How many there were.
    watched : float, [s]
        Time for which the job ran.
    pace : Pace
        How fast it steps, if it tells.
    early : Belief or None
        A probability for each failure rate from a failure until the next checkpoint; None if that
        is not told apart.
    age : float, [s]
        For how long the job ran since the last failure.
    struck : bool
        Whether no checkpoint was written since then.
    copies : Copies or None
        What is known of levels below the last; None without.
    """

    belief: Belief | Phases
    cost: Tracked
    latency: Tracked
    running: bool = False
    last: float = -math.inf
    segment: float = math.nan
    interval: float = math.nan
    next_checkpoint: float = math.inf
    bound: str = ""
    begun: float = math.nan
    draining: float = math.nan
    failures: int = 0
    watched: float = 0.0
    pace: Pace = Pace()
    early: Belief | None = None
    age: float = 0.0
    struck: bool = False
    copies: Copies | None = None

    def learnt(self, time: float, *, failed: bool) -> dict[str, Belief | Phases]:
        """Return the belief that changes in `time` seconds; `failed` if a failure ends them."""
        if isinstance(self.belief, Phases):
            return {"belief": self.belief.after(time, self.struck, failed=failed)}
        early = self.struck and self.early is not None
        known = self.present
        if self.running:
            known = known.after_silence(time, self.age)
        return {"early" if early else "belief": known.after_failure() if failed else known}

    @property
    def present(self) -> Belief:
        """What is known of the failure rate as things are now."""
        if isinstance(self.belief, Phases):
            return self.belief.now(self.struck)
        return self.early if self.struck and self.early is not None else self.belief

    @property
    def rate(self) -> float:
        """The mean failure rate as things are now, [1/s]."""
        if isinstance(self.belief, Phases):
            return self.belief.rate(self.struck)
        return self.present.rate

    @property
    def level(self) -> int:
        """On which level the next checkpoint is due, from 1."""
        return 1 if self.copies is None else self.copies.level

    @property
    def waits(self) -> bool:
        """Whether the next checkpoint must wait until the last one is durable."""
        on_its_way = self.draining == self.draining
        return on_its_way and (self.copies is None or self.copies.level == self.copies.last)

    @property
    def cost_next(self) -> float:
        """Mean cost of the next checkpoint, [s]."""
        lower = () if self.copies is None else self.copies.costs
        return (*lower, self.cost)[self.level - 1].mean

    def cost_of(self, interval: float = math.inf) -> float:
        """Return the mean cost of a checkpoint, [s], if one is written every `interval` seconds.

        An `interval` of inf is the best one.
        """
        mean = self.cost.mean
        return mean if self.copies is None else self.copies.mean_cost(mean, interval)
