"""What an answer is shown as: headings, facts, lines and tables, in order, in no form yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of what follows."""

    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known, a name and words each; words may have several lines."""

    facts: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, facts: Iterable[tuple[str, str]]) -> Facts:
        """Return the facts of any iterable."""
        return cls(tuple(facts))


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences, a line each; `close` ones belong right below what they follow."""

    lines: tuple[str, ...]
    close: bool = False

    @classmethod
    def of(cls, *lines: str, close: bool = False) -> Lines:
        """Return the lines given one by one."""
        return cls(lines, close)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below headings; the first `words` columns are text, the others numbers.

    A heading may have several lines, the last of which is a unit as often as not. `best` is the
    place of the row that is recommended, which a terminal shows in a colour and a page in bold.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    best: int | None = None

    @classmethod
    def of(
        cls,
        headings: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        words: int = 1,
        best: int | None = None,
    ) -> Table:
        """Return the table of any sequences."""
        return cls(tuple(headings), tuple(map(tuple, rows)), words, best)


Part: TypeAlias = Heading | Facts | Lines | Table
