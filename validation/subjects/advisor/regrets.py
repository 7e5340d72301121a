"""``python -m validation --advisor``: the regret table of the advisor, its targets, its mutants."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import click

from perfmodel.advisor import CheckpointAdvisor
from validation.advice.logs import FILES, absent
from validation.advice.report import differences, found_on_logs, losses, of_each_log, targets
from validation.judge.run import MutantResult, Tier, run_cases
from validation.judge.verdict import Verdict

from .cases import CASES, DEARER
from .mutants import MUTANTS, TOLD_APART

__all__ = ["OPTIONS", "print_regrets"]

# With history, too.
OPTIONS = {
    "one rate": partial(CheckpointAdvisor, two_phases=False),
    "two phases": partial(CheckpointAdvisor, two_phases=True),
    "Weibull, shape 0.7": partial(CheckpointAdvisor, shape=0.7),
}


def print_regrets(tier: Tier) -> bool:
    """Print all tables as Markdown; return whether every target is met and every mutant rejected.

    Logs that are not at hand are named, and left out.
    """
    missing = absent()
    for name in missing:
        click.echo(f"Not in $PERFMODEL_TRACES nor ../shared/traces, so left out: {name}")
    met = True
    if len(missing) < len(FILES):
        met = _print_logs()
    outcome = run_cases((*CASES, *DEARER), MUTANTS, tier)
    _print("Drawn failures", _drawn(outcome.verdicts))
    _print("Wrong advisors", _rejected(outcome.mutants))
    return met and outcome.passed


def _print_logs() -> bool:
    right = CheckpointAdvisor
    _print("Time lost, % of the window, mean over logs", losses(right, OPTIONS, TOLD_APART))
    _print("Lost more than others, with 95 % intervals over logs", differences(right))
    _print("Each log, 30 days: points above the best constant (a)", of_each_log(right))
    found = found_on_logs(right)
    _print("Targets", targets(found))
    return all(target.met(mean) for target, mean in found)


def _print(title: str, lines: Iterable[str]) -> None:
    click.echo(f"\n{title}\n")
    for line in lines:
        click.echo(line)


def _drawn(verdicts: Iterable[Verdict]) -> Iterable[str]:
    yield "| compared | failures | at most | found | 95 % | met |"
    yield "|---|---|---|---|---|---|"
    for each in verdicts:
        met = "yes" if each.passed else "**no**"
        half = 1.96 * each.stderr
        yield (
            f"| {each.check} | {each.point} | {each.predicted:.2f} | {each.observed:+.2f} "
            f"| ± {half:.2f} | {met} |"
        )


def _rejected(mutants: Iterable[MutantResult]) -> Iterable[str]:
    yield "| wrong advisor | rejected by | at most | found |"
    yield "|---|---|---|---|"
    for each in mutants:
        by = each.rejection
        if by is None:
            yield f"| {each.mutant.fault} | **nothing** | | |"
        else:
            words = f"{by.check}, {by.point}"
            yield f"| {each.mutant.fault} | {words} | {by.predicted:.2f} | {by.observed:+.2f} |"
