"""Read the jobs of Microsoft's Philly clusters, ``cluster_job_log``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

from ..parsing.json_records import json_records
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError, parsed_rows
from ..parsing.sources import Source, open_source
from ..parsing.values import clock_of
from .frame import attempts_frame, job_number, known_length

_STATES = {"Pass": "COMPLETED", "Killed": "CANCELLED", "Failed": "FAILED"}


def read_philly(source: Source, *, strict: bool = False) -> Trace:
    """Read the jobs of Philly, an attempt a row.

    Parameters
    ----------
    source : path or file object
        JSON: a list of jobs with `jobid`, `submitted_time`, `status`, `user`, `vc` and `attempts`.
    strict : bool
        Raise ValueError on the first malformed job instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` as `read_job_table` returns it, in the order of the file; times are the wall
        clock read as if it were UTC, `processors` are GPUs. The last attempt of a job has its
        state, those before it are REQUEUED, and wait from the end of the one before.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`.

    Notes
    -----
    The log does not tell failures of nodes from others.

    Rules. Dropped: `bad-json`, `bad-record`, `bad-time`, `empty`. Skipped: `no-attempt` (of a job
    that never ran). Repaired: `negative-wait`. Noted: `no-length` (start or end of an attempt is
    missing; -1).
    """
    findings = Findings()
    content = open_source(source, findings)
    records = json_records(content, "jobs", findings, marks=("jobid", "attempts"))
    rows = parsed_rows(records.found, partial(_attempts, ordinals=count(1)), findings)
    frame = attempts_frame(rows, ("nodes", "gpus"))
    return findings.trace(content.name, frame, records=records.count, of="job", strict=strict)


def _attempts(
    entry: Any, line: int, findings: Findings, *, ordinals: Iterator[int]
) -> list[dict[str, Any]]:
    ordinal = next(ordinals)
    if not isinstance(entry, dict) or not isinstance(entry.get("attempts"), list):
        raise LineError("bad-record", f"a job must have attempts, got {str(entry)[:60]}")
    name = str(entry.get("jobid", ""))[:200]
    submit = _time(entry.get("submitted_time"))
    if submit is None:
        raise LineError("bad-time", f"{name}: {str(entry.get('submitted_time'))[:40]!r} is no time")
    attempts = [one for one in entry["attempts"] if isinstance(one, dict)]
    if not attempts:
        findings.add("skipped", line, "no-attempt", f"{name} never ran")
    status = str(entry.get("status", ""))
    rows = []
    for place, attempt in enumerate(attempts, start=1):
        start, end = _time(attempt.get("start_time")), _time(attempt.get("end_time"))
        last = place == len(attempts)
        state = _STATES.get(status, status.upper()[:60]) if last else "REQUEUED"
        length = -1.0 if start is None or end is None or end < start else end - start
        if length < 0.0:
            findings.add("noted", line, "no-length", f"attempt {place} of {name}")
        wait = -1.0
        if start is not None:
            wait = known_length("wait", start - submit, name, line, findings)
        nodes, gpus = _size(attempt.get("detail"))
        row = {"submit": submit, "wait": wait, "runtime": length, "state": state, "job_id": name}
        rows.append(
            row
            | {"job": job_number(name, ordinal)}
            | {"nodes": nodes, "gpus": gpus, "processors": gpus, "account": entry.get("vc", "")}
            | {"user_name": entry.get("user", ""), "partition_name": entry.get("vc", "")}
        )
        submit = end if end is not None else submit
    return rows


def _size(detail: Any) -> tuple[int, int]:
    """Return nodes and GPUs, -1 where unknown."""
    hosts = [one for one in detail if isinstance(one, dict)] if isinstance(detail, list) else []
    gpus = [one.get("gpus") for one in hosts]
    count = sum(len(one) for one in gpus if isinstance(one, list))
    return len({str(one.get("ip")) for one in hosts}) or -1, count or -1


def _time(value: Any) -> float | None:
    found = clock_of(value) if isinstance(value, str) else None
    return None if found is None else found[0]
