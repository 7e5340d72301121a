"""Who starts next on a Blue Gene: drains, fall-back and backfilling, in four versions.

A job that cannot start may *drain* a partition of its size: the one expected to be free first,
which is then withheld, with its relatives, from jobs below.
"""

from __future__ import annotations

from .released import Head, January2009, June2009
from .scene import Chooser, Scene, Scheduler
from .separate import SeparateDrains

__all__ = [
    "SCHEDULERS",
    "Chooser",
    "Head",
    "January2009",
    "June2009",
    "Scene",
    "Scheduler",
    "SeparateDrains",
]

SCHEDULERS: dict[str, Scheduler] = {
    scheduler.name: scheduler for scheduler in (SeparateDrains(), January2009(), June2009(), Head())
}
