"""The schedulers by name."""

from __future__ import annotations

from .released import Head, January2009, June2009
from .scene import Scheduler
from .separate import SeparateDrains

SCHEDULERS: dict[str, Scheduler] = {
    scheduler.name: scheduler for scheduler in (SeparateDrains(), January2009(), June2009(), Head())
}
