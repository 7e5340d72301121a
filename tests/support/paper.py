"""A sheet on which answers are printed, to be compared part by part."""

import click

from perfmodel.cli.output.tables import printed_on

__all__ = ["Sheet", "printed"]


class Sheet:
    """Takes down headings, lines that are not empty, facts, tables and figures, in order."""

    def __init__(self):
        self.parts = []

    def heading(self, text):
        self.parts.append(("heading", text))

    def lines(self, *lines):
        self.parts += [("line", line) for line in lines if line]

    def facts(self, facts):
        self.parts += [("fact", name, text) for name, text in facts]

    def table(self, headings, rows, *, words):
        self.parts.append(("table", words, list(headings), *map(list, rows)))

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
