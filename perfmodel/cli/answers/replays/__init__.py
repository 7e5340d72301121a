"""What replays tell: of one, of a study, of scenarios on a grid, of promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...._doors import loading

if TYPE_CHECKING:
    from .grid_study import plan_of_scenarios as plan_of_scenarios
    from .measures import cut_warnings as cut_warnings
    from .measures import engine_words as engine_words
    from .measures import measures_of as measures_of
    from .measures import recorded_measures as recorded_measures
    from .promises import cell_label as cell_label
    from .promises import plan_of_promises as plan_of_promises
    from .promises import promises_attempts as promises_attempts
    from .promises import promises_replay as promises_replay
    from .promises import promises_row as promises_row
    from .replay import play as play
    from .replay import study_of_replays as study_of_replays
    from .scenarios import grid_measures as grid_measures
    from .scenarios import grid_replay as grid_replay
    from .scenarios import grid_row as grid_row
    from .scenarios import recorded_row as recorded_row
    from .study import Factor as Factor
    from .study import Measure as Measure
    from .study import Plan as Plan
    from .study import plain_numbers as plain_numbers
    from .study import played as played

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
