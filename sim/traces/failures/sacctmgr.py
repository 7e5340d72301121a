"""Read the events of nodes that Slurm's ``sacctmgr show event --parsable2`` prints."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..parsing.delimited import Column, Delimited, Shape, read_delimited
from ..parsing.report import Findings, FloatArray, Trace
from ..parsing.sources import Source, open_source
from ..parsing.times import Instant
from ..parsing.values import instants, localised, refuse_set_back
from .conditions import of_slurm
from .frame import each_node, failure_frame, select
from .outages import outage_numbers

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EVENTS_COMMAND", "MERGE_WITHIN", "events_frame", "read_sacctmgr"]

EVENTS_COMMAND = "sacctmgr show event all_clusters start=2020-01-01 --parsable2"
MERGE_WITHIN = 2.0  # s: older versions of Slurm end a state one second before the next begins

_LOOKED_AT = 1 << 12  # bytes in which a header is looked for
_NEEDED = ("NodeName", "TimeStart", "State")
_ALL = ("Cluster", "NodeName", "TimeStart", "TimeEnd", "State", "Reason", "User")
_TEXTS = {"node": "NodeName", "state": "State", "reason": "Reason", "system": "Cluster"}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T|[0-9]{9,10}$")
_NEVER = frozenset({"", "unknown", "none", "now", "0"})
_SHAPE = Shape(
    is_header=lambda names: not {"NodeName", "TimeStart", "TimeEnd"}.isdisjoint(names),
    free=("reason",),
    fits=lambda row: of_slurm(row.get("State", "")) != "in-service",
)


def is_event(line: str) -> bool:
    """Return whether a line is an event that was printed without a header (``--noheader``)."""
    for mark in "|,":
        fields = [field.strip().strip('"') for field in line.split(mark)]
        if len(fields) >= len(_ALL) and _DATE.match(fields[2]):
            never = fields[3].lower() in _NEVER
            return bool(never or _DATE.match(fields[3])) and of_slurm(fields[4]) != "in-service"
    return False


def read_sacctmgr(
    source: Source,
    *,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    timezone: str | None = None,
    strict: bool = False,
) -> Trace:
    """Read when nodes were out of service.

    Parameters
    ----------
    source : path or file object
        Output of ``sacctmgr show event --parsable2``, with its header line or all of its columns.
        Needed are `NodeName`,
        `TimeStart` and `State`; used where present: `TimeEnd`, `Cluster`, `Reason`.
    system, node, since, until, strict
        As of `read_failures`; a system is a cluster.
    timezone : str, optional
        Name of the cluster's time zone, such as ``Europe/Berlin``. Without one, its wall clock is
        read as if it were UTC, and what lasts over a change of summer time is an hour off.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the output: `time` [s, Unix], `node`, `repair` [s] (nan
        while it lasts), `system`, `cause` (state and reason), `line`, `state`, and `fails`: False
        for planned work (`MAINT`, reboots, power saving, a reason that says so), and for drains
        that began while jobs went on.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`; also if the header lacks a column that is needed.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `bad-time`, `empty`. Repaired: `negative-repair` (repair
    becomes nan). Skipped: `cluster-event` (of no node), `in-service` (a state in which jobs may
    run), `repeated-header`. Noted: `free-text` (bars in a reason).
    """
    findings = Findings()
    content = open_source(source, findings)
    content.check_lines(of_line=200, of_field=40)
    first = content.data[:_LOOKED_AT].decode("latin-1").split("\n", 1)[0]
    shape = replace(_SHAPE, names=_ALL) if is_event(first) else _SHAPE
    table = read_delimited(content.whole, findings, shape, signs=content.signs)
    missing = [name for name in _NEEDED if name not in table.header]
    if (table.records or table.header) and missing:
        got = ", ".join(table.header)[:200] or "no header"
        raise ValueError(
            f"line {max(table.header_line, 1)}: the header must name {missing[0]}, got {got!r}; "
            f"the command is: {EVENTS_COMMAND}"
        )
    frame = events_frame(_events(table, findings, timezone), findings)
    frame = select(frame, {"system": system, "node": node}, since=since, until=until)
    records = table.records
    return findings.trace(
        content.name, frame, records=records, of="event", strict=strict, understood=_UNDERSTOOD
    )


_UNDERSTOOD = (
    'failures where "State" is down, failed, in error or drained for no plan, from "TimeStart" to '
    '"TimeEnd" of each "NodeName"'
)


def _events(table: Delimited, findings: Findings, timezone: str | None) -> dict[str, Any]:
    """Return the columns of all rows with a node and a start."""
    if not len(table):
        return {name: [] for name in (*_TEXTS, "time", "end", "line")}
    names = _texts(table, "NodeName")
    alone = np.array([not name for name in names], dtype=np.bool_)
    findings.add_lines(
        "skipped", table.lines[alone], "cluster-event", "an event of the whole cluster"
    )
    table = table.taken(~alone)
    start = _clocks(table.column("TimeStart"), timezone)
    bad = np.flatnonzero(np.isnan(start))
    texts = table.column("TimeStart").taken(bad).texts() if bad.size else []  # type: ignore[union-attr]
    for line, text in zip(table.lines[bad].tolist(), texts, strict=True):
        findings.add("dropped", line, "bad-time", f"TimeStart {text[:60]!r} is not a date and time")
    table, start = table.taken(~np.isnan(start)), start[~np.isnan(start)]
    end = np.full(start.size, np.nan)
    if (column := table.column("TimeEnd")) is not None:
        codes, said = column.coded()
        lasts = np.array([text.lower() in _NEVER for text in said], dtype=np.bool_)[codes]
        end[~lasts] = _clocks(column.taken(~lasts), timezone, after=start[~lasts])
        bad = np.flatnonzero(~lasts & np.isnan(end))
        for line, code in zip(table.lines[bad].tolist(), codes[bad].tolist(), strict=True):
            reason = f"TimeEnd {said[code][:60]!r} is not a date and time"
            findings.add("dropped", line, "bad-time", reason)
        good = lasts | ~np.isnan(end)
        table, start, end = table.taken(good), start[good], end[good]
    if timezone is None:
        refuse_set_back(start, end, table.lines)
    texts = {role: _texts(table, name) for role, name in _TEXTS.items()}
    return {**texts, "time": start, "end": end, "line": table.lines}


def events_frame(events: dict[str, Any], findings: Findings) -> pd.DataFrame:
    """Build the failure frame of events of nodes: node, state, reason, system, time, end, line."""
    pairs = list(zip(events["state"], events["reason"], strict=True))
    meaning = {pair: of_slurm(*pair) for pair in set(pairs)}
    what = np.array([meaning[pair] for pair in pairs], dtype=object)
    line = np.asarray(events["line"], dtype=np.int64)
    up = what == "in-service"
    for state in sorted({state for state, out in zip(events["state"], up, strict=True) if out}):
        rows = up & (np.array(events["state"], dtype=object) == state)
        reason = f"state {state[:60]!r} leaves the node in service"
        findings.add_lines("skipped", line[rows], "in-service", reason)
    time = np.asarray(events["time"], dtype=np.float64)
    repair = np.asarray(events["end"], dtype=np.float64) - time
    for row in np.flatnonzero(~up & (repair < 0.0)).tolist():
        reason = f"repair of {repair[row]:g} s: unknown"
        if repair[row] >= -7200.0:
            reason += "; where clocks were set back, the name of their time zone is needed"
        findings.add("repaired", int(line[row]), "negative-repair", reason)
        repair[row] = np.nan
    frame = failure_frame(
        time=time,
        node=events["node"],
        repair=repair,
        system=events["system"],
        cause=[f"{state}: {reason}" if reason else state for state, reason in pairs],
        line=line,
        state=events["state"],
    )
    frame["fails"] = what == "failure"
    frame = each_node(frame.assign(what=what).iloc[np.flatnonzero(~up)], findings)
    frame, what = frame.reset_index(drop=True), frame.pop("what").to_numpy(dtype=object)
    # A drain that follows one in which jobs went on, or planned work, took nothing from a job.
    if (what == "drain").any():
        number = outage_numbers(frame, within=MERGE_WITHIN)
        order = np.lexsort((frame["time"].to_numpy(), number))
        first = order[np.searchsorted(number[order], number)]
        frame["fails"] |= (what == "drain") & np.isin(what[first], ["drain", "failure"])
    return frame


def _texts(table: Delimited, name: str) -> list[str]:
    column = table.column(name)
    return [""] * len(table) if column is None else column.texts()


def _clocks(
    column: Column | None, timezone: str | None, *, after: FloatArray | None = None
) -> FloatArray:
    """Return Unix seconds, nan where the field is no time."""
    if column is None:
        return np.zeros(0)
    seconds, zoned = instants(column)
    if timezone is not None:
        local = localised(seconds, timezone, after=after)
        seconds = np.where(zoned, seconds, local)
    return seconds
