"""The failure records of Los Alamos National Laboratory, 1995 to 2005 (LA-UR-05-7318)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..parsing.dates import written_date
from ..parsing.numbers import whole
from ..parsing.report import Findings, Trace
from ..parsing.sources import Source, open_source, split_csv, text_lines
from ..parsing.times import Instant
from .rows import selected_rows

LANL_COLUMNS = (
    *("System", "machine type", "nodes", "procstot", "procsinnode", "nodenum", "nodenumz"),
    *("node install", "node prod", "node decom", "fru type", "mem", "cputype", "memtype"),
    *("num intercon", "purpose", "Prob Started", "Prob Fixed", "Down Time", "Facilities"),
    *("Hardware", "Human Error", "Network", "Undetermined", "Software", "Same Event"),
)

_MOMENT = re.compile(r"([0-9]{1,2}/[0-9]{1,2}/[0-9]{4}) ([0-9]{1,2}):([0-9]{2})")
# Beyond this, nanoseconds since 1970 overflow 64 bits: such a date is a slip.
_END = 9.2e9
_CAUSES = ("Facilities", "Hardware", "Human Error", "Network", "Undetermined", "Software")
_NEEDED = ("System", "nodes", "nodenumz", "Prob Started", "Prob Fixed", "Down Time", *_CAUSES)


def read_lanl(
    source: Source,
    *,
    system: int | Iterable[int] | None = None,
    node: int | Iterable[int] | None = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read the LANL failure log, whole or the part asked for.

    Parameters
    ----------
    source : path or file object
        The CSV with its header line; compressed or not.
    system, node, since, until, strict
        As of `read_failures`; systems are 2 to 24, nodes count from 0, times are local ones of the
        site, as in the log.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the log: `time` [s] (the site's wall clock, read as if it
        were UTC, minute resolution), `node` (from 0; -1 where the log has none), `repair` [s]
        (the log's `Down Time`, else fixed - started, else nan), `system`, `cause` (category, or
        empty), `line`, `detail` (the category's text), `nodes` (size of the system, or -1).

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`; also if the file has no header of the LANL log.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `bad-system`, `bad-start` (also before 1970 or after 2261).
    Repaired: `bad-repair` (repair becomes fixed - started, or nan). Noted: `beyond-system` (a node
    number not below the number of nodes, as of 126 records of the published log),
    `down-time-differs` (by more than the minute that rounding explains; in the published log
    these are repairs across a clock change, where `Down Time` is right), `no-node`. Clock changes
    are not undone in `time`: a gap across one is an hour off.
    """
    findings = Findings()
    lines = text_lines(content := open_source(source, findings), findings)
    rows, numbers, place = _split(lines, findings)
    found = _failures(rows, numbers, place, findings)
    chosen = {"system": system, "node": node}
    frame = selected_rows(found, "detail", "nodes", chosen=chosen, since=since, until=until)
    records = sum(bool(line.strip()) for line in lines[1:])
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _split(
    lines: list[str], findings: Findings
) -> tuple[list[list[str]], list[int], dict[str, int]]:
    """Return the well-formed rows, their line numbers, and where each column stands."""
    if not lines:
        findings.add("dropped", 1, "empty", "the file is empty")
        return [], [], {name: 0 for name in _NEEDED}
    header = [name.strip() for name in split_csv(lines[0])]
    if missing := [name for name in _NEEDED if name not in header]:
        raise ValueError(f"line 1: the header must name the LANL columns, lacks {missing}")
    rows, numbers = [], []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        row = split_csv(line)
        if len(row) == len(header):
            rows.append(row)
            numbers.append(number)
        else:
            reason = f"{len(row)} columns instead of {len(header)}"
            findings.add("dropped", number, "wrong-columns", reason)
    return rows, numbers, {name: header.index(name) for name in _NEEDED}


def _failures(
    rows: list[list[str]], numbers: list[int], place: dict[str, int], findings: Findings
) -> list[tuple[Any, ...]]:
    """Return time, node, repair, system, cause, line, detail and nodes of each failure."""
    found: list[tuple[Any, ...]] = []
    for row, number in zip(rows, numbers, strict=True):
        start, end = _minute(row[place["Prob Started"]]), _minute(row[place["Prob Fixed"]])
        which = whole(row[place["System"]])
        if which is None or which < 0:
            text = row[place["System"]]
            findings.add("dropped", number, "bad-system", f"system {text!r} is not a number")
            continue
        if math.isnan(start):
            text = row[place["Prob Started"]]
            findings.add("dropped", number, "bad-start", f"start {text!r} is not m/d/yyyy h:mm")
            continue
        where, size = whole(row[place["nodenumz"]]), whole(row[place["nodes"]])
        if where is None or where < 0:
            findings.add("noted", number, "no-node", "no node number")
            where = -1
        if size is None or size < 1:
            size = -1
        elif where >= size:
            reason = f"node {where} of a system of {size} nodes, counted from 0"
            findings.add("noted", number, "beyond-system", reason)
        given = [(name, row[place[name]].strip()) for name in _CAUSES if row[place[name]].strip()]
        repair = _repair(row[place["Down Time"]], start, end, number, findings)
        cause = "+".join(name.lower() for name, _ in given)
        detail = "+".join(text for _, text in given)
        found.append((start, where, repair, which, cause, number, detail, size))
    return found


def _repair(down: str, start: float, end: float, number: int, findings: Findings) -> float:
    """Return the repair time, [s]; the log's own figure before the difference of its clocks."""
    minutes = whole(down)
    between = end - start
    if minutes is None or minutes < 0:
        if between >= 0.0:
            findings.add("repaired", number, "bad-repair", f"down time {down!r}: fixed - started")
            return between
        findings.add("repaired", number, "bad-repair", f"down time {down!r}: repair unknown")
        return math.nan
    if not abs(between - 60.0 * minutes) <= 60.0:
        reason = f"down time {minutes} min, fixed - started {between / 60.0:g} min"
        findings.add("noted", number, "down-time-differs", reason)
    return 60.0 * minutes


def _minute(text: str) -> float:
    """Return Unix seconds of ``m/d/yyyy h:mm``; nan where the text is something else."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        return math.nan
    hour, minute = int(found[2]), int(found[3])
    if hour > 23 or minute > 59:
        return math.nan
    seconds = _midnight(found[1]) + 3600.0 * hour + 60.0 * minute
    return seconds if 0.0 <= seconds < _END else math.nan


@lru_cache(maxsize=4096)
def _midnight(day: str) -> float:
    """Return Unix seconds of ``m/d/yyyy``; nan where there is no such day."""
    date = written_date(f"{day} 0:00")
    seconds = None if date is None else date.seconds("month-first")
    return math.nan if seconds is None else seconds
