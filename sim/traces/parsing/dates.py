"""Dates as people write them, `11/29/2003 7:00`: read once the order of day and month is known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Literal, TypeAlias

from .report import Argument, LogRefused

DateOrder: TypeAlias = Literal["month-first", "day-first", "year-first"]
ORDERS = ("month-first", "day-first")  # that somebody may state

_CLOCK = (
    r"(?:[ T,:]++(?:(?:um|at|@|à|às|a las) )?(?P<hour>[0-9]{1,2})[:h](?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?P<fraction>\.[0-9]++)?)?(?: ?(?P<half>[AaPp])\.? ?[Mm]\.?| Uhr)?)?"
)
_RECENT = frozenset(range(10, 40))  # years of two digits that are no slips
_YEAR = r"(?P<year>[0-9]{4}|[0-9]{2})"
_BEFORE_YEAR = "(?![0-9]{2}:)"  # 08 of Jan 11 08:15:30 is an hour
_NAME = r"(?P<name>[^\W\d_]{3,10})\.?"
_FORMS = tuple(
    re.compile(form + _CLOCK)
    for form in (
        r"(?P<year>[0-9]{4})([/.-])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})",
        rf"(?P<first>[0-9]{{1,2}})([/.-])(?P<second_>[0-9]{{1,2}})\2{_YEAR}",
        r"(?P<day>[0-9]{1,2})(?:\. ?|(?:st|nd|rd|th|er)? (?:de )?|[/-])"
        rf"{_NAME}(?: (?:de )?{_BEFORE_YEAR}|[/-]){_YEAR}",
        rf"{_NAME}(?: {{1,2}}|-)(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?[ -]{_BEFORE_YEAR}{_YEAR}",
    )
)
_OF_MONTH = (
    re.compile(r"(?P<year>(?:19|20)[0-9]{2})[/-](?P<month>[0-9]{1,2})"),
    re.compile(r"(?P<month>[0-9]{1,2})/(?P<year>(?:19|20)[0-9]{2})"),
    re.compile(rf"{_NAME}(?: (?:de )?|-)(?P<year>[0-9]{{4}})"),
    re.compile(rf"{_NAME}(?:[- ]'|-)(?P<year>[1-3][0-9])"),
    re.compile(r"(?P<year>(?:19|20)[0-9]{2})[ /-]?[QqT](?P<quarter>[1-4])"),
    re.compile(r"[QqT](?P<quarter>[1-4])[ /-](?P<year>(?:19|20)[0-9]{2})"),
)
_WEEKDAY = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun|die|mit|don|son|lun|mardi|martes|mer|mié|jeu|jue|ven|vie"
    r"|sam|sáb|dim|dom)[^\W\d_]*+|mar(?=\.)|mo|di|mi|do|fr|sa|so)[.,]* +(?:den )?",
    re.IGNORECASE,
)
_EAST_ASIAN = re.compile("([0-9]{4})年([0-9]{1,2})月([0-9]{1,2})日 *")
# What `date` prints, the year last: Sat Nov 29 07:00:00 2003.
_PRINTED = re.compile(
    r"(?P<name>[A-Z][a-z]{2}) ++(?P<day>[0-9]{1,2}) (?P<hour>[0-9]{2})"
    r":(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}) (?P<year>[0-9]{4})"
)
# Of English, German, French, Spanish, Italian and Portuguese, without accents.
_MONTHS = (
    "january february march april may june july august september october november december",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janner feber mrz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
)


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date whose parts are known, but not always which of two is the month.

    `numbers` are the two in the order in which they stand; `order` says which is the month where
    the form does (a name, or the year in front). `clock` is the time of day, [s].
    """

    numbers: tuple[int, int]
    year: int
    clock: float
    order: DateOrder | None = None
    dotted: bool = False  # 29.11.2003
    short: bool = False  # 29-11-03 or 03-11-29

    def seconds(self, order: DateOrder) -> float | None:
        """Return Unix seconds, read as if in UTC; None where there is no such day."""
        year = self.year
        month, day = self.numbers if (self.order or order) == "month-first" else self.numbers[::-1]
        if order == "year-first" and self.short:
            year, day = _century(day), year % 100
        try:
            return datetime(year, month, day, tzinfo=UTC).timestamp() + self.clock
        except ValueError:
            return None

    @property
    def evidence(self) -> DateOrder | None:
        """The order that this date alone proves: a month is at most 12."""
        first, second = self.numbers
        if self.order is not None or (first > 12) == (second > 12):
            return None
        return "day-first" if first > 12 else "month-first"


@dataclass(frozen=True, slots=True)
class Decision:
    """The order of day and month of a log, and for how many of its dates that is certain."""

    order: DateOrder
    proofs: int
    against: int
    example: int | None  # place of the first date that decided, or that was in doubt
    dotted: bool = False


def written_date(text: str) -> WrittenDate | None:
    """Return the date that `text` writes, or None.

    Examples
    --------
    >>> date = written_date("11/29/2003 7:00 PM")
    >>> date.numbers, date.year, date.clock, date.evidence
    ((11, 29), 2003, 68400.0, 'month-first')
    >>> written_date("Jan 2026").numbers, written_date("Thu, 29 Jan 2026 07:00").numbers
    ((1, 1), (1, 29))
    >>> written_date("2003年11月29日 7:00").clock, written_date("29. März 2003").numbers
    (25200.0, (3, 29))
    >>> written_date("29-Nov-2003").order, written_date("soon")
    ('month-first', None)
    """
    text = text.strip()
    if not text.isascii():  # 8:00 PM with a narrow blank, as spreadsheets write it
        text = " ".join(unicodedata.normalize("NFC", text).split())
    if text[:1].isalpha():
        text = _WEEKDAY.sub("", text, count=1)
    if "年" in text:
        text = _EAST_ASIAN.sub(r"\1-\2-\3 ", text).strip()
    # Most times are plain seconds, which have no two separators.
    separated = "/" in text or "-" in text or " " in text or text.count(".") > 1 or "Q" in text
    if not separated or len(text) > 40:
        return None
    found = next(
        filter(None, (form.fullmatch(text) for form in (*_FORMS, _PRINTED, *_OF_MONTH))), None
    )
    if found is None:
        return None
    parts = found.groupdict()
    clock = _clock(parts)
    if clock is None:
        return None
    written = parts["year"] or ""
    year = int(written)
    if len(written) == 2:
        year = _century(year)
    if parts.get("first") is not None:
        numbers = (int(parts["first"] or 0), int(parts["second_"] or 0))
        short = len(written) == 2 and found[2] == "-"
        return WrittenDate(numbers, year, clock, dotted=found[2] == ".", short=short)
    month = parts.get("month") or _month(parts.get("name") or "")
    if quarter := parts.get("quarter"):
        month = 3 * int(quarter) - 2
    if month is None:
        return None
    return WrittenDate((int(month), int(parts.get("day") or 1)), year, clock, "month-first")


def decide_order(dates: Iterable[WrittenDate | None]) -> Decision | None:
    """Return which of day and month comes first in a log, or None where nothing is in doubt.

    Days above 12 decide, by majority; without any it is the month, as in the United States, or
    the day where all dates are dotted. Of 26-01-05 the year comes first where the first numbers
    differ less than the last, and are years rather; ValueError if both may be.
    """
    dates = [*dates]
    unsure = [date for date in dates if date is not None and date.order is None]
    if _year_first(unsure):
        return Decision("year-first", len(unsure), 0, dates.index(unsure[0]))
    places: dict[DateOrder | None, list[int]] = {"month-first": [], "day-first": [], None: []}
    dotted = True
    for place, date in enumerate(dates):
        if date is not None and date.order is None:
            places[date.evidence].append(place)
            dotted &= date.dotted
    months, days = places["month-first"], places["day-first"]
    order: DateOrder
    if not (months or days or places[None]):
        return None
    if not (months or days):
        order = "day-first" if dotted else "month-first"
        return Decision(order, 0, 0, places[None][0], dotted)
    order = "month-first" if len(months) >= len(days) else "day-first"
    chosen, others = (months, days) if order == "month-first" else (days, months)
    return Decision(order, len(chosen), len(others), chosen[0])


def _year_first(dates: list[WrittenDate]) -> bool:
    """Whether dates such as 26-01-05 begin with the year."""
    firsts, lasts = {date.numbers[0] for date in dates}, {date.year % 100 for date in dates}
    if not all(date.short for date in dates) or not len(firsts) < len(lasts) > 2:
        return False
    if not firsts <= _RECENT or any(date.seconds("year-first") is None for date in dates):
        return False
    if lasts <= _RECENT:
        (first, second), last = dates[0].numbers, dates[0].year % 100
        raise ValueError(
            f"dates must have years of four digits, got {first}-{second:02}-{last:02}, which may "
            f"be of {_century(first)} or of {_century(last)}"
        )
    return True


def refuse_two_orders(texts: Iterable[tuple[int, str]], line: int, text: str) -> None:
    """Refuse dates that last another time where the day comes first than where the month does.

    Parameters
    ----------
    texts : iterable of (int, str)
        Lines and the dates in them.
    line, text : int, str
        One of those in doubt.
    """
    dates = [date for _, each in texts if (date := written_date(each)) is not None]
    first, spans, said = written_date(text), [], []
    orders: tuple[DateOrder, DateOrder] = ("month-first", "day-first")
    for order in orders:
        times = [time for date in dates if (time := date.seconds(order)) is not None]
        spans.append(max(times) - min(times))
        said.append(datetime.fromtimestamp((first and first.seconds(order)) or 0.0, UTC))
    if abs(spans[0] - spans[1]) > 0.03 * max(spans):
        words = [moment.strftime("%Y-%m-%d") for moment in said]
        option = Argument("date_order")
        raise LogRefused(
            f"line {line}: dates must say whether day or month comes first, got {text}, which may "
            f"be {words[0]} or {words[1]}: ",
            *(option, " month-first or ", option, " day-first decides"),
        )


def _century(year: int) -> int:
    """Return the year that two digits write."""
    return year + (1900 if year >= 69 else 2000)


def _clock(parts: dict[str, str | None]) -> float | None:
    hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
    half = (parts.get("half") or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return 3600.0 * hour + 60.0 * minute + second + float(parts.get("fraction") or 0.0)


def _month(name: str) -> int | None:
    return _months().get(_plain(name))


def _plain(name: str) -> str:
    """Return a name in lower case and without accents."""
    name = name.lower()
    if name.isascii():
        return name
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


@cache
def _months() -> dict[str, int]:
    """Return the number of each month by its name, or by three or more letters that tell it."""
    found = dict[str, int]()
    unsure = set[str]()
    for names in _MONTHS:
        for number, month in enumerate(names.split(), start=1):
            for size in range(3, len(month) + 1):
                if found.setdefault(month[:size], number) != number:
                    unsure.add(month[:size])
    return {name: number for name, number in found.items() if name not in unsure}
