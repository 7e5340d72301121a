"""Distributions of completion times: cdf, percentiles, and how repairs prolong them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .asynchronous import exact_makespan_async as exact_makespan_async
    from .compound import wsj_compound as wsj_compound
    from .exact import exact_makespan as exact_makespan
    from .law import CompletionTime as CompletionTime
    from .predictive import PredictiveCompletionTime as PredictiveCompletionTime
    from .predictive import predictive_makespan as predictive_makespan
    from .repairs.busy_period import busy_period_mean as busy_period_mean
    from .repairs.busy_period import busy_period_transform as busy_period_transform
    from .repairs.busy_period import busy_period_variance as busy_period_variance
    from .wsj import gamma_error as gamma_error
    from .wsj import wsj_makespan as wsj_makespan

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
