"""Server faults of an LLM training cluster, published with InfiniteHBD (SIGCOMM 2025)."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict, deque
from typing import Any

from ..parsing.numbers import finite
from ..parsing.report import Findings, Trace
from ..parsing.sources import Content, Source, open_source
from ..parsing.times import Instant
from .frame import COLUMNS, failure_frame, select

__all__ = ["read_infinitehbd"]

_DAY = 86_400.0
_MORE = ("fault", "description")
# Where another record may begin, to continue after one that is broken.
_NEXT = re.compile(r"[,}]\s*+(?=\{)")


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
    Rules. Dropped: `bad-json` (up to the next record, or all that stands outside the list),
    `bad-record`, `end-without-start`, `empty`. Repaired: `negative-repair` (repair becomes nan).
    Noted: `already-open` (the same fault of the server has not ended yet; ends go to starts in
    order), `never-ends`.
    """
    findings = Findings()
    content = open_source(source, findings)
    content.hold_json()
    columns: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, *_MORE)}
    opened: dict[tuple[str, ...], deque[int]] = defaultdict(deque)
    records = 0
    for line, entry in _entries(content, findings):
        records += 1
        try:
            server, kind, time, fault = _record(entry)
        except (KeyError, TypeError, ValueError) as error:
            findings.add("dropped", line, "bad-record", f"the record lacks or spoils {error}")
            continue
        waiting = opened[server, *fault]
        if kind == "fault_end":
            if waiting:
                row = waiting.popleft()
                columns["repair"][row] = _repair(columns["time"][row], time, line, findings)
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


def _entries(content: Content, findings: Findings) -> list[tuple[int, Any]]:
    """Return (line, object) of each element of the list, as far as it is JSON."""
    text = content.data.decode("utf-8-sig", "replace")
    decoder = json.JSONDecoder(parse_int=_figures)
    found: list[tuple[int, Any]] = []
    place = len(text) - len(text.lstrip())
    line = 1 + text.count("\n", 0, place)
    if text[place : place + 1] == "[":
        place += 1
    elif place < len(text):
        findings.add("dropped", line, "bad-json", "the file does not begin with a list")
    while True:
        start = place
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        line += text.count("\n", start, place)
        if place == len(text):
            if text.strip() and not text.rstrip().endswith("]"):
                findings.add("dropped", line, "bad-json", "the list does not end")
            return found
        if text[place] == "]":
            if text[place + 1 :].strip():
                reason = "the list has ended; what follows is left out"
                findings.add("dropped", line, "bad-json", reason)
            return found
        try:
            entry, end = decoder.raw_decode(text, place)
        except (json.JSONDecodeError, RecursionError) as error:
            broken = error.pos if isinstance(error, json.JSONDecodeError) else place
            words = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            following = _NEXT.search(text, broken)
            where = line + text.count("\n", place, broken)
            rest = "from here on" if following is None else "up to the next record"
            findings.add("dropped", where, "bad-json", f"not JSON {rest}: {words}")
            if following is None:
                return found
            end = following.end()
        else:
            found.append((line, entry))
        line += text.count("\n", place, end)
        place = end


def _figures(digits: str) -> int | float:
    """Return a whole number; one too long to be an event or a node becomes a float."""
    return int(digits) if len(digits) <= 18 else float(digits)
