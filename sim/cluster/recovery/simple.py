"""What happens to a job that a failure struck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..loop.cluster import Recover, Recovery

if TYPE_CHECKING:
    from ..loop.cluster import Cluster


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
    """Give the job up."""

    def begin(self, cluster: Cluster) -> Recover:
        """Drop the job."""
        return lambda attempt, _: cluster.drop(attempt.job)


RECOVERIES: dict[str, Recovery] = {
    "original": ResubmitOriginal(),
    "new": ResubmitNew(),
    "drop": Drop(),
}
