"""Parts of an answer as CSV for a spreadsheet: rows as they are shown, a table below another."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from asking.refusals import Speaker, said_by

from .pieces import Facts, Heading, Lines, Part, Table
from .unseen import plain

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(\.[0-9]+)?(e[-+]?[0-9]+)?|-")


def csv_of(parts: Iterable[Part], speaker: Speaker = str) -> str:
    """Return the parts, an empty row between; no cell is a formula of a spreadsheet."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    first = True
    for part in parts:
        rows = list(_rows(part, speaker))
        if rows and not first:
            writer.writerow([])
        writer.writerows([_cell(cell) for cell in row] for row in rows)
        first = first and not rows
    return file.getvalue()


def _rows(part: Part, speaker: Speaker) -> Iterator[Iterable[str]]:
    match part:
        case Heading(text):
            yield [text]
        case Lines(lines):
            yield from ([said_by(speaker, line)] for line in lines)
        case Facts(facts):
            yield from ([name, said_by(speaker, words)] for name, words in facts)
        case Table(headings, rows):
            yield [heading.replace("\n", " ") for heading in headings]
            yield from rows


def _cell(text: str) -> str:
    """Return text that no spreadsheet computes: an apostrophe stands before what it would."""
    shown = plain(text)
    return f"'{shown}" if _FORMULA.match(shown) and not _NUMBER.fullmatch(shown) else shown
