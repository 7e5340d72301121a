"""Server faults of an LLM training cluster, published with InfiniteHBD (SIGCOMM 2025)."""

from __future__ import annotations

import json
import math
from collections import defaultdict, deque
from typing import Any

from .failures import COLUMNS, failure_frame, select
from .report import Findings, Trace
from .sources import Content, Source, open_source
from .times import Instant

__all__ = ["read_infinitehbd"]

_DAY = 86_400.0
_MORE = ("fault", "description")


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
    node : str or several, optional
        Keep these servers only.
    since, until : seconds, optional
        Keep faults that start in [since, until), from the origin of the log.
    strict : bool
        Raise ValueError on the first malformed record instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has one row per fault, in the order of the log: `time` [s from the origin],
        `node`, `repair` [s] (to the end of the fault; nan where it never ends), `system`
        (``infinitehbd``), `cause` (level), `line`, `fault` (class), `description`.

    Raises
    ------
    ValueError
        If a selection is not in the log or its window is empty; with `strict`, at the first
        malformed record.
    TypeError
        If `source` is neither a path nor a file object, or an end of the window no time.

    Notes
    -----
    Rules. Dropped: `bad-json` (the rest of the file), `bad-record`, `end-without-start`, `empty`.
    Noted: `already-open` (the same fault of the server has not ended yet; ends go to starts in
    order), `never-ends`.
    """
    findings = Findings()
    content = open_source(source, findings)
    columns: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, *_MORE)}
    opened: dict[tuple[str, ...], deque[int]] = defaultdict(deque)
    records = 0
    for line, entry in _entries(content, findings):
        records += 1
        try:
            if not isinstance(entry, dict) or not isinstance(entry.get("fault_type", {}), dict):
                raise TypeError(f"its fields: it is {str(entry)[:60]}")
            server, kind = str(entry["node_id"]), entry["event_type"]
            time = float(entry["event_time"]) * _DAY
            fault = tuple(str(entry["fault_type"][key]) for key in ("Level", "Class", "Desc"))
            if kind not in ("fault_start", "fault_end") or not math.isfinite(time):
                raise ValueError(f"{kind} at {time}")
        except (KeyError, TypeError, ValueError) as error:
            findings.add("dropped", line, "bad-record", f"the record lacks or spoils {error}")
            continue
        waiting = opened[server, *fault]
        if kind == "fault_end":
            if waiting:
                row = waiting.popleft()
                columns["repair"][row] = time - columns["time"][row]
            else:
                findings.add("dropped", line, "end-without-start", "no such fault is open")
            continue
        if waiting:
            findings.add("noted", line, "already-open", "the same fault is open already")
        waiting.append(len(columns["time"]))
        values = (time, server, math.nan, "infinitehbd", fault[0], line, fault[1], fault[2])
        for name, value in zip(columns, values, strict=True):
            columns[name].append(value)
    for row in sorted(row for rows in opened.values() for row in rows):
        findings.add("noted", columns["line"][row], "never-ends", "the fault never ends")
    if records == 0:
        findings.add("dropped", 1, "empty", "the file holds no record")
    frame = select(failure_frame(**columns), {"node": node}, since=since, until=until)
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _entries(content: Content, findings: Findings) -> list[tuple[int, Any]]:
    """Return (line, object) of each element of the list, as far as it is JSON."""
    text = content.data.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    found: list[tuple[int, Any]] = []
    place, line = text.find("[") + 1, 1
    line += text.count("\n", 0, place)
    while True:
        start = place
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        line += text.count("\n", start, place)
        if place == len(text) or text[place] == "]":
            if text.strip() and not text.rstrip().endswith("]"):
                findings.add("dropped", line, "bad-json", "the list does not end")
            return found
        try:
            entry, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            findings.add("dropped", error.lineno, "bad-json", f"not JSON from here on: {error.msg}")
            return found
        found.append((line, entry))
        line += text.count("\n", place, end)
        place = end
