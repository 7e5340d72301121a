"""Text with units to plain numbers, and back: seconds, bytes, bytes/s, failures/node-second.

A quantity is a number and a unit, space between them allowed: ``30min``, ``1.5 h``, ``12TB``.
A bare number is refused, because a guess of the unit is wrong by 60 or by 3600. Units are case
sensitive, as in SI: ``ms`` is a millisecond and ``B`` a byte, while ``MS`` and ``Gb`` (a bit) are
refused; so is ``m``, which is a metre, a minute or a month. A year is 365.25 days, a month
is not a unit. ``kB`` is 1000 bytes, ``KiB`` 1024.

Quantities of pint, astropy or unyt are taken wherever such a text is, and spans of time of the
standard library, pandas and NumPy wherever a duration is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

__all__ = [
    "DURATIONS",
    "Typed",
    "TypedDuration",
    "byte_count",
    "bytes_per_second",
    "failures_per_node_second",
    "human_count",
    "human_duration",
    "natural_unit",
    "seconds",
    "share",
    "shown_duration",
    "typed_failure_rate",
    "watts",
]

_ONE_TYPED = re.compile(r"([0-9.]+)\s*([a-z]+)")
_LONGEST = 40  # characters of a duration; what is longer is echoed rounded

# From large to small: a compound such as 2d12h must go the same way.
DURATIONS = {
    "y": 31557600.0,
    "w": 604800.0,
    "d": 86400.0,
    "h": 3600.0,
    "min": 60.0,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
}
_ALIASES = {
    "yr": "y",
    "year": "y",
    "week": "w",
    "day": "d",
    "hr": "h",
    "hour": "h",
    "min": "min",
    "minute": "min",
    "sec": "s",
    "second": "s",
}
_PREFIXES = "kMGTPEZY"
SIZES = (
    {"B": 1.0}
    | {f"{prefix}B": 1000.0**power for power, prefix in enumerate(_PREFIXES, 1)}
    | {"KB": 1000.0}
    | {f"{prefix.upper()}iB": 1024.0**power for power, prefix in enumerate(_PREFIXES, 1)}
)
_POWERS = {"W": 1.0, "kW": 1e3, "MW": 1e6, "GW": 1e9}

# What is matched is never given back (`*+`): else a long text would be split in every way.
_BLANK = r"[ \t]*+"
_NUMBER = r"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
_UNIT = r"[^\W\d_]*+"
_PIECE = re.compile(rf"{_BLANK}({_NUMBER}){_BLANK}({_UNIT}){_BLANK}")
_RATE = re.compile(
    rf"{_BLANK}({_NUMBER}){_BLANK}/{_BLANK}({_NUMBER})?{_BLANK}node-([^\W\d_]++){_BLANK}"
)
_SHOWN = 40


def share(text: str) -> float:
    """Return a share: ``1%`` or ``0.01``; raise ValueError if it is not between 0 and 1."""
    digits, percent = text.removesuffix("%"), text.endswith("%")
    try:
        share = float(digits) / (100.0 if percent else 1.0) if text.isascii() else -1.0
    except ValueError:
        raise ValueError("not a number") from None  # the text may be long
    if 0.0 <= share <= 1.0 and "_" not in text:
        return share
    raise ValueError


def seconds(given: Any) -> float:
    """Return the duration in seconds: ``30min``, ``1.5h``, ``2d12h``, ``5y``, ``90s``.

    Parameters
    ----------
    given : str, quantity or timedelta
        Text with a unit; or a quantity of pint, astropy or unyt; or a timedelta of the standard
        library, pandas or NumPy. One value, not an array.

    Returns
    -------
    float, [s]

    Raises
    ------
    ValueError
        With the reason in a few words, if it is not a duration >= 0 with a unit.
    TypeError
        If it is neither text nor one of these.

    Examples
    --------
    >>> from datetime import timedelta
    >>> seconds("2d12h"), seconds(timedelta(minutes=5))
    (216000.0, 300.0)
    """
    if isinstance(given, timedelta):
        return _plain(given.total_seconds())
    if type(given).__name__ == "timedelta64":
        return _plain(float(given / type(given)(1, "s")))
    text = _text(given)
    if text is None:
        return _converted(given, "second")
    total, end, factor = 0.0, 0, float("inf")
    while piece := _PIECE.match(text, end):
        previous, factor = factor, DURATIONS[_duration_unit(piece[2])]
        if factor >= previous:
            raise ValueError("units must go from large to small")
        total += float(piece[1]) * factor
        end = piece.end()
    return _complete(text, end, total)


def byte_count(given: Any) -> float:
    """Return the size in bytes: ``12TB``, ``1.2TiB``, or a quantity; raise ValueError."""
    text = _text(given)
    if text is None:
        return _converted(given, "byte")
    if piece := _PIECE.match(text):
        return _complete(text, piece.end(), float(piece[1]) * SIZES[_size_unit(piece[2])])
    return _complete(text, 0, 0.0)


def bytes_per_second(given: Any) -> float:
    """Return the rate in bytes/s: ``400GB/s``, ``1.2 TiB/min``, or a quantity; raise ValueError."""
    text = _text(given)
    if text is None:
        return _converted(given, "byte/second")
    size, slash, unit = text.partition("/")
    amount = byte_count(size)
    if not slash:
        raise ValueError("no time unit: write /s")
    return amount / DURATIONS[_duration_unit(unit.strip(" \t"))]


def failures_per_node_second(text: str) -> float:
    """Return failures per node-second: ``6.5/1000node-days``; raise ValueError."""
    if rate := _RATE.fullmatch(text):
        exposure = float(rate[2] or "1") * DURATIONS[_duration_unit(rate[3])]
        if exposure > 0.0:
            return _complete(text, len(text), float(rate[1]) / exposure)
        raise ValueError("no exposure to divide by")
    raise ValueError("not failures per node-time" if text.strip() else "nothing")


def watts(given: Any) -> float:
    """Return the power in watts: ``700W``, ``1.2kW``, or a quantity; raise ValueError."""
    text = _text(given)
    if text is None:
        return _converted(given, "watt")
    if piece := _PIECE.match(text):
        if piece[2] not in _POWERS:
            known = ", ".join(_POWERS)
            reason = f"unknown unit {_shown(piece[2])}: write {known}" if piece[2] else "no unit"
            raise ValueError(reason)
        return _complete(text, piece.end(), float(piece[1]) * _POWERS[piece[2]])
    return _complete(text, 0, 0.0)


@dataclass(frozen=True, slots=True)
class Typed:
    """A quantity in plain units, and as it was typed."""

    value: float
    text: str


class TypedDuration(float):
    """Seconds; whatever is computed with them is a plain float.

    Parameters
    ----------
    seconds : float, [s]
        The duration.
    text : str
        What was typed; a blank is put between one number and its unit.
    """

    __slots__ = ("text",)
    text: str

    def __new__(cls, seconds: float, text: str) -> Self:
        """Return the number with its text."""
        new = super().__new__(cls, seconds)
        found = _ONE_TYPED.fullmatch(text.strip())
        new.text = f"{found[1]} {found[2]}" if found else " ".join(text.split())
        return new

    def __reduce__(self) -> tuple[type[Self], tuple[float, str]]:
        """Let a request with typed durations go to another process."""
        return type(self), (float(self), self.text)

    @classmethod
    def of(cls, seconds: float, text: str) -> float:
        """Return the duration with its text, or without a text too long to be echoed."""
        return cls(seconds, text) if len(text) <= _LONGEST else seconds


def typed_failure_rate(text: str) -> Typed:
    """Return failures per node-second, and the text that says so; raise ValueError."""
    return Typed(failures_per_node_second(text), text.strip())


def shown_duration(seconds: float) -> str:
    """Return a duration as one would type it, with all its digits: ``20min``, ``7d``."""
    whole = (unit for unit in ("d", "h", "min") if seconds and seconds % DURATIONS[unit] == 0.0)
    unit = next(whole, "s")
    return f"{seconds / DURATIONS[unit]:.15g}{unit}"


def natural_unit(seconds: float) -> tuple[str, float]:
    """Return the unit, name and seconds, in which a reader would give this duration."""
    for unit in ("y", "d", "h", "min"):
        if seconds >= 2.0 * DURATIONS[unit]:
            return unit, DURATIONS[unit]
    for unit in ("s", "ms", "us"):
        if seconds >= DURATIONS[unit]:
            return unit, DURATIONS[unit]
    return ("s", 1.0) if seconds == 0.0 else ("ns", DURATIONS["ns"])


def human_duration(seconds: float) -> str:
    """Return the duration rounded to four digits in its natural unit: ``58.31 min``.

    What was typed is returned as it was typed.
    """
    if isinstance(seconds, TypedDuration):
        return seconds.text
    if seconds == float("inf"):
        return "unbounded"
    unit, factor = natural_unit(seconds)
    value = seconds / factor
    return f"{value:.0f} {unit}" if 1000.0 <= value < 1e7 else f"{value:.4g} {unit}"


def human_count(count: int, thing: str) -> str:
    """Return a number of things: ``1 node``, ``2,048 nodes``."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _duration_unit(name: str) -> str:
    """Return the short name of a unit, or raise saying which are known."""
    known = _ALIASES.get(name.removesuffix("s"), name) if len(name) > 1 else name
    if known in DURATIONS:
        return known
    if not name:
        raise ValueError("no unit")
    if name in {"m", "M"}:
        raise ValueError(f"unit {name!r} is ambiguous: write min, or days for months")
    hint = name.lower() if name.lower() in DURATIONS else ", ".join(reversed(DURATIONS))
    raise ValueError(f"unknown unit {_shown(name)}: write {hint}")


def _size_unit(name: str) -> str:
    if name in SIZES:
        return name
    if not name:
        raise ValueError("no unit")
    if name.endswith("b"):
        raise ValueError(f"unknown unit {_shown(name)}: b is a bit, write B for bytes")
    known = "B, kB, MB, GB, TB, PB or KiB, MiB, GiB, TiB"
    raise ValueError(f"unknown unit {_shown(name)}: write {known}")


def _text(given: Any) -> str | None:
    """Return the text, or None for a quantity; raise for everything else."""
    if isinstance(given, str):
        return given
    if isinstance(given, int | float):
        raise ValueError("no unit")
    if not hasattr(given, "to"):
        raise TypeError(f"a quantity must be text with a unit or have units, got {given!r}")
    return None


def _converted(given: Any, unit: str) -> float:
    """Return one quantity of another package as a plain number of `unit`."""
    try:
        found = given.to(unit)
    except Exception as error:  # each package has its own
        raise ValueError(f"cannot turn {_shown(str(given))} into {unit}") from error
    # pint says magnitude, astropy and unyt value.
    number = found.magnitude if hasattr(found, "magnitude") else found.value
    if getattr(number, "shape", ()) != ():
        raise ValueError("more than one value")
    return _plain(float(number))


def _plain(number: float) -> float:
    if not number >= 0.0:
        raise ValueError("negative" if number < 0.0 else "not a number")
    if not number < float("inf"):
        raise ValueError("too large")
    return number


def _complete(text: str, end: int, value: float) -> float:
    """Return `value` if all of the text was read and the number is finite, else say why not."""
    if not text.strip():
        raise ValueError("nothing")
    if end < len(text):
        rest = text[end:].strip(" \t")
        if end == 0 and rest.startswith("-"):
            raise ValueError("negative")
        raise ValueError(f"cannot read {_shown(rest)}")
    if not value < float("inf"):
        raise ValueError("too large")
    return value


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
