"""Traces of spot instances as SkyPilot's authors publish and play them."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import numpy as np

from ..._checks import one_of, shown
from ..parsing.json_records import json_records, plain_number
from ..parsing.numbers import LARGEST
from ..parsing.report import BoolArray, Findings, IntArray, Trace, Watch
from ..parsing.sources import Source, open_source
from ..parsing.times import Instant, parse_instant
from .rows import selected_rows
from .states import down_runs

__all__ = ["read_skypilot"]

_MOST = 1_000_000  # instances: a count beyond is none

Meaning: TypeAlias = Literal["available", "preempted"]


def read_skypilot(
    source: Source,
    *,
    meaning: Meaning | None = None,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read when spot instances were taken away.

    Parameters
    ----------
    source : path or file object
        An object with `data`, a number for every interval of `gap_seconds` in its `metadata`,
        which may name `start_time`, and `zone` or `region`.
    meaning : {"available", "preempted"}, optional
        What the numbers are: how many instances are available, or 1 while the only one is
        preempted and 0 while it is available. Default: preempted where there is no number above 1
        and the metadata say more than `gap_seconds`, as in the traces that SkyPilot's simulator
        plays; else available, as in the collection ``skypilot-org/spot-traces``.
    system, node, since, until, strict
        As of `read_failures`; a system is a zone, a node an instance.

    Returns
    -------
    Trace
        ``frame`` has one row per preemption, instance by instance: `time` [s] (Unix where the
        metadata say when it starts, else from the first interval), `node` (1 is the instance that
        is there whenever any is, 2 whenever two are, ...), `repair` [s] (until there are as many
        again; nan where the trace ends before), `system` (zone or region), `cause`, `line`, `fails`
        (False where an instance was missing from the beginning). ``watch`` is all
        intervals and instances. A record is a number of `data`.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`; also if there are no `data`, the metadata have no `gap_seconds` above
        0, or `meaning` is none of these.

    Notes
    -----
    The times of single instances depend on which of them is said to be missing, their sums do not.

    Rules. Dropped: `bad-json`, `bad-number` (the interval is as the one before), `empty`. Skipped:
    `in-service`. Merged: `still-out`. Noted: `meaning` (what the numbers were taken for),
    `bad-start` (times from 0 on), `out-from-start`, `open-end`.
    """
    if meaning is not None:
        one_of("meaning", meaning, ("available", "preempted"))
    findings = Findings()
    content = open_source(source, findings)
    entries, said = json_records(content, "data", findings)
    if len(entries) == 1 and isinstance(entries[0][1], dict):
        keys = ", ".join(entries[0][1])[:200]
        raise ValueError(f"line 1: the header must name data, a list, got keys {keys}")
    about = said.get("metadata")
    about = about if isinstance(about, dict) else {}
    step = plain_number(about.get("gap_seconds"))
    if step is None or not 0.0 < step <= LARGEST:
        got = shown(about.get("gap_seconds"))
        raise ValueError(f"line 1: the header must name gap_seconds > 0 in metadata, got {got}")
    lines, numbers = _data(entries)
    meaning = meaning or _told(about, numbers, findings)
    most = 1 if meaning == "preempted" else int(numbers.max(initial=0))
    wrong = (numbers > most) | (numbers < 0)
    for place in np.flatnonzero(wrong).tolist():
        reason = f"{numbers[place]} is neither 0 nor 1" if numbers[place] > 0 else "not a number"
        findings.add("dropped", int(lines[place]), "bad-number", reason)
    there = _carried(most - numbers if meaning == "preempted" else numbers, wrong)
    begin = _begin(about, findings)
    names = (str(about[key]) for key in ("zone", "region") if key in about)
    group, cause = next(names, ""), "preempted"
    rows: list[tuple[Any, ...]] = []
    told = np.zeros(there.size, dtype=np.bool_)  # intervals in which a row begins
    for instance in range(1, most + 1):
        begins, ends = down_runs(there < instance)
        told[begins] = True
        for first, after in zip(begins.tolist(), ends.tolist(), strict=True):
            repair = math.nan if after == there.size else step * (after - first)
            time, line = begin + step * first, int(lines[first])
            rows.append((time, str(instance), repair, group, cause, line, first > 0))
    known = ~wrong & ~told
    full = there == most
    findings.add_lines("skipped", lines[known & full], "in-service", "all instances are there")
    reason = "as many instances are missing as before, or fewer"
    findings.add_lines("merged", lines[known & ~full], "still-out", reason)
    if there.size and there[0] < most:
        reason = f"{most - there[0]} of {most} missing from the beginning: no failure"
        findings.add("noted", int(lines[0]), "out-from-start", reason)
    if there.size and there[-1] < most:
        reason = f"{most - there[-1]} of {most} missing at the end: repair unknown"
        findings.add("noted", int(lines[-1]), "open-end", reason)
    chosen = {"system": system, "node": node}
    frame = selected_rows(rows, "fails", chosen=chosen, since=since, until=until)
    read = {"available": "how many instances are available", "preempted": "1 is preempted"}
    watch = Watch(begin, begin + step * there.size, most)
    said = {"understood": f"numbers of data: {read[meaning]}", "watch": watch}
    return findings.trace(
        content.name, frame, records=len(lines), of="interval", strict=strict, shared=True, **said
    )


def _data(
    entries: list[tuple[int, Any]],
) -> tuple[IntArray, IntArray]:
    """Return the line of each interval, and its number; -1 for what is none."""
    numbers = [plain_number(entry) for _, entry in entries]
    counts = [
        int(number) if number is not None and number in range(_MOST + 1) else -1
        for number in numbers
    ]
    lines = np.array([line for line, _ in entries], dtype=np.int64)
    return lines, np.array(counts, dtype=np.int64)


def _told(about: dict[str, Any], numbers: IntArray, findings: Findings) -> Meaning:
    """Return what the numbers are, by their size and the metadata, and note it."""
    if numbers.max(initial=0) > 1:
        reason = "numbers above 1: how many are available, not which: laws of one are unknown"
        findings.add("noted", 1, "meaning", reason)
        return "available"
    more = [key for key in about if key != "gap_seconds"]
    if not more:
        reason = "no metadata but gap_seconds: read as 1 available, 0 preempted"
        findings.add("noted", 1, "meaning", reason)
        return "available"
    reason = f"metadata with {str(more[0])[:40]}: read as 0 available, 1 preempted"
    findings.add("noted", 1, "meaning", reason)
    return "preempted"


def _carried(numbers: IntArray, wrong: BoolArray) -> IntArray:
    """Return the numbers, each wrong one replaced by the right one before."""
    right = np.flatnonzero(~wrong)
    if right.size == 0:
        return np.zeros_like(numbers)
    last = np.searchsorted(right, np.arange(numbers.size), side="right") - 1
    return numbers[right[np.maximum(last, 0)]]


def _begin(about: dict[str, Any], findings: Findings) -> float:
    """Return when the first interval begins, [s]; 0 where that is not said."""
    said = about.get("start_time")
    if said is None:
        return 0.0
    try:
        begin = parse_instant(str(said))
    except (ValueError, OverflowError):
        begin = math.nan
    if abs(begin) <= LARGEST:
        return begin
    findings.add("noted", 1, "bad-start", f"start_time {str(said)[:60]!r} is no date: from 0 on")
    return 0.0
