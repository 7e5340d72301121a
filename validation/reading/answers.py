"""What is asked of a log, and the right answer from the outages that it was written from."""

from __future__ import annotations

import io
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.traces import FailureLog, failure_log, read_jobs, uptimes_of_jobs

from .drawn import DrawnLog

__all__ = ["Answer", "answer_of", "answer_of_jobs", "truth_of"]

_CLOSE = 1e-9  # relative: times are floats of seconds since 1970


@dataclass(frozen=True, slots=True)
class Answer:
    """Numbers that a log tells; nan for what its format does not.

    Parameters
    ----------
    failures : int
        How many there are.
    mtbf : float, [s]
        Of the machine: from the first failure to the last, over the gaps between.
    mttr : float, [s]
        Mean length of the outages.
    by_node : tuple of int
        Failures of each node that failed, ascending.
    """

    failures: int
    mtbf: float
    mttr: float
    by_node: tuple[int, ...]

    def agrees(self, other: Answer) -> bool:
        """Whether all that both know is equal."""
        return (
            self.failures == other.failures
            and _close(self.mtbf, other.mtbf)
            and _close(self.mttr, other.mttr)
            and (not self.by_node or not other.by_node or self.by_node == other.by_node)
        )


def _close(one: float, other: float) -> bool:
    return math.isnan(one) or math.isnan(other) or math.isclose(one, other, rel_tol=_CLOSE)


def truth_of(log: DrawnLog, *, planned: bool = False) -> Answer:
    """Return what a log of these outages must tell."""
    found = log.outages if planned else log.failures
    span = found[-1].start - found[0].start
    counts = Counter(outage.node for outage in found)
    return Answer(
        failures=len(found),
        mtbf=span / (len(found) - 1),
        mttr=float(np.mean([outage.end - outage.start for outage in found])),
        by_node=tuple(sorted(counts.values())),
    )


def answer_of(data: bytes, layout: str, **options: Any) -> Answer:
    """Return what `sim.traces.failure_log` makes of the bytes of a log."""
    return answer_of_log(failure_log(io.BytesIO(data), layout, **options))


def answer_of_log(log: FailureLog) -> Answer:
    """Return the answer of a log that was read; its rows must be accounted for."""
    rows = log.rows
    if rows["records"] != log.report.records:
        raise AssertionError(f"{log.report.records} records, of which {rows} are accounted for")
    if log.counted:
        found = log.uptimes()
        return Answer(found.failures, found.observed / max(found.failures, 1), math.nan, ())
    frame = log.failures
    found = log.uptimes(since=float(frame["time"].iloc[0]), until=float(frame["time"].iloc[-1]))
    names = Counter(str(node) for node in frame["node"].tolist())
    return Answer(
        failures=len(frame),
        mtbf=found.observed / found.failures,
        mttr=float(found.repairs.mean()) if found.repairs.size else math.nan,
        by_node=tuple(sorted(names.values())) if set(names) - {"-1", ""} else (),
    )


def answer_of_jobs(data: bytes, layout: str) -> Answer:
    """Return what a log of jobs tells: nodes lost, and the time of nodes for each."""
    trace = read_jobs(io.BytesIO(data), layout)
    found = uptimes_of_jobs(trace.frame)
    return Answer(found.failures, found.observed / max(found.failures, 1), math.nan, ())
