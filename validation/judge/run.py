"""One run of the judge: all trials, then all mutants."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from perfmodel.validity import ValidityWarning

from .chance import z_limit
from .trial import Case, Trial, alpha_for, spent, trials
from .verdict import Verdict

__all__ = ["Autopsy", "Hearing", "Mutant", "Tier", "hear", "judge"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong formula that the cases of the right one must reject.

    Parameters
    ----------
    function : callable
        The right one.
    fault : str
        What is wrong, in words.
    wrong : callable
        Takes the arguments of `function`.
    """

    function: Callable[..., Any]
    fault: str
    wrong: Callable[..., Any]

    @property
    def formula(self) -> str:
        """Name of the right one."""
        return self.function.__name__


@dataclass(frozen=True, slots=True)
class Autopsy:
    """What became of a mutant: the verdict that rejected it, or None if it survived."""

    mutant: Mutant
    cause: Verdict | None

    @property
    def passed(self) -> bool:
        """Whether the mutant was rejected."""
        return self.cause is not None

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {
            "formula": self.mutant.formula,
            "mutant": self.mutant.fault,
            "rejected": self.passed,
            "by": None if self.cause is None else self.cause.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Hearing:
    """The verdicts on a formula, and what became of its mutants."""

    verdicts: tuple[Verdict, ...]
    autopsies: tuple[Autopsy, ...]

    @property
    def passed(self) -> bool:
        """Whether the formula stands at every point and every mutant fell."""
        return all(v.passed for v in self.verdicts) and all(a.passed for a in self.autopsies)


@dataclass(frozen=True, slots=True)
class Tier:
    """How hard a run looks: its seed, its replications per trial, its share of false alarms.

    Parameters
    ----------
    comparisons : int
        Trials by chance in the whole catalogue, also when only some of them run.
    """

    name: str
    seed: int
    replications: int
    comparisons: int

    @property
    def alpha(self) -> float:
        """Probability of a false alarm each trial may spend."""
        return alpha_for(self.comparisons)

    @property
    def limit(self) -> float:
        """The |z| beyond which a trial is looked at again, and fails if that repeats."""
        return z_limit(self.alpha)

    @property
    def false_alarms(self) -> float:
        """Probability that a run of right formulas shows any failure."""
        return spent(self.comparisons)


def judge(trial: Trial, tier: Tier, predict: Callable[..., Any] | None = None) -> Verdict:
    """Run one trial of a formula, or of `predict` in its place.

    A comparison by chance that does not pass is played again, with a fresh seed and ten times the
    sample; it fails when it is rejected twice, and is left open when it is without an answer
    twice. A mutant gets no second look where there was no answer, nor where the first look
    rejects it even at what two looks together may spend.
    """
    rejected = silent = looks = 0
    while True:
        verdict = replace(_look(trial, tier, predict, looks, tier.alpha), looks=looks + 1)
        rejected += verdict.rejected
        silent += not verdict.answered
        if verdict.passed or rejected == 2 or silent == 2 or not trial.case.chance:
            return verdict
        if predict is not None and (
            silent or _look(trial, tier, predict, looks, tier.alpha**2).rejected
        ):
            return verdict
        looks += 1


def _look(
    trial: Trial, tier: Tier, predict: Callable[..., Any] | None, number: int, alpha: float
) -> Verdict:
    grant = trial.grant(seed=tier.seed, replications=tier.replications, alpha=alpha, look=number)
    with warnings.catch_warnings():
        # Cases go beyond an approximation's range on purpose; tests check that it speaks there.
        warnings.simplefilter("ignore", ValidityWarning)
        return trial.run(grant, predict)


def hear(cases: Iterable[Case], mutants: Iterable[Mutant], tier: Tier) -> Hearing:
    """Run the trials of a formula, and put every mutant of it through the same ones.

    A mutant leaves at its first rejection. The formula and its mutants look at the same
    replications, which are therefore played once.
    """
    verdicts: list[Verdict] = []
    causes: dict[Mutant, Verdict | None] = dict.fromkeys(mutants)
    for trial in trials(cases):
        verdicts.append(judge(trial, tier))
        for mutant, cause in causes.items():
            if cause is None and mutant.function is trial.case.function:
                verdict = judge(trial, tier, mutant.wrong)
                causes[mutant] = verdict if verdict.rejected else None
    autopsies = tuple(Autopsy(mutant, cause) for mutant, cause in causes.items())
    return Hearing(tuple(verdicts), autopsies)
