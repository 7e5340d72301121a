"""Wrong chains: costs of another task, forgotten costs, and a plan that looks one task ahead."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from perfmodel.chains import (
    ChainPlan,
    expected_makespan_chain,
    makespan_variance_chain,
    optimal_checkpoints_chain,
)
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _changed(chain: dict[str, Any], fault: str) -> dict[str, Any]:
    """Return the chain as a faulty formula would see it."""
    chain = dict(chain)
    backs = tuple(np.broadcast_to(chain["recovery_costs"], len(chain["works"])).tolist())
    if fault == "recovery of the next task":
        chain["recovery_costs"] = (*backs[1:], backs[-1])
    if fault == "recovery dropped":
        chain["recovery_costs"] = chain["input_recovery"] = 0.0
    if fault == "input read back at no cost":
        chain["input_recovery"] = 0.0
    if fault == "downtime dropped":
        chain["downtime"] = 0.0
    if fault == "checkpoint cost of the first task":
        chain["checkpoint_costs"] = np.asarray(chain["checkpoint_costs"])[0]
    if fault == "checkpoint after every task":
        chain["checkpoint_after"] = [True] * len(chain["works"])
    return chain


def _moment(function: Any, fault: str, **chain: Any) -> float:
    return float(function(**_changed(chain, fault)))


def _greedy(*, final_checkpoint: bool, **chain: Any) -> ChainPlan:
    """Write a checkpoint wherever it pays beside those that are there."""
    count = len(chain["works"])
    flags = np.zeros(count, dtype=bool)
    flags[-1] = final_checkpoint
    mean = expected_makespan_chain(checkpoint_after=flags, **chain)
    for at in range(count - 1):
        flags[at] = True
        other = expected_makespan_chain(checkpoint_after=flags, **chain)
        flags[at] = other < mean
        mean = min(mean, other)
    return ChainPlan(flags, mean)


def _every(*, final_checkpoint: bool, **chain: Any) -> ChainPlan:
    flags = np.ones(len(chain["works"]), dtype=bool)
    flags[-1] = final_checkpoint
    return ChainPlan(flags, expected_makespan_chain(checkpoint_after=flags, **chain))


def _misread(*, fault: str, **chain: Any) -> ChainPlan:
    return optimal_checkpoints_chain(**_changed(chain, fault))


_FAULTS = (
    "recovery of the next task",
    "recovery dropped",
    "input read back at no cost",
    "downtime dropped",
    "checkpoint cost of the first task",
    "checkpoint after every task",
)

MUTANTS = (
    *(
        Mutant(function, fault, partial(_moment, function, fault))
        for function in (expected_makespan_chain, makespan_variance_chain)
        for fault in _FAULTS
    ),
    Mutant(optimal_checkpoints_chain, "one task after the other", _greedy),
    Mutant(optimal_checkpoints_chain, "checkpoint after every task", _every),
    *(
        Mutant(optimal_checkpoints_chain, fault, partial(_misread, fault=fault))
        for fault in _FAULTS[:-1]
    ),
)
