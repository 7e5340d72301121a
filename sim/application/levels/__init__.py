"""One job with checkpoints on several levels, of which each survives more failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .advised import LevelAdvice as LevelAdvice
    from .advised import LevelAdvisedRecord as LevelAdvisedRecord
    from .advised import simulate_advised_level_job as simulate_advised_level_job
    from .many import simulate_level_makespans as simulate_level_makespans
    from .two import TwoLevelRecord as TwoLevelRecord
    from .two import simulate_two_level_job as simulate_two_level_job
    from .two import simulate_two_level_makespans as simulate_two_level_makespans

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
