"""Tables of what was kept, for a terminal and for docs/promises.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["PAGE", "RESULTS", "kept", "table", "with_tables"]

PAGE = Path(__file__).parents[2] / "docs" / "promises.md"
RESULTS = Path(__file__).with_name("results")
_BEGIN, _END = "<!-- {}: begin -->", "<!-- {}: end -->"

AnyRow = Mapping[str, Any]


def _held(at: int) -> Callable[[AnyRow], str]:
    return lambda row: f"{100 * row['held'][at]:.1f}"


def _with_limits(row: AnyRow) -> str:
    return f"{_held(2)(row)} [{100 * row['low'][2]:.0f}, {100 * row['high'][2]:.0f}]"


_COLUMNS: Mapping[str, Callable[[AnyRow], str]] = {
    "50 %": _held(0),
    "80 %": _held(1),
    "90 % held": _with_limits,
    "worst": lambda row: f"{100 * row['worst']:.0f}",
    "failed": lambda row: f"{len(row['failed'])}",
    "CRPS": lambda row: f"{row['crps']:.2f}",
    "ratio": lambda row: f"{row['ratio']:.2f}",
    "saved": lambda row: f"{100 * row['saved']:.0f}",
    "width": lambda row: f"{row['width']:.1f}",
    "Brier": lambda row: f"{row['brier']:.3f}",
    "kept": lambda row: f"{row['late']:.3f}",
    "difference": lambda row: f"{row['difference']:.3f}",
    "ms": lambda row: f"{1e3 * row['cost_s']:.0f}",
    "rank": lambda row: str(row["rank"] or "-"),
}


def table(rows: Sequence[AnyRow]) -> str:
    """Return rows as text, in columns."""
    width = max(len(row["name"]) for row in rows)
    lines = ["  ".join([f"{rows[0]['windows']:,} jobs".ljust(width), *_COLUMNS])]
    for row in rows:
        cells = [form(row).rjust(len(name)) for name, form in _COLUMNS.items()]
        lines.append("  ".join([row["name"].ljust(width), *cells]))
    return "\n".join(lines)


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def kept(name: str) -> list[AnyRow]:
    """Return the rows that were kept of a run, as ``checked-whole``."""
    found: list[AnyRow] = json.loads((RESULTS / f"{name}.json").read_text())["rows"]
    return found


def _whole(name: str) -> str:
    rows = kept(name)
    head = [f"{rows[0]['windows']:,} jobs", *_COLUMNS]
    return _markdown(
        head, [[row["name"], *(form(row) for form in _COLUMNS.values())] for row in rows]
    )


def _by_work(name: str) -> str:
    rows = kept(name)
    works = list(rows[0]["by_work"])
    head = ["90 % held, ratio", *(f"{work} days" for work in works)]
    body = [
        [
            row["name"],
            *(f"{100 * held:.1f}, {ratio:.2f}" for held, ratio in row["by_work"].values()),
        ]
        for row in rows
    ]
    return _markdown(head, body)


def with_tables(page: str) -> str:
    """Return a page with what was kept between its marks, ``<!-- checked-whole: begin -->``."""
    for name in re.findall(r"<!-- (.*): begin -->", page):
        begin, end = _BEGIN.format(name), _END.format(name)
        run, _, by_work = name.partition(" ")
        text = _by_work(run) if by_work else _whole(run)
        before, after = page[: page.index(begin)], page[page.index(end) :]
        page = f"{before}{begin}\n\n{text}\n\n{after}"
    return page
