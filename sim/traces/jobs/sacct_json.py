"""Read what Slurm's ``sacct --json`` prints."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..machines.node_lists import nodes_in
from ..parsing.json_records import json_number, json_records
from ..parsing.numbers import LARGEST
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError, parsed_rows
from ..parsing.sources import Source, open_source
from .frame import attempts_frame, known_length
from .slurm_words import note_selection, state_of

_FLAGS = frozenset({"COMPLETING", "CONFIGURING", "STAGE_OUT", "SIGNALING", "RECONFIG_FAIL"})


def read_sacct_json(source: Source, *, strict: bool = False) -> Trace:
    """Read Slurm accounting records in JSON as jobs.

    Parameters
    ----------
    source : path or file object
        Output of ``sacct --allusers --duplicates --json``, of any version of Slurm; several
        outputs joined, the list of jobs alone, or one job a line.
    strict : bool
        Raise ValueError on the first malformed job instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` as `read_sacct` returns it, in the order of the file; times are Unix seconds.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`.

    Notes
    -----
    The steps inside of jobs are no jobs of their own. Numbers may be plain or say whether they
    are set. Nodes are `allocation_nodes`, else those in `tres.allocated` or in the list `nodes`.

    Rules. Dropped: `bad-json`, `bad-record`, `bad-time`, `empty`. Merged: `repeated` (the same
    job, submission, start, end and state). Repaired: `negative-wait`. Noted: `not-started`,
    `no-processors`, `only-failures` (asked for in a way that hides what an MTBF needs).
    """
    findings = Findings()
    content = open_source(source, findings)
    records = json_records(content, "jobs", findings, marks=("job_id", "time"))
    frame = attempts_frame(parsed_rows(records.found, partial(_rows, seen=set()), findings))
    note_selection(frame["state"].tolist(), frame["line"].to_numpy(), findings)
    return findings.trace(content.name, frame, records=records.count, of="job", strict=strict)


def _rows(
    entry: Any, line: int, findings: Findings, *, seen: set[tuple[Any, ...]]
) -> list[dict[str, Any]]:
    if not isinstance(entry, dict):
        raise LineError("bad-record", f"a job must be an object, got {str(entry)[:60]}")
    identity = _whole(entry.get("job_id"))
    if identity is None:
        raise LineError("bad-record", f"job_id is {str(entry.get('job_id'))[:60]}, not a number")
    times = _part(entry, "time")
    submit, start = _instant(times, "submission"), _instant(times, "start")
    end = _instant(times, "end")
    name = _name(identity, _part(entry, "array"))
    if submit is None:
        raise LineError("bad-time", f"{name} has no time of submission")
    if start is None:
        findings.add("noted", line, "not-started", f"{name} never started")
    wait = -1.0
    if start is not None:
        wait = known_length("wait", start - submit, name, line, findings)
    nodes, processors = _size(entry)
    if processors is None and nodes is None:
        findings.add("noted", line, "no-processors", f"{name} has an unknown size")
    size = nodes if processors is None else processors
    required, limit = _part(entry, "required"), json_number(times.get("limit"))
    owner = _part(entry, "association")
    row = {
        "job": identity,
        "submit": submit,
        "wait": wait,
        "runtime": _runtime(times, start, end),
        "processors": -1 if size is None else size,
        "requested_processors": _whole(required.get("CPUs")) or -1,
        "walltime": -1.0 if limit is None or limit <= 0.0 else 60.0 * limit,
        "requested_memory": _memory(required, nodes, processors),
        "nodes": -1 if nodes is None else nodes,
        "job_id": name,
        "state": _state(entry),
        "user_name": _text(entry.get("user"), owner.get("user")),
        "account": _text(entry.get("account"), owner.get("account")),
        "partition_name": _text(entry.get("partition"), owner.get("partition")),
    }
    told = (identity, submit, wait, end, row["state"])
    if told in seen:
        findings.add("merged", line, "repeated", f"{name} came before")
        return []
    seen.add(told)
    return [row]


def _name(identity: int, array: dict[str, Any]) -> str:
    parent, task = _whole(array.get("job_id")), _whole(array.get("task_id"))
    return f"{parent}_{task}" if parent and task is not None else str(identity)


def _size(entry: dict[str, Any]) -> tuple[int | None, int | None]:
    """Return nodes and processors, None where unknown."""
    allocated = _part(entry, "tres").get("allocated")
    counts: dict[str, int | None] = {}
    for one in allocated if isinstance(allocated, list) else ():
        if isinstance(one, dict):
            counts.setdefault(str(one.get("type")), _whole(one.get("count")))
    nodes = _whole(entry.get("allocation_nodes")) or counts.get("node")
    listed = entry.get("nodes")
    nodes = nodes or (nodes_in(listed) if isinstance(listed, str) else None)
    processors = counts.get("cpu")
    if not processors and nodes:
        processors = _whole(_part(entry, "required").get("CPUs"))
    return nodes or None, processors or None


def _runtime(times: dict[str, Any], start: float | None, end: float | None) -> float:
    elapsed = json_number(times.get("elapsed"))
    if elapsed is not None and elapsed >= 0.0:
        return elapsed
    return -1.0 if start is None or end is None or end < start else end - start


def _memory(required: dict[str, Any], nodes: int | None, processors: int | None) -> float:
    """Return the requested memory per processor, [KB]; -1 for none or unknown. It is in MB."""
    of_processor = json_number(required.get("memory_per_cpu"))
    if of_processor is not None and of_processor > 0.0:
        return 1024.0 * of_processor
    of_node = json_number(required.get("memory_per_node"))
    if of_node is None or of_node <= 0.0 or not nodes or not processors:
        return -1.0
    return 1024.0 * of_node * nodes / processors


def _state(entry: dict[str, Any]) -> str:
    """Return the state without flags; versions before 23.02 have one word, later ones a list."""
    given = entry.get("state", "")
    said = given.get("current", "") if isinstance(given, dict) else given
    words = [str(word) for word in (said if isinstance(said, list) else [said])]
    states = [word for word in words if word not in _FLAGS]
    return state_of((states or words or [""])[0])[:60]


def _part(entry: dict[str, Any], name: str) -> dict[str, Any]:
    part = entry.get(name)
    return part if isinstance(part, dict) else {}


def _text(*values: Any) -> str:
    return next((value for value in values if isinstance(value, str) and value), "")


def _whole(value: Any) -> int | None:
    number = json_number(value)
    if number is None or not number.is_integer() or not 0.0 <= number <= LARGEST:
        return None
    return int(number)


def _instant(times: dict[str, Any], name: str) -> float | None:
    number = json_number(times.get(name))
    return number if number is not None and number > 0.0 else None
