"""What the loop asks of a scheduling policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from .cluster import Cluster
    from .jobs import Job, News
    from .protocols import Kind

__all__ = ["Order", "Pass", "Policy"]

# One scheduling pass: looks at the cluster and calls `cluster.start` for what may start now.
Pass: TypeAlias = "Callable[[News], None]"

# The waiting jobs in the order in which a pass considers them.
Order: TypeAlias = "Callable[[Cluster], Sequence[Job]]"


class Policy(Protocol):
    """A description; `begin` gives the passes of one replay, with whatever they remember."""

    @property
    def name(self) -> str:
        """As it appears in metrics."""

    @property
    def runs_on(self) -> tuple[Kind, ...]:
        """What the machine must be, all of it; others are refused before anything is played."""

    def begin(self, cluster: Cluster) -> Pass:
        """Return the function that the loop calls for every scheduling pass."""
