"""The law of one repair, and of a repair that failures prolong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from ._followed import followed as followed
    from ._repair import Repair as Repair
    from ._repair_of import repair_of as repair_of
    from .busy_period import busy_period_mean as busy_period_mean
    from .busy_period import busy_period_transform as busy_period_transform
    from .busy_period import busy_period_variance as busy_period_variance

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
