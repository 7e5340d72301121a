"""Formulas about one job, judged by equal jobs replayed on a cluster under failures.

The replay shares no code with the single-job simulator, so it is a third implementation. A queue
of equal jobs on one node is a sample of makespans: exponential uptimes have no memory, so
failures strike each job as if it were the first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from perfmodel import exact_makespan, slowest_of
from perfmodel.makespan import expected_makespan
from sim.cluster import Failures, Periodic, Workload, flat, replay
from sim.samplers import Deterministic, Exponential
from validation.judge.compare import compare_mean
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case, seed_of
from validation.judge.verdict import Verdict

__all__ = ["CASES", "FULL"]

Predict = Callable[..., Any]

QUEUE = 2000  # jobs in one replay


@lru_cache(maxsize=16)  # eight tasks of the slowest, twice; the mutants use them again
def replayed(seed: int, replications: int, nodes: int, **job: float) -> npt.NDArray[np.float64]:
    """Return makespans of `replications` equal jobs of `nodes` nodes that queue for all of them.

    They are split over several replays, because the time of one grows faster than its queue.
    """
    queues = [min(QUEUE, replications - first) for first in range(0, replications, QUEUE)]
    return np.concatenate(
        [
            _queue(seed_of(seed, f"queue {number}"), length, nodes, **job)
            for number, length in enumerate(queues)
        ]
    )


def _queue(seed: int, replications: int, nodes: int, **job: float) -> npt.NDArray[np.float64]:
    """Return the makespans of one replay.

    The failure feed covers four times the failure-free time of all jobs. A queue that lasts longer
    would be a sample of other makespans, so it is an error.
    """
    work, cost = job["work"], job["checkpoint_cost"]
    jobs = Workload(
        submit=np.zeros(replications),
        runtime=np.full(replications, work),
        walltime=np.full(replications, work),
        processors=np.full(replications, nodes),
    )
    end = 4.0 * replications * (work + (work / job["interval"] + 1.0) * cost)
    result = replay(
        jobs,
        flat(nodes),
        policy="fcfs",
        failures=Failures.sampled(
            nodes=nodes,
            uptime=Exponential(nodes * job["mtbf"]),
            repair=Deterministic(job["downtime"]),
            end=end,
            seed=seed,
        ),
        checkpointing=Periodic(job["interval"], cost, job["recovery_cost"], final=True),
    )
    records = result.job_records
    if not records.end.max() < end:
        raise RuntimeError(f"end must be beyond the last job, got {end!r}")
    return np.asarray(records.end - records.first_start)


def replayed_mean(
    predict: Predict, budget: Budget, *, nodes: int, many: int = 1, **job: float
) -> Verdict:
    """Judge the mean makespan by a replayed queue of jobs."""
    walls = replayed(budget.seed, many * budget.replications // 40, nodes, **job)
    predicted = float(predict(job["work"], **{k: v for k, v in job.items() if k != "work"}))
    return compare_mean(predicted, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def replayed_law(
    predict: Predict, budget: Budget, *, nodes: int, many: int = 1, **job: float
) -> Verdict:
    """Judge the distribution of the makespan by a replayed queue of jobs."""
    walls = replayed(budget.seed, many * budget.replications // 40, nodes, **job)
    law = predict(job["work"], **{k: v for k, v in job.items() if k != "work"})
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def replayed_slowest(
    predict: Predict, budget: Budget, *, count: int, many: int = 1, **job: float
) -> Verdict:
    """Judge the slowest of `count` tasks by as many nodes, each with its own queue."""
    tasks = [
        replayed(budget.seed + task, many * budget.replications // 400, 1, **job)
        for task in range(count)
    ]
    alone: dict[str, Any] = dict(job)
    law = predict(exact_makespan(alone.pop("work"), **alone), count)
    return compare_mean(
        float(law.mean), np.max(tasks, axis=0), alpha=budget.alpha, tolerance=budget.tolerance
    )


_NAMES = ("work", "interval", "mtbf", "checkpoint_cost", "recovery_cost", "downtime")
_HARSH = dict(zip(_NAMES, (10.0, 10.0, 20.0, 2.0, 3.0, 1.0), strict=True))
_SHORT_LAST = dict(zip(_NAMES, (7.0, 5.0, 20.0, 1.0, 3.0, 1.0), strict=True))
_PARALLEL = dict(zip(_NAMES, (10.0, 4.0, 20.0, 1.0, 3.0, 0.0), strict=True))

CASES = (
    Case(
        expected_makespan,
        replayed_mean,
        # On several nodes repairs would overlap, so they take no time here.
        ({"nodes": 1, **_HARSH}, {"nodes": 4, **_PARALLEL}),
        gate=0.03,
    ),
    Case(exact_makespan, replayed_law, ({"nodes": 1, **_HARSH},), gate=0.06),
    Case(slowest_of, replayed_slowest, ({"count": 8, **_HARSH},), gate=0.06),
)

# A replay takes about 70 microseconds per job: the quick tier shows errors of 3 to 6 %; with this
# many times the jobs the full tier shows 1 %.
FULL = (
    Case(
        expected_makespan,
        replayed_mean,
        (
            {"nodes": 1, "many": 2, **_HARSH},
            {"nodes": 1, "many": 2, **_SHORT_LAST},
            {"nodes": 4, "many": 2, **_PARALLEL},
        ),
    ),
    Case(exact_makespan, replayed_law, ({"nodes": 1, "many": 2, **_HARSH},)),
    Case(slowest_of, replayed_slowest, ({"count": 8, "many": 6, **_HARSH},)),
)
