"""The job of `job.py` as a loop over its events, compiled.

It draws in the order of the readable model: from one stream both give the same bits.
"""

from __future__ import annotations

import numpy as np

from ..._compiled import compiled

__all__ = ["standby_makespans"]

DONE, _, NO_END = range(3)
SEGMENT, RECOVERY, STOP, WAIT = range(4)


@compiled(nogil=True, error_model="numpy")
def standby_makespans(  # type: ignore[no-untyped-def]  # noqa: PLR0912, PLR0915, PLR0917 (one loop)
    rng,
    work,
    warm_up,
    blocks,
    standbys,
    least,
    rate,
    standby_rate,
    stopped_rate,
    automatic_rate,
    automatic_crews,
    escalated,
    automatic_false,
    manual_rate,
    manual_crews,
    manual_false,
    interval,
    checkpoint_cost,
    recovery_cost,
    switch_time,
    resize_time,
    under_repair,
    dust,
    limit,
    out,
):
    """Fill `out` with makespans of the job with standbys; return how that went."""
    for index in range(out.size):
        now = began = 0.0
        at_work, sound, faulty = blocks, standbys - under_repair, 0
        automatic, manual = under_repair, 0
        doomed, warming = False, warm_up > 0.0
        undone = warm_up if warming else work
        failures = 0
        span = min(interval, undone)
        phase, left = SEGMENT, span + checkpoint_cost
        while True:
            exposed = phase in (SEGMENT, RECOVERY)
            fails = at_work * (rate if exposed else stopped_rate)
            spoils = (sound + faulty) * standby_rate
            mends = min(automatic, automatic_crews) * automatic_rate
            returns = min(manual, manual_crews) * manual_rate
            total = fails + spoils + mends + returns
            gap = rng.standard_exponential() / total if total > 0.0 else np.inf
            lost = filled = False
            before = at_work
            if gap >= left:
                now += left
                if phase == RECOVERY:
                    phase, left = SEGMENT, span + checkpoint_cost
                elif phase == STOP:
                    if doomed:
                        lost = True
                    else:
                        phase, left = RECOVERY, recovery_cost
                else:
                    undone -= span * at_work / blocks
                    if undone <= dust * work:
                        if not warming:
                            break
                        warming, undone, began = False, work, now
                    span = min(interval, undone * blocks / at_work)
                    phase, left = SEGMENT, span + checkpoint_cost
                    filled = at_work < blocks and sound + faulty > 0
            else:
                if gap == np.inf:
                    return NO_END
                now += gap
                left -= gap
                chosen = rng.random() * total
                if chosen < fails:
                    lost = True
                elif chosen < fails + spoils:
                    if faulty > 0 and rng.random() * (sound + faulty) < faulty:
                        faulty -= 1
                    else:
                        sound -= 1
                    automatic += 1
                else:
                    arrives, false = True, automatic_false
                    if chosen < fails + spoils + mends:
                        automatic -= 1
                        if escalated > 0.0 and rng.random() < escalated:
                            manual += 1
                            arrives = False
                    else:
                        manual -= 1
                        false = manual_false
                    if arrives:
                        broken = false > 0.0 and rng.random() < false
                        if phase == WAIT:
                            at_work += 1
                            doomed = broken
                            if at_work >= least:
                                phase, left = STOP, switch_time
                                span = min(interval, undone * blocks / at_work)
                        elif broken:
                            faulty += 1
                        else:
                            sound += 1
            if lost:
                failures += 1
                if failures > limit:
                    return NO_END
                at_work -= 1
                automatic += 1
                if phase != WAIT:
                    if at_work + sound + faulty >= least:
                        filled = True
                    else:
                        phase, left = WAIT, np.inf
            if filled:
                doomed = False
                while at_work < blocks and sound + faulty > 0:
                    if faulty > 0 and rng.random() * (sound + faulty) < faulty:
                        faulty -= 1
                        doomed = True
                    else:
                        sound -= 1
                    at_work += 1
                phase, left = STOP, switch_time if at_work == before else resize_time
                span = min(interval, undone * blocks / at_work)
        out[index] = now - began
    return DONE
