"""One job that is warned of failures, of an instant or of a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .job import PredictedRecord as PredictedRecord
    from .job import simulate_predicted_job as simulate_predicted_job
    from .job import simulate_predicted_makespans as simulate_predicted_makespans
    from .windowed_job import simulate_windowed_makespans as simulate_windowed_makespans

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
