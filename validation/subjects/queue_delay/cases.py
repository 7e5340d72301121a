"""Delays of failed jobs under load, against a queue with one failure, and against replays."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from perfmodel.site import expected_head_delay, expected_rear_delay, expected_resubmission_delay
from sim.application import Option
from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.recovery import OPTIONS, RecoverByOption
from sim.records import Outcome
from sim.samplers import Deterministic, Gamma
from sim.streams import stream
from validation.judge.chance import alpha_of
from validation.judge.compare import compare_mean
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_delays_after_failure

__all__ = ["CASES", "FULL", "struck_job"]

Predict = Callable[..., Any]
FloatArray = npt.NDArray[np.float64]

TOLERANCE = 0.3  # gate of replays: one failure takes some forty jobs
EFFORT = 0.0015
_BLOCK = 30  # failures in a block: some busy periods are many times as long as the mean one
_BETWEEN = 4.0  # relaxation times between two failures of a replay
_FORGOTTEN = 7.0  # relaxation times before the one failure of a queue: e^-7 of the start is left


def _relaxation(service_time: float, places: int, load: float) -> float:
    """Return the relaxation time: after it 1/e of the influence of the start is left."""
    return service_time / (places * (1.0 - math.sqrt(load)) ** 2)


@lru_cache(maxsize=4)
def _played(
    seed: int,
    count: int,
    option: str,
    *,
    service_time: float,
    places: int,
    load: float,
    downtime: float = 0.0,
    scv: float = 1.0,
    rest: float = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return the walltime left at each failure that struck a job, and the delay of the job."""
    gap = _BETWEEN * (_relaxation(service_time, places, load) + downtime + rest)
    failures = max(int(count / load), 2)
    rng = stream(seed, 1)
    strikes = np.asarray(gap * np.arange(1, failures + 1), dtype=np.float64)
    rate = load * places / service_time
    jobs = int(rate * gap * (failures + 1))
    running = service_time * (rng.gamma(1.0 / scv, scv, size=jobs) if scv > 0.0 else np.ones(jobs))
    workload = Workload(
        submit=np.cumsum(rng.exponential(1.0 / rate, size=jobs)),
        runtime=running,
        walltime=running + rest,
        processors=np.ones(jobs, dtype=np.int64),
    )
    done = replay(
        workload,
        flat(places),
        policy="fcfs",
        failures=Failures(
            strikes, rng.integers(places, size=failures), np.full(failures, downtime)
        ),
        recovery=RecoverByOption([OPTIONS[option]] * jobs),
    )
    tries = done.attempt_records
    left, delays = [], []
    struck: dict[int, tuple[float, float]] = {}
    for position, start, end, outcome in zip(
        tries.position, tries.start, tries.end, tries.outcome, strict=True
    ):
        if position in struck:
            failed, ends = struck.pop(position)
            left.append(max(ends - failed, 0.0))
            delays.append(start - failed)
        if outcome == Outcome.FAILED:
            struck[position] = (end, start + running[position] + rest)
    return np.array(left), np.array(delays)


def struck_job(
    predict: Predict,
    budget: Budget,
    *,
    option: Option,
    service_time: float,
    load: float,
    places: int = 1,
    scv: float = 1.0,
    remaining: float = 0.0,
    **more: float,
) -> Verdict:
    """Judge the mean delay by a queue with one failure in every replication."""
    delays = simulate_delays_after_failure(
        gap=service_time / (places * load),
        places=places,
        running=Gamma(1.0 / scv, service_time * scv) if scv > 0.0 else Deterministic(service_time),
        strike=_FORGOTTEN * _relaxation(service_time, places, load),
        option=option,
        downtime=more.get("downtime", 0.0),
        rest=remaining,
        replications=budget.replications,
        seed=budget.seed,
    )
    queue: dict[str, Any] = {"service_time": service_time, "load": load, **more}
    if option == "rear":
        queue["scv"] = scv
    else:
        queue["places"] = places
    if option == "later":
        queue["remaining"] = remaining
    return compare_mean(
        float(predict(**queue)),
        delays[~np.isnan(delays)],
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def at_the_head(predict: Predict, budget: Budget, *, option: str, **queue: Any) -> Verdict:
    """Judge the delay of jobs requeued at the head, or at the place of their submission."""
    delays = _played(budget.seed, budget.replications, option, **queue)[1]
    return _judge(float(predict(**queue)), delays, budget)


def at_the_rear(predict: Predict, budget: Budget, **queue: Any) -> Verdict:
    """Judge the delay of jobs requeued behind all others."""
    delays = _played(budget.seed, budget.replications, "B", places=1, **queue)[1]
    return _judge(float(predict(**queue)), delays, budget)


def by_resubmission(predict: Predict, budget: Budget, **queue: Any) -> Verdict:
    """Judge the delay of jobs resubmitted when their walltime would have ended."""
    left, delays = _played(budget.seed, budget.replications, "A", **queue)
    known = {name: value for name, value in queue.items() if name != "rest"}
    predicted = float(predict(float(left.mean()), **known))
    # The walltime left is an argument; only the wait is predicted.
    return _judge(predicted, delays - left + left.mean(), budget)


def _judge(predicted: float, delays: FloatArray, budget: Budget) -> Verdict:
    """Compare means over blocks, because a few busy periods have most of the total length."""
    blocks = max(delays.size // _BLOCK, 2)
    sample = np.array([block.mean() for block in np.array_split(delays, blocks)])
    # There are few blocks: this alpha gives the limit of Student's t.
    alpha = alpha_of(float(stdtrit(blocks - 1, 1.0 - budget.alpha / 2.0)))
    return compare_mean(predicted, sample, alpha=alpha, tolerance=budget.tolerance)


_NAMES = ("option", "service_time", "places", "load")

CASES = (
    Case(
        expected_head_delay,
        struck_job,
        table(
            (*_NAMES, "downtime"),
            ("head", 10.0, 2, 0.4, 8.0),
            ("head", 10.0, 1, 0.3, 15.0),
        ),
        effort=1.4,
    ),
    Case(
        expected_head_delay,
        at_the_head,
        table((*_NAMES, "downtime"), ("E", 10.0, 1, 0.3, 15.0)),
        effort=EFFORT,
        gate=TOLERANCE,
    ),
    Case(
        expected_rear_delay,
        struck_job,
        table(
            (*_NAMES, "downtime", "scv"),
            ("rear", 10.0, 1, 0.3, 12.0, 1.0),
            ("rear", 10.0, 1, 0.4, 5.0, 0.0),
            ("rear", 10.0, 1, 0.3, 30.0, 2.0),
        ),
        effort=1.5,
    ),
    Case(
        expected_rear_delay,
        at_the_rear,
        table(("service_time", "load", "downtime", "scv"), (10.0, 0.3, 12.0, 1.0)),
        effort=EFFORT,
        gate=TOLERANCE,
    ),
    Case(
        expected_resubmission_delay,
        struck_job,
        table((*_NAMES, "remaining"), ("later", 10.0, 2, 0.5, 2.0), ("later", 10.0, 1, 0.4, 30.0)),
        effort=1.7,
    ),
    Case(
        expected_resubmission_delay,
        by_resubmission,
        table(("service_time", "places", "load", "rest"), (10.0, 1, 0.4, 2.0)),
        effort=EFFORT,
        gate=TOLERANCE,
    ),
)

FULL = (
    Case(
        expected_head_delay,
        at_the_head,
        table((*_NAMES, "downtime"), ("D", 10.0, 2, 0.5, 20.0)),
        effort=EFFORT,
        gate=TOLERANCE,
    ),
)
