"""First come, first considered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..jobs import Job
    from ..loop import Cluster

__all__ = ["by_submission"]


def by_submission(cluster: Cluster) -> Sequence[Job]:
    """Return the waiting jobs in queue order: band, submission, position in the log."""
    return tuple(cluster.queue)
