"""The checkpointed job written with other tools, each as fast as we could make it.

All three follow the rules of `sim.application.checkpointed_job` for exponential uptimes, lognormal
downtimes and no recovery cost. The SimPy models draw from `random.Random`, which is quicker than
a NumPy generator for one number at a time.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Job:
    """The job of the benchmark, [h]."""

    work: float = 128.0
    interval: float = 2.0
    checkpoint_cost: float = 0.2
    mtbf: float = 512.0
    mu: float = math.log(2.0) - 0.5
    sigma: float = 1.0

    @property
    def segments(self) -> int:
        return round(self.work / self.interval)

    @property
    def period(self) -> float:
        return self.interval + self.checkpoint_cost


def simpy_by_segment(job: Job, replications: int, seed: int) -> list[float]:
    """Simulate with one event per segment: its end, or a failure before it."""
    import simpy

    random = Random(seed)
    expovariate, lognormvariate = random.expovariate, random.lognormvariate
    rate, mu, sigma, period, segments = 1.0 / job.mtbf, job.mu, job.sigma, job.period, job.segments

    def run(env: Any) -> Generator[Any, Any, None]:
        timeout, saved = env.timeout, 0
        failure = expovariate(rate)
        while saved < segments:
            if env.now + period < failure:
                yield timeout(period)
                saved += 1
            else:
                yield timeout(failure - env.now)
                yield timeout(lognormvariate(mu, sigma))
                failure = env.now + expovariate(rate)

    return _play(simpy.Environment, run, replications)


def simpy_by_failure(job: Job, replications: int, seed: int) -> list[float]:
    """Simulate with one event per failure, and skip the segments without one."""
    import simpy

    random = Random(seed)
    expovariate, lognormvariate = random.expovariate, random.lognormvariate
    rate, mu, sigma, period, segments = 1.0 / job.mtbf, job.mu, job.sigma, job.period, job.segments

    def run(env: Any) -> Generator[Any, Any, None]:
        timeout, left = env.timeout, segments
        while True:
            uptime = expovariate(rate)
            if uptime > left * period:
                yield timeout(left * period)
                return
            yield timeout(uptime + lognormvariate(mu, sigma))
            left -= int(uptime / period)

    return _play(simpy.Environment, run, replications)


def numpy_by_failure(job: Job, replications: int, seed: int) -> np.ndarray[Any, Any]:
    """Simulate all replications at once, with one round per failure."""
    rng = np.random.default_rng(seed)
    walls = np.zeros(replications)
    left = np.full(replications, float(job.segments))
    running = np.arange(replications)
    while running.size:
        uptime = job.mtbf * rng.standard_exponential(running.size)
        remaining = left[running] * job.period
        done = uptime > remaining
        walls[running[done]] += remaining[done]
        running, uptime = running[~done], uptime[~done]
        walls[running] += uptime + rng.lognormal(job.mu, job.sigma, running.size)
        left[running] -= np.floor(uptime / job.period)
    return walls


def _play(environment: Any, run: Any, replications: int) -> list[float]:
    walls = []
    for _ in range(replications):
        env = environment()
        env.process(run(env))
        env.run()
        walls.append(env.now)
    return walls
