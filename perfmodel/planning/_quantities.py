"""How a key of a scenario is read: by a kind of value, or as ``unknown``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from asking import kinds
from asking.kinds import Kind, number
from asking.units import share

from .._checks import shown

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Key:
    """What a key takes."""

    kind: Kind
    may_be_unknown: bool = True
    said: bool = True  # by a file; else by whoever reads one
    needs: str | None = None  # another key, as section.key

    def value(self, name: str, given: object) -> Any:
        """Return the value in plain units, or raise naming the key; ``unknown`` gives None."""
        if given == UNKNOWN and self.may_be_unknown:
            return None
        try:
            return self.kind.stated(given)
        except (ValueError, OverflowError) as error:
            reason = f" ({error})" if str(error) else ""
            said = f"{name} must be {self.kind.wanted}, got {shown(given)}{reason}"
            raise ValueError(said) from None


def quantity_of(kind: str, *, default: Any = None, needs: str | None = None) -> Any:
    """Return a field of a section whose key takes a quantity of this kind."""
    key = Key(KINDS[kind], kind != "probabilities", needs=needs)
    return field(default=default, metadata={"key": key})


def key_of_object(kind: type, wanted: str) -> dict[str, Key]:
    """Return the metadata of a field that takes an object of a class, which no file can say."""
    takes = Kind("object", wanted, _no_text, take=kinds.instance_of(kind))
    return {"key": Key(takes, may_be_unknown=False, said=False)}


def _no_text(text: str) -> Any:
    raise ValueError


def word(*choices: str, default: str | None = None, adds: str | None = None) -> Any:
    """Return a field whose key takes one of these words, or any word if there are none.

    Packages may add names of the kind `adds`.
    """
    kind = kinds.one_of(*choices, adds=adds) if choices else Kind("word", "a word", _any_word)
    return field(default=default, metadata={"key": Key(kind, may_be_unknown=False)})


def _any_word(text: str) -> str:
    if text:
        return text
    raise ValueError


def _probabilities(given: str) -> tuple[float, ...]:
    try:
        found = tuple(share(piece.strip()) for piece in given.split(","))
    except ValueError:
        raise ValueError from None
    if not all(0.0 < each < 1.0 for each in found):
        raise ValueError
    return found


KINDS = {
    "duration": kinds.DURATION,
    "delay": kinds.COST,
    "size": kinds.SIZE,
    "bandwidth": kinds.BANDWIDTH,
    "rate": kinds.FAILURE_RATE,
    "power": kinds.POWER,
    "nodes": kinds.COUNT,
    "events": kinds.EVENTS,
    "share": kinds.SHARE,
    "chance": kinds.CHANCE,
    "price": kinds.PRICE,
    "shape": number("number", "a number from 0.2 to 100", lambda x: 0.2 <= x <= 100.0),
    "cv": number("number", "a number from 0.05 to 10", lambda x: 0.05 <= x <= 10.0),
    "factor": kinds.FROM_ONE,
    "probabilities": Kind(
        "list",
        'probabilities between 0 and 1 with commas, such as "50%,90%"',
        _probabilities,
    ),
}


def keys_of(section: type) -> dict[str, Key]:
    """Return what each key of a section takes, by the fields of its class."""
    fields: Iterable[Any] = section.__dataclass_fields__.values()  # type: ignore[attr-defined]
    return {each.name: each.metadata["key"] for each in fields}
