"""How long the jobs of a log waited on the machine that wrote it, where the log says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ...cluster import Workload
    from ...traces import Trace

FloatArray = npt.NDArray[np.float64]

__all__ = ["Recorded", "recorded_waits"]


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """The waits that a log has, by its lines."""

    line: npt.NDArray[np.int64]  # increasing
    wait: FloatArray  # [s]

    def waits(self, workload: Workload) -> FloatArray:
        """Return the recorded wait of each job, [s]; nan where the log does not know it."""
        if self.line.size == 0:
            return np.full(len(workload), np.nan)
        place = np.minimum(np.searchsorted(self.line, workload.line), self.line.size - 1)
        return np.where(self.line[place] == workload.line, self.wait[place], np.nan)


def recorded_waits(trace: Trace) -> Recorded | None:
    """Return the waits that a log knows, or None where it knows none."""
    frame = trace.frame
    if not {"line", "wait"} <= set(frame.columns):
        return None
    line, wait = frame["line"].to_numpy(np.int64), frame["wait"].to_numpy(np.float64)
    known = np.flatnonzero(wait >= 0.0)
    known = known[np.argsort(line[known], kind="stable")]
    return Recorded(line[known], wait[known]) if known.size else None
