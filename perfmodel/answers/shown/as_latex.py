"""Parts of an answer as LaTeX that needs no package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from asking.refusals import Speaker, said_by

from .pieces import Facts, Heading, Lines, Part, Table
from .unseen import plain

_SIGNS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "`": r"\textasciigrave{}",
        # A row that begins with one of these would be taken for an argument of the one above.
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
    }
)


def latex_of(parts: Iterable[Part], speaker: Speaker = str) -> str:
    """Return the parts as paragraphs, descriptions and tabulars; no sign of a text is a command."""
    texts = ("\n".join(_lines(part, speaker)) for part in parts)
    return "\n\n".join(text for text in texts if text) + "\n"


def _lines(part: Part, speaker: Speaker) -> Iterator[str]:
    match part:
        case Heading(text):
            yield rf"\subsection*{{{_text(text)}}}"
        case Lines(lines):
            said = (said_by(speaker, line) for line in lines)
            yield "\n\n".join(_text(line.strip()) for line in said if line.strip())
        case Facts(facts):
            if facts:
                yield r"\begin{description}"
                for name, words in facts:
                    yield rf"\item[{{{_text(name)}}}] {_text(said_by(speaker, words))}"
                yield r"\end{description}"
        case Table(headings, rows, words):
            kinds = "l" * words + "r" * (len(headings) - words)
            yield rf"\begin{{tabular}}{{{kinds}}}"
            yield rf"{_row(headings)} \hline"
            yield from map(_row, rows)
            yield r"\end{tabular}"


def _row(cells: Iterable[str]) -> str:
    return rf"{' & '.join(_text(cell.replace(chr(10), ' ')) for cell in cells)} \\"


def _text(text: str) -> str:
    """Return text whose signs are letters; two dashes stay two."""
    signs = plain(text).translate(_SIGNS).replace("--", "-{}-")
    return signs.replace("\n", r" \newline ")
