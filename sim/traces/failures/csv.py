"""A plain table of failures, as operators keep it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from ..._checks import shown
from ..machines.node_lists import names_in
from ..parsing.dates import DateOrder, decide_order, refuse_two_orders, written_date
from ..parsing.delimited import Column, Delimited, Shape, read_delimited
from ..parsing.encoding import UNTOLD
from ..parsing.numbers import finite, whole
from ..parsing.report import Argument, Findings, LogRefused, Trace, Watch
from ..parsing.sources import Source, open_source
from ..parsing.times import Instant
from ..parsing.values import (
    UNITS,
    clock_of,
    each,
    instants,
    localised,
    number_reader,
    refuse_set_back,
    unit_in_name,
    words_of,
)
from .conditions import condition_of, is_planned
from .frame import COLUMNS, coded, decoded, each_node, failure_frame, select
from .sacctmgr import EVENTS_COMMAND
from .states import outages_of_states, told_again
from .understanding.lists import LOOKED_AT, refuse_lists
from .understanding.sheet import (
    CAUSE,
    END,
    KIND,
    REPAIR,
    STATE,
    TIME,
    TIMEZONE,
    Columns,
    is_day,
)
from .understanding.times import duration_seconds, told_by_ends
from .understanding.understood import Understood, understand
from .understanding.unnamed import kind_of_column, told_by_values
from .understanding.words import counts_nodes, is_header, is_of_node, tokens_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["coded_failures_csv", "read_failures_csv"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_COMPACT = re.compile(r"[0-9]{8}|(?:19|20)[0-9]{2}")
_SAMPLE = 2_000  # fields whose marks are looked at
_SOME = 20_000  # rows of nodes that show whether they are runs
_FEW = 20  # words that say of rows without a header what they are
_DATED = 1e8  # s since 1970, in 1973: no log is older, and seconds from its start are mostly fewer
_NEVER = 4.07e9  # s since 1970, in 2098: an end such as 2099-12-31 or 9999-12-31 is none yet
_UNSET = 172_800.0  # s since 1970: among dates of today such as 1970-01-01 or 1900-01-01 are none
_SOON = 43_200.0  # s: a message that is told again comes within half a day
_RESOLUTION = 60.0  # s: many logs write minutes only
_AHEAD = re.compile(r"[+-][0-9]{2}:?[0-9]{2}$(?<!00:00)(?<!0000)|(?<!UTC)(?<!GMT)(?<=[A-Z]{3})$")
_NO_YEAR = re.compile(r"(?:[A-Z][a-z]{2} +[0-9]{1,2}|[0-9]{1,2} [A-Z][a-z]{2}) [0-9:.]{5,}")
_ADD_YEAR = r"sed -E 's/([A-Z][a-z]{2}( +[0-9]{1,2})?) ([0-9]{2}:)/\1 2026 \3/'"
_RECODED = "iconv -f its-encoding -t UTF-8 makes it so"
_ORDERS: dict[DateOrder, str] = {
    "month-first": "month/day/year",
    "day-first": "day/month/year",
    "year-first": "year-month-day",
}
_FREE = ("description", "comment", "reason", "message", "note", "notes", "text", "details", "title")


def read_failures_csv(
    source: Source,
    *,
    system: Any = None,
    node: Any = None,
    since: Instant = None,
    until: Instant = None,
    delimiter: str | None = None,
    columns: Columns | None = None,
    merge_within: float | None = None,
    strict: bool = False,
) -> Trace:
    """Read a table of text with a failure, or the state of a node, in each line.

    Parameters
    ----------
    source : path or file object
        With a header line, columns are found by their names and their values: when a node failed
        (`time` or `down`), when it came back (`end` or `up`) or how long that took (`repair`),
        `node`, `system`, `cause`; common synonyms and units in names (``downtime_hours``) are
        understood. A flag (``failed`` 0 or 1) says which rows are failures; words such as down
        and up, of one node in turn, begin and end an outage; numbers of failures a day or week are
        counts. Without a header, the first column is the time and the second, where there is
        one, the repair time; or they are told by their values. Times are dates (no zone: UTC,
        or that of `columns`) or numbers: seconds, or, beyond 1e11, ms, us or ns since 1970.
        ``#`` starts a comment.
    system, node : value or several, optional
        Keep these only.
    since, until : seconds, ISO date or datetime, optional
        Keep failures in [since, until).
    delimiter : str, optional
        What separates columns; found out where it is not given.
    columns : Columns, optional
        What is known of the columns.
    merge_within : float, [s], optional
        A node that goes down again without having come up fails again after this time; not given,
        such a log is refused.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the log: `time` [s], `node` (-1 where unknown), `repair`
        [s] (nan where unknown), `system` (empty where unknown), `cause`, `line`, and `fails`:
        False for planned work. ``understood`` says what the columns were taken for. A log of
        counts has an empty frame and them in ``watch``.

    Raises
    ------
    ValueError
        If no column is a time, columns may be read in two ways, or the file is binary; with
        `strict`, at the first malformed line; if a selection is not in the log.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Rules. Dropped: `empty` (no record), `wrong-columns`, `bad-time` (also seconds below 0),
    `bad-count`. Repaired: `bad-repair` and `negative-repair` (repair becomes nan), `bad-node` (a
    number below 0 becomes -1). Skipped: `no-failure` (a flag that is not set, a node that is up),
    `repeated-header`, `second-header`, `units`. Merged: `still-down` (a node that was down
    already), `back-up`. Noted: `not-over` (no end, as others have: the repair is unknown),
    `unsorted`, `ignored-columns`, `day-above` (a time of day alone, as in merged cells: of the day
    above), `node-list` (several nodes in a field: a row of each), `times-left-out` (of counts: days
    or weeks without a row),
    `repair-differs` (from the end that is there too by more than a minute: the repair counts),
    `date-order` (whether the day or the month was taken to come first: as a day above 12 shows;
    else the month, or the day where dates are dotted), `compact-dates` (values such as 20030108:
    dates where the column is called a date and all have eight digits, or where others are written
    dates; else seconds).
    """
    read = _read(source, delimiter, columns, merge_within)
    frame = select(decoded(read.frame), {"system": system, "node": node}, since=since, until=until)
    return read.trace(frame, strict=strict)


def coded_failures_csv(
    source: Source,
    *,
    delimiter: str | None = None,
    columns: Columns | None = None,
    merge_within: float | None = None,
    strict: bool = False,
) -> Trace:
    """Do what `read_failures_csv` does, and leave its texts as `frame.coded` makes them."""
    read = _read(source, delimiter, columns, merge_within)
    return read.trace(read.frame, strict=strict)


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read, and what was found on the way."""

    name: str
    findings: Findings
    records: int
    frame: pd.DataFrame
    words: str = ""
    watch: Watch | None = None

    def trace(self, frame: pd.DataFrame, *, strict: bool) -> Trace:
        report = self.findings.report(
            self.name, records=self.records, rows=len(frame), strict=strict
        )
        return Trace(frame, report, understood=self.words, watch=self.watch)


def _read(
    source: Source, delimiter: str | None, columns: Columns | None, within: float | None
) -> _Read:
    if delimiter is not None and (not isinstance(delimiter, str) or not 1 <= len(delimiter) <= 8):
        raise ValueError(f"delimiter must be one character, got {shown(delimiter)}")
    given = Columns() if columns is None else columns
    findings = Findings()
    content = open_source(source, findings)
    content.check_lines(of_line=200, of_field=40)
    named = {getattr(given, field.name) for field in fields(given)} - {None, (), ""}

    def names_columns(names: Sequence[str]) -> bool:
        return is_header(names) or not named.isdisjoint(names)

    refuse_lists(content.whole[:LOOKED_AT].tobytes().decode("latin-1"))
    shape = Shape(names_columns, delimiter=delimiter, free=_FREE, quotes=True, aligned=True)
    try:
        table = read_delimited(content.whole, findings, shape, signs=content.signs)
    except ValueError as error:
        raise ValueError(str(error).replace("the file", content.name)) from None
    frame = failure_frame(**{name: [] for name in COLUMNS})
    answer = _Read(content.name, findings, table.records, frame)
    if not table.records:
        findings.add("dropped", 1, "empty", "the file holds no failure")
        return answer
    try:
        table = _without_units(_with_one_header(table, findings), findings)
        table, given = told_by_values(table, given, findings)
        found = _understood(table, given, findings)
    except ValueError as error:
        if not (findings.met("latin-1") or findings.met(UNTOLD)):
            raise
        said = error if isinstance(error, LogRefused) else LogRefused(str(error))
        raise said.followed_by(f"; the file is not in UTF-8: {_RECODED}") from None
    if findings.met(UNTOLD):
        _refuse_untold(table, found)
    rows = _Rows(table, found, given, findings, within)
    answer = replace(answer, records=table.records, words=found.words)
    if found.meaning == "counts":
        return replace(answer, watch=rows.counted())
    frame, seen = rows.frame()
    return replace(answer, frame=frame, watch=seen)


def _refuse_untold(table: Delimited, found: Understood) -> None:
    """Refuse names and words that an encoding which is not known has made others of."""
    words = [(max(table.header_line, 1), name) for name in table.header]
    for place in (found.node, found.system, found.cause, found.kind, found.planned):
        if place is not None:
            codes, texts = table.columns[place].coded()
            first = np.unique(codes, return_index=True)[1]
            words += zip(table.lines[first].tolist(), texts, strict=True)
    for line, text in words:
        if not text.isascii():
            raise ValueError(
                f"line {line}: text must be in UTF-8 or another encoding that can be told, got "
                f"what reads {text[:60]!r}: {_RECODED}"
            )


def _understood(table: Delimited, given: Columns, findings: Findings) -> Understood:
    if not table.header:
        return _bare(table, given, findings)
    found = understand(table, given)
    if found.unused:
        reason = f"columns that are not used: {', '.join(found.unused)[:100]}"
        findings.add("noted", table.header_line, "ignored-columns", reason)
    return found


def _with_one_header(table: Delimited, findings: Findings) -> Delimited:
    """Give each column the name of those that a spreadsheet merged above it, before its own."""
    if "" not in table.header or not len(table):
        return table
    below = [column.taken(np.zeros(1, dtype=np.int64)).texts()[0] for column in table.columns]
    if any(map(str.isdigit, "".join(below))) or not is_header(below):
        return table
    above, names = "", []
    for name, own in zip(table.header, below, strict=True):
        above = name or above
        names.append(f"{above if own else name} {own}".strip())
    reason = f"names in two lines: {', '.join(names)[:60]}"
    findings.add("skipped", int(table.lines[0]), "second-header", reason)
    return replace(table.taken(np.arange(1, len(table))), header=tuple(names))


def _without_units(table: Delimited, findings: Findings) -> Delimited:
    """Give the names of columns the units that stand in a line below them."""
    if not table.header or not len(table):
        return table
    first = [column.taken(np.zeros(1, dtype=np.int64)).texts()[0] for column in table.columns]
    units = [unit_in_name(f"in {text}") if not finite(text) else None for text in first]
    known = [text for text in first if re.fullmatch(r"[A-Za-z()\[\]µ/:.-]*", text) is None]
    if known or not any(units):
        return table
    reason = f"units of the columns: {', '.join(first)[:60]}"
    findings.add("skipped", int(table.lines[0]), "units", reason)
    header = tuple(
        name if unit is None else f"{name} [{unit}]"
        for name, unit in zip(table.header, units, strict=True)
    )
    return replace(table.taken(np.arange(1, len(table))), header=header)


def _bare(table: Delimited, given: Columns, findings: Findings) -> Understood:
    """Take the first column for the time and the second for the repair, or both by their values."""
    named = replace(table, header=tuple(f"column {n + 1}" for n in range(len(table.columns))))
    kinds = [kind_of_column(column) for column in table.columns]
    first = [column.taken(np.arange(min(len(column), 1))).texts() for column in table.columns]
    words = [text for texts in first for text in texts]
    if words and not any(character.isdigit() for text in words for character in text):
        raise LogRefused(
            f"line {table.lines[0]}: the header must name a column 'time', 'date' or 'down', got "
            f"{', '.join(words)[:200]!r}; ",
            *(TIME, " names another"),
        )
    if kinds == ["date", "flag"]:
        raise ValueError(
            f"line {table.lines[0]}: the header must say what {first[1][0]} means, got none: "
            "'time,failed' or 'time,available' as the first line does"
        )
    event, node = _event_and_node(table.columns, kinds)
    if "date" in kinds and (kinds[0] in ("words", "empty") or event is not None):
        dates = [place for place, kind in enumerate(kinds) if kind == "date"]
        names = [*named.header]
        for place, name in ((dates[0], "time"), (node, "node"), (event, "event")):
            if place is not None:
                names[place] = name
        if len(dates) > 1:
            names[dates[1]] = "end"
        elif "number" in kinds or "duration" in kinds:
            names[kinds.index("number" if "number" in kinds else "duration")] = "repair"
        return understand(replace(named, header=tuple(names)), given)
    if len(kinds) > 1 and kinds[0] == kinds[1] == "date":
        return understand(replace(named, header=("time", "end", *named.header[2:])), given)
    if len(kinds) > 2:
        reason = f"without a header, {len(kinds) - 2} columns after time and repair are not used"
        findings.add("noted", int(table.lines[0]), "ignored-columns", reason)
    header = ("time", "repair", *(f"column {n}" for n in range(3, len(kinds) + 1)))
    return understand(replace(named, header=header[: len(kinds)]), given)


def _event_and_node(
    columns: Sequence[Column], kinds: Sequence[str]
) -> tuple[int | None, int | None]:
    """Return the first column whose words are down and up, and the first of other words."""
    event = node = None
    for place, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
        if kind != "words":
            continue
        texts = {*column.taken(np.arange(min(len(column), _SAMPLE))).texts()}
        said = set(map(condition_of, texts)) if len(texts) < _FEW else set()
        if event is None and {"down", "up"} <= said <= {"down", "up", "planned"}:
            event = place
        elif node is None:
            node = place
    return event, node


class _Rows:
    """Turns the rows of a table that is understood into failures."""

    def __init__(
        self,
        table: Delimited,
        found: Understood,
        given: Columns,
        findings: Findings,
        within: float | None,
    ) -> None:
        self.within = within
        self.found = found
        self.given = given
        self.findings = findings
        self.table = table
        for place, values in found.no_failures:
            none = self._among(place, values)
            reason = "the row is not a failure"
            findings.add_lines("skipped", self.table.lines[none], "no-failure", reason)
            self.table = self.table.taken(~none)
        for day, clock in ((found.time, found.clock), (found.end, found.end_clock)):
            if day is not None and clock is not None:
                self._fill_days(day, clock)
        self.order = self._order()
        self.zones = dict[bool, str]()  # whether a date names its zone, and one that does
        time = self._instants(found.time, found.clock, "time")
        self.time = self._known_times(time)

    def _column(self, place: int | None) -> Column | None:
        return None if place is None else self.table.columns[place]

    def _coded(self, place: int | None) -> tuple[list[str], npt.NDArray[np.int64]]:
        """Return the different fields, and which each row has; "" without a column."""
        column = self._column(place)
        if column is None:
            return [""] * min(len(self.table), 1), np.broadcast_to(np.int64(0), len(self.table))
        codes, texts = column.coded()
        return texts, codes

    def _where(self, place: int | None, fits: Callable[[str], bool]) -> BoolArray:
        """Return the rows whose field fits; each text is looked at once."""
        if place is None:
            return np.zeros(len(self.table), dtype=np.bool_)
        texts, codes = self._coded(place)
        found: BoolArray = np.array([fits(text) for text in texts], dtype=np.bool_)[codes]
        return found

    def _among(self, place: int | None, values: frozenset[str]) -> BoolArray:
        """Return the rows whose field is one of some values, which are in lower case."""
        return self._where(place, lambda text: text.lower() in values)

    # Times.

    def _fill_days(self, day: int, clock: int) -> None:
        """Take the day of the row above where a spreadsheet merged it: a time of day alone."""
        columns = self.table.columns
        said = columns[day].said
        above = np.maximum.accumulate(np.where(said, np.arange(said.size), -1))
        merged = ~said & columns[clock].said & (above >= 0)
        if merged.any():
            filled = columns[day].taken(np.where(merged, above, np.arange(said.size)))
            self.table = replace(self.table, columns=(*columns[:day], filled, *columns[day + 1 :]))
            reason = "a time of day without a date: that of the row above"
            self.findings.add_lines("noted", self.table.lines[merged], "day-above", reason)

    def _order(self) -> DateOrder:
        """Return whether the month or the day comes first in dates of this file, and note it."""
        texts: list[tuple[int, str]] = []
        for place in (self.found.time, self.found.end):
            column = self._column(place)
            if column is None:
                continue
            seconds, _ = instants(column.taken(np.arange(min(len(column), 50))))
            if len(column) > 50 and not np.isnan(seconds).any() and not _written(column):
                continue  # none of them is in doubt
            codes, said = column.coded()
            first = np.zeros(len(said), dtype=np.int64)
            first[codes[::-1]] = self.table.lines[::-1]
            texts += zip(first.tolist(), said, strict=True)
        decision = decide_order(written_date(text) for _, text in texts)
        if self.given.date_order == "day-first":
            return "day-first"
        if decision is None or self.given.date_order is not None:
            return "month-first"
        number, text = texts[decision.example or 0]
        words = _ORDERS[decision.order]
        if decision.proofs:
            reason = f"dates are {words}, as {text} shows"
            if decision.against:
                reason += (
                    f"; {decision.against:,} of {decision.against + decision.proofs:,} cannot be"
                )
        else:
            reason = f"dates are taken as {words}: no day is above 12"
            if not decision.dotted:
                refuse_two_orders(texts, number, text)
        self.findings.add("noted", number, "date-order", reason)
        return decision.order

    def _instants(
        self, place: int, clock: int | None, role: str, after: FloatArray | None = None
    ) -> FloatArray:
        column = self.table.columns[place]
        seconds, zoned = instants(column, order=self.order, numbers=self.found.number_unit)
        if self.found.number_origin:
            seconds = np.where(zoned, seconds + self.found.number_origin, seconds)
        if zoned.any() or np.isnan(seconds).any():  # as eight digits are
            dated = clock is not None or (role == "time" and self.found.dated)
            if (spelt := self._compact(column, dated)) is not None:
                seconds, zoned = spelt, np.zeros(len(column), dtype=np.bool_)
        if clock is not None:
            seconds += each(self.table.columns[clock], _time_of_day)
        # A date alone has no zone; beside ends with times of day it is a midnight there.
        alone = clock is None and self.found.end is None
        if self.given.timezone is None or (alone and _are_dates(seconds)):
            self._refuse_mixed_zones(column, ~np.isnan(seconds), zoned)
            return seconds
        local = localised(np.where(zoned, np.nan, seconds), self.given.timezone, after=after)
        return np.where(zoned, seconds, local)

    def _refuse_mixed_zones(self, column: Column, known: BoolArray, zoned: BoolArray) -> None:
        """Refuse dates of which some name their zone and others do not."""
        # Where no date names a zone, which is usual, none need be looked for.
        rows = np.flatnonzero(known & zoned)[:_SAMPLE] if zoned.any() else np.zeros(0, np.int64)
        for text in filter(_AHEAD.search, column.taken(rows).texts()):
            self.zones.setdefault(True, text)
        plain = known & ~zoned
        if plain.any():
            self.zones.setdefault(False, column.taken(np.array([plain.argmax()])).texts()[0])
        if len(self.zones) > 1:
            raise LogRefused(
                f"line {self.table.lines[0]}: dates must all name their zone or none, got "
                f"{self.zones[True]} and {self.zones[False]}: ",
                *(TIMEZONE, " names that of the others"),
            )

    def _compact(self, column: Column, dated: bool) -> FloatArray | None:
        """Return the times of a column with dates such as 20030108; note where they are seconds."""
        if not np.isin(column.lengths, (4, 8)).any():
            return None
        codes, texts = column.coded()
        days = [place for place, text in enumerate(texts) if is_day(text, or_year=dated)]
        if not days:
            return None
        known = [text for text in texts if text]
        all_compact = all(_COMPACT.fullmatch(text) for text in known)
        line = int(self.table.lines[np.flatnonzero(codes == days[0])[0]])
        example = texts[days[0]]
        form = "yyyymmdd" if len(example) == 8 else "years"
        several = all_compact and len(days) == len(known) > 1 and self.given.unit is None
        if (all_compact and dated) or several or any(finite(text) is None for text in known):
            self.findings.add(
                "noted", line, "compact-dates", f"dates are {form}, as {example} shows"
            )
            return each(column, lambda text: _instant(_spelt(text), self.order))
        if all_compact or dated:
            reason = f"{example} is taken as seconds; for a date (yyyymmdd) "
            reason += "write 2003-01-08" if dated else "name the column 'date'"
            self.findings.add("noted", line, "compact-dates", reason)
        return None

    def _known_times(self, time: FloatArray) -> FloatArray:
        """Drop the rows whose time is none, and report each."""
        column = self.table.columns[self.found.time]
        since_1970 = time >= _DATED
        first = [since_1970.argmax()] if since_1970.any() else []
        late = column.taken(np.array(first, dtype=np.int64)).texts()
        # Among dates a number is none, such as the count in a line of totals.
        dated = any(finite(text) is None for text in late)
        early = np.flatnonzero(time < (_DATED if dated else 0.0))
        if early.size:
            numbers = each(column.taken(early), finite)
            time = time.copy()
            time[early[~np.isnan(numbers) | (dated & (time[early] < _UNSET))]] = np.nan
        bad = np.flatnonzero(np.isnan(time))
        texts = column.taken(bad).texts()
        for line, text in zip(self.table.lines[bad].tolist(), texts, strict=True):
            number = finite(text)
            what = "below 0" if number is not None and number < 0.0 else "not seconds or a date"
            if number is None and clock_of(text) is not None:
                what = "a date that was never set"
            elif _NO_YEAR.fullmatch(text):
                what = f"a date without its year, which {_ADD_YEAR} adds"
            reason = f"time {text[:60]!r} is {what}"
            self.findings.add("dropped", line, "bad-time", reason)
        if bad.size:
            good = ~np.isnan(time)
            self.table, time = self.table.taken(good), time[good]
        return time

    # Rows of failures.

    def frame(self) -> tuple[pd.DataFrame, Watch | None]:
        """Return the failure frame, and what the log says of its observation."""
        found = self.found
        fails = np.ones(len(self.table), dtype=np.bool_)
        planned = np.zeros(fails.shape, dtype=np.bool_)
        if found.planned is not None:
            when = found.planned_when
            planned = self._where(
                found.planned, lambda text: text != "" and found.is_true(text) == when
            )
        watch = None
        if found.meaning == "states":
            frame = self._of_states()
            watch = Watch(nodes=self._nodes_named())
        else:
            if found.meaning == "events":
                planned |= self._among(found.kind, found.planned_kinds)
                fails = self._among(found.kind, found.down) | planned
                self.findings.add_lines(
                    "skipped", self.table.lines[~fails], "no-failure", "the row is not a failure"
                )
                watch = self._watched(fails & ~planned)
            causes = coded(*self._coded(found.cause))
            planned |= self._where(found.cause, is_planned)
            for place, values in found.planned_words:
                planned |= self._among(place, values)
            repair = self._repairs()
            self._refuse_runs(repair, fails & ~planned)
            if found.meaning == "rows" and np.isnan(repair).all():
                self._refuse_samples()
            if np.isnan(repair).all() and found.node is not None and self.within is None:
                self._refuse_told_again(fails)
            if found.meaning == "rows":
                fails &= ~self._without_loss(repair)
            frame = self._built(self.time, repair, causes, ~planned)
            if not fails.all():
                frame = decoded(frame).loc[fails].reset_index(drop=True)
            frame = each_node(frame, self.findings)
        self._note_disorder(frame)
        return frame, watch

    def _without_loss(self, repair: FloatArray) -> BoolArray:
        """Return the days of a calendar that lost no time, in a table that tells nothing else."""
        found = self.found
        alone = found.end is None and found.node is None and found.cause is None
        none: BoolArray = (repair == 0.0) & (alone and bool((self.time % 86_400.0 == 0.0).all()))
        reason = "a day that lost no time"
        self.findings.add_lines("skipped", self.table.lines[none], "no-failure", reason)
        return none

    def _built(
        self, time: FloatArray, repair: FloatArray, cause: Any, fails: BoolArray
    ) -> pd.DataFrame:
        frame = failure_frame(
            time=time,
            node=self._nodes(),
            repair=repair,
            system=_whole_numbers(*self._coded(self.found.system)),
            cause=cause,
            line=self.table.lines,
        )
        if not fails.all():
            frame["fails"] = fails
        return frame

    def _nodes(self) -> Any:
        if self.found.node is None:
            return np.full(len(self.table), -1, dtype=np.int64)
        texts, codes = self._coded(self.found.node)
        for code, text in enumerate(texts):
            below = "-" in text and (place := whole(text)) is not None and place < -1
            for line in self.table.lines[codes == code].tolist() if below else ():
                reason = f"node {text[:60]} is below 0: unknown"
                self.findings.add("repaired", line, "bad-node", reason)
            if below or not text:
                texts[code] = "-1"
        return _whole_numbers(texts, codes)

    def _nodes_named(self) -> int | None:
        if self.found.node is None:
            return None
        names = set(self._coded(self.found.node)[0]) - {"", "-1"}
        return len({one for name in names for one in names_in(name) or [name]}) or None

    def _watched(self, failing: BoolArray) -> Watch:
        """Return the time that a census of all nodes at regular instants watched, if it is one."""
        times = np.unique(self.time)
        nodes = self._nodes_named()
        if nodes is None or times.size < 3 or self.found.end is not None:
            return Watch(nodes=nodes)
        steps = np.diff(times)
        _, codes = self._coded(self.found.node)
        pairs = len({*zip(self.time.tolist(), codes.tolist(), strict=True)})
        if steps.max() > 1.001 * steps.min() or pairs < len(self.table) or pairs < 1.5 * times.size:
            return Watch(nodes=nodes)
        step = float(steps[0])
        return Watch(
            start=float(times[0]),
            end=float(times[-1]) + step,
            nodes=nodes,
            failures=int(failing.sum()),
            time=step * times.size,
            node_time=step * pairs,
        )

    def _refuse_samples(self) -> None:
        """Refuse rows at equal steps, or without a node, whose numbers nobody has named."""
        times, columns = np.unique(self.time), self.table.columns
        if self.found.cause is not None or times.size < 3:
            return
        clocks = times.astype("datetime64[s]")
        months = clocks.astype("datetime64[M]")
        monthly = bool((months == clocks).all()) and times[0] >= _DATED
        steps = np.diff(months.astype(np.float64) if monthly else times)
        header = self.table.header or tuple(f"column {n + 1}" for n in range(len(columns)))
        numbers = [
            name
            for name in self.found.unused
            if name in header
            and kind_of_column(column := columns[header.index(name)]) in ("number", "flag")
            and len(column.coded()[1]) > 1
            and not (tokens_of(name)[-1:] == ("id",) or is_of_node(tokens_of(name)))
        ]
        if steps.max() > 1.001 * steps.min():
            alone = numbers if self.found.node is None else []
            numbers = [
                name
                for name in alone
                if counts_nodes(name) or not _are_identities(columns[header.index(name)])
            ]
        if numbers:
            got = ", ".join(numbers)[:100]
            raise LogRefused(
                f"line {max(self.table.header_line, 1)}: rows such as samples must say which "
                f"are failures, got only {got}: ",
                *(KIND, " with ", STATE, " names those that are, the name failures a column that "),
                *("counts them, ", CAUSE, f" {numbers[0]!r} takes each row for one"),
            )

    def _refuse_told_again(self, fails: BoolArray) -> None:
        """Refuse rows of nodes that come again about every so many minutes or hours."""
        time, codes = self.time[fails], self._coded(self.found.node)[1][fails]
        order = np.lexsort((time, codes))
        gaps = np.diff(time[order])[np.diff(codes[order]) == 0]
        soon = gaps[(gaps > 0.0) & (gaps <= _SOON)]
        if soon.size > 0.3 * gaps.size and (again := told_again(soon)).size:
            step, most = float(np.median(again)), 1.1 * float(again.max())
            option = Argument("merge_within")
            raise LogRefused(
                f"line {self.table.lines[0]}: rows must each be a failure, got some of one node "
                f"every {step:.6g} s, which may be one told again: ",
                *(option, f" {most:.0f}s takes those for one, ", option, " 0s for one each"),
            )

    def _of_states(self) -> pd.DataFrame:
        """Return an outage from each first row of a node that is down to the next that is up."""
        found = self.found
        other = self._among(found.kind, found.others)
        if other.any():
            reason = "neither down nor up"
            self.findings.add_lines("skipped", self.table.lines[other], "no-failure", reason)
            self.table, self.time = self.table.taken(~other), self.time[~other]
        planned = self._among(found.kind, found.planned_kinds)
        down = self._among(found.kind, found.down) | planned
        causes = words_of(*self._coded(found.cause))
        frame = self._built(self.time, np.full(self.time.size, np.nan), causes, ~planned)
        frame = each_node(decoded(frame).assign(down=down), self.findings)
        down = frame.pop("down").to_numpy(dtype=np.bool_)
        several = frame["node"].duplicated().any() or len(frame) < 2 or down.all()
        if not several and found.node is not None:
            raise ValueError(
                f"line {frame['line'][0]}: nodes must go down and come up, got a row of each, as "
                f"of a list of those that are down or up now; of nodes of Slurm: {EVENTS_COMMAND}"
            )
        return outages_of_states(frame, down, self.findings, within=self.within)

    def _repairs(self) -> FloatArray:
        found = self.found
        if found.end is None:
            until = np.full(self.time.size, np.nan)
            empty = np.ones(self.time.size, dtype=np.bool_)
        else:
            end = self._instants(found.end, found.end_clock, "end", after=self.time)
            if found.end == found.time:  # days of the start: what ends before it ends a day later
                end += np.where(end < self.time, 86_400.0, 0.0)
            end[(end >= _NEVER) & (self.time >= _DATED)] = np.nan
            if self.given.timezone is None:
                refuse_set_back(self.time, end, self.table.lines)
            until, empty = end, ~self.table.columns[found.end].said
            until -= self.time
            if self._ends_first(until):
                until, empty = np.full(end.size, np.nan), np.ones(end.size, dtype=np.bool_)
        if found.repair is None:
            return self._checked(until, found.end, empty)
        column = self.table.columns[found.repair]
        unit, read = found.repair_unit, self._reader(column)
        if unit is None:
            plain = each(column, read)
            known = ~np.isnan(plain) & ~np.isnan(until)
            name = told_by_ends(until[known][:1000].tolist(), plain[known][:1000].tolist())
            unit = UNITS[name]
        repair = each(column, lambda text: duration_seconds(text, unit, read))
        none = ~column.said
        both = ~none & ~np.isnan(until) & ~np.isnan(repair)
        differs = both & (np.abs(until - repair) > _RESOLUTION)
        if 2 * differs.sum() > both.sum() and self.given.repair is None:
            self._refuse_two_lengths(int(np.flatnonzero(differs)[0]), repair, until)
        for row in np.flatnonzero(differs).tolist():
            reason = (
                f"repair {repair[row]:g} s, but {until[row]:g} s until the end, which is not used"
            )
            self.findings.add("noted", int(self.table.lines[row]), "repair-differs", reason)
        lasts = ~none & empty
        if found.end is not None and both.sum() > 1 and lasts.any() and not (none & ~empty).any():
            reason = "it has no end, as others do: its length so far is no repair"
            self.findings.add_lines("noted", self.table.lines[lasts], "not-over", reason)
            none |= lasts
        repair = self._checked(repair, found.repair, none)
        if found.end is not None and none.any():
            repair[none] = self._checked(np.where(none, until, 0.0), found.end, empty | ~none)[none]
        return repair

    def _ends_first(self, until: FloatArray) -> bool:
        """Whether nodes went down after they came up in most rows, of several.

        Raises ValueError where names do not say that they went down and came up.
        """
        known = ~np.isnan(until)
        if not 2 * (until < 0.0).sum() > known.sum() > 2:
            return False
        start, end = (self.table.header[place or 0] for place in (self.found.time, self.found.end))
        line = int(self.table.lines[int(np.argmax(until < 0.0))])
        if tokens_of(start)[:1] == ("down",) and tokens_of(end)[:1] == ("up",):
            reason = f'"{end}" is before "{start}" in most rows: when it came back is not known'
            self.findings.add("noted", line, "up-first", reason)
            return True
        raise LogRefused(
            f'line {line}: "{start}" must be before "{end}", got them the other way round in most '
            "rows: ",
            *(TIME, f" {end!r} ", END, f" {start!r}"),
        )

    def _refuse_runs(self, repair: FloatArray, fails: BoolArray) -> None:
        """Refuse rows that fill nearly all the time of a node, as runs between failures do."""
        if self.found.end is None or self.given.end is not None:
            return
        node = self.found.node
        codes = np.zeros(fails.size) if node is None else self._coded(node)[1]
        some = np.flatnonzero(fails & (codes < _FEW))[:_SOME]
        order = some[np.lexsort((self.time[some], codes[some]))]
        same = np.diff(codes[order]) == 0
        time, lasts = self.time[order], repair[order]
        gaps = (time[1:] - time[:-1] - lasts[:-1])[same]
        lasted = lasts[1:][same]
        apart = (gaps > 2.0).sum() > 1 and gaps.min() >= 0.0
        if apart and gaps.sum() < 0.1 * (gaps.sum() + lasted.sum()):
            name = self.table.header[self.found.end]
            raise LogRefused(
                f"line {self.table.lines[0]}: rows must be outages, got ones that last nearly all "
                "the time, as runs do: ",
                *(TIME, f" {name!r} takes their ends for failures, "),
                *(END, f" {name!r} takes them for outages"),
            )

    def _reader(self, column: Column) -> Callable[[str], float | None]:
        """Return what reads the numbers of a column, however their decimals are marked."""
        texts = list(dict.fromkeys(column.taken(np.arange(min(len(column), _SAMPLE))).texts()))
        try:
            return number_reader(texts, commas=self.table.delimiter == ",")
        except ValueError as error:
            raise ValueError(
                f"line {self.table.lines[0]}: numbers must have one reading, got {error}: write "
                "them without marks of thousands"
            ) from None

    def _refuse_two_lengths(self, row: int, repair: FloatArray, until: FloatArray) -> NoReturn:
        names = [self.table.header[place or 0] for place in (self.found.repair, self.found.end)]
        raise LogRefused(
            f'line {self.table.lines[row]}: "{names[0]}" and "{names[1]}" must say the same, got '
            f"{repair[row]:g} s, but {until[row]:g} s until the end: ",
            *(REPAIR, f" {names[0]!r} or ", END, f" {names[1]!r} decides"),
        )

    def _checked(self, repair: FloatArray, place: int | None, empty: BoolArray) -> FloatArray:
        """Report what is no length of time, and take it as unknown."""
        repair[empty] = np.nan
        for row in np.flatnonzero(np.isnan(repair) & ~empty).tolist():
            assert place is not None
            text = self.table.columns[place].taken(np.array([row])).texts()[0]
            reason = f"repair {text[:60]!r} is not a time: unknown"
            self.findings.add("repaired", int(self.table.lines[row]), "bad-repair", reason)
        for row in np.flatnonzero(repair < 0.0).tolist():
            reason = f"repair of {repair[row]:g} s: unknown"
            if repair[row] >= -7200.0 and self.given.timezone is None and place == self.found.end:
                reason += "; where clocks were set back, the name of their time zone is needed"
            self.findings.add("repaired", int(self.table.lines[row]), "negative-repair", reason)
            repair[row] = np.nan
        return repair

    def counted(self) -> Watch:
        """Return how many failures the rows count, in how much time."""
        found = self.found
        assert found.counts is not None
        column = self.table.columns[found.counts]
        read = self._reader(column)
        counts = each(column, lambda text: read(text or "0"))
        bad = np.isnan(counts) | (counts % 1.0 != 0.0) | (counts < 0.0)
        for line in self.table.lines[bad].tolist():
            self.findings.add("dropped", line, "bad-count", "the count is not a whole number")
        size = np.ones(counts.shape)  # of rows that are of a node each
        if found.machine is not None:
            machine = self.table.columns[found.machine]
            size = each(machine, self._reader(machine))
        texts = zip(*(column.texts() for column in self.table.columns), strict=True)
        rows = {fields: row for row, fields in reversed([*enumerate(texts)]) if not bad[row]}
        kept = np.sort(np.array(list(rows.values()), dtype=np.int64))
        again = np.setdiff1d(np.flatnonzero(~bad), kept)
        self.findings.add_lines(
            "merged", self.table.lines[again], "repeated", "the same row again: counted once"
        )
        lines = self.table.lines[kept]
        time, place = np.unique(self.time[kept], return_inverse=True)
        number = np.bincount(place, weights=counts[kept])
        alike = bool(np.ptp(size[kept]) == 0.0)  # one machine in every row, or its parts
        whole_of_it = found.node is None and alike
        share = np.bincount(place) if whole_of_it else 1.0
        sizes: FloatArray = np.bincount(place, weights=size[kept]) / share
        steps = np.diff(time)
        if not steps.size:
            raise ValueError("counts must be of at least two days or weeks, got one")
        step = float(np.median(steps))
        seconds: FloatArray = np.full(time.size, step)
        months = time.astype("datetime64[s]").astype("datetime64[M]")
        each_step = np.unique(np.diff(months.astype(np.int64)))
        monthly = step > 27.5 * 86_400.0 and int(each_step[0]) in (1, 3, 6, 12)
        monthly = monthly and (each_step.size == 1 or step < 31.5 * 86_400.0)
        if monthly:  # each as long as itself
            days = (months + each_step[0]).astype("datetime64[D]") - months.astype("datetime64[D]")
            seconds = days.astype(np.float64) * 86_400.0
        silent = not monthly and bool((number > 0.0).all())
        if silent:  # times without a failure are left out
            seconds = np.append(steps, steps.min())
        if missing := int(np.sum(np.maximum(np.rint(steps / step) - 1.0, 0.0))):
            taken = "are taken to be without failures" if silent else "are not counted in the time"
            reason = f"{missing:,} times of that length without a row {taken}"
            self.findings.add("noted", int(lines[0]), "times-left-out", reason)
        nodes, node_time = self._nodes_named(), None
        if found.node is not None:
            node_time = (nodes or 1) * float(seconds.sum())
        elif found.machine is not None and not np.isnan(sizes).any():
            nodes, node_time = int(np.median(sizes)), float(np.sum(sizes * seconds))
        return Watch(
            start=float(time[0]),
            end=float(time[-1] + seconds[-1]),
            nodes=nodes,
            failures=int(number.sum()),
            time=float(seconds.sum()),
            node_time=node_time,
            lines=lines,
        )

    def _note_disorder(self, frame: pd.DataFrame) -> None:
        time, line = frame["time"].to_numpy(), frame["line"].to_numpy()
        for row in (np.flatnonzero(time[1:] < time[:-1]) + 1).tolist():
            reason = f"time {float(time[row])!r} comes after {float(time[row - 1])!r}"
            self.findings.add("noted", int(line[row]), "unsorted", reason)


def _written(column: Column) -> bool:
    """Whether the first fields are dates whose order may be in doubt."""
    texts = column.taken(np.arange(min(len(column), 50))).texts()
    return any((date := written_date(text)) is not None and date.order is None for text in texts)


def _time_of_day(text: str) -> float | None:
    """Return seconds since midnight of a clock such as 7:00, 19:30:15 or 7:00 PM."""
    date = written_date(f"2000-01-01 {text}")
    return None if date is None else date.clock


def _spelt(text: str) -> str:
    if _COMPACT.fullmatch(text) is None:
        return text
    return f"{text[:4]}-{text[4:6] or '01'}-{text[6:] or '01'}"


def _instant(text: str, order: DateOrder) -> float | None:
    number = finite(text)
    if number is not None:
        return number
    found = clock_of(text, order)
    return None if found is None else found[0]


def _are_identities(column: Column) -> bool:
    """Whether each field is a whole number of its own, as of a ticket or a job."""
    texts = column.coded()[1]
    return len(texts) == len(column) and all(map(str.isdigit, texts))


def _are_dates(seconds: FloatArray) -> bool:
    """Whether all times that are known are midnights."""
    known = seconds[~np.isnan(seconds)]
    return bool(((known % 86_400.0 == 0.0) & (known >= _DATED)).all())


def _whole_numbers(texts: list[str], codes: npt.NDArray[np.int64]) -> Any:
    """Return integers where all texts are whole: node 7 is one node, written 7 or 07."""
    numbers = []
    for text in texts:
        if (number := whole(text)) is None:
            return coded(texts, codes)
        numbers.append(number)
    return np.array(numbers, dtype=np.int64)[codes]
