"""The experiments of `aucore`: the effect of each recovery option on failed and on other jobs.

The paper's job log and failures are unpublished. Ours: six weeks drawn once per seed with the
printed counts, gaps and lengths, without and with sessions, sizes set by the printed response
without failures, Weibull failures of shape 1 on each midplane. Every case of a seed has the same
jobs and failures. What the text leaves open is played in every reading, and none of them is chosen.
"""

from __future__ import annotations

from pathlib import Path

from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .claims import claims
from .results import Results, wanted
from .runs import play
from .setups import SETUPS


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Run the simulations of what is shown; print its claims; write them and figures to `out`."""
    chosen = tuple(range(1, seeds + 1))
    runs = sweep(wanted(chosen, shown), play, path=shown.kept("aucore"), workers=shown.workers)
    each = [Results(runs, chosen, setup) for setup in SETUPS[: shown.readings]]

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(each, folder, shown)

    return shown.claims("aucore", list(claims(each, shown)), drawn, out=out)
