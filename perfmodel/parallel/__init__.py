"""Several tasks at once: the slowest, extremes, and spare nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .extremes import FirstCompletionTime as FirstCompletionTime
    from .phases import expected_makespan_phases as expected_makespan_phases
    from .spares import ExtraNode as ExtraNode
    from .spares import compare_extra_node as compare_extra_node
    from .spares import spares_needed as spares_needed
    from .tasks import optimal_interval_parallel as optimal_interval_parallel
    from .tasks import slowest as slowest
    from .tasks import slowest_of as slowest_of

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
