"""Read job logs in the Grid Workloads Format of the Grid Workloads Archive."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .report import Findings, Trace
from .sources import Source, open_source, text_lines

__all__ = ["GWF_COLUMNS", "read_gwf"]

# The 29 fields in their order; those shared with SWF have the names `read_swf` gives them.
_NUMBERS = (
    "job",
    "submit",
    "wait",
    "runtime",
    "processors",
    "average_cpu",
    "memory",
    "requested_processors",
    "walltime",
    "requested_memory",
    "status",
)
_TEXT = (
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "submission_site",
    "execution_site",
    "job_structure",
    "job_structure_parameters",
    "used_network",
    "used_local_disk",
    "used_resources",
    "requested_platform",
    "requested_network",
    "requested_local_disk",
    "requested_resources",
    "virtual_organization",
    "project",
)
GWF_COLUMNS = _NUMBERS + _TEXT
_WHOLE = ("job", "processors", "requested_processors", "status")


def read_gwf(source: Source, *, strict: bool = False) -> Trace:
    """Read a grid job log.

    Parameters
    ----------
    source : path or file object
        29 columns separated by tabs or blanks; ``#`` starts a comment.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the log and with -1 for what is missing: float64 `submit`,
        `wait`, `runtime`, `average_cpu`, `walltime` [s], `memory`, `requested_memory` [KB];
        int64 `job`, `processors`, `requested_processors`, `status` (1 done, 0 failed, 5
        cancelled); the other 18 columns as text (``"-1"`` where missing); `line`.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `not-whole`, `empty`. Kept: `negative`,
    `duplicate-job`, `unsorted`. The archive's own logs list jobs that never ran: their wait and
    runtime are -1.
    """
    import pandas as pd

    findings = Findings()
    content = open_source(source, findings)
    columns: dict[str, list[Any]] = {name: [] for name in (*GWF_COLUMNS, "line")}
    records, seen, last = 0, set(), -math.inf
    for number, line in enumerate(text_lines(content, findings), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        records += 1
        fields = line.split("\t") if line.count("\t") >= 28 else line.split()
        problem, values = _numbers(fields)
        if problem is not None:
            findings.add("dropped", number, *problem)
            continue
        for name, value in zip(_NUMBERS, values, strict=True):
            columns[name].append(value)
            if value < 0.0 and value != -1.0:
                findings.add("kept", number, "negative", f"{name} is {value:.17g}")
        for name, text in zip(_TEXT, fields[len(_NUMBERS) :], strict=True):
            columns[name].append(text.strip())
        columns["line"].append(number)
        job, submit = values[0], values[1]
        if job in seen:
            findings.add("kept", number, "duplicate-job", f"job {job:.0f} came before")
        if submit < last:
            reason = f"submit {submit:.17g} comes after {last:.17g}"
            findings.add("kept", number, "unsorted", reason)
        seen.add(job)
        last = submit
    if records == 0:
        findings.add("dropped", 1, "empty", "the file holds no job")
    kinds = dict.fromkeys(_NUMBERS, "float64") | dict.fromkeys((*_WHOLE, "line"), "int64")
    frame = pd.DataFrame(
        {name: np.array(values, dtype=kinds.get(name, "O")) for name, values in columns.items()}
    )
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _numbers(fields: list[str]) -> tuple[tuple[str, str] | None, list[float]]:
    """Return the rule a row breaks, if it does, and its numeric columns."""
    if len(fields) != len(GWF_COLUMNS):
        return ("wrong-columns", f"{len(fields)} columns instead of {len(GWF_COLUMNS)}"), []
    values = []
    for name, text in zip(_NUMBERS, fields, strict=False):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            return ("not-a-number", f"{name} is {text!r}, not a number"), []
        if name in _WHOLE and not value.is_integer():
            return ("not-whole", f"{name} is {text!r}, not a whole number"), []
        values.append(value)
    return None, values
