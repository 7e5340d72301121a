"""The cost of recovery, against replays of jobs that each have their own node."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from perfmodel.site import expected_failure_slowdown, expected_manual_wait, recovery_charge
from sim.cluster import Failures, Periodic, Replay, Workload, flat, replay
from sim.cluster.recovery import OPTIONS, Prices, RecoverByOption, replay_credits
from sim.metrics import failure_slowdown
from sim.records import Outcome
from sim.samplers import Deterministic, Exponential
from validation.judge.chance import TIE
from validation.judge.compare import compare_mean, compare_number
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_durations
from ..makespan.cases import play

__all__ = ["CASES", "FULL", "account", "job_that_was_struck", "user_who_looks"]

Predict = Callable[..., Any]
TOLERANCE = 0.1  # gate of whole replays: they have some thousand jobs, not millions
_JOBS = 50  # jobs in one replay


@lru_cache(maxsize=2)
def _replays(seed: int, count: int, option: str, **job: float) -> tuple[Replay, ...]:
    """Replay equal jobs under one recovery option."""
    nodes = 2 * _JOBS if option == "A" else _JOBS
    work, walltime = job["work"], job.get("walltime", job["work"])
    jobs = Workload(
        submit=np.zeros(_JOBS),
        runtime=np.full(_JOBS, work),
        walltime=np.full(_JOBS, walltime),
        processors=np.ones(_JOBS, dtype=np.int64),
    )
    end = 100.0 * (work + job.get("downtime", 0.0))
    found = []
    for block in range(-(-count // _JOBS)):
        failures = Failures.sampled(
            nodes=nodes,
            uptime=Exponential(job["mtbf"]),
            repair=Deterministic(job.get("downtime", 0.0)),
            end=end,
            seed=seed + block,
        )
        found.append(
            replay(
                jobs,
                flat(nodes),
                policy="fcfs",
                failures=failures,
                checkpointing=_checkpointing(job),
                recovery=RecoverByOption([OPTIONS[option]] * _JOBS),
            )
        )
        if not found[-1].job_records.end.max() < end:
            raise RuntimeError(f"end must be beyond the last job, got {end!r}")
    return tuple(found)


def _checkpointing(job: dict[str, float]) -> Periodic | None:
    if "interval" not in job:
        return None
    return Periodic(job["interval"], job["checkpoint_cost"], job["recovery_cost"])


def same_nodes(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Judge the failure slowdown of jobs that wait for their node."""
    played = _replays(budget.seed, budget.replications, "C", **job)
    seen = np.concatenate([failure_slowdown(run.job_records) for run in played])
    rest = {name: value for name, value in job.items() if name != "work"}
    return compare_mean(
        float(predict(job["work"], **rest)),
        seen[~np.isnan(seen)],
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def job_that_was_struck(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Judge the failure slowdown by many simulations of one job that a failure strikes."""
    walls = play(budget.seed, budget.replications, **job, final_checkpoint=False)
    pieces = math.ceil(job["work"] / job["interval"])
    undisturbed = job["work"] + (pieces - 1) * job["checkpoint_cost"]
    delay = walls / undisturbed - 1.0
    rest = {name: value for name, value in job.items() if name != "work"}
    return compare_mean(
        float(predict(job["work"], **rest)),
        delay[delay > TIE],
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def user_who_looks(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Judge the wait by uptimes that end within an attempt, from there to the walltime."""
    uptimes = simulate_durations(
        Exponential(job["mtbf"]), replications=budget.replications, seed=budget.seed
    )
    return compare_mean(
        float(predict(job["work"], walltime=job["walltime"], mtbf=job["mtbf"])),
        job["walltime"] - uptimes[uptimes < job["work"]],
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def by_hand(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Judge the time from the first failure of a replayed job to its resubmission by its user."""
    waits = []
    for run in _replays(budget.seed, budget.replications, "A", **job):
        tries = run.attempt_records
        first: dict[int, tuple[float, float, int]] = {}
        for position, start, end, outcome in zip(
            tries.position, tries.start, tries.end, tries.outcome, strict=True
        ):
            if position not in first:
                first[position] = (start, end, outcome)
            elif first[position][2] == Outcome.FAILED:
                waits.append(start - first[position][1])
                first[position] = (start, end, Outcome.COMPLETED)
    return compare_mean(
        float(predict(job["work"], walltime=job["walltime"], mtbf=job["mtbf"])),
        np.array(waits),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def account(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Judge the charge that a replay books for one job, in node-hours."""
    del budget
    seconds = 3600.0 * job["runtime"]
    jobs = Workload(
        submit=np.zeros(1),
        runtime=np.array([seconds]),
        walltime=np.array([2.0 * seconds]),
        processors=np.array([int(job["nodes"])]),
        user=np.array([1]),
    )
    prices = Prices({"A": 0.0, "E": job["price"]}, job["allowance"], 1e9, 1e9)
    played = replay_credits(jobs, flat(int(job["nodes"])), wanted=["E"], prices=prices)
    return compare_number(float(predict(**job)), played.ledger.charges[0].charged, tolerance=1e-12)


JOBS = (
    {
        "work": 10.0,
        "interval": 4.0,
        "mtbf": 8.0,
        "checkpoint_cost": 1.0,
        "downtime": 6.0,
        "recovery_cost": 2.0,
    },
    {
        "work": 10.0,
        "interval": 2.5,
        "mtbf": 30.0,
        "checkpoint_cost": 0.25,
        "downtime": 3.0,
        "recovery_cost": 0.0,
    },
)
LOOKS = (
    {"work": 10.0, "walltime": 12.0, "mtbf": 5.0},
    {"work": 10.0, "walltime": 30.0, "mtbf": 20.0},
)
BOOKED = (
    {"runtime": 2.5, "nodes": 8.0, "price": 4.0, "allowance": 1.5},
    {"runtime": 0.5, "nodes": 3.0, "price": 0.25, "allowance": 2.0},
)

CASES = (
    Case(expected_failure_slowdown, job_that_was_struck, JOBS),
    Case(expected_failure_slowdown, same_nodes, JOBS[1:], effort=0.005, gate=TOLERANCE),
    Case(expected_manual_wait, user_who_looks, LOOKS),
    Case(expected_manual_wait, by_hand, LOOKS[1:], effort=0.002, gate=TOLERANCE),
    Case(recovery_charge, account, BOOKED, chance=False),
)

# Seven or more attempts per job: half a minute each.
FULL = (
    Case(expected_failure_slowdown, same_nodes, JOBS[:1], effort=0.005, gate=TOLERANCE),
    Case(expected_manual_wait, by_hand, LOOKS[:1], effort=0.002, gate=TOLERANCE),
)
