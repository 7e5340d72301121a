"""The recovery option of single jobs from a file, as `rec_opt=A` of a script of aucore says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..logs.words import of_file
from ..replays.by_job import rows_by_job
from ..replays.requests import RecoveryRequest

if TYPE_CHECKING:
    from ...cluster import RecoveryOption, Workload
    from ...traces import Trace

OWN = "own"  # the case
_OTHERS = "A"  # nothing comes back by itself unless its user asks for it


@dataclass(frozen=True, slots=True)
class OwnOptions:
    """What a file says, by the lines of the jobs in the log."""

    source: str
    by_line: Mapping[int, str]

    @property
    def names(self) -> set[str]:
        """All options that jobs may have."""
        return {*self.by_line.values(), _OTHERS}

    def of(self, workload: Workload) -> tuple[RecoveryOption, ...]:
        """Return the option of each job; A for those of which the file tells none."""
        from ...cluster.recovery import WITH_PREEMPTION

        lines = workload.line.tolist()
        return tuple(WITH_PREEMPTION[self.by_line.get(line, _OTHERS)] for line in lines)

    def words(self, workload: Workload) -> str:
        """Return how many jobs have an option of their own."""
        own = sum(line in self.by_line for line in workload.line.tolist())
        left = "" if own == len(workload) else f"; the others have {_OTHERS}"
        return f"{self.source}: options of {own:,} of {len(workload):,} jobs{left}"


def own_options(request: RecoveryRequest, path: Path, trace: Trace) -> OwnOptions:
    """Read a file of job and option; ValueError where an option is none of A to F."""
    from ...cluster.recovery import WITH_PREEMPTION

    found = {}
    with of_file(path):
        rows = rows_by_job(path, trace, ("job", "option"), limits=request.limits)
        for line, (number, row) in rows.items():
            option = row["option"].upper()
            if option not in WITH_PREEMPTION:
                known = ", ".join(WITH_PREEMPTION)
                raise ValueError(
                    f"line {number}: option must be one of {known}, got {row['option'][:60]!r}"
                )
            found[line] = option
    return OwnOptions(path.name, found)
