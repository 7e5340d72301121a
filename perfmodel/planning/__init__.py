"""Plans: a scenario of machine, failures, job and prices, and all that the library says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .composed import Plan as Plan
    from .composed import plan as plan
    from .scenario import Scenario as Scenario
    from .scenario import read_scenario as read_scenario
    from .sweep import Variant as Variant
    from .sweep import plans as plans

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
