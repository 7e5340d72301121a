"""How a value of a scenario is read: text with a unit, a number, a word."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .._checks import shown
from ..units import byte_count, bytes_per_second, failures_per_node_second, seconds, share, watts

__all__ = ["Quantity", "quantity_of", "stated", "word"]

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a key takes, in words, and the function that reads it, which raises ValueError."""

    rule: str
    read: Callable[[Any], Any]
    may_be_unknown: bool = True

    def value(self, name: str, given: object) -> Any:
        """Return the value in plain units, or raise naming the key; ``unknown`` gives None."""
        if given == UNKNOWN and self.may_be_unknown:
            return None
        try:
            return self.read(given)
        except (ValueError, OverflowError) as error:
            reason = f" ({error})" if str(error) else ""
            raise ValueError(f"{name} must be {self.rule}, got {shown(given)}{reason}") from None


def quantity_of(kind: str, *, default: Any = None) -> Any:
    """Return a field of a section whose key takes a quantity of this kind."""
    return field(default=default, metadata={"quantity": KINDS[kind]})


def word(*choices: str, default: str | None = None) -> Any:
    """Return a field whose key takes one of these words, or any word if there are none."""

    def read(given: Any) -> str:
        if isinstance(given, str) and (given in choices or (given and not choices)):
            return given
        raise ValueError

    rule = f"one of {', '.join(choices)}" if choices else "a word"
    return field(default=default, metadata={"quantity": Quantity(rule, read, may_be_unknown=False)})


def stated(read: Callable[[Any], float], *, least: float = 0.0) -> Callable[[Any], float]:
    """Return a reader of a quantity whose value must be above `least`, or 0 if that is -1."""

    def value(given: Any) -> float:
        try:
            number = read(given)
        except TypeError:
            raise ValueError from None
        if not number > least:
            raise ValueError("not > 0")
        return number

    return value


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _number(holds: Callable[[float], bool], *, whole: bool = False) -> Callable[[Any], Any]:
    def value(given: Any) -> float | int:
        if not _is_number(given) or not holds(float(given)) or (whole and given != int(given)):
            raise ValueError
        return int(given) if whole else float(given)

    return value


def _share(given: Any) -> float:
    try:
        return share(given if isinstance(given, str) else repr(_number(lambda x: x >= 0.0)(given)))
    except ValueError:
        raise ValueError from None


def _probabilities(given: Any) -> tuple[float, ...]:
    if not isinstance(given, str):
        raise ValueError
    try:
        found = tuple(share(piece.strip()) for piece in given.split(","))
    except ValueError:
        raise ValueError from None
    if not all(0.0 < each < 1.0 for each in found):
        raise ValueError
    return found


_INF = float("inf")
KINDS = {
    "duration": Quantity("a duration > 0 with a unit, such as 30min or 2d12h", stated(seconds)),
    "delay": Quantity("a duration with a unit, such as 30min or 0s", stated(seconds, least=-1.0)),
    "size": Quantity("a size with a unit, such as 12TB", stated(byte_count)),
    "bandwidth": Quantity("a bandwidth with a unit, such as 400GB/s", stated(bytes_per_second)),
    "rate": Quantity(
        "failures per node-time, such as 6.5/1000node-days", stated(failures_per_node_second)
    ),
    "power": Quantity("a power with a unit, such as 700W or 1.2kW", stated(watts, least=-1.0)),
    "nodes": Quantity("a whole number >= 1", _number(lambda x: 1.0 <= x < 1e15, whole=True)),
    "events": Quantity("a whole number >= 0", _number(lambda x: 0.0 <= x < 1e15, whole=True)),
    "share": Quantity('a share from 0 to 1, such as 0.9 or "90%"', _share),
    "price": Quantity("a number >= 0", _number(lambda x: 0.0 <= x < _INF)),
    "shape": Quantity("a number from 0.2 to 100", _number(lambda x: 0.2 <= x <= 100.0)),
    "cv": Quantity("a number from 0.05 to 10", _number(lambda x: 0.05 <= x <= 10.0)),
    "factor": Quantity("a number >= 1", _number(lambda x: 1.0 <= x < _INF)),
    "probabilities": Quantity(
        'probabilities between 0 and 1 with commas, such as "50%,90%"',
        _probabilities,
        may_be_unknown=False,
    ),
}


def keys_of(section: type) -> dict[str, Quantity]:
    """Return what each key of a section takes, by the fields of its class."""
    fields: Iterable[Any] = section.__dataclass_fields__.values()  # type: ignore[attr-defined]
    return {each.name: each.metadata["quantity"] for each in fields}
