"""Failures to come, learnt from a log of past ones, and what they do to a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .history import FailureHistory as FailureHistory
    from .interval import mixed_useful_share as mixed_useful_share
    from .interval import optimal_interval_mixed as optimal_interval_mixed
    from .job import ForecastMakespan as ForecastMakespan
    from .job import PlannedJob as PlannedJob
    from .job import forecast_makespan as forecast_makespan
    from .law import MixedCompletionTime as MixedCompletionTime
    from .law import RateMixture as RateMixture
    from .law import mixed_makespan as mixed_makespan
    from .mixture import FailureForecast as FailureForecast
    from .mixture import forecast_failures as forecast_failures
    from .outlook import Outlook as Outlook
    from .outlook import outlook_of as outlook_of
    from .part import forecasts_for as forecasts_for
    from .past import KeptPromises as KeptPromises
    from .past import PastPromises as PastPromises
    from .past import past_promises as past_promises

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
