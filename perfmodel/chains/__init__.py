"""Chains of tasks: after which of them to write a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .makespan import expected_makespan_chain as expected_makespan_chain
    from .makespan import makespan_variance_chain as makespan_variance_chain
    from .optimum import ChainPlan as ChainPlan
    from .optimum import optimal_checkpoints_chain as optimal_checkpoints_chain

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
