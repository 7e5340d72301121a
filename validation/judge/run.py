"""Run the cases of a formula, and its mutants at the same trials."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any

import numpy as np

from perfmodel.validity import ValidityWarning

from .chance import z_limit
from .trial import Case, Point, Trial, alpha_for, spent, trials
from .verdict import Verdict, raised

__all__ = ["Mutant", "MutantResult", "Outcome", "Tier", "judge", "run_cases"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong formula that the cases of the right one must reject.

    Parameters
    ----------
    function : callable
        The right formula.
    fault : str
        What is wrong in the mutant, in words.
    wrong : callable
        The mutant; takes the arguments of `function`.
    shown_at : mapping, optional
        The point of a case that is known to reject it, and is tried before the others. This
        saves time where every point takes long, and decides nothing.
    """

    function: Callable[..., Any]
    fault: str
    wrong: Callable[..., Any]
    shown_at: Point | None = field(default=None, compare=False)

    @property
    def formula(self) -> str:
        """Name of the right formula."""
        return self.function.__name__


@dataclass(frozen=True, slots=True)
class MutantResult:
    """A mutant and the verdict that rejected it, None if it survived."""

    mutant: Mutant
    rejection: Verdict | None

    @property
    def passed(self) -> bool:
        """Whether the mutant was rejected."""
        return self.rejection is not None

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {
            "formula": self.mutant.formula,
            "mutant": self.mutant.fault,
            "rejected": self.passed,
            "by": None if self.rejection is None else self.rejection.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdicts on formulas, the results of their mutants, and what each formula took, [s]."""

    verdicts: tuple[Verdict, ...]
    mutants: tuple[MutantResult, ...]
    spent: Mapping[str, float] = field(default_factory=dict)

    @property
    def processor_s(self) -> float:
        """Processor time of all formulas and their mutants, [s]."""
        return sum(self.spent.values())

    @property
    def passed(self) -> bool:
        """Whether the formula passed every trial and every mutant was rejected."""
        return all(v.passed for v in self.verdicts) and all(m.passed for m in self.mutants)


@dataclass(frozen=True, slots=True)
class Tier:
    """The effort of a run: its seed, its replications per trial, its false alarms.

    Parameters
    ----------
    comparisons : int
        Number of trials with random numbers in the whole catalogue, also when only some run.
    """

    name: str
    seed: int
    replications: int
    comparisons: int

    @property
    def alpha(self) -> float:
        """Probability of a false alarm that one look at a trial may have."""
        return alpha_for(self.comparisons)

    @property
    def limit(self) -> float:
        """The |z| beyond which a trial is repeated; beyond it twice, the trial fails."""
        return z_limit(self.alpha)

    @property
    def false_alarms(self) -> float:
        """Probability that a run in which every formula is right shows any failure."""
        return spent(self.comparisons)


def judge(trial: Trial, tier: Tier, predict: Callable[..., Any] | None = None) -> Verdict:
    """Run one trial of a formula, or of `predict` in its place.

    A comparison with random numbers that does not pass is repeated with a fresh seed and ten
    times the sample. It fails when it is rejected twice; it stays without an answer when the
    sample was too small twice. A mutant gets no second look after a first one without an answer,
    nor after one that rejects it at the probability `alpha**2` of two looks together.
    """
    rejected = unanswered = looks = 0
    if predict is not None and trial.case.chance:
        predict = _remembered(predict)  # a mutant that is rejected is asked twice
    while True:
        verdict = replace(_look(trial, tier, predict, looks, tier.alpha), looks=looks + 1)
        rejected += verdict.rejected
        unanswered += not verdict.answered
        if verdict.passed or rejected == 2 or unanswered == 2 or not trial.case.chance:
            return verdict
        if predict is not None and (
            unanswered or _look(trial, tier, predict, looks, tier.alpha**2).rejected
        ):
            return verdict
        looks += 1


def _look(
    trial: Trial, tier: Tier, predict: Callable[..., Any] | None, number: int, alpha: float
) -> Verdict:
    budget = trial.budget(seed=tier.seed, replications=tier.replications, alpha=alpha, look=number)
    with warnings.catch_warnings():
        # Cases go beyond an approximation's range on purpose; tests check that it warns there.
        warnings.simplefilter("ignore", ValidityWarning)
        try:
            return trial.run(budget, predict)
        except Exception as error:  # one formula that raises leaves the others to be judged
            # A mutant is not rejected by a definition that raises.
            return trial.named(raised(error, answered=predict is None))


def _remembered(predict: Callable[..., Any]) -> Callable[..., Any]:
    """Return `predict` with a memory for what nothing can change: numbers and frozen results."""
    known: dict[Any, Any] = {}

    def asked(*args: Any, **kwargs: Any) -> Any:
        key = (args, tuple(sorted(kwargs.items())))
        try:
            before = known.get(key) if _is_value(key) else None
        except TypeError:  # an array within
            return predict(*args, **kwargs)
        if before is not None:
            return before
        found = predict(*args, **kwargs)
        if _is_value(key) and _is_value(found):
            known[key] = found
        return found

    return asked


def _is_value(thing: Any) -> bool:
    """Tell whether equal ones are alike for ever: numbers, words, and what is made of them."""
    if isinstance(thing, tuple):
        return all(map(_is_value, thing))
    if is_dataclass(thing):
        kind: Any = type(thing)
        return bool(kind.__dataclass_params__.frozen)
    return thing is None or isinstance(thing, (bool, int, float, str, np.generic))


def run_cases(cases: Iterable[Case], mutants: Iterable[Mutant], tier: Tier) -> Outcome:
    """Run the trials of the cases, and the mutants of their formulas at the same trials.

    A mutant is dropped at its first rejection. A formula and its mutants are compared with the
    same replications, which are therefore simulated once. A mutant that its own point does not
    reject goes through all other trials at the end.
    """
    verdicts: list[Verdict] = []
    rejections: dict[Mutant, Verdict | None] = dict.fromkeys(mutants)
    others: list[tuple[Trial, Mutant]] = []

    def try_to_reject(mutant: Mutant, trial: Trial) -> None:
        if rejections[mutant] is None:
            verdict = judge(trial, tier, mutant.wrong)
            rejections[mutant] = verdict if verdict.rejected else None

    for trial in trials(cases):
        verdicts.append(judge(trial, tier))
        for mutant in rejections:
            if mutant.function is not trial.case.function:
                continue
            if mutant.shown_at is None or mutant.shown_at is trial.point:
                try_to_reject(mutant, trial)
            else:
                others.append((trial, mutant))
    for trial, mutant in others:
        try_to_reject(mutant, trial)
    results = tuple(MutantResult(mutant, verdict) for mutant, verdict in rejections.items())
    return Outcome(tuple(verdicts), results)
