"""The choice of a protocol, against simulated jobs and against all numbers of segments."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from perfmodel.interval.predicted_failures import WASTE_RANGE
from perfmodel.prediction import best_window_segments, waste_windows
from perfmodel.prediction.windows import WASTE_RANGE as WINDOWS_RANGE
from perfmodel.protocols import ProtocolTime, recommend
from perfmodel.validity import ValidityWarning
from sim.samplers import Exponential
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number, compare_ratio
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import (
    simulate_async_makespans,
    simulate_makespans,
    simulate_predicted_makespans,
    simulate_replicated_cycles,
    simulate_two_level_makespans,
    simulate_windowed_makespans,
)
from .definitions import EXACT, SIMPLE, least_times

__all__ = ["CASES", "FULL", "SWEEPS", "simulated_means", "simulated_regrets"]

Predict = Callable[..., Any]
Job = Mapping[str, Any]

_LONGEST = 30.0  # times the work; a job that takes longer is not simulated
_AGREE = {"two_levels": 1e-4}  # what is promised of a search; of others rounding
_ROUNDING = 1e-9
_AWAY = 1e-3  # relative distance from a crossover at which orders are looked at
_HOPELESS = 1e9  # times the work
# Of the quantity, where there is no crossover: two of them within one step may be missed.
_GRID = 10.0 ** (np.arange(-18.0, 19.0) / 6.0)


def _shared(job: Job, budget: Budget) -> dict[str, Any]:
    return {
        "uptime": Exponential(job["mtbf"]),
        "downtime": job.get("downtime", 0.0),
        "replications": budget.replications,
        "seed": budget.seed,
    }


def _play_segments(job: Job, plan: ProtocolTime, budget: Budget) -> FloatArray:
    costs = {name: job.get(name, 0.0) for name in ("checkpoint_cost", "recovery_cost")}
    return simulate_makespans(job["work"], interval=plan.interval, **costs, **_shared(job, budget))


def _play_async(job: Job, plan: ProtocolTime, budget: Budget) -> FloatArray:
    return simulate_async_makespans(
        job["work"],
        interval=plan.interval,
        checkpoint_cost=job["snapshot_cost"],
        latency=job["latency"],
        slowdown=job.get("slowdown", 0.0),
        in_flight=job.get("in_flight", "overlap"),
        recovery_cost=job.get("recovery_cost", 0.0),
        **_shared(job, budget),
    )


def _play_two_levels(job: Job, plan: ProtocolTime, budget: Budget) -> FloatArray:
    return simulate_two_level_makespans(
        job["work"],
        interval=plan.interval,
        durable_every=int(plan.durable_every),
        survived=job["survived"],
        local_cost=job["local_cost"],
        durable_cost=job["checkpoint_cost"],
        local_recovery=job.get("local_recovery", 0.0),
        durable_recovery=job.get("recovery_cost", 0.0),
        **_shared(job, budget),
    )


def _play_pairs(job: Job, plan: ProtocolTime, budget: Budget) -> FloatArray:
    """Return values with the mean and the error of the time of a job, from cycles of a long one."""
    pairs = job["nodes"] // 2
    cycles = simulate_replicated_cycles(
        plan.interval,
        pairs=pairs,
        node_mtbf=job["mtbf"] * job["nodes"],
        checkpoint_cost=job["checkpoint_cost"],
        recovery_cost=job.get("recovery_cost", 0.0),
        downtime=job.get("downtime", 0.0),
        restart=True,
        replications=budget.replications,
        seed=budget.seed,
    )
    time, kept = cycles.T
    rate = time.mean() / kept.mean()
    # Pairs do the work of half as many nodes.
    work = job["work"] * job["nodes"] / pairs
    return np.asarray(work * (rate + (time - rate * kept) / kept.mean()))


def _play_predicted(job: Job, plan: ProtocolTime, budget: Budget) -> FloatArray:
    recall, precision, mtbf = job["recall"], job["precision"], job["mtbf"]
    rate = recall * (1.0 - precision) / (precision * mtbf)
    if job.get("window", 0.0) > 0.0:
        return _play_windows(job, plan, budget, 1.0 / rate if rate > 0.0 else math.inf)
    return simulate_predicted_makespans(
        job["work"],
        interval=plan.interval,
        recall=recall,
        false_alarms=Exponential(1.0 / rate) if rate > 0.0 else None,
        proactive_cost=job["proactive_cost"],
        threshold=job["proactive_cost"] / precision,
        checkpoint_cost=job["checkpoint_cost"],
        recovery_cost=job.get("recovery_cost", 0.0),
        **_shared(job, budget),
    )


def _inside(job: Job) -> int:
    names = ("mtbf", "checkpoint_cost", "proactive_cost", "recall", "precision", "window")
    return int(best_window_segments(**{name: job[name] for name in names}))


def _play_windows(job: Job, plan: ProtocolTime, budget: Budget, false_alarms: float) -> FloatArray:
    segments = _inside(job)
    return simulate_windowed_makespans(
        job["work"],
        interval=plan.interval,
        mtbf=job["mtbf"],
        false_alarm_mtbf=false_alarms,
        recall=job["recall"],
        window=job["window"],
        window_segments=max(segments, 1),
        proactive_cost=job["proactive_cost"],
        threshold=job["proactive_cost"] / job["precision"] if segments else math.inf,
        checkpoint_cost=job["checkpoint_cost"],
        recovery_cost=job.get("recovery_cost", 0.0),
        downtime=job.get("downtime", 0.0),
        replications=budget.replications,
        seed=budget.seed,
    )


_PLAY = {
    "single_segment": _play_segments,
    "synchronous": _play_segments,
    "asynchronous": _play_async,
    "two_levels": _play_two_levels,
    "pairs": _play_pairs,
    "predicted": _play_predicted,
}


def _walls(job: Job, plan: ProtocolTime, budget: Budget) -> FloatArray:
    return _PLAY[plan.protocol](job, plan, budget)


def _playable(plan: ProtocolTime) -> bool:
    return plan.overhead < _LONGEST and plan.error == 0.0


def _worst(verdicts: list[Verdict]) -> Verdict:
    return max(verdicts, key=lambda verdict: (verdict.rejected, verdict.resolution))


def simulated_means(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the mean time of every exact protocol by simulated jobs."""
    plans = [plan for plan in predict(**job).protocols if _playable(plan)]
    alpha = budget.alpha / len(plans)
    return _worst(
        [
            compare_mean(
                plan.expected_time,
                _walls(job, plan, budget),
                alpha=alpha,
                tolerance=budget.tolerance,
            )
            for plan in plans
        ]
    )


def simulated_regrets(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge how much longer a job takes than with the best protocol, by simulated jobs of both."""
    best, *others = (plan for plan in predict(**job).protocols if _playable(plan))
    least = _walls(job, best, budget)
    alpha = budget.alpha / len(others)
    return _worst(
        [
            compare_ratio(
                1.0 + plan.regret,
                _walls(job, plan, budget),
                least,
                alpha=alpha,
                tolerance=budget.tolerance,
            )
            for plan in others
        ]
    )


def simulated_tie(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Expect simulated jobs of two protocols to take equally long at the first crossover."""
    found = predict(**job)
    crossed = [plan for plan in found.protocols if plan.crossover is not None]
    if not crossed:
        return compare_number(0.0, 1.0, tolerance=0.0)
    there = {**job, found.quantity: crossed[0].crossover}
    plans = {plan.protocol: plan for plan in recommend(**there).protocols}
    names = crossed[0].protocol, found.best.protocol
    first, second = (_walls(there, plans[name], budget) for name in names)
    return compare_ratio(1.0, first, second, alpha=budget.alpha, tolerance=budget.tolerance)


def _in_order(plans: Sequence[ProtocolTime]) -> bool:
    """Whether the shortest come first, and of those equal to nine digits the simplest."""
    for first, second in itertools.pairwise(plans):
        one, other = first.expected_time, second.expected_time
        if one == other or abs(one - other) <= _ROUNDING * one:
            if SIMPLE.index(first.protocol) > SIMPLE.index(second.protocol):
                return False
        elif one > other:
            return False
    return True


def least_of_all_numbers(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge names, times, their order and regrets by the least times over all numbers."""
    del budget
    known, plans = least_times(job), predict(**job).protocols
    exact = [plan for plan in plans if plan.protocol in EXACT]
    times = [plan.expected_time for plan in plans]
    if {plan.protocol for plan in exact} != known.keys() or not _in_order(plans):
        return _verdict("names or order", math.inf, 0.0)
    worst = ("", 0.0, 0.0)
    for plan in exact:
        right, agree = known[plan.protocol], _AGREE.get(plan.protocol, _ROUNDING)
        if math.isinf(right):
            away = 0.0 if math.isinf(plan.expected_time) else math.inf
        else:
            away = abs(plan.expected_time / right - 1.0)
        longer = max(plan.expected_time, times[0])
        against = abs((1.0 + plan.regret) * times[0] / longer - 1.0)
        against = 0.0 if math.isinf(plan.expected_time) else against
        for what, value, limit in (("time", away, agree), ("regret", against, _ROUNDING)):
            if value > limit:
                return _verdict(f"{what} of {plan.protocol}", value, limit)
        worst = max(worst, (plan.protocol, away, agree), key=lambda each: each[1] / (each[2] or 1))
    return _verdict(*worst)


def order_changes_there(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Expect the order of two protocols to change at a crossover, and nowhere where there is none.

    A crossover must be the nearest change in steps of a sixth of a decade, as documented.
    """
    del budget
    found = predict(**job)
    quantity, value = found.quantity, found.value
    best, *others = (plan for plan in found.protocols if plan.protocol in EXACT)
    rest = {name: part for name, part in job.items() if name != "quantity"}

    def timed(at: float) -> dict[str, float]:
        if quantity != "nodes":
            return least_times({**rest, quantity: at})
        each = rest["mtbf"] * rest["nodes"]
        return least_times({**rest, "nodes": int(at), "mtbf": each / int(at)})

    def order(plan: ProtocolTime, at: float) -> int:
        """Return whether a protocol takes longer than the best one here, 1, as long, or less."""
        times = timed(at)
        one, other = times[plan.protocol], times[best.protocol]
        near = _AGREE.get(plan.protocol, _ROUNDING) + _AGREE.get(best.protocol, _ROUNDING)
        if math.isinf(one) and math.isinf(other):
            return here
        return 0 if abs(one - other) <= near * other else (1 if one > other else -1)

    def hopeless(plan: ProtocolTime, at: float) -> bool:
        times = timed(at)
        work = at if quantity == "work" else job["work"]
        return min(times[plan.protocol], times[best.protocol]) > _HOPELESS * work

    for plan in others:
        here = 0
        here = order(plan, value)
        if plan.crossover is None:
            for factor in _GRID:
                at = max(round(value * factor), 2) if quantity == "nodes" else value * factor
                if here and order(plan, at) == -here:
                    return _verdict(f"no crossover with {plan.protocol}", math.inf, 0.0)
            continue
        # Of jobs that hardly ever end a search knows few digits of its least time.
        if "two_levels" in {plan.protocol, best.protocol} and hopeless(plan, plan.crossover):
            continue
        away = math.copysign(_AWAY, plan.crossover - value)
        sides = [plan.crossover * (1.0 + sign * away) for sign in (-1.0, 1.0)]
        if quantity == "nodes":
            sides = [plan.crossover - math.copysign(1.0, away), plan.crossover]
        before, beyond = (order(plan, side) for side in sides)
        # Near a crossover times of a search may be as good as equal.
        searched = {"two_levels"} & {plan.protocol, best.protocol}
        if (before not in (here, 0)) if searched else before != here:
            return _verdict(f"order of {plan.protocol} before its crossover", math.inf, 0.0)
        if (beyond == here and here) if not searched else beyond == here != 0:
            return _verdict(f"order of {plan.protocol} beyond its crossover", math.inf, 0.0)
    return _verdict("", 0.0, 0.0)


def within_the_stated_error(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the time with predicted failures by simulated jobs, within its own error."""
    (plan,) = (plan for plan in predict(**job).protocols if plan.protocol == "predicted")
    walls = _walls(job, plan, budget)
    waste = WINDOWS_RANGE if job.get("window", 0.0) > 0.0 else WASTE_RANGE
    right = waste.error * plan.overhead
    same = compare_number(plan.error, right, tolerance=1e-9)
    if same.rejected:
        return same
    seen = compare_ratio(
        1.0, walls, np.full(walls.shape, plan.expected_time), alpha=budget.alpha, tolerance=1.0
    )
    away = abs(seen.observed - 1.0) - seen.resolution
    return _verdict("time with predicted failures", max(away, 0.0), plan.error)


def least_of_the_rule(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the time with windows by the least of the rule over all numbers of segments."""
    del budget
    (plan,) = (plan for plan in predict(**job).protocols if plan.protocol == "predicted")
    names = ("mtbf", "checkpoint_cost", "recovery_cost", "downtime", "recall", "precision")
    given = {name: job.get(name, 0.0) for name in (*names, "proactive_cost", "window")}
    young = math.sqrt(2.0 * job["checkpoint_cost"] * job["mtbf"])
    several = np.arange(1.0, math.ceil(4.0 * job["work"] / young) + 1.0)
    period = job["work"] / several + job["checkpoint_cost"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        waste = waste_windows(period, window_segments=_inside(job), **given)
    return compare_number(
        plan.expected_time, job["work"] / (1.0 - float(waste.min())), tolerance=1e-4
    )


def _verdict(what: str, found: float, allowed: float) -> Verdict:
    passed = found <= allowed
    note = "" if passed else f"{what} off by {found:.3g}, allowed {allowed:.3g}"
    z = 0.0 if passed else math.inf
    fine = min(found, 1.0) if passed else allowed
    return Verdict("exact", 0.0, found, 0.0, z, fine, passed=passed, note=note)


# Local copies that gain nothing: each checkpoint is durable, as without them.
NO_GAIN: dict[str, Any] = {
    "work": 172_800.0,
    "mtbf": 32_400.0,
    "checkpoint_cost": 240.0,
    "recovery_cost": 300.0,
    "downtime": 600.0,
    "local_cost": 600.0,
    "survived": 0.5,
    "local_recovery": 300.0,
    "quantity": None,
}
# Costs comparable to the mtbf, where every rule shows.
HARSH: dict[str, Any] = {
    "work": 20.0,
    "mtbf": 5.0,
    "checkpoint_cost": 1.0,
    "recovery_cost": 0.8,
    "downtime": 0.5,
}
ASYNC = {"snapshot_cost": 0.3, "latency": 2.0, "slowdown": 0.2}
LOCAL = {"local_cost": 0.2, "survived": 0.7, "local_recovery": 0.5}
JOBS: tuple[dict[str, Any], ...] = tuple(
    {**job, "quantity": None}
    for job in (
        {**HARSH, **ASYNC, **LOCAL, "nodes": 20},
        {**HARSH, **ASYNC, "in_flight": "skip", "work": 12.0},
        {**HARSH, **LOCAL, "mtbf": 2.0, "work": 6.0, "nodes": 5},
    )
)
CROSSED: tuple[dict[str, Any], ...] = (
    {**HARSH, "snapshot_cost": 0.3, "latency": 2.0, "quantity": "latency"},
    {**HARSH, "work": 2.0, "quantity": "work"},
    {**HARSH, "nodes": 21, "mtbf": 9.0, "quantity": "nodes"},
)
MORE_CROSSED: tuple[dict[str, Any], ...] = (
    {**JOBS[0], "quantity": "mtbf"},
    {**HARSH, **LOCAL, "quantity": "local_cost"},
    {**HARSH, **ASYNC, "quantity": "latency"},
)
# Longer jobs, of which fewer show an error of the mean.
PLAYED: tuple[dict[str, Any], ...] = (
    {
        **HARSH,
        **ASYNC,
        **LOCAL,
        "nodes": 20,
        "work": 40.0,
        "checkpoint_cost": 0.5,
        "quantity": None,
    },
)
TIES: tuple[dict[str, Any], ...] = (
    {**HARSH, "work": 40.0, "snapshot_cost": 0.3, "latency": 2.0, "quantity": "latency"},
)
MORE_TIES: tuple[dict[str, Any], ...] = ({**HARSH, "nodes": 20, "quantity": "mtbf"},)
PREDICTED: tuple[dict[str, Any], ...] = (
    {
        "work": 30.0,
        "mtbf": 10.0,
        "checkpoint_cost": 0.1,
        "recovery_cost": 0.1,
        "downtime": 0.1,
        "recall": 0.7,
        "precision": 0.8,
        "proactive_cost": 0.05,
        "quantity": None,
    },
)
# Windows that are cut and not, and predictions that are better ignored.
_RARER = {**PREDICTED[0], "work": 90.0, "mtbf": 30.0}
WINDOWED: tuple[dict[str, Any], ...] = (
    {**_RARER, "window": 1.5},
    {**_RARER, "window": 0.05, "recall": 0.3},
    {**_RARER, "window": 2.0, "precision": 0.05, "recall": 0.02, "proactive_cost": 0.2},
)


def _situation(fraction: Callable[[], float]) -> dict[str, Any]:
    """Return a job of the documented range, with some of the protocols beside the two simplest."""
    point = drawn(recommend, fraction)
    point["nodes"] = int(point["nodes"])
    for names in (
        ("snapshot_cost", "latency", "slowdown", "in_flight"),
        ("local_cost", "survived", "local_recovery"),
        ("nodes",),
    ):
        if fraction() < 0.4:
            point = {name: value for name, value in point.items() if name not in names}
    return {**point, "quantity": None}


def _crossing(fraction: Callable[[], float]) -> dict[str, Any]:
    """Return a job, and a quantity of it in which crossovers are searched."""
    point = _situation(fraction)
    times = ("mtbf", "work", "checkpoint_cost", "latency", "local_cost", "nodes")
    given = [name for name in times if point.get(name, 0.0) > 0.0]
    return {**point, "quantity": given[min(int(fraction() * len(given)), len(given) - 1)]}


SWEEPS = (
    Sweep(recommend, least_of_all_numbers, _situation, quick=4, full=300),
    Sweep(recommend, order_changes_there, _crossing, quick=1, full=60),
)
CASES = (
    Case(recommend, least_of_all_numbers, (*JOBS, NO_GAIN), chance=False),
    Case(recommend, order_changes_there, CROSSED, chance=False),
    case(SWEEPS[0]),
    Case(recommend, simulated_means, PLAYED, effort=0.045),
    Case(recommend, simulated_regrets, PLAYED, effort=0.045),
    Case(recommend, simulated_tie, TIES, effort=0.045),
    Case(recommend, within_the_stated_error, (*PREDICTED, *WINDOWED), effort=0.01),
    Case(recommend, least_of_the_rule, WINDOWED, chance=False),
)
FULL = (
    *(case(sweep, full=True) for sweep in SWEEPS),
    Case(recommend, order_changes_there, MORE_CROSSED, chance=False),
    Case(recommend, simulated_means, JOBS, effort=0.5),
    Case(recommend, simulated_regrets, JOBS, effort=0.5),
    Case(recommend, simulated_tie, MORE_TIES, effort=0.5),
)
