"""Parts of an answer as HTML, in which every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from asking.refusals import Speaker, said_by

from .pieces import Facts, Heading, Lines, Part, Table
from .unseen import plain

UNSEEN = "\ufffd"  # in place of what is not seen
_BEST = ' class="best"'
# Colours are those of the page around it, light or dark.
_STYLE = (
    ".perfmodel dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.2rem 1rem}"
    # Notebooks let names float in a fifth of the width.
    ".perfmodel dl dt{opacity:.75;float:none;width:auto}"
    ".perfmodel dl dd{float:none;width:auto;margin:0;overflow-wrap:anywhere}"
    ".perfmodel p{margin:.4rem 0}.perfmodel .t{overflow-x:auto;margin:.6rem 0}"
    ".perfmodel table{border-collapse:collapse}"
    ".perfmodel th,.perfmodel td{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:bottom}"
    ".perfmodel th{border-bottom:1px solid}"
    ".perfmodel .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    ".perfmodel .best td{font-weight:bold}"
    "@media(max-width:30rem){.perfmodel dl{grid-template-columns:1fr;gap:0}}"
)


def html_of(parts: Iterable[Part], speaker: Speaker = str) -> str:
    """Return the parts to stand in a page or a notebook, with the style they need."""
    return f'<div class="perfmodel"><style>{_STYLE}</style>{"".join(_each(parts, speaker))}</div>'


def _each(parts: Iterable[Part], speaker: Speaker) -> Iterator[str]:
    tables = 0
    for part in parts:
        match part:
            case Heading(text):
                yield heading_html(text)
            case Lines(lines):
                yield from (line_html(said_by(speaker, line)) for line in lines)
            case Facts(facts):
                yield facts_html([(name, said_by(speaker, words)) for name, words in facts])
            case Table(headings, rows, words, best):
                tables += 1
                yield table_html(headings, rows, words=words, label=f"table {tables}", best=best)


def text_html(text: str) -> str:
    """Return text as HTML: escaped, without control characters, its line ends as breaks."""
    return escape(plain(text, UNSEEN)).replace("\n", "<br>")


def heading_html(text: str, mark: str = "") -> str:
    """Return the name of a part, to which a link may lead by its mark."""
    place = f' id="{mark}"' if mark else ""
    return f"<h2{place}>{text_html(text)}</h2>"


def line_html(line: str) -> str:
    """Return a sentence as a paragraph."""
    return f"<p>{text_html(line.strip())}</p>"


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Return what is known, a name and a text each."""
    rows = "".join(
        f"<dt>{text_html(name)}</dt><dd>{text_html(text)}</dd>"
        for name, text in facts
        if name or text
    )
    return f"<dl>{rows}</dl>"


def table_html(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    words: int,
    label: str,
    kind: str = "",
    best: int | None = None,
) -> str:
    """Return rows below headings, in a frame that is moved by where it is too wide.

    The first `words` columns are text, the others numbers; `kind` is a further class of the frame.
    The row `best` is in bold.
    """
    kinds = ["" if at < words else ' class="n"' for at in range(len(headings))]
    head = "".join(
        f'<th scope="col"{each}>{text_html(name) or "&nbsp;"}</th>'
        for name, each in zip(headings, kinds, strict=True)
    )
    body = ""
    for place, row in enumerate(rows):
        pairs = zip(row, kinds, strict=True)
        cells = "".join(f"<td{each}>{text_html(cell)}</td>" for cell, each in pairs)
        body += f"<tr{_BEST if place == best else ''}>{cells}</tr>"
    return (
        f'<div class="t{kind}" tabindex="0" role="region" aria-label="{label}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
