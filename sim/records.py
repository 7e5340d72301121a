"""The records of a replay, as columns: one per attempt and one per job.

Columns are numpy arrays of equal length; `frame()` makes a pandas table of them when asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AttemptRecords", "JobRecords", "Outage", "Outcome"]

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


class Outcome(IntEnum):
    """How an attempt, or a job, came to its end."""

    COMPLETED = 0
    KILLED = 1  # at the walltime
    FAILED = 2  # struck by a failure; attempts only
    DROPPED = 3  # failed and not resubmitted; jobs only
    CANCELLED = 4  # taken out of the queue; jobs only
    UNFINISHED = 5  # still waiting when nothing more could happen; jobs only
    PREEMPTED = 6  # stopped in favour of a failed job; attempts only


@dataclass(frozen=True, slots=True, eq=False)
class AttemptRecords:
    """One row per try of a job: by end, then by start, then by position in the workload.

    `useful + lost + checkpoint + recovery` is `end - start`, all [s]. Work saved by a checkpoint
    is useful although the attempt failed; an unfinished checkpoint is lost.
    """

    position: IntArray  # of the job in the workload
    start: FloatArray
    end: FloatArray
    outcome: IntArray
    processors: IntArray  # held, which on partitions may be more than the job asked for
    useful: FloatArray
    lost: FloatArray
    checkpoint: FloatArray
    recovery: FloatArray
    placement: Sequence[Any] | None = None  # as the machine describes it; None if not numbered
    turn: IntArray | None = None  # place in the order of starts, from 0

    def frame(self, job: IntArray) -> pd.DataFrame:
        """Return the table, with the name `job` of each position; times in seconds."""
        table = _frame(self, skip=("position", "placement", "turn"))
        table.insert(0, "job", job[self.position])
        return table


@dataclass(slots=True)
class Outage:
    """A node out of order from `start` to `end` [s], inf if it never came back."""

    node: int
    start: float
    end: float
    struck: tuple[Any, ...]  # placements whose jobs the failure ended; partitions reboot with it


@dataclass(frozen=True, slots=True, eq=False)
class JobRecords:
    """One row per job, in queue order; nan where it never started or never ended.

    `first_start` and `start` are those of the first and the last attempt, `end` is the end of
    the job (for a failed job that was dropped: of its last attempt), all [s].
    """

    job: IntArray
    submit: FloatArray
    first_start: FloatArray
    start: FloatArray
    end: FloatArray
    processors: IntArray
    runtime: FloatArray
    walltime: FloatArray
    executed: FloatArray  # what the job has to execute: runtime, cut at the walltime
    undisturbed: FloatArray  # how long that takes without failures, checkpoints included
    attempts: IntArray
    failures: IntArray
    outcome: IntArray
    user: IntArray

    def frame(self) -> pd.DataFrame:
        """Return the table; times in seconds."""
        return _frame(self, skip=())


def _frame(records: AttemptRecords | JobRecords, skip: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    columns = {
        field.name: getattr(records, field.name)
        for field in fields(records)
        if field.name not in skip
    }
    codes: Any = records.outcome  # older stubs want a list, which would be slow
    columns["outcome"] = pd.Categorical.from_codes(
        codes, categories=pd.Index([outcome.name.lower() for outcome in Outcome])
    )
    return pd.DataFrame(columns)
