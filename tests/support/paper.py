"""A sheet on which answers are printed, to be compared part by part."""

import click

from perfmodel.answers.shown import Facts, Heading, Lines, Table
from perfmodel.cli.output.tables import printed_on

__all__ = ["Sheet", "printed", "taken_down"]


class Sheet:
    """Takes down headings, lines that are not empty, facts, tables and figures, in order.

    One empty line stands before each table, and never two. A line right below what is not one is
    taken down as close.
    """

    def __init__(self):
        self.parts = []
        self._apart = True  # whether an empty line stands before what comes next

    def heading(self, text):
        self.parts.append(("heading", text))
        self._apart = True

    def lines(self, *lines):
        for line in lines:
            assert isinstance(line, str)
            assert line or not self._apart or not self.parts or self.parts[-1][0] == "heading"
            close = not self._apart and self.parts[-1][0] != "line"
            self.parts += [("close" if close else "line", line)] if line else []
            self._apart = not line

    def facts(self, facts):
        self.parts += [("fact", name, text) for name, text in facts]
        self._apart = False

    def table(self, headings, rows, *, words):
        assert self._apart
        self.parts.append(("table", words, list(headings), *map(list, rows)))
        self._apart = False

    def figure(self, words, draw, *, wide=False):
        """Take down the words, and let it be drawn in a file that is not there."""
        self.parts.append(("figure", words, wide))
        draw("figure.svg")

    def view(self, words, view):
        """Take down the words."""
        self.parts.append(("view", words))


def printed(show, *arguments, sheet=None, **options):
    """Return what a function prints on a sheet, a new one if none is given."""
    sheet = sheet or Sheet()
    with click.Context(click.Command("show")), printed_on(sheet):
        show(*arguments, **options)
    return sheet.parts


def taken_down(parts):
    """Return parts of an answer, or the only one, as a sheet takes them down."""
    found = []
    for part in [parts] if isinstance(parts, Facts | Heading | Lines | Table) else parts:
        match part:
            case Heading(text):
                found.append(("heading", text))
            case Facts(facts):
                found += [("fact", name, str(words)) for name, words in facts]
            case Lines(lines, close):
                above = found[-1][0] if found else "heading"
                kind = "close" if close and above not in {"line", "heading"} else "line"
                found += [(kind, str(line)) for line in lines]
            case Table(headings, rows, words):
                found.append(("table", words, list(headings), *map(list, rows)))
    return found
