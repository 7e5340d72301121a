"""One long job whose processes all run on pairs of nodes, from one interruption to the next.

The rules, in words, are the whole specification:

- Each node fails after an uptime of its own; it is then down, and its partner goes on alone.
- When both nodes of a pair are down, the job is interrupted. Then comes `downtime`, at the end of
  which all nodes start anew, and the job reads back its last checkpoint; nodes may fail meanwhile.
- The job computes for `interval`, writes a checkpoint, and so on. With `restart`, nodes that are
  down start anew at the end of each checkpoint; without, they stay down.
- A cycle begins with an interruption and ends with the next.

All replications go through their segments side by side, one row of an array each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._checks import check_fields, flag, nonnegative, positive, whole
from ...samplers import FloatArray
from .._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_replicated_cycles"]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The checked arguments.

    Parameters
    ----------
    pairs : int
        How many; >= 1.
    node_mtbf, interval : float, [time]
        Mean uptime of a node, and work between checkpoints; > 0.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        >= 0.
    restart : bool
        Whether nodes that are down start anew at checkpoints.
    """

    pairs: int
    node_mtbf: float
    interval: float
    checkpoint_cost: float
    recovery_cost: float
    downtime: float
    restart: bool

    def __post_init__(self) -> None:
        whole("pairs", self.pairs)
        check_fields(self, positive, "node_mtbf", "interval")
        check_fields(self, nonnegative, "checkpoint_cost", "recovery_cost", "downtime")
        flag("restart", self.restart)


def play(rng: np.random.Generator, count: int, *, job: Pairs) -> FloatArray:
    """Play `count` cycles; return how long each takes, and the work that its checkpoints keep."""
    cycles = np.zeros((count, 2))
    row = np.arange(count)
    now, kept = np.full(count, job.downtime), np.zeros(count)
    # When each node fails.
    fails = job.downtime + job.node_mtbf * rng.standard_exponential((count, job.pairs, 2))
    span = job.recovery_cost + job.interval + job.checkpoint_cost
    segments = 0
    while row.size:
        segments += 1
        if segments > FAILURES_LIMIT:
            raise never_ends()
        now = now + span
        span = job.interval + job.checkpoint_cost
        interrupted_at = fails.max(axis=2).min(axis=1)
        ended = interrupted_at <= now
        cycles[row[ended], 0], cycles[row[ended], 1] = interrupted_at[ended], kept[ended]
        rest = ~ended
        row, now, kept, fails = row[rest], now[rest], kept[rest] + job.interval, fails[rest]
        if job.restart:
            down = fails <= now[:, None, None]
            uptimes = job.node_mtbf * rng.standard_exponential(int(down.sum()))
            fails[down] = np.broadcast_to(now[:, None, None], fails.shape)[down] + uptimes
    return cycles


def simulate_replicated_cycles(
    interval: float,
    *,
    pairs: int,
    node_mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    restart: bool = True,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a replicated job from one interruption to the next, `replications` times.

    Parameters
    ----------
    interval : float, [time]
        Work between two checkpoints; > 0.
    pairs : int
        Pairs of nodes; >= 1.
    node_mtbf : float, [time]
        Mean uptime of one node, exponential; > 0.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        To write a checkpoint, to read it back, and dead after an interruption; >= 0.
    restart : bool
        Whether nodes that are down start anew at checkpoints.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications, 2): how long each cycle takes, and the work that its checkpoints keep.

    Raises
    ------
    RuntimeError
        If a cycle does not end within ten million segments.

    Examples
    --------
    >>> time, kept = simulate_replicated_cycles(
    ...     10.0, pairs=2, node_mtbf=50.0, checkpoint_cost=1.0, replications=5000, seed=1
    ... ).T
    >>> bool(0.8 < kept.mean() / time.mean() < 0.9)
    True
    """
    costs = (checkpoint_cost, recovery_cost, downtime)
    job = Pairs(pairs, node_mtbf, interval, *costs, restart)
    return in_lockstep(
        lambda rng, count: play(rng, count, job=job), replications=replications, seed=seed
    )
