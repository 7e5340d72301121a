"""RAS logs of Blue Gene machines: Blue Gene/L messages and Mira's grouped fatal events."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ..parsing.numbers import finite, whole
from ..parsing.report import Findings, Several, Trace, Watch
from ..parsing.rows import LineError
from ..parsing.sources import Source
from ..parsing.times import Instant, wall_clock
from .frame import read_lines

_SEVERITIES = frozenset({"INFO", "WARNING", "ERROR", "SEVERE", "FATAL", "FAILURE"})
_MIDPLANE = re.compile(r"R[0-9A-Z]{2}-M[01](?=-|$)")

# A line as loghub publishes it: alert or -, Unix time, date, node, and the message itself.
_LABELLED = re.compile(
    r"(?P<alert>[!-~]{1,40}) (?P<time>[0-9]{9,10}) [0-9]{4}\.[0-9]{2}\.[0-9]{2} [!-~]+ "
    r"(?P<message>[0-9]{4}-.*)"
)
_NO_ALERT = "-"
_BGL = ("midplane", "severity", "message")
_MIRA = (
    *("midplane", "group", "head", "similarity", "component", "severity", "message_id"),
    *("event_id", "record_id", "last_time", "messages", "pattern", "last_field"),
)


def midplane_of(location: str) -> str:
    """Return the midplane a hardware location lies on, or nothing where it is on none.

    Parameters
    ----------
    location : str
        As RAS messages have it.

    Returns
    -------
    str
        Rack and midplane, such as ``R1F-M1``.

    Examples
    --------
    >>> midplane_of("R1F-M1-N04-J17"), midplane_of("Q0H-I1-J05"), midplane_of("R03-L")
    ('R1F-M1', '', '')
    """
    matched = _MIDPLANE.match(location)
    return matched.group() if matched else ""


def read_bgl_ras(
    source: Source,
    *,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read Blue Gene/L RAS messages, one per line.

    Parameters
    ----------
    source : path or file object
        Lines of time, location, ``RAS``, facility, severity, message; or as loghub publishes them,
        with an alert (``-`` where the message is none), Unix time, date and node in front.
    system, node, since, until, strict
        As of `read_failures`; a node is a location, the system is ``bluegene-l``.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the log: `time` [s] (the site's wall clock, read as if it
        were UTC; Unix where an alert stands in front), `node` (location; empty where the log has
        none), `repair` (nan), `system` (``bluegene-l``), `cause` (facility; the alert where there
        is one), `line`, `midplane`, `severity`, `message`. ``watch`` goes, of lines with an
        alert or ``-``, from the first to the last.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`.

    Notes
    -----
    Rules. Dropped: `bad-line`, `bad-time`, `empty`. Skipped: `no-alert`. Noted: `no-location`.
    """
    quiet: list[int] = []
    times: list[float] = []

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        labelled = _LABELLED.fullmatch(line)
        if labelled is None:
            return [_bgl_line(line, number, findings)]
        times.append(float(labelled["time"]))
        if labelled["alert"] == _NO_ALERT:
            quiet.append(number)
            return []
        row = _bgl_line(labelled["message"], number, findings)
        # Of the message only the fraction: its clock is that of the site, with summer time.
        return [row | {"time": times[-1] + row["time"] % 1.0, "cause": labelled["alert"]}]

    chosen = {"system": system, "node": node}
    trace = read_lines(source, parse, _BGL, chosen=chosen, since=since, until=until, strict=strict)
    if not times:
        return trace
    report = trace.report
    if quiet:
        lines = np.array(quiet, dtype=np.int64)
        skipped = Several(lines, "no-alert", "a message without an alert", "skipped")
        report = replace(report, several=(*report.several, skipped))
    return replace(trace, report=report, watch=Watch(min(times), max(times)))


def _bgl_line(line: str, number: int, findings: Findings) -> dict[str, Any]:
    words = line.split(None, 5)
    if len(words) >= 4 and words[1] == "RAS" and words[3] in _SEVERITIES:
        words = [words[0], "NULL", *line.split(None, 4)[1:]]
    if len(words) < 5 or words[4] not in _SEVERITIES:
        raise LineError("bad-line", "the line is not time, location, RAS, facility, severity")
    location = "" if words[1] == "NULL" else words[1]
    if not location:
        findings.add("noted", number, "no-location", "no location")
    return {
        "time": _time(words[0]),
        "node": location,
        "repair": math.nan,
        "system": "bluegene-l",
        "cause": words[3],
        "midplane": midplane_of(location),
        "severity": words[4],
        "message": words[5] if len(words) == 6 else "",
    }


def read_mira_ras(
    source: Source,
    *,
    heads: bool = False,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read Mira's filtered fatal events, grouped by similarity.

    Parameters
    ----------
    source : path or file object
        ``event`` heads a group, indented lines are related to it.
    heads : bool
        Keep only the first event of each group: the distinct failures.
    since, until, strict
        As of `read_failures`.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the log, which is not that of time: `time` [s] (first
        record, read as if it were UTC), `node` (location; empty where there is none), `repair`
        (nan), `system` (``mira``), `cause` (category), `line`, `midplane`, `group` (from 1),
        `head` (bool), `similarity` (to the head; 1 for itself), `component`, `severity`,
        `message_id`, `event_id`, `record_id`, `last_time` [s], `messages` (how many), `pattern`
        (of the location), `last_field` (undocumented; mostly like a partition size).

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `bad-time`, `not-a-number`, `empty`. Repaired: `out-of-range`
    (a similarity beyond [0, 1] becomes nan; no messages and ids below 0 become -1; a last record
    before the first is taken at its time). Noted: `no-location`.
    """
    groups = 0

    def parse(line: str, number: int, findings: Findings) -> list[dict[str, Any]]:
        nonlocal groups
        groups += line.startswith("event")
        row = _mira_row(line.split(), groups, number, findings)
        return [row] if row["head"] or not heads else []

    return read_lines(source, parse, _MIRA, since=since, until=until, strict=strict)


def _mira_row(words: list[str], group: int, number: int, findings: Findings) -> dict[str, Any]:
    if len(words) == 12 and words[10] == "NULL":
        words.insert(11, "")
        findings.add("noted", number, "no-location", "no location")
    if len(words) != 13:
        raise LineError("wrong-columns", f"{len(words)} columns instead of 13")
    head = words[0] == "event"
    places = {"event_id": 1, "record_id": 3, "messages": 9, "last_field": 12}
    numbers = {name: whole(words[place]) for name, place in places.items()}
    similarity = 1.0 if head else finite(words[0])
    if similarity is None or None in numbers.values():
        raise LineError("not-a-number", "a numeric column holds text")
    time, last = _time(words[7]), _time(words[8])
    if not 0.0 <= similarity <= 1.0:
        findings.add("repaired", number, "out-of-range", f"similarity {words[0]}: unknown")
        similarity = math.nan
    for name, least in (("messages", 1), ("event_id", 0), ("record_id", 0)):
        if (value := numbers[name]) is not None and value < least:
            findings.add("repaired", number, "out-of-range", f"{name} is {value}: unknown")
            numbers[name] = -1
    if last < time:
        reason = f"the last record is {time - last:g} s before the first: taken at its time"
        findings.add("repaired", number, "out-of-range", reason)
        last = time
    return numbers | {
        "similarity": similarity,
        "time": time,
        "last_time": last,
        "node": words[11],
        "midplane": midplane_of(words[11]),
        "repair": math.nan,
        "system": "mira",
        "cause": words[5],
        "group": group,
        "head": head,
        "component": words[6],
        "severity": words[4],
        "message_id": words[2],
        "pattern": words[10],
    }


def _time(text: str) -> float:
    try:
        return wall_clock(text)
    except ValueError:
        raise LineError("bad-time", f"{text!r} is not a date and time") from None
