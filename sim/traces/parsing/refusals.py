"""What a reader refuses, with the arguments that would help as values beside the words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a reader, as ``columns.time``, which others may know by another name."""

    name: str


class LogRefused(ValueError):  # noqa: N818
    """A log that cannot be read, or in two ways; ``str()`` names the arguments of readers.

    Parameters
    ----------
    *parts : str or Argument
        The words, one after the other.
    """

    def __init__(self, *parts: str | Argument) -> None:
        super().__init__(*parts)
        self.parts = parts

    def by(self, name_of: Callable[[str], str]) -> str:
        """Return the words with the names that `name_of` gives to arguments."""
        return "".join(name_of(p.name) if isinstance(p, Argument) else p for p in self.parts)

    def followed_by(self, words: str) -> Self:
        """Return the same refusal with more words at its end."""
        return type(self)(*self.parts, words)

    def __str__(self) -> str:
        return self.by(str)
