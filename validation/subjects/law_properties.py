"""Points at random for laws of completion times, spares and partitions.

Their arguments are laws and machines, which a catalogue's domain of numbers cannot say; so the
points are drawn here. Durations are round multiples of the mtbf, in several units of time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

from perfmodel import completion, parallel, partition
from perfmodel.completion import exact_makespan
from perfmodel.registry import ranges_of

from ..judge.chance import FloatArray
from ..judge.compare import compare_mean
from ..judge.compare_laws import compare_cdf, compare_quantiles
from ..judge.search import Property
from ..judge.trial import Grant
from ..judge.verdict import Verdict
from ..ranges.ratios import STEPS, between, points_over
from .downtime import cases as downtime_cases
from .extra_node import cases as extra_node_cases
from .laws import Law, predictable
from .makespan import cases as makespan_cases
from .parallel import cases as parallel_cases
from .partition import cases as partition_cases
from .wsj import cases as wsj_cases

__all__ = ["LAWS", "UNITS"]

Predict = Callable[..., Any]
Points = st.SearchStrategy[dict[str, Any]]

UNITS = (1.0, 60.0, 0.01, 3600.0)  # the time unit must not matter
LEVELS = (0.25, 0.5, 0.9)


def _judge(law: Any, walls: FloatArray, grant: Grant) -> Verdict:
    """Judge the whole cdf, then the mean, then percentiles; the first that fails speaks."""
    share = {"alpha": grant.alpha / 3.0, "tolerance": grant.tolerance}
    verdict = compare_cdf(law.cdf, walls, **share)
    if verdict.passed:
        verdict = compare_mean(law.mean, walls, **share)
    if verdict.passed:
        verdict = compare_quantiles(law.ppf(LEVELS), LEVELS, walls, **share)
    return verdict


def whole_law(predict: Predict, grant: Grant, **job: Any) -> Verdict:
    """Judge cdf, mean and percentiles of the makespan by simulated jobs."""
    law = predict(**{**job, "downtime": predictable(job["downtime"])})
    walls = makespan_cases.play(grant.seed, grant.replications, **job)
    return _judge(law, walls, grant)


def whole_law_of_wsj(predict: Predict, grant: Grant, **task: Any) -> Verdict:
    """Judge the same in the process of wsj."""
    law = predict(**{**task, "downtime": predictable(task["downtime"])})
    return _judge(law, wsj_cases.play_wsj(grant.seed, grant.replications, **task), grant)


def within_its_error(predict: Predict, grant: Grant, **task: Any) -> Verdict:
    """Expect the Gamma law within its stated distance, where its range holds, and its mean."""
    law = predict(**{**task, "downtime": predictable(task["downtime"])})
    walls = wsj_cases.play_wsj(grant.seed, grant.replications, **task)
    share = {"alpha": grant.alpha / 2.0, "tolerance": grant.tolerance}
    mean = compare_mean(law.mean, walls, **share)
    limit = completion.GAMMA_RANGE
    if not mean.passed or law.shape**-0.5 > limit.limit:
        return mean
    near = compare_cdf(law.cdf, walls, **share)
    passed = near.observed - near.resolution <= limit.error
    note = f"{near.observed:.3f} apart, stated {limit.error:g}"
    return Verdict(
        "approximation",
        limit.error,
        near.observed,
        near.stderr,
        near.z,
        near.resolution,
        passed=passed,
        note=note,
        answered=near.resolution <= grant.tolerance,
    )


def spares_suffice(
    predict: Predict, grant: Grant, *, load: float, nodes: int, mtbf: float, confidence: float
) -> Verdict:
    """Expect the spares to suffice at random instants, and one fewer not to."""
    repair = Law("Exponential", (load * mtbf / nodes,))
    return downtime_cases.probability(
        predict, grant, nodes=nodes, mtbf=mtbf, repair=repair, confidence=confidence
    )


def _times(*multiples: float) -> st.SearchStrategy[float]:
    return st.sampled_from(multiples)


def _repairs(*means: float) -> st.SearchStrategy[Any]:
    """Draw a fixed repair or a law of one, in multiples of the mtbf."""
    return st.one_of(
        st.sampled_from(means),
        st.sampled_from(means).map(lambda mean: Law("Exponential", (mean,))),
        st.sampled_from(means).map(lambda mean: Law("Gamma", (0.5, 2.0 * mean))),
        st.sampled_from(means).map(lambda mean: Law("Gamma", (2.0, 0.5 * mean))),
        st.sampled_from(means).map(
            lambda mean: Law("HyperExponential", ((0.75, 0.25), (0.5 * mean, 2.0 * mean)))
        ),
    )


def _in_units(point: dict[str, Any], unit: float) -> dict[str, Any]:
    return {
        name: _scaled(value, unit)
        if name not in ("final_checkpoint", "tasks", "nodes", "use", "quantile", "confidence")
        else value
        for name, value in point.items()
    }


def _scaled(value: Any, unit: float) -> Any:
    if not isinstance(value, Law):
        return unit * value
    match value.name, value.parameters:
        case "HyperExponential", (shares, means):
            return Law(value.name, (shares, tuple(unit * mean for mean in means)))
        case _:
            *shapes, scale = value.parameters
            return Law(value.name, (*shapes, unit * scale))


def _drawn(**fields: st.SearchStrategy[Any]) -> Points:
    return st.builds(_in_units, st.fixed_dictionaries(fields), st.sampled_from(UNITS))


_WSJ = {
    "work": _times(1.0, 2.0, 0.2, 0.5, 5.0),
    "mtbf": _times(1.0),
    "downtime": _repairs(0.1, 0.01, 0.02, 0.2, 0.4),
    "interval": _times(1.0, 0.1, 0.02, 0.5, 3.0),
    "checkpoint_cost": _times(0.1, 0.001, 0.01, 0.3),
}
_PHYSICAL = {
    **_WSJ,
    "downtime": _repairs(1.0, 0.1, 0.001, 0.02, 0.3),
    "recovery_cost": _times(0.1, 0.001, 0.5, 1.0),
}


def _fleets(mttr: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[Any, ...]]:
    machine = st.tuples(
        _times(1.0, 2.0, 5.0, 1.5),
        _times(100.0, 20.0, 50.0),
        mttr,
        _times(1.0, 0.5, 2.0),
        _times(10.0, 1.0, 30.0),
        _times(0.1, 0.0, 1.0),
    )
    # A repair is given as a share of the mtbf.
    fixed = machine.map(lambda m: (m[0], m[1], m[2] * m[1], *m[3:]))
    return st.lists(fixed, min_size=2, max_size=3).map(tuple)


def _unequal() -> Points:
    task = st.fixed_dictionaries(
        {
            "downtime": _repairs(0.1, 0.02, 0.3),
            "interval": _times(1.0, 0.2, 3.0),
            "mtbf": _times(1.0, 2.0, 0.5),
            "checkpoint_cost": _times(0.1, 0.01, 0.3),
            "recovery_cost": _times(0.1, 0.0, 0.5),
            "speed": _times(1.0, 2.0, 0.5),
        }
    )
    return st.lists(st.tuples(_times(1.0, 2.0, 0.5), task), min_size=2, max_size=3).map(
        lambda pairs: {
            "works": tuple(work for work, _ in pairs),
            "tasks": tuple(each for _, each in pairs),
        }
    )


def _spared() -> Points:
    """Draw jobs with a spare node from the documented range."""

    def job(cv: float, point: dict[str, Any]) -> dict[str, Any]:
        repair = Law("Gamma", (cv**-2.0, point["downtime"] * cv**2))
        return {**point, "downtime": repair}

    ends = ranges_of("compare_extra_node")["cv of downtime"]
    spread = st.integers(0, STEPS).map(lambda n: between("cv", ends, n / STEPS))
    return st.builds(job, spread, points_over(parallel.compare_extra_node))


LAWS = (
    Property(exact_makespan, whole_law, _drawn(**_PHYSICAL, final_checkpoint=st.booleans())),
    Property(completion.wsj_compound, whole_law_of_wsj, _drawn(**_WSJ)),
    Property(completion.wsj_makespan, within_its_error, _drawn(**_WSJ)),
    Property(
        parallel.slowest_of,
        parallel_cases.distribution_of_equal_tasks,
        _drawn(tasks=st.sampled_from((2, 1, 3, 8, 20)), **_PHYSICAL),
    ),
    Property(parallel.slowest, parallel_cases.distribution_of_unequal_tasks, _unequal()),
    Property(
        parallel.optimal_interval_parallel,
        parallel_cases.neighbours,
        _drawn(
            tasks=st.sampled_from((1, 2, 8)),
            work=_times(1.0, 2.0, 4.0),
            mtbf=_times(1.0),
            checkpoint_cost=_times(0.05, 0.01, 0.02),
            quantile=st.sampled_from((None, 0.5, 0.9)),
        ),
        0.5,
    ),
    Property(
        parallel.spares_needed,
        spares_suffice,
        st.fixed_dictionaries(
            {
                "load": _times(1.0, 0.3, 3.0, 10.0),
                "nodes": st.sampled_from((1, 10, 1000)),
                "mtbf": st.sampled_from(UNITS),
                "confidence": _times(0.5, 0.8, 0.9, 0.97),
            }
        ),
        40.0,
    ),
    Property(
        parallel.compare_extra_node,
        extra_node_cases.distribution,
        _drawn(use=st.sampled_from(("worker", "replica")), nodes=st.integers(1, 5), **_WSJ),
    ),
    Property(parallel.compare_extra_node, extra_node_cases.spare_within_error, _spared(), 0.15),
    Property(
        partition.equal_time_partition,
        partition_cases.equal_times,
        st.fixed_dictionaries(
            {"work": _times(100.0, 30.0, 300.0), "fleet": _fleets(_times(0.1, 0.01, 0.4))}
        ),
    ),
    Property(
        partition.evaluate_set,
        partition_cases.distance,
        st.fixed_dictionaries(
            {"work": _times(1000.0, 3000.0), "fleet": _fleets(_times(0.01, 0.001))}
        ),
    ),
    Property(
        completion.busy_period_mean,
        downtime_cases.mean,
        _drawn(mtbf=_times(1.0), downtime=_repairs(0.2, 0.01, 0.05, 0.5)),
    ),
    Property(
        completion.busy_period_variance,
        downtime_cases.variance,
        _drawn(mtbf=_times(1.0), downtime=_repairs(0.2, 0.01, 0.05, 0.4)),
        8.0,
    ),
)
