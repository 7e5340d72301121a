"""What goes to standard output: tables with aligned numbers, wrapped text, strict JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from ...answers.shown import strict
from ..plain import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = [
    "Paper",
    "print_facts",
    "print_heading",
    "print_json",
    "print_lines",
    "print_part",
    "print_table",
    "printed_on",
]

_PAPER = "perfmodel.paper"  # key in the notes of a run, which its commands share


class Paper(Protocol):
    """What an answer is printed on, in place of standard output."""

    def heading(self, text: str) -> None:
        """Begin a part."""

    def lines(self, *lines: str) -> None:
        """Add text."""

    def facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Add what is known, a name and a text each."""

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> None:
        """Add rows below headings; the first `words` columns are text, the others numbers."""


@contextmanager
def printed_on(paper: Paper) -> Iterator[None]:
    """Let all answers of the running command be printed on this paper."""
    meta = click.get_current_context().meta
    meta[_PAPER] = paper
    try:
        yield
    finally:
        del meta[_PAPER]


def _paper() -> Paper | None:
    context = click.get_current_context(silent=True)
    paper: Paper | None = None if context is None else context.meta.get(_PAPER)
    return paper


def print_heading(text: str) -> None:
    """Print the name of a part of an answer."""
    if (paper := _paper()) is not None:
        paper.heading(text)
        return
    print_lines(text, "=" * len(text))


def print_part(text: str) -> None:
    """Name a part of an answer on a page; a terminal shows the words of its tables alone."""
    if (paper := _paper()) is not None:
        paper.heading(text)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> None:
    """Print rows below headings; the first `words` columns are text, the others numbers."""
    if (paper := _paper()) is not None:
        paper.table(headings, list(rows), words=words)
        return
    headings, rows = [*map(plain, headings)], [[*map(plain, row)] for row in rows]
    from rich.measure import Measurement
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for position, heading in enumerate(headings):
        table.add_column(
            heading,
            justify="left" if position < words else "right",
            no_wrap=True,
        )
    for row in rows:
        table.add_row(*row)
    # A narrow terminal wraps the lines; folded or clipped numbers would be worse.
    unbounded = _console(1_000_000)
    natural = Measurement.get(unbounded, unbounded.options, table).maximum
    _print(table, least_width=natural)


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Print what is known, a name and a text each; long text is wrapped beside its name."""
    if (paper := _paper()) is not None:
        paper.facts(list(facts))
        return
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0))
    for name, text in facts:
        table.add_row(plain(name), plain(text))
    _print(table)


def print_lines(*lines: str) -> None:
    """Print text, wrapped at the width of the terminal."""
    if (paper := _paper()) is not None:
        paper.lines(*lines)
        return
    for line in lines:
        _print(plain(line))


def print_json(values: Any) -> None:
    """Print strict JSON: what is not a finite number becomes null."""
    click.echo(json.dumps(strict(values), indent=2, allow_nan=False))


def _console(width: int | None = None) -> Console:
    from rich.console import Console

    return Console(width=width, highlight=False, markup=False, emoji=False)


def _print(content: Table | str, *, least_width: int = 0) -> None:
    """Render at the width of the terminal, without the blanks that pad each line."""
    console = _console(max(_console().width, least_width))
    with console.capture() as rendered:
        console.print(content)
    for line in rendered.get().splitlines():
        click.echo(line.rstrip())
