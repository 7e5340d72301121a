"""Plans against jobs that do what they advise; each point says what its scenario means."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from perfmodel.answers.scenario import read_tables
from perfmodel.planning import Plan, plan
from sim.samplers import Exponential, Sampler, Weibull
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_ratio
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..cached_simulators import (
    simulate_async_makespans,
    simulate_makespans,
    simulate_replicated_cycles,
    simulate_training_cycles,
    simulate_unknown_mtbf_makespans,
)

__all__ = ["CASES", "tables"]

Predict = Callable[..., Any]

_FOLDER = Path(__file__).parents[3] / "docs" / "scenarios"
_DAY, _HOUR, _YEAR = 86400.0, 3600.0, 365.25 * 86400.0


@lru_cache
def _read(name: str) -> dict[str, Any]:
    return read_tables(_FOLDER / f"{name}.toml")


def tables(name: str) -> dict[str, Any]:
    """Return the sections of a scenario, to be changed at will."""
    return deepcopy(_read(name))


def mean_time(
    predict: Predict,
    budget: Budget,
    *,
    scenario: str,
    protocol: str,
    work: float,
    mtbf: float,
    shape: float = 1.0,
    latency: float = 0.0,
    **costs: Any,
) -> Verdict:
    """Judge the mean time of the job by jobs with the interval that the plan advises."""
    found: Plan = predict(tables(scenario), brief=True)
    assert found.checkpoint is not None
    assert found.completion is not None
    assert found.checkpoint.protocol == protocol
    uptime: Sampler = Exponential(mtbf)
    if shape != 1.0:
        uptime = Weibull(shape, mtbf / Weibull(shape, 1.0).mean)
    job: dict[str, Any] = {
        "interval": found.checkpoint.interval,
        "uptime": uptime,
        "replications": budget.replications,
        "seed": budget.seed,
        **costs,
    }
    if protocol == "asynchronous":
        walls = simulate_async_makespans(work, latency=latency, **job)
    else:
        walls = simulate_makespans(work, **job)
    return compare_mean(
        found.completion.mean, walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def on_time(
    predict: Predict,
    budget: Budget,
    *,
    scenario: str,
    deadline: float,
    work: float,
    failures: int,
    observed_time: float,
    **costs: Any,
) -> Verdict:
    """Judge the probability to keep to the deadline by machines that failed as often."""
    found: Plan = predict(tables(scenario))
    assert found.checkpoint is not None
    assert found.completion is not None
    walls = simulate_unknown_mtbf_makespans(
        work,
        failures=failures,
        observed_time=observed_time,
        interval=found.checkpoint.interval,
        replications=budget.replications,
        seed=budget.seed,
        **costs,
    )
    return _share(found.completion.on_time or 0.0, walls <= deadline, budget)


def goodput_of_a_long_run(
    predict: Predict, budget: Budget, *, scenario: str, mtbf: float, **costs: Any
) -> Verdict:
    """Judge the goodput by the cycles of a run that has no end."""
    found: Plan = predict(tables(scenario), brief=True)
    assert found.checkpoint is not None
    assert found.goodput is not None
    cycles = simulate_training_cycles(
        budget.replications,
        uptime=Exponential(mtbf),
        interval=found.checkpoint.interval,
        seed=budget.seed,
        **costs,
    )
    return compare_ratio(
        found.goodput.value,
        cycles.kept,
        cycles.total,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def goodput_in_pairs(
    predict: Predict, budget: Budget, *, scenario: str, nodes: int, mtbf: float, **costs: Any
) -> Verdict:
    """Judge the goodput of every process on a pair of nodes, by a run from stop to stop."""
    paired = tables(scenario)
    paired["checkpoint"]["protocol"] = "pairs"
    paired["failures"] = {"mtbf": f"{mtbf!r}s"}
    del paired["spares"]
    found: Plan = predict(paired, brief=True)
    assert found.checkpoint is not None
    assert found.goodput is not None
    time, kept = simulate_replicated_cycles(
        found.checkpoint.interval,
        pairs=nodes // 2,
        node_mtbf=mtbf * nodes,
        restart=True,
        replications=budget.replications,
        seed=budget.seed,
        **costs,
    ).T
    # What both nodes of a pair do counts once.
    return compare_ratio(
        found.goodput.value, 0.5 * kept, time, alpha=budget.alpha, tolerance=budget.tolerance
    )


def bandwidth_needed(
    predict: Predict,
    budget: Budget,
    *,
    scenario: str,
    deadline: float,
    probability: float,
    size: float,
    work: float,
    mtbf: float,
    **costs: Any,
) -> Verdict:
    """Judge an unknown bandwidth: with the least that is enough jobs are just in time."""
    (needed,) = predict(tables(scenario)).break_evens
    known = tables(scenario)
    known["machine"]["bandwidth"] = f"{needed.value!r}B/s"
    best = plan(known, brief=True).checkpoint
    assert best is not None
    walls = simulate_makespans(
        work,
        interval=best.interval,
        checkpoint_cost=size / needed.value,
        uptime=Exponential(mtbf),
        replications=budget.replications,
        seed=budget.seed,
        **costs,
    )
    return _share(probability, walls <= deadline, budget)


def _share(predicted: float, kept: Any, budget: Budget) -> Verdict:
    shares: FloatArray = kept.astype(float)
    return compare_mean(predicted, shares, alpha=budget.alpha, tolerance=budget.tolerance)


_COUNTED = {"failures": 9, "observed_time": 28.0 * _DAY}  # on half of the nodes
_SUPERCOMPUTER = {"checkpoint_cost": 480.0, "recovery_cost": 540.0, "downtime": 900.0}
# Of 54 days, 419 restarts of ten minutes are not uptime.
_TRAINING = (54.0 * _DAY - 419 * 600.0) / 419

CASES = (
    Case(
        plan,
        mean_time,
        (
            {
                "scenario": "supercomputer",
                "protocol": "synchronous",
                "work": 7.0 * _DAY,
                "mtbf": 28.0 * _DAY / 9,
                **_SUPERCOMPUTER,
            },
            {
                "scenario": "ageing",
                "protocol": "synchronous",
                "work": 10.0 * _DAY,
                "mtbf": 18.0 * _HOUR,
                "shape": 0.7,
                "checkpoint_cost": 300.0,
                "recovery_cost": 240.0,
                "downtime": 1200.0,
            },
            {
                "scenario": "spares",
                "protocol": "synchronous",
                "work": 30.0 * _DAY,
                "mtbf": _YEAR / 512,
                "checkpoint_cost": 45.0,
                "recovery_cost": 120.0,
                "downtime": 300.0,
            },
        ),
        effort=0.02,
    ),
    Case(
        plan,
        mean_time,
        (
            {
                "scenario": "training",
                "protocol": "asynchronous",
                "work": 54.0 * _DAY,
                "mtbf": _TRAINING,
                "checkpoint_cost": 5.0,
                "latency": 60.0,
                "recovery_cost": 120.0,
                "downtime": 600.0,
            },
        ),
        effort=5e-4,
    ),
    Case(
        plan,
        goodput_of_a_long_run,
        (
            {
                "scenario": "training",
                "mtbf": _TRAINING,
                "checkpoint_cost": 5.0,
                "latency": 60.0,
                "restore": 120.0,
                "detection": 300.0,
                "rescheduling": 300.0,
            },
        ),
        effort=0.1,
    ),
    Case(
        plan,
        on_time,
        (
            {
                "scenario": "supercomputer",
                "deadline": 8.0 * _DAY,
                "work": 7.0 * _DAY,
                **_COUNTED,
                **_SUPERCOMPUTER,
            },
        ),
        effort=0.04,
    ),
    Case(
        plan,
        bandwidth_needed,
        (
            {
                "scenario": "sparse",
                "deadline": 22.0 * _DAY,
                "probability": 0.95,
                "size": 30e12,
                "work": 20.0 * _DAY,
                "mtbf": 3.0 * _YEAR / 1024,
                "recovery_cost": 300.0,
                "downtime": 600.0,
            },
        ),
        effort=0.05,
    ),
    Case(
        plan,
        goodput_in_pairs,
        (
            {
                "scenario": "spares",
                "nodes": 512,
                "mtbf": 600.0,
                "checkpoint_cost": 45.0,
                "recovery_cost": 120.0,
                "downtime": 300.0,
            },
        ),
        effort=0.02,
    ),
)
