"""What an answer refuses, in the words of whoever asked: names of fields, or of options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

__all__ = ["Field", "Refused", "Said", "Speaker", "given", "joined", "said_by"]

T = TypeVar("T")
Speaker: TypeAlias = Callable[[str], str]  # how somebody calls the field of a name


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a request, which a command line knows as an option."""

    name: str


@dataclass(frozen=True, slots=True, init=False)
class Said:
    """Words with places for values; a value that is a field is said as its speaker knows it."""

    template: str
    values: tuple[object, ...]

    def __init__(self, template: str, *values: object) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "values", values)

    def by(self, name_of: Speaker) -> str:
        """Return the words with the names that `name_of` gives to fields."""

        def word(value: object) -> object:
            if isinstance(value, Field):
                return name_of(value.name)
            return value.by(name_of) if isinstance(value, Said) else value

        return self.template.format(*map(word, self.values))

    def __str__(self) -> str:
        return self.by(str)


def said_by(speaker: Speaker, words: str | Said) -> str:
    """Return words with the names that their speaker gives to fields."""
    return words if isinstance(words, str) else words.by(speaker)


def joined(between: str, values: Iterable[object]) -> Said:
    """Return values with the same words between them."""
    found = tuple(values)
    return Said(between.join(["{}"] * len(found)), *found)


class Refused(ValueError):  # noqa: N818
    """What is asked for cannot be answered; ``str()`` names the fields of the request."""

    def __init__(self, template: str, *values: object) -> None:
        super().__init__(template, *values)
        self.said = Said(template, *values)

    def __str__(self) -> str:
        return str(self.said)


def given(value: T | None, name: str) -> T:
    """Return the value of a field that must be given, or refuse its absence."""
    if value is None:
        raise Refused("{} must be given, got none", Field(name))
    return value
