"""The figures and the table of `wsj`, computed and simulated again.

The paper prints neither the CV of its downtimes, nor the work behind Fig. 4 and Table 1, nor the
speeds, nor its windows of the LANL log: each module here states its own choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..rows import Row
from ..shown import AS_TABLES, Shown
from . import model as wsj_model
from . import prediction
from . import table as wsj_table
from . import windows as wsj_windows

__all__ = ["main", "table"]

# Per seed: with the default of 10, Table 1 has 30 systems and a point of Figs 10, 11 200 windows.
_TABLE_SYSTEMS, _WINDOWS = 3, 20
_SETUP = "choices as the page of this paper states them"
_SEEDS_PER_SYSTEM = 3  # in Figs 8 and 9: systems differ little, and each has many simulations


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Run the simulations, print the rows, and write table and figures to `out`."""
    found: list[Row] = [*wsj_model.rows(), *wsj_model.interval_rows()]
    points: list[prediction.Point] = []
    replays = None
    if shown.wants("fig8", "fig9"):
        points = list(prediction.all_points(max(2, seeds // _SEEDS_PER_SYSTEM)))
        found += prediction.rows(points)
    if shown.wants("fig10", "fig11"):
        replayed, replays = wsj_windows.rows(_WINDOWS * seeds)
        found += replayed
    if shown.wants("table1"):
        found += wsj_table.rows(wsj_table.play_table(_TABLE_SYSTEMS * seeds))

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(folder, points, replays)

    return shown.end("wsj", {_SETUP: found}, table(found), drawn, out=out)


def table(rows: Sequence[Row]) -> str:
    """Write the rows as a Markdown table."""
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in rows:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        note = f": {row.note}" if row.note else ""
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict}{note} |")
    return "\n".join(lines)
