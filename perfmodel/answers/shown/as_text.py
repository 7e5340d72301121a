"""Parts of an answer as text: numbers below each other, sentences wrapped at a width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from asking.refusals import Speaker, said_by

from .pieces import Facts, Heading, Lines, Part, Table
from .unseen import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

_UNBOUNDED = 1_000_000


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
                yield from _printed(console, plain(said_by(speaker, line)))
        case Facts(facts) if facts:
            from rich.table import Table as RichTable

            grid = RichTable.grid(padding=(0, 2, 0, 0))
            for name, known in facts:
                grid.add_row(plain(name), plain(said_by(speaker, known)))
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
    # A narrow terminal wraps the lines; folded or clipped numbers would be worse.
    unbounded = _console(_UNBOUNDED, styled=styled)
    natural = Measurement.get(unbounded, unbounded.options, table).maximum
    yield from _printed(_console(max(console.width, natural), styled=styled), table)


def _console(width: int | None, *, styled: bool) -> Console:
    from rich.console import Console

    terminal = None if styled else False
    return Console(width=width, highlight=False, markup=False, emoji=False, force_terminal=terminal)


def _printed(console: Console, content: RichTable | str) -> list[str]:
    """Return what is printed without the blanks that pad each line."""
    with console.capture() as rendered:
        console.print(content)
    return [line.rstrip() for line in rendered.get().splitlines()]
