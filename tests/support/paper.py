"""A sheet on which answers are printed, to be compared part by part."""

__all__ = ["Sheet"]


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

    def table(self, headings, rows, *, words, best=None):
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
