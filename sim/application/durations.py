"""Draw the first duration of a sampler in many replications."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..samplers import FloatArray, Sampler
from ._arguments import Method, by_kernel, own_sampler, unplayed
from ._replications import BLOCK, Fill, replicate


def simulate_durations(
    sampler: Sampler | npt.ArrayLike,
    *,
    replications: int,
    seed: int,
    threads: int = 1,
    method: Method = "kernel",
) -> FloatArray:
    """Draw the first duration of `sampler` in many replications.

    Parameters
    ----------
    sampler : Sampler, float or list of float, [time]
        What is drawn from. Every replication plays a recorded list from its beginning.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, whatever `threads`; more replications only append; >= 0.
    threads : int
        How many blocks of replications run at a time; >= 1.
    method : {"kernel", "events"}
        The draws of the compiled loops, or those of the readable models. A sampler that is not
        of `sim.samplers` is always drawn from by the latter.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Examples
    --------
    >>> from sim.samplers import Weibull
    >>> drawn = simulate_durations(Weibull(0.7, 5.0), replications=100_000, seed=1)
    >>> drawn.shape, round(float((drawn < 5.0).mean()), 2)
    ((100000,), 0.63)
    """
    source = own_sampler("sampler", sampler)

    def draw(rng: np.random.Generator) -> float:
        return unplayed(source).sample(rng)

    compiled = _kernel(source) if by_kernel(method) else None
    return replicate(
        draw, compiled, replications=replications, seed=seed, threads=threads, block=BLOCK
    )


def _kernel(source: Sampler) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from . import kernels

    return kernels.filled_by(kernels.durations, source)
