"""Read what Slurm's ``sacct --parsable2`` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..failures.frame import LineError
from ..parsing.numbers import numbered, whole
from ..parsing.report import Findings, Trace
from ..parsing.sources import Source, open_source, text_lines
from ..parsing.times import wall_clock
from .frame import job_frame

__all__ = ["read_sacct"]

_NEVER = frozenset({"", "Unknown", "None", "N/A", "INVALID"})
_UNLIMITED = frozenset({*_NEVER, "UNLIMITED", "Partition_Limit"})
_DURATION = re.compile(r"(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,6})(\.[0-9]+)?")
# As in 64Gn (a node), 4000Mc (a CPU) or, of later versions, 64G (the whole job).
_MEMORY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMGTP]?)([cn]?)")
_KIBIBYTES = {"K": 1.0, "": 1024.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}
_SEPARATOR = re.compile(r"\s*\w+\s*([^\w\s]{1,8}|\t)")
_LONGEST = 50  # lines that one record may take
_STATUS = {"COMPLETED": 1, "CANCELLED": 5}
_UNFINISHED = frozenset({"PENDING", "RUNNING", "SUSPENDED", "REQUEUED", "RESIZING"})
_TEXT = ("job_id", "state", "user_name", "account", "partition_name")
_NUMBERS = (
    "job",
    "submit",
    "wait",
    "runtime",
    "processors",
    "requested_processors",
    "walltime",
    "requested_memory",
    "status",
    "nodes",
)


def read_sacct(source: Source, *, strict: bool = False) -> Trace:
    """Read Slurm accounting records as jobs.

    Parameters
    ----------
    source : path or file object
        Output of ``sacct --parsable2`` with its header line and any ``--delimiter``. Needed are a
        job id (`JobIDRaw` or `JobID`), `Submit`, a length (`ElapsedRaw`, `Elapsed`, or `Start` and
        `End`) and a size (`AllocCPUS`, `NCPUS` or `AllocNodes`, `NNodes`). Used where present:
        `ReqCPUS`, `ReqMem`, `TimelimitRaw` or `Timelimit`, `State`, `User`, `Account`,
        `Partition`.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has the columns of `read_swf` (-1 where unknown), in the order of the output:
        times in seconds, `submit` the cluster's wall clock read as if it were UTC; `processors`
        are CPUs, or nodes where no CPUs are listed; `status` 1 completed, 0 failed, 5 cancelled,
        -1 not finished; `user` and `partition` are numbered in order of appearance. Also
        `nodes` (-1 where unknown) and, as text, `job_id`, `state`, `user_name`, `account`,
        `partition_name`.

    Raises
    ------
    ValueError
        If the header lacks a column that is needed; with `strict`, at the first malformed line.
    TypeError
        If `source` is neither a path nor a file object.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `bad-time`, `not-a-number`, `empty`. Repaired, each to -1:
    `negative-wait`, `negative-runtime`, `no-request` (of 0 processors), `bad-memory` (not a size
    such as ``64Gn``, ``4000Mc`` or ``64G``: of a node, a CPU, the job). Skipped: `job-step`
    (``123.batch``). Noted: `line-break` (inside a field, which took several lines),
    `not-started` (pending, or cancelled before it ran; wait -1), `no-processors` (none of the
    columns has a number; -1).
    """
    findings = Findings()
    content = open_source(source, findings)
    lines = text_lines(content, findings)
    delimiter = _delimiter(lines)
    names = _header(lines, delimiter)
    rows, records = [], 0
    for number, line in _records(lines, delimiter, len(names), findings):
        records += 1
        fields = line.split(delimiter)
        try:
            if len(fields) != len(names):
                raise LineError("wrong-columns", f"{len(fields)} columns instead of {len(names)}")
            given = dict(zip(names, (field.strip() for field in fields), strict=True))
            row = _job(given, number, findings)
        except LineError as error:
            findings.add("dropped", number, error.rule, str(error))
            continue
        if row is not None:
            rows.append(row | {"line": number})
    if records == 0:
        findings.add("dropped", 1, "empty", "the file holds no job")
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in (*_NUMBERS, *_TEXT)}
    columns["nodes"] = np.array(columns["nodes"], dtype=np.int64)
    for name in ("user", "partition"):
        columns[name] = numbered(columns[f"{name}_name"])
    frame = job_frame(columns | {"line": [row["line"] for row in rows]})
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _delimiter(lines: list[str]) -> str:
    """Return what stands after the first name of the header: that of sacct's --delimiter."""
    found = _SEPARATOR.match(lines[0]) if lines else None
    return found[1] if found else "|"


def _records(
    lines: list[str], delimiter: str, columns: int, findings: Findings
) -> Iterator[tuple[int, str]]:
    """Yield number and text of each record; lines of a field with line breaks are joined."""
    counts = [line.count(delimiter) + 1 for line in lines]
    at = 1
    while at < len(lines):
        until = _end_of(counts, at, columns)
        line = "\n".join(lines[at:until])
        if line.strip():
            if until > at + 1:
                reason = f"a field has a line break: {until - at} lines joined"
                findings.add("noted", at + 1, "line-break", reason)
            yield at + 1, line
        at = until


def _end_of(counts: list[int], at: int, columns: int) -> int:
    """Return the line after a record that begins at a line; the next one if nothing fits."""
    got = counts[at]
    if 1 < got < columns:
        for until in range(at + 1, min(at + _LONGEST, len(counts))):
            if counts[until] == columns:
                break
            got += counts[until] - 1
            if got >= columns:
                return until + 1 if got == columns else at + 1
    return at + 1


def _header(lines: list[str], delimiter: str) -> list[str]:
    if not lines:
        return []
    names = [name.strip() for name in lines[0].split(delimiter)]
    needs = (
        ("JobIDRaw", "JobID"),
        ("Submit",),
        ("ElapsedRaw", "Elapsed", "End"),
        ("AllocCPUS", "NCPUS", "AllocNodes", "NNodes"),
    )
    for choice in needs:
        if not any(name in names for name in choice):
            raise ValueError(
                f"line 1: the header must name {' or '.join(choice)}, got {lines[0][:200]!r}"
            )
    return names


def _job(given: dict[str, str], number: int, findings: Findings) -> dict[str, Any] | None:
    identity = given.get("JobIDRaw") or given.get("JobID", "")
    if "." in identity:
        findings.add("skipped", number, "job-step", f"{identity} is a step of a job")
        return None
    digits = re.match(r"[0-9]{1,15}(?![0-9])", identity)
    if digits is None:
        raise LineError("not-a-number", f"job id {identity!r} is not a number")
    submit = _instant("Submit", given["Submit"])
    if submit is None or submit < 0.0:
        raise LineError("bad-time", f"Submit {given['Submit']!r} is not a date and time from 1970")
    start = _instant("Start", given.get("Start", ""))
    nodes = _count(given, "AllocNodes", "NNodes")
    processors = _count(given, "AllocCPUS", "NCPUS")
    requested = _count(given, "ReqCPUS")
    state = given.get("State", "").split(" ")[0].rstrip("+")
    runtime = _runtime(given, start)
    if start is None and "Start" in given:
        findings.add("noted", number, "not-started", f"{identity} never started")
    if processors is None and nodes is None:
        findings.add("noted", number, "no-processors", f"{identity} has an unknown size")
    if requested == 0:
        findings.add("repaired", number, "no-request", f"{identity} asks for 0 CPUs: unknown")
    wait = -1.0 if start is None else start - submit
    if start is not None and wait < 0.0:
        reason = f"{identity} started {-wait:g} s before it was submitted: wait unknown"
        findings.add("repaired", number, "negative-wait", reason)
        wait = -1.0
    if runtime is not None and runtime < 0.0:
        reason = f"{identity} ended {-runtime:g} s before it started: runtime unknown"
        findings.add("repaired", number, "negative-runtime", reason)
        runtime = None
    size = nodes if processors is None else processors
    return {
        "job": int(digits.group()),
        "submit": submit,
        "wait": wait,
        "runtime": -1.0 if runtime is None else runtime,
        "processors": -1 if size is None else size,
        "requested_processors": requested or -1,
        "walltime": _limit(given),
        "requested_memory": _memory(given, nodes, processors, number, findings),
        "status": -1 if state in _UNFINISHED or not state else _STATUS.get(state, 0),
        "nodes": -1 if nodes is None else nodes,
        "job_id": given.get("JobID", identity),
        "state": state,
        "user_name": given.get("User", ""),
        "account": given.get("Account", ""),
        "partition_name": given.get("Partition", ""),
    }


def _runtime(given: dict[str, str], start: float | None) -> float | None:
    if given.get("ElapsedRaw"):
        return float(_whole("ElapsedRaw", given["ElapsedRaw"]))
    if given.get("Elapsed"):
        return _duration("Elapsed", given["Elapsed"])
    end = _instant("End", given.get("End", ""))
    return None if start is None or end is None else end - start


def _limit(given: dict[str, str]) -> float:
    """Return the requested time, [s]; -1 for none."""
    raw, text = given.get("TimelimitRaw", ""), given.get("Timelimit", "")
    if raw not in _UNLIMITED:
        return 60.0 * _whole("TimelimitRaw", raw)
    return -1.0 if text in _UNLIMITED else _duration("Timelimit", text)


def _memory(
    given: dict[str, str],
    nodes: int | None,
    processors: int | None,
    number: int,
    findings: Findings,
) -> float:
    """Return the requested memory per processor, [KB]; -1 for none, 0 (a whole node) or unknown."""
    text = given.get("ReqMem", "")
    if text in _NEVER:
        return -1.0
    found = _MEMORY.fullmatch(text)
    if found is None:
        reason = f"ReqMem {text[:60]!r} is not a size such as 64Gn: unknown"
        findings.add("repaired", number, "bad-memory", reason)
        return -1.0
    amount = float(found[1]) * _KIBIBYTES[found[2]]
    if found[3] == "c":
        return amount or -1.0
    shares = nodes if found[3] == "n" else 1
    if not amount or not shares or not processors:
        return -1.0
    return amount * shares / processors


def _instant(name: str, text: str) -> float | None:
    if text in _NEVER:
        return None
    try:
        return wall_clock(text)
    except ValueError:
        raise LineError("bad-time", f"{name} {text!r} is not a date and time") from None


def _duration(name: str, text: str) -> float:
    """Return ``[days-][hours:]minutes:seconds`` in seconds."""
    matched = _DURATION.fullmatch(text)
    if matched is None:
        raise LineError("bad-time", f"{name} {text!r} is not a duration")
    days, hours, minutes, seconds = (int(part or 0) for part in matched.groups()[:4])
    return float(86_400 * days + 3_600 * hours + 60 * minutes + seconds)


def _count(given: dict[str, str], *names: str) -> int | None:
    for name in names:
        if given.get(name):
            return _whole(name, given[name])
    return None


def _whole(name: str, text: str) -> int:
    number = whole(text)
    if number is None or number < 0:
        raise LineError("not-a-number", f"{name} is {text!r}, not a whole number >= 0")
    return number
