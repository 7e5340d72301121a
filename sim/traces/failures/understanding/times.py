"""Which columns hold when nodes failed, when they came back, and how long that took."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

import numpy as np

from ...parsing.numbers import finite
from ...parsing.values import UNITS, ValueKind, decimal_comma, duration_of, epoch_unit
from . import words
from .sheet import TIME, UNIT, Column, Sheet, first_named

_EXCEL = (15_000.0, 80_000.0)  # days since 1900 of this century and the last
_OF_SPREADSHEETS = -25_569.0 * 86_400.0  # s since 1970, from which they count days
_RECENT = (36_525.0, 60_000.0)  # those of 2000 to 2064
_1973 = 1e8  # s since 1970
_PARTS = frozenset({"month", "week", "quarter", "calendar_week"})  # of a year
_ANY_FLAG = frozenset[str]().union(*words.FLAGS.values())


def time_of(sheet: Sheet) -> tuple[Column, Column | None]:
    """Return the column of times, and the one of times of day that stand apart."""
    chosen = sheet.named("time")
    if (pair := _day_and_clock(sheet, chosen)) is not None:
        return pair
    chosen = chosen or sheet.take(_unnamed_time(sheet))
    if chosen.plain == "year" and (parts := [c.name for c in sheet.free() if c.plain in _PARTS]):
        sheet.refuse(
            f'time must be one column, got "{chosen.name}" beside {", ".join(parts)}: write them '
            "in one, as 2026-01 or 2026-W01"
        )
    sheet.said.append(f'time "{chosen.name}"')
    return chosen, None


def _day_and_clock(sheet: Sheet, named: Column | None) -> tuple[Column, Column] | None:
    clocks = [c for c in sheet.free() if c.holds_clocks()]
    days = [c for c in sheet.free("date") if not c.says(words.ENDS)]
    day = named or first_named(words.DAYS, sheet.free("date"))
    day = day or (days[0] if len(days) == 1 else None)
    clock = first_named(words.CLOCKS, clocks)
    clock = clock or next((c for c in clocks if c.says(words.STARTS)), None)
    if clock is None and any(c.says(words.ENDS) for c in clocks):
        clock = next((c for c in clocks if _tells_when(c)), None)
    if (
        day is None
        or clock is None
        or day.kind != "date"
        or day.has_clocks()
        or clock.name == sheet.given.repair
    ):
        return None
    if clock.plain == "down_time" and len(clocks) == 1:
        return None  # how long, not when
    sheet.said.append(f'time "{day.name}" with "{clock.name}"')
    return sheet.take(day), sheet.take(clock)


def _tells_when(clock: Column) -> bool:
    """Whether the name of times of day is that of failures, as an outage time beside a repair's."""
    return clock.says(words.STRUCK) and clock.says(words.TIMES) and not clock.says(words.ENDS)


def _unnamed_time(sheet: Sheet) -> Column:
    dates = sheet.free("date")
    numbers = sheet.free("number", "flag")
    among = dates or [c for c in numbers if c.kind == "number" or not c.says(_ANY_FLAG)]
    among = [c for c in among if not (c.says(words.STRUCK) and _counts_rows(c))]
    starts = (c for c in among if c.says(words.STARTS) and not c.says(words.ENDS))
    if chosen := first_named(words.NAMES["time"], among) or next(starts, None):
        return chosen
    if dates:
        return _only_start(sheet, dates)
    # Fields that are no times are then reported one by one.
    for column in sheet.free():
        if column.plain in words.NAMES["time"] and column.kind not in ("flag", "number"):
            return column
    lengths = any(c.kind == "duration" or (c.kind == "number" and c.unit) for c in sheet.free())
    lives = "; of lengths alone: perfmodel fit --lifetimes" if lengths else ""
    return sheet.refuse(
        "the header must name a column 'time', 'date' or 'down' that holds times, got "
        f"{sheet.names()!r}; ",
        *(TIME, f" names another{lives}"),
    )


def _counts_rows(column: Column) -> bool:
    """Whether the fields are 1, 2, 3 and so on, the numbers of the rows."""
    return [*column.texts] == [str(1 + place) for place in range(len(column.texts))]


def _only_start(sheet: Sheet, dates: list[Column]) -> Column:
    others = [c for c in dates if not c.says(words.ENDS)]
    if len(others) > 1:
        sheet.refuse(
            f"the time must be one of the columns {sheet.names(others)!r}, got no name that "
            "says which: ",
            *(TIME, " names it"),
        )
    if not others:
        sheet.refuse(
            f"the time must be when nodes failed, got only {sheet.names(dates)!r}, when they "
            "came back: ",
            *(TIME, " takes it all the same"),
        )
    return others[0]


def number_unit(sheet: Sheet, time: Column) -> tuple[float, float | None]:
    """Return the unit of times that are numbers, [s], and from when on they count, if known."""
    if time.kind not in ("number", "flag"):
        return 1.0, None
    numbers = np.array(_numbers_of(time))
    since = epoch_unit(numbers)
    if since is not None:
        if numbers.min() * 100.0 < numbers.max():
            few, many = f"{numbers.min():.0f}", f"{numbers.max():.0f}"
            sheet.refuse(
                f'"{time.name}" must be in one unit, got {few} beside {many}: split the file'
            )
        sheet.said[0] += f" in {since} since 1970"
        return UNITS[since], 0.0
    unit = time.unit or sheet.given.unit
    low, high = _EXCEL if time.plain in words.DATES else _RECENT
    of_spreadsheet = numbers.size and low < numbers.min() and numbers.max() < high
    if unit is not None:
        sheet.said[0] += f" in {unit}"
        return UNITS[unit], _OF_SPREADSHEETS if of_spreadsheet and unit == "d" else None
    if of_spreadsheet:
        sheet.refuse(
            f'"{time.name}" must be dates or say its unit, got {time.texts[0]}, which may be '
            "seconds or days of a spreadsheet: ",
            *(UNIT, " s or ", UNIT, " d decides"),
        )
    return 1.0, None


def end_of(sheet: Sheet, time: Column, *, clocked: bool) -> tuple[Column | None, Column | None]:
    """Return the columns of ends, and of their times of day; `clocked` if starts have some."""
    end = sheet.named("end")
    if clocked and end is not None and end.kind == "date" and not end.has_clocks():
        return _end_of_day(sheet, time, end) or (end, None)
    if end is None and sheet.given.repair is None:
        if clocked and (pair := _end_of_day(sheet, time)) is not None:
            return pair
        end = _unnamed_end(sheet, time)
    if end is None:
        return None, None
    sheet.said.append(f'end "{end.name}"')
    return sheet.take(end), None


def _end_of_day(
    sheet: Sheet, time: Column, named: Column | None = None
) -> tuple[Column, Column] | None:
    """Return the day and the time of day at which outages ended; no day: that of the start."""
    clocks = [c for c in sheet.free() if c.holds_clocks()]
    days = (c for c in sheet.free("date") if not c.has_clocks())
    ends = (c for c in days if c.plain in words.END_DAYS or c.says(words.ENDS))
    day = named or next(ends, None)
    clock = next((c for c in clocks if day is not None and c.plain in words.END_CLOCKS), None)
    clock = clock or next((c for c in clocks if c.says(words.ENDS | {"to"})), None)
    if clock is None:
        return None
    day = time if day is None else sheet.take(day)
    sheet.said.append(f'end "{day.name}" with "{clock.name}"')
    return day, sheet.take(clock)


def _since_1970(column: Column) -> bool:
    return min(_numbers_of(column), default=0.0) > _1973


def _numbers_of(column: Column) -> list[float]:
    found = ((finite(text), decimal_comma(text)) for text in column.texts)
    return [n for point, comma in found if (n := comma if point is None else point) is not None]


def _unnamed_end(sheet: Sheet, time: Column) -> Column | None:
    kind: ValueKind = "date" if time.kind == "date" else "number"
    epochs = [c for c in sheet.free("number") if kind == "number" and _since_1970(c)]
    free = [c for c in sheet.free(kind) if c.unit is None or c in epochs]
    ends = (c for c in free if c.says(words.ENDS) or c.last_says({"to"}))
    like = [c for c in ends if c.kind == "date" or c in epochs]
    like.sort(key=lambda c: c.says(words.ENDS_LATE))
    return first_named(words.NAMES["end"], free) or next(iter(like), None) or sheet.unread("end")


def repair_of(
    sheet: Sheet, time: Column, end: Column | None, *, since_1970: bool
) -> tuple[Column | None, float | None]:
    """Return the column of repairs, and the unit of its numbers, [s]; None if ends tell it."""
    column = sheet.named("repair")
    if column is None and sheet.given.end is None:
        column = _unnamed_repair(sheet)
    if column is None:
        return None, 1.0
    unit = sheet.take(column).unit or sheet.given.unit
    told = unit is None and end is not None
    if unit is None and not told:
        _refuse_two_units(sheet, column, dated=time.kind == "date", since_1970=since_1970)
    alone = told or column.kind == "duration"
    sheet.said.append(f'repair "{column.name}"' + ("" if alone else f" in {unit or 's'}"))
    return column, None if told else UNITS[unit or "s"]


def _unnamed_repair(sheet: Sheet) -> Column | None:
    free = sheet.free("number", "duration")
    flags = [c for c in sheet.free("flag") if c.plain != "outage"]
    units = (c for c in free if c.unit or c.kind == "duration" or c.last_says({"downtime"}))
    like = (c for c in units if c.says(words.REPAIRS))
    unsure = (c for c in free if c.plain == "down" and c.kind == "number")
    known = first_named(words.NAMES["repair"], [*free, *flags])
    return known or next(iter([*like, *unsure]), None) or sheet.unread("repair")


def _refuse_two_units(sheet: Sheet, column: Column, *, dated: bool, since_1970: bool) -> None:
    """Refuse lengths of time that may be of two units, s or min, or h or min."""
    clocks = (text for text in column.known if re.fullmatch("[0-9]+:[0-9]{2}", text))
    if clock := next(clocks, None):
        first, second = clock.split(":")
        sheet.refuse(
            f'"{column.name}" must say its unit, got {clock}, which may be {first} h {second} '
            f"min or {first} min {second} s: ",
            *(UNIT, " h or ", UNIT, " min decides"),
        )
    numbers = (text for text in column.known if re.fullmatch("[0-9.,']+", text))
    plain = next((text for text in numbers if text.strip("0.,")), None)
    stated = column.plain in words.SECONDS or not dated
    alike = column.kind != "duration" and column.plain != "down"
    if plain is not None and not (stated and alike and not since_1970):
        sheet.refuse(
            f'"{column.name}" must say its unit, got {plain}, which may be {plain} s or '
            f"{plain} min out of service: ",
            *(UNIT, " s or ", UNIT, " min decides"),
        )


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
