"""How long a checkpointed job takes: mean, variance, and the share that is not useful work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .asynchronous import expected_makespan_async as expected_makespan_async
    from .asynchronous import makespan_variance_async as makespan_variance_async
    from .exact import expected_makespan as expected_makespan
    from .exact import makespan_variance as makespan_variance
    from .iterations import expected_makespan_iterations as expected_makespan_iterations
    from .iterations import optimal_iterations as optimal_iterations
    from .random_cost import effective_checkpoint_cost as effective_checkpoint_cost
    from .shares import efficiency as efficiency
    from .shares import waste as waste
    from .wsj import wsj_mean as wsj_mean
    from .wsj import wsj_variance as wsj_variance

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
