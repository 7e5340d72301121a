"""Logs that a request names: how each is read, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .bursts import Spread as Spread
    from .bursts import burst_words as burst_words
    from .bursts import drift_words as drift_words
    from .bursts import pattern_of as pattern_of
    from .bursts import plain_pattern as plain_pattern
    from .bursts import spread_of as spread_of
    from .causes import Cause as Cause
    from .causes import causes_of as causes_of
    from .failures import Log as Log
    from .failures import clusters_of as clusters_of
    from .failures import read_log as read_log
    from .jobs import read_job_log as read_job_log
    from .lifetimes import read_lifetimes_log as read_lifetimes_log
    from .printed_numbers import conditions_of as conditions_of
    from .watched import SiteLogs as SiteLogs
    from .watched import site_logs as site_logs

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
