"""A long training run, failure by failure: where its time goes.

What happens:

- The run computes for `interval`, stands still for `checkpoint_cost` while its state is copied, and
  computes on; the snapshot is durable `latency` after the end of the copy, before the next is due.
- A failure undoes all that no durable snapshot holds. It is noticed after `detection`; then pass
  `queue` and `rescheduling`, in which nothing fails. `restore` and `warm_up` follow; a failure ends
  them as it ends computing, and all of this begins again.
- The uptime to the next failure is drawn anew when the nodes are at hand.

A cycle goes from one failure to the next. Cycles are independent and alike, so that shares of the
time of a long run are ratios of means over cycles.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ..._checks import check_fields, nonnegative, positive, whole
from ...samplers import FloatArray, Sampler
from ...streams import stream
from .._arguments import only_sampler, own_sampler
from .._draws import drawn


@dataclass(frozen=True, slots=True)
class TrainingCycles:
    """Time by class of each cycle, [time]; arrays of shape (cycles,).

    Parameters
    ----------
    kept, checkpoint_save : ndarray, [time]
        Computing that a durable snapshot holds, and copying it.
    wasted_progress : ndarray, [time]
        Computing and copying that the failure undid.
    detection, queue, rescheduling : ndarray, [time]
        Before nodes are at hand.
    checkpoint_restore, warm_up : ndarray, [time]
        Reading back, and what passes then before the first step.
    """

    kept: FloatArray
    checkpoint_save: FloatArray
    wasted_progress: FloatArray
    detection: FloatArray
    queue: FloatArray
    rescheduling: FloatArray
    checkpoint_restore: FloatArray
    warm_up: FloatArray

    @property
    def total(self) -> FloatArray:
        """Length of each cycle, [time]."""
        parts: list[FloatArray] = [getattr(self, field.name) for field in fields(self)]
        return np.asarray(np.sum(parts, axis=0))


@dataclass(frozen=True, slots=True)
class _Run:
    """Durations of one run, checked."""

    interval: float
    checkpoint_cost: float
    latency: float
    restore: float
    warm_up: float
    detection: float
    queue: float
    rescheduling: float

    def __post_init__(self) -> None:
        check_fields(self, positive, "interval")
        rest = (field.name for field in fields(self) if field.name != "interval")
        check_fields(self, nonnegative, *rest)
        if self.latency > (self.interval + self.checkpoint_cost) * (1.0 + 1e-12):
            raise ValueError(
                "latency must be at most interval + checkpoint_cost, so that a snapshot is durable "
                f"before the next is due, got {self.latency!r}"
            )

    def cycles(self, uptime: FloatArray) -> TrainingCycles:
        """Play all cycles, each until its failure at `uptime`, one snapshot after the other."""
        read = np.minimum(uptime, self.restore)
        warm = np.minimum(uptime - read, self.warm_up)
        now = read + warm
        computed, copied = np.zeros_like(uptime), np.zeros_like(uptime)
        going = np.arange(uptime.size)
        while going.size:
            copied_at = now[going] + self.interval + self.checkpoint_cost
            durable = copied_at + self.latency <= uptime[going]
            going, copied_at = going[durable], copied_at[durable]
            computed[going] += self.interval
            copied[going] += self.checkpoint_cost
            now[going] = copied_at
        return TrainingCycles(
            kept=computed,
            checkpoint_save=copied,
            wasted_progress=uptime - now,
            detection=np.full_like(uptime, self.detection),
            queue=np.full_like(uptime, self.queue),
            rescheduling=np.full_like(uptime, self.rescheduling),
            checkpoint_restore=read,
            warm_up=warm,
        )


def simulate_training_cycles(
    cycles: int,
    *,
    interval: float,
    uptime: Sampler,
    checkpoint_cost: float,
    latency: float = 0.0,
    restore: float = 0.0,
    warm_up: float = 0.0,
    detection: float = 0.0,
    queue: float = 0.0,
    rescheduling: float = 0.0,
    seed: int,
) -> TrainingCycles:
    """Play a training run from failure to failure, `cycles` times.

    Parameters
    ----------
    cycles : int
        How many failures; >= 1.
    interval : float, [time]
        Computing between two checkpoints; > 0.
    uptime : Sampler, [time]
        From each instant at which nodes are at hand to the next failure.
    checkpoint_cost, latency : float, [time]
        To copy the state, and until it is durable after that; >= 0.
    restore, warm_up, detection, queue, rescheduling : float, [time]
        What passes after each failure; >= 0.
    seed : int
        Same seed, same bytes; >= 0.

    Returns
    -------
    TrainingCycles
        The time of each cycle by class.

    Raises
    ------
    ValueError
        If `latency` is longer than a period.

    Examples
    --------
    A failure 7.5 after the nodes are at hand: one snapshot is durable at 6, the next is at 11.

    >>> from sim.samplers import Deterministic
    >>> cycle = simulate_training_cycles(
    ...     1, interval=4.0, uptime=Deterministic(7.5), checkpoint_cost=1.0, latency=1.0, seed=0
    ... )
    >>> cycle.kept.tolist(), cycle.wasted_progress.tolist()
    ([4.0], [2.5])
    """
    run = _Run(interval, checkpoint_cost, latency, restore, warm_up, detection, queue, rescheduling)
    count, rng = whole("cycles", cycles), stream(whole("seed", seed, least=0))
    up = own_sampler("uptime", only_sampler("uptime", uptime))
    return run.cycles(drawn(up, count, rng))
