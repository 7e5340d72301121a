"""Studies: one workload, a table of cells, many seeds of failures; means with intervals.

Policies of one study meet the same failures: those of seed s do not depend on the cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .cells import Cell as Cell
    from .cells import DrawnFailures as DrawnFailures
    from .play import play_cells as play_cells
    from .play import play_study as play_study
    from .result import Study as Study
    from .result import StudyInterrupted as StudyInterrupted

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
