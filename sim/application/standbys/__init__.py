"""One job on blocks of nodes, with standby blocks that take over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .job import TwoStageRepair as TwoStageRepair
    from .job import simulate_standby_makespans as simulate_standby_makespans

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
