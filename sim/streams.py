"""Independent random streams, numbered so that results do not depend on who runs them."""

from __future__ import annotations

import numpy as np

__all__ = ["stream", "streams"]


def stream(seed: int, *key: int) -> np.random.Generator:
    """Return the generator number `key` of `seed`; equal arguments give equal draws.

    Parameters
    ----------
    seed : int
        Of a whole run; >= 0.
    *key : int
        Which of its streams; >= 0.

    Returns
    -------
    numpy.random.Generator
        At its beginning.

    Raises
    ------
    ValueError
        If `seed` or `key` is negative.
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def streams(seed: int, count: int) -> list[np.random.Generator]:
    """Return `count` independent generators, the same for any number of workers.

    Parameters
    ----------
    seed : int
        Of a whole run; >= 0.
    count : int
        How many.

    Returns
    -------
    list of numpy.random.Generator
        Those of keys 0 to count - 1.

    Raises
    ------
    ValueError
        If `seed` is negative.
    """
    return [stream(seed, index) for index in range(count)]
