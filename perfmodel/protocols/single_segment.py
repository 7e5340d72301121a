"""No checkpoint before the end: a failure costs all that was done."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from .protocol import Plan, least
from .situation import Situation
from .synchronous import Synchronous


class SingleSegment(Synchronous):
    """A synchronous checkpoint at the end alone."""

    name = "single_segment"
    cost: ClassVar[str | None] = None
    short = "no"
    known_as = "one segment"
    plural = "no checkpoints"
    writes = "Write no checkpoint before the end: the job is so short that none pays"
    usual = ages = steps = crosses = False
    drawn = None
    formulas = ("expected_makespan", "exact_makespan")

    def plan(self, job: Situation) -> Plan:
        """Return the one plan."""
        return least(job.work, np.ones(1), lambda interval: self.mean(job, interval))
