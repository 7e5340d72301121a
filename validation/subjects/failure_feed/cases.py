"""Failures drawn node by node, judged by the rate of the law that they were drawn from.

`predict` is here the function that draws, or a wrong one. Nodes that have been in use for long
fail once per mean uptime from the first second on, with any law.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from sim.cluster import Failures
from sim.samplers import Deterministic
from validation.judge.compare import compare_mean
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, predictable, sampler

__all__ = ["CASES", "sampled_failures"]

Predict = Callable[..., Failures]


def sampled_failures(**options: Any) -> Failures:
    """Return the feed. A function, because every access to a class method returns a new object."""
    return Failures.sampled(**options)


def failures_in_a_window(
    predict: Predict, budget: Budget, *, law: Law, since: float, until: float
) -> Verdict:
    """Judge the failures of a node in a window: their mean is its length in mean uptimes."""
    mean = float(predictable(law).mean)
    nodes = budget.replications // 40
    drawn = _drawn(predict, law, nodes, until * mean, budget.seed)
    within = drawn.node[drawn.time >= since * mean]
    return compare_mean(
        until - since,
        np.bincount(within, minlength=nodes).astype(np.float64),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


@lru_cache(maxsize=16)  # the mutants are called in turns
def _drawn(predict: Predict, law: Law, nodes: int, end: float, seed: int) -> Failures:
    return predict(nodes=nodes, uptime=sampler(law), repair=Deterministic(0.0), end=end, seed=seed)


_LAWS = (
    Law("Weibull", (0.5, 3.0)),
    Law("Weibull", (0.7, 3.0)),
    Law("Weibull", (2.5, 3.0)),
    Law("Gamma", (0.4, 3.0)),
    Law("LogNormal", (1.0, 1.2)),
    Law("HyperExponential", ((0.7, 0.3), (1.0, 9.0))),
    Law("Deterministic", (4.0,)),
    Law("Empirical", ((1.0, 1.0, 2.0, 5.0, 13.0),)),
)

# Ten thousand nodes, each with its own random stream; 1 % would take millions.
CASES = (
    Case(
        sampled_failures,
        failures_in_a_window,
        tuple({"law": law, "since": 0.0, "until": 0.1} for law in _LAWS),
        gate=0.2,
    ),
    Case(
        sampled_failures,
        failures_in_a_window,
        tuple({"law": law, "since": 0.4, "until": 0.6} for law in (_LAWS[0], _LAWS[2])),
        gate=0.2,
    ),
)
