"""What the columns of a table of failures hold, by their names and by their values."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Literal, NoReturn, TypeAlias

import numpy as np

from ..._checks import shown
from ..parsing.delimited import Delimited
from ..parsing.numbers import finite
from ..parsing.values import (
    UNITS,
    ValueKind,
    clock_of,
    duration_of,
    epoch_unit,
    instants,
    kind_of_values,
    number_reader,
    unit_in_name,
)
from .conditions import Condition, condition_of

__all__ = ["Columns", "Meaning", "Understood", "is_day", "is_header", "understand"]

Meaning: TypeAlias = Literal["rows", "events", "states", "counts"]

# What a column is -> its names in the logs of operators; the first that is known counts.
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
        *("time_to_repair", "outage_duration", "repair_duration", "lost_time"),
    ),
    "node": (
        *("node", "host", "hostname", "node_id", "node_name", "nodename", "machine", "machine_id"),
        *("server", "identifier", "hardware_identifier", "hardware_id", "device", "instance"),
        *("serial_number", "serial", "drive", "disk", "host_name", "server_name", "asset"),
        *("service", "resource", "unit", "name"),
    ),
    "system": ("system", "cluster", "system_id", "platform"),
    "cause": (
        *("cause", "reason", "category", "type", "failure_type", "what_failed", "root_cause"),
        *("component", "failure", "failed", "error", "message", "description", "summary"),
        *("notes", "note", "comment", "comments", "remark", "remarks", "details", "title"),
    ),
    "kind": (
        *("event", "state", "status", "kind", "event_type", "action", "transition", "condition"),
        *("up", "down", "type", "alert", "label", "node_state", "health", "value"),
    ),
    "counts": (
        *("failures", "count", "failed", "failure", "n", "number", "failure_count", "n_failures"),
        *("num_failures", "number_of_failures", "failure_number", "errors", "incidents", "events"),
        *("crashes", "outages", "node_failures", "failed_nodes", "interruptions", "faults"),
    ),
    "machine": ("nodes", "node_count", "n_nodes", "num_nodes", "hosts", "servers", "machines"),
}


_COUNTS = tuple(
    name
    for name in _NAMES["counts"]
    if name.endswith("s") and name not in ("errors", "events", "incidents", "interruptions")
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STARTS = _set(
    "began begin created detected down failed first from lost occurred onset opened "
    "raised reported since start started starts triggered"
)
_ENDS = _set(
    "back cleared closed completed end ended ends finish finished fixed last recover recovered "
    "recovery repaired resolve resolved restore restored returned stop stopped until up"
)
_ENDS_LATE = _set("cleared closed completed last until")  # after the repair, where both are there
_REPAIRS = _set(
    "down downtime duration elapsed fix lasted length mttr outage recover repair "
    "resolution resolve restore ttr"
)
_DATES = ("date", "failure_date", "start_date", "end_date", "day")
_DAYS = ("date", "day", "failure_date", "start_date", "down_date", "event_date", "end_date")
_CLOCKS = ("time", "time_of_day", "hour", "start_time", "failure_time", "down_time", "event_time")
_END_DAYS = ("end_date", "up_date", "stop_date", "repair_date", "fixed_date")
_END_CLOCKS = ("end_time", "up_time", "stop_time", "repair_time", "fixed_time")
# Names of flags: 1 is a failure, is down, is up, is planned.
_FLAGS: dict[str, frozenset[str]] = {
    "failure": frozenset(["failed", "failure", "fail", "fails", "crash", "crashed", "fault"]),
    "down": frozenset(["down", "offline", "unavailable", "outage", "notready", "dead", "broken"]),
    "up": frozenset(["up", "online", "available", "ready", "alive", "healthy", "ok", "reachable"]),
    "planned": frozenset(["planned", "scheduled", "maintenance", "maint"]),
    "unplanned": frozenset(["unplanned", "unscheduled"]),
}
# Last words of the names of columns whose values tell one kind of row from another.
_TELLING = _set(
    "alert_type condition direction event event_type health level severity state status transition"
)
_BEFORE = _set("before from last old prev previous")
_SECONDS = ("repair", "repair_time")  # documented to be in seconds
_COMPACT = re.compile(r"[0-9]{8}")
_TRUE = frozenset({"1", "1.0", "true", "yes", "t", "y", "ja", "oui", "si", "x"})
_ALERTS = frozenset({"label", "alert", "alert_type", "alert_category"})
_NONE = frozenset({"-", "", "none", "None", "NULL", "null", "nan"})
_Order: TypeAlias = list[tuple[str, float, int, str]]
_FEW = 20  # different values of a column that tells kinds of rows apart
_SAMPLE = 2_000  # rows whose values are looked at
_EXCEL = (15_000.0, 80_000.0)  # days since 1900 of this century and the last
_RECENT = (36_525.0, 60_000.0)  # those of 2000 to 2064


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What is said of the columns of a table; what is None is found out.

    Parameters
    ----------
    time, end, repair, node, kind, cause : str, optional
        Names of the columns with the start of an outage, its end, how long it lasted, where it
        was, what the row says (an event, a state, a flag), and why.
    unit : str, optional
        Of plain numbers that name none: ns, us, ms, s, min, h or d.
    timezone : str, optional
        Name of the zone of dates that name none, such as ``Europe/Berlin``.
    state : tuple of str
        Values of the column of kinds that are failures; the others are not.
    date_order : {"day-first", "month-first"}, optional
        Of dates such as 1/2/2026.
    """

    time: str | None = None
    end: str | None = None
    repair: str | None = None
    node: str | None = None
    kind: str | None = None
    cause: str | None = None
    unit: str | None = None
    timezone: str | None = None
    state: tuple[str, ...] = ()
    date_order: str | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "state" and value is not None and not isinstance(value, str):
                raise TypeError(f"{field.name} must be text, got {shown(value)}")
        if self.unit is not None and self.unit not in UNITS:
            raise ValueError(f"unit must be one of {', '.join(UNITS)}, got {shown(self.unit)}")
        if self.timezone is not None:
            _zone(self.timezone)
        if self.date_order not in (None, "day-first", "month-first"):
            raise ValueError(
                f"date_order must be day-first or month-first, got {shown(self.date_order)}"
            )


def _zone(name: str) -> None:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(
            f"timezone must be the name of a time zone such as Europe/Berlin, got {shown(name)}"
        ) from None


@dataclass(frozen=True, slots=True)
class _Column:
    """A column, and what a sample of its fields is like."""

    place: int
    name: str
    plain: str
    tokens: tuple[str, ...]
    kind: ValueKind
    texts: tuple[str, ...]

    @property
    def unit(self) -> str | None:
        return unit_in_name(self.name)

    def holds_clocks(self) -> bool:
        """Whether the fields are times of day."""
        known = [text for text in self.texts if text]
        return bool(known) and all(
            re.fullmatch(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?( ?[AaPp][Mm])?", text)
            for text in known
        )

    def has_clocks(self) -> bool:
        """Whether a field names a time of day."""
        return any(":" in text for text in self.texts)

    def numbers(self) -> list[float]:
        found = (finite(text) for text in self.texts)
        return [number for number in found if number is not None]


@dataclass(frozen=True, slots=True)
class Understood:
    """Where each thing stands in a table of failures; places count from 0.

    Parameters
    ----------
    meaning : {"rows", "events", "states", "counts"}
        What a row is: an outage; one where `kind` says so, else no failure; the state of a node at
        an instant, as `kind` says; a number of failures in the time up to the next row.
    time, clock, end, end_clock, repair, node, system, cause, kind, planned, counts, machine : int
        Columns, None where there is none.
    number_unit, repair_unit : float, [s]
        Of plain numbers that are instants, and that are durations.
    down, planned_kinds, others : frozenset of str
        Values of `kind`, in lower case, that are failures, that are planned work, and that are
        neither down nor up.
    compact : bool
        Whether eight digits are a date.
    words : str
        All of it in words.
    """

    meaning: Meaning
    time: int
    words: str
    clock: int | None = None
    end: int | None = None
    end_clock: int | None = None
    repair: int | None = None
    node: int | None = None
    system: int | None = None
    cause: int | None = None
    kind: int | None = None
    planned: int | None = None
    planned_when: bool = True
    counts: int | None = None
    machine: int | None = None
    number_unit: float = 1.0
    repair_unit: float | None = 1.0
    down: frozenset[str] = frozenset()
    planned_kinds: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    dated: bool = False
    unused: tuple[str, ...] = ()

    def is_true(self, text: str) -> bool:
        """Whether a flag is set."""
        return text.lower() in _TRUE


def is_header(names: Sequence[str]) -> bool:
    """Whether the fields of a line are names of columns of failures."""
    plain = [_plain(name) for name in names]
    known = {name for kinds in _NAMES.values() for name in kinds}
    if any(_is_value(name) for name in names):
        return False
    if any(name in known for name in plain):
        return True
    tokens = {token for name in names for token in _tokens(name)}
    return len(names) > 1 and not tokens.isdisjoint(_STARTS | _ENDS | {"date", "time", "timestamp"})


def is_day(text: str) -> bool:
    """Whether eight digits are a day of the calendar, such as 20030108."""
    if _COMPACT.fullmatch(text) is None:
        return False
    year, month, day = int(text[:4]), int(text[4:6]), int(text[6:])
    return 1900 <= year < 2100 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _is_value(text: str) -> bool:
    return bool(text) and (finite(text) is not None or clock_of(text) is not None)


def _tokens(name: str) -> tuple[str, ...]:
    spelt = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()
    return tuple(token for token in re.split(r"[^a-z0-9µ]+", spelt) if token)


def _plain(name: str) -> str:
    tokens = list(_tokens(name))
    if len(tokens) > 1 and tokens[-1] != "day" and unit_in_name(name) is not None:
        tokens = tokens[:-1] if unit_in_name(" ".join(tokens[:-1])) is None else tokens
    return "_".join(tokens)


def understand(table: Delimited, given: Columns) -> Understood:
    """Say what each column of a table with a header holds.

    Raises
    ------
    ValueError
        If no column is a time, a column that is `given` is not there, or the table can be read in
        two ways that differ; the message says both, and the option that decides.
    """
    return _Finder(table, given).found()


def _sampled(table: Delimited) -> list[_Column]:
    rows = np.arange(len(table))
    if rows.size > _SAMPLE:
        rows = np.unique(np.linspace(0, rows.size - 1, _SAMPLE).astype(np.int64))
    columns = []
    for place, name in enumerate(table.header):
        texts = tuple(dict.fromkeys(table.columns[place].taken(rows).texts()))
        kind, plain = kind_of_values(list(texts)), _plain(name)
        if plain in _DAYS and all(map(is_day, filter(None, texts))) and any(texts):
            kind = "date"
        columns.append(_Column(place, name, plain, _tokens(name), kind, texts))
    return columns


class _Finder:
    """Finds the role of each column."""

    def __init__(self, table: Delimited, given: Columns) -> None:
        self.table = table
        self.columns = _sampled(table)
        self.given = given
        self.line = table.header_line
        self.taken: set[int] = set()
        self.others = frozenset[str]()  # values of the kind that say neither down nor up
        self.apart = False  # whether times have a unit of their own, which lengths may not have
        self.said: list[str] = []

    def found(self) -> Understood:
        given = self.given
        time, clock = self._time()
        numbers = self._number_unit(time)
        end, end_clock = self._end(time, clock is not None)
        node = self._named("node", given.node) or self._by_name("node")
        system = self._by_name("system")
        counts, machine = self._counts(time, node, end)
        if counts is not None:
            return self._answer(
                "counts",
                time,
                clock=clock,
                node=node,
                counts=counts,
                machine=machine,
                number_unit=numbers,
            )
        repair, repair_unit = self._repair(time, end)
        lasting = end is not None or repair is not None
        planned, when = self._planned()
        cause = self._named("cause", given.cause)
        kind, meaning, down, planned_kinds = self._kind(time, node, lasting)
        cause = cause or self._by_name("cause", ("words", "number"))
        if cause is None and kind is not None and kind.kind == "words":
            cause = kind
        return self._answer(
            meaning,
            time,
            clock=clock,
            end=end,
            end_clock=end_clock,
            repair=repair,
            node=node,
            system=system,
            cause=cause,
            kind=kind,
            planned=planned,
            planned_when=when,
            number_unit=numbers,
            repair_unit=repair_unit,
            down=down,
            planned_kinds=planned_kinds,
        )

    def _answer(self, meaning: Meaning, time: _Column, **found: object) -> Understood:
        places = {
            name: value.place if isinstance(value, _Column) else value
            for name, value in found.items()
        }
        used = {value.place for value in (time, *found.values()) if isinstance(value, _Column)}
        unused = tuple(column.name for column in self.columns if column.place not in used)
        return Understood(
            meaning,
            time.place,
            "; ".join(self.said),
            dated=time.plain in _DATES,
            unused=unused,
            others=self.others,
            **places,  # type: ignore[arg-type]
        )

    # What is said, and what is refused.

    def _refuse(self, words: str) -> NoReturn:
        raise ValueError(f"line {self.line}: {words}")

    def _names(self, columns: Iterable[_Column] | None = None) -> str:
        return ", ".join(column.name for column in columns or self.columns)[:200]

    def _take(self, column: _Column) -> _Column:
        self.taken.add(column.place)
        return column

    def _free(self) -> list[_Column]:
        return [column for column in self.columns if column.place not in self.taken]

    def _named(self, role: str, name: str | None) -> _Column | None:
        """Return the column that was named, if one was."""
        if name is None:
            return None
        for column in self.columns:
            if name in (column.name, column.plain) or name.lower() == column.name.lower():
                return self._take(column)
        return self._refuse(
            f"{role}_column (--{role}-column) must be one of {self._names()!r}, got {shown(name)}"
        )

    def _by_name(self, role: str, kinds: tuple[ValueKind, ...] = ()) -> _Column | None:
        """Return the free column with the first of the known names, of some kinds of values."""
        free = [c for c in self._free() if not kinds or c.kind in kinds]
        for name in _NAMES[role]:
            for column in free:
                if column.plain == name:
                    return self._take(column)
        return None

    @staticmethod
    def _truth(column: _Column, true: bool) -> str:
        words = [text for text in column.texts if text and (text.lower() in _TRUE) == true]
        return words[0] if words else ("1" if true else "0")

    # Times.

    def _time(self) -> tuple[_Column, _Column | None]:
        named = self._named("time", self.given.time)
        if named is not None:
            self.said.insert(0, f'time "{named.name}"')
            return named, None
        if (pair := self._day_and_clock(_DAYS, _CLOCKS)) is not None:
            return pair
        dates = [column for column in self.columns if column.kind == "date"]
        numbers = [column for column in self.columns if column.kind in ("number", "flag")]
        chosen = self._best_time(dates, guess=True)
        if chosen is None and not dates:
            flags = frozenset[str]().union(*_FLAGS.values())
            plain = [c for c in numbers if c.kind == "number" or flags.isdisjoint(c.tokens)]
            chosen = self._best_time(plain, guess=False)
        if chosen is None:
            blank = [c for c in self.columns if c.plain in _NAMES["time"] and c.kind != "flag"]
            if not blank:
                self._refuse(
                    "the header must name a column 'time', 'date' or 'down' that holds times, got "
                    f"{self._names()!r}; --time-column names another"
                )
            chosen = blank[0]  # whose fields are then reported one by one
        self.said.insert(0, f'time "{chosen.name}"')
        return self._take(chosen), None

    def _best_time(self, columns: list[_Column], *, guess: bool) -> _Column | None:
        by_name = {column.plain: column for column in reversed(columns)}
        for name in _NAMES["time"]:
            if name in by_name:
                return by_name[name]
        starts = [c for c in columns if set(c.tokens) & _STARTS and not set(c.tokens) & _ENDS]
        if starts:
            return starts[0]
        others = [c for c in columns if not set(c.tokens) & _ENDS]
        if not guess or not columns:
            return None
        if len(others) > 1:
            self._refuse(
                f"the time must be one of the columns {self._names(others)!r}, got no name that "
                "says which: --time-column names it"
            )
        if not others:
            self._refuse(
                f"the time must be when nodes failed, got only {self._names(columns)!r}, when they "
                "came back: --time-column takes it all the same"
            )
        return others[0]

    def _day_and_clock(
        self, days: tuple[str, ...], clocks: tuple[str, ...]
    ) -> tuple[_Column, _Column] | None:
        """Return a column of days and the one of the time of day that goes with it."""
        free = self._free()
        day = next((c for n in days for c in free if c.plain == n and c.kind == "date"), None)
        clock = next((c for n in clocks for c in free if c.plain == n and c.holds_clocks()), None)
        clock = clock or next(
            (c for c in free if c.holds_clocks() and set(c.tokens) & _STARTS), None
        )
        if day is None or clock is None or day.has_clocks() or clock.name == self.given.repair:
            return None
        if clock.plain == "down_time" and sum(c.holds_clocks() for c in free) == 1:
            return None  # how long, not when
        self.said.insert(0, f'time "{day.name}" with "{clock.name}"')
        return self._take(day), self._take(clock)

    def _number_unit(self, time: _Column) -> float:
        """Return the unit of times that are numbers, [s]."""
        if time.kind not in ("number", "flag"):
            return 1.0
        numbers = np.array(time.numbers())
        since = epoch_unit(numbers)
        if since is not None:
            if numbers.min() * 100.0 < numbers.max():
                few, many = f"{numbers.min():.0f}", f"{numbers.max():.0f}"
                self._refuse(
                    f'"{time.name}" must be in one unit, got {few} beside {many}: split the file'
                )
            self.said[0] += f" in {since} since 1970"
            self.apart = True
            return UNITS[since]
        unit = time.unit or self.given.unit
        if unit is not None:
            self.said[0] += f" in {unit}"
            return UNITS[unit]
        low, high = _EXCEL if time.plain in _DATES else _RECENT
        if numbers.size and low < numbers.min() and numbers.max() < high:
            first = time.texts[0]
            self._refuse(
                f'"{time.name}" must be dates or say its unit, got {first}, which may be seconds '
                "or days of a spreadsheet: --unit s or --unit d decides"
            )
        return 1.0

    def _end(self, time: _Column, clocked: bool) -> tuple[_Column | None, _Column | None]:
        named = self._named("end", self.given.end)
        if named is None and self.given.repair is not None:
            return None, None
        if named is None:
            if clocked and (pair := self._end_of_day(time)) is not None:
                return pair
            kind = "date" if time.kind == "date" else "number"
            free = [c for c in self._free() if c.kind == kind and c.unit is None]
            by_name = {column.plain: column for column in reversed(free)}
            known = [by_name[name] for name in _NAMES["end"] if name in by_name]
            like = [c for c in free if set(c.tokens) & _ENDS and c.kind == "date"]
            like.sort(key=lambda c: not _ENDS_LATE.isdisjoint(c.tokens))
            chosen = next(iter([*known, *like]), None) or self._by_name_alone("end")
            if chosen is None:
                return None, None
            named = self._take(chosen)
        self.said.append(f'end "{named.name}"')
        return named, None

    def _end_of_day(self, time: _Column) -> tuple[_Column, _Column] | None:
        """Return the day and the time of day at which outages ended; no day: that of the start."""
        clocks = [c for c in self._free() if c.holds_clocks()]
        days = [c for c in self._free() if c.kind == "date" and not c.has_clocks()]
        day = next((c for c in days if c.plain in _END_DAYS or set(c.tokens) & _ENDS), None)
        clock = next((c for c in clocks if day is not None and c.plain in _END_CLOCKS), None)
        clock = clock or next((c for c in clocks if set(c.tokens) & (_ENDS | {"to"})), None)
        if clock is None:
            return None
        day = time if day is None else self._take(day)
        self.said.append(f'end "{day.name}" with "{clock.name}"')
        return day, self._take(clock)

    def _by_name_alone(self, role: str) -> _Column | None:
        """Return an empty column of a known name, or one of mixed fields, which are reported."""
        free = [c for c in self._free() if c.kind in ("empty", "words")]
        by_name = {column.plain: column for column in reversed(free)}
        known = (by_name[name] for name in _NAMES[role] if name in by_name)
        return next((c for c in known if c.plain not in ("up",) or c.kind == "empty"), None)

    def _repair(self, time: _Column, end: _Column | None) -> tuple[_Column | None, float | None]:
        named = self._named("repair", self.given.repair)
        if named is None and self.given.end is not None:
            return None, 1.0
        if named is None:
            free = [c for c in self._free() if c.kind in ("number", "duration")]
            like_numbers = [c for c in self._free() if c.kind == "flag" and c.plain != "outage"]
            by_name = {column.plain: column for column in reversed([*free, *like_numbers])}
            known = [by_name[name] for name in _NAMES["repair"] if name in by_name]
            like = [
                c
                for c in free
                if set(c.tokens) & _REPAIRS and (c.unit is not None or c.kind == "duration")
            ]
            unsure = [c for c in free if c.plain == "down" and c.kind == "number"]
            chosen = next(iter([*known, *like, *unsure]), None) or self._by_name_alone("repair")
            if chosen is None:
                return None, 1.0
            named = self._take(chosen)
        unit = named.unit or self.given.unit
        if unit is None and end is not None:
            self.said.append(f'repair "{named.name}"')
            return named, None  # told by the ends
        if unit is None:
            self._refuse_without_unit(named, time)
        if named.kind == "duration":
            self.said.append(f'repair "{named.name}"')
            return named, 1.0 if unit is None else UNITS[unit]
        unit = unit or "s"
        self.said.append(f'repair "{named.name}" in {unit}')
        return named, UNITS[unit]

    def _refuse_without_unit(self, column: _Column, time: _Column) -> None:
        """Refuse lengths of time that may be of two units, s or min, or h or min."""
        texts = [text for text in column.texts if text]
        if clock := next((text for text in texts if re.fullmatch("[0-9]+:[0-9]{2}", text)), None):
            first, second = clock.split(":")
            self._refuse(
                f'"{column.name}" must say its unit, got {clock}, which may be {first} h {second} '
                f"min or {first} min {second} s: --unit h or --unit min decides"
            )
        numbers = (text for text in texts if re.fullmatch("[0-9.,']+", text))
        plain = next((text for text in numbers if text.strip("0.,")), None)
        stated = column.plain in _SECONDS or time.kind != "date"
        alike = column.kind != "duration" and column.plain != "down"
        if plain is not None and not (stated and alike and not self.apart):
            self._refuse(
                f'"{column.name}" must say its unit, got {plain}, which may be {plain} s or '
                f"{plain} min out of service: --unit s or --unit min decides"
            )

    # Counts, kinds and flags.

    def _counts(
        self, time: _Column, node: _Column | None, end: _Column | None
    ) -> tuple[_Column | None, _Column | None]:
        """Return the columns of counts and of nodes, if each row counts the failures of a time."""
        free = [c for c in self._free() if c.kind in ("number", "flag")]
        by_name = {column.plain: column for column in reversed(free)}
        names = _NAMES["counts"] if node is None and end is None else _COUNTS
        chosen = next((by_name[name] for name in names if name in by_name), None)
        if chosen is None or time.kind not in ("date", "number"):
            return None, None
        read = number_reader(chosen.texts, commas=self.table.delimiter == ",")
        wholes = [read(text) for text in chosen.texts if text]
        if any(number is None or number < 0 or number % 1 for number in wholes) or chosen.unit:
            return None, None
        if chosen.kind == "flag" and not chosen.plain.endswith("s"):
            return None, None
        self._take(chosen)
        self.said.append(f'failures counted in "{chosen.name}"')
        machine = None if node is not None else self._by_name("machine", ("number", "flag"))
        if machine is not None:
            self.said.append(f'nodes "{machine.name}"')
        return chosen, machine

    def _planned(self) -> tuple[_Column | None, bool]:
        """Return the flag that says which rows are planned work, and which of its values does."""
        for what, when in (("planned", True), ("unplanned", False)):
            for column in self._free():
                if column.kind == "flag" and set(column.tokens) & _FLAGS[what]:
                    is_so = when is {"not", "non", "un"}.isdisjoint(column.tokens)
                    value = self._truth(column, is_so)
                    self.said.append(f'planned work where "{column.name}" is {value}')
                    return self._take(column), is_so
        return None, True

    def _kind(
        self, time: _Column, node: _Column | None, lasting: bool
    ) -> tuple[_Column | None, Meaning, frozenset[str], frozenset[str]]:
        """Return the column that says what a row is, and which of its values are failures."""
        none: frozenset[str] = frozenset()
        named = self._named("kind", self.given.kind)
        if self.given.state and named is None:
            named = self._by_name("kind", ("words", "flag", "number")) or self._by_name(
                "cause", ("words",)
            )
            if named is None:
                self._refuse(
                    "state (--state) must come with a column of kinds, got none in "
                    f"{self._names()!r}: --kind-column names it"
                )
        if named is not None and self.given.state:
            return self._of_states(named, self._order(named, time, node), lasting)
        if named is None and (alert := self._alerts()) is not None:
            texts = [text for text in alert.texts if text not in _NONE]
            self.said.append(f'failures where "{alert.name}" is not {self._none_of(alert)}')
            return alert, "events", frozenset(text.lower() for text in texts), none
        if named is None:
            flags = [c for c in self._free() if c.kind == "flag" and self._meaning(c)]
            if flags:
                return self._of_flag(self._take(flags[0]), lasting)
            unsure = [
                c
                for c in self._free()
                if c.kind == "flag"
                and c.plain in ("state", "status", "event", "value", "condition")
            ]
            if unsure:
                self._refuse_flag(unsure[0])
            words = [c for c in self._free() if c.kind == "words"]
            candidates = [c for c in words if self._is_kind(c, lasting)]
            if not candidates and not lasting:
                candidates = [c for c in words if self._tells(c)]
            if not candidates:
                return None, "rows", none, none
            names = {name: place for place, name in enumerate(_NAMES["kind"])}
            named = self._take(
                min(
                    candidates,
                    key=lambda c: (
                        len({condition_of(text) for text in c.texts} & {"down", "up"}) < 2,
                        not _BEFORE.isdisjoint(c.tokens),
                        names.get(c.plain, len(names)),
                    ),
                )
            )
        if named.kind == "flag":
            if not self._meaning(named):
                self._refuse_flag(named)
            return self._of_flag(named, lasting)
        return self._of_words(named, self._order(named, time, node), lasting)

    def _alerts(self) -> _Column | None:
        """Return the column that marks which of many messages are alerts, such as - or none."""
        for column in self._free():
            marked = column.plain in _ALERTS and not _NONE.isdisjoint(column.texts)
            if marked and not set(column.texts) <= _NONE:
                return self._take(column)
        return None

    @staticmethod
    def _none_of(column: _Column) -> str:
        return next(text or "empty" for text in column.texts if text in _NONE)

    def _refuse_words(self, column: _Column, texts: Sequence[str]) -> NoReturn:
        self._refuse(
            f'"{column.name}" must say which of its values are failures, got {_listed(texts)}: '
            f"--kind-column {column.name!r} with --state names them, --cause-column "
            f"{column.name!r} takes each row for one"
        )

    def _refuse_flag(self, column: _Column) -> NoReturn:
        one, zero = self._truth(column, True), self._truth(column, False)
        self._refuse(
            f'"{column.name}" must say which of its values is a failure, got {zero} and {one}: '
            f"--state {zero} or --state {one} decides"
        )

    def _meaning(self, column: _Column) -> str | None:
        """Return what a flag is set for, by its name."""
        found = [
            what for what in ("up", "down", "failure") if not _FLAGS[what].isdisjoint(column.tokens)
        ]
        if not found:
            return None
        negated = not {"not", "non", "un", "no"}.isdisjoint(column.tokens)
        return {"up": "down", "down": "up"}.get(found[0]) if negated else found[0]

    def _of_flag(
        self, column: _Column, lasting: bool
    ) -> tuple[_Column, Meaning, frozenset[str], frozenset[str]]:
        what = self._meaning(column)
        down = frozenset(
            text.lower()
            for text in column.texts
            if text and (text.lower() in _TRUE) != (what == "up")
        ) or frozenset({"0" if what == "up" else "1"})
        if what == "failure" or lasting:
            self.said.append(
                f'failures where "{column.name}" is {self._truth(column, what != "up")}'
            )
            return column, "events", down, frozenset()
        self.said.append(f'down while "{column.name}" is {self._truth(column, what != "up")}')
        return column, "states", down, frozenset()

    @staticmethod
    def _is_kind(column: _Column, lasting: bool) -> bool:
        """Whether words say what happened to a node: down and up, or planned and not."""
        texts = [text for text in column.texts if text]
        found = {condition_of(text) for text in texts}
        known = column.plain in (*_NAMES["kind"], *_NAMES["cause"][:6])
        if not known and column.tokens[-1:] and column.tokens[-1] in _NAMES["kind"]:
            known = True
        if lasting:
            return known and ("up" in found or "planned" in found)
        if len(texts) > 1 and {"down", "up"} <= found <= {"down", "up", "planned"}:
            return len(texts) < _FEW
        return known and len(texts) > 1 and bool(found & {"up", "planned"}) and len(found) > 1

    @staticmethod
    def _tells(column: _Column) -> bool:
        """Whether words must tell kinds of rows apart, by the name of their column."""
        texts = {text.lower() for text in column.texts if text}
        if column.tokens[-1:] == () or column.tokens[-1] not in _TELLING or len(texts) < 2:
            return False
        return {condition_of(text) for text in texts} != {"down"}

    def _order(self, kind: _Column, time: _Column, node: _Column | None) -> _Order:
        """Return the values of a column, node by node in the order of time."""
        rows = np.arange(min(len(self.table), _SAMPLE))
        seconds, _ = instants(self.table.columns[time.place].taken(rows))
        names = [""] * rows.size
        if node is not None:
            names = self.table.columns[node.place].taken(rows).texts()
        values = [text.lower() for text in self.table.columns[kind.place].taken(rows).texts()]
        return sorted(zip(names, seconds.tolist(), rows.tolist(), values, strict=True))

    def _of_states(
        self, column: _Column, order: _Order, lasting: bool
    ) -> tuple[_Column, Meaning, frozenset[str], frozenset[str]]:
        wanted = frozenset(value.lower() for value in self.given.state)
        held = {text.lower() for text in column.texts}
        if missing := sorted(wanted - held):
            some = ", ".join(text for text in column.texts if text)[:200]
            self._refuse(
                f'state (--state) must be one of "{column.name}" ({some}), got {missing[0]!r}'
            )
        names = " or ".join(self.given.state)
        ups = held - wanted - {""}
        states = not lasting and (
            any(condition_of(text) == "up" or text in _TRUE | {"0"} for text in ups)
            or _followed(order, wanted, ups) > 0.8
        )
        verb = "down while" if states else "failures where"
        self.said.append(f'{verb} "{column.name}" is {names}')
        return column, "states" if states else "events", wanted, frozenset()

    def _of_words(
        self, column: _Column, order: _Order, lasting: bool
    ) -> tuple[_Column, Meaning, frozenset[str], frozenset[str]]:
        texts = [text for text in column.texts if text]
        found = {text: condition_of(text) for text in texts}
        planned = frozenset(text.lower() for text, what in found.items() if what == "planned")
        if not lasting and "ticket" in found.values():
            # Start and end of what the log is of, in turn; or what has become of a report.
            turned = {text: _of_ticket(text, what) for text, what in found.items()}
            begin = {text.lower() for text, what in turned.items() if what == "down"}
            end = {text.lower() for text, what in turned.items() if what == "up"}
            share = _followed(order, begin, end)
            if share > 0.8:
                found = turned
            elif share > 0.2:
                self._refuse_words(column, texts)
            elif "up" not in found.values():
                return column, "rows", frozenset(), planned
        if not lasting and not {"up", "planned"} & set(found.values()) and column.kind == "words":
            self._refuse_words(column, texts)
        ups = [text for text, what in found.items() if what == "up"]
        downs = [text for text, what in found.items() if what in ("down", "other", "ticket")]
        down = frozenset(text.lower() for text in downs)
        if not ups:
            if planned:
                self.said.append(
                    f'planned work where "{column.name}" is {_listed(sorted(planned))}'
                )
            return column, "events", down, planned
        if lasting:
            self.said.append(f'failures where "{column.name}" is {_listed(downs)}')
            return column, "events", down, planned
        others = [text for text in downs if found[text] == "other"]
        if len(others) == len(downs) and not planned:
            self._refuse_words(column, texts)
        if others:
            down -= {text.lower() for text in others}
            self.others = frozenset(text.lower() for text in others)
            self.said.append(f'"{column.name}" {_listed(others)} left out')
        self.said.append(
            f'down from "{column.name}" {_listed([t for t in downs if t.lower() in down])} '
            f"to {_listed(ups)}"
        )
        return column, "states", down, planned


def _followed(order: _Order, begin: Collection[str], end: Collection[str]) -> float:
    """Return the share of ends that come right after a beginning of the same node."""
    ends = [
        (one[0] == other[0] and one[3] in begin)
        for one, other in pairwise([("", 0.0, 0, ""), *order])
        if other[3] in end
    ]
    return sum(ends) / len(ends) if ends else 0.0


def _of_ticket(text: str, what: Condition) -> Condition:
    """Return what start and end of an outage mean, where rows are events."""
    if what != "ticket":
        return what
    words = set(_tokens(text))
    return "up" if words & _ENDS or words & {"clear"} else "down"


def _listed(texts: Sequence[str]) -> str:
    return " or ".join(texts[:3]) + (f" (and {len(texts) - 3} more)" if len(texts) > 3 else "")


def told_by_ends(lengths: Sequence[float], repairs: Sequence[float]) -> str:
    """Return the unit in which repairs last until the ends, s where none does."""
    pairs = np.array([(a, b) for a, b in zip(lengths, repairs, strict=True) if a > 0.0 and b > 0.0])
    if not pairs.size:
        return "s"
    ratio = float(np.median(pairs[:, 0] / pairs[:, 1]))
    best = min(UNITS, key=lambda unit: abs(math.log(ratio / UNITS[unit])))
    return best if abs(math.log(ratio / UNITS[best])) < 0.1 else "s"


def duration_seconds(
    text: str, unit: float, read: Callable[[str], float | None] = finite
) -> float | None:
    """Return the length of time that a field spells, [s]; plain numbers are in `unit`.

    What is written 12:30 is hours and minutes, or minutes and seconds where `unit` is a minute.
    """
    number = read(text)
    if number is not None:
        return number * unit
    length = duration_of(text)
    clock = unit == UNITS["min"] and re.fullmatch("[0-9]+:[0-9]{2}", text)
    return length / 60.0 if clock and length is not None else length
