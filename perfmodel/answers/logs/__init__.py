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
    from .guessed import failure_format as failure_format
    from .guessed import job_format as job_format
    from .guessed import job_reading as job_reading
    from .guessed import told_by as told_by
    from .jobs import read_job_log as read_job_log
    from .lifetimes import read_lifetimes_log as read_lifetimes_log
    from .printed_numbers import conditions_of as conditions_of
    from .reading import read_failure_log as read_failure_log
    from .reading import rows_in_words as rows_in_words
    from .recorded import Recorded as Recorded
    from .recorded import recorded_waits as recorded_waits
    from .reports import DATED_SINCE as DATED_SINCE
    from .reports import machine_size as machine_size
    from .reports import refuse_without_submit as refuse_without_submit
    from .reports import report_lines as report_lines
    from .reports import unix_start as unix_start
    from .watched import SiteLogs as SiteLogs
    from .watched import site_logs as site_logs

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
