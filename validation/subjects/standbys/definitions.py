"""A job with standby blocks as one Markov renewal process: segments, recoveries and stops.

Nothing is taken for granted that the closed form rests on: which blocks are down is followed
through every segment. Each fault drops or changes one rule; without one the shares are right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm, solve

from validation.judge.chance import FloatArray

__all__ = ["ENDLESS", "FAULTS", "LongRun", "first_return", "long_run"]

ENDLESS = 1e280  # a wait in which ever more blocks fail; beyond, products overflow


@dataclass(frozen=True, slots=True)
class LongRun:
    """Shares of a job without end.

    Parameters
    ----------
    goodput : float, [-]
        Work that is kept, per time.
    stop : float, [time]
        From a failure of the running job to the next recovery, on average.
    """

    goodput: float
    stop: float


def long_run(
    fault: str = "",
    *,
    blocks: float,
    standbys: float,
    block_mtbf: float,
    mttr: float,
    interval: float = 1.0,
    checkpoint_cost: float = 0.0,
    recovery_cost: float = 0.0,
    switch_time: float = 0.0,
    crews: float = np.inf,
    standby_hazard: float = 0.0,
    stopped_hazard: float = 0.0,
) -> LongRun:
    """Return the shares of the job, with a fault if one is named."""
    standbys = int(standbys) + {"one standby too many": 1}.get(fault, 0)
    crews = {"one repair at a time": 1.0, "a crew for every block": np.inf}.get(fault, crews)
    standby_hazard = {"standbys never fail": 0.0, "standbys fail as at work": 1.0}.get(
        fault, standby_hazard
    )
    if fault == "no failure in a stop":
        stopped_hazard = 0.0
    rate = blocks / block_mtbf
    size = standbys + 1
    down = np.arange(size)
    fails = np.asarray(standby_hazard / block_mtbf * (standbys - down), dtype=np.float64)
    returns = np.minimum(down, crews) / mttr
    generator = np.diag(fails[:-1], 1) + np.diag(returns[1:], -1) - np.diag(fails + returns)
    deeper = standbys + 1.0 + np.arange(blocks)
    wait = first_return(deeper, stopped_hazard / block_mtbf, blocks + standbys, crews, mttr)
    if wait == ENDLESS:
        return LongRun(0.0, np.inf)
    if fault == "no wait":
        wait = 0.0
    if fault == "a whole repair for a wait":
        wait = mttr
    if fault == "stops take no time":
        segment = np.exp(rate * recovery_cost) * np.expm1(rate * (interval + checkpoint_cost))
        back = np.minimum(down + 1.0, crews) / mttr
        return _instant(
            rate, fails, np.asarray(back, dtype=np.float64), switch_time, interval / segment
        )
    after = np.minimum(down + 1, standbys)
    if fault == "a failure takes no block":
        after = down

    def exposed(span: float, hazard: float) -> tuple[FloatArray, FloatArray, float]:
        """Return the chances to survive, to be struck, and the mean time."""
        lives = expm((generator - hazard * np.eye(size)) * span)
        if hazard == 0.0:
            return lives, np.zeros_like(lives), span
        struck = hazard * solve(hazard * np.eye(size) - generator, np.eye(size) - lives)
        return lives, struck, -np.expm1(-hazard * span) / hazard

    phases = (
        exposed(interval + checkpoint_cost, rate),
        exposed(recovery_cost, 0.0 if fault == "recovery never fails" else rate),
        exposed(switch_time, rate * stopped_hazard),
    )
    chances, times = np.zeros((3 * size, 3 * size)), np.zeros(3 * size)
    follows = (0, 0, 1)  # segment, recovery, stop
    for place, (lives, struck, time) in enumerate(phases):
        here = slice(place * size, (place + 1) * size)
        chances[here, follows[place] * size : (follows[place] + 1) * size] += lives
        for state in down:
            chances[here, 2 * size + after[state]] += struck[:, state]
        times[here] = time + wait * struck[:, -1]
    balance = chances.T - np.eye(3 * size)
    balance[-1] = 1.0
    shares = solve(balance, np.eye(3 * size)[-1])
    segments, recoveries, stops = (shares[place * size :][:size] for place in range(3))
    kept = interval * float(np.sum(segments @ phases[0][0]))
    running = np.concatenate([segments @ phases[0][1], recoveries @ phases[1][1]])
    stopped = float(stops @ times[2 * size :]) + wait * float(running[size - 1 :: size].sum())
    return LongRun(kept / float(shares @ times), stopped / float(running.sum()))


def first_return(down: FloatArray, hazard: float, total: float, crews: float, mttr: float) -> float:
    """Return the mean time until one block fewer is down than at first, by linear equations."""
    time = 0.0
    for count in map(float, down[::-1]):
        back = min(count, crews) / mttr
        time = min((1.0 + hazard * (total - count) * time) / back, ENDLESS)
    return time


def _instant(
    rate: float, fails: FloatArray, back: FloatArray, switch_time: float, kept: float
) -> LongRun:
    """Return the shares by a chain of blocks down in which stops take no time."""
    weights = np.cumprod(np.concatenate([[1.0], (rate + fails) / back]))
    working = 1.0 - float(weights[-1] / weights.sum())
    uptime = 1.0 / rate + switch_time
    return LongRun(working * kept / uptime, uptime / working - 1.0 / rate)


FAULTS = (
    "stops take no time",
    "no wait",
    "a whole repair for a wait",
    "a failure takes no block",
    "standbys never fail",
    "standbys fail as at work",
    "no failure in a stop",
    "one repair at a time",
    "a crew for every block",
    "one standby too many",
)
