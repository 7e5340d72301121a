"""What a value is where somebody says it: in words, as text with a unit, and what it must be.

A field of a request or of a scenario names its kind; a command line, a file of TOML and a caller in
Python are read and refused by it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from .units import (
    Typed,
    TypedDuration,
    byte_count,
    bytes_per_second,
    failures_per_node_second,
    seconds,
    share,
)

__all__ = [
    "BANDWIDTH",
    "COST",
    "COUNT",
    "DURATION",
    "EVENTS",
    "FAILURE_RATE",
    "FOLDER",
    "FRACTION",
    "FROM_ONE",
    "INSTANT",
    "LOG_FILE",
    "OUTPUT_FILE",
    "POSITIVE",
    "PRICE",
    "SHAPE",
    "SHARE",
    "SIZE",
    "TEXT",
    "WEIGHT",
    "WORDS",
    "Kind",
    "one_of",
]

_DIGITS = 18  # of a count: more than any machine has, and a float knows most of them
_INF = float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of value: its name, what is wanted, how text is read, and what other values may be.

    `read` takes text and raises ValueError, with a reason where `wanted` does not give it; `holds`
    says of a value that is no text whether it is one of the kind. `words` are all there are, or
    those that a shell completes; several with commas between are `listed` where an option has one,
    and one text that says `many` is read as a tuple of them.
    """

    name: str
    wanted: str
    read: Callable[[str], Any]
    holds: Callable[[Any], bool] = lambda _: True
    words: tuple[str, ...] = ()
    listed: bool = False
    many: bool = False

    def value(self, given: Any) -> Any:
        """Return what the text says, or the value itself; raise ValueError with a reason or ''."""
        if isinstance(given, str):
            return self.read(given)
        if self.holds(given):
            return given
        raise ValueError


def _plain(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Drop Python's own reason; the rule already says what is wanted."""

    def plain(text: str) -> Any:
        try:
            return read(text)
        except ValueError:
            raise ValueError from None

    return plain


def _positive(read: Callable[[str], float]) -> Callable[[str], float]:
    def positive(text: str) -> float:
        number = read(text)
        if number > 0.0:
            return number
        raise ValueError("not > 0")

    return positive


def _typed(read: Callable[[str], float]) -> Callable[[str], Typed]:
    return lambda text: Typed(read(text), text.strip())


def _echoed(read: Callable[[str], float]) -> Callable[[str], float]:
    return lambda text: TypedDuration.of(read(text), text)


def _in(holds: Callable[[float], bool]) -> Callable[[Any], bool]:
    """Return what says whether a value is a number, and one of these."""
    return lambda value: (
        isinstance(value, Real) and not isinstance(value, bool) and holds(float(value))
    )


def _whole(least: int) -> tuple[Callable[[str], int], Callable[[Any], bool]]:
    """Return how a whole number is read, and whether a value is one."""

    def whole(text: str) -> int:
        digits = text.strip()
        if not (text.isascii() and digits.isdigit()):
            raise ValueError
        if len(digits.lstrip("0")) > _DIGITS:
            raise ValueError(f"of more than {_DIGITS} digits")
        if int(digits) < least:
            raise ValueError
        return int(digits)

    def holds(value: Any) -> bool:
        count = isinstance(value, Integral) and not isinstance(value, bool)
        return count and least <= int(value) < 10**_DIGITS

    return whole, holds


def _number(
    name: str, wanted: str, holds: Callable[[float], bool], *, listed: bool = False
) -> Kind:
    def number(text: str) -> float:
        value = float(text) if text.isascii() and "_" not in text else float("nan")
        if holds(value):
            return value
        raise ValueError

    return Kind(name, wanted, _plain(number), _in(holds), listed=listed)


def _instant(text: str) -> float | datetime:
    """Read the clock of a log: local dates, or seconds from its own origin."""
    if not text.isascii() or "_" in text:
        raise ValueError
    with suppress(ValueError):
        seconds = float(text)
        if abs(seconds) < _INF:
            return seconds
    date = datetime.fromisoformat(text)
    if date.tzinfo is not None:
        raise ValueError
    return date


def _is_instant(value: Any) -> bool:
    if isinstance(value, datetime):
        return value.tzinfo is None
    return _in(lambda number: abs(number) < _INF)(value)


def _file(find: Callable[[str], Path]) -> Callable[[str], Path]:
    """Turn the refusal of a name by the system, such as a too long one, into one of the field."""

    def file(text: str) -> Path:
        try:
            return find(text)
        except OSError as error:
            raise ValueError((error.strerror or str(error)).lower()) from None

    return file


def _output_file(text: str) -> Path:
    """Refuse a file that cannot be written now, not after an hour of replays."""
    path = Path(text)
    if "\0" in text or not path.parent.is_dir():
        raise ValueError("no such folder")
    if path.is_dir():
        raise ValueError("a directory")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError("permission denied")
    return path


def _folder(text: str) -> Path:
    path = Path(text)
    if "\0" in text or (path.exists() and not path.is_dir()):
        raise ValueError("not a folder")
    return path


def _log_file(text: str) -> Path:
    path = Path(text)
    if "\0" in text or not path.exists():
        raise ValueError("no such file")
    if path.is_dir():
        raise ValueError("a directory")
    return path


def _is_path(value: Any) -> bool:
    return isinstance(value, Path)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def one_of(*words: str, metavar: str | None = None) -> Kind:
    """Return the kind of a word of several."""

    def read(text: str) -> str:
        if text in words:
            return text
        raise ValueError

    return Kind(metavar or "word", f"one of {', '.join(words)}", read, lambda _: False, words)


_EXAMPLES = "a duration with a unit, such as 30min, 1.5h or 2d12h"
DURATION = Kind(
    *("duration", _EXAMPLES, _echoed(_positive(seconds))), _in(lambda x: x > 0.0), listed=True
)
COST = Kind("duration", _EXAMPLES, _echoed(seconds), _in(lambda x: x >= 0.0), listed=True)
SIZE = Kind(
    *("size", "a size with a unit, such as 12TB or 1.2TiB", _typed(byte_count)),
    *(lambda value: isinstance(value, Typed), (), True),
)
BANDWIDTH = Kind(
    "bandwidth",
    "a bandwidth with a unit, such as 400GB/s",
    _typed(_positive(bytes_per_second)),
    lambda value: isinstance(value, Typed),
    listed=True,
)
FAILURE_RATE = Kind(
    "rate",
    "failures per node-time, such as 6.5/1000node-days",
    _typed(_positive(failures_per_node_second)),
    lambda value: isinstance(value, Typed),
    listed=True,
)
COUNT = Kind("n", "a whole number >= 1", *_whole(1), listed=True)
EVENTS = Kind("n", "a whole number >= 0", *_whole(0), listed=True)
PRICE = _number("money", "a number >= 0", lambda x: 0.0 <= x < _INF, listed=True)
WEIGHT = _number("number", "a number >= 0", lambda x: 0.0 <= x < _INF)
POSITIVE = _number("number", "a number > 0", lambda x: 0.0 < x < _INF)
FROM_ONE = _number("number", "a number >= 1", lambda x: 1.0 <= x < _INF, listed=True)
# Of a Weibull law; below it the mean is more than 1e157 times the scale.
SHAPE = _number("number", "a number >= 0.01", lambda x: 0.01 <= x < _INF)
FRACTION = _number("fraction", "a number in [0, 1]", lambda x: 0.0 <= x <= 1.0, listed=True)
SHARE = Kind(
    *("share", "a share such as 1% or 0.01", _plain(share)),
    *(_in(lambda x: 0.0 <= x <= 1.0), (), True),
)
INSTANT = Kind("date", "a date such as 2004-05-31 or seconds", _plain(_instant), _is_instant)
LOG_FILE = Kind("file", "a readable file", _file(_log_file), _is_path)
FOLDER = Kind("folder", "a folder", _file(_folder), _is_path)
OUTPUT_FILE = Kind("file", "a writable file", _file(_output_file), _is_path)
TEXT = Kind("text", "a text", str, lambda _: False)
WORDS = Kind("words", "words with commas between", _words, lambda _: False, many=True)
