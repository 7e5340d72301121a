"""One uptime of a long job that checkpoints by the age of its machine.

The uptime begins with a recovery. Then work of the first interval and a checkpoint follow, then of
the second, and so on; the last interval is repeated. What is done when the uptime ends is saved up
to the last complete checkpoint; a checkpoint that ends at the instant of the failure is not.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..._checks import nonnegative, positive
from ...samplers import FloatArray, Sampler
from .._arguments import Method, by_kernel, only_sampler, unplayed
from .._replications import Fill, replicate

_BLOCK = 4096  # uptimes that share a stream


def simulate_saved_work(
    intervals: npt.ArrayLike,
    *,
    uptime: Sampler,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> FloatArray:
    """Play uptimes one by one; return the work that each saves, [time].

    Parameters
    ----------
    intervals : array_like, [time]
        Work between two checkpoints, from the start of an uptime on; the last one is repeated. A
        number, or shape (n,); > 0.
    uptime : Sampler, [time]
        Law of the uptimes; every replication plays its own copy.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint and to read one back; >= 0.
    replications : int
        How many uptimes; >= 1.
    seed : int
        Same seed, same bytes; >= 0.
    method : {"kernel", "events"}
        Compiled draws and a count of intervals, or the readable loop it must agree with to
        rounding. A sampler that is not of `sim.samplers` is always played by the latter.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Examples
    --------
    >>> from sim.samplers import Deterministic
    >>> simulate_saved_work(
    ...     [2.0, 3.0], uptime=Deterministic(10.0), checkpoint_cost=0.5, recovery_cost=1.0,
    ...     replications=2, seed=1,
    ... ).tolist()
    [5.0, 5.0]
    """
    works = [positive("intervals", float(work)) for work in np.atleast_1d(np.asarray(intervals))]
    cost = nonnegative("checkpoint_cost", checkpoint_cost)
    recovery = nonnegative("recovery_cost", recovery_cost)
    law = unplayed(only_sampler("uptime", uptime))

    def play(rng: np.random.Generator) -> float:
        fails = unplayed(law).sample(rng)
        now, saved, place = recovery, 0.0, 0
        while True:
            work = works[min(place, len(works) - 1)]
            now += work + cost
            if now >= fails:
                return saved
            saved += work
            place += 1

    compiled = _counted(np.array(works), cost, recovery, law) if by_kernel(method) else None
    return replicate(play, compiled, replications=replications, seed=seed, block=_BLOCK)


def _counted(works: FloatArray, cost: float, recovery: float, law: Sampler) -> Fill | None:
    """Return what fills a block with work saved, by counting the intervals in each uptime."""
    from .. import kernels

    draw = kernels.filled_by(kernels.durations, law)
    if draw is None:
        return None
    ends, sums = recovery + np.cumsum(works + cost), np.append(0.0, np.cumsum(works))

    def fill(rng: np.random.Generator, out: FloatArray) -> None:
        draw(rng, out)
        listed = np.searchsorted(ends, out, side="left")
        more = np.ceil((out - ends[-1]) / (works[-1] + cost)) - 1.0
        out[:] = sums[listed] + works[-1] * np.maximum(more, 0.0)

    return fill
