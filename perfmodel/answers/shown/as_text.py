"""Parts of an answer as text: numbers below each other, sentences wrapped at a width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from asking.refusals import Speaker, said_by

from .pieces import Facts, Heading, Lines, Part, Table
from .unseen import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

_UNBOUNDED = 1_000_000
_GAP = 2  # between columns
_UNIT = re.compile(r"(?<=[0-9]) (?=(?:y|d|h|min|s|ms|us|ns|kWh|[KMGTPE]?i?B|%)(?![\w/]))")
_TIE = "\ue000"  # in place of a blank at which no line may end; a no-break space is one to Rich


def text_of(
    parts: Iterable[Part], speaker: Speaker = str, *, width: int | None = None, styled: bool = False
) -> Iterator[str]:
    """Yield the lines of the text, one empty line between parts.

    `width` None is that of the terminal; `styled` lets a terminal show headings of tables bold and
    their best row green, unless NO_COLOR is set.
    """
    before: Part | None = None
    for part in parts:
        lines = list(_lines(part, speaker, width, styled=styled))
        if not lines:
            continue
        if not (before is None or isinstance(before, Heading) or getattr(part, "close", False)):
            yield ""
        yield from lines
        before = part


def _lines(part: Part, speaker: Speaker, width: int | None, *, styled: bool) -> Iterator[str]:
    console = _console(width, styled=styled)
    match part:
        case Heading(text):
            for words in (text, "=" * len(text)):
                yield from _printed(console, plain(words))
        case Lines(lines):
            for line in lines:
                yield from _printed(console, _tied(plain(said_by(speaker, line))))
        case Facts(facts) if facts:
            from rich.table import Table as RichTable

            grid = RichTable.grid(padding=(0, 2, 0, 0))
            for name, known in facts:
                grid.add_row(plain(name), _tied(plain(said_by(speaker, known))))
            yield from _printed(console, grid)
        case Table():
            yield from _table(part, console, styled=styled)


def _table(part: Table, console: Console, *, styled: bool) -> Iterator[str]:
    from rich.measure import Measurement
    from rich.table import Table as RichTable

    table = RichTable(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for position, heading in enumerate(part.headings):
        justify = "left" if position < part.words else "right"
        table.add_column(plain(heading), justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for place, row in enumerate(part.rows):
        table.add_row(*map(plain, row), style="green" if place == part.best else None)
    # Numbers that were folded or clipped would be worse than lines that are too long.
    unbounded = _console(_UNBOUNDED, styled=styled)
    natural = Measurement.get(unbounded, unbounded.options, table).maximum
    if console.is_terminal and natural > console.width:
        blocks = list(_blocks(part, console.width))
        if len(blocks) > 1:
            for place, block in enumerate(blocks):
                yield from ([""] if place else [])
                yield from _table(block, unbounded, styled=styled)
            return
    yield from _printed(_console(max(console.width, natural), styled=styled), table)


def _blocks(part: Table, width: int) -> Iterator[Table]:
    """Yield the table in as few blocks of columns as fit a width, each with the words before."""
    from rich.cells import cell_len

    columns = [(heading, *cells) for heading, *cells in zip(part.headings, *part.rows, strict=True)]
    wide = [
        _GAP + max(cell_len(line) for text in column for line in plain(text).split("\n"))
        for column in columns
    ]
    words, first = sum(wide[: part.words]), part.words
    for last in range(part.words + 1, len(columns) + 1):
        if last == len(columns) or words + sum(wide[first : last + 1]) > width + _GAP:
            taken = [*columns[: part.words], *columns[first:last]]
            headings, *rows = zip(*taken, strict=True)
            yield Table.of(headings, rows, words=part.words, best=part.best)
            first = last


def _console(width: int | None, *, styled: bool) -> Console:
    from rich.console import Console

    terminal = None if styled else False
    return Console(width=width, highlight=False, markup=False, emoji=False, force_terminal=terminal)


def _printed(console: Console, content: RichTable | str) -> list[str]:
    """Return what is printed without the blanks that pad each line."""
    with console.capture() as rendered:
        console.print(content)
    return [line.replace(_TIE, " ").rstrip() for line in rendered.get().splitlines()]


def _tied(text: str) -> str:
    """Return text in which no line ends between a number and its unit."""
    return _UNIT.sub(_TIE, text)
