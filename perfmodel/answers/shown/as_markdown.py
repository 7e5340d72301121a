"""Parts of an answer as Markdown of CommonMark, with the tables of GitHub."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from asking.refusals import Speaker, said_by

from .pieces import Facts, Heading, Lines, Part, Table
from .unseen import plain

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_BLOCK = re.compile(r"^(\s*)([-+=]|[0-9]+(?=[.)]))")  # what begins a list or underlines


def markdown_of(parts: Iterable[Part], speaker: Speaker = str) -> str:
    """Return the parts, an empty line between; no sign of a text is markup."""
    return "\n\n".join(text for part in parts if (text := "\n".join(_lines(part, speaker)))) + "\n"


def _lines(part: Part, speaker: Speaker) -> Iterator[str]:
    match part:
        case Heading(text):
            yield f"## {_text(text)}"
        case Lines(lines):
            said = (said_by(speaker, line) for line in lines)
            yield "\n\n".join(_paragraph(line) for line in said if line.strip())
        case Facts(facts):
            for name, words in facts:
                known = f"**{_text(name)}:** " if name else ""
                yield f"- {known}{_text(said_by(speaker, words))}"
        case Table(headings, rows, words):
            yield _row(headings)
            yield _row_of(["---" if at < words else "---:" for at in range(len(headings))])
            yield from map(_row, rows)


def _row(cells: Iterable[str]) -> str:
    return _row_of(map(_text, cells))


def _row_of(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _paragraph(line: str) -> str:
    """Return a line that begins no list and underlines nothing."""
    return _BLOCK.sub(_escaped, _text(line.strip()))


def _escaped(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}\\" if found[2].isdigit() else f"{found[1]}\\{found[2]}"


def _text(text: str) -> str:
    return _SIGNS.sub(r"\\\1", plain(text)).replace("\n", "<br>")
