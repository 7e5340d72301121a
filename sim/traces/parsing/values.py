"""Columns of text as instants and durations: dates, numbers of any unit, lengths of time."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import one_of
from .dates import ORDERS, DateOrder, decide_order, refuse_two_orders, written_date
from .delimited import Column
from .limits import room_for
from .numbers import finite
from .report import Argument, Findings, LogRefused
from .signs import WORTH_COMPILING
from .times import wall_clock

__all__ = [
    "UNITS",
    "Plain",
    "ValueKind",
    "clock_of",
    "counts",
    "duration_of",
    "each",
    "epoch_unit",
    "instants",
    "is_clock",
    "kind_of_values",
    "localised",
    "number_reader",
    "plainly",
    "refuse_set_back",
    "unit_in_name",
    "words_of",
]

FloatArray = npt.NDArray[np.float64]
Plain: TypeAlias = Literal["wholes", "clocks"]  # what compiled code reads
ValueKind: TypeAlias = Literal["empty", "flag", "number", "date", "duration", "words"]

# Unit -> seconds, and the words that logs have for it.
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}
_LONG = {  # of 30 and 365 days, as monitoring tools write them
    **dict.fromkeys(("w", "wk", "week", "weeks"), 7 * 86_400.0),
    **dict.fromkeys(("mo", "month", "months"), 30 * 86_400.0),
    **dict.fromkeys(("y", "yr", "year", "years"), 365 * 86_400.0),
    # Of lengths alone: in names of columns they are times of day, or per day.
    **dict.fromkeys(("heure", "hora"), 3600.0),
    "jour": 86_400.0,
}
_SECONDS = ("sekunden", "secondes", "segundos", "秒")
_MINUTES, _HOURS = ("分", "分钟", "分鐘", "分間"), ("小时", "小時", "ore", "uur")
_WORDS = {
    **dict.fromkeys(("ns", "nsec", "nanosecond", "nanoseconds", "nanos"), "ns"),
    **dict.fromkeys(("us", "usec", "µs", "microsecond", "microseconds", "micros"), "us"),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds", "millis"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", *_SECONDS), "s"),
    **dict.fromkeys(
        ("m", "min", "mins", "minute", "minutes", "minuten", "minuti", "minutos", *_MINUTES), "min"
    ),
    **dict.fromkeys(
        ("h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heures", "horas", *_HOURS),
        "h",
    ),
    **dict.fromkeys(
        ("d", "day", "days", "tag", "tage", "jours", "giorni", "dagen", "dias", "天"), "d"
    ),
}
_PIECE = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s*([a-zµ]+|[\u4e00-\u9fff]+)\.?(?:[\s,]|and\b)*")
_FRENCH = re.compile(r"(?<=[0-9]) ?h ?([0-5][0-9])$")  # 2h30
_ABOUT = re.compile(r"^(?:~|≈|ca\.|approx\.|about\b) *", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?:([0-9]{1,6})(?:-|\s*d(?:ays?)?,?\s+|\s*d(?:ays?)?,?\s*(?=[0-9]))\s*)?"
    r"([0-9]{1,6}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?"
)
_ISO = re.compile(
    r"P(?:([0-9.]+)D)?(?:T(?:([0-9.]+)H)?(?:([0-9.]+)M)?(?:([0-9.]+)S)?)?", re.IGNORECASE
)
_FLAGS = frozenset(
    [
        *("0", "1", "0.0", "1.0", "true", "false", "t", "f", "yes", "no", "y", "n", "x"),
        *("ja", "nein", "j", "oui", "non", "si", "sí", "wahr", "falsch", "vrai", "faux"),
        *("verdadero", "falso", "vero", "☑", "☒", "✓", "✔", "☐", "是", "否"),
    ]
)
_LONGEST = 64  # characters of a date
_PIECES = 16
_ROWS = 4096  # read of one column before the next
_DECIDING = 2_000  # dates that decide whether day or month comes first
_NAMED_ZONE = re.compile(
    r"(?P<clock>.*:[0-9.]+(?:\s?[ap]m)?|.*[0-9])\s*\(?(?P<zone>[a-z]{1,4})\)?(?P<year>\s[0-9]{4})?",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"(.*:[0-9.]+(?:\s?[ap]m)?)\s+([+-])([0-9]{2}):?([0-9]{2})", re.IGNORECASE)
# Hours before UTC of the names of zones that mean one zone wherever they are written.
_ZONES = {
    **{"UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2},
    **{"EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "AKST": -9, "AKDT": -8, "HST": -10},
    **{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7},
}
# Not 05.01.26, which is a day.
_NUMBER = re.compile(
    r"(?![0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2}){1,2}$)"
    r"[+-]?[0-9](?:[0-9.,']|[ \xa0\u202f](?=[0-9]{3}(?![0-9])))*[0-9]|[+-]?[0-9]"
)
_MOMENT = re.compile(
    r"(19|20)[0-9]{2}(0[1-9]|1[0-2])([0-2][0-9]|3[01])([01][0-9]|2[0-3])([0-5][0-9]){2}"
)
_MONTH_NUMBER = re.compile(r"([^\W\d_]{3,10})\.?-([0-9]{2})")
_PLAIN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}")
_RAS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{2}\.[0-9]{2}")  # of Blue Gene
_FINE = re.compile(r"(.*\.[0-9]{6})[0-9]+(.*)")


def unit_in_name(name: str) -> str | None:
    """Return the unit that the name of a column states, such as h in ``downtime_hours``.

    Examples
    --------
    >>> unit_in_name("downtime_hours"), unit_in_name("Repair (min)"), unit_in_name("TTR [h]")
    ('h', 'min', 'h')
    >>> unit_in_name("seconds_to_resolve"), unit_in_name("downtime"), unit_in_name("end_date")
    ('s', None, None)
    """
    spelt = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    if clock := re.search(r"\b(?:(hh?)|mm?):(?:mm|ss)\b", spelt):
        return "h" if clock[1] else "min"
    words = [word for word in re.split(r"[^a-zµ\u4e00-\u9fff]+", spelt) if word]
    if not words:
        return None
    last, first = _WORDS.get(words[-1]), _WORDS.get(words[0])
    if last is not None and len(words) > 1 and not (words[-1] == "day" or words[0] == last):
        return last
    return (
        first if first is not None and len(words) > 1 and words[1] in ("to", "of", "down") else None
    )


def duration_of(text: str) -> float | None:
    """Return the length of time [s] that a text with units or a clock spells, else None.

    Examples
    --------
    >>> duration_of("4.5h"), duration_of("4h 9m"), duration_of("02:30:00"), duration_of("1-02:00")
    (16200.0, 14940.0, 9000.0, 93600.0)
    >>> duration_of("1 day, 2:03:04"), duration_of("PT4H30M"), duration_of("soon")
    (93784.0, 16200.0, None)
    """
    text = _ABOUT.sub("", text.strip()).replace("(s)", "s")
    if not text or len(text) > 60 or re.fullmatch(r"[0-9.,]+ ?M", text):
        return None  # one M alone is a minute or a month
    if re.search("[a-z]", text):
        text = re.sub(r"(?<=[0-9]) ?M(?![A-Za-z])", "mo", text)
    text = text.lower()
    sign = -1.0 if text.startswith("-") else 1.0
    text = text.lstrip("+-")
    if found := _CLOCK.fullmatch(text):
        days, first, second, third = found.groups()
        total = 86_400.0 * float(days or 0) + 3600.0 * float(first) + 60.0 * float(second)
        return sign * (total + float(third or 0.0))
    if (found := _ISO.fullmatch(text)) and len(text) > 2:
        parts = [finite(part or "0") for part in found.groups()]
        if None not in parts:
            sizes = (86_400.0, 3600.0, 60.0, 1.0)
            return sign * sum(size * (part or 0.0) for size, part in zip(sizes, parts, strict=True))
    text, total, place = _FRENCH.sub(r"h \1m", text), 0.0, 0
    while piece := _PIECE.match(text, place):
        unit = _WORDS.get(piece[2])
        size = UNITS[unit] if unit is not None else _LONG.get(piece[2])
        if size is None:
            return None
        total += float(piece[1].replace(",", ".")) * size
        place = piece.end()
    return sign * total if 0 < place == len(text) else None


def epoch_unit(values: FloatArray) -> str | None:
    """Return the unit of numbers that must count from 1970 (above 1e11), None of smaller ones."""
    known = np.abs(values[np.isfinite(values)])
    if not known.size:
        return None
    least, most = _epoch_unit(float(known.min())), _epoch_unit(float(known.max()))
    # Numbers count once however often they stand there.
    return least if least == most else _epoch_unit(float(np.median(np.unique(known))))


def _epoch_unit(value: float) -> str | None:
    return None if value < 1e11 else "ms" if value < 1e14 else "us" if value < 1e17 else "ns"


def kind_of_values(texts: list[str]) -> ValueKind:
    """Return what a column holds, by its different texts; more than nine in ten decide.

    One that differs, such as a total in the last line, never decides.

    Examples
    --------
    >>> kind_of_values(["0", "1"]), kind_of_values(["2026-01-01", ""]), kind_of_values(["4.5h"])
    ('flag', 'date', 'duration')
    >>> kind_of_values(["7", "12"]), kind_of_values(["n1", "n2"]), kind_of_values([""])
    ('number', 'words', 'empty')
    """
    known = [text for text in texts if text]
    if not known:
        return "empty"
    if all(text.lower() in _FLAGS for text in known):
        return "flag"
    if _are_clocks(known):  # as most are, which is soon seen
        return "date"
    tests: tuple[tuple[ValueKind, Callable[[str], object]], ...] = (
        ("date", lambda text: _MOMENT.fullmatch(text) is not None),
        ("number", lambda text: finite(text) is not None or _NUMBER.fullmatch(text) is not None),
        ("date", lambda text: clock_of(text) or clock_of(text, "day-first")),
        ("duration", lambda text: duration_of(text) is not None),
    )
    if _are_days_of_months(known):
        return "words"
    most = math.ceil(max(0.1 * len(known), 2.0))  # decide
    for kind, fits in tests:
        missed = (text for text in known if fits(text) in (None, False))
        misses = sum(1 for _ in islice(missed, most))
        if misses < 0.1 * len(known) or misses == 1 < len(known) - 1:
            return kind
    return "words"


def is_clock(text: str) -> bool:
    """Whether a text is written as 2026-01-31T09:30:00, which has one reading at most."""
    return _PLAIN.fullmatch(text) is not None


def _are_clocks(texts: list[str]) -> bool:
    """Whether all texts are clocks of a day that there is."""
    if not all(map(is_clock, texts)) or min(texts) < "0001":
        return False
    try:
        np.array(texts, dtype="datetime64[s]")
    except ValueError:
        return False
    return True


def _are_days_of_months(texts: list[str]) -> bool:
    """Whether texts such as Jan-26 name more years than months: they are days, of no year.

    Not if each names the month after the one before, as Dec-25 and Jan-26 do.
    """
    found = [_MONTH_NUMBER.fullmatch(text) for text in texts]
    parts = [each.groups() for each in found if each is not None]
    if len(parts) < len(texts) or len(set(parts)) < 2:
        return False
    dates = [date for text in texts if (date := written_date(text)) is not None]
    months = [12 * date.year + date.numbers[0] for date in dates]
    if len(months) == len(texts) and all(b - a == 1 for a, b in pairwise(months)):
        return False
    return len({number for _, number in parts}) >= len({name for name, _ in parts})


def number_reader(texts: Iterable[str], *, commas: bool) -> Callable[[str], float | None]:
    """Return what reads the numbers of one column, whichever marks their decimals and thousands.

    Parameters
    ----------
    texts : iterable of str
        The different fields of the column.
    commas : bool
        Whether commas separate the columns, so that one inside a field marks thousands.

    Raises
    ------
    ValueError
        If all that has a mark may be read either way, as 3.600 beside columns parted by ``;``.

    Examples
    --------
    >>> read = number_reader(["1.234,5", "7,25"], commas=False)
    >>> read("1.234,5"), read("soon"), number_reader(["3,600"], commas=True)("3,600")
    (1234.5, None, 3600.0)
    """
    decimal, doubt = set[str](), set[str]()
    for text in texts:
        marks = re.sub(r"[^.,]", "", text) if _NUMBER.fullmatch(text) else ""
        if not marks:
            continue
        other = "," if marks[-1] == "." else "."
        if len(marks) > 1:
            decimal.add(other if len(set(marks)) == 1 else marks[-1])
        elif re.fullmatch(r"[+-]?[1-9][0-9]{,2}[.,][0-9]{3}", text):
            doubt.add(text)
        else:
            decimal.add(marks)
    if not decimal and doubt and not commas:
        some = min(doubt)
        plain = re.sub("[.,]", "", some)
        raise ValueError(f"{some}, which may be {plain} or {some.replace(',', '.')}")
    comma = decimal == {","}
    thousands, point = (".", ",") if comma else (",", ".")

    def read(text: str) -> float | None:
        number = finite(text)
        if (number is not None and not comma) or _NUMBER.fullmatch(text) is None:
            return number
        plain = re.sub("[' \xa0\u202f]", "", text)
        return finite(plain.replace(thousands, "").replace(point, "."))

    return read


def decimal_comma(text: str) -> float | None:
    """Return the number that ``4,5`` spells where a comma is the decimal point."""
    return float(text.replace(",", ".")) if re.fullmatch(r"-?[0-9]+,[0-9]+", text) else None


def clock_of(text: str, order: DateOrder = "month-first") -> tuple[float, bool] | None:
    """Return Unix seconds of a date, read as in UTC, and whether it names its zone; else None."""
    if len(text) > _LONGEST:
        return None
    if _MOMENT.fullmatch(text):
        text = f"{text[:8]}T{text[8:]}"
    if not is_clock(text):
        if finite(text) is not None:
            return None
        if (apart := _without_zone(text)) is not None:
            found = clock_of(apart[0], order)
            return None if found is None else (found[0] - apart[1], True)
        if fine := _FINE.fullmatch(text):
            text = fine[1] + fine[2]
    try:
        if _RAS.match(text):
            return wall_clock(text), False
        moment = datetime.fromisoformat(text)
        named = moment.tzinfo is not None
        return (moment if named else moment.replace(tzinfo=UTC)).timestamp(), named
    except (OverflowError, ValueError):
        date = written_date(text)
        seconds = None if date is None else date.seconds(order)
    return None if seconds is None else (seconds, False)


def _without_zone(text: str) -> tuple[str, float] | None:
    """Return a date without the zone that it names, and how far that is ahead of UTC, [s]."""
    if said := _NAMED_ZONE.fullmatch(text):
        ahead = _ZONES.get(said["zone"].upper())
        apart = said["clock"] + (said["year"] or "")
        return None if ahead is None else (apart.strip(), 3600.0 * ahead)
    if found := _OFFSET.fullmatch(text):
        size = 3600.0 * float(found[3]) + 60.0 * float(found[4])
        return found[1], -size if found[2] == "-" else size
    return None


def words_of(texts: list[str], codes: npt.NDArray[np.int64] | None = None) -> Any:
    """Return a column of words as pandas keeps them, of one for each different text."""
    import pandas as pd

    words = pd.Series(texts, dtype=None if texts else object).array
    if codes is None:
        return words
    if len(texts) != 1 or not codes.size or getattr(words.dtype, "storage", "") != "pyarrow":
        return words.take(codes)
    import pyarrow as pa

    # One word in every row: pieces of a column may share their memory.
    piece = pa.repeat(pa.scalar(texts[0], pa.large_string()), codes.size // _PIECES + 1)
    count, rest = divmod(codes.size, len(piece))
    return pd.array(pa.chunked_array([*[piece] * count, piece.slice(0, rest)]), dtype=words.dtype)


def each(column: Column, parse: Callable[[str], float | None]) -> FloatArray:
    """Return what `parse` makes of each field, nan where nothing; each text is parsed once."""
    codes, texts = column.coded()
    parsed = np.array(list(map(parse, texts)), dtype=np.float64)
    return parsed[codes] if texts else np.zeros(0)


def plainly(columns: Iterable[tuple[Column, Plain]]) -> list[FloatArray | None]:
    """Return what compiled code reads of each column, nan for all else; None of a small table.

    A table is gone through once, as its text would have left the cache before the next column.
    """
    read = [(column, room_for(len(column)), kind) for column, kind in columns]
    if not read or read[0][0].data.size <= WORTH_COMPILING:
        return [None] * len(read)
    from .text_kernels import clock_seconds, plain_wholes

    for begin in range(0, len(read[0][0]), _ROWS):
        rows = slice(begin, begin + _ROWS)
        for column, found, kind in read:
            part = column.data, column.starts[rows], column.ends[rows] - column.gap, found[rows]
            (plain_wholes if kind == "wholes" else clock_seconds)(*part)
    return [found for _, found, _ in read]


def counts(
    column: Column, parse: Callable[[str], float | None], found: FloatArray | None = None
) -> FloatArray:
    """Do what `each` does where most fields are plain digits, which `parse` takes as they are.

    `found` is what `plainly` read of them, if that was done; it is filled in.
    """
    if found is None:
        (found,) = plainly([(column, "wholes")])
    if found is None:
        return each(column, parse)
    rest = np.flatnonzero(np.isnan(found))
    if rest.size:
        found[rest] = each(column.taken(rest), parse)
    return found


def instants(
    column: Column,
    *,
    order: DateOrder = "month-first",
    numbers: float | None = 1.0,
    found: FloatArray | None = None,
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return seconds of each field, nan where it is no time, and whether it names its zone.

    Parameters
    ----------
    column : Column
        Dates, or numbers.
    order : {"month-first", "day-first"}
        Of dates such as 1/2/2004.
    numbers : float, optional
        Seconds of one unit of plain numbers, which beyond 1e11 are ms, us or ns since 1970; None
        refuses them.
    found : ndarray of float64, optional
        What `plainly` read of the column, if that was done; it is filled in.
    """
    seconds, zoned = np.full(len(column), np.nan), np.zeros(len(column), dtype=np.bool_)
    wholes, left = np.zeros(len(column), dtype=np.bool_), np.ones(len(column), dtype=np.bool_)
    first = kind_of_instants(column)
    kinds: tuple[Plain, Plain] = ("wholes", "clocks") if first == "wholes" else ("clocks", "wholes")
    for kind in kinds:
        part = column if left.all() else column.taken(left)
        read = found if kind == first and found is not None else plainly([(part, kind)])[0]
        if read is None or (kind == "wholes" and numbers is None):
            continue
        known = ~np.isnan(read)
        if kind == "wholes":
            known &= part.lengths != len("20260131093000")
            read *= numbers or 1.0
        if known.size == len(column) and known.all():
            seconds = read
            wholes[:], left[:] = kind == "wholes", False
        else:
            rows = np.flatnonzero(left)[known]
            seconds[rows] = read[known]
            wholes[rows], left[rows] = kind == "wholes", False
        if not left.any():
            break
    if left.any():
        codes, texts = column.taken(left).coded()
        each_text = [_instant(text, order, numbers) for text in texts]
        times = np.array([time for time, _ in each_text], dtype=np.float64)
        seconds[left] = times[codes]
        zoned[left] = np.array([named for _, named in each_text], dtype=np.bool_)[codes]
        wholes[left] = np.array([_is_count(text) for text in texts], dtype=np.bool_)[codes]
    if wholes.any():
        counted = seconds if wholes.all() else seconds[wholes]
        if (since := epoch_unit(counted)) is not None:
            seconds[wholes] *= UNITS[since]
        zoned |= wholes
    return seconds, zoned


def order_in(
    columns: Iterable[Column],
    lines: npt.NDArray[np.int64],
    given: str | None,
    findings: Findings,
) -> DateOrder:
    """Return whether day or month comes first in the dates of some columns, and note it.

    Parameters
    ----------
    columns : iterable of Column
        Of one table, with dates that are written in one order.
    lines : ndarray of int64
        Of its rows.
    given : {"day-first", "month-first"}, optional
        What is said of them, which they are not asked then.
    findings : Findings
        Receives `date-order`, where dates leave it open.

    Raises
    ------
    ValueError
        If no day above 12 decides, and the two readings differ; if there is no such order.
    """
    if given is not None:
        one_of("date_order", given, ORDERS)
        return "day-first" if given == "day-first" else "month-first"
    if not lines.size:
        return "month-first"
    some = np.unique(np.linspace(0, lines.size - 1, _DECIDING).astype(np.int64))
    texts: list[tuple[int, str]] = []
    for column in columns:
        rows, part = some, column.taken(some)
        clocks, wholes = plainly([(part, "clocks"), (part, "wholes")])
        if clocks is not None and wholes is not None:  # and dates without a time of day
            dates = np.isnan(clocks) | (part.lengths == len("2026-01-31"))
            rows = some[dates & np.isnan(wholes)]
        pairs = zip(lines[rows].tolist(), column.taken(rows).texts(), strict=True)
        texts += [(line, text) for line, text in pairs if not is_clock(text)]
    found = decide_order(written_date(text) for _, text in texts)
    if found is None:
        return "month-first"
    if not (found.proofs or found.dotted):
        refuse_two_orders(texts, *texts[found.example or 0])
    reason = f"dates are read {found.order}: {found.proofs:,} of them prove it"
    findings.add("noted", int(lines[0]), "date-order", reason)
    return found.order


def kind_of_instants(column: Column) -> Plain:
    """Return how most of a column of instants is written, by its first field."""
    first = column.data[column.starts[0] : column.stops[0]].tobytes() if len(column) else b""
    return "wholes" if first.isdigit() and len(first) != len("20260131093000") else "clocks"


def _is_count(text: str) -> bool:
    return finite(text) is not None and _MOMENT.fullmatch(text) is None


def _instant(text: str, order: DateOrder, numbers: float | None) -> tuple[float, bool]:
    number = None if _MOMENT.fullmatch(text) else finite(text)
    if number is None:
        number = decimal_comma(text)
    if number is not None:
        return (np.nan if numbers is None else number * numbers), True
    return clock_of(text, order) or (np.nan, False)


def refuse_set_back(start: FloatArray, end: FloatArray, lines: npt.NDArray[np.int64]) -> None:
    """Refuse local times of which a few per cent end before they start, as clocks are set back.

    Clocks are set back early on a Sunday in autumn.
    """
    back = np.flatnonzero(end < start)
    back = back[end[back] >= start[back] - 7200.0]
    day = np.floor(start[back] / 86_400.0)
    month = start[back].astype("datetime64[s]").astype("datetime64[M]").astype(np.int64) % 12
    early = (day % 7 == 3) & (start[back] - day * 86_400.0 < 4 * 3600.0)
    back = back[early & np.isin(month, (2, 3, 9, 10))]
    if back.size > 0.03 * start.size:
        row = back[0]
        raise LogRefused(
            f"line {lines[row]}: an outage must end after it starts, got {end[row] - start[row]:g} "
            "s as clocks were set back: ",
            *(Argument("columns.timezone"), " names their zone, such as Europe/Berlin"),
        )


def localised(seconds: FloatArray, zone: str, *, after: FloatArray | None = None) -> FloatArray:
    """Return Unix seconds of wall clocks that were read as in UTC but are of a time zone.

    Of an hour that comes twice it is the first, unless that lies before `after`; a time that the
    change to summer time leaves out is taken as that much later.
    """
    from zoneinfo import ZoneInfo

    place = ZoneInfo(zone)
    known = np.flatnonzero(np.isfinite(seconds))
    walls, codes = np.unique(seconds[known], return_inverse=True)
    naive = [datetime.fromtimestamp(wall, UTC).replace(tzinfo=place) for wall in walls.tolist()]
    first = np.array([moment.timestamp() for moment in naive])[codes]
    second = np.array([moment.replace(fold=1).timestamp() for moment in naive])[codes]
    found = np.full(seconds.shape, np.nan)
    later = np.zeros(known.size, dtype=np.bool_) if after is None else first < after[known]
    found[known] = np.where(later & (second > first), second, first)
    return found
