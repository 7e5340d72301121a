"""Forecasts of failures: which places fail soon, and in which windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .alarms import CalibratedForecaster as CalibratedForecaster
    from .places import AlarmForecaster as AlarmForecaster
    from .places import Forecast as Forecast
    from .places import Forecaster as Forecaster
    from .places import QsimForecaster as QsimForecaster
    from .windows import DetectabilityForecaster as DetectabilityForecaster
    from .windows import Outlook as Outlook
    from .windows import RateForecaster as RateForecaster
    from .windows import RiskForecaster as RiskForecaster
    from .windows import StatedForecaster as StatedForecaster

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
