"""Failures to come, learnt from a log of past ones, and what they do to a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .job import ForecastMakespan as ForecastMakespan
    from .job import forecast_makespan as forecast_makespan
    from .mixture import FailureForecast as FailureForecast
    from .mixture import forecast_failures as forecast_failures
    from .past import PastPromises as PastPromises
    from .past import past_promises as past_promises

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
