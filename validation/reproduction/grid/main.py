"""The experiments of `grid`: requirements and failures, on three systems.

MetaCentrum has its real jobs, machines and failures, under each ranking of its clusters; its
requirements are reconstructed from user, queue and executing cluster, because those of the paper
are not available. The other two systems are built from printed numbers, see `stand_ins`, and drawn
anew for every seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path

from sim.cluster.grid import SEEDED

from ..shown import AS_TABLES, Shown
from ..sweep import sweep
from .logs import afc_table, at_hand
from .results import MEASURES, PLAYED, PROBLEMS, Results
from .rows import GridRow, of_metacentrum, of_the_others
from .runs import Run, play
from .systems import SPEEDS, SYSTEMS

__all__ = ["counts", "main", "measures", "report"]

# Draws of jobs and failures for each seed asked for: on DAS-2 a draw kills two or three jobs.
_DRAWS = {"grid5000": 1, "das2": 5}
# Where the paper shows each system; the rest is of the logs alone.
_SHOWN_IN = {"metacentrum": ("fig2",), "grid5000": ("fig3", "fig4"), "das2": ("fig5",)}


def main(*, seeds: int, out: Path | None, workers: int = 2, shown: Shown = AS_TABLES) -> int:
    """Run all simulations, print the rows, and write tables and figures to `out`.

    With `out` every finished run is kept in a file there, and not repeated.
    """
    missing = at_hand()
    if missing:
        print(f"these traces are missing: {', '.join(missing)}")
        return 2
    path = None if out is None else out / "grid-cells.jsonl"
    systems = [name for name in SYSTEMS if shown.wants(*_SHOWN_IN[name])]
    results = Results(sweep(_runs(seeds, systems), play, path=path, workers=workers))
    if out is not None:
        records = [{**asdict(run), **_brief(numbers)} for run, numbers in results.runs.items()]
        (out / "grid.json").write_text(json.dumps(records, indent=1).replace("NaN", "null"))
    return report(results, out, shown)


def _brief(numbers: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in numbers.items() if name not in ("waits", "lengths")}


def report(results: Results, out: Path | None, shown: Shown = AS_TABLES) -> int:
    """Print the rows; write them and the figures to `out`; return 1 if any row fails."""
    played = results.systems
    places: list[tuple[str, str]] = [(name, "") for name in _DRAWS if name in played]
    found = {"logs and stand-in systems": list(of_the_others(results))}
    if "metacentrum" in played:
        places = [*(("metacentrum", ranking) for ranking in SPEEDS), *places]
        ranked = {
            f"MetaCentrum, clusters ranked by {ranking}": list(of_metacentrum(results, ranking))
            for ranking in SPEEDS
        }
        found = {**ranked, **found}
    tables = [f"### {setup}\n\n{_table(lines)}" for setup, lines in found.items()]
    means = [measures(results, *place) for place in places]
    text = "\n\n".join([*tables, *means, counts()])

    def drawn(folder: Path) -> None:
        from .figures import draw

        draw(results, folder)

    return shown.end("grid", found, text, drawn, out=out)


def _runs(seeds: int, systems: Sequence[str] = SYSTEMS) -> Iterator[Run]:
    """Yield every run; those of one draw follow each other, so that it is drawn once."""
    for name in systems:
        if name == "metacentrum":
            for ranking, scenario, policy in product(SPEEDS, PROBLEMS[name], PLAYED[name]):
                for seed in range(1, seeds + 1) if policy in SEEDED else (0,):
                    yield Run(name, scenario, policy, seed, ranking)
        else:
            for seed in range(1, seeds * _DRAWS[name] + 1):
                for scenario, policy in product(PROBLEMS[name], PLAYED[name]):
                    yield Run(name, scenario, policy, seed)


def _table(found: Sequence[GridRow]) -> str:
    lines = ["| what | printed | ours | kind | verdict |", "|---|---|---|---|---|"]
    for row in found:
        verdict = f"**{row.verdict}**" if row.verdict == "fails" else row.verdict
        note = f": {row.note}" if row.note else ""
        lines.append(f"| {row.what} | {row.printed} | {row.ours} | {row.kind} | {verdict}{note} |")
    return "\n".join(lines)


def measures(results: Results, name: str, ranking: str = "") -> str:
    """Return the content of Figures 2, 3, 4 or 5 as a table: means ± sd over seeds."""
    heads = [*MEASURES.values(), "cancelled", "scheduler [s]"]
    title = f"{name} by {ranking}" if ranking else name
    lines = [
        f"| {title} | policy | " + " | ".join(heads) + " |",
        "|---|---|" + "---|" * len(heads),
    ]
    for scenario, policy in product(PROBLEMS[name], PLAYED[name]):
        cells = [
            results.mean_and_sd(metric, name, scenario, policy, ranking)
            for metric in (*MEASURES, "cancelled", "scheduler_s")
        ]
        lines.append(f"| {scenario} | {policy} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def counts() -> str:
    """Return failures per machine and day of the three logs, the AFC of Figure 1."""
    lines = ["| log | failures per machine and day |", "|---|---|"]
    lines += [f"| {name} | {value:.4f} |" for name, value in afc_table().items()]
    return "\n".join(lines)
