"""One job with silent errors, found at a verification or by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .job import simulate_silent_makespans as simulate_silent_makespans
    from .late_job import simulate_detected_late_makespans as simulate_detected_late_makespans

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
