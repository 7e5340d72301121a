"""A long training run with copies in memory between its durable checkpoints: where time goes.

What happens:

- The run computes for `interval`, then stands still for `memory_cost` while a copy goes into
  memory; every `durable_every`-th copy is a durable checkpoint as well, and takes `checkpoint_cost`
  in all. It counts when it is complete. The run begins with both, and ends with a durable one.
- A failure leaves the copy in memory with probability `survived`. It is noticed after `detection`;
  then pass `queue` and `rescheduling`, in which nothing fails. The copy in memory is read back in
  `memory_restore` if there is one, else the durable one in `restore`; then comes `warm_up`. A
  failure ends these as it ends computing. After a restore and its warm-up a copy is in memory.
- What was done since the copy that is read back is done again, and counts as wasted; so do copies
  that were made since a durable checkpoint to which the run goes back.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ..._checks import check_fields, fraction, nonnegative, positive, whole
from ...samplers import FloatArray
from ...streams import stream
from .._replications import FAILURES_LIMIT, never_ends


@dataclass(frozen=True, slots=True)
class MemoryRuns:
    """Time by class of each run, [time]; arrays of shape (replications,).

    Parameters
    ----------
    kept, memory_save, checkpoint_save : ndarray, [time]
        Computing, copies in memory and durable checkpoints that were not done again.
    wasted_progress : ndarray, [time]
        Those that were.
    detection, queue, rescheduling : ndarray, [time]
        Before nodes are at hand.
    memory_restore, checkpoint_restore, warm_up : ndarray, [time]
        Reading back either copy, and what passes then before the first step.
    """

    kept: FloatArray
    memory_save: FloatArray
    checkpoint_save: FloatArray
    wasted_progress: FloatArray
    detection: FloatArray
    queue: FloatArray
    rescheduling: FloatArray
    memory_restore: FloatArray
    checkpoint_restore: FloatArray
    warm_up: FloatArray

    @property
    def total(self) -> FloatArray:
        """Length of each run, [time]."""
        parts: list[FloatArray] = [getattr(self, field.name) for field in fields(self)]
        return np.asarray(np.sum(parts, axis=0))


@dataclass(frozen=True, slots=True)
class _Run:
    """The checked arguments."""

    patterns: int
    interval: float
    durable_every: int
    mtbf: float
    survived: float
    memory_cost: float
    checkpoint_cost: float
    memory_restore: float
    restore: float
    warm_up: float
    detection: float
    queue: float
    rescheduling: float

    def __post_init__(self) -> None:
        for name in ("patterns", "durable_every"):
            whole(name, getattr(self, name))
        check_fields(self, positive, "interval", "mtbf")
        check_fields(self, fraction, "survived")
        costs = ("memory_cost", "checkpoint_cost", "memory_restore", "restore")
        stages = ("warm_up", "detection", "queue", "rescheduling")
        check_fields(self, nonnegative, *costs, *stages)

    def play(self, rng: np.random.Generator) -> dict[str, float]:
        """Play the run; return its time by class."""
        spent = dict.fromkeys((field.name for field in fields(MemoryRuns)), 0.0)
        left, failures = self.mtbf * rng.standard_exponential(), 0
        for _ in range(self.patterns):
            copies, reading = 0, ""  # copies in memory since the last durable checkpoint
            while copies < self.durable_every:
                if reading:
                    steps = [(reading, self._read(reading)), ("warm_up", self.warm_up)]
                else:
                    durable = copies == self.durable_every - 1
                    cost = self.checkpoint_cost if durable else self.memory_cost
                    steps = [("wasted_progress", self.interval + cost)]
                struck = False
                for name, span in steps:
                    spent[name] += min(span, left)
                    if left <= span:
                        struck = True
                        break
                    left -= span
                if not struck:
                    copies += not reading
                    reading = ""
                    continue
                failures += 1
                if failures > FAILURES_LIMIT:
                    raise never_ends()
                for name in ("detection", "queue", "rescheduling"):
                    spent[name] += getattr(self, name)
                in_memory = reading != "checkpoint_restore" and rng.random() < self.survived
                if not in_memory:
                    copies = 0
                reading = "memory_restore" if in_memory else "checkpoint_restore"
                left = self.mtbf * rng.standard_exponential()
            # All was counted as wasted at first; what is durable now was not.
            spent["kept"] += self.durable_every * self.interval
            spent["memory_save"] += (self.durable_every - 1) * self.memory_cost
            spent["checkpoint_save"] += self.checkpoint_cost
            spent["wasted_progress"] -= (
                self.durable_every * self.interval
                + (self.durable_every - 1) * self.memory_cost
                + self.checkpoint_cost
            )
        return spent

    def _read(self, which: str) -> float:
        return self.memory_restore if which == "memory_restore" else self.restore


def simulate_memory_runs(
    *,
    interval: float,
    durable_every: int,
    mtbf: float,
    survived: float,
    memory_cost: float,
    checkpoint_cost: float,
    memory_restore: float = 0.0,
    restore: float = 0.0,
    warm_up: float = 0.0,
    detection: float = 0.0,
    queue: float = 0.0,
    rescheduling: float = 0.0,
    patterns: int = 1,
    replications: int,
    seed: int,
) -> MemoryRuns:
    """Play a training run with copies in memory `replications` times.

    Parameters
    ----------
    interval : float, [time]
        Computing between two copies; > 0.
    durable_every : int
        Copies from one durable checkpoint to the next, that one included; >= 1.
    mtbf : float, [time]
        Mean uptime from each instant at which nodes are at hand, exponential; > 0.
    survived : float
        Probability that a failure leaves the copy in memory; in [0, 1].
    memory_cost, checkpoint_cost : float, [time]
        Standing still for a copy in memory, and for a durable checkpoint; >= 0.
    memory_restore, restore, warm_up, detection, queue, rescheduling : float, [time]
        What passes after failures; >= 0.
    patterns : int
        Durable checkpoints of a run; >= 1.
    replications : int
        How many runs; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    MemoryRuns
        The time of each run by class.

    Raises
    ------
    RuntimeError
        If a run does not end within ten million failures.

    Examples
    --------
    >>> run = simulate_memory_runs(
    ...     interval=2.0, durable_every=3, mtbf=1e12, survived=0.9, memory_cost=0.25,
    ...     checkpoint_cost=0.5, patterns=4, replications=2, seed=1,
    ... )
    >>> run.kept.tolist(), run.memory_save.tolist(), run.total.tolist()
    ([24.0, 24.0], [2.0, 2.0], [28.0, 28.0])
    """
    costs = (memory_cost, checkpoint_cost, memory_restore, restore, warm_up)
    stages = (detection, queue, rescheduling)
    run = _Run(patterns, interval, durable_every, mtbf, survived, *costs, *stages)
    count, key = whole("replications", replications), whole("seed", seed, least=0)
    played = [run.play(stream(key, index)) for index in range(count)]
    return MemoryRuns(
        **{f.name: np.array([spent[f.name] for spent in played]) for f in fields(MemoryRuns)}
    )
