"""What a value is where somebody says it: in words, as text with a unit, and what it must be.

A field of a request or of a scenario names its kind; a command line, a file of TOML and a caller in
Python are read and refused by it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
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
    watts,
)

__all__ = [
    "BANDWIDTH",
    "CHANCE",
    "COST",
    "COUNT",
    "DURATION",
    "EVENTS",
    "FAILURE_RATE",
    "FOLDER",
    "FROM_ONE",
    "LOG_FILE",
    "NAMES",
    "OUTPUT_FILE",
    "POSITIVE",
    "POWER",
    "PRICE",
    "SEED",
    "SHAPE",
    "SHARE",
    "SIZE",
    "TEXT",
    "WEIGHT",
    "WORDS",
    "Kind",
    "instance_of",
    "number",
    "one_of",
    "whole_number",
]

_DIGITS = 18  # of a count that is typed: more than any machine has
_INF = float("inf")


def _never(given: Any) -> Any:
    raise ValueError


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of value: its name, what is wanted, how text is read, and what other values may be.

    `read` takes text, and a quantity where there is a `unit`; `take` takes any other value. Both
    return the value or raise ValueError, with a reason where `wanted` does not give it. A number is
    in `unit`, empty where it has none. `words` are all there are, or those that a shell completes;
    several with commas between are `listed` where an option has one, and one text that says `many`
    is read as a tuple of them.
    """

    name: str
    wanted: str
    read: Callable[[Any], Any]
    take: Callable[[Any], Any] = _never
    unit: str = ""
    words: tuple[str, ...] = ()
    listed: bool = False
    many: bool = False

    def value(self, given: Any) -> Any:
        """Return what the text says, or the value itself; raise ValueError with a reason or ''."""
        if isinstance(given, str) or (self.unit and not isinstance(given, Real | Typed)):
            try:
                return self.read(given)
            except TypeError:
                raise ValueError from None
        return self.take(given)

    def stated(self, given: Any) -> Any:
        """Return the value of a table, in plain units; a number that lacks its unit is refused."""
        if self.unit and isinstance(given, Real):
            raise ValueError("no unit")
        found = self.value(given)
        if isinstance(found, Typed):
            return found.value
        return float(found) if isinstance(found, TypedDuration) else found


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


def _typed(read: Callable[[Any], float]) -> Callable[[Any], Typed]:
    return lambda given: Typed(read(given), str(given).strip())


def _echoed(read: Callable[[Any], float]) -> Callable[[Any], float]:
    def echoed(given: Any) -> float:
        known = read(given)
        return TypedDuration.of(known, given) if isinstance(given, str) else known

    return echoed


def instance_of(kind: type) -> Callable[[Any], Any]:
    """Return what takes the values of a class as they are."""

    def take(given: Any) -> Any:
        if isinstance(given, kind):
            return given
        raise ValueError

    return take


def _where(holds: Callable[[float], bool]) -> Callable[[Any], float]:
    """Return what takes a number that is one of these."""

    def take(given: Any) -> float:
        if isinstance(given, Real) and not isinstance(given, bool) and holds(float(given)):
            return given if isinstance(given, float) else float(given)
        raise ValueError

    return take


def _as_typed(unit: str) -> Callable[[Any], Typed]:
    """Return what takes a number > 0 in a unit."""
    positive = _where(lambda x: 0.0 < x < _INF)

    def take(given: Any) -> Typed:
        return given if isinstance(given, Typed) else Typed(positive(given), f"{given:g} {unit}")

    return take


def whole_number(least: int, *, below: float = 10**_DIGITS) -> Kind:
    """Return the kind of a whole number from `least` on."""

    def read(text: str) -> int:
        digits = text.strip()
        if not (text.isascii() and digits.isdigit()):
            raise ValueError
        if len(digits.lstrip("0")) > _DIGITS:
            raise ValueError(f"of more than {_DIGITS} digits")
        return take(int(digits))

    def take(given: Any) -> int:
        whole = isinstance(given, Real) and not isinstance(given, bool)
        if whole and least <= given < below and given == int(given):
            return int(given)
        raise ValueError

    return Kind("n", f"a whole number >= {least}", read, take, listed=True)


def number(name: str, wanted: str, holds: Callable[[float], bool], *, listed: bool = False) -> Kind:
    """Return the kind of a number for which something holds."""

    def read(text: str) -> float:
        value = float(text) if text.isascii() and "_" not in text else float("nan")
        if holds(value):
            return value
        raise ValueError

    return Kind(name, wanted, _plain(read), _where(holds), listed=listed)


def _chance(text: str) -> float:
    found = share(text)
    if 0.0 < found < 1.0:
        return found
    raise ValueError


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


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _is_added(kind: str, name: str, words: tuple[str, ...]) -> bool:
    from .plugins import added  # few ask for more than is built in

    return name in added(kind, words)


def one_of(*words: str, metavar: str | None = None, adds: str | None = None) -> Kind:
    """Return the kind of a word of several, to which packages may add the names of a kind."""

    def read(text: str) -> str:
        if text in words or (adds is not None and _is_added(adds, text, words)):
            return text
        raise ValueError

    return Kind(metavar or "word", f"one of {', '.join(words)}", read, words=words)


_EXAMPLES = "a duration with a unit, such as 30min, 1.5h or 2d12h"
DURATION = Kind(
    *("duration", _EXAMPLES, _echoed(_positive(seconds)), _where(lambda x: x > 0.0)),
    unit="s",
    listed=True,
)
COST = Kind(
    *("duration", _EXAMPLES, _echoed(seconds), _where(lambda x: x >= 0.0)), unit="s", listed=True
)
SIZE = Kind(
    *(
        "size",
        "a size with a unit, such as 12TB or 1.2TiB",
        _typed(_positive(byte_count)),
        _as_typed("B"),
    ),
    unit="B",
    listed=True,
)
BANDWIDTH = Kind(
    "bandwidth",
    "a bandwidth with a unit, such as 400GB/s",
    _typed(_positive(bytes_per_second)),
    _as_typed("B/s"),
    unit="B/s",
    listed=True,
)
FAILURE_RATE = Kind(
    "rate",
    "failures per node-time, such as 6.5/1000node-days",
    _typed(_positive(failures_per_node_second)),
    _as_typed("/node-s"),
    unit="1/(node s)",
    listed=True,
)
POWER = Kind(
    *("power", "a power with a unit, such as 700W or 1.2kW", watts, _where(lambda x: x >= 0.0)),
    unit="W",
)
COUNT = whole_number(1)
EVENTS = whole_number(0)
SEED = whole_number(0, below=_INF)  # a sweep draws those of its cells from 128 bits
PRICE = number("money", "a number >= 0", lambda x: 0.0 <= x < _INF, listed=True)
WEIGHT = number("number", "a number >= 0", lambda x: 0.0 <= x < _INF)
POSITIVE = number("number", "a number > 0", lambda x: 0.0 < x < _INF)
FROM_ONE = number("number", "a number >= 1", lambda x: 1.0 <= x < _INF, listed=True)
# Of a Weibull law; below it the mean is more than 1e157 times the scale.
SHAPE = number("number", "a number >= 0.01", lambda x: 0.01 <= x < _INF)
SHARE = Kind(
    *("share", "a share such as 1% or 0.01", _plain(share), _where(lambda x: 0.0 <= x <= 1.0)),
    listed=True,
)
CHANCE = Kind(  # of what is not sure where machines fail
    *("share", "a share above 0 and below 1, such as 95%"),
    *(_plain(_chance), _where(lambda x: 0.0 < x < 1.0)),
)
LOG_FILE = Kind("file", "a readable file", _file(_log_file), instance_of(Path))
FOLDER = Kind("folder", "a folder", _file(_folder), instance_of(Path))
OUTPUT_FILE = Kind("file", "a writable file", _file(_output_file), instance_of(Path))
TEXT = Kind("text", "a text", str)
NAMES = Kind("names", "names", lambda text: tuple(text.split(",")), tuple, many=True)
WORDS = Kind("words", "words with commas between", _words, many=True)
