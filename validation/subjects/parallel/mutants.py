"""Wrong laws of the slowest task, and wrong intervals for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from perfmodel.completion import CompletionTime
from perfmodel.interval import optimal_interval
from perfmodel.parallel import FirstCompletionTime, optimal_interval_parallel, slowest, slowest_of
from validation.judge.run import Mutant

from ..counted_failures import between_nodes

__all__ = ["MUTANTS"]

Laws = Sequence[CompletionTime]


def _dependent(laws: Laws) -> Any:
    """Return the law of tasks that fail together: the smallest of their cdfs."""

    class Together:
        @staticmethod
        def cdf(t: Any) -> Any:
            return np.min([law.cdf(t) for law in laws], axis=0)

    return Together


OF_EQUAL: dict[str, Callable[..., Any]] = {
    "maximum taken for a single task": lambda law, count: law,
    "one task too few": lambda law, count: slowest_of(law, count - 1),
    "first instead of slowest": lambda law, count: FirstCompletionTime(law, float(count)),
    "mean and scatter of a single task times log m": lambda law, count: slowest_of(
        law, max(1, round(float(np.log(count))))
    ),
}
OF_UNEQUAL: dict[str, Callable[[Laws], Any]] = {
    "maximum taken for the task slowest on average": lambda laws: max(
        laws, key=lambda law: law.mean
    ),
    "last task left out": lambda laws: slowest(laws[:-1]),
    "all tasks like the first": lambda laws: slowest([laws[0]] * len(laws)),
    "tasks fail together": _dependent,
}


def _single(
    tasks: float, *, work: float, mtbf: float, checkpoint_cost: float, quantile: float | None = None
) -> Any:
    del tasks, work, quantile
    return optimal_interval(mtbf=mtbf, checkpoint_cost=checkpoint_cost)


def _system(
    tasks: float, *, work: float, mtbf: float, checkpoint_cost: float, quantile: float | None = None
) -> Any:
    del work, quantile
    return optimal_interval(mtbf=mtbf / tasks, checkpoint_cost=checkpoint_cost)


def _of_the_mean(tasks: float, *, quantile: float | None = None, **job: float) -> Any:
    del quantile
    return optimal_interval_parallel(tasks, **job)


def _one_before_three(tasks: float, *, work: float, **job: Any) -> Any:
    """Return the interval that ends at one segment wherever one beats three."""
    best = optimal_interval_parallel(tasks, work=work, **job)
    return work if round(work / float(best)) == 2 else best


MUTANTS: tuple[Mutant, ...] = (
    *(Mutant(slowest_of, fault, wrong) for fault, wrong in OF_EQUAL.items()),
    *(Mutant(slowest, fault, wrong) for fault, wrong in OF_UNEQUAL.items()),
    Mutant(slowest_of, "cusps ignored", partial(between_nodes, slowest_of)),
    Mutant(slowest, "cusps ignored", partial(between_nodes, slowest)),
    Mutant(optimal_interval_parallel, "twice as long", lambda m, **job: 2.0 * _single(m, **job)),
    Mutant(optimal_interval_parallel, "the mtbf of all tasks together", _system),
    Mutant(optimal_interval_parallel, "that of the mean for any quantile", _of_the_mean),
    Mutant(optimal_interval_parallel, "one segment where two are best", _one_before_three),
)
