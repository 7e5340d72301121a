"""A job that goes on with fewer blocks, as one Markov renewal process in all its phases.

Each fault drops or changes one rule; without one the goodput is right.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.linalg import expm, solve

from .definitions import ENDLESS, first_return

__all__ = ["FAULTS", "degraded"]

_SEGMENT, _RECOVERY, _SWITCH, _RESIZE = range(4)


def degraded(  # noqa: PLR0915 (the rules of the job, in their order)
    fault: str = "",
    *,
    blocks: float,
    standbys: float,
    may_miss: float,
    block_mtbf: float,
    mttr: float,
    interval: float,
    checkpoint_cost: float = 0.0,
    recovery_cost: float = 0.0,
    switch_time: float = 0.0,
    resize_time: float = 0.0,
    crews: float = np.inf,
    standby_hazard: float = 0.0,
    stopped_hazard: float = 0.0,
) -> float:
    """Return the work kept per time, with a fault if one is named."""
    if fault == "standbys never fail":
        standby_hazard = 0.0
    if fault == "a resize is a switch":
        resize_time = switch_time
    if fault == "no failure in a stop":
        stopped_hazard = 0.0
    if fault == "one more may be missing":
        may_miss = min(may_miss + 1.0, blocks - 1.0)
    full, total = int(blocks), int(blocks + standbys)
    least = full - int(may_miss)
    keys = [
        (phase, held, down)
        for held, phase in product(range(least, full + 1), range(4))
        for down in range(total - held + 1)
    ]
    place = {key: index for index, key in enumerate(keys)}
    chances, times, kept = np.zeros((len(keys),) * 2), np.zeros(len(keys)), np.zeros(len(keys))
    lost_at = np.arange(total - least + 1.0, total + 1.0)
    wait = first_return(lost_at, stopped_hazard / block_mtbf, total, crews, mttr)
    if wait == ENDLESS:
        return 0.0
    if fault == "no wait":
        wait = 0.0

    def struck(held: int, down: int) -> tuple[int, float]:
        """Return the stop after a failure that finds `down`, and the wait before it."""
        now = min(full, total - down - 1)
        if now < least:
            return place[_SWITCH, least, down], wait
        same = now == held or (fault == "growth is a switch" and now > held)
        return place[_SWITCH if same else _RESIZE, now, down + 1], 0.0

    spans = {
        _SEGMENT: interval + checkpoint_cost,
        _RECOVERY: recovery_cost,
        _SWITCH: switch_time,
        _RESIZE: resize_time,
    }
    for held, phase in product(range(least, full + 1), range(4)):
        size = total - held + 1
        down = np.arange(size)
        fails = standby_hazard / block_mtbf * (total - held - down)
        back = np.minimum(down, crews) / mttr
        generator = np.diag(fails[:-1], 1) + np.diag(back[1:], -1) - np.diag(fails + back)
        hazard = held / block_mtbf * (1.0 if phase in {_SEGMENT, _RECOVERY} else stopped_hazard)
        lives = expm((generator - hazard * np.eye(size)) * spans[phase])
        dies, time = np.zeros_like(lives), spans[phase]
        if hazard > 0.0:
            dies = hazard * solve(hazard * np.eye(size) - generator, np.eye(size) - lives)
            time = -np.expm1(-hazard * spans[phase]) / hazard
        speed = 1.0 if fault == "full speed on fewer blocks" else held / blocks
        for first, last in product(range(size), range(size)):
            row = place[phase, held, first]
            after, waited = struck(held, last)
            chances[row, after] += dies[first, last]
            times[row] += dies[first, last] * waited
            ends = place[_RECOVERY if phase in {_SWITCH, _RESIZE} else _SEGMENT, held, last]
            now = min(full, total - last)
            if phase == _SEGMENT and now > held and fault != "blocks return in stops alone":
                ends = place[_RESIZE, now, last]
            chances[row, ends] += lives[first, last]
            if phase == _SEGMENT:
                kept[row] += lives[first, last] * interval * speed
        times[place[phase, held, 0] : place[phase, held, 0] + size] += time
    balance = chances.T - np.eye(len(keys))
    balance[-1] = 1.0
    shares = solve(balance, np.eye(len(keys))[-1])
    return float(shares @ kept) / float(shares @ times)


FAULTS = (
    "full speed on fewer blocks",
    "a resize is a switch",
    "growth is a switch",
    "blocks return in stops alone",
    "no wait",
    "standbys never fail",
    "no failure in a stop",
    "one more may be missing",
)
