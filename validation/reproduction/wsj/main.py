"""The figures and the table of `wsj`, computed and simulated again.

The paper prints neither the CV of its downtimes, nor the work behind Fig. 4 and Table 1, nor the
speeds, nor its windows of the LANL log: each module here states its own choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..rows import Row
from ..shown import AS_TABLES, Shown
from . import prediction, section3, table_rows
from . import table as wsj_table
from . import windows as wsj_windows
from .systems import USUAL

__all__ = ["main", "table"]

# Per seed: with the default of 10, Table 1 has 30 systems and a point of Figs 10, 11 200 windows.
_TABLE_SYSTEMS, _WINDOWS = 3, 20
_SIMULATED = "section 5, Figs 8 to 11"
_SEEDS_PER_SYSTEM = 3  # in Figs 8 and 9: systems differ little, and each has many simulations


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Run the simulations, print the rows, and write table and figures to `out`."""
    found = section3.rows()
    found[section3.CORRECTED] += section3.interval_rows()
    simulated: list[Row] = []
    found[_SIMULATED] = simulated
    points: list[prediction.Point] = []
    replays = None
    if shown.wants("fig8", "fig9"):
        points = list(prediction.all_points(max(2, seeds // _SEEDS_PER_SYSTEM)))
        simulated += prediction.rows(points)
    if shown.wants("fig10", "fig11"):
        replayed, replays = wsj_windows.rows(_WINDOWS * seeds)
        simulated += replayed
    if shown.wants("table1"):
        usual = wsj_table.play_tables([USUAL], _TABLE_SYSTEMS * seeds)
        found.update(table_rows.rows(usual[USUAL]))

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(folder, points, replays)

    text = f"{_tables(found)}\n\n{section3.choices()}"
    return shown.end("wsj", found, text, drawn, out=out)


def table(rows: Sequence[Row]) -> str:
    """Write the rows as a Markdown table."""
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in rows:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        note = f": {row.note}" if row.note else ""
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict}{note} |")
    return "\n".join(lines)


def _tables(found: Mapping[str, Sequence[Row]]) -> str:
    return "\n\n".join(f"### {setup}\n\n{table(rows)}" for setup, rows in found.items() if rows)
