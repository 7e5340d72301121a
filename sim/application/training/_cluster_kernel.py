"""The job of `cluster.py`, compiled: a loop over its failures.

Servers are alike but for being a lemon or not, so that a group of them is two numbers; the standbys
are a line. A repair is drawn as a whole when it begins.
"""

from __future__ import annotations

import numpy as np

from ..._compiled import compiled

_DUST = 2.0**-48  # of the work: rounding, not a segment


@compiled(nogil=True, error_model="numpy")
def training_job(  # type: ignore[no-untyped-def]  # noqa: PLR0912, PLR0915, PLR0917 (one loop)
    rng,
    work,
    interval,
    does_rework,
    checkpoint_cost,
    servers,
    standbys,
    working,
    spare,
    rate,
    lemons,
    lemon_factor,
    automatic,
    manual,
    escalated,
    automatic_false,
    manual_false,
    recovery_time,
    selection_time,
    preemption_time,
):
    """Play one job; return its makespan, failures, host selections and preemptions."""
    total = working + spare
    bad_spare = bad_idle = 0
    # Lemons fall on the two pools at random.
    left, bad_left = total, int(total * lemons)
    for place in range(total):
        if rng.random() * left < bad_left:
            bad_left -= 1
            if place < working:
                bad_idle += 1
            else:
                bad_spare += 1
        left -= 1
    idle = working  # in the working pool, neither at work nor a standby nor under repair
    bad_job = 0
    line = np.zeros(standbys + 1, np.bool_)  # whether each standby is a lemon, a ring
    first = waiting = 0
    back = np.empty(total)  # when each repair ends
    stays_bad = np.zeros(total, np.bool_)
    repairs = 0
    now, remaining = 0.0, work
    failures = selections = preemptions = 0
    held = 0  # servers of the job
    select, filling = True, False
    while True:
        # Servers whose repair has ended come back, in the order of time.
        while repairs > 0:
            soonest = 0
            for place in range(1, repairs):
                if back[place] < back[soonest]:
                    soonest = place
            short = select and held + waiting + idle < servers and spare == 0
            if back[soonest] > now and not short:
                break
            now = max(now, back[soonest])
            broken = stays_bad[soonest]
            repairs -= 1
            back[soonest], stays_bad[soonest] = back[repairs], stays_bad[repairs]
            if held > 0 and waiting < standbys:
                line[(first + waiting) % line.size] = broken
                waiting += 1
            else:
                idle += 1
                bad_idle += broken
        if held < servers and waiting > 0 and not select:
            taken = line[first]
            first = (first + 1) % line.size
            waiting -= 1
            held += 1
            bad_job += taken
        elif held < servers:
            select = True
        if select:
            there = held + waiting + idle
            filling = filling or there < servers
            if filling and there < servers + standbys and spare > 0:
                now += preemption_time
                taken = rng.random() * spare < bad_spare
                bad_spare -= taken
                bad_idle += taken
                spare -= 1
                idle += 1
                preemptions += 1
                continue
            if there < servers:
                continue
            filling = False
            for place in range(waiting):
                bad_idle += line[(first + place) % line.size]
            idle += held + waiting
            bad_idle += bad_job
            first = waiting = held = bad_job = 0
            while held < servers:
                taken = rng.random() * idle < bad_idle
                held += 1
                bad_job += taken
                idle -= 1
                bad_idle -= taken
            while waiting < standbys and idle > 0:
                taken = rng.random() * idle < bad_idle
                line[waiting] = taken
                waiting += 1
                idle -= 1
                bad_idle -= taken
            now += selection_time
            selections += 1
            select = False
        weight = servers + lemon_factor * bad_job
        gap = rng.standard_exponential() / (rate * weight)
        if does_rework:
            segments = max(np.ceil((remaining / interval) * (1.0 - _DUST)), 1.0)
            whole = remaining + (segments - 1.0) * checkpoint_cost
            if gap >= whole:
                now += whole
                break
            saved = min(np.floor(gap / (interval + checkpoint_cost)), segments - 1.0)
            remaining -= saved * interval
        else:
            if gap >= remaining:
                now += remaining
                break
            remaining -= gap
        now += gap
        failures += 1
        broken = rng.random() * weight < (1.0 + lemon_factor) * bad_job
        held -= 1
        bad_job -= broken
        repair, false = automatic * rng.standard_exponential(), automatic_false
        if rng.random() < escalated:
            repair, false = repair + manual * rng.standard_exponential(), manual_false
        back[repairs] = now + repair
        stays_bad[repairs] = broken and rng.random() < false
        repairs += 1
        now += recovery_time
    return now, failures, selections, preemptions
