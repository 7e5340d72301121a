"""The job logs of MetaCentrum, as the Alea simulator uses them."""

from __future__ import annotations

from typing import Any

from ..parsing.metacentrum import _count, _read_table, _whole
from ..parsing.numbers import numbered
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError
from ..parsing.sources import Source, open_source
from .frame import job_frame

_JOB_NUMBERS = ("job", "submit", "wait", "runtime", "processors", "memory", "status")


_JOB_TEXT = ("user_name", "queue_name", "unknown_4", "unknown_13", "unknown_14")


def read_mwf(source: Source, *, strict: bool = False) -> Trace:
    """Read jobs in the ``.mwf`` layout of MetaCentrum, with what each requires of a node.

    Parameters
    ----------
    source : path or file object
        Tab separated, 14 columns.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has the columns of `read_swf`, in the order of the log and with -1 for what is
        missing: `submit` [s, Unix], `wait` (start - submit), `status` (exit code), `user` and
        `queue` numbered in order of appearance. Then `properties` (tuple), and as text
        `user_name`, `queue_name` and what is not documented: `unknown_4`, `unknown_13`,
        `unknown_14`.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `out-of-range` (job or submission below 0),
    `empty`. Repaired: `negative` (wait, runtime, CPUs or memory below 0 become -1, unknown).
    Kept: `runtime-differs` (from end - start).
    """

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        fields = line.rstrip("\r").split("\t")
        if len(fields) != 14:
            raise LineError("wrong-columns", f"{len(fields)} columns instead of 14")
        submit = _count("submit", fields[7], least=0)
        start, end, runtime = (
            _whole(name, fields[place])
            for name, place in (("start", 8), ("end", 9), ("runtime", 10))
        )
        if runtime != end - start:
            reason = f"runtime is {runtime}, end - start {end - start}"
            findings.add("kept", number, "runtime-differs", reason)
        known = {
            "wait": start - submit,
            "runtime": runtime,
            "processors": _whole("CPUs", fields[4]),
            "memory": _whole("memory", fields[6]),
        }
        job = {
            "job": _count("job", fields[0], least=0),
            "submit": submit,
            "status": _whole("exit", fields[11]),
            "properties": tuple(p for p in fields[5].strip("[]").split(",") if p),
        }
        for name, value in known.items():
            if value < 0:
                findings.add("repaired", number, "negative", f"{name} is {value}: unknown")
            job[name] = max(value, -1)
        text = (fields[1], fields[2], fields[3], fields[12], fields[13])
        return [job | dict(zip(_JOB_TEXT, text, strict=True))]

    findings = Findings()
    content = open_source(source, findings)
    table = _read_table(
        content, findings, parse, (*_JOB_NUMBERS, "properties", *_JOB_TEXT), strict=strict
    )
    columns = {name: table.frame[name].to_numpy() for name in table.frame.columns}
    for name in ("user", "queue"):
        columns[name] = numbered(table.frame[f"{name}_name"])
    return Trace(job_frame(columns), table.report)
