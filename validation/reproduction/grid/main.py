"""The experiments of `grid`: requirements and failures, on three systems.

MetaCentrum has its real jobs, machines and failures; its requirements are reconstructed from
user, queue and executing cluster, because those of the paper are not available. The other two
systems are built from printed numbers, see `systems`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from sim.cluster.grid import SEEDED

from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .rows import MEASURES, POLICIES, PROBLEMS, GridRow, Results, rows
from .runs import Run, play
from .systems import afc_table, at_hand

__all__ = ["counts", "main", "measures", "report"]

_SETUP = "data and choices as the page of this paper states them"


def main(*, seeds: int, out: Path | None, workers: int = 2, shown: Shown = AS_TABLES) -> int:
    """Run all simulations, print the rows, and write tables and figures to `out`.

    With `out` every finished run is kept in a file there, and not repeated.
    """
    missing = at_hand()
    if missing:
        print(f"these traces are missing: {', '.join(missing)}")
        return 2
    path = None if out is None else out / "grid-cells.jsonl"
    results = Results(sweep(_runs(range(1, seeds + 1)), play, path=path, workers=workers))
    if out is not None:
        records = [{**asdict(run), **numbers} for run, numbers in results.runs.items()]
        (out / "grid.json").write_text(json.dumps(records, indent=1))
    return report(results, out, shown)


def report(results: Results, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Print the rows; write them and the figures to `out`; return 1 if any row fails."""
    found = list(rows(results))
    tables = [measures(results, name) for name in PROBLEMS]
    text = "\n\n".join([_table(found), *tables, counts()])

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results, folder)

    return shown.end("grid", {_SETUP: found}, text, drawn, out=out)


def _runs(seeds: Sequence[int]) -> Iterator[Run]:
    for name, scenarios in PROBLEMS.items():
        for scenario in scenarios:
            for policy in (*POLICIES, "fcfs-lb"):
                for seed in seeds if policy in SEEDED else (0,):
                    yield Run(name, scenario, policy, seed)


def _table(found: Sequence[GridRow]) -> str:
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in found:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        note = f": {row.note}" if row.note else ""
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict}{note} |")
    return "\n".join(lines)


def measures(results: Results, name: str) -> str:
    """Return the content of Figures 2, 3, 4 or 5 as a table: means ± sd over seeds."""
    policies = (*POLICIES, "fcfs-lb")
    heads = [*MEASURES.values(), "cancelled", "scheduler [s]"]
    lines = [
        f"| {name} | policy | " + " | ".join(heads) + " |",
        "|---|---|" + "---|" * len(heads),
    ]
    for scenario in PROBLEMS[name]:
        for policy in policies:
            cells = [
                results.mean_and_sd(metric, name, scenario, policy)
                for metric in (*MEASURES, "cancelled", "scheduler_s")
            ]
            lines.append(f"| {scenario} | {policy} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def counts() -> str:
    """Return failures per machine and day of the three logs, the AFC of Figure 1."""
    lines = ["| log | failures per machine and day |", "|---|---|"]
    lines += [f"| {name} | {value:.4f} |" for name, value in afc_table().items()]
    return "\n".join(lines)
