"""Random points for whole laws of completion times: cdf, mean and percentiles."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

from perfmodel.completion import exact_makespan, wsj_compound, wsj_makespan
from perfmodel.completion.wsj import GAMMA_RANGE
from perfmodel.validity import ValidityWarning
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean
from validation.judge.compare_laws import compare_cdf, compare_quantiles
from validation.judge.search import Property
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict

from ..laws import predictable
from ..makespan.cases import play
from ..strategies import JOB, TASK, in_units
from ..wsj.cases import play_wsj

__all__ = ["PROPERTIES"]

Predict = Callable[..., Any]

LEVELS = (0.25, 0.5, 0.9)


def whole_law(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge cdf, mean and percentiles of the makespan by simulated jobs."""
    law = predict(**{**job, "downtime": predictable(job["downtime"])})
    return _judge(law, play(budget.seed, budget.replications, **job), budget)


def whole_law_of_wsj(predict: Predict, budget: Budget, **task: Any) -> Verdict:
    """Judge cdf, mean and percentiles of the time of a task in the process of wsj."""
    law = predict(**{**task, "downtime": predictable(task["downtime"])})
    return _judge(law, play_wsj(budget.seed, budget.replications, **task), budget)


def _judge(law: Any, walls: FloatArray, budget: Budget) -> Verdict:
    """Judge the whole cdf, then the mean, then percentiles; return the first failure."""
    share = {"alpha": budget.alpha / 3.0, "tolerance": budget.tolerance}
    verdict = compare_cdf(law.cdf, walls, **share)
    if verdict.passed:
        verdict = compare_mean(law.mean, walls, **share)
    if verdict.passed:
        verdict = compare_quantiles(law.ppf(LEVELS), LEVELS, walls, **share)
    return verdict


def within_its_error(predict: Predict, budget: Budget, **task: Any) -> Verdict:
    """Expect the Gamma law to have the right mean and, unless it warns, its stated distance."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ValidityWarning)
        law = predict(**{**task, "downtime": predictable(task["downtime"])})
    walls = play_wsj(budget.seed, budget.replications, **task)
    share = {"alpha": budget.alpha / 2.0, "tolerance": budget.tolerance}
    mean = compare_mean(law.mean, walls, **share)
    limit = GAMMA_RANGE
    if not mean.passed or warned:
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
        answered=near.resolution <= budget.tolerance,
    )


PROPERTIES = (
    Property(exact_makespan, whole_law, in_units(**JOB, final_checkpoint=st.booleans())),
    Property(wsj_compound, whole_law_of_wsj, in_units(**TASK)),
    Property(wsj_makespan, within_its_error, in_units(**TASK)),
)
