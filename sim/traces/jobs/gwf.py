"""Read job logs in the Grid Workloads Format of the Grid Workloads Archive."""

from __future__ import annotations

import math
from typing import Any

from ..parsing.numbers import finite, numbered, whole
from ..parsing.report import Findings, Trace
from ..parsing.rows import written_lines
from ..parsing.sources import Source, open_source
from .frame import job_frame
from .swf_dialects import SWF_COLUMNS

# The 29 fields in their order: numbers, named as `read_swf` names them, then texts.
_NUMBERS = SWF_COLUMNS[: SWF_COLUMNS.index("user")]
# Text in GWF, numbers in SWF: each also gets a number in order of appearance.
_NAMES = ("user", "group", "executable", "queue", "partition")
_TEXT = (
    *("user_name", "group_name", "executable_name", "queue_name", "partition_name"),
    *("submission_site", "execution_site", "job_structure", "job_structure_parameters"),
    *("used_network", "used_local_disk", "used_resources", "requested_platform"),
    *("requested_network", "requested_local_disk", "requested_resources", "virtual_organization"),
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
        ``frame`` has the columns of `read_swf`, in the order of the log and with -1 for what is
        missing; `user`, `group`, `executable`, `queue` and `partition`, which are text here, are
        numbered in order of appearance. Then the 18 text columns of `GWF_COLUMNS` as they stand
        (``"-1"`` where missing) and `line`.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `not-whole`, `empty`. Repaired: `negative`
    (below 0, and not -1; it becomes -1, unknown). Kept: `duplicate-job`, `unsorted`. The
    archive's own logs list jobs that never ran: their wait and runtime are -1.
    """
    findings = Findings()
    content = open_source(source, findings)
    columns: dict[str, list[Any]] = {name: [] for name in (*GWF_COLUMNS, "line")}
    records, seen, last = 0, set(), -math.inf
    for number, line in written_lines(content, findings):
        if line.lstrip().startswith("#"):
            continue
        records += 1
        fields = line.split("\t") if line.count("\t") >= 28 else line.split()
        problem, values = _numbers(fields)
        if problem is not None:
            findings.add("dropped", number, *problem)
            continue
        for name, value in zip(_NUMBERS, values, strict=True):
            columns[name].append(-1.0 if value < 0.0 else value)
            if value < 0.0 and value != -1.0:
                findings.add("repaired", number, "negative", f"{name} is {value:.17g}: unknown")
        for name, text in zip(_TEXT, fields[len(_NUMBERS) :], strict=True):
            columns[name].append(text.strip())
        columns["line"].append(number)
        job, submit = columns["job"][-1], columns["submit"][-1]
        if job in seen:
            findings.add("kept", number, "duplicate-job", f"job {job:.0f} came before")
        if submit < last:
            reason = f"submit {submit:.17g} comes after {last:.17g}"
            findings.add("kept", number, "unsorted", reason)
        seen.add(job)
        last = submit
    frame = job_frame(columns | {name: numbered(columns[f"{name}_name"]) for name in _NAMES})
    return findings.trace(content.name, frame, records=records, of="job", strict=strict)


def _numbers(fields: list[str]) -> tuple[tuple[str, str] | None, list[float]]:
    """Return the rule a row breaks, if it does, and its numeric columns."""
    if len(fields) != len(GWF_COLUMNS):
        return ("wrong-columns", f"{len(fields)} columns instead of {len(GWF_COLUMNS)}"), []
    values = []
    for name, text in zip(_NUMBERS, fields, strict=False):
        value = finite(text)
        if value is None:
            return ("not-a-number", f"{name} is {text!r}, not a number"), []
        if name in _WHOLE and whole(text) is None:
            return ("not-whole", f"{name} is {text!r}, not a whole number"), []
        values.append(value)
    return None, values
