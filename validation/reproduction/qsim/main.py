"""The experiments of `qsim`: utility functions, and fault-aware allocation under failures.

Scheduler, fall-back threshold and walltimes of the paper are not printed, and of its month 3,000 of
7,630 jobs are at hand: each is a factor of the readings of a claim.
"""

from __future__ import annotations

from pathlib import Path

from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .claims import claims
from .results import Results, wanted
from .runs import play


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Run the simulations of what is shown; print its claims; write them and figures to `out`."""
    chosen = tuple(range(1, seeds + 1))
    runs = sweep(wanted(chosen, shown), play, path=shown.kept("qsim"), workers=shown.workers)
    results = Results(runs, chosen)

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results, folder, shown)

    return shown.claims("qsim", list(claims(results, shown)), drawn, out=out)
