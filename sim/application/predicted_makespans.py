"""Many jobs whose failures are predicted: the compiled loop, and where it takes no part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..samplers import FloatArray, Sampler
from ._arguments import Method, by_kernel, only_sampler, own_sampler, unplayed
from ._plan import Plan
from ._replications import FAILURES_LIMIT, Fill, replicate
from .predicted_job import Predictions, alarms, play

__all__ = ["simulate_predicted_makespans"]

_BLOCK = 256  # replications that share a stream; both methods draw from it in the same order


def simulate_predicted_makespans(
    work: float,
    *,
    interval: float,
    uptime: Sampler,
    recall: float,
    false_alarms: Sampler | None,
    proactive_cost: float,
    threshold: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> FloatArray:
    """Play a job `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval, uptime, recall, false_alarms, proactive_cost, threshold
        As for `simulate_predicted_job`, but every replication plays its own copy of the samplers.
    checkpoint_cost, recovery_cost, downtime
        Likewise.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, by either method; more replications only append; >= 0.
    method : {"kernel", "events"}
        The compiled loop, or the readable model it must agree with. A sampler that is not of
        `sim.samplers` is always played by the latter.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    ValueError, TypeError, RuntimeError
        As `simulate_predicted_job`.

    Examples
    --------
    >>> from sim.samplers import Exponential
    >>> walls = simulate_predicted_makespans(
    ...     100.0, interval=10.0, uptime=Exponential(500.0), recall=0.5,
    ...     false_alarms=Exponential(1000.0), proactive_cost=0.5, threshold=1.0,
    ...     checkpoint_cost=1.0, replications=1000, seed=1,
    ... )
    >>> walls.shape, round(float(walls.min()), 6)
    ((1000,), 110.0)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    told = Predictions(recall, unplayed(alarms(false_alarms)), proactive_cost, threshold)
    up = unplayed(only_sampler("uptime", uptime))
    down = own_sampler("downtime", downtime)

    def play_one(rng: np.random.Generator) -> float:
        own = replace(told, false_alarms=unplayed(told.false_alarms))
        return play(plan, own, unplayed(up), unplayed(down), rng).makespan

    compiled = _kernel(plan, told, up, down) if by_kernel(method) else None
    return replicate(play_one, compiled, replications=replications, seed=seed, block=_BLOCK)


def _kernel(plan: Plan, told: Predictions, uptime: Sampler, downtime: Sampler) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from . import kernels

    return kernels.filled_by(
        kernels.predicted_makespans,
        uptime,
        downtime,
        told.false_alarms,
        told.recall,
        told.proactive_cost,
        told.threshold,
        plan.work,
        plan.interval,
        plan.segments,
        plan.checkpoint_cost,
        plan.recovery_cost,
        FAILURES_LIMIT,
    )
