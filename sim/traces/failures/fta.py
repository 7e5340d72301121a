"""The tables of the Failure Trace Archive."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..._checks import one_of
from ..parsing.numbers import finite, whole
from ..parsing.report import Findings, Trace
from ..parsing.rows import LineError
from ..parsing.sources import File, Limited, Source, open_source, text_lines
from ..parsing.times import Instant
from ..public.lookup import with_suffixes
from .rows import selected_rows

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

_NEEDED = ("node_name", "platform_id", "event_type", "event_start_time", "event_stop_time")
_KINDS = {"0": "unavailable", "1": "available"}


def read_fta(
    source: Source,
    *,
    state: Literal["unavailable", "available", "both"] = "unavailable",
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read the `event_trace` table of the Failure Trace Archive.

    Parameters
    ----------
    source : path or file object
        ``event_trace.tab``, or the folder it lies in.
    state : {"unavailable", "available", "both"}
        Which intervals to return; an unavailable one is a failure and its repair.
    system, node, since, until, strict
        As of `read_failures`; a system is a platform.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the table: `time` [s, Unix], `node` (name), `repair` [s]
        (length of the interval), `system` (platform), `cause` (end reason; empty where NULL),
        `line`, `available` (bool). ``report.records`` counts intervals of both kinds, and
        ``header`` gives the number of each (`available`, `unavailable`).

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`; also if `state` is none of these, or the header lacks a column.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `bad-type`, `negative-interval`, `empty`.
    Skipped: `other-state` (see `state`).
    Unavailable need not mean failed: the archive counts planned stops and reservations too.
    """
    one_of("state", state, ("unavailable", "available", "both"))
    findings = Findings()
    if isinstance(source, Limited):
        source = replace(source, source=_table_of(source.source))
    else:
        source = _table_of(source)
    content = open_source(source, findings)
    lines = text_lines(content, findings)
    names = _columns(lines, _NEEDED, findings)
    width, (where, platform, kind, start, stop) = len(names), map(names.index, _NEEDED)
    why = names.index("event_end_reason") if "event_end_reason" in names else None
    rows: list[tuple[Any, ...]] = []
    counts = dict.fromkeys(_KINDS.values(), 0)
    records = 0
    others = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split()
        if not fields:
            continue
        records += 1
        try:
            if len(fields) != width:
                raise LineError("wrong-columns", f"{len(fields)} columns instead of {width}")
            if fields[kind] not in _KINDS:
                raise LineError("bad-type", f"event type {fields[kind]!r} is neither 0 nor 1")
            begin, end, system_id = map(_figures, (fields[start], fields[stop], fields[platform]))
            if end < begin:
                raise LineError("negative-interval", f"it ends at {end}, before its start {begin}")
        except LineError as error:
            findings.add("dropped", number, error.rule, str(error))
            continue
        name = _KINDS[fields[kind]]
        counts[name] += 1
        if state not in (name, "both"):
            others.append(number)
        else:
            reason = "" if why is None or fields[why] == "NULL" else fields[why]
            row = (begin, fields[where], end - begin, system_id, reason, number)
            rows.append((*row, name == "available"))
    lines_of_others = np.array(others, dtype=np.int64)
    findings.add_lines("skipped", lines_of_others, "other-state", f"it is not {state}")
    chosen = {"system": system, "node": node}
    frame = selected_rows(rows, "available", chosen=chosen, since=since, until=until)
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report, {kind: str(count) for kind, count in counts.items()})


def _table_of(source: File) -> File:
    """Return the table of events in a folder, or the source itself."""
    if isinstance(source, str | os.PathLike) and Path(source).is_dir():
        return with_suffixes(Path(source) / "event_trace.tab") or source
    return source


def _figures(text: str) -> int:
    # Nearly all values are plain digits; isdecimal() alone accepts those of other scripts.
    if text.isascii() and text.isdecimal() and len(text) <= 15:
        return int(text)
    raise LineError("not-a-number", f"a numeric column holds {text!r}")


def read_fta_table(source: Source, *, strict: bool = False) -> Trace:
    """Read another table of the archive (`node`, `component`, `platform`, ...).

    ``frame`` has the columns its first line names: numbers where all values are, else text
    (``NULL`` is missing), and `line`. Rules. Dropped: `wrong-columns`. Noted: `repeated-column`
    (of a name that came before; its place, from 0, is added to the name).

    Parameters
    ----------
    source : path or file object
        The table, with a header line.
    strict : bool
        As of `read_failures`.

    Returns
    -------
    Trace
        ``report`` names the lines that were dropped.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`.
    """
    import pandas as pd

    findings = Findings()
    content = open_source(source, findings)
    lines = text_lines(content, findings)
    names = _unique_names(_columns(lines, (), findings), findings)
    rows: list[list[str | None]] = []
    numbers = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split()
        if len(fields) == len(names):
            rows.append([None if field == "NULL" else field for field in fields])
            numbers.append(number)
        elif fields:
            reason = f"{len(fields)} columns instead of {len(names)}"
            findings.add("dropped", number, "wrong-columns", reason)
    # All columns at once, because pandas copies the whole frame for each that is added.
    texts = zip(*rows, strict=True) if rows else ([] for _ in names)
    columns: dict[str, Any] = {
        name: _numeric(list(values)) for name, values in zip(names, texts, strict=True)
    }
    frame = pd.DataFrame(columns | {"line": np.array(numbers, dtype=np.int64)})
    records = sum(not line.isspace() and line != "" for line in lines[1:])
    report = findings.report(content.name, records=records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _unique_names(names: list[str], findings: Findings) -> list[str]:
    """Return the names with the place added where one came before, or is ours."""
    seen = {"line"}
    found = []
    for place, name in enumerate(names):
        apart = name
        while apart in seen:
            apart = f"{apart}.{place}"
        if apart != name:
            reason = f"column {place} is another {name[:60]!r}"
            findings.add("noted", 1, "repeated-column", reason)
        seen.add(apart)
        found.append(apart)
    return found


def _numeric(values: list[str | None]) -> npt.NDArray[Any] | pd.Series[Any]:
    """Return whole numbers or floats where all values are, else the texts."""
    import pandas as pd

    texts = [value for value in values if value is not None]
    wholes = [whole(text) if "." not in text else None for text in texts]
    if texts and len(texts) == len(values):
        if None not in wholes:
            return np.array(wholes, dtype=np.int64)
        numbers = [finite(text) for text in texts]
        if None not in numbers:
            return np.array(numbers, dtype=np.float64)
    return pd.Series(values, dtype=object)  # of an array pandas would make nan of None


def _columns(lines: list[str], needed: tuple[str, ...], findings: Findings) -> list[str]:
    if not lines:
        findings.add("dropped", 1, "empty", "the file is empty")
        return list(needed)
    names = lines[0].lstrip("#").split()
    if missing := [name for name in needed if name not in names]:
        raise ValueError(
            f"line 1: the header must name the columns of the archive, lacks {missing}"
        )
    return names
