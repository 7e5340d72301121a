"""A table of lifetimes, as a log whose uptimes are fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from asking.refusals import Refused
from asking.units import human_duration
from sim.answers.logs.reports import report_lines
from sim.answers.logs.words import of_file, why_empty

from ..requests.fit import FitRequest
from .failures import Log
from .limits import limited

if TYPE_CHECKING:
    from sim.traces import Trace


def read_lifetimes_log(request: FitRequest) -> Log:
    """Read the lifetimes of nodes, of which none is named; refuse a table without any."""
    from sim.traces import Uptimes, read_lifetimes

    path = request.log
    with of_file(path):
        trace = read_lifetimes(
            limited(path),
            duration_column=request.duration_column,
            censored_column=request.censored_column,
            unit=request.unit,
            strict=request.strict,
        )
    durations = trace.frame["duration"].to_numpy(dtype=np.float64)
    censored = trace.frame["censored"].to_numpy(dtype=np.bool_)
    if not durations.sum() > 0.0:
        raise Refused("{} must hold lifetimes above 0, got {}", path.name, why_empty(trace.report))
    found = Uptimes(
        durations=durations,
        censored=censored,
        failures=int(np.sum(~censored)),
        observed=float(durations.sum()),
        repairs=np.array([]),
        counts={},
        truncation="time" if censored.any() else "failure",
    )
    notes = (_first(trace, found.failures, found.observed), *report_lines(trace.report)[1:])
    return Log("all of it", found, trace.report, notes, 1, None, 0, "lifetimes")


def _first(trace: Trace, ended: int, observed: float) -> str:
    report = trace.report
    return (
        f"{report.source}: {report.rows:,} of {report.records:,} lifetimes, {ended:,} ended and "
        f"{report.rows - ended:,} cut off, {human_duration(observed)} together; {trace.understood}"
    )
