"""A page of HTML on which answers are printed; every text on it is escaped."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...answers.shown import (
    UNSEEN,
    facts_html,
    heading_html,
    line_html,
    plain,
    table_html,
    text_html,
)
from ..output.progress import doing

_LONG = 15  # rows, from which on a table may go on on another sheet
_MANY = 9  # columns, beyond which paper takes smaller letters
_FEW = 5  # columns, up to which a table may stand beside another

_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_ID = re.compile(r'(\bid="|"#|url\(#)([^")]+)')


class _Named(str):
    """A narrow table with the line above that names it."""


class Page:
    """A page that grows: headings, text, facts, tables and figures, in order."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._parts: list[str] = []
        self._named = ""  # the line that names what follows it
        self._names: list[str] = []  # of the parts that begin with a heading
        self._later: list[str] = []
        self._figures = 0
        self._tables = 0
        self._views = 0
        self._formulas = 0

    def name(self, title: str | None) -> None:
        """Give the page a title, if there is one."""
        self._title = title or self._title

    def cards(self, cards: Iterable[tuple[str, str, str]]) -> None:
        """Add numbers to be seen at a glance: what each is, the number, what there is to say."""
        each = "".join(
            f"<div><dt>{text_html(name)}</dt><dd><strong>{text_html(number)}</strong>"
            f"<span>{text_html(more)}</span></dd></div>"
            for name, number, more in cards
        )
        if each:
            self._parts.append(f'<dl class="cards">{each}</dl>')

    @contextmanager
    def columns(self) -> Iterator[None]:
        """Let figures stand beside each other where there is room."""
        self._parts.append('<div class="two">')
        yield
        self._parts.append("</div>")

    @contextmanager
    def folded(self, text: str) -> Iterator[None]:
        """Let what follows be seen only by those who unfold it."""
        self._parts.append(f"<details><summary>{text_html(text)}</summary>")
        yield
        self._parts.append("</details>")

    def heading(self, text: str) -> None:
        """Begin a part."""
        self._names.append(text)
        self._parts.append(heading_html(text, f"part-{len(self._names)}"))

    @contextmanager
    def entry(self, text: str) -> Iterator[None]:
        """Add what is named so, to stand on one sheet of paper."""
        self._parts.append(f'<section class="k"><h3>{text_html(text)}</h3>')
        yield
        self._parts.append("</section>")

    def lines(self, *lines: str) -> None:
        """Add text, a paragraph for each line."""
        self._parts += [line_html(line) for line in lines if line.strip()]
        if lines and lines[-1].strip().endswith(":"):
            self._named = self._parts[-1]

    def facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Add what is known, a name and a text each."""
        self._parts.append(facts_html(facts))

    def table(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        words: int = 1,
        best: int | None = None,
    ) -> None:
        """Add rows below headings, the `best` in bold; the first `words` columns are text."""
        self._tables += 1
        many = " many" if len(headings) > _MANY else ""
        if len(rows) > _LONG:
            many += " long"
        self._parts.append(
            table_html(
                headings,
                rows,
                words=words,
                label=f"table {self._tables}",
                kind=many,
                best=best,
            )
        )
        if len(headings) <= _FEW and self._parts[-2:-1] == [self._named]:
            self._parts[-2:] = [_Named("\n".join(self._parts[-2:]))]

    def turn_to(self, heading: str) -> None:
        """Go on before the part of this name, if there is one; `turn_to_end` goes back."""
        name = f">{text_html(heading)}</h2>"
        marks = [place for place, part in enumerate(self._parts) if name in part]
        self._later = self._parts[marks[0] :] if marks else []
        del self._parts[len(self._parts) - len(self._later) :]

    def turn_to_end(self) -> None:
        """Go on at the end."""
        self._parts += self._later
        self._later = []

    def figure(self, words: str, draw: Callable[[Path], None], *, wide: bool = False) -> None:
        """Add what `draw` draws in an SVG file, with words below it; a `wide` one is moved by."""
        self._figures += 1
        with TemporaryDirectory(prefix="perfmodel-") as folder:
            path = Path(folder) / "figure.svg"
            size = 11.0 if wide else 16.0  # to be read on a phone
            with doing(f"drawing: {words}"), _style(size, **{"text.parse_math": False}):
                draw(path)
            drawn = _inline(path.read_text("utf-8"), f"f{self._figures}-", words)
        if wide:
            drawn = (
                f'<div class="wide" tabindex="0" role="region" aria-label="{text_html(words)}">'
                f"{drawn}</div>"
            )
        self._parts.append(
            f'<figure role="group">{drawn}<figcaption>{text_html(words)}</figcaption></figure>'
        )

    def formula(self, line: str) -> None:
        """Add one line of mathematics, in TeX, which the browser draws from MathML."""
        from latex2mathml.converter import convert

        self._formulas += 1
        self._parts.append(
            f'<div class="m" tabindex="0" role="region" aria-label="formula {self._formulas}">'
            f"{convert(line, display='block')}</div>"
        )

    def view(self, words: str, view: str) -> None:
        """Add HTML that the script of views draws, words below it."""
        self._views += 1
        self._parts.append(
            f'<figure role="group" class="turned" hidden>{view}'
            f"<figcaption>{text_html(words)}</figcaption></figure>"
        )

    def html(self, end: Mapping[str, str], *, source: str, dated: bool = True) -> str:
        """Return the page, made of a source, today if `dated`; `end` says what it rests on."""
        made = f"{_today()}, from {text_html(source)}" if dated else f"From {text_html(source)}"
        self.heading("What this rests on")
        self.facts(list(end.items()))
        names = ("page.css", "page.js", *(["view.js"] if self._views else []))
        here = files(__package__)
        style, *scripts = (here.joinpath(name).read_text("utf-8") for name in names)
        allowed = " ".join(f"'{_hash(script)}'" for script in scripts)
        run = "".join(f"<script>{script}</script>" for script in scripts)
        links = "".join(
            f'<a href="#part-{at}">{text_html(name)}</a>' for at, name in enumerate(self._names, 1)
        )
        main = "\n".join(_beside(self._parts))
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            f"style-src 'unsafe-inline'; script-src {allowed}; img-src data:\">"
            f"<title>{text_html(self._title)}</title><style>{style}</style></head>\n"
            f"<body><header><h1>{text_html(self._title)}</h1>"
            f'<p class="date">{made}</p><nav>{links}</nav></header>\n'
            f"<main>{main}</main>\n{run}</body></html>\n"
        )


def _beside(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts, named tables that follow each other in a frame, to stand side by side."""
    for named, group in groupby(parts, lambda part: isinstance(part, _Named)):
        tables = list(group)
        if named and len(tables) > 1:
            each = "".join(f'<div class="each">{table}</div>' for table in tables)
            yield f'<div class="beside">{each}</div>'
        else:
            yield from tables


def _today() -> str:
    """Return the date, or that of SOURCE_DATE_EPOCH, by which builds are made again."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = (
        datetime.fromtimestamp(int(epoch), UTC)
        if epoch.isdecimal()
        else datetime.now().astimezone()
    )
    return f"{now.day} {now:%B %Y}"


def _style(size: float, **more: Any) -> AbstractContextManager[None]:
    """Return settings of matplotlib for drawings in a page, equal ones for equal answers."""
    import matplotlib as mpl

    settings: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "perfmodel",
        "savefig.transparent": True,
        "text.usetex": False,  # whatever a file of settings beside the data says
        "font.size": size,
        **more,
    }
    return mpl.rc_context(settings)


def _hash(script: str) -> str:
    """Return by which a browser knows the one script that it may run."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def _inline(svg: str, prefix: str, words: str) -> str:
    """Return a drawing to stand in a page: names of its own, black as the text around it."""
    svg = _METADATA.sub("", plain(svg[svg.index("<svg") :], UNSEEN))
    # By their order: names of matplotlib depend on the last bits of a layout.
    known: dict[str, int] = {}
    svg = _ID.sub(lambda found: f"{found[1]}{prefix}{known.setdefault(found[2], len(known))}", svg)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    for black in ("#000000", "#262626"):
        svg = svg.replace(black, "currentColor")
    svg = svg.replace("#595959", "var(--soft)")
    width, height = (
        float(re.search(rf'{name}="([0-9.]+)pt"', svg).group(1))  # type: ignore[union-attr]
        for name in ("width", "height")
    )
    return re.sub(
        r'width="[0-9.]+pt" height="[0-9.]+pt"|height="[0-9.]+pt"|width="[0-9.]+pt"',
        "",
        svg,
        count=2,
    ).replace(
        "<svg",
        f'<svg role="img" aria-label="{text_html(words)}" '
        f'style="aspect-ratio: {width:g} / {height:g}"',
        1,
    )
