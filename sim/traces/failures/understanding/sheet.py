"""The columns of a table of failures: what is said of them, and what their fields are like."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields
from typing import NoReturn

import numpy as np

from ...._checks import one_of, shown
from ...parsing.dates import ORDERS
from ...parsing.delimited import Delimited
from ...parsing.report import Argument, LogRefused
from ...parsing.values import UNITS, ValueKind, kind_of_values, unit_in_name
from . import words

SAMPLE = 2_000  # rows whose values are looked at
_CLOCK = re.compile(r"[0-9]{1,2}[:h][0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?( ?[AaPp][Mm])?")


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
        for name in (each.name for each in fields(self) if each.name != "state"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} must be text, got {shown(value)}")
        if self.unit is not None:
            one_of("unit", self.unit, UNITS)
        if self.timezone is not None:
            _zone(self.timezone)
        if self.date_order is not None:
            one_of("date_order", self.date_order, ORDERS)


TIME, END, REPAIR, NODE, KIND, CAUSE, UNIT, TIMEZONE, STATE = (
    Argument(f"columns.{each.name}") for each in fields(Columns) if each.name != "date_order"
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
class Column:
    """A column, and what a sample of its fields is like."""

    place: int
    name: str
    plain: str
    tokens: tuple[str, ...]
    kind: ValueKind
    texts: tuple[str, ...]

    @property
    def unit(self) -> str | None:
        """The unit that the name states."""
        return unit_in_name(self.name)

    @property
    def known(self) -> list[str]:
        """The fields that are not empty."""
        return [text for text in self.texts if text]

    def says(self, words: Collection[str]) -> bool:
        """Whether the name has one of some words."""
        return any(token in words for token in self.tokens)

    def last_says(self, words: Collection[str]) -> bool:
        """Whether one of some words is the last of the name."""
        return any(token in words for token in self.tokens[-1:])

    def holds_clocks(self) -> bool:
        """Whether the fields are times of day."""
        return bool(self.known) and all(map(_CLOCK.fullmatch, self.known))

    def has_clocks(self) -> bool:
        """Whether a field names a time of day."""
        return any(":" in text for text in self.texts)

    def is_one_service(self) -> bool:
        """Whether all fields name one service, which may be of many nodes."""
        last = [token for token in self.tokens if token not in ("id", "name")][-1:]
        return last == ["service"] and len(self.known) == 1

    def spelt(self, true: bool) -> str:
        """Return how the values of a flag spell that it is set, or not."""
        return next((t for t in self.known if words.is_set(t) == true), "1" if true else "0")


def first_named(names: Iterable[str], columns: Collection[Column]) -> Column | None:
    """Return the column with the first of some names."""
    by_name = {column.plain: column for column in reversed([*columns])}
    return next((by_name[name] for name in names if name in by_name), None)


@dataclass(slots=True)
class Sheet:
    """The columns of a table, what is said of them, and those that have been `taken` for something.

    `said` is in words what they were taken for.
    """

    table: Delimited
    given: Columns
    columns: tuple[Column, ...] = ()
    taken: set[int] = field(default_factory=set)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rows = np.arange(len(self.table))
        if rows.size > SAMPLE:
            rows = np.unique(np.linspace(0, rows.size - 1, SAMPLE).astype(np.int64))
        texts = (tuple(dict.fromkeys(one.taken(rows).texts())) for one in self.table.columns)
        places = range(len(self.table.header))
        self.columns = tuple(map(_column, places, self.table.header, texts))

    def refuse(self, *words: str | Argument) -> NoReturn:
        """Raise LogRefused, in the line of the header."""
        raise LogRefused(f"line {max(self.table.header_line, 1)}: ", *words)

    def names(self, columns: Iterable[Column] | None = None) -> str:
        """Return the names of some columns, or of all, for a message."""
        return ", ".join(column.name for column in columns or self.columns)[:200]

    def take(self, column: Column) -> Column:
        """Return a column, which is taken from now on."""
        self.taken.add(column.place)
        return column

    def free(self, *kinds: ValueKind) -> list[Column]:
        """Return the columns that are not taken, of some kinds of values or of all."""
        free = (column for column in self.columns if column.place not in self.taken)
        return [column for column in free if not kinds or column.kind in kinds]

    def named(self, role: str) -> Column | None:
        """Take the column that the user named, if one was."""
        name = getattr(self.given, role)
        if name is None:
            return None
        for column in self.columns:
            if name in (column.name, column.plain) or name.lower() == column.name.lower():
                return self.take(column)
        return self.refuse(
            *(Argument(f"columns.{role}"), f" must be one of {self.names()!r}, got {shown(name)}")
        )

    def by_name(self, role: str, *kinds: ValueKind) -> Column | None:
        """Take the free column with the first of the known names, of some kinds of values."""
        free = self.free(*kinds)
        if role == "node":
            free = [c for c in free if not c.is_one_service()]
        column = first_named(words.NAMES[role], free)
        if column is None and role == "node":
            column = next(
                (c for c in free if c.kind == "words" and words.is_of_node(c.tokens)), None
            )
        return None if column is None else self.take(column)

    def unread(self, role: str) -> Column | None:
        """Return an empty column of a known name, or one of mixed fields, which are reported."""
        free = [c for c in self.free("empty", "words") if c.plain != "up" or c.kind == "empty"]
        return first_named(words.NAMES[role], free)


def is_day(text: str, *, or_year: bool = False) -> bool:
    """Whether eight digits are a day of the calendar, such as 20030108; or four a year."""
    if or_year and re.fullmatch("(19|20)[0-9]{2}", text):
        return True
    if re.fullmatch("[0-9]{8}", text) is None:
        return False
    year, month, day = int(text[:4]), int(text[4:6]), int(text[6:])
    return 1900 <= year < 2100 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _column(place: int, name: str, texts: tuple[str, ...]) -> Column:
    plain, known = words.plain_name(name), [text for text in texts if text]
    days = plain in words.DAYS and all(is_day(text, or_year=plain == "year") for text in known)
    kind = "date" if days and known else kind_of_values(list(texts))
    return Column(place, name, plain, words.tokens_of(name), kind, texts)
