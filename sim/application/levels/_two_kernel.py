"""The job of `two` as a loop over its phases, compiled.

It draws in the order of the readable model: from one stream both give the same bits.
"""

from __future__ import annotations

import numpy as np

from ..._compiled import compiled
from ..kernels import DONE, NO_END, RAN_OUT, _draw

__all__ = ["two_level_makespans"]

COMPUTE, CHECKPOINT, COPY, DOWN, LOCAL, DURABLE = range(6)
BARE, STAGED = 1, 2  # places of the rules


@compiled(nogil=True, error_model="numpy")
def two_level_makespans(  # type: ignore[no-untyped-def]  # noqa: PLR0912, PLR0917 (one loop)
    rng,
    uptime,
    downtime,
    survived,
    interval,
    last_interval,
    segments,
    durable_every,
    local_cost,
    durable_cost,
    local_recovery,
    durable_recovery,
    rule,
    limit,
    out,
):
    """Fill `out` with makespans of the job with two levels; return how that went."""
    for index in range(out.size):
        now = 0.0
        saved = durable = failures = 0
        has_local = True
        fails = _draw(rng, uptime, 0)  # type: ignore[no-untyped-call]
        leaves_local = rng.random() < survived
        phase = COMPUTE
        ends = last_interval if segments == 1 else interval
        while True:
            if np.isnan(fails) or np.isnan(ends):
                return RAN_OUT
            if phase != DOWN and fails <= ends:
                now = fails
                failures += 1
                if not leaves_local:
                    has_local = False
                down = _draw(rng, downtime, failures - 1)  # type: ignore[no-untyped-call]
                if failures > limit or down == np.inf:
                    return NO_END
                phase, ends = DOWN, now + down
                continue
            now = ends
            if phase == COMPUTE:
                top = saved + 1 == segments or (saved + 1) % durable_every == 0
                cost = durable_cost if top and rule != STAGED else local_cost
                phase, ends = CHECKPOINT, now + cost
                continue
            if phase == DOWN:
                fails = now + _draw(rng, uptime, failures)  # type: ignore[no-untyped-call]
                leaves_local = rng.random() < survived
                if has_local:
                    phase, ends = LOCAL, now + local_recovery
                else:
                    saved = durable
                    phase, ends = DURABLE, now + durable_recovery
                continue
            if phase == DURABLE:
                has_local = rule != BARE
            elif phase == CHECKPOINT:
                saved += 1
                has_local = True
            top = saved == segments or saved % durable_every == 0
            if phase == COPY or (phase == CHECKPOINT and top and rule != STAGED):
                durable = saved
                if durable == segments:
                    break
            if saved > durable and top:
                phase, ends = COPY, now + (durable_cost - local_cost)
            else:
                span = last_interval if saved == segments - 1 else interval
                phase, ends = COMPUTE, now + span
        out[index] = now
    return DONE
