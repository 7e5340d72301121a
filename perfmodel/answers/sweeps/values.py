"""The values of a parameter in a study file: one, a list, a range, or draws from a law."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

from asking.kinds import Kind
from asking.units import share

from ..._checks import shown

Value: TypeAlias = str | int | float | bool
Reader: TypeAlias = Callable[[Any], Value]

_MOST = 10_000_000  # values of a range
_RANGE = ("from", "to", "points", "spacing")
_LAW = ("draw", "low", "high")
_SPACINGS, _LAWS = ("linear", "log"), ("uniform", "log-uniform")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A parameter drawn between two values, evenly or evenly in its logarithm."""

    name: str
    low: float
    high: float
    log: bool

    def value(self, seed: int, sample: int) -> float:
        """Return its value in a sample, which depends on neither the other samples nor names."""
        drawn = hashlib.sha256(f"{seed} sample {sample} {self.name}".encode()).hexdigest()
        part = int(drawn[:13], 16) / 2.0**52
        return _between(self.low, self.high, part, log=self.log)


def values_of(name: str, given: Any, read: Reader) -> tuple[Value, ...] | Drawn:
    """Return the values of a parameter, each as `read` reads it, or the law to draw it from."""
    if isinstance(given, list):
        if not given:
            raise ValueError(f"parameters.{name} must have one value at least, got []")
        return tuple(dict.fromkeys(_read(name, each, read) for each in given))
    if isinstance(given, Mapping):
        return _law(name, given, read) if "draw" in given else _range(name, given, read)
    return (_read(name, given, read),)


def _range(name: str, given: Mapping[str, Any], read: Reader) -> tuple[Value, ...]:
    where = f"parameters.{name}"
    known_keys(where, given, _RANGE, needed=("from", "to", "points"))
    low, high = (_number(f"{where}.{key}", given[key], read) for key in ("from", "to"))
    points = given["points"]
    if type(points) is not int or not 2 <= points <= _MOST:
        raise ValueError(f"{where}.points must be a whole number from 2 on, got {shown(points)}")
    log = _choice(f"{where}.spacing", given.get("spacing", "linear"), _SPACINGS) == "log"
    _positive(where, low, log=log)
    _positive(where, high, log=log)
    found = [_between(low, high, place / (points - 1), log=log) for place in range(points)]
    return tuple(dict.fromkeys([low, *found[1:-1], high]))


def _law(name: str, given: Mapping[str, Any], read: Reader) -> Drawn:
    where = f"parameters.{name}"
    known_keys(where, given, _LAW, needed=("low", "high"))
    low, high = (_number(f"{where}.{key}", given[key], read) for key in ("low", "high"))
    if not low < high:
        raise ValueError(f"{where}.high must be > low = {low:g}, got {high:g}")
    log = _choice(f"{where}.draw", given["draw"], _LAWS) == "log-uniform"
    _positive(where, low, log=log)
    return Drawn(name, low, high, log)


def _between(low: float, high: float, part: float, *, log: bool) -> float:
    if log:
        value = math.exp(math.log(low) + part * (math.log(high) - math.log(low)))
    else:
        value = low + part * (high - low)
    return float(f"{value:.12g}")  # or a cell would have another name where exp differs by an ulp


def _positive(where: str, value: float, *, log: bool) -> None:
    if log and not value > 0.0:
        raise ValueError(f"{where} must be > 0 for logarithms, got {value:g}")


def _number(where: str, given: Any, read: Reader) -> float:
    value = _read(where.removeprefix("parameters."), given, read)
    if isinstance(value, bool | str) or not math.isfinite(value):
        raise ValueError(f"{where} must be a finite number, got {shown(given)}")
    return float(value)


def _read(name: str, given: Any, read: Reader) -> Value:
    try:
        return read(given)
    except (ValueError, TypeError, OverflowError) as error:
        rule = str(error) or "another value"
        raise ValueError(f"parameters.{name} must be {rule}, got {shown(given)}") from None


def _choice(where: str, given: Any, choices: tuple[str, ...]) -> str:
    if given not in choices:
        raise ValueError(f"{where} must be one of {', '.join(choices)}, got {shown(given)}")
    return str(given)


def known_keys(
    where: str, given: Any, known: tuple[str, ...], *, needed: tuple[str, ...] = ()
) -> None:
    """Refuse a table with a key that is not known, naming the nearest, or without a needed one."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{where} must be a table, got {shown(given)}")
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f" (nearest: {near[0]})" if near else ""
            raise ValueError(f"{where} must have keys among {', '.join(known)}{hint}, got {key!r}")
    for key in needed:
        if key not in given:
            raise ValueError(f"{where}.{key} must be given, got none")


def of_kind(kind: Kind) -> Reader:
    """Return what reads a value of a kind, in plain units."""

    def read(given: Any) -> Value:
        try:
            found: Value = kind.stated(given)
        except (ValueError, TypeError, OverflowError):
            raise ValueError(kind.wanted) from None
        return found

    return read


def plain(given: Any) -> Value:
    """Return a number, a share, a word or a truth as it is."""
    if isinstance(given, str):
        return share(given) if given.endswith("%") else given
    if isinstance(given, int | float):
        return given if isinstance(given, bool) else float(given)
    raise ValueError("a number")
