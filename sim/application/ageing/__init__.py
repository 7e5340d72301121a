"""One job on a machine that ages, whose checkpoints go by its age."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .planned_job import simulate_planned_makespans as simulate_planned_makespans
    from .uptime import simulate_saved_work as simulate_saved_work

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
