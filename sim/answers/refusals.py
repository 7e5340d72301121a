"""What is refused, in the words of whoever asked: names of fields, or of options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Field", "Refused", "Said"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a request, which a command line knows as an option."""

    name: str


class Said:
    """Words with places for values; a value that is a field is said as its speaker knows it."""

    __slots__ = ("template", "values")

    def __init__(self, template: str, *values: object) -> None:
        self.template, self.values = template, values

    def by(self, name_of: Callable[[str], str]) -> str:
        """Return the words with the names that `name_of` gives to fields."""

        def word(value: object) -> object:
            if isinstance(value, Field):
                return name_of(value.name)
            return value.by(name_of) if isinstance(value, Said) else value

        return self.template.format(*map(word, self.values))

    def __str__(self) -> str:
        return self.by(str)


class Refused(ValueError):  # noqa: N818
    """What is asked for cannot be answered; ``str()`` names the fields of the request.

    A command line takes its own words for them from `said`.
    """

    def __init__(self, template: str, *values: object) -> None:
        super().__init__(template, *values)
        self.said = Said(template, *values)

    def __str__(self) -> str:
        return str(self.said)
