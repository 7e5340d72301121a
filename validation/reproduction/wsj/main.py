"""The figures and the table of `wsj`, computed and simulated again.

The paper prints neither the CV of its downtimes, nor the work behind Fig. 4 and Table 1, nor the
period and speeds of its simulations, nor how rivals share the work, nor its windows of the LANL
log: each is a factor of the readings of a claim.
"""

from __future__ import annotations

from pathlib import Path

from ..claims import Judged
from ..shown import AS_TABLES, Shown
from . import prediction, section3, table_claims
from . import windows as wsj_windows
from .table import CHOICES, play_tables

_SEEDS_PER_SYSTEM = 5  # of Figs 8 and 9, each with many simulations
_WINDOWS = 2  # of Figs 10 and 11, for each seed
_SEEDS_PER_TABLE = 2  # systems of Table 1


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Compute and simulate what is shown; print its claims; write them and figures to `out`."""
    judged: list[Judged] = []
    kept, workers = shown.kept("wsj"), shown.workers
    if shown.wants("fig1", "fig2", "fig3", "fig4", "fig5", "section3"):
        judged += section3.claims()
    figures = [figure for figure in prediction.POINTS if shown.wants(f"fig{figure}")]
    points: list[prediction.Point] = []
    if figures:
        systems = max(2, seeds // _SEEDS_PER_SYSTEM)
        points = prediction.all_points(systems, figures=figures, workers=workers, path=kept)
        judged += prediction.claims(points)
    figures = [figure for figure in (10, 11) if shown.wants(f"fig{figure}")]
    replays = wsj_windows.play_windows(_WINDOWS * seeds, figures) if figures else {}
    judged += wsj_windows.claims(replays)
    if shown.wants("table1"):
        systems = max(2, seeds // _SEEDS_PER_TABLE)
        tables = play_tables(CHOICES, systems, workers=workers, path=kept)
        judged += table_claims.claims(tables)

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(folder, points, replays)

    return shown.claims("wsj", judged, drawn, out=out)
