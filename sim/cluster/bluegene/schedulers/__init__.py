"""Who starts next on a Blue Gene: drains, fall-back and backfilling, in four versions.

A job that cannot start may *drain* a partition of its size: the one expected to be free first,
which is then withheld, with its relatives, from jobs below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...._doors import loading

if TYPE_CHECKING:
    from .by_name import SCHEDULERS as SCHEDULERS
    from .released import Head as Head
    from .released import January2009 as January2009
    from .released import June2009 as June2009
    from .scene import Chooser as Chooser
    from .scene import Scene as Scene
    from .scene import Scheduler as Scheduler
    from .separate import SeparateDrains as SeparateDrains

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
