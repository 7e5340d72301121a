"""Alike nodes of one platform, which fail as their ages say, and a job on them.

The rules, in words, are the whole specification:

- Each node fails after an uptime. It is up again at once, as good as new.
- "rejuvenated": whatever node fails, all nodes are as good as new afterwards. "from_new" and
  "stationary": the others go on as they are.
- At the start all nodes are new; in "stationary" they are in use for long instead.
- A job runs on all nodes: it computes for `interval`, writes a checkpoint, and so on; the last
  segment may be shorter and ends with a checkpoint too. Each failure of a node stops it, during a
  checkpoint or a recovery as well; it reads back its last checkpoint and goes on from there.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from typing import Literal, TypeAlias, get_args

import numpy as np

from ..._checks import nonnegative, one_of, positive, whole
from ...samplers import FloatArray, Renewing, Sampler
from .._arguments import only_sampler, unplayed
from .._replications import FAILURES_LIMIT, in_lockstep, never_ends, replicate

__all__ = ["Renewal", "simulate_platform_failures", "simulate_platform_makespans"]

Renewal: TypeAlias = Literal["rejuvenated", "from_new", "stationary"]

_BLOCK = 1024  # replications that share a stream


def failure_times(
    rng: np.random.Generator, uptime: Sampler, nodes: int, renewal: str
) -> Iterator[float]:
    """Draw when one node after the other fails, without end."""
    if renewal == "rejuvenated":
        now = 0.0
        while True:
            now += min(uptime.sample(rng) for _ in range(nodes))
            yield now
    if renewal == "stationary":
        assert isinstance(uptime, Renewing)
        due = [uptime.residual(rng) for _ in range(nodes)]
    else:
        due = [uptime.sample(rng) for _ in range(nodes)]
    heapq.heapify(due)
    while True:
        yield due[0]
        heapq.heapreplace(due, due[0] + uptime.sample(rng))


def simulate_platform_failures(
    time: float,
    *,
    uptime: Sampler,
    nodes: int,
    renewal: Renewal,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play platforms for a time; return how many failures each has.

    Parameters
    ----------
    time : float, [time]
        For how long; >= 0.
    uptime : Sampler, [time]
        Law of the uptimes of a node.
    nodes : int
        How many; >= 1.
    renewal : {"rejuvenated", "from_new", "stationary"}
        What a failure renews, and how the nodes begin.
    replications : int
        How many platforms; >= 1.
    seed : int
        Same seed, same bytes; >= 0.

    Returns
    -------
    ndarray, [-]
        Shape (replications,).

    Raises
    ------
    RuntimeError
        If a node fails ten million times.

    Examples
    --------
    >>> from sim.samplers import Deterministic
    >>> simulate_platform_failures(
    ...     10.0, uptime=Deterministic(4.0), nodes=3, renewal="from_new", replications=2, seed=1
    ... ).tolist()
    [6.0, 6.0]
    """
    end = nonnegative("time", time)
    law, count, kind = _platform(uptime, nodes, renewal)

    def play(rng: np.random.Generator, rows: int) -> FloatArray:
        return _counted(rng, rows, unplayed(law), end, nodes=count, renewal=kind)

    return in_lockstep(play, replications=replications, seed=seed)


def _counted(
    rng: np.random.Generator, rows: int, law: Sampler, end: float, *, nodes: int, renewal: str
) -> FloatArray:
    """Count failures of some platforms at once: clocks of nodes, or one clock of each platform."""
    together = renewal == "rejuvenated"
    clocks = rows if together else rows * nodes
    uptimes = _shortest(rng, law, clocks, nodes if together else 1)
    if renewal == "stationary":
        assert isinstance(law, Renewing)
        uptimes = np.array([law.residual(rng) for _ in range(clocks)])
    failures, place, now = np.zeros(clocks), np.arange(clocks), uptimes
    while True:
        place, now = place[now <= end], now[now <= end]
        if not place.size:
            return np.asarray(failures.reshape(rows, -1).sum(axis=1))
        failures[place] += 1.0
        if failures[place[0]] > FAILURES_LIMIT:
            raise never_ends()
        now = now + _shortest(rng, law, place.size, nodes if together else 1)


def _shortest(rng: np.random.Generator, law: Sampler, count: int, among: int) -> FloatArray:
    """Draw `count` times the shortest of some uptimes."""
    from .. import kernels

    fill = kernels.filled_by(kernels.durations, law)
    drawn = np.empty(count * among)
    if fill is not None:
        fill(rng, drawn)
    else:
        drawn[:] = [law.sample(rng) for _ in range(drawn.size)]
    return np.asarray(drawn.reshape(count, among).min(axis=1))


def simulate_platform_makespans(
    work: float,
    *,
    uptime: Sampler,
    nodes: int,
    renewal: Renewal,
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job on all nodes of a platform; return how long each replication takes, [time].

    Parameters
    ----------
    work : float, [time]
        To compute, checkpoints excluded; > 0.
    uptime : Sampler, [time]
        Law of the uptimes of a node.
    nodes : int
        How many; >= 1.
    renewal : {"rejuvenated", "from_new", "stationary"}
        What a failure renews, and how the nodes begin.
    interval : float, [time]
        Work between two checkpoints; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint and to read one back; >= 0.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    RuntimeError
        If a job does not end within ten million failures.

    Examples
    --------
    >>> from sim.samplers import Deterministic
    >>> simulate_platform_makespans(
    ...     4.0, uptime=Deterministic(5.0), nodes=2, renewal="rejuvenated", interval=2.0,
    ...     checkpoint_cost=1.0, recovery_cost=0.5, replications=1, seed=1,
    ... ).tolist()
    [8.5]
    """
    whole_work, step = positive("work", work), positive("interval", interval)
    cost = nonnegative("checkpoint_cost", checkpoint_cost)
    recovery = nonnegative("recovery_cost", recovery_cost)
    law, count, kind = _platform(uptime, nodes, renewal)
    segments = max(1, math.ceil(whole_work / step * (1.0 - 2.0**-48)))

    def play(rng: np.random.Generator) -> float:
        now, done = 0.0, 0
        for failures, fails in enumerate(failure_times(rng, unplayed(law), count, kind)):
            while done < segments:
                begun = min(step, whole_work - done * step)
                if now + begun + cost > fails:
                    break
                now += begun + cost
                done += 1
            else:
                return now
            now = fails + recovery
            if failures > FAILURES_LIMIT:
                break
        raise never_ends()

    return replicate(play, replications=replications, seed=seed, block=_BLOCK)


def _platform(uptime: Sampler, nodes: int, renewal: Renewal) -> tuple[Sampler, int, str]:
    kind = one_of("renewal", renewal, get_args(Renewal))
    law = only_sampler("uptime", uptime)
    if kind == "stationary" and not isinstance(law, Renewing):
        raise TypeError("uptime must have a method residual for stationary nodes, got one without")
    return law, whole("nodes", nodes), kind
