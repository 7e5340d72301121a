"""What an answer refuses, in the words of whoever asked: names of fields, or of options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias, TypeVar, runtime_checkable

__all__ = ["Field", "Refused", "Said", "Speaker", "Spoken", "given", "joined", "said_by"]

T = TypeVar("T")
Speaker: TypeAlias = Callable[[str], str]  # how somebody calls the field of a name


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a request, which a command line knows as an option."""

    name: str


@runtime_checkable
class Spoken(Protocol):
    """Words that name fields as their speaker knows them."""

    def by(self, name_of: Speaker, /) -> str:
        """Return the words with the names that `name_of` gives to fields."""
        ...


class Said(str):
    """Words with places for values; a value that is a field is said as its speaker knows it.

    As a text they have the names of the fields, as a caller from Python knows them.
    """

    __slots__ = ("template", "values")

    template: str
    values: tuple[object, ...]

    def __new__(cls, template: str, *values: object) -> Self:
        """Return the words with the names of fields."""
        said = super().__new__(cls, _filled(template, values, str))
        said.template, said.values = template, values
        return said

    def __reduce__(self) -> tuple[type[Said], tuple[object, ...]]:
        return Said, (self.template, *self.values)

    def by(self, name_of: Speaker) -> str:
        """Return the words with the names that `name_of` gives to fields."""
        return _filled(self.template, self.values, name_of)

    def with_names(self, names: Mapping[str, str]) -> Said:
        """Return the words with names for some of the fields; the others keep theirs."""

        def value_of(value: object) -> object:
            if isinstance(value, Field):
                return names.get(value.name, value)
            return value.with_names(names) if isinstance(value, Said) else value

        return Said(self.template, *map(value_of, self.values))


def _filled(template: str, values: tuple[object, ...], name_of: Speaker) -> str:
    def word(value: object) -> object:
        if isinstance(value, Field):
            return name_of(value.name)
        return value.by(name_of) if isinstance(value, Said) else value

    return template.format(*map(word, values))


def said_by(speaker: Speaker, words: str) -> str:
    """Return words with the names that their speaker gives to fields."""
    return words.by(speaker) if isinstance(words, Said) else words


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
