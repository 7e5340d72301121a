"""Results as tables of HTML, for notebooks; every text in them is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

_MOST_ROWS = 30


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """Return a table of two columns, what and how much."""
    rows = "".join(
        f"<tr><th>{_cell(name)}</th><td>{_cell(value)}</td></tr>" for name, value in facts.items()
    )
    return f"<table><caption>{escape(title)}</caption><tbody>{rows}</tbody></table>"


def rows_html(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table of a line per row, of which the first thirty are shown."""
    every = list(rows)
    head = "".join(f"<th>{_cell(name)}</th>" for name in columns)
    lines = [
        "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>"
        for row in every[:_MOST_ROWS]
    ]
    if len(every) > _MOST_ROWS:
        more = f"and {len(every) - _MOST_ROWS:,} more"
        lines.append(f'<tr><td colspan="{len(columns)}">{more}</td></tr>')
    return (
        f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _cell(value: object) -> str:
    if isinstance(value, float) and math.isfinite(value):
        return f"{float(value):.6g}"
    return escape(str(value))
