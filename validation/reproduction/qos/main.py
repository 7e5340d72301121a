"""The experiments of `qos`: accuracy of the predictor and risk that users accept.

The failure trace of the paper, 1,021 failures of 128 AIX nodes in a year, is not public. Ours are
Weibull gaps with bursts at that rate, drawn per seed, and beside them a LANL system cut to 128
nodes. The paper does not state which 10,000 jobs it used; ours are the first that ran.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .cells import wanted
from .results import Results
from .rows import rows
from .runs import at_hand, play
from .tables import calibrated, grid, lengths, others, table

__all__ = ["main"]

_WITHIN, _INSISTING = "U within the accuracy", "U always, eq. (3)"


def main(*, seeds: int, out: Path | None, workers: int = 2, shown: Shown = AS_TABLES) -> int:
    """Run all simulations, print the rows, and write table and figures to `out`.

    With `out` every finished cell is kept in a file there, and not repeated.
    """
    missing = at_hand()
    if missing:
        print(f"these traces are missing: {', '.join(missing)}")
        return 2
    chosen = tuple(range(1, seeds + 1))
    path = None if out is None else out / "qos-cells.jsonl"
    results = Results(sweep(wanted(chosen), play, path=path, workers=workers), chosen)
    found = {_WITHIN: list(rows(results)), _INSISTING: list(rows(results.insisting()))}
    tables = (f"Under `{setup}`:\n\n{table(judged)}" for setup, judged in found.items())
    parts = (grid(results), others(results), lengths(results), calibrated(results))
    text = "\n\n".join((*tables, *parts))

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results, folder)

    if out is not None:
        records = [{**asdict(key), **numbers} for key, numbers in results.cells.items()]
        (out / "qos.json").write_text(json.dumps(records, indent=1))
    return shown.end("qos", found, text, drawn, out=out)
