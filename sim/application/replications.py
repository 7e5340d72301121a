"""Many replications of one job, in blocks that own their random stream.

A block has a fixed size and a numbered stream, so the bytes of a result depend on the seed and
on nothing else: not on the threads, and not on how many replications follow.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np

from .._checks import whole
from ..samplers import FloatArray, Recorded, Sampler
from ..streams import stream

__all__ = [
    "BLOCK",
    "FAILURES_LIMIT",
    "Fill",
    "check_ended",
    "never_ends",
    "one_by_one",
    "replicate",
]

Fill: TypeAlias = Callable[[np.random.Generator, FloatArray], None]

BLOCK = 1 << 15
"""Replications of a compiled loop that share a stream, where nothing else asks for fewer."""

FAILURES_LIMIT = 10_000_000
"""Failures in one replication after which it is taken to have no end."""


def replicate(
    fill: Fill,
    *,
    replications: int,
    seed: int,
    threads: int,
    block: int,
) -> FloatArray:
    """Let `fill` write each block of the result from the block's own stream."""
    count = whole("replications", replications)
    first_key = whole("seed", seed, least=0)
    workers = whole("threads", threads)
    out = np.empty(count)

    def fill_block(index: int) -> None:
        fill(stream(first_key, index), out[index * block : (index + 1) * block])

    blocks = range(-(-count // block))
    if workers == 1:
        for index in blocks:
            fill_block(index)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(fill_block, blocks))
    return out


def one_by_one(play: Callable[[np.random.Generator], float]) -> Fill:
    """Return what fills a block by playing each of its replications in turn."""

    def fill(rng: np.random.Generator, out: FloatArray) -> None:
        for index in range(out.size):
            out[index] = play(rng)

    return fill


def check_ended(outcome: int, *samplers: Sampler) -> None:
    """Raise what a compiled loop has to say of a replication that did not end."""
    from .kernels import NO_END, RAN_OUT

    if outcome == RAN_OUT:
        sizes = [sampler.durations.size for sampler in samplers if isinstance(sampler, Recorded)]
        raise RuntimeError(f"durations must last, got only {min(sizes)}")
    if outcome == NO_END:
        raise never_ends()


def never_ends() -> RuntimeError:
    """Say that a replication was given up, and why that happens."""
    return RuntimeError(
        f"the job must end within {FAILURES_LIMIT} failures and a finite time, got no end: "
        "uptimes must now and then be longer than recovery, interval and checkpoint together, "
        "and repairs must be quicker than failures"
    )
