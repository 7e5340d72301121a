"""The experiments of `qos`: accuracy of the predictor and risk that users accept.

The failure trace of the paper, 1,021 failures of 128 AIX nodes in a year, is not public. Ours are
Weibull gaps with bursts at that rate, drawn per seed, and beside them a LANL system cut to 128
nodes. The paper does not state which 10,000 jobs it used.
"""

from __future__ import annotations

from pathlib import Path

from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .cells import Results, wanted
from .claims import claims
from .runs import at_hand, play


def main(*, seeds: int, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Run the simulations of what is shown; print its claims; write them and figures to `out`."""
    missing = at_hand()
    if missing:
        print(f"these traces are missing: {', '.join(missing)}")
        return 2
    chosen = tuple(range(1, seeds + 1))
    cells = sweep(wanted(chosen, shown), play, path=shown.kept("qos"), workers=shown.workers)
    results = Results(cells, chosen)

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results, folder, shown)

    return shown.claims("qos", list(claims(results, shown)), drawn, out=out)
