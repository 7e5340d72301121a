"""Standby blocks: how long a failure stops a job that has some, and how many it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .degraded import degraded_goodput as degraded_goodput
    from .needed import spares_for as spares_for
    from .one_job import expected_makespan_standbys as expected_makespan_standbys
    from .two_stage import two_stage_goodput as two_stage_goodput
    from .wait import mean_stop as mean_stop
    from .wait import spares_goodput as spares_goodput

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
