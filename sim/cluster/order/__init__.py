"""In which order waiting jobs are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .bands import HEAD as HEAD
    from .bands import MIDDLE as MIDDLE
    from .bands import REAR as REAR
    from .bands import all_bands as all_bands
    from .bands import first_band as first_band
    from .by_score import ByScore as ByScore
    from .by_score import order_from_expression as order_from_expression
    from .submission import by_submission as by_submission
    from .utility import UTILITIES as UTILITIES
    from .utility import Utility as Utility
    from .utility import Waiting as Waiting
    from .utility import utility_by_time as utility_by_time
    from .utility import utility_from_expression as utility_from_expression

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
