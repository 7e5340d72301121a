"""Chains, against those that `sim` plays, and against the definition of their segments."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from perfmodel.chains import (
    expected_makespan_chain,
    makespan_variance_chain,
    optimal_checkpoints_chain,
)
from sim.samplers import Exponential
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number, compare_variance
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_chain_makespans
from ..closed_forms.definitions import exactly
from ..closed_forms.definitions import expected_makespan as mean_of_segment
from ..closed_forms.definitions import makespan_variance as variance_of_segment

__all__ = ["CASES", "by_enumeration", "mean", "summed_mean", "summed_variance", "variance"]

Predict = Callable[..., Any]


def _play(budget: Budget, *, works: tuple[float, ...], mtbf: float, **chain: Any) -> FloatArray:
    return simulate_chain_makespans(
        works,
        uptime=Exponential(mtbf),
        replications=budget.replications,
        seed=budget.seed,
        **chain,
    )


def mean(predict: Predict, budget: Budget, **chain: Any) -> Verdict:
    """Judge the mean wall time."""
    walls = _play(budget, **chain)
    return compare_mean(
        float(predict(**chain)), walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def variance(predict: Predict, budget: Budget, **chain: Any) -> Verdict:
    """Judge the variance of the wall time."""
    walls = _play(budget, **chain)
    return compare_variance(
        float(predict(**chain)), walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def _segments(
    *,
    works: tuple[float, ...],
    checkpoint_after: tuple[bool, ...],
    checkpoint_costs: tuple[float, ...],
    recovery_costs: tuple[float, ...],
    input_recovery: float,
    **rest: float,
) -> Iterator[dict[str, float]]:
    """Yield each segment as a job without checkpoints."""
    span, back = 0.0, input_recovery
    for at, work in enumerate(works):
        span += work
        if checkpoint_after[at]:
            span += checkpoint_costs[at]
        if checkpoint_after[at] or at == len(works) - 1:
            yield {
                "work": span,
                "interval": span,
                "checkpoint_cost": 0.0,
                "final_checkpoint": False,
                "recovery_cost": back,
                **rest,
            }
            span, back = 0.0, recovery_costs[at]


def _total(moment: Callable[..., Any], **chain: Any) -> float:
    return float(sum(exactly(moment, segment) for segment in _segments(**chain)))


def summed_mean(predict: Predict, budget: Budget, **chain: Any) -> Verdict:
    """Judge the mean by the definition of each segment."""
    del budget
    known = _total(mean_of_segment, **chain)
    return compare_number(float(predict(**chain)), known, tolerance=1e-12)


def summed_variance(predict: Predict, budget: Budget, **chain: Any) -> Verdict:
    """Judge the variance by the definition of each segment."""
    del budget
    known = _total(variance_of_segment, **chain)
    return compare_number(float(predict(**chain)), known, tolerance=1e-10)


def by_enumeration(
    predict: Predict, budget: Budget, *, checkpoint_after: tuple[bool, ...], **chain: Any
) -> Verdict:
    """Expect no other set of checkpoints to cost less; the last flag says whether one ends all."""
    del budget
    ending = checkpoint_after[-1]
    found = predict(final_checkpoint=ending, **chain)
    sets = itertools.product((False, True), repeat=len(checkpoint_after) - 1)
    best = min(_total(mean_of_segment, checkpoint_after=(*some, ending), **chain) for some in sets)
    flags = tuple(found.checkpoint_after.tolist())
    own = _total(mean_of_segment, checkpoint_after=flags, **chain)
    if flags[-1] != ending:
        own = 2.0 * best
    told = compare_number(found.expected_makespan, own, tolerance=1e-12)
    return told if told.rejected else compare_number(own, best, tolerance=1e-12)


_chains = partial(
    table,
    (
        *("works", "checkpoint_after", "mtbf", "checkpoint_costs", "recovery_costs"),
        *("input_recovery", "downtime"),
    ),
)
CHAINS = _chains(
    (
        (3.0, 2.0, 5.0, 1.0),
        (False, True, False, True),
        *(8.0, (0.3, 0.5, 2.0, 0.4), (0.2, 1.5, 0.3, 9.0), 0.6, 2.0),
    ),
    (
        (1.0, 4.0, 2.0),
        (True, False, False),
        *(5.0, (1.0, 0.1, 0.2), (2.0, 0.4, 0.3), 1.0, 0.5),
    ),
)
# Where the checkpoint after the first task pays until there is one after the second.
BEHIND = _chains(
    (
        (1.4, 1.5, 3.3, 0.8, 2.6),
        (False, False, False, False, True),
        *(4.0, (0.8, 0.3, 0.1, 0.3, 0.7), (1.2, 0.4, 0.9, 1.4, 0.9), 1.0, 0.5),
    ),
)

CASES = (
    Case(expected_makespan_chain, mean, CHAINS, effort=0.25),
    Case(makespan_variance_chain, variance, CHAINS),
    Case(optimal_checkpoints_chain, by_enumeration, (*BEHIND, *CHAINS), chance=False),
)
