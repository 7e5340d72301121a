"""Points drawn from each formula's domain in the catalogue, inside its stated range and beyond.

`python -m validation --property` judges every formula of the catalogue at random points by the
simulations of its cases. An approximation goes through `registry.evaluate`: inside its range the
stated error must hold, beyond it the exact fallback must take over, and the interval must be
good for simulated jobs on both sides of the border.

A property is a row: formula, judge, points. Points are drawn from round numbers, so that a
failing one can be shrunk to something a person can work through with a pencil.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np

from perfmodel import (
    fitting,
    interval,
    makespan,
    prediction,
    proactive,
    qos,
    recovery,
    recovery_delay,
)
from perfmodel.registry import FORMULAS, evaluate
from sim.application import simulate_makespans, simulate_wsj_makespans
from sim.samplers import Exponential

from . import (
    fitting_cases,
    interval_cases,
    makespan_cases,
    neighbours,
    proactive_cases,
    qos_cases,
    recovery_cases,
    recovery_delay_cases,
    replay_cases,
    wsj_cases,
)
from .chance import FloatArray
from .compare import compare_number, compare_order, compare_ratio
from .law_properties import LAWS, UNITS
from .laws import Law
from .search import Property, PropertyRun, search
from .trial import BUDGET, Grant
from .verdict import Verdict

__all__ = ["PROPERTIES", "points_of", "run_all"]

Predict = Callable[..., Any]

ROWS = {row.function: row for row in FORMULAS}
WITHOUT_UNIT = frozenset(("precision", "recall"))


def points_of(function: Callable[..., Any]) -> st.SearchStrategy[dict[str, float]]:
    """Draw the arguments of a formula from its domain, round multiples of the mtbf."""
    domain = ROWS[function].domain
    multiples = st.fixed_dictionaries(
        {name: st.sampled_from(_round_numbers(*ends)) for name, ends in domain.items()}
    )
    return st.builds(
        lambda unit, point: {
            name: value if name in WITHOUT_UNIT else unit * value for name, value in point.items()
        },
        st.sampled_from(UNITS),
        multiples,
    )


def _round_numbers(low: float, high: float) -> list[float]:
    """Return numbers of one or two digits in [low, high], the simplest first."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    numbers = {
        float(f"{digits}e{power}")
        for power in powers
        for digits in (1, 2, 5, 1.5, 3, 4, 6, 7, 8, 9)
    }
    inside = [number for number in numbers if low <= number <= high]
    return sorted(inside, key=lambda number: (len(f"{number:g}"), abs(np.log(number)), number))


def with_fallback(predict: Predict, grant: Grant, **costs: float) -> Verdict:
    """Judge an approximation inside its range, its fallback beyond, and jobs that use either."""
    row = next(row for row in FORMULAS if row.name == predict.__name__)
    assert row.range is not None
    assert row.range.of is not None
    assert row.fallback is not None
    exact = {name: value for name, value in costs.items() if name != "recovery_cost"}
    best = float(row.fallback(**exact))
    inside = row.range.of(**{k: np.asarray(v) for k, v in costs.items()}) <= row.range.limit
    found = evaluate(row.function, **costs)
    chosen = float(predict(**costs)) if inside else float(found.value)
    told = compare_number(float(found.fell_back), float(not inside), tolerance=0.0)
    close = compare_number(chosen, best, tolerance=row.range.error if inside else 0.0)
    same = compare_number(float(found.value), chosen, tolerance=0.0)
    for verdict in (told, close, same):
        if not verdict.passed:
            return verdict
    return neighbours.neighbours(lambda **_: chosen, grant, **exact)


def neighbours_in_wsj(predict: Predict, grant: Grant, **costs: float) -> Verdict:
    """Judge the optimum of wsj by its neighbours, or by whether never to write is best there."""
    best = float(predict(**costs))
    if np.isfinite(best):
        return neighbours.neighbours_in_wsj(lambda **_: best, grant, **costs)
    mtbf, cost = costs["mtbf"], costs["checkpoint_cost"]

    def walls(span: float) -> FloatArray:
        return simulate_wsj_makespans(
            64.0 * mtbf,
            interval=span,
            mtbf=mtbf,
            downtime=0.0,
            checkpoint_cost=cost,
            replications=grant.replications,
            seed=grant.seed,
        )

    never = walls(64.0 * mtbf)
    orders = (compare_order(never, walls(x * mtbf), alpha=grant.alpha) for x in (0.5, 1.0, 2.0))
    return min(orders, key=lambda verdict: verdict.z)


def number_of_segments(predict: Predict, grant: Grant, **job: float) -> Verdict:
    """Judge the number of segments by enumeration, then by jobs with fewer and more."""
    counted = interval_cases.enumeration(predict, grant, **job)
    return neighbours.fewer_and_more(predict, grant, **job) if counted.passed else counted


def excess_per_work(predict: Predict, grant: Grant, **costs: float) -> Verdict:
    """Judge 1 + regret by the time per work of long jobs at the interval and at the best one."""
    span = costs["interval"]
    rest = {name: value for name, value in costs.items() if name != "interval"}
    best = float(interval.optimal_interval(**rest))

    def pace(interval_used: float, seed: int) -> FloatArray:
        walls = simulate_makespans(
            8.0 * interval_used,
            interval=interval_used,
            uptime=Exponential(rest["mtbf"]),
            checkpoint_cost=rest["checkpoint_cost"],
            replications=grant.replications,
            seed=seed,
        )
        return walls / (8.0 * interval_used)

    return compare_ratio(
        1.0 + float(predict(span, **rest)),
        pace(span, grant.seed),
        pace(best, grant.seed + 1),
        alpha=grant.alpha,
        tolerance=grant.tolerance,
    )


def share_of_jobs_struck(
    predict: Predict, grant: Grant, *, duration: float, mtbf: float
) -> Verdict:
    """Judge the probability that a failure strikes within a duration."""
    return replay_cases.share_of_jobs_hit(predict, grant, work=duration, mtbf=mtbf)


def either_end(predict: Predict, grant: Grant, *, end: str, **count: Any) -> Verdict:
    """Judge the lower or the upper end of the confidence interval of an mtbf."""
    judge = fitting_cases.lower_end if end == "lower" else fitting_cases.upper_end
    return judge(predict, grant, **count)


def _counts() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda end, failures, observed_time, confidence: {
            "failures": max(failures, int(end == "upper")),  # without a failure there is no end
            "observed_time": observed_time,
            "confidence": confidence,
            "end": end,
        },
        st.sampled_from(("lower", "upper")),
        st.integers(0, 6),
        st.sampled_from(UNITS),
        st.sampled_from((0.5, 0.2, 0.4, 0.6, 0.8)),
    )


def _records() -> st.SearchStrategy[dict[str, Any]]:
    shapes = {
        "Exponential": (("mean",), st.tuples()),
        "Weibull": (("shape", "scale"), st.tuples(st.sampled_from((1.0, 2.0, 0.5, 0.7, 3.0)))),
        "Gamma": (("shape", "scale"), st.tuples(st.sampled_from((1.0, 2.0, 0.5, 0.7, 3.0)))),
    }

    def record(name: str) -> st.SearchStrategy[dict[str, Any]]:
        names, shape = shapes[name]
        return st.builds(
            lambda first, scale, parameter, watched: {
                "law": Law(name, (*first, scale)),
                "watched": watched * scale,
                "part": parameter,
            },
            shape,
            st.sampled_from(UNITS),
            st.sampled_from(names),
            st.sampled_from((5.0, 2.0, 20.0)),
        )

    return st.sampled_from(tuple(shapes)).flatmap(record)


def _promises() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda load, nodes, node_mtbf: {
            "duration": load * node_mtbf / nodes,
            "nodes": nodes,
            "node_mtbf": node_mtbf,
        },
        st.sampled_from((0.5, 1.0, 0.2, 0.1)),
        st.sampled_from((1, 2, 4)),
        st.sampled_from(UNITS),
    )


def _longest_promises() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "probability": st.sampled_from((0.5, 0.9, 0.2, 0.8)),
            "nodes": st.sampled_from((1, 2, 4)),
            "node_mtbf": st.sampled_from(UNITS),
        }
    )


def _looks() -> st.SearchStrategy[dict[str, float]]:
    return st.builds(
        lambda load, more, mtbf: {
            "work": load * mtbf,
            "walltime": more * load * mtbf,
            "mtbf": mtbf,
        },
        st.sampled_from((1.0, 0.5, 2.0, 5.0)),
        st.sampled_from((1.0, 1.5, 3.0)),
        st.sampled_from(UNITS),
    )


def _booked() -> st.SearchStrategy[dict[str, float]]:
    prices = st.sampled_from((1.0, 0.0, 0.25, 4.0))
    return st.fixed_dictionaries(
        {
            "runtime": st.sampled_from((1.0, 0.1, 2.5, 24.0)),
            "nodes": st.sampled_from((1.0, 3.0, 512.0)),
            "price": prices,
            "allowance": prices,
        }
    )


def _queues(**more: tuple[Any, ...]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "service_time": st.sampled_from((1.0, 10.0)),
            "load": st.sampled_from((0.3, 0.2)),
            **{name: st.sampled_from(values) for name, values in more.items()},
        }
    )


def _requests() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "failure_probability": st.sampled_from((0.5, 0.1, 0.9, 1.0, 0.0)),
            "intervals": st.integers(1, 9),
            "interval": st.sampled_from((10.0, 1.0, 3600.0)),
            "checkpoint_cost": st.sampled_from((1.0, 0.1, 7.0)),
        }
    )


def _jobs(function: Callable[..., Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda point, final: {**point, "final_checkpoint": final},
        points_of(function),
        st.sampled_from((True, False)),
    )


def _clear_of_the_tie(point: dict[str, float]) -> bool:
    # Where "never" and the best interval are nearly as good, no simulation tells them apart.
    return not 0.6 < point["checkpoint_cost"] / point["mtbf"] < 0.85


PROPERTIES = (
    *(
        Property(function, judge, _jobs(function), effort)
        for function, judge, effort in (
            (makespan.expected_makespan, makespan_cases.mean, 1.0),
            (makespan.makespan_variance, makespan_cases.variance, 8.0),
            (makespan.efficiency, makespan_cases.useful_share, 1.0),
            (makespan.waste, makespan_cases.useless_share, 4.0),
        )
    ),
    Property(makespan.wsj_mean, wsj_cases.mean, points_of(makespan.wsj_mean)),
    Property(makespan.wsj_variance, wsj_cases.variance, points_of(makespan.wsj_variance), 8.0),
    Property(
        interval.optimal_interval,
        neighbours.neighbours,
        points_of(interval.optimal_interval),
    ),
    *(
        Property(function, with_fallback, points_of(function))
        for function in (
            interval.optimal_interval_young,
            interval.optimal_interval_daly,
            interval.optimal_interval_daly_first_order,
        )
    ),
    Property(
        interval.optimal_interval_wsj,
        neighbours_in_wsj,
        points_of(interval.optimal_interval_wsj).filter(_clear_of_the_tie),
    ),
    Property(interval.best_segments, number_of_segments, points_of(interval.best_segments)),
    Property(interval.regret, excess_per_work, points_of(interval.regret)),
    Property(
        proactive.waste_aupy,
        proactive_cases.within_range,
        points_of(proactive.waste_aupy),
        proactive_cases.EFFORT,
    ),
    Property(qos.risk_based_interval, qos_cases.granted, points_of(qos.risk_based_interval)),
    Property(qos.promised_probability, qos_cases.parallel_job_undisturbed, _promises()),
    Property(qos.longest_promise, qos_cases.parallel_job_of_that_length, _longest_promises()),
    Property(
        prediction.failure_probability,
        share_of_jobs_struck,
        points_of(prediction.failure_probability),
    ),
    Property(
        prediction.expected_failures,
        replay_cases.failures_of_a_job,
        _jobs(prediction.expected_failures),
    ),
    Property(
        prediction.expected_lost_time,
        replay_cases.loss_of_a_job,
        _jobs(prediction.expected_lost_time),
        8.0,
    ),
    Property(
        recovery.expected_failure_slowdown,
        recovery_cases.job_that_was_struck,
        points_of(recovery.expected_failure_slowdown),
        4.0,
    ),
    Property(recovery.expected_manual_wait, recovery_cases.user_who_looks, _looks()),
    Property(recovery.recovery_charge, recovery_cases.account, _booked()),
    Property(
        recovery_delay.expected_head_delay,
        recovery_delay_cases.struck_job,
        _queues(places=(1, 2, 3), downtime=(1.0, 20.0), option=("head",)),
        4.0,
    ),
    Property(
        recovery_delay.expected_rear_delay,
        recovery_delay_cases.struck_job,
        _queues(downtime=(0.0, 5.0), scv=(1.0, 0.0, 0.5), option=("rear",)),
        4.0,
    ),
    Property(
        recovery_delay.expected_resubmission_delay,
        recovery_delay_cases.struck_job,
        _queues(places=(1, 2), remaining=(2.0, 10.0), option=("later",)),
        4.0,
    ),
    Property(qos.checkpoint_gain, qos_cases.gain, _requests()),
    Property(fitting.mtbf_confidence, either_end, _counts()),
    Property(fitting.fit_lifetime, fitting_cases.estimate, _records(), 2.0),
    *LAWS,
)


def run_all(*, only: str | None, seed: int, examples: int) -> PropertyRun:
    """Search every formula whose name contains `only`."""
    alpha = BUDGET / (examples * len(PROPERTIES))
    return PropertyRun(
        seed,
        examples,
        tuple(
            search(subject, seed=seed, examples=examples, alpha=alpha)
            for subject in PROPERTIES
            if only is None or only in subject.formula
        ),
    )
