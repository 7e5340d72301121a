"""What becomes of a job that a failure struck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Attempt

__all__ = ["RECOVERIES", "Drop", "Recover", "Recovery", "ResubmitNew", "ResubmitOriginal"]

# Called once per failed attempt, at the instant of the failure, after its placement was given
# back and the node taken out; the second argument is when that node returns, [s].
Recover: TypeAlias = "Callable[[Attempt, float], None]"


class Recovery(Protocol):
    """A description; `begin` gives what decides during one replay."""

    def begin(self, cluster: Cluster) -> Recover:
        """Return a function that calls `cluster.resubmit` or `cluster.drop` for the job."""


@dataclass(frozen=True, slots=True)
class ResubmitOriginal:
    """Back into the queue at once, at the place of its first submission."""

    def begin(self, cluster: Cluster) -> Recover:
        """Resubmit by the original submission."""
        return lambda attempt, _: cluster.resubmit(attempt.job, queued_at=attempt.job.submit)


@dataclass(frozen=True, slots=True)
class ResubmitNew:
    """Back into the queue at once, as if submitted at the failure."""

    def begin(self, cluster: Cluster) -> Recover:
        """Resubmit by the time of the failure."""
        return lambda attempt, _: cluster.resubmit(attempt.job, queued_at=cluster.now)


@dataclass(frozen=True, slots=True)
class Drop:
    """Gone."""

    def begin(self, cluster: Cluster) -> Recover:
        """Drop the job."""
        return lambda attempt, _: cluster.drop(attempt.job)


RECOVERIES: dict[str, Recovery] = {
    "original": ResubmitOriginal(),
    "new": ResubmitNew(),
    "drop": Drop(),
}
