"""Read the accounting records of PBS: Torque, OpenPBS and PBS Professional."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..parsing.numbers import LARGEST, whole
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError, parsed_rows, written_lines
from ..parsing.sources import Source, open_source
from ..parsing.times import wall_clock
from .frame import attempts_frame, job_number, known_length

_RECORD = re.compile(
    r"([0-9]{2})/([0-9]{2})/([0-9]{4}) ([0-9]{2}:[0-9]{2}:[0-9]{2});([A-Za-z]{1,2});([^;]*+);(.*+)"
)
_FIELD = re.compile(r'(?<!\S)([A-Za-z_][\w.]*+)=("[^"]*+"|\S*+)')
_CLOCK = re.compile(r"([0-9]{1,9}):([0-9]{1,2}):([0-9]{1,2})")
_MEMORY = re.compile(r"([0-9]{1,15})([kmgtp]?)([bw])", re.IGNORECASE)
_KIBIBYTES = {"": 1.0 / 1024.0, "k": 1.0, "m": 1024.0, "g": 1024.0**2, "t": 1024.0**3}
_TOLD = {"Q": "queued", "D": "deleted"}  # of jobs whose end another record tells
# Only PBS Professional and OpenPBS write these.
_PROFESSIONAL = ("run_count", "project", "Resource_List.select", "exec_vnode")

# The daemon of a node began anew, or could not be reached.
_NODE_FAIL = dict.fromkeys((-4, -5, -6), "NODE_FAIL")
_TORQUE = {
    **_NODE_FAIL,
    **dict.fromkeys((-3, -13, -14), "REQUEUED"),
    **dict.fromkeys((-11, -12), "TIMEOUT"),
    -10: "OUT_OF_MEMORY",
}
_OPENPBS = {
    **_NODE_FAIL,
    **dict.fromkeys((-14, -20, -32), "NODE_FAIL"),
    **dict.fromkeys((-3, -11, -12, -15, -16, -18), "REQUEUED"),
    **dict.fromkeys((-26, -27, -31), "OUT_OF_MEMORY"),
    **dict.fromkeys((-28, -29), "TIMEOUT"),
}
_KILLED = frozenset({256 + 15, 256 + 9, 128 + 15, 128 + 9})  # by SIGTERM or SIGKILL
_DELETED = 256 + 15


@dataclass(frozen=True, slots=True)
class _Record:
    """One line: when it was written, by the clock of the server, and its fields."""

    kind: str
    job: str
    fields: Mapping[str, str]
    written: float
    line: int

    @property
    def submitted(self) -> float | None:
        """When the job was created, or queued, [s]."""
        times = (self.epoch(name) for name in ("ctime", "qtime", "etime"))
        return next((time for time in times if time is not None), None)

    def epoch(self, name: str) -> float | None:
        """Return a time in Unix seconds, if it is one."""
        number = whole(self.fields.get(name, ""))
        return float(number) if number is not None and number > 0 else None

    def seconds(self, name: str) -> float | None:
        """Return a duration, written as ``hours:minutes:seconds`` or in seconds."""
        text = self.fields.get(name, "")
        clock = _CLOCK.fullmatch(text)
        if clock is not None:
            return 3600.0 * int(clock[1]) + 60.0 * int(clock[2]) + int(clock[3])
        number = whole(text)
        return float(number) if number is not None and number >= 0 else None


@dataclass(slots=True)
class _Log:
    """What earlier records told of each job."""

    started: dict[str, _Record] = field(default_factory=dict)
    requeued: dict[str, float] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    told: set[tuple[Any, ...]] = field(default_factory=set)
    shift: float | None = None  # of the clock of the records against UTC, [s]


def read_pbs(source: Source, *, strict: bool = False) -> Trace:
    """Read accounting records of PBS as jobs.

    Parameters
    ----------
    source : path or file object
        ``server_priv/accounting`` of Torque, OpenPBS or PBS Professional, several days joined.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has one row per attempt that ended (records E and R), in the order of the log,
        with the columns of `read_sacct`: times in Unix seconds; `processors` are the slots in
        `exec_host`, or `Resource_List.ncpus` where that is more; `nodes` the hosts in it;
        `state` in Slurm's words.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`.

    Notes
    -----
    States. Exit status 0 is COMPLETED; -4 to -6 (aborted because the daemon of the node began
    anew), and in OpenPBS -14, -20 and -32 (the node could not be reached), NODE_FAIL; limits of
    time TIMEOUT, of memory OUT_OF_MEMORY; a signal at the walltime TIMEOUT, else of a job that
    was deleted, or 271, CANCELLED; a record R, and codes that ask for another attempt, REQUEUED;
    all others FAILED. Codes from -10 on differ between Torque and OpenPBS: fields that only
    OpenPBS writes decide. An attempt after R counts as submitted when it was requeued.

    Rules. Dropped: `not-a-record`, `no-start` (an end whose start is not known), `bad-time`,
    `empty`. Merged: `queued`, `started`, `deleted` (told by the end of the job), `repeated`.
    Skipped: `not-finished` (started, without an end in this log), `array` (the record of a whole
    array), `other-record`. Repaired: `negative-wait`, `negative-runtime`. Noted: `no-processors`.
    """
    findings = Findings()
    content = open_source(source, findings)
    log, lines = _Log(), written_lines(content, findings)
    rows = list(parsed_rows(lines, partial(_rows, log=log), findings))
    for job, record in log.started.items():
        findings.add("skipped", record.line, "not-finished", f"{job} has no end in this log")
    return findings.trace(content.name, attempts_frame(rows), strict=strict)


def _rows(line: str, number: int, findings: Findings, *, log: _Log) -> list[dict[str, Any]]:
    found = _RECORD.fullmatch(line.strip())
    if found is None:
        raise LineError("not-a-record", f"{line[:60]!r} is not month/day/year time;kind;job;fields")
    month, day, year, clock, kind, job, message = found.groups()
    try:
        written = wall_clock(f"{year}-{month}-{day}T{clock}")
    except ValueError as error:
        raise LineError("bad-time", str(error)) from None
    fields = {name: value.strip('"') for name, value in _FIELD.findall(message)}
    record = _Record(kind, job, fields, written, number)
    if kind not in ("Q", "S", "E", "R", "D"):
        findings.add("skipped", number, "other-record", f"a record {kind} of {job}")
    elif "[]" in job:
        findings.add("skipped", number, "array", f"{job} is an array, its jobs have own records")
    elif kind in ("E", "R"):
        return _attempt(record, log, findings)
    elif kind == "S":
        if (earlier := log.started.get(job)) is not None:
            findings.add("merged", earlier.line, "started", f"{job} was started again")
        log.started[job] = record
        if (start := record.epoch("start")) is not None:
            log.shift = _shift(written, start)
    else:
        log.deleted.update({job} if kind == "D" else ())
        findings.add("merged", number, _TOLD[kind], f"{job} was {_TOLD[kind]}")
    return []


def _attempt(record: _Record, log: _Log, findings: Findings) -> list[dict[str, Any]]:
    job, number = record.job, record.line
    begun = log.started.pop(job, None)
    if begun is not None:
        findings.add("merged", begun.line, "started", f"{job} was started")
    start, end = record.epoch("start"), record.epoch("end")
    if start is None and begun is not None:
        start = begun.epoch("start")
    told = (record.kind, job, start, record.written if end is None else end)
    if told in log.told:
        findings.add("merged", number, "repeated", f"the end of {job} came before")
        return []
    log.told.add(told)
    end = _end(record, start, log)
    if start is None or end is None:
        raise LineError("no-start", f"{job} ended, but its start is not known")
    submit = log.requeued.pop(job, None) or record.submitted or start
    runtime = known_length("runtime", end - start, job, number, findings)
    wait = known_length("wait", start - submit, job, number, findings)
    if record.kind == "R":
        log.requeued[job] = end
    processors, nodes = _size(record.fields)
    if processors <= 0 and nodes <= 0:
        findings.add("noted", number, "no-processors", f"{job} has an unknown size")
    size = processors if processors > 0 else nodes
    limit = record.seconds("Resource_List.walltime")
    row = {
        "job": job_number(job, number),
        "submit": submit,
        "wait": wait,
        "runtime": runtime,
        "processors": size,
        "walltime": -1.0 if limit is None else limit,
        "requested_memory": _memory(record.fields, size),
        "nodes": nodes,
        "job_id": job,
        "state": _state(
            record, deleted=job in log.deleted, overrun=0.0 < (limit or 0.0) <= runtime
        ),
        "user_name": record.fields.get("user", ""),
        "account": record.fields.get("account", record.fields.get("group", "")),
        "partition_name": record.fields.get("queue", ""),
    }
    return [row]


def _end(record: _Record, start: float | None, log: _Log) -> float | None:
    """Return when an attempt ended: as logged, by what it used, or when the record was written."""
    end, used = record.epoch("end"), record.seconds("resources_used.walltime")
    if end is not None:
        log.shift = _shift(record.written, end)
        return end
    if start is not None and used is not None:
        return start + used
    return None if log.shift is None else record.written - log.shift


def _state(record: _Record, *, deleted: bool, overrun: bool) -> str:
    fields = record.fields
    status = whole(fields.get("Exit_status", fields.get("exit_status", "")))
    openpbs = any(name in fields for name in _PROFESSIONAL)
    if status is not None and status < 0:
        state = (_OPENPBS if openpbs else _TORQUE).get(status, "FAILED")
    elif status in _KILLED and overrun:
        state = "TIMEOUT"
    elif status == _DELETED or (status != 0 and deleted):
        state = "CANCELLED"
    else:
        state = "COMPLETED" if status == 0 else "FAILED"
    return "REQUEUED" if record.kind == "R" and state != "NODE_FAIL" else state


def _size(fields: Mapping[str, str]) -> tuple[int, int]:
    """Return processors and nodes, -1 where unknown."""
    hosts, slots = _hosts(fields.get("exec_host", ""))
    counts = (slots, _count(fields, "total_execution_slots"), _count(fields, "Resource_List.ncpus"))
    nodes = (hosts, _count(fields, "unique_node_count"), _count(fields, "Resource_List.nodect"))
    return max(counts), next((number for number in nodes if number > 0), -1)


def _hosts(text: str) -> tuple[int, int]:
    """Return hosts and slots of ``n1/0*64+n2/0-3``: a number of slots, or a list of them."""
    names, slots = set(), 0
    for piece in filter(None, text.split("+")):
        name, _, places = piece.partition("/")
        names.add(name)
        listed, _, times = places.partition("*")
        if times:
            slots += whole(times) or 0
        else:
            slots += sum(_span(part) for part in listed.split(","))
    return (len(names), min(slots, LARGEST)) if names else (-1, -1)


def _span(part: str) -> int:
    first, dash, last = part.partition("-")
    low, high = whole(first), whole(last)
    return max(high - low + 1, 0) if dash and low is not None and high is not None else 1


def _count(fields: Mapping[str, str], name: str) -> int:
    number = whole(fields.get(name, ""))
    return number if number is not None and number > 0 else -1


def _memory(fields: Mapping[str, str], processors: int) -> float:
    """Return the requested memory per processor, [KB]; -1 where unknown."""
    found = _MEMORY.fullmatch(fields.get("Resource_List.mem", ""))
    if found is None or processors <= 0 or found[2].lower() not in _KIBIBYTES:
        return -1.0
    words = 8.0 if found[3].lower() == "w" else 1.0
    return words * float(found[1]) * _KIBIBYTES[found[2].lower()] / processors or -1.0


def _shift(written: float, unix: float) -> float:
    """Return how far the clock of the records is ahead of UTC, in quarters of an hour, [s]."""
    return 900.0 * round((written - unix) / 900.0)
