"""Machines that age: makespans and checkpoints where failures depend on the time since the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .law import RenewedCompletionTime as RenewedCompletionTime
    from .law import exact_makespan_ageing as exact_makespan_ageing
    from .makespan import expected_makespan_ageing as expected_makespan_ageing
    from .makespan import makespan_variance_ageing as makespan_variance_ageing
    from .plan import AgeingPlan as AgeingPlan
    from .plan import optimal_plan_ageing as optimal_plan_ageing
    from .platform import expected_makespan_rejuvenated as expected_makespan_rejuvenated
    from .platform import optimal_interval_rejuvenated as optimal_interval_rejuvenated
    from .platform import platform_failures_from_new as platform_failures_from_new
    from .platform import platform_failures_rejuvenated as platform_failures_rejuvenated
    from .platform import platform_failures_stationary as platform_failures_stationary
    from .sequence import hazard_intervals as hazard_intervals
    from .sequence import lazy_intervals as lazy_intervals
    from .sequence import optimal_intervals_ageing as optimal_intervals_ageing
    from .share import optimal_interval_ageing as optimal_interval_ageing
    from .share import useful_share_ageing as useful_share_ageing

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
