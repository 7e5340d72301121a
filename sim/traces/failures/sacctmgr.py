"""Read the events of nodes that Slurm's ``sacctmgr show event --parsable2`` prints."""

from __future__ import annotations

import math
from typing import Any

from ..parsing.report import Findings, Trace
from ..parsing.sources import Source, open_source, text_lines
from ..parsing.times import Instant, wall_clock
from .frame import COLUMNS, LineError, failure_frame, select

__all__ = ["read_sacctmgr"]

_NEEDED = ("NodeName", "TimeStart", "State")
_NEVER = frozenset({"", "Unknown", "None"})
_MARKS = "*$~#!%@^-"  # after the name of a state
_OUT = ("DOWN", "FAIL", "ERROR", "DRAIN", "NOT_RESPONDING", "NO_RESPOND")  # begin such names


def read_sacctmgr(
    source: Source,
    *,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read when nodes were out of service.

    Parameters
    ----------
    source : path or file object
        Output of ``sacctmgr show event --parsable2`` with its header line. Needed are `NodeName`,
        `TimeStart` and `State`; used where present: `TimeEnd`, `Cluster`, `Reason`.
    system, node : value or several, optional
        Keep these only; a system is a cluster.
    since, until : seconds, ISO date or datetime, optional
        Keep failures in [since, until).
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the output: `time` [s] (the cluster's wall clock read as if
        it were UTC), `node`, `repair` [s] (nan while it lasts), `system`, `cause` (state and
        reason), `line`.

    Raises
    ------
    ValueError
        If the header lacks a column that is needed; with `strict`, at the first malformed line; if
        a selection is not in the log.
    TypeError
        If `source` is neither a path nor a file object.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `bad-time`, `empty`. Repaired: `negative-repair` (repair
    becomes nan). Skipped: `cluster-event` (of no node), `in-service` (a state that is none of
    DOWN, FAIL, ERROR, DRAIN and not responding, such as ``PLANNED``).
    """
    findings = Findings()
    content = open_source(source, findings)
    lines = text_lines(content, findings)
    names = [name.strip() for name in lines[0].split("|")] if lines else []
    missing = [name for name in _NEEDED if name not in names]
    if names and missing:
        raise ValueError(f"line 1: the header must name {missing[0]}, got {lines[0][:200]!r}")
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    records = 0
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        records += 1
        try:
            row = _event(line.split("|"), names, number, findings)
        except LineError as error:
            findings.add("dropped", number, error.rule, str(error))
            continue
        if row is not None:
            for name, value in (row | {"line": number}).items():
                columns[name].append(value)
    if records == 0:
        findings.add("dropped", 1, "empty", "the file holds no event")
    frame = select(
        failure_frame(**columns), {"system": system, "node": node}, since=since, until=until
    )
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _event(
    fields: list[str], names: list[str], number: int, findings: Findings
) -> dict[str, Any] | None:
    if len(fields) != len(names):
        raise LineError("wrong-columns", f"{len(fields)} columns instead of {len(names)}")
    given = dict(zip(names, (field.strip() for field in fields), strict=True))
    if not given["NodeName"]:
        findings.add("skipped", number, "cluster-event", "an event of the whole cluster")
        return None
    states = [part.strip(_MARKS) for part in given["State"].upper().split("+")]
    if not any(state.startswith(_OUT) for state in states):
        reason = f"state {given['State'][:60]!r} leaves the node in service"
        findings.add("skipped", number, "in-service", reason)
        return None
    time, end = _instant("TimeStart", given["TimeStart"]), given.get("TimeEnd", "")
    repair = math.nan if end in _NEVER else _instant("TimeEnd", end) - time
    if repair < 0.0:
        findings.add("repaired", number, "negative-repair", f"repair of {repair:g} s: unknown")
        repair = math.nan
    reason = given.get("Reason", "")
    return {
        "time": time,
        "node": given["NodeName"],
        "repair": repair,
        "system": given.get("Cluster", ""),
        "cause": f"{given['State']}: {reason}" if reason else given["State"],
    }


def _instant(name: str, text: str) -> float:
    try:
        return wall_clock(text)
    except ValueError:
        raise LineError("bad-time", f"{name} {text[:60]!r} is not a date and time") from None
