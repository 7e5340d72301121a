"""Many replications of one job, in blocks that own their random stream.

A block has a fixed size and a numbered stream, so the bytes of a result depend on the seed and
on nothing else: not on the threads, and not on how many replications follow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np

from .._checks import whole
from ..samplers import FloatArray, Sampler
from ..streams import stream

Fill: TypeAlias = Callable[[np.random.Generator, FloatArray], None]

BLOCK = 1 << 15
"""Replications of a compiled loop that share a stream, where nothing else asks for fewer."""

FAILURES_LIMIT = 10_000_000
"""Failures in one replication after which it is taken to have no end."""


def replicate(
    play: Callable[[np.random.Generator], float],
    compiled: Fill | None = None,
    *,
    replications: int,
    seed: int,
    threads: int = 1,
    block: int = 1,
) -> FloatArray:
    """Write each block of the result from its own stream: `compiled` at once, or `play` by one."""
    count = whole("replications", replications)
    first_key = whole("seed", seed, least=0)
    workers = whole("threads", threads)
    out = np.empty(count)

    def fill_block(index: int) -> None:
        rng, part = stream(first_key, index), out[index * block : (index + 1) * block]
        if compiled is not None:
            compiled(rng, part)
        else:
            for place in range(part.size):
                part[place] = play(rng)

    blocks = range(-(-count // block))
    if workers == 1:
        for index in blocks:
            fill_block(index)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(fill_block, blocks))
    return out


_LOCKSTEP = 1 << 13  # replications that go through their phases together


def in_lockstep(
    play: Callable[[np.random.Generator, int], FloatArray], *, replications: int, seed: int
) -> FloatArray:
    """Play whole blocks of replications at once by arrays; the last block is cut to what is asked.

    ``play(rng, count)`` returns one row per replication: a number, or several.
    """
    count, key = whole("replications", replications), whole("seed", seed, least=0)
    blocks = range(-(-count // _LOCKSTEP))
    return np.concatenate([play(stream(key, block), _LOCKSTEP) for block in blocks])[:count]


def drawn_downtime(downtime: Sampler, rng: np.random.Generator, failures: int) -> float:
    """Draw how long the last of `failures` keeps the machine down, or give up the replication."""
    drawn = downtime.sample(rng)
    if failures > FAILURES_LIMIT or not drawn < math.inf:
        raise never_ends()
    return drawn


def never_ends() -> RuntimeError:
    """Return the error that says why a replication was given up."""
    return RuntimeError(
        f"the job must end within {FAILURES_LIMIT} failures and a finite time, got no end: "
        "uptimes must now and then be longer than recovery, interval and checkpoint together, "
        "and repairs must be quicker than failures"
    )
