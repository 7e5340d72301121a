"""The parts of a replay on a grid that a request describes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...._doors import loading

if TYPE_CHECKING:
    from .scenarios import policies_of_grid as policies_of_grid
    from .scenarios import scenarios_of_grid as scenarios_of_grid
    from .setup import GridSetup as GridSetup
    from .setup import grid_setup as grid_setup
    from .setup import of_seed as of_seed

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
