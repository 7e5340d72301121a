"""Promises and checkpoints by the risk-based rule, against jobs replayed by `sim.cluster`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from perfmodel.site import (
    checkpoint_gain,
    longest_promise,
    promised_probability,
    risk_based_interval,
)
from sim.application import Machine
from sim.cluster import Failures, Job, Periodic, Workload, flat, replay
from sim.cluster.checkpointing import Cooperative
from sim.cluster.forecasts import RateForecaster
from sim.records import Outcome
from sim.samplers import Deterministic, Exponential
from validation.judge.chance import TIE
from validation.judge.compare import compare_mean, compare_number
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_parallel_makespans

__all__ = [
    "CASES",
    "gain",
    "granted",
    "parallel_job_of_that_length",
    "parallel_job_undisturbed",
]

Predict = Callable[..., Any]

EFFORT = 0.01  # jobs are replayed one after the other by the general loop, which is slow

_REPLAYED = 0.07  # gate of a share of replayed jobs: there are some thousands of them


@lru_cache(maxsize=2)
def undisturbed(
    seed: int, jobs: int, duration: float, nodes: int, node_mtbf: float
) -> npt.NDArray[np.float64]:
    """Replay jobs of the whole machine one by one; return 1 for those without a failure, else 0."""
    gap = 1.1 * duration
    workload = Workload(
        submit=np.asarray(gap * np.arange(jobs), dtype=np.float64),
        runtime=np.full(jobs, duration),
        walltime=np.full(jobs, duration),
        processors=np.full(jobs, nodes),
    )
    failures = Failures.sampled(
        nodes=nodes,
        uptime=Exponential(node_mtbf),
        repair=Deterministic(1e-3 * duration),
        end=gap * jobs,
        seed=seed,
    )
    done = replay(workload, flat(nodes), policy="fcfs", failures=failures, recovery="drop")
    return np.asarray(done.job_records.outcome == Outcome.COMPLETED, dtype=np.float64)


def parallel_job_undisturbed(
    predict: Predict, budget: Budget, *, duration: float, nodes: int, node_mtbf: float
) -> Verdict:
    """Judge the share of parallel jobs whose slowest task takes exactly its work."""
    machine = Machine(mtbf=node_mtbf, interval=duration)
    walls = simulate_parallel_makespans(
        (duration,) * nodes, (machine,) * nodes, replications=budget.replications, seed=budget.seed
    )
    return compare_mean(
        float(predict(duration, nodes=nodes, node_mtbf=node_mtbf)),
        walls <= duration * (1.0 + TIE),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def parallel_job_of_that_length(
    predict: Predict, budget: Budget, *, probability: float, **nodes: Any
) -> Verdict:
    """Judge the predicted length: the share of such jobs of this length without a failure."""
    duration = float(predict(probability, **nodes))
    return parallel_job_undisturbed(
        lambda *_, **__: probability, budget, duration=duration, **nodes
    )


def kept_promise(predict: Predict, budget: Budget, *, duration: float, **nodes: Any) -> Verdict:
    """Judge the share of jobs that no failure strikes until their deadline."""
    sample = undisturbed(budget.seed, budget.replications, duration, **nodes)
    promised = float(predict(duration, **nodes))
    return compare_mean(promised, sample, alpha=budget.alpha, tolerance=budget.tolerance)


def longest(predict: Predict, budget: Budget, *, probability: float, **nodes: Any) -> Verdict:
    """Judge the longest promise: the share of jobs of this length that no failure strikes."""
    duration = float(predict(probability, **nodes))
    sample = undisturbed(budget.seed, budget.replications, duration, **nodes)
    return compare_mean(probability, sample, alpha=budget.alpha, tolerance=budget.tolerance)


def gain(
    predict: Predict,
    budget: Budget,
    *,
    failure_probability: float,
    intervals: int,
    interval: float,
    checkpoint_cost: float,
) -> Verdict:
    """Judge the gain by the costs in `sim` of a failure just before the next checkpoint."""
    del budget
    span, cost, p = interval, checkpoint_cost, failure_probability
    unsaved = intervals * span
    job = Job(0, 0.0, 1, unsaved + span, unsaved + span, False)

    def spent(checkpoints: Periodic, granted: float) -> float:
        line = checkpoints.timeline(job, unsaved + span, 0.0, None)
        struck = line.at(unsaved + granted + span + cost * (1.0 - 1e-12))
        return p * (struck.lost + struck.checkpoint) + (1.0 - p) * granted

    skipped = spent(Periodic(10.0 * unsaved, cost), 0.0)
    performed = spent(Periodic(unsaved, cost), cost)
    predicted = predict(p, unsaved=unsaved, checkpoint_cost=cost)
    return compare_number(float(predicted), skipped - performed, tolerance=1e-9)


def granted(
    predict: Predict, budget: Budget, *, interval: float, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Judge the interval by the work between checkpoints that the rule of `sim` allows a job."""
    del budget
    predicted = float(predict(interval, mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    requests = 3 * max(round(predicted / interval), 1) + 3
    outlook = RateForecaster(1.0 / mtbf).outlook(None, 1)
    work = (requests + 0.5) * interval
    job = Job(0, 0.0, 1, work, work, False)
    line = Cooperative(interval, checkpoint_cost, outlook).timeline(job, work, 0.0, np.array([0]))
    between = np.diff([0.0, *line.saved])
    if not between.size or not np.allclose(between, between[0], rtol=1e-9):
        return compare_number(predicted, float("inf"), tolerance=0.0)
    return compare_number(predicted, float(between[0]), tolerance=1e-9)


_NODES = ("nodes", "node_mtbf")
PROMISES = table(("duration", *_NODES), (50.0, 4, 300.0), (10.0, 1, 20.0), (200.0, 2, 5000.0))
LENGTHS = table(("probability", *_NODES), (0.5, 4, 300.0), (0.9, 2, 1000.0))

CASES = (
    Case(promised_probability, parallel_job_undisturbed, PROMISES),
    Case(promised_probability, kept_promise, PROMISES, effort=EFFORT, gate=_REPLAYED),
    Case(longest_promise, parallel_job_of_that_length, LENGTHS),
    Case(longest_promise, longest, LENGTHS, effort=EFFORT, gate=_REPLAYED),
    Case(
        checkpoint_gain,
        gain,
        (
            {"failure_probability": 0.3, "intervals": 2, "interval": 10.0, "checkpoint_cost": 2.0},
            {"failure_probability": 0.9, "intervals": 1, "interval": 5.0, "checkpoint_cost": 4.0},
            {"failure_probability": 0.0, "intervals": 3, "interval": 5.0, "checkpoint_cost": 1.0},
        ),
        chance=False,
    ),
    Case(
        risk_based_interval,
        granted,
        (
            {"interval": 10.0, "mtbf": 100.0, "checkpoint_cost": 9.0},
            {"interval": 1.0, "mtbf": 100.0, "checkpoint_cost": 0.5},
            {"interval": 7.0, "mtbf": 20.0, "checkpoint_cost": 3.0},
            {"interval": 3600.0, "mtbf": 3.15e5, "checkpoint_cost": 720.0},
        ),
        chance=False,
    ),
)
