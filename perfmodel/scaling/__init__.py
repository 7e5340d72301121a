"""How many nodes a job should use, when more nodes fail more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .optimum import optimal_nodes as optimal_nodes
    from .optimum import optimal_nodes_first_order as optimal_nodes_first_order
    from .speedup import expected_speedup as expected_speedup

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
