"""Judge the whole catalogue, or the formulas of a name, on one or several processes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import process_time
from typing import Any, TypeAlias

import click
from rich.console import Console
from rich.progress import track

from . import processes
from .judge.run import Mutant, MutantResult, Outcome, Tier, run_cases
from .judge.trial import Case
from .judge.verdict import Verdict
from .kept import Found, Kept
from .subjects import CASES, FULL, MUTANTS

__all__ = ["LONGEST", "run_catalogue"]

# Begun first, so that no process ends long after the others. `make test` judges one point of each
# and leaves the others to `make validate`: seconds in the quick tier, minutes in the full one.
LONGEST = (
    *("CheckpointAdvisor", "fit_lifetime", "exact_makespan", "optimal_plan_ageing"),
    *("calibrated_forecaster", "slowest_of", "slowest", "rate_change", "wsj_compound"),
    *("wsj_makespan", "compare_extra_node", "exact_makespan_ageing", "spot_outlook"),
    *("training_shares_memory", "exact_makespan_two_levels", "exact_makespan_async"),
    *("gamma_error", "makespan_variance", "recommend", "expected_resubmission_delay"),
    *("busy_period_transform", "optimal_interval_async", "wsj_variance"),
    *("makespan_variance_async", "makespan_variance_chain", "expected_rear_delay"),
    *("useful_share_ageing", "predictive_makespan", "failure_pattern", "Bathtub", "plan"),
    *("schedule_bisection", "schedule_exhaustive", "sampled_failures", "Weibull", "Gamma"),
    *("fit_bathtub", "regret", "generate_failures", "effective_mtbf_gamma", "waste_windows"),
    *("expected_head_delay", "optimal_interval", "optimal_interval_wsj", "mean_posterior"),
    *("equal_time_partition", "wsj_mean", "forecast_failures", "makespan_variance_two_levels"),
    *("expected_makespan_standbys", "optimal_period_predicted", "outlook_of"),
    *("makespan_variance_ageing", "optimal_interval_mixed", "effective_mtbf"),
)


@dataclass(frozen=True, slots=True)
class _Formula:
    """The number of a formula among those of a run: what another process needs to judge it."""

    tier: Tier
    only: str | None
    number: int

    @property
    def name(self) -> str:
        return _functions(self.tier, self.only)[self.number].__name__


Judged: TypeAlias = "tuple[_Formula, Found]"


def run_catalogue(
    tier: Tier,
    *,
    only: str | None = None,
    workers: int = 1,
    show: bool = False,
    kept: Kept | None = None,
) -> Outcome:
    """Run every case of the tier, and every mutant of its formulas.

    Parameters
    ----------
    only : str, optional
        Only formulas whose name contains it; without one, the outcome has no verdicts.
    workers : int
        Processes that share the formulas. The outcome is the same with any number.
    show : bool
        Whether standard error says how far it is: a bar on a terminal, else a line a formula.
    kept : Kept, optional
        Keeps what is found on each formula; those that it has are not judged again.
    """
    formulas = [_Formula(tier, only, number) for number in range(len(_functions(tier, only)))]
    found: Iterable[Judged] = _found(formulas, workers, kept)
    if show:
        found = (_bar if sys.stderr.isatty() else _lines)(found, len(formulas), tier.seed)
    judged = dict(found)
    verdicts: list[Verdict] = []
    mutants: list[MutantResult] = []
    for formula in formulas:
        verdicts += judged[formula].verdicts
        pairs = zip(_mutants(formula), judged[formula].rejections, strict=True)
        mutants += [MutantResult(mutant, rejection) for mutant, rejection in pairs]
    processor_s = sum(each.processor_s for each in judged.values())
    return Outcome(tuple(verdicts), tuple(mutants), processor_s)


def _found(formulas: list[_Formula], workers: int, kept: Kept | None) -> Iterator[Judged]:
    """Yield what is kept of each formula, then what is found on the others."""
    left = []
    for formula in formulas:
        before = None if kept is None else kept.found(formula.name)
        if before is None:
            left.append(formula)
        else:
            yield formula, before
    left.sort(key=lambda formula: formula.name not in LONGEST)
    for formula, found in processes.play(left, _judge, workers=workers):
        if kept is not None:
            kept.keep(formula.name, found)
        yield formula, found


def _bar(found: Iterable[Judged], total: int, seed: int) -> Iterable[Judged]:
    del seed
    console = Console(stderr=True)
    return track(found, description="formulas", total=total, console=console, transient=True)


def _lines(found: Iterable[Judged], total: int, seed: int) -> Iterator[Judged]:
    """Say what came of each formula, so that a run that is stopped has shown what it found."""
    click.echo(f"formulas: {total}; seed {seed}", err=True)
    for number, (formula, result) in enumerate(found, 1):
        failed, survived = (
            sum(not verdict.passed for verdict in result.verdicts),
            sum(rejection is None for rejection in result.rejections),
        )
        click.echo(
            f"{number} of {total}: {formula.name}: {len(result.verdicts)} verdicts, {failed} "
            f"failed; {len(result.rejections)} mutants, {survived} survived; "
            f"{result.processor_s:.1f} s",
            err=True,
        )
        yield formula, result


def _judge(formula: _Formula) -> Found:
    """Judge one formula; its mutants are functions without a name, which do not pickle."""
    began = process_time()
    function = _functions(formula.tier, formula.only)[formula.number]
    cases = [case for case in _cases(formula.tier, formula.only) if case.function is function]
    outcome = run_cases(cases, _mutants(formula), formula.tier)
    rejections = tuple(result.rejection for result in outcome.mutants)
    return Found(outcome.verdicts, rejections, process_time() - began)


def _cases(tier: Tier, only: str | None) -> list[Case]:
    offered = (*CASES, *FULL) if tier.name == "full" else CASES
    return [case for case in offered if only is None or only in case.formula]


def _functions(tier: Tier, only: str | None) -> list[Callable[..., Any]]:
    return list(dict.fromkeys(case.function for case in _cases(tier, only)))


def _mutants(formula: _Formula) -> list[Mutant]:
    function = _functions(formula.tier, formula.only)[formula.number]
    return [mutant for mutant in MUTANTS if mutant.function is function]
