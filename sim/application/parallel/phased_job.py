"""Parallel tasks that wait for the slowest after every phase.

The rules, in words, are the whole specification:

- Every task has an equal share of its work in each phase and does it as `checkpointed_job` says, a
  checkpoint at the end included. It fails on its own; the others go on.
- A task that is done with a phase waits until all are; nodes do not fail while they wait. The next
  phase begins with all nodes up.
- The job ends when the last phase does.
"""

from __future__ import annotations

import numpy as np

from ..._checks import whole
from ...samplers import Exponential, FloatArray
from ...streams import stream
from ..checkpointed_job import simulate_makespans


def simulate_phased_makespans(
    work: float,
    *,
    phases: int,
    tasks: int,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play tasks that meet after every phase; return the makespans, [time].

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time of each task over all phases, and that of a segment; > 0.
    phases, tasks : int
        How many; >= 1.
    mtbf : float, [time]
        Mean uptime of a node to its next failure, exponential; > 0.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        To write a checkpoint, to read one back, and dead after each failure; >= 0.
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
        If a task does not end within ten million failures.

    Examples
    --------
    >>> walls = simulate_phased_makespans(
    ...     20.0, phases=4, tasks=3, interval=5.0, mtbf=1e9, checkpoint_cost=0.5,
    ...     replications=2, seed=1,
    ... )
    >>> walls.tolist()
    [22.0, 22.0]
    """
    several, each = whole("phases", phases), whole("tasks", tasks)
    count = whole("replications", replications)
    own = int(stream(whole("seed", seed, least=0)).integers(2**62))
    walls = simulate_makespans(
        work / several,
        interval=interval,
        uptime=Exponential(mtbf),
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        replications=count * several * each,
        seed=own,
    )
    return np.asarray(walls.reshape(count, several, each).max(axis=2).sum(axis=1))
