"""Nodes of a job on a machine with bursts, until the job is interrupted.

The rules, in words, are the whole specification:

- The nodes of the machine stand around a ring. Bursts come one after the other, the times between
  them exponential. A burst begins at any node alike and strikes that one and those that follow it,
  a geometric number; one as large as the machine, or larger, strikes all of it.
- Nodes of the job may also fail alone, each after an exponential time.
- The job is interrupted when a burst strikes one of its nodes, or one of them fails alone; where
  copies are watched, when a burst strikes all of the listed nodes at once.

All replications go from burst to burst side by side, one row of an array each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._checks import check_fields, flag, number, positive, whole
from ...samplers import FloatArray
from .._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_burst_interruptions"]


@dataclass(frozen=True, slots=True)
class Struck:
    """The checked arguments.

    Parameters
    ----------
    places : tuple of int
        The nodes of the job, by their places on the ring; how many, if they are anywhere.
    machine_nodes : int
        Nodes on the ring; >= 1.
    burst_mtbf, burst_size : float
        Mean time between bursts, [time], > 0, and mean number of nodes struck, >= 1.
    node_mtbf : float, [time]
        Mean time until one node fails alone; > 0, or inf.
    anywhere : bool
        Whether the nodes of the job are drawn anew for each burst.
    all_at_once : bool
        Whether a burst must strike all the nodes.
    """

    places: tuple[int, ...]
    machine_nodes: int
    burst_mtbf: float
    burst_size: float
    node_mtbf: float
    anywhere: bool
    all_at_once: bool

    def __post_init__(self) -> None:
        whole("machine_nodes", self.machine_nodes)
        check_fields(self, positive, "burst_mtbf", "burst_size")
        if self.burst_size < 1.0:
            raise ValueError(f"burst_size must be >= 1, got {self.burst_size!r}")
        if not number("node_mtbf", self.node_mtbf) > 0.0:
            raise ValueError(f"node_mtbf must be > 0, got {self.node_mtbf!r}")
        known = {whole("places", place, least=0) for place in self.places}
        if len(known) < len(self.places) or not known or max(known) >= self.machine_nodes:
            raise ValueError(
                f"places must be different nodes below machine_nodes = {self.machine_nodes}, "
                f"got {len(self.places)} places"
            )
        flag("anywhere", self.anywhere)
        flag("all_at_once", self.all_at_once)


def play(rng: np.random.Generator, count: int, *, job: Struck) -> FloatArray:
    """Play `count` jobs; return when each is interrupted."""
    ended, row = np.empty(count), np.arange(count)
    fails = np.full(count, job.node_mtbf)
    if job.node_mtbf < np.inf:
        fails = job.node_mtbf * rng.standard_exponential((count, len(job.places))).min(axis=1)
    now, places = np.zeros(count), np.array(job.places)
    bursts = 0
    while row.size:
        bursts += 1
        if bursts > FAILURES_LIMIT:
            raise never_ends()
        now = now + job.burst_mtbf * rng.standard_exponential(row.size)
        size = rng.geometric(1.0 / job.burst_size, row.size)
        first = rng.integers(job.machine_nodes, size=row.size)
        if job.anywhere:
            drawn = rng.random((row.size, job.machine_nodes)).argsort(axis=1)
            places = drawn[:, : len(job.places)]
        reached = (places - first[:, None]) % job.machine_nodes < size[:, None]
        struck = reached.all(axis=1) if job.all_at_once else reached.any(axis=1)
        over = struck | (fails <= now)
        ended[row[over]] = np.minimum(now, fails)[over]
        row, now, fails = row[~over], now[~over], fails[~over]
    return ended


def simulate_burst_interruptions(
    places: Sequence[int],
    *,
    machine_nodes: int,
    burst_mtbf: float,
    burst_size: float,
    node_mtbf: float = np.inf,
    anywhere: bool = False,
    all_at_once: bool = False,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job on some nodes of a machine with bursts until it is interrupted.

    Parameters
    ----------
    places : sequence of int
        The nodes of the job, each a number from 0 to machine_nodes - 1 around the ring.
    machine_nodes : int
        Nodes of the machine; >= 1.
    burst_mtbf : float, [time]
        Mean time between bursts; > 0.
    burst_size : float
        Mean number of nodes that a burst strikes on an endless machine, geometric; >= 1.
    node_mtbf : float, [time]
        Mean time until one node of the job fails alone, exponential; > 0, inf for never.
    anywhere : bool
        Whether as many nodes are drawn anew for each burst instead.
    all_at_once : bool
        Whether only a burst that strikes all of `places` counts: copies of the same data.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,): when each is interrupted.

    Raises
    ------
    ValueError
        If two places are the same.
    RuntimeError
        If a job is not interrupted within ten million bursts.

    Examples
    --------
    >>> times = simulate_burst_interruptions(
    ...     range(24), machine_nodes=96, burst_mtbf=1.0, burst_size=4.0, replications=9000, seed=1
    ... )
    >>> bool(0.27 < 1.0 / times.mean() < 0.29)
    True
    """
    machine = (machine_nodes, burst_mtbf, burst_size, node_mtbf)
    job = Struck(tuple(places), *machine, anywhere, all_at_once)
    return in_lockstep(
        lambda rng, count: play(rng, count, job=job), replications=replications, seed=seed
    )
