"""Many durations of a sampler at once, for simulators that play replications side by side."""

from __future__ import annotations

import numpy as np

from ..samplers import FloatArray, Recorded, Sampler


def drawn(sampler: Sampler, size: int, rng: np.random.Generator) -> FloatArray:
    """Return the next `size` durations of `sampler`, [time]; shape (size,)."""
    from . import kernels

    # The compiled loop begins a recorded list anew, and would not go on in it.
    fill = None if isinstance(sampler, Recorded) else kernels.filled_by(kernels.durations, sampler)
    if fill is None:
        return np.array([sampler.sample(rng) for _ in range(size)])
    durations = np.empty(size)
    fill(rng, durations)
    return durations
