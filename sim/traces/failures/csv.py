"""A plain CSV of failure times, as operators keep it."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from typing import Any

from ..._checks import shown
from ..parsing.dates import DateOrder, decide_order, written_date
from ..parsing.numbers import finite, whole
from ..parsing.report import Findings, Trace
from ..parsing.sources import Source, open_source, split_csv, text_lines
from ..parsing.times import Instant, parse_instant
from .frame import failure_frame, select

__all__ = ["read_failures_csv"]

# Name of a column here -> its names in the logs of operators; the first that is known counts.
_NAMES = {
    "time": (
        *("time", "start", "started", "start_time", "begin", "failed", "failure", "failure_time"),
        *("failed_at", "timestamp", "time_stamp", "datetime", "date_time", "event_time"),
        *("occurred", "down", "down_since", "went_down", "date", "failure_date", "start_date"),
    ),
    "end": (
        *("end", "stop", "stopped", "fixed", "repaired", "restored", "end_time", "stop_time"),
        *("up", "up_since", "back", "back_up", "ended", "returned", "end_date"),
        *("finish", "finished", "finish_time", "resolved", "recovered"),
    ),
    "repair": (
        *("repair", "repair_time", "duration", "downtime", "down_time", "ttr", "outage"),
        *("time_to_repair",),
    ),
    "node": (
        *("node", "host", "hostname", "node_id", "node_name", "nodename", "machine", "machine_id"),
        *("server", "identifier", "hardware_identifier", "hardware_id", "device"),
    ),
    "system": ("system", "cluster", "system_id", "platform"),
    "cause": (
        *("cause", "reason", "category", "type", "failure_type", "what_failed", "root_cause"),
        *("component",),
    ),
}
_COMPACT = re.compile(r"[0-9]{8}")
_RESOLUTION = 60.0  # s: many logs write minutes only
# A day in one column and the time of day in another are one time.
_DAYS = ("date", "day", "failure_date", "start_date")
_CLOCKS = ("time", "time_of_day", "hour")
_DATES = ("date", "failure_date", "start_date", "end_date")


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
        With a header line, columns are found by name (`time` or `down`, `repair`, `end` or `up`,
        `node`, `system`, `cause`; common synonyms and a unit suffix ``_s`` are understood).
        Without one, the first column is the time and the second, where there is one, the repair
        time. Times are seconds or dates (no zone: UTC): ISO 8601, ``11/29/2003 7:00``,
        ``29.11.2003 07:00``, ``29 Nov 2003`` and their like; repairs are seconds. ``#`` starts a
        comment.
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
    Rules. Dropped: `empty` (no record), `wrong-columns`, `bad-time` (also seconds below 0).
    Repaired: `bad-repair` and `negative-repair` (repair becomes nan), `bad-node` (a number below 0
    becomes -1). Noted: `unsorted`, `ignored-columns`, `repair-differs` (from the end that is there
    too by more than a minute: the repair counts), `date-order` (whether the day or the month was
    taken to come first: as a day above 12 shows; else the month, or the day where dates are
    dotted), `compact-dates` (values such as 20030108: dates where the column is called a date and
    all have eight digits, or where others are written dates; else seconds).
    """
    if not isinstance(delimiter, str) or len(delimiter) != 1:
        raise ValueError(f"delimiter must be one character, got {shown(delimiter)}")
    findings = Findings()
    content = open_source(source, findings)
    lines = text_lines(content, findings)
    if lines and "\0" in lines[0]:
        raise ValueError(f"{content.name} must be text, got binary data")
    rows = _rows(lines, delimiter)
    first = rows[0][1] if rows else []
    header = _header(rows, delimiter, findings)
    if header:
        rows = rows[1:]
    elif rows:
        header = _bare(rows, findings)
    if not rows:
        findings.add("dropped", 1, "empty", "the file holds no failure")
    fields = _fields(rows, header, findings)
    for kind in ("time", "end"):
        _spell_dates(fields, kind, _is_dated(first, header, kind), findings)
    order = _order(fields, findings)
    columns: dict[str, list[Any]] = {name: [] for name in ("time", "node", "repair")}
    columns |= {name: [] for name in ("system", "cause", "line")}
    for number, field in fields:
        record = _record(number, field, order, findings)
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


def _header(
    rows: list[tuple[int, list[str]]], delimiter: str, findings: Findings
) -> tuple[str, ...]:
    """Return what each column holds if the first row names columns, else nothing."""
    if not rows:
        return ()
    number, first = rows[0]
    names = [_plain(field) for field in first]
    kinds = [""] * len(names)
    for kind, known in _NAMES.items():
        if chosen := [name for name in known if name in names]:
            kinds[names.index(chosen[0])] = kind
    if "time" in kinds:
        _join_day_and_clock(names, kinds)
        if unused := [field for field, kind in zip(first, kinds, strict=True) if not kind]:
            reason = f"columns that are not used: {', '.join(unused)[:100]}"
            findings.add("noted", number, "ignored-columns", reason)
        return tuple(kinds)
    if any(kinds) or not any(character.isdigit() for character in first[0]):
        raise ValueError(
            f"line {number}: the header must name a column 'time', 'date' or 'down', "
            f"got {', '.join(first)[:200]!r}" + _other_separator(first, delimiter)
        )
    return ()


def _other_separator(header: list[str], delimiter: str) -> str:
    """Return what seems to separate the columns instead, in words; else nothing."""
    for mark in ";\t|,":
        if len(header) == 1 and mark != delimiter and mark in header[0]:
            return f"; columns must be separated by {shown(delimiter)}, not {mark!r}"
    return ""


def _join_day_and_clock(names: list[str], kinds: list[str]) -> None:
    days = [names.index(name) for name in _DAYS if name in names]
    clocks = [names.index(name) for name in _CLOCKS if name in names]
    if days and clocks and "time" in (kinds[days[0]], kinds[clocks[0]]):
        kinds[days[0]], kinds[clocks[0]] = "day", "time"


def _bare(rows: list[tuple[int, list[str]]], findings: Findings) -> tuple[str, ...]:
    number, first = rows[0]
    if len(first) > 2:
        reason = f"without a header, {len(first) - 2} columns after time and repair are not used"
        findings.add("noted", number, "ignored-columns", reason)
    return ("time", "repair")[: len(first)] + ("",) * (len(first) - 2)


def _plain(field: str) -> str:
    name = field.lower().replace(" ", "_").replace("-", "_")
    for suffix in ("_s", "_[s]", "_(s)", "_seconds"):
        name = name.removesuffix(suffix)
    return name


def _fields(
    rows: list[tuple[int, list[str]]], kinds: tuple[str, ...], findings: Findings
) -> list[tuple[int, dict[str, str]]]:
    """Return the texts of each row by kind of column; drop rows of another width."""
    found = []
    for number, row in rows:
        if len(row) != len(kinds):
            reason = f"{len(row)} columns instead of {len(kinds)}"
            findings.add("dropped", number, "wrong-columns", reason)
            continue
        field = {kind: text for kind, text in zip(kinds, row, strict=True) if kind}
        if day := field.get("day"):
            joined = f"{day} {field['time']}"
            field["time"] = joined if _is_time(joined) else field["time"]
        found.append((number, field))
    return found


def _is_dated(first: list[str], kinds: tuple[str, ...], kind: str) -> bool:
    """Return whether the name of the column, if it has one, says that it holds dates."""
    return kind in kinds and _plain(first[kinds.index(kind)]) in _DATES


def _spell_dates(
    fields: list[tuple[int, dict[str, str]]], kind: str, dated: bool, findings: Findings
) -> None:
    """Write dates such as 20030108 as 2003-01-08; note where they are taken as seconds.

    They are dates beside others that are not numbers, or where all values have eight digits and
    the name of the column says so.
    """
    texts = [(number, field, text) for number, field in fields if (text := field.get(kind, ""))]
    compact = [row for row in texts if _COMPACT.fullmatch(row[2])]
    days = [row for row in compact if _is_day(row[2])]
    if not days:
        return
    all_compact = len(compact) == len(texts)
    example = days[0]
    if (all_compact and dated) or any(finite(text) is None for *_, text in texts):
        findings.add(
            "noted", example[0], "compact-dates", f"dates are yyyymmdd, as {example[2]} shows"
        )
        for _, field, text in compact:
            field[kind] = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    elif all_compact or dated:
        reason = f"{example[2]} is taken as seconds; for a date (yyyymmdd) "
        reason += "write 2003-01-08" if dated else "name the column 'date'"
        findings.add("noted", example[0], "compact-dates", reason)


def _is_day(text: str) -> bool:
    year, month, day = int(text[:4]), int(text[4:6]), int(text[6:])
    return 1900 <= year < 2100 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _is_time(text: str) -> bool:
    return written_date(text) is not None or _instant(text, "month-first") is not None


def _order(fields: list[tuple[int, dict[str, str]]], findings: Findings) -> DateOrder:
    """Return whether the month or the day comes first in dates of this file, and note it."""
    texts = [
        (number, text)
        for number, field in fields
        for kind in ("time", "end")
        if (text := field.get(kind, ""))
    ]
    decision = decide_order(written_date(text) for _, text in texts)
    if decision is None:
        return "month-first"
    number, text = texts[decision.example or 0]
    words = "month/day/year" if decision.order == "month-first" else "day/month/year"
    if decision.proofs:
        reason = f"dates are {words}, as {text} shows"
        if decision.against:
            reason += f"; {decision.against:,} of {decision.against + decision.proofs:,} cannot be"
    else:
        reason = f"dates are taken as {words}: no day is above 12"
    findings.add("noted", number, "date-order", reason)
    return decision.order


def _record(
    number: int, field: dict[str, str], order: DateOrder, findings: Findings
) -> dict[str, Any] | None:
    time = _instant(field["time"], order)
    if time is None:
        reason = f"time {field['time'][:60]!r} is not seconds or a date"
        findings.add("dropped", number, "bad-time", reason)
        return None
    if time < 0.0 and finite(field["time"]) is not None:  # not a date before 1970
        findings.add("dropped", number, "bad-time", f"time {field['time'][:60]!r} is below 0")
        return None
    node = field.get("node", "") or "-1"
    if (place := whole(node)) is not None and place < -1:
        findings.add("repaired", number, "bad-node", f"node {node[:60]} is below 0: unknown")
        node = "-1"
    return {
        "time": time,
        "node": node,
        "repair": _repair(number, time, field, order, findings),
        "system": field.get("system", ""),
        "cause": field.get("cause", ""),
        "line": number,
    }


def _repair(
    number: int, time: float, field: dict[str, str], order: DateOrder, findings: Findings
) -> float:
    if text := field.get("repair", ""):
        repair = finite(text)
        end = _instant(field.get("end", ""), order)
        if repair is not None and end is not None:
            _compare_with_end(number, repair, end - time, findings)
    elif text := field.get("end", ""):
        end = _instant(text, order)
        repair = None if end is None else end - time
    else:
        return math.nan
    if repair is None:
        findings.add(
            "repaired", number, "bad-repair", f"repair {text[:60]!r} is not a time: unknown"
        )
        return math.nan
    if repair < 0.0:
        reason = f"repair of {repair:g} s: unknown"
        findings.add("repaired", number, "negative-repair", reason)
        return math.nan
    return repair


def _compare_with_end(number: int, repair: float, until_end: float, findings: Findings) -> None:
    """Note a repair that does not last until the end, such as hours taken for seconds."""
    if abs(until_end - repair) > _RESOLUTION:
        reason = f"repair {repair:g} s, but {until_end:g} s until the end, which is not used"
        findings.add("noted", number, "repair-differs", reason)


def _instant(text: str, order: DateOrder) -> float | None:
    try:
        return parse_instant(text)
    except ValueError:
        date = written_date(text)
        return None if date is None else date.seconds(order)


def _note_disorder(times: list[float], lines: list[int], findings: Findings) -> None:
    for before, time, line in zip(times, times[1:], lines[1:], strict=False):
        if time < before:
            findings.add("noted", line, "unsorted", f"time {time!r} comes after {before!r}")


def _whole_numbers(values: list[str]) -> list[Any]:
    """Return integers where all values are whole: node 7 is one node, written 7 or 07."""
    numbers = [whole(value) for value in values]
    return values if None in numbers else numbers
