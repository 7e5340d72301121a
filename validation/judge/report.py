"""Reports of a run of cases: a table for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from .run import MutantResult, Outcome, Tier
from .verdict import Verdict

__all__ = ["as_json", "print_report"]

_LETTERS = {"checkpoint_cost": "C", "recovery_cost": "R", "downtime": "D"}
_LEGEND = "C checkpoint_cost, R recovery_cost, D downtime"


def as_json(tier: Tier, outcome: Outcome) -> str:
    """Return the whole run as one JSON object."""
    record: dict[str, Any] = {
        "tier": tier.name,
        "seed": tier.seed,
        "z_limit": tier.limit,
        "false_alarm_probability": tier.false_alarms,
        "passed": outcome.passed,
        "verdicts": [verdict.as_json() for verdict in outcome.verdicts],
        "mutants": [result.as_json() for result in outcome.mutants],
    }
    return json.dumps(record, indent=2, allow_nan=False)


def print_report(console: Console, tier: Tier, outcome: Outcome) -> None:
    """Print both tables and the line that sums them up."""
    verdicts, mutants = outcome.verdicts, outcome.mutants
    if verdicts:
        console.print(_verdict_table(verdicts, outcome.spent))
    if mutants:
        console.print(_mutant_table(mutants))
    failed = sum(not verdict.passed for verdict in verdicts)
    survived = sum(not result.passed for result in mutants)
    again = sum(verdict.looks > 1 for verdict in verdicts)
    console.print(
        f"{len(verdicts)} verdicts, {failed} failed; {len(mutants)} mutants, {survived} "
        f"survived; seed {tier.seed}; {again} repeated, |z| limit {tier.limit:.2f} each "
        f"time: a run of right formulas fails with probability {tier.false_alarms:.2g}",
        style="green" if outcome.passed else "bold red",
        highlight=False,
    )


def _verdict_table(verdicts: Sequence[Verdict], spent: Mapping[str, float]) -> Table:
    table = Table(title="Formulas", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("formula and check", no_wrap=True)
    table.add_column(f"point ({_LEGEND})", overflow="fold")
    for name in ("predicted", "observed", "z", "resolution"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold")
    formula = None
    for verdict in verdicts:
        if verdict.formula != formula:
            formula = verdict.formula
            took = f"{spent[formula]:.1f} s of processor" if formula in spent else ""
            table.add_row(f"[bold]{formula}[/]", took)
        table.add_row(
            f"  {verdict.check}",
            _brief(verdict.point),
            f"{verdict.predicted:.6g}",
            f"{verdict.observed:.6g}",
            f"{verdict.z:+.2f}" if verdict.stderr else "",
            f"{verdict.resolution:.1e}" if verdict.resolution else "",
            _word(verdict),
        )
    return table


def _word(verdict: Verdict) -> str:
    if verdict.passed:
        word = "[green]measured[/]" if verdict.kind == "distance" else "[green]passed[/]"
    else:
        word = "[bold red]failed[/]" if verdict.answered else "[bold red]no answer[/]"
    if verdict.looks > 1:
        word = f"{word} at look {verdict.looks}"
    return f"{word}: {verdict.note}" if verdict.note else word


def _mutant_table(results: Sequence[MutantResult]) -> Table:
    table = Table(title="Mutants, which must be rejected", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("formula and fault", overflow="fold")
    table.add_column("rejected by", overflow="fold")
    table.add_column("z", justify="right", no_wrap=True)
    formula = None
    for result in results:
        by = result.rejection
        if result.mutant.formula != formula:
            formula = result.mutant.formula
            table.add_row(f"[bold]{formula}[/]")
        table.add_row(
            f"  {result.mutant.fault}",
            f"{by.check}, {_brief(by.point)}" if by else "[bold red]survived[/]",
            f"{by.z:+.1f}" if by and by.stderr else "",
        )
    return table


def _brief(point: str) -> str:
    """Write the usual costs as letters, because the table is too narrow for their names."""
    for name, letter in _LETTERS.items():
        point = point.replace(f"{name}=", f"{letter}=")
    return point
