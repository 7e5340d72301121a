"""Nodes that do not fail equally often: what it means for a job, and for the nodes to take out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .first_failure import effective_mtbf as effective_mtbf
    from .first_failure import effective_mtbf_gamma as effective_mtbf_gamma
    from .removal import node_mtbf_without_worst as node_mtbf_without_worst
    from .removal import node_mtbf_without_worst_gamma as node_mtbf_without_worst_gamma
    from .repaired import expected_failures_lemons as expected_failures_lemons
    from .suspects import BadNodes as BadNodes
    from .suspects import bad_node_power as bad_node_power
    from .suspects import bad_nodes as bad_nodes

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
