"""A plain CSV of failure times, as operators keep it."""

from __future__ import annotations

import math
from typing import Any

from .failures import failure_frame, select
from .numbers import finite, whole
from .report import Findings, Trace
from .sources import Source, open_source, split_csv, text_lines
from .times import Instant, parse_instant

__all__ = ["read_failures_csv"]

# What columns are called in the wild -> what they are called here.
_NAMES = {
    "time": ("time", "start", "started", "failed", "failure", "failure_time", "timestamp", "date"),
    "end": ("end", "stop", "fixed", "repaired", "restored", "end_time"),
    "repair": ("repair", "repair_time", "duration", "downtime", "down_time", "ttr"),
    "node": ("node", "host", "hostname", "node_id", "machine"),
    "system": ("system", "cluster", "system_id"),
    "cause": ("cause", "reason", "category", "type"),
}
_KNOWN = {name: kind for kind, names in _NAMES.items() for name in names}


def read_failures_csv(
    source: Source,
    *,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    delimiter: str = ",",
    strict: bool = False,
) -> Trace:
    """Read a CSV with one failure per line.

    Parameters
    ----------
    source : path or file object
        With a header line, columns are found by name (`time`, `repair` or `end`, `node`,
        `system`, `cause`; common synonyms and a unit suffix ``_s`` are understood). Without one,
        the first column is the time and the second, where there is one, the repair time. Times
        are seconds or ISO dates (no zone: UTC); repairs are seconds. ``#`` starts a comment.
    system, node : value or several, optional
        Keep these only.
    since, until : seconds, ISO date or datetime, optional
        Keep failures in [since, until).
    delimiter : str
        What separates columns.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the log: `time` [s], `node` (-1 where unknown), `repair`
        [s] (nan where unknown), `system` (empty where unknown), `cause`, `line`.

    Raises
    ------
    ValueError
        If the file names columns but no `time`, or is binary; with `strict`, at the first
        malformed line; if a selection is not in the log.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Rules. Dropped: `empty` (no record), `wrong-columns`, `bad-time`. Repaired: `bad-repair` and
    `negative-repair` (repair becomes nan). Noted: `unsorted`.
    """
    if not isinstance(delimiter, str) or len(delimiter) != 1:
        raise ValueError(f"delimiter must be one character, got {delimiter!r}")
    findings = Findings()
    content = open_source(source, findings)
    lines = text_lines(content, findings)
    if lines and "\0" in lines[0]:
        raise ValueError(f"{content.name} must be text, got binary data")
    rows = _rows(lines, delimiter)
    header = _header(rows)
    if header:
        rows = rows[1:]
    elif rows:
        header = ("time", "repair")[: len(rows[0][1])] + ("",) * (len(rows[0][1]) - 2)
    if not rows:
        findings.add("dropped", 1, "empty", "the file holds no failure")
    columns: dict[str, list[Any]] = {name: [] for name in ("time", "node", "repair")}
    columns |= {name: [] for name in ("system", "cause", "line")}
    for number, row in rows:
        record = _record(number, row, header, findings)
        if record is not None:
            for name, value in record.items():
                columns[name].append(value)
    _note_disorder(columns["time"], columns["line"], findings)
    for name in ("node", "system"):
        columns[name] = _whole_numbers(columns[name])
    frame = select(
        failure_frame(**columns), {"system": system, "node": node}, since=since, until=until
    )
    report = findings.report(content.name, records=len(rows), rows=len(frame), strict=strict)
    return Trace(frame, report)


def _rows(lines: list[str], delimiter: str) -> list[tuple[int, list[str]]]:
    """Return (line number, fields) of every line that is neither blank nor a comment."""
    return [
        (number, [field.strip() for field in split_csv(line, delimiter)])
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def _header(rows: list[tuple[int, list[str]]]) -> tuple[str, ...]:
    """Return what each column holds if the first row names columns, else nothing."""
    if not rows:
        return ()
    number, first = rows[0]
    kinds = tuple(_KNOWN.get(_plain(field), "") for field in first)
    if "time" in kinds:
        return kinds
    if any(kinds) or not any(character.isdigit() for character in first[0]):
        raise ValueError(f"line {number}: the header must name a column 'time', got {first}")
    return ()


def _plain(field: str) -> str:
    name = field.lower().replace(" ", "_")
    for suffix in ("_s", "_[s]", "_(s)", "_seconds"):
        name = name.removesuffix(suffix)
    return name


def _record(
    number: int, row: list[str], kinds: tuple[str, ...], findings: Findings
) -> dict[str, Any] | None:
    if len(row) != len(kinds):
        reason = f"{len(row)} columns instead of {len(kinds)}"
        findings.add("dropped", number, "wrong-columns", reason)
        return None
    field = {kind: text for kind, text in zip(kinds, row, strict=True) if kind}
    time = _instant(field["time"])
    if time is None:
        text = field["time"]
        findings.add("dropped", number, "bad-time", f"time {text!r} is not seconds or an ISO date")
        return None
    return {
        "time": time,
        "node": field.get("node", "") or "-1",
        "repair": _repair(number, time, field, findings),
        "system": field.get("system", ""),
        "cause": field.get("cause", ""),
        "line": number,
    }


def _repair(number: int, time: float, field: dict[str, str], findings: Findings) -> float:
    if text := field.get("repair", ""):
        repair = finite(text)
    elif text := field.get("end", ""):
        end = _instant(text)
        repair = None if end is None else end - time
    else:
        return math.nan
    if repair is None:
        findings.add("repaired", number, "bad-repair", f"repair {text!r} is not a time: unknown")
        return math.nan
    if repair < 0.0:
        reason = f"repair of {repair:g} s: unknown"
        findings.add("repaired", number, "negative-repair", reason)
        return math.nan
    return repair


def _instant(text: str) -> float | None:
    try:
        return parse_instant(text)
    except ValueError:
        return None


def _note_disorder(times: list[float], lines: list[int], findings: Findings) -> None:
    for before, time, line in zip(times, times[1:], lines[1:], strict=False):
        if time < before:
            findings.add("noted", line, "unsorted", f"time {time!r} comes after {before!r}")


def _whole_numbers(values: list[str]) -> list[Any]:
    """Node 7 is the same node in every log: all-integer columns become integers."""
    numbers = [whole(value) for value in values]
    return values if None in numbers else numbers
