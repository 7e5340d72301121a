"""Wrong choices, each by one fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from perfmodel.interval import optimal_interval
from perfmodel.makespan import expected_makespan
from perfmodel.protocols import ProtocolTime, Recommendation, recommend
from perfmodel.replication import waste_of_pairs
from validation.judge.run import Mutant

from .definitions import SIMPLE

__all__ = ["MUTANTS"]

Change = Callable[[ProtocolTime, dict[str, Any]], ProtocolTime]


def _without(name: str, neutral: float, **job: Any) -> Recommendation:
    """Return the choice for a job of which one number is left out."""
    return recommend(**{**job, name: neutral}) if name in job else recommend(**job)


def _changed(change: Change, **job: Any) -> Recommendation:
    """Return the choice with each protocol changed; sorted, with regrets of the times it has."""
    found = recommend(**job)
    changed = sorted(
        (change(plan, job) for plan in found.protocols),
        key=lambda plan: SIMPLE.index(plan.protocol),
    )
    # In nine digits, so that of equal times the simplest stays the first.
    plans = sorted(changed, key=lambda plan: float(f"{plan.expected_time:.8e}"))
    least = plans[0].expected_time
    again = (replace(plan, regret=max(plan.expected_time / least - 1.0, 0.0)) for plan in plans)
    return replace(found, protocols=tuple(again))


def _timed(plan: ProtocolTime, time: float, job: dict[str, Any]) -> ProtocolTime:
    return replace(plan, expected_time=time, overhead=time / job["work"] - 1.0)


def _first_order(plan: ProtocolTime, job: dict[str, Any]) -> ProtocolTime:
    """Return the time by Young's waste, with half an interval lost to each failure."""
    if plan.protocol != "synchronous":
        return plan
    cost, later = job["checkpoint_cost"], job.get("recovery_cost", 0.0) + job.get("downtime", 0.0)
    waste = cost / (plan.interval + cost) + (plan.interval / 2.0 + later) / job["mtbf"]
    return _timed(plan, job["work"] / max(1.0 - waste, 1e-3), job)


def _rounded_down(plan: ProtocolTime, job: dict[str, Any]) -> ProtocolTime:
    """Return as many segments as the best interval of a long job has room for."""
    if plan.protocol != "synchronous":
        return plan
    costs = {name: job[name] for name in ("mtbf", "checkpoint_cost")}
    count = max(job["work"] // float(optimal_interval(**costs)) - 1.0, 1.0)
    costs |= {name: job.get(name, 0.0) for name in ("recovery_cost", "downtime")}
    time = float(expected_makespan(job["work"], interval=job["work"] / count, **costs))
    return replace(_timed(plan, time, job), segments=count, interval=job["work"] / count)


def _pairs_for_free(plan: ProtocolTime, job: dict[str, Any]) -> ProtocolTime:
    return _timed(plan, 0.5 * plan.expected_time, job) if plan.protocol == "pairs" else plan


def _pairs_not_renewed(plan: ProtocolTime, job: dict[str, Any]) -> ProtocolTime:
    if plan.protocol != "pairs":
        return plan
    pairs = job["nodes"] // 2
    costs = {name: job.get(name, 0.0) for name in ("recovery_cost", "downtime")}
    waste = waste_of_pairs(
        plan.interval,
        pairs=pairs,
        node_mtbf=job["mtbf"] * job["nodes"],
        checkpoint_cost=job["checkpoint_cost"],
        restart=False,
        **costs,
    )
    return _timed(plan, job["work"] * job["nodes"] / pairs / (1.0 - float(waste)), job)


def _each_durable(plan: ProtocolTime, job: dict[str, Any]) -> ProtocolTime:
    if plan.protocol != "two_levels":
        return plan
    (alone,) = (
        each
        for each in recommend(**{**job, "survived": 0.0}).protocols
        if each.protocol == "two_levels"
    )
    return alone


def _edited(edit: Callable[[Recommendation], Recommendation], **job: Any) -> Recommendation:
    return edit(recommend(**job))


def _crossovers(change: Callable[[float], float | None], found: Recommendation) -> Recommendation:
    plans = (
        replace(plan, crossover=None if plan.crossover is None else change(plan.crossover))
        for plan in found.protocols
    )
    return replace(found, protocols=tuple(plans))


def _one_node_off(found: Recommendation) -> Recommendation:
    return _crossovers(lambda at: at + 1.0, found) if found.quantity == "nodes" else found


def _regret_of_the_waste(found: Recommendation) -> Recommendation:
    least = found.best.overhead
    plans = (replace(plan, regret=plan.overhead / least - 1.0) for plan in found.protocols)
    return replace(found, protocols=tuple(plans))


def _regret_against_the_usual(found: Recommendation) -> Recommendation:
    (usual,) = (plan for plan in found.protocols if plan.protocol == "synchronous")
    plans = (
        replace(plan, regret=plan.expected_time / usual.expected_time - 1.0)
        for plan in found.protocols
    )
    return replace(found, protocols=tuple(plans))


def _upside_down(found: Recommendation) -> Recommendation:
    return replace(found, protocols=found.protocols[::-1])


def _last_digit_first(found: Recommendation) -> Recommendation:
    return replace(
        found, protocols=tuple(sorted(found.protocols, key=lambda plan: plan.expected_time))
    )


_LEFT_OUT = {
    "window": 0.0,
    "latency": 0.0,
    "slowdown": 0.0,
    "recovery_cost": 0.0,
    "downtime": 0.0,
    "local_recovery": 0.0,
    "survived": 1.0,
}

MUTANTS = (
    *(
        Mutant(recommend, f"{name} left out", partial(_without, name, neutral))
        for name, neutral in _LEFT_OUT.items()
    ),
    *(
        Mutant(recommend, fault, partial(_changed, change))
        for fault, change in (
            ("synchronous to first order", _first_order),
            ("a segment too few", _rounded_down),
            ("pairs do the work of all nodes", _pairs_for_free),
            ("pairs without restarts", _pairs_not_renewed),
            ("every checkpoint durable", _each_durable),
        )
    ),
    *(
        Mutant(recommend, fault, partial(_edited, edit))
        for fault, edit in (
            ("crossover 10 % too high", partial(_crossovers, lambda at: 1.1 * at)),
            ("crossover 1 % too low", partial(_crossovers, lambda at: 0.99 * at)),
            ("no crossover", partial(_crossovers, lambda at: None)),
            ("crossover a node off", _one_node_off),
            ("regret of the waste", _regret_of_the_waste),
            ("regret against the synchronous one", _regret_against_the_usual),
            ("the worst first", _upside_down),
            ("a last digit decides", _last_digit_first),
        )
    ),
)
