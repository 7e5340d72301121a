"""What a system of `grid` consists of, and which of its failures the simulator plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.cluster import Failures, Workload
from sim.cluster.grid import Grid
from sim.records import FloatArray

LEAST_REPAIR = 60.0  # s; the released Alea (FailureLoaderNew) skips shorter failures of every log


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """Jobs, clusters, the clusters allowed to each job, and failures by suffix of the scenario.

    `scale` is how much longer a job runs on each cluster than it says, where that depends on the
    cluster.
    """

    workload: Workload
    grid: Grid
    suitability: Any
    failures: dict[str, Failures]
    scale: FloatArray | None = None


def lasting(failures: Failures) -> Failures:
    """Return the failures that the released simulator plays: those of a minute and longer."""
    kept = np.asarray(failures.repair) >= LEAST_REPAIR
    return Failures(
        time=np.asarray(failures.time)[kept],
        node=np.asarray(failures.node)[kept],
        repair=np.asarray(failures.repair)[kept],
    )
