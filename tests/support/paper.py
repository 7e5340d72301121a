"""A sheet on which answers are printed, to be compared part by part."""

import click

from perfmodel.cli.output.tables import printed_on

__all__ = ["printed"]


class _Sheet:
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


def printed(show, *arguments, **options):
    """Return what a function prints: headings, lines that are not empty, facts and tables."""
    sheet = _Sheet()
    with click.Context(click.Command("show")), printed_on(sheet):
        show(*arguments, **options)
    return sheet.parts
