"""What goes to standard output: tables with aligned numbers, wrapped text, strict JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from ...units import DURATIONS, natural_unit
from ..plain import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = [
    "Paper",
    "in_one_unit",
    "in_unit",
    "percent",
    "print_facts",
    "print_heading",
    "print_json",
    "print_lines",
    "print_part",
    "print_table",
    "printed_on",
    "shared_unit",
    "step_words",
    "whole_number",
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
    click.echo(json.dumps(_strict(values), indent=2, allow_nan=False))


def shared_unit(seconds: Iterable[float]) -> tuple[str, float]:
    """Return one unit, name and seconds, that suits a whole column."""
    finite = [value for value in seconds if 0.0 < value < math.inf]
    return natural_unit(min(finite)) if finite else ("s", DURATIONS["s"])


def in_one_unit(*seconds: float) -> list[str]:
    """Return durations with their unit, the one that suits the first of them."""
    unit, factor = natural_unit(seconds[0])
    return [f"{_four_digits(value / factor)} {unit}" for value in seconds]


def _four_digits(value: float) -> str:
    return f"{value:.0f}" if 1000.0 <= value < 1e7 else f"{value:.4g}"


def in_unit(seconds: float, factor: float) -> str:
    """Return the number without its unit, to two decimals; a dash where there is none."""
    value = seconds / factor
    if not math.isfinite(value):
        return _unusual(value)
    return f"{value:,.2f}" if value < 1e7 else f"{value:.2e}"


def step_words(steps: int | None) -> str:
    """Return how many steps an interval has, in brackets after it; nothing where none are known."""
    if steps is None:
        return ""
    return f" ({whole_number(steps)} step{'' if steps == 1 else 's'})"


def whole_number(count: int) -> str:
    """Return a count with commas, or its first digits where it has more than anybody reads."""
    return f"{count:,}" if count < 10**15 else f"{count:.4g}"


def percent(fraction: float, decimals: int = 3) -> str:
    """Return the number without its sign %, rounded, and never a false zero."""
    value, least = 100.0 * fraction, 10.0**-decimals
    if not math.isfinite(value):
        return _unusual(value)
    if 0.0 < value < least / 2.0:
        return f"<{least:g}"
    return f"{value:,.{decimals}f}" if value < 1e4 else f"{value:.2e}"


def _unusual(value: float) -> str:
    return "-" if math.isnan(value) else "endless"


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


def _strict(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _strict(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
