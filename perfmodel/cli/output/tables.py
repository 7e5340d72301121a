"""What goes to standard output: tables with aligned numbers, wrapped text, strict JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import click

from asking.plain import strict
from asking.refusals import said_by

from ...answers.shown import Answer, Facts, Heading, Lines, Part, Table, text_of
from ..options.types import option_of

# Keys in the notes of a run, which its commands share.
_PAPER, _KEPT = "perfmodel.paper", "perfmodel.kept"


class Paper(Protocol):
    """What an answer is printed on, in place of standard output."""

    def heading(self, text: str) -> None:
        """Begin a part."""

    def lines(self, *lines: str) -> None:
        """Add text."""

    def facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Add what is known, a name and a text each."""

    def table(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        words: int,
        best: int | None = None,
    ) -> None:
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


@contextmanager
def keeping(parts: list[Part], context: click.Context) -> Iterator[None]:
    """Let all parts that a command prints be kept in a list, too."""
    context.meta[_KEPT] = parts
    try:
        yield
    finally:
        del context.meta[_KEPT]


def _paper() -> Paper | None:
    context = click.get_current_context(silent=True)
    paper: Paper | None = None if context is None else context.meta.get(_PAPER)
    return paper


def print_parts(parts: Iterable[Part]) -> None:
    """Print the parts of an answer in order, fields of its request named as options."""
    paper = _paper()
    if paper is not None:
        print_on(paper, parts)
        return
    context = click.get_current_context(silent=True)
    if context is not None and _KEPT in context.meta:
        parts = list(parts)
        context.meta[_KEPT] += parts
    for line in text_of(parts, option_of, styled=True):
        click.echo(line)


def print_on(paper: Paper, parts: Iterable[Part]) -> None:
    """Print parts on a paper."""
    before: Part | None = None
    for part in parts:
        if not (before is None or isinstance(before, Heading) or getattr(part, "close", False)):
            paper.lines("")
        before = part
        match part:
            case Heading(text):
                paper.heading(text)
            case Lines(lines):
                paper.lines(*(said_by(option_of, line) for line in lines))
            case Facts(facts):
                paper.facts([(name, said_by(option_of, words)) for name, words in facts])
            case Table(headings, rows, words, best):
                paper.table(headings, rows, words=words, best=best)


def print_heading(text: str) -> None:
    """Print the name of a part of an answer."""
    print_parts([Heading(text)])


def print_part(text: str) -> None:
    """Name a part of an answer on a page; a terminal shows the words of its tables alone."""
    if (paper := _paper()) is not None:
        paper.heading(text)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> None:
    """Print rows below headings; the first `words` columns are text, the others numbers."""
    print_parts([Table.of(headings, rows, words=words)])


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Print what is known, a name and a text each; long text is wrapped beside its name."""
    print_parts([Facts.of(facts)])


def print_lines(*lines: str) -> None:
    """Print text, wrapped at the width of the terminal."""
    print_parts([Lines(lines)])


def print_answer(found: Answer, *, as_json: bool, plot: Path | None = None) -> None:
    """Write the figure of an answer where one is asked for; print it as JSON, or its parts."""
    if plot is not None:
        from ..figures import draw_in

        draw_in(plot, found.plot)
    if as_json:
        print_json(found.to_dict())
    else:
        print_parts(found.parts())


def print_json(values: Any) -> None:
    """Print strict JSON: what is not a finite number becomes null."""
    click.echo(json.dumps(strict(values, option_of), indent=2, allow_nan=False))
