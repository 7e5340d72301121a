"""One more node as a worker, a replica or a spare, against simulated parallel jobs with it.

Worker and replica are exact in the process of wsj: whole laws and percentiles are compared. For
a spare the simulated tasks move and wait, which the formula only approximates: the largest error
over several machines, less its noise, is compared with the stated error.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel.parallel import compare_extra_node
from perfmodel.parallel.spares import EXTRA_NODE_RANGE
from perfmodel.validity import ValidityWarning
from sim.application import Machine
from validation.judge.chance import FloatArray, z_limit
from validation.judge.compare import compare_number
from validation.judge.compare_laws import compare_cdf, compare_quantiles
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_parallel_makespans, simulate_spare_makespans
from ..laws import Law, predictable, sampler

__all__ = ["CASES", "FULL", "spare_within_error"]

Predict = Callable[..., Any]
LEVELS = (0.5, 0.9)


def _play(
    seed: int, replications: int, *, use: str, nodes: int, work: float, **node: Any
) -> FloatArray:
    machine = Machine(**{**node, "downtime": sampler(node["downtime"])})
    count = nodes + 1 if use == "worker" else nodes
    return simulate_parallel_makespans(
        (work / count,) * count,
        (machine,) * count,
        copies=None if use == "worker" else (1,) * (nodes - 1) + (2,),
        process="wsj",
        replications=replications,
        seed=seed,
    )


def _play_spare(seed: int, replications: int, **job: Any) -> FloatArray:
    nodes, work = job.pop("nodes"), job.pop("work")
    job["downtime"] = sampler(job["downtime"])
    return simulate_spare_makespans(
        nodes, work / nodes, **job, replications=replications, seed=seed
    )


def _ask(predict: Predict, use: str, nodes: int, work: float, **node: Any) -> Any:
    downtime = predictable(node.pop("downtime"))
    return getattr(predict(nodes, work=work, downtime=downtime, **node), use)


def distribution(
    predict: Predict, budget: Budget, *, use: str, nodes: int, work: float, **node: Any
) -> Verdict:
    """Judge the whole law of a job with one more worker, or with one task run twice."""
    law = _ask(predict, use, nodes, work, **node)
    walls = _play(budget.seed, budget.replications, use=use, nodes=nodes, work=work, **node)
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def percentiles(
    predict: Predict, budget: Budget, *, use: str, nodes: int, work: float, **node: Any
) -> Verdict:
    """Judge the percentiles of a job with one more worker, or with one task run twice."""
    quantiles = _ask(predict, use, nodes, work, **node).ppf(LEVELS)
    walls = _play(budget.seed, budget.replications, use=use, nodes=nodes, work=work, **node)
    return compare_quantiles(
        quantiles, LEVELS, walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def stated_error(predict: Predict, budget: Budget, *, jobs: tuple[dict[str, Any], ...]) -> Verdict:
    """Judge the stated error of the mean with a spare by its largest error over some jobs."""
    return stated_error_of(jobs, predict, budget, least=True)


def stated_error_of(
    jobs: tuple[dict[str, Any], ...], predict: Predict, budget: Budget, *, least: bool
) -> Verdict:
    """Find the largest error over these jobs; with `least`, a stated error far above it fails."""
    stated, limit = EXTRA_NODE_RANGE.error, z_limit(budget.alpha / len(jobs))
    worst, surely, noise = 0.0, 0.0, 0.0
    for job in jobs:
        rest = {k: v for k, v in job.items() if k not in ("nodes", "work")}
        predicted = float(_ask(predict, "spare", job["nodes"], job["work"], **rest).mean)
        walls = _play_spare(budget.seed, budget.replications, **job)
        observed = float(walls.mean())
        error = abs(predicted / observed - 1.0)
        reach = limit * float(walls.std(ddof=1)) / np.sqrt(walls.size) / observed
        worst, noise = max(worst, error), max(noise, reach)
        surely = max(surely, error - reach)
    note = ""
    if surely > stated:
        note = f"the error reaches {worst:.3%}, stated {stated:.3%}"
    elif least and stated > 2.0 * (worst + noise):
        note = f"the error never exceeds {worst:.3%}, stated {stated:.3%}"
    elif noise > budget.tolerance:
        note = f"noise of {noise:.3%}, where {budget.tolerance:.3%} was asked for"
    return Verdict(
        "approximation",
        stated,
        worst,
        noise / limit,
        (worst - stated) / (noise / limit),
        noise,
        passed=not note,
        note=note or f"largest error {worst:.3%}",
        answered=noise <= budget.tolerance or surely > stated,
    )


def spare_within_error(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the mean with a spare by its stated error in its range, beyond it by its warning."""
    down = predictable(job["downtime"]).mean / job["mtbf"]
    if not EXTRA_NODE_RANGE.holds(np.asarray(max(job["nodes"], 10) * down)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ValidityWarning)
            _ask(predict, "spare", **job)
        return compare_number(float(len(caught)), 1.0, tolerance=0.0)
    return stated_error_of((job,), predict, budget, least=False)


_NAMES = ("use", "nodes", "work", "mtbf", "downtime", "interval", "checkpoint_cost")


EXACT = table(
    _NAMES,
    ("replica", 2, 60.0, 20.0, Law("Exponential", (4.0,)), 10.0, 0.5),
    ("worker", 2, 60.0, 20.0, Law("Exponential", (4.0,)), 10.0, 0.5),
    ("replica", 6, 120.0, 40.0, Law("Gamma", (0.5, 6.0)), 10.0, 0.5),
    ("worker", 6, 120.0, 40.0, Law("Gamma", (0.5, 6.0)), 10.0, 0.5),
)

# nodes*downtime/mtbf: 0.2, 1, 0.5 and 0.1; the cv of the repairs: 1, 0.6, 4 and 1.
SPARES = (
    {
        "jobs": table(
            _NAMES[1:],
            (2, 320.0, 100.0, Law("Exponential", (10.0,)), 10.0, 0.2),
            (10, 600.0, 100.0, Law("Gamma", (2.8, 10.0 / 2.8)), 10.0, 0.2),
            (10, 600.0, 200.0, Law("Gamma", (1.0 / 16.0, 160.0)), 5.0, 0.2),
            (1, 400.0, 100.0, Law("Exponential", (10.0,)), 10.0, 0.2),
        )
    },
)

CASES: tuple[Case, ...] = (
    Case(compare_extra_node, distribution, EXACT[:1], effort=0.6),
    Case(compare_extra_node, percentiles, EXACT[3:], effort=0.6),
    Case(compare_extra_node, stated_error, SPARES, effort=0.014),
)
FULL: tuple[Case, ...] = (
    Case(compare_extra_node, distribution, EXACT[1:2], effort=0.6),
    Case(compare_extra_node, percentiles, EXACT[2:3], effort=0.6),
)
