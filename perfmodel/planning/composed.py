"""A plan: one answer of all that the library can say of a scenario."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from asking.units import human_duration

from .._shown import facts_html
from ..completion import CompletionTime
from ..estimate import Estimate
from ..forecasts import ForecastMakespan
from ..protocols.situation import Situation
from ..protocols.synchronous import SYNCHRONOUS
from ..protocols.table import protocol_of
from ._chosen import Chosen, chosen_for
from ._completion import completion_of, predictive
from ._costs import costs_of
from ._forecast import Ahead, ahead_of, by_forecast
from ._goodput import goodput_of
from ._spares import spares_of
from ._worth import break_evens, mtbf_needed, sensitivities, unknowns, worths
from .answers import (
    BreakEven,
    CheckpointPlan,
    Completion,
    Costs,
    Foretold,
    Goodput,
    Sensitivity,
    SparePlan,
    Worth,
)
from .case import Case
from .estimate import FORMS, mtbf_of
from .scenario import Scenario, read_scenario


@dataclass(frozen=True, slots=True)
class Plan:
    """All answers for one scenario.

    Where the MTBF or the checkpoint is unknown, `break_evens` says what it must be, and the other
    answers are None.

    Parameters
    ----------
    scenario : Scenario
        What was asked, in plain units.
    mtbf : Estimate, optional, [s]
        Of the nodes of the job together, with its limits.
    job : Situation, optional, [s]
        The numbers of the job that all answers are for.
    checkpoint : CheckpointPlan, optional
        Protocol and interval.
    goodput : Goodput, optional
        With its losses.
    completion : Completion, optional
        Mean, percentiles and deadline.
    spares : SparePlan, optional
        Where the scenario has spares.
    costs : Costs, optional
        Where it has a price or powers.
    worth : tuple of Worth
        What changes would gain, the largest first.
    sensitivities : tuple of Sensitivity
        Inputs halved and doubled, the largest swing first.
    break_evens : tuple of BreakEven
        Where goals are just reached and where the order of protocols changes; inputs that are
        unknown first.
    """

    scenario: Scenario
    mtbf: Estimate | None
    job: Situation | None = None
    checkpoint: CheckpointPlan | None = None
    goodput: Goodput | None = None
    completion: Completion | None = None
    spares: SparePlan | None = None
    costs: Costs | None = None
    worth: tuple[Worth, ...] = ()
    sensitivities: tuple[Sensitivity, ...] = ()
    break_evens: tuple[BreakEven, ...] = ()

    @property
    def mtbf_ahead(self) -> Estimate | None:
        """The MTBF that intervals and goodput are for: of clusters to come where they are known."""
        told = None if self.completion is None else self.completion.foretold
        return self.mtbf if told is None or told.mtbf is None else told.mtbf

    @property
    def by(self) -> str:
        """By which law of failures to come the numbers are, in words; empty at a constant rate."""
        ahead = self.mtbf_ahead
        return "" if ahead is None or ahead is self.mtbf else f", {ahead.words}"

    def law_to_come(self) -> ForecastMakespan | CompletionTime | None:
        """Return the law of the completion time, [s], by what a log says of failures to come."""
        ahead = None if self.job is None else ahead_of(Case(self.scenario, self.job.mtbf))
        return ahead.law if isinstance(ahead, Ahead) else None

    def law(self, *, uncertain: bool = False) -> CompletionTime | None:
        """Return the law of the completion time, [s], at the MTBF or over all that are possible.

        Both are at a constant rate, at the best interval for it, also where a log was given.

        None where none is known: under failures that depend on the time since the last one, of a
        job that acts on predictions, or, if `uncertain`, of an MTBF without a count of failures.
        """
        job, chosen = self.job, self._chosen
        if job is None or chosen is None:
            return None
        if not uncertain:
            return chosen.law(job)
        return None if self.mtbf is None else predictive(job, chosen, self.mtbf)

    @property
    def _chosen(self) -> Chosen | None:
        best, when, goodput = self.checkpoint, self.completion, self.goodput
        if best is None or when is None or goodput is None:
            return None
        steady = None if when.constant_rate is None else when.constant_rate.interval
        return Chosen(
            protocol_of(best.protocol),
            best.interval if steady is None else steady,
            best.durable_every,
            when.mean,
            goodput.value,
        )

    def __repr__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self._facts().items())
        return f"<plan: {facts or 'too little is known'}>"

    def _repr_html_(self) -> str:
        return facts_html("Plan", self._facts())

    def _facts(self) -> dict[str, str]:
        """Return the answers in words, those that there are."""
        facts = {}
        if self.mtbf is not None:
            facts["MTBF"] = human_duration(self.mtbf.value)
        if self.checkpoint is not None:
            facts["protocol"] = self.checkpoint.protocol
            facts["interval"] = human_duration(self.checkpoint.interval)
        if self.goodput is not None:
            facts["goodput"] = f"{100.0 * self.goodput.value:.4g} %"
        if self.completion is not None:
            facts["mean completion"] = human_duration(self.completion.mean)
            if self.completion.on_time is not None:
                facts["in time"] = f"{100.0 * self.completion.on_time:.4g} %"
        if self.spares is not None:
            facts["spares"] = f"{self.spares.needed}"
        if self.costs is not None and self.costs.per_year is not None:
            currency = self.scenario.prices.currency
            facts["nodes per year"] = f"{self.costs.per_year:,.0f} {currency}"
        return facts


def plan(scenario: Mapping[str, Any] | Scenario, *, brief: bool = False) -> Plan:
    """Return what to do in a scenario, how sure that is, and why.

    Parameters
    ----------
    scenario : mapping or Scenario
        Sections of keys, as `tomllib` returns them, each value with its unit; or what
        `read_scenario` made of them.
    brief : bool
        Leave out sensitivities, worths, break-evens and the posterior of the MTBF.

    Returns
    -------
    Plan
        Frozen, in plain units: [s], [bytes/s], [J], and money as the scenario has it.

    Raises
    ------
    ValueError
        If a key is unknown, a value is not what its key takes, or keys contradict each other;
        if both the MTBF and the checkpoint are unknown.
    TypeError
        If `scenario` is not a mapping.

    Examples
    --------
    >>> found = plan({
    ...     "failures": {"failures": 419, "observed": "54d"},
    ...     "checkpoint": {"cost": "1min"},
    ...     "job": {"work": "54d", "downtime": "10min"},
    ... })
    >>> print(f"{found.checkpoint.protocol} {found.checkpoint.interval / 60:.1f} min")
    synchronous 18.6 min
    >>> round(found.goodput.value, 3)
    0.854
    """
    asked = scenario if isinstance(scenario, Scenario) else read_scenario(scenario)
    try:
        return _planned(asked, brief=brief)
    except ArithmeticError as error:
        raise ValueError(
            f"scenario must have numbers that floats can hold together, got others ({error})"
        ) from None


def _planned(asked: Scenario, *, brief: bool) -> Plan:
    estimate, cost = mtbf_of(asked), asked.checkpoint_cost
    if estimate is None and cost is None:
        raise ValueError(f"failures must come in one form: {FORMS}; got none, nor a checkpoint")
    if estimate is None:
        return Plan(asked, None, break_evens=mtbf_needed(asked))
    case = Case(asked, estimate.value)
    if cost is None:
        return Plan(asked, estimate, break_evens=unknowns(case))
    goodput = goodput_of(case, estimate)
    when = completion_of(case, estimate, brief=brief)
    checkpoint = _checkpoint(case, estimate)
    ahead = ahead_of(case)
    if isinstance(ahead, str):
        when = replace(when, foretold=Foretold("constant", ahead))
    elif ahead is not None:
        steady = {"interval": case.chosen.interval, "goodput": goodput.value}
        when = by_forecast(when, ahead, **steady, brief=brief)
        goodput = goodput_of(case, ahead.mtbf, ahead)
        checkpoint = _checkpoint(case, ahead.mtbf, ahead)
    costs = costs_of(case, goodput.value, when.mean, foretold=isinstance(ahead, Ahead))
    found = Plan(
        scenario=asked,
        mtbf=estimate,
        job=case.job,
        checkpoint=checkpoint,
        goodput=goodput,
        completion=when,
        spares=spares_of(case),
        costs=costs,
    )
    if brief:
        return found
    return replace(
        found,
        worth=worths(case, None if costs is None else costs.per_hour),
        sensitivities=sensitivities(case),
        break_evens=(*unknowns(case), *break_evens(case)),
    )


def _checkpoint(case: Case, estimate: Estimate, ahead: Ahead | None = None) -> CheckpointPlan:
    """Return protocol and interval, with the intervals at the limits of the MTBF."""
    scenario, job = case.scenario, case.job
    chosen = case.chosen if ahead is None else ahead.chosen

    def at(mtbf: float | None) -> float | None:
        if mtbf is None or math.isinf(mtbf):
            return None
        named = replace(case.at(mtbf).job, protocol=chosen.protocol.name, step_time=None)
        return chosen_for(named).interval

    tokens = None
    if chosen.steps is not None and scenario.job.tokens_per_step is not None:
        tokens = chosen.steps * scenario.job.tokens_per_step
    present, loss = scenario.checkpoint.present_interval, None
    if present is not None:
        best = chosen.expected_time
        if job.ages:  # by the useful share of a long job, both
            best = chosen.mean(job)
        loss = float(SYNCHRONOUS.means(job, np.array([present]))[0]) / best - 1.0
        if ahead is not None:
            useful = [ahead.useful_share(job, each) for each in (chosen.interval, present)]
            loss = useful[0] / useful[1] - 1.0
    return CheckpointPlan(
        protocol=chosen.protocol.name,
        interval=chosen.interval,
        interval_low=at(estimate.low),
        interval_high=at(estimate.high),
        steps=chosen.steps,
        tokens=tokens,
        durable_every=chosen.durable_every,
        protocols=chosen.among,
        present_interval=present,
        present_loss=loss,
    )
