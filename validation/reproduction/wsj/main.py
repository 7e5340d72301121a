"""The figures and the table of `wsj`, computed and simulated again.

The paper prints neither the CV of its downtimes, nor the work behind Fig. 4 and Table 1, nor the
period, storage cost and speeds of its simulations, nor how rivals share the work, nor its windows
of the LANL log: tables show what each choice gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..rows import Row
from ..shown import AS_TABLES, Shown
from . import choices as wsj_choices
from . import prediction, section3, table_rows
from . import table as wsj_table
from . import windows as wsj_windows
from .systems import USUAL

__all__ = ["main", "table"]

# Per seed: with the default of 10, Table 1 has 30 systems and a point of Figs 10, 11 200 windows.
_TABLE_SYSTEMS, _WINDOWS = 3, 20
_SEEDS_PER_SYSTEM = 3  # in Figs 8 and 9: systems differ little, and each has many simulations
_SEEDS_PER_CHOICE = 2  # systems of Table 1 under each choice
_PREDICTED = "section 5, Figs 8 to 11"


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Run the simulations, print the rows, and write tables and figures to `out`."""
    found = section3.rows()
    found[section3.CORRECTED] += section3.interval_rows()
    found[_PREDICTED] = []
    open_to: dict[str, str] = {}
    if shown.wants("fig1", "fig4", "section3"):
        open_to["What section 3 leaves open: the largest distance from the printed values"] = (
            section3.choices()
        )
    points: list[prediction.Point] = []
    replays = None
    if shown.wants("fig8", "fig9"):
        points = prediction.all_points(max(2, seeds // _SEEDS_PER_SYSTEM))
        found[_PREDICTED] += prediction.rows(points)
        open_to["Figs 8 and 9: the largest error of the predicted mean [%]"] = wsj_choices.errors(
            wsj_choices.play_errors(max(1, seeds // 10))
        )
    if shown.wants("fig10", "fig11"):
        replayed, replays = wsj_windows.rows(_WINDOWS * seeds)
        found[_PREDICTED] += replayed
        if replays is not None:
            open_to["Figs 10 and 11: CV of the repairs"] = wsj_windows.choices(replays)
    if shown.wants("table1"):
        usual = wsj_table.play_tables([USUAL], _TABLE_SYSTEMS * seeds)
        found.update(table_rows.rows(usual[USUAL]))
        few = max(2, seeds // _SEEDS_PER_CHOICE)
        open_to["Table 1: columns in which an order holds"] = wsj_choices.table_1(
            wsj_table.play_tables(wsj_choices.TABLE_CHOICES, few)
        )

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(folder, points, replays)

    return shown.end("wsj", found, _text(found, open_to), drawn, out=out)


def table(rows: Sequence[Row]) -> str:
    """Write the rows as a Markdown table."""
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in rows:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        note = f": {row.note}" if row.note else ""
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict}{note} |")
    return "\n".join(lines)


def _text(found: Mapping[str, Sequence[Row]], open_to: Mapping[str, str]) -> str:
    parts = {setup: table(rows) for setup, rows in found.items() if rows} | dict(open_to)
    return "\n\n".join(f"### {title}\n\n{text}" for title, text in parts.items())
