"""When something begins or ends: a date, seconds of a clock, or a duration from one of its ends."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from numbers import Real
from typing import Any, Literal, TypeAlias

from .kinds import Kind
from .units import seconds, shown_duration

__all__ = ["AHEAD", "BACK", "SIGNED", "Moment", "moment_on", "shown_moment"]

# A duration below 0 counts back from the end, any other from the beginning.
Moment: TypeAlias = datetime | timedelta | float

_WANTED = "a date such as 2004-05-31, a duration such as -30d or +12h, or seconds"
_MOST = 1e12  # seconds: a larger number counts in a smaller unit
_SECONDS = timedelta(seconds=1)


def _kind(bare: Literal[-1, 0, 1]) -> Kind:
    """Return the kind of a moment, where a duration without a sign has this one; 0 refuses it."""

    def read(text: str) -> Moment:
        if not text.isascii() or "_" in text:
            raise ValueError
        with suppress(ValueError):
            return _take(float(text))
        try:
            date = datetime.fromisoformat(text)
        except ValueError:
            return duration(text.strip())
        return _take(date)

    def duration(text: str) -> timedelta:
        sign, length = (text[:1], text[1:]) if text[:1] in ("+", "-") else ("", text)
        try:
            found = timedelta(seconds=seconds(length))
        except (OverflowError, ValueError):
            raise ValueError from None
        if not (sign or bare):
            raise ValueError(f"write +{length} from the beginning or -{length} from the end")
        return -found if sign == "-" or (not sign and bare < 0) else found

    return Kind("when", _WANTED, read, _take)


def _take(given: Any) -> Moment:
    """Return a moment as it is; refuse what is none, and a date with a zone."""
    if isinstance(given, datetime) and given.tzinfo is not None:
        raise ValueError("leave out its zone: it is read as the clock of the log shows it")
    if isinstance(given, timedelta | datetime):
        return given
    if isinstance(given, Real) and not isinstance(given, bool) and abs(float(given)) < _MOST:
        return float(given)
    raise ValueError


def moment_on(moment: Moment, first: float, last: float, *, origin: float = 0.0) -> float:
    """Return a moment in seconds on a clock.

    Parameters
    ----------
    moment : datetime, timedelta or float
        A date, which is read as the clock shows it; a duration; or seconds already.
    first, last : float, [s]
        From which a duration counts: the first if it is not below 0.
    origin : float, [s]
        Since 1970, where the clock shows 0.

    Returns
    -------
    float, [s]
    """
    if isinstance(moment, timedelta):
        return (first if moment >= timedelta(0) else last) + moment / _SECONDS
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=UTC).timestamp() - origin
    return moment


def shown_moment(moment: Moment) -> str:
    """Return a moment as one would type it: ``2004-05-31``, ``-30d``, ``86400``."""
    if isinstance(moment, timedelta):
        sign = "-" if moment < timedelta(0) else "+"
        return f"{sign}{shown_duration(abs(moment / _SECONDS))}"
    return moment.isoformat() if isinstance(moment, datetime) else f"{moment:.15g}"


BACK, SIGNED, AHEAD = _kind(-1), _kind(0), _kind(1)
