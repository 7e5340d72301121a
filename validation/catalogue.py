"""Judge the whole catalogue, or the formulas of a name, on one or several processes."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import monotonic, process_time
from typing import Any, TypeAlias

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from . import processes
from .judge.run import Mutant, MutantResult, Outcome, Tier, run_cases
from .judge.trial import Case
from .judge.verdict import Verdict
from .kept import Found, Kept
from .subjects import CASES, FULL, MUTANTS

__all__ = ["LONGEST", "run_catalogue"]

# [s] of processor in the full tier, as one run measured them. The longest begin first, so that
# no process ends long after the others. Of these `make test` judges one point each.
LONGEST = {
    "exact_makespan": 1535.0,
    "CheckpointAdvisor": 1310.0,
    "optimal_interval": 435.0,
    "wsj_compound": 275.0,
    "slowest_of": 265.0,
    "fit_bathtub": 245.0,
    "calibrated_forecaster": 105.0,
    "optimal_plan_ageing": 100.0,
    "slowest": 90.0,
    "wsj_makespan": 85.0,
    "fit_lifetime": 80.0,
    "gamma_error": 75.0,
    "recommend": 55.0,
    "rate_change": 50.0,
    "failure_pattern": 45.0,
    "wsj_variance": 40.0,
    "spot_outlook": 30.0,
    "makespan_variance": 30.0,
    "plan": 30.0,
    "predictive_makespan": 25.0,
    "Bathtub": 25.0,
    "regret": 25.0,
    "expected_resubmission_delay": 20.0,
    "exact_makespan_ageing": 20.0,
    "training_shares_memory": 20.0,
    "optimal_interval_mixed": 15.0,
    "makespan_variance_ageing": 15.0,
    "Weibull": 15.0,
    **dict.fromkeys(
        (
            "Gamma",
            "wsj_mean",
            "optimal_interval_wsj",
            "expected_head_delay",
            "mean_posterior",
            "expected_rear_delay",
            "optimal_interval_async",
            "makespan_variance_async",
            "sampled_failures",
            "compare_extra_node",
            "expected_makespan_standbys",
            "equal_time_partition",
            "waste_windows",
            "effective_mtbf",
            "generate_failures",
            "optimal_period_predicted",
            "schedule_bisection",
            "schedule_exhaustive",
            "busy_period_transform",
            "exact_makespan_two_levels",
            "exact_makespan_async",
            "makespan_variance_two_levels",
            "makespan_variance_chain",
            "forecast_failures",
            "useful_share_ageing",
            "effective_mtbf_gamma",
            "outlook_of",
        ),
        6.0,
    ),
}
# Those of which `make test` judges every point: few, or quick ones.
LONG_IN_FULL = {
    "credible_interval": 185.0,
    "optimal_interval_energy": 65.0,
    "optimal_interval_detected_late": 65.0,
    "optimal_interval_rejuvenated": 25.0,
    "spares_for": 25.0,
    "effective_checkpoint_cost": 20.0,
    "mixed_makespan": 20.0,
    "optimal_interval_parallel": 20.0,
    "best_window_segments": 15.0,
    "expected_makespan_iterations": 15.0,
    "degraded_goodput": 15.0,
    "expected_makespan_ageing": 15.0,
    "expected_failure_slowdown": 15.0,
}
# The first three share replays, which one process plays once.
REPLAYED = {
    "expected_makespan": 35.0,
    "expected_failures": 5.0,
    "expected_lost_time": 10.0,
    "failure_probability": 10.0,
}
TOGETHER = (tuple(REPLAYED)[:3],)
_SHORT = 2.0


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
    judged = {} if kept is None else _kept(formulas, kept)
    left = [formula for formula in formulas if formula not in judged]
    found: Iterable[Judged] = _found(left, workers, kept)
    if show:
        click.echo(f"formulas: {len(formulas)}; seed {tier.seed}; {len(judged)} kept", err=True)
        found = (_bar if sys.stderr.isatty() else _lines)(found, left)
    judged |= found
    verdicts: list[Verdict] = []
    mutants: list[MutantResult] = []
    for formula in formulas:
        verdicts += judged[formula].verdicts
        pairs = zip(_mutants(formula), judged[formula].rejections, strict=True)
        mutants += [MutantResult(mutant, rejection) for mutant, rejection in pairs]
    spent = {formula.name: judged[formula].processor_s for formula in formulas}
    return Outcome(tuple(verdicts), tuple(mutants), spent)


def _kept(formulas: list[_Formula], kept: Kept) -> dict[_Formula, Found]:
    before = {formula: kept.found(formula.name) for formula in formulas}
    return {formula: found for formula, found in before.items() if found is not None}


def _found(left: list[_Formula], workers: int, kept: Kept | None) -> Iterator[Judged]:
    groups: dict[object, list[_Formula]] = {}
    for formula in left:
        shared = next((names for names in TOGETHER if formula.name in names), formula)
        groups.setdefault(shared, []).append(formula)
    tasks = [(tuple(group), kept) for group in groups.values()]
    tasks.sort(key=lambda task: sum(map(_expected, task[0])), reverse=True)
    for (group, _), found in processes.play(tasks, _judge_all, workers=workers):
        yield from zip(group, found, strict=True)


def _judge_all(task: tuple[tuple[_Formula, ...], Kept | None]) -> list[Found]:
    """Judge formulas one after the other and keep what is found on each at once."""
    group, kept = task
    judged = []
    for formula in group:
        judged.append(_judge(formula))
        if kept is not None:
            kept.keep(formula.name, judged[-1])
    return judged


def _expected(formula: _Formula) -> float:
    """Return the share of a run that a formula is expected to take."""
    return {**LONGEST, **LONG_IN_FULL, **REPLAYED}.get(formula.name, _SHORT)


def _bar(found: Iterable[Judged], left: list[_Formula]) -> Iterator[Judged]:
    columns = TextColumn("formulas"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    # A formula may take minutes: the pace is that of the whole run.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, speed_estimate_period=math.inf
    ) as bar:
        task = bar.add_task("", total=sum(map(_expected, left)))
        for formula, result in found:
            bar.advance(task, _expected(formula))
            yield formula, result


def _lines(found: Iterable[Judged], left: list[_Formula]) -> Iterator[Judged]:
    """Say what came of each formula, so that a run that is stopped has shown what it found."""
    began, total, done = monotonic(), sum(map(_expected, left)), 0.0
    for number, (formula, result) in enumerate(found, 1):
        done += _expected(formula)
        minutes = (monotonic() - began) * (total / done - 1.0) / 60.0
        failed, survived = (
            sum(not verdict.passed for verdict in result.verdicts),
            sum(rejection is None for rejection in result.rejections),
        )
        click.echo(
            f"{number} of {len(left)}: {formula.name}: {len(result.verdicts)} verdicts, {failed} "
            f"failed; {len(result.rejections)} mutants, {survived} survived; "
            f"{result.processor_s:.1f} s; about {minutes:.0f} min left",
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
