"""Independent random streams, numbered so that results do not depend on who runs them."""

from __future__ import annotations

import numpy as np

__all__ = ["stream", "streams"]


def stream(seed: int, *key: int) -> np.random.Generator:
    """Return the generator number `key` of `seed`; equal arguments give equal draws."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def streams(seed: int, count: int) -> list[np.random.Generator]:
    """Return `count` independent generators, the same for any number of workers."""
    return [stream(seed, index) for index in range(count)]
