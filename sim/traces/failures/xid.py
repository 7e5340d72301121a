"""Xid errors of NVIDIA GPUs in the kernel logs of their hosts."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from ..._checks import whole
from ..parsing.dates import written_date
from ..parsing.numbers import LARGEST, finite
from ..parsing.report import Findings, Trace, Watch
from ..parsing.rows import written_lines
from ..parsing.sources import Source, open_source
from ..parsing.times import Instant
from .rows import selected_rows

_XID = re.compile(
    r"NVRM: Xid \((?:PCI:)?(?P<device>[0-9A-Fa-f:.]{1,40})\): "
    r"(?P<number>[0-9]{1,9})\b,?(?P<text>.*)"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = "|".join(_MONTHS)
_CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}"
_HOST = r" (?P<host>[^ \[\]:]{1,255}) "
# A line of the kernel by its time: since the boot, of `dmesg -T`, of syslog, ISO 8601, Unix.
_FORMS = (
    re.compile(
        r"(?:<[0-9]{1,3}>|[a-z]{1,8} *:[a-z]{1,8} *: )?\[ *(?P<uptime>[0-9]{1,12}\.[0-9]{1,9})\]"
    ),
    re.compile(
        rf"\[?(?P<printed>[A-Z][a-z]{{2}} (?:{_MONTH}) [ 0-9]?[0-9] {_CLOCK} [0-9]{{4}})\]?"
    ),
    re.compile(
        rf"(?P<month>{_MONTH}) (?P<day>[ 0-9]?[0-9]) (?P<clock>{_CLOCK}(?:\.[0-9]{{1,9}})?){_HOST}"
    ),
    re.compile(
        rf"(?P<iso>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{_CLOCK}(?:[.,][0-9]{{1,9}})?(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)"
        rf"(?:{_HOST}| )"
    ),
    re.compile(rf"(?P<unix>[0-9]{{9,10}}\.[0-9]{{1,9}}){_HOST}"),
)
_STORM, _WITHIN = 5, 10.0  # so many of one kind, none more than so many seconds after another
_YEARS = range(2000, 2004)  # where the log names none: the first in which all its days exist


@dataclass(frozen=True, slots=True)
class _Moment:
    """When a line was written: a time [s], or month, day and second of the day without a year.

    `boot` says that the time is one since the boot.
    """

    time: float | None
    boot: bool = False
    month: int = 0
    day: int = 0
    clock: float = 0.0


def read_xid(
    source: Source,
    *,
    year: int | None = None,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    strict: bool = False,
) -> Trace:
    """Read the lines ``NVRM: Xid (PCI:0000:3b:00): 79, ...`` of a kernel log.

    Parameters
    ----------
    source : path or file object
        What ``dmesg``, ``dmesg -T`` or ``journalctl -k`` prints (short, short-iso, short-unix), or
        a file such as ``/var/log/messages``.
    year : int, optional
        Of the first line, where the dates have none. Default: 2000.
    system, node, since, until, strict
        As of `read_failures`; a node is a host, the system is ``xid``.

    Returns
    -------
    Trace
        ``frame`` has one row per error, in the order of the log: `time` [s] (since the boot for
        plain ``dmesg``; else Unix, of a wall clock without an offset as if it were UTC), `node`
        (host; empty where the lines have none), `repair` (nan), `system` (``xid``), `cause` (the
        number), `line`, `detail` (address of the GPU), `message`. ``watch`` goes, where other lines
        were kept besides, from the first to the last, and has the number of hosts.

    Raises
    ------
    ValueError, TypeError
        As of `read_failures`; also if `year` is outside [1970, 9998].

    Notes
    -----
    Dates of syslog have no year: the first line is of `year`, and wherever the month falls back by
    more than one the next year begins. Where the lines of each host stand together, every host
    begins in `year` again. One GPU may repeat an error many times: each is a row.

    Rules. Dropped: `bad-time`, `bad-xid`, `empty`. Skipped: `other-message`. Noted: `no-year`,
    `clock-restarts` (of plain ``dmesg``: times go on from the last before), `storm` (5 or more of
    one GPU and number, none over 10 s after another).
    """
    if year is not None and not 1970 <= whole("year", year) <= 9998:
        raise ValueError(f"year must be in [1970, 9998], got {year}")
    findings = Findings()
    content = open_source(source, findings)
    lines = list(written_lines(content, findings))
    hosts, moments = _read_heads(line for _, line in lines)
    times = _times(moments, hosts, [number for number, _ in lines], year, findings)
    rows: list[tuple[Any, ...]] = []
    others = []
    for (number, line), host, time in zip(lines, hosts, times, strict=True):
        found = _XID.search(line)
        if found is None:
            if "NVRM: Xid" in line:
                reason = f"no address and number after Xid: {line[:80]!r}"
                findings.add("dropped", number, "bad-xid", reason)
            else:
                others.append(number)
            continue
        if time is None:
            findings.add("dropped", number, "bad-time", f"no date and time: {line[:80]!r}")
            continue
        text = found["text"].strip()
        rows.append((time, host, math.nan, "xid", found["number"], number, found["device"], text))
    findings.add_lines(
        "skipped", np.array(others, dtype=np.int64), "other-message", "a line without an Xid"
    )
    _note_storms(rows, findings)
    chosen = {"system": system, "node": node}
    frame = selected_rows(rows, "detail", "message", chosen=chosen, since=since, until=until)
    watch, known = None, [one for one in zip(times, hosts, strict=True) if one[0] is not None]
    if others and known:
        watch = Watch(min(known)[0], max(known)[0], len({host for _, host in known}))
    return findings.trace(
        content.name, frame, records=len(lines), of="line", strict=strict, watch=watch
    )


def _read_heads(lines: Iterable[str]) -> tuple[list[str], list[_Moment | None]]:
    """Return host and time of each line; None for one without a time that exists."""
    hosts, moments = list[str](), list[_Moment | None]()
    for line in lines:
        form = next((found for form in _FORMS if (found := form.match(line))), None)
        parts = {} if form is None else form.groupdict()
        hosts.append(parts.get("host") or "")
        moments.append(_moment(parts))
    return hosts, moments


def _moment(parts: dict[str, str | None]) -> _Moment | None:
    if (seconds := parts.get("uptime") or parts.get("unix")) is not None:
        time = finite(seconds)
        boot = parts.get("uptime") is not None
        return None if time is None or time > LARGEST else _Moment(time, boot)
    if (iso := parts.get("iso")) is not None:
        try:
            moment = datetime.fromisoformat(iso.replace(",", "."))
        except ValueError:
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return _Moment(moment.timestamp())
    if (printed := parts.get("printed")) is not None:
        date = written_date(re.sub(" +", " ", printed))
        time = None if date is None else date.seconds("month-first")
        return None if time is None else _Moment(time)
    if (clock := parts.get("clock")) is None:
        return None
    hour, minute, second = clock.split(":")
    of_day = 3600.0 * int(hour) + 60.0 * int(minute) + float(second)
    month, day = _MONTHS.index(parts["month"] or "") + 1, int(parts["day"] or 0)
    return _Moment(None, False, month, day, of_day) if of_day < 86_401.0 else None


def _times(
    moments: list[_Moment | None],
    hosts: list[str],
    lines: list[int],
    year: int | None,
    findings: Findings,
) -> list[float | None]:
    """Return the times, with years where the log has none, and one clock over several boots."""
    dateless = [
        place for place, moment in enumerate(moments) if moment is not None and moment.time is None
    ]
    for begun in _YEARS if year is None else (year,):
        dated = _dated(moments, hosts, begun)
        if all(dated[place] is not None for place in dateless):
            break
    if dateless and year is None:
        reason = f"dates without a year: the first is taken to be of {begun}"
        findings.add("noted", lines[dateless[0]], "no-year", reason)
    offset = last = 0.0
    for place, (moment, time) in enumerate(zip(moments, dated, strict=True)):
        if moment is None or time is None or not moment.boot:
            continue
        if time + offset < last - 1.0:
            offset = last
            reason = "a boot: times go on from the last before"
            findings.add("noted", lines[place], "clock-restarts", reason)
        dated[place] = last = max(last, time + offset)
    return dated


def _dated(moments: list[_Moment | None], hosts: list[str], begun: int) -> list[float | None]:
    """Return the times where the first line without a year is of the year `begun`."""
    together = _stand_together(hosts)
    years: dict[str, tuple[int, int]] = {}  # year and month of the last line
    found: list[float | None] = []
    for moment, host in zip(moments, hosts, strict=True):
        if moment is None or moment.time is not None:
            found.append(None if moment is None else moment.time)
            continue
        key = host if together else ""
        now, month = years.get(key, (begun, moment.month))
        if moment.month < month - 1:
            now += 1
        # A step back into the month before is a line out of order.
        years[key] = (now, month if moment.month == month - 1 else moment.month)
        found.append(_of_year(now, moment))
    return found


def _of_year(year: int, moment: _Moment) -> float | None:
    try:
        return datetime(year, moment.month, moment.day, tzinfo=UTC).timestamp() + moment.clock
    except ValueError:
        return None


def _stand_together(hosts: list[str]) -> bool:
    """Whether there are several hosts, and the lines of each are one block."""
    runs = [
        host
        for place, host in enumerate(hosts)
        if host and (place == 0 or host != hosts[place - 1])
    ]
    return len(runs) > 1 and len(runs) == len(set(runs))


def _note_storms(rows: list[tuple[Any, ...]], findings: Findings) -> None:
    """Note where one GPU repeats an error many times within seconds."""
    kinds: dict[tuple[str, str, str], list[tuple[float, int]]] = defaultdict(list)
    for time, host, _, _, number, line, device, _ in rows:
        kinds[host, device, number].append((time, line))
    for (host, device, number), its in kinds.items():
        times = np.array([time for time, _ in its])
        order = np.argsort(times, kind="stable")
        breaks = np.flatnonzero(np.diff(times[order]) > _WITHIN) + 1
        for run in np.split(order, breaks):
            if run.size >= _STORM:
                span = times[run[-1]] - times[run[0]]
                where = f"{device} of {host}" if host else device
                reason = f"Xid {number} of {where} {run.size} times within {span:.3g} s"
                findings.add("noted", its[run[0]][1], "storm", reason)
