"""The blocks that a job does not use: standbys, and those under repair.

A pool is a Markov chain. What is down when the job fails depends on what happened since the last
failure; how long the job then stands still depends on what is down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray
from ._chain import absorption, killed_after, stationary


@dataclass(frozen=True, slots=True)
class Pool:
    """What becomes of the pool while the job runs, and when it fails.

    Parameters
    ----------
    rates : ndarray, [1/time]
        From state to state while the job holds all its blocks. State 0 is a full pool.
        Shape (n, n).
    sound, faulty : ndarray, [-]
        Chances of the states that a failure leaves, once a block has been taken from the pool:
        one that works, or one that fails as soon as it does. Shape (n, n).
    wait : ndarray, [time]
        Mean wait for a block after a failure in each state. Shape (n,).
    """

    rates: FloatArray
    sound: FloatArray
    faulty: FloatArray
    wait: FloatArray

    def stop(self, span: float, kill: float) -> Stop:
        """Return the stop after a failure; `span` is the switch, at risk of failures at `kill`."""
        survived, struck = killed_after(self.rates, kill, span)
        time = span if kill * span == 0.0 else -np.expm1(-kill * span) / kill
        again = (self.sound + self.faulty) @ struck + self.faulty @ survived
        ends = self.sound @ survived
        times = (self.wait + time)[:, None]
        return Stop(*absorption(again, ends, times)) if again.any() else Stop(ends, times)

    def at_failures(self, rate: float, stop: Stop) -> FloatArray:
        """Return the long-run chances of the states in which failures find the pool.

        Failures at a constant rate find it as it is at any time, stops cut out: then it moves by
        its own rates, and by a whole stop at each failure.
        """
        return stationary(self.rates + rate * stop.leads_to)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a stop leads to from the state in which the job failed, and its mean length.

    Parameters
    ----------
    leads_to : ndarray, [-]
        Chances. Shape (n, n).
    times : ndarray, [time]
        Means. Shape (n, 1).
    """

    leads_to: FloatArray
    times: FloatArray

    def mean(self, found: FloatArray) -> float:
        """Return the mean length of a stop; failures find the pool in state j with found[j]."""
        met = found > 0.0
        return float(found[met] @ self.times[met, 0])


def equal_blocks(
    blocks: int,
    standbys: int,
    *,
    rate: float,
    mttr: float,
    crews: float,
    standby_hazard: float,
    stopped_hazard: float,
) -> Pool:
    """Return the pool in which state j is j blocks down, each of them under repair or in line."""
    down = np.arange(standbys + 1.0)
    fails = np.diag(standby_hazard * rate * (standbys - down[:-1]), 1)
    returns = np.diag(np.minimum(down[1:], crews) / mttr, -1)
    sound = np.diag(np.ones(standbys), 1)
    sound[-1, -1] = 1.0
    wait = np.zeros(standbys + 1)
    wait[-1] = until_one_returns(blocks, standbys, rate * stopped_hazard, mttr, crews)
    return Pool(fails + returns, sound, np.zeros_like(sound), wait)


def until_one_returns(
    blocks: int, standbys: int, hazard: float, mttr: float, crews: float
) -> float:
    """Return the mean time until one block fewer is down than just after the pool ran out."""
    down = standbys + 1.0 + np.arange(float(blocks))
    returns = np.minimum(down, crews) / mttr
    if hazard == 0.0:
        return float(1.0 / returns[0])
    fails = hazard * (blocks + standbys - down)
    with np.errstate(over="ignore"):
        deeper = np.cumprod(np.concatenate([[1.0], fails[:-1] / returns[:-1]]))
        return float(np.sum(deeper / returns))
