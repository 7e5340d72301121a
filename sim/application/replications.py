"""Many replications of one job, in blocks that own their random stream.

A block has a fixed size and a numbered stream, so the bytes of a result depend on the seed and
on nothing else: not on the threads, and not on how many replications follow.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeAlias

import numpy as np

from .._checks import whole
from ..samplers import Empirical, FloatArray, Recorded, Sampler
from ..streams import stream

__all__ = ["FAILURES_LIMIT", "Method", "never_ends", "ran_out", "replicate", "unplayed"]

Method: TypeAlias = Literal["kernel", "events"]

FAILURES_LIMIT = 10_000_000
"""Failures in one replication after which it is taken to have no end."""


def replicate(
    fill: Callable[[np.random.Generator, FloatArray], None],
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


def unplayed(sampler: Sampler) -> Sampler:
    """Return a copy nobody else draws from; a recorded list starts from its beginning."""
    if isinstance(sampler, Recorded):
        return sampler.rewound()
    # The laws are immutable; a sampler of the user's may keep state that must not be shared.
    return sampler if isinstance(sampler, Empirical) else copy.deepcopy(sampler)


def never_ends() -> RuntimeError:
    """Say that a replication was given up, and why that happens."""
    return RuntimeError(
        f"the job must end within {FAILURES_LIMIT} failures and a finite time, got no end: "
        "uptimes must now and then be longer than recovery, interval and checkpoint together, "
        "and repairs must be quicker than failures"
    )


def ran_out(*samplers: Sampler) -> RuntimeError:
    """Say which recorded list was too short."""
    sizes = [sampler.durations.size for sampler in samplers if isinstance(sampler, Recorded)]
    return RuntimeError(f"durations must last, got only {min(sizes)}")
