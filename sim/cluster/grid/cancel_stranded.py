"""Jobs that no suitable cluster can hold while its machines are out are cancelled.

Paper `grid`, section 5: without room anywhere a job gets no reservation, and its wait would
measure the repair. Every policy has this rule, but it cancels other jobs under each:
those that wait when machines fail, hundreds behind a blocked head and few where jobs are
backfilled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..loop.cluster import Pass, Policy
from ..loop.jobs import News
from ..loop.protocols import Kind, Occupancy
from .machine import CLUSTERS

if TYPE_CHECKING:
    from ..loop.cluster import Cluster


@dataclass(frozen=True, slots=True)
class CancelStranded:
    """A policy, and before each of its passes the cancellation of what can no longer fit."""

    policy: Policy

    @property
    def name(self) -> str:
        """The policy's."""
        return self.policy.name

    @property
    def runs_on(self) -> tuple[Kind[Occupancy], ...]:
        """A grid on which the policy runs."""
        return (CLUSTERS, *self.policy.runs_on)

    def begin(self, cluster: Cluster) -> Pass:
        """Return the policy's pass."""
        machine = CLUSTERS.of(cluster.machine)

        def observe(news: News) -> None:
            waiting = list(cluster.queue) if news.struck else news.submitted
            for job in waiting:
                if not any(job.processors <= machine.up(pool) for pool in machine.pools(job)):
                    cluster.cancel(job)

        cluster.observe(observe)
        return self.policy.begin(cluster)
