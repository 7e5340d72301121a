"""The jobs of a log that can be described: those whose submission, size and length are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..._checks import shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KnownJobs", "known_jobs"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
_LONGEST = 36_525 * 86_400.0  # a table of days has to fit into memory
_NEEDED = ("submit", "runtime", "processors")


@dataclass(frozen=True, slots=True, eq=False)
class KnownJobs:
    """Columns by submission; `row` is where each job stands in its frame, -1 is unknown.

    `submit`, `runtime`, `walltime` in seconds; `processors` allocated, else requested.
    """

    row: IntArray
    submit: FloatArray
    runtime: FloatArray
    walltime: FloatArray
    processors: IntArray
    user: IntArray

    def __len__(self) -> int:
        return int(self.submit.size)

    def take(self, which: npt.NDArray[Any]) -> KnownJobs:
        """Return some of the jobs, by flags or places."""
        return KnownJobs(
            self.row[which],
            self.submit[which],
            self.runtime[which],
            self.walltime[which],
            self.processors[which],
            self.user[which],
        )

    @property
    def area(self) -> FloatArray:
        """Processors times running time of each job, [s]."""
        return self.processors * self.runtime


def known_jobs(frame: pd.DataFrame) -> KnownJobs:
    """Return the jobs of a frame of `read_jobs` that can be described; refuse fewer than two."""
    missing = [name for name in _NEEDED if name not in frame]
    if missing:
        raise ValueError(f"frame must have the columns of read_swf, got none of {missing}")
    size = frame["processors"].to_numpy(dtype=np.int64)
    if "requested_processors" in frame:
        size = np.where(size > 0, size, frame["requested_processors"].to_numpy(dtype=np.int64))
    submit = frame["submit"].to_numpy(dtype=np.float64)
    runtime = frame["runtime"].to_numpy(dtype=np.float64)
    known = np.isfinite(submit) & np.isfinite(runtime) & (submit != -1.0) & (runtime >= 0.0)
    row = np.flatnonzero(known & (size > 0))
    row = row[np.argsort(submit[row], kind="stable")]
    if row.size < 2:
        raise ValueError(f"frame must hold two jobs that ran, got {row.size} of {len(frame)}")
    if not submit[row[-1]] > submit[row[0]]:
        raise ValueError(
            f"frame must hold jobs of different times, got all at {shown(float(submit[row[0]]))}"
        )
    if submit[row[-1]] - submit[row[0]] > _LONGEST:
        raise ValueError(
            f"frame must span at most 100 years, got submissions from {submit[row[0]]:g} to "
            f"{submit[row[-1]]:g}"
        )

    def column(name: str, kind: type[Any]) -> npt.NDArray[Any]:
        if name not in frame:
            return np.full(row.size, -1, dtype=kind)
        return frame[name].to_numpy(dtype=kind)[row]

    return KnownJobs(
        row, submit[row], runtime[row], column("walltime", np.float64), size[row],
        column("user", np.int64),
    )  # fmt: skip
