"""One way from the rows of a log to failures, for every question that is asked of it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ..._checks import flag, nonnegative, one_of, shown
from ..parsing.report import IntArray, Report, Trace, Watch
from ..parsing.sources import Limited, Source
from ..parsing.times import Instant
from .outages import Outages, numbered_nodes, outages_of
from .sacctmgr import MERGE_WITHIN
from .understanding.coarse import rule_of
from .understanding.sheet import Columns
from .uptimes import Uptimes, uptimes

if TYPE_CHECKING:
    import pandas as pd

_DATED = 1e8  # larger times are dates
_SHOWN = 12


@dataclass(frozen=True, slots=True, eq=False)
class FailureLog:
    """The failures of a log, and what became of each of its rows.

    Parameters
    ----------
    format : str
        Name of the format that was read.
    failures : DataFrame
        A row per failure, in the order of time: `time` [s], `node`, `repair` [s] (from the first
        of its rows to the end of the last, nan where unknown), `system`, `cause`, `line`, `rows`
        (how many it had), and what the reader of the format adds.
    understood : str
        What the columns were taken for, and what was found, in words.
    within : float, [s]
        Rows of one node with at most this between them were merged.
    used, merged, filtered, dropped : ndarray of int64
        Lines that began a failure; that are part of one; that are of none (up again, planned,
        not asked for); that could not be read. Together they are all records.
    report : Report
        What the reader met.
    watch : Watch, optional
        What the log says of its own observation.
    told_apart : dict of str to int
        How many failures were placed within the day or hour of the one before, by rule.
    """

    format: str
    failures: pd.DataFrame
    understood: str
    within: float
    used: IntArray
    merged: IntArray
    filtered: IntArray
    dropped: IntArray
    report: Report
    watch: Watch | None = None
    told_apart: dict[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> dict[str, int]:
        """How many records there are, and what became of them."""
        counts = {
            name: int(getattr(self, name).size)
            for name in ("used", "merged", "filtered", "dropped")
        }
        return {"records": sum(counts.values())} | counts

    @property
    def counted(self) -> bool:
        """Whether the log says how many failures there were in which time, and not when."""
        return self.watch is not None and self.watch.failures is not None

    def uptimes(
        self,
        *,
        by: Literal["system", "node"] = "system",
        since: Instant = None,
        until: Instant = None,
        first: Literal["drop", "censored", "complete"] = "drop",
        exclude_repair: bool | None = None,
        nodes: int | None = None,
    ) -> Uptimes:
        """Return the uptimes between the failures, as `sim.traces.uptimes` does.

        A log that says when it was watched, or how many nodes it watched, is taken at its word
        where an argument does not say otherwise; of one that counts failures there are no
        durations.
        """
        one_of("by", by, ("system", "node"))
        watch = self.watch or Watch()
        size = watch.nodes if nodes is None else nodes
        if watch.failures is not None and since is None and until is None:
            time = watch.time
            if by == "node":
                time = watch.node_time
                if nodes is not None or time is None:
                    time = None if size is None or watch.time is None else size * watch.time
            if time is None:
                raise ValueError("nodes must be given for a log of counts without them, got None")
            return Uptimes.of_counts(watch.failures, time, self.failures["repair"])
        if since is None and until is None and watch.start is not None and watch.end is not None:
            if self.failures.empty:
                time = (watch.end - watch.start) * (1 if by == "system" else size or 1)
                return Uptimes.of_counts(0, time)
            since, until = watch.start, watch.end
        if self.failures.empty and watch.failures is not None:
            raise ValueError("since and until must be left out for a log of counts")
        found = uptimes(
            self.failures,
            by=by,
            since=since,
            until=until,
            first=first,
            exclude_repair=exclude_repair,
            nodes=size if by == "node" else None,
        )
        return replace(found, counts=self.told_apart | found.counts)


def failure_log(
    source: Source,
    format: str | None = None,  # noqa: A002
    *,
    columns: Columns | None = None,
    delimiter: str | None = None,
    merge_within: float | None = None,
    cause: Sequence[str] = (),
    not_cause: Sequence[str] = (),
    planned: bool = False,
    system: Any = None,
    node: Any = None,
    strict: bool = False,
) -> FailureLog:
    r"""Read a failure log, and say what became of each of its rows.

    Parameters
    ----------
    source : path or file object
        The log.
    format : str, optional
        A name in `FAILURE_FORMATS`; told by the first lines of a file where it is not given.
    columns : Columns, optional
        What is known of the columns of a table, of the unit of its numbers, its time zone, and of
        the states that are failures.
    delimiter : str, optional
        What separates the columns of a table of text.
    merge_within : float, [s], optional
        Rows of one node with at most this between the end of one and the start of the next are one
        outage. Default: 2 s for Slurm, whose older versions end a state a second early, for Xid
        errors, which come together, and for tables with dates and ends; else 0. A node that a table
        says goes down again without having come up fails again after this time.
    cause, not_cause : sequence of str
        Keep the failures, leave out those, in whose cause one of these words stands.
    planned : bool
        Whether planned work counts as a failure.
    system, node : value or several, optional
        Keep these only.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    FailureLog
        Failures, and the lines that were used, merged, filtered and dropped.

    Raises
    ------
    ValueError
        If the format is unknown, its reader refuses the file, a cause or a selection is not in the
        log, or an option has nothing to act on; with `strict`, at the first malformed line.
    TypeError
        If an argument is of the wrong kind.

    Examples
    --------
    >>> import io
    >>> text = "node,down,up\nn1,2026-01-01,2026-01-02\nn1,2026-01-02,2026-01-03\n"
    >>> log = failure_log(io.StringIO(text + "n2,2026-01-21,2026-01-23\n"), "csv")
    >>> print(log.understood)
    time "down"; end "up"; 2 failures of 2 nodes, 2026-01-01 to 2026-01-21
    >>> log.rows, log.merged.tolist()
    ({'records': 3, 'used': 2, 'merged': 1, 'filtered': 0, 'dropped': 0}, [3])
    """
    if format is None:
        format = _told(source)  # noqa: A001
    trace = _read(source, format, columns or Columns(), delimiter, merge_within, strict=strict)
    return failures_of(
        trace,
        format,
        merge_within=merge_within,
        state=() if columns is None else columns.state,
        cause=cause,
        not_cause=not_cause,
        planned=planned,
        system=system,
        node=node,
    )


def _told(source: Source) -> str:
    """Return the format that the first lines tell, and leave a file object where it was."""
    from ..first_lines import failure_format_of

    if isinstance(source, str | os.PathLike | Limited):
        return failure_format_of(source)
    if not source.seekable():
        raise ValueError("format must be given for a file object that cannot go back, got None")
    place = source.tell()
    told = failure_format_of(source)
    source.seek(place)
    return told


def _read(
    source: Source,
    layout: str,
    columns: Columns,
    delimiter: str | None,
    within: float | None,
    *,
    strict: bool,
) -> Trace:
    from ..formats import TABLES, ZONED, failure_reader
    from .csv import coded_failures_csv

    read = coded_failures_csv if layout in TABLES else failure_reader(layout)
    more: dict[str, Any] = {}
    if layout in TABLES:
        more = {"columns": columns, "delimiter": delimiter, "merge_within": within}
    else:
        if layout in ZONED and columns.timezone is not None:
            more["timezone"] = columns.timezone
            columns = replace(columns, timezone=None)
        roles = ("time", "end", "repair", "node", "kind", "cause")
        idle = {f"{role}_column": getattr(columns, role) for role in roles}
        idle |= {name: getattr(columns, name) for name in ("unit", "timezone", "date_order")}
        idle["delimiter"] = delimiter
        for name, value in idle.items():
            if value is not None:
                raise ValueError(f"{name} must be left out for format {layout}, got {shown(value)}")
    return read(source, strict=strict, **more)


def failures_of(
    trace: Trace,
    format: str,  # noqa: A002
    *,
    merge_within: float | None = None,
    state: Sequence[str] = (),
    cause: Sequence[str] = (),
    not_cause: Sequence[str] = (),
    planned: bool = False,
    system: Any = None,
    node: Any = None,
) -> FailureLog:
    """Return the failures of what a reader returned.

    Parameters
    ----------
    trace : Trace
        As a reader of failure logs returned it.
    format : str
        Name of the format that was read.
    merge_within : float, [s], optional
        As of `failure_log`.
    state, cause, not_cause : sequence of str
        States that are failures; the others as of `failure_log`.
    planned : bool
        Whether planned work counts as a failure.
    system, node : value or several, optional
        Keep these only.

    Returns
    -------
    FailureLog
        Failures, and the lines that were used, merged, filtered and dropped.

    Raises
    ------
    ValueError
        If a state, a cause or a selection is not in the log, or `merge_within` is negative.
    TypeError
        If an argument is of the wrong kind.
    """
    from .frame import decoded, other_names, selected

    if flag("planned", planned) and trace.watch is not None and trace.watch.lines.size:
        raise ValueError("planned must be left out for a log of counts, got True")
    frame, related = trace.frame, np.zeros(0, dtype=np.int64)
    several = format.startswith(("sacctmgr", "xid")) or _last_dated(frame, format)
    within = MERGE_WITHIN if several else 0.0
    if merge_within is not None:
        within = nonnegative("merge_within", merge_within)
    nodes = numbered_nodes(frame, as_read=True)
    if others := other_names(nodes.names):
        frame = decoded(frame)
        frame = frame.assign(node=frame["node"].replace(others))
        nodes = numbered_nodes(frame)
    if "head" in frame:  # of a group of related events the first is the failure
        head = frame["head"].to_numpy(dtype=np.bool_)
        related, frame = frame["line"].to_numpy(dtype=np.int64)[~head], frame[head]
    fails = np.ones(len(frame), dtype=np.bool_)
    if "fails" in frame and not planned:
        fails = frame["fails"].to_numpy(dtype=np.bool_, copy=True)
    said = []
    if state and "state" in frame:
        fails &= _matching("state", state, frame["state"], _states)
        said.append(f"states {' or '.join(state)}")
    if cause:
        fails &= _matching("cause", cause, frame["cause"], None)
        said.append(f"causes with {' or '.join(cause)}")
    if not_cause:
        fails &= ~_matching("not_cause", not_cause, frame["cause"], None)
        said.append(f"causes without {' or '.join(not_cause)}")
    frame = frame.assign(fails=fails)
    lines = frame["line"].to_numpy(dtype=np.int64)
    keep = selected(frame, {"system": system, "node": node})
    chosen = frame if keep.all() else frame.loc[keep]
    if len(chosen) < nodes.codes.size:
        nodes = numbered_nodes(chosen)
    found = outages_of(chosen, nodes, within=within)
    used = found.frame["line"].to_numpy(dtype=np.int64)
    if trace.watch is not None and frame.empty:
        used = trace.watch.lines
    dropped, merged, skipped = (trace.report.lines(effect) for effect in _LEFT_OUT)
    merged = np.concatenate([found.merged, merged, related])
    filtered = np.concatenate([found.filtered, skipped, lines[~keep]])
    ways = used, merged, filtered, dropped
    # A line is one record, which may have told several rows.
    used, merged, filtered, dropped = (
        map(np.sort, ways) if trace.report.shared else _each_once(*ways)
    )
    words = "; ".join(filter(None, [trace.understood, *said]))
    return FailureLog(
        format=format,
        failures=decoded(found.frame),
        understood=f"{words}; {_found(found, trace.watch)}".removeprefix("; "),
        within=within,
        used=used,
        merged=merged,
        filtered=filtered,
        dropped=dropped,
        report=trace.report,
        watch=trace.watch,
        told_apart={rule_of(found.step): found.within_step} if found.within_step else {},
    )


def _last_dated(frame: pd.DataFrame, layout: str) -> bool:
    """Whether a row of a table has a date and an end."""
    if layout != "csv":
        return False
    ends = frame["time"].to_numpy(dtype=np.float64) > _DATED
    ends &= frame["repair"].notna().to_numpy()
    return bool(ends.any())


_LEFT_OUT: tuple[Literal["dropped"], Literal["merged"], Literal["skipped"]] = (
    *("dropped", "merged", "skipped"),
)


def _each_once(*ways: IntArray) -> list[IntArray]:
    """Return lines in ascending order, each in the first of the ways that has it."""
    last = max((int(lines.max()) for lines in ways if lines.size), default=-1)
    way = np.full(last + 1, len(ways), dtype=np.uint8)
    for number, lines in reversed(list(enumerate(ways))):
        way[lines] = number
    return [np.flatnonzero(way == number) for number in range(len(ways))]


def _states(text: str) -> set[str]:
    return {re.sub(r"[*$~#!%@^-]+$", "", part.strip()).lower() for part in text.split("+")}


def _matching(
    name: str, wanted: Sequence[str], column: pd.Series[Any], parts: Any
) -> npt.NDArray[np.bool_]:
    """Return the rows in which one of the words stands; refuse a word that stands in none."""
    import pandas as pd

    codes, texts = pd.factorize(column.astype(str))
    found = np.zeros(len(texts), dtype=np.bool_)
    for word in wanted:
        if not isinstance(word, str) or not word:
            raise ValueError(f"{name} must hold words, got {shown(word)}")
        if parts is not None:
            here = [word.lower() in parts(text) for text in texts]
        else:
            stands = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
            here = [bool(stands.search(text)) for text in texts]
        if not any(here):
            some = ", ".join(map(str, sorted(texts)[:_SHOWN]))[:200] or "none"
            raise ValueError(f"{name} must be one of {some}, got {shown(word)}")
        found |= np.array(here, dtype=np.bool_)
    return found[codes]


def _found(found: Outages, watch: Watch | None) -> str:
    """Return how many failures of how many nodes there are, and from when to when."""
    frame = found.frame
    if watch is not None and frame.empty and watch.failures is not None:
        count, nodes, times = watch.failures, watch.nodes, (watch.start, watch.end)
        of = "" if nodes is None else f" of {nodes:,} nodes"
    else:
        count = len(frame)
        of = f" of {_many(found.nodes, 'node')}" if found.nodes else ""
        time = frame["time"].to_numpy(dtype=np.float64)
        times = (float(time[0]), float(time[-1])) if time.size else (None, None)
    start, end = times
    when = "" if start is None or end is None else f", {_day(start)} to {_day(end)}"
    return f"{_many(count, 'failure')}{of}{when}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _day(time: float) -> str:
    if abs(time) < _DATED or abs(time) > 2.5e11:
        return f"{time:.15g} s"
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")
