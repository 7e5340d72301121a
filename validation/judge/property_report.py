"""Reports of a run over random points: a table for people, JSON for programs."""

from __future__ import annotations

import json

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from .. import ROOT
from .search import EXAMPLES_KEPT, PropertyRun, SearchResult
from .trial import FALSE_ALARM_PROBABILITY

__all__ = ["as_json", "print_report"]


def as_json(run: PropertyRun) -> str:
    """Return the whole run as one JSON object."""
    record = {
        "tier": "property",
        "seed": run.seed,
        "examples": run.examples,
        "false_alarm_probability": FALSE_ALARM_PROBABILITY,
        "passed": run.passed,
        "properties": [result.as_json() for result in run.results],
    }
    return json.dumps(record, indent=2, allow_nan=False)


def print_report(console: Console, run: PropertyRun) -> None:
    """Print one line per formula and the line that sums them up."""
    table = Table(title="Points at random", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("formula", no_wrap=True)
    table.add_column("check", overflow="fold")
    table.add_column("judged", justify="right")
    table.add_column("unresolved", justify="right")
    table.add_column("verdict", overflow="fold")
    for result in run.results:
        table.add_row(
            result.formula,
            result.check,
            str(result.judged),
            str(result.unresolved),
            _word(result),
        )
    console.print(table)
    console.print(
        f"{len(run.results)} properties, {sum(not o.passed for o in run.results)} failed; "
        f"seed {run.seed}; a run of right formulas fails with probability "
        f"{FALSE_ALARM_PROBABILITY:g} at most;\n"
        f"failing points are kept in {EXAMPLES_KEPT.relative_to(ROOT)} and judged first next time",
        style="green" if run.passed else "bold red",
        highlight=False,
    )


def _word(result: SearchResult) -> str:
    failure = result.failure
    if failure is not None:
        return (
            f"[bold red]failed[/] at {failure.point}: {failure.note or failure.check}; "
            f"predicted {failure.predicted:.6g}, observed {failure.observed:.6g}"
        )
    return "[green]passed[/]" if result.passed else "[bold red]too few answers[/]"
