"""Server faults of an LLM training cluster, published with InfiniteHBD (SIGCOMM 2025)."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from typing import Any

import numpy as np

from ..parsing.json_records import json_list
from ..parsing.numbers import finite
from ..parsing.report import Findings, Trace
from ..parsing.sources import Source, open_source
from ..parsing.times import Instant
from .rows import selected_rows

_DAY = 86_400.0


def read_infinitehbd(
    source: Source,
    *,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read a JSON list of fault starts and ends, and pair them.

    Parameters
    ----------
    source : path or file object
        Objects with `node_id`, `event_time` (days), `event_type` and `fault_type`.
    node, since, until, strict
        As of `read_failures`; a node is a server, the window in seconds from the origin of the log.

    Returns
    -------
    Trace
        ``frame`` has one row per fault, in the order of the log: `time` [s from the origin],
        `node`, `repair` [s] (to the end of the fault; nan where it never ends), `system`
        (``infinitehbd``), `cause` (level), `line`, `fault` (class), `description`.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`.

    Notes
    -----
    Rules. Dropped: `bad-json` (up to the next record, or all that stands outside the list),
    `bad-record`, `end-without-start`, `empty`. Repaired: `negative-repair` (repair becomes nan).
    Merged: `fault-end`. Noted: `already-open` (the same fault of the server has not ended yet; ends
    go to starts in order), `never-ends`.
    """
    findings = Findings()
    content = open_source(source, findings)
    rows: list[list[Any]] = []
    opened: dict[tuple[str, ...], deque[list[Any]]] = defaultdict(deque)
    records = 0
    ends = []
    seen = set[tuple[Any, ...]]()
    for line, entry in json_list(content, findings):
        records += 1
        try:
            server, kind, time, fault = _record(entry)
        except (KeyError, TypeError, ValueError) as error:
            findings.add("dropped", line, "bad-record", f"the record lacks or spoils {error}")
            continue
        if (server, kind, time, fault) in seen:
            findings.add("merged", line, "repeated", "the same event again")
            continue
        seen.add((server, kind, time, fault))
        waiting = opened[server, *fault]
        if kind == "fault_end":
            if waiting:
                ends.append(line)
                row = waiting.popleft()
                row[2] = _repair(row[0], time, line, findings)
            else:
                findings.add("dropped", line, "end-without-start", "no such fault is open")
            continue
        if waiting:
            findings.add("noted", line, "already-open", "the same fault is open already")
        rows.append([time, server, math.nan, "infinitehbd", fault[0], line, *fault[1:]])
        waiting.append(rows[-1])
    for line in sorted(row[5] for waiting in opened.values() for row in waiting):
        findings.add("noted", line, "never-ends", "the fault never ends")
    reason = "the end of a fault, in the row of its start"
    findings.add_lines("merged", np.array(ends, dtype=np.int64), "fault-end", reason)
    frame = selected_rows(
        rows, "fault", "description", chosen={"node": node}, since=since, until=until
    )
    return findings.trace(content.name, frame, records=records, strict=strict, shared=True)


def _record(entry: Any) -> tuple[str, str, float, tuple[str, ...]]:
    """Return server, kind of event, time [s] and fault, or raise naming what is wrong."""
    if not isinstance(entry, dict) or not isinstance(entry.get("fault_type", {}), dict):
        raise TypeError(f"its fields: it is {str(entry)[:60]}")
    server, kind, days = entry["node_id"], entry["event_type"], entry["event_time"]
    fault = [entry["fault_type"][key] for key in ("Level", "Class", "Desc")]
    for name in (server, *fault):
        if isinstance(name, bool) or not isinstance(name, str | int | float):
            raise TypeError(f"a name: it is {str(name)[:60]}")
    number = finite(days) if isinstance(days, str) else days
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise TypeError(f"event_time: it is {str(days)[:60]}")
    time = number * _DAY
    if kind not in ("fault_start", "fault_end") or not 0.0 <= time < math.inf:
        raise ValueError(f"{str(kind)[:60]} at {time}")
    return str(server), kind, time, tuple(map(str, fault))


def _repair(start: float, end: float, line: int, findings: Findings) -> float:
    if end < start:
        reason = f"the fault ends {(start - end) / _DAY:g} days before its start: repair unknown"
        findings.add("repaired", line, "negative-repair", reason)
        return math.nan
    return end - start
