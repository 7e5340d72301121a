"""A case, its trials, and the seed, sample and false alarms that a run allows each of them."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .chance import alpha_of, false_alarms
from .verdict import Verdict

__all__ = [
    "FALSE_ALARM_PROBABILITY",
    "TOLERANCE",
    "Budget",
    "Case",
    "Point",
    "Trial",
    "alpha_for",
    "describe",
    "seed_of",
    "spent",
    "table",
    "trials",
]

FALSE_ALARM_PROBABILITY = 0.001  # probability that a whole run of right formulas shows any failure
STRICTEST = alpha_of(4.0)  # |z| > 4 rejects an exact formula, however many cases there are
MORE = 10  # a second look takes this many times the sample
_MOST = 80_000_000  # replications that fit into memory
TOLERANCE = 0.01  # resolution that every comparison with random numbers must reach

Point = Mapping[str, Any]
Judge = Callable[..., Verdict]


@dataclass(frozen=True, slots=True)
class Budget:
    """What one trial may use: a seed, a sample and a probability of a false alarm.

    Parameters
    ----------
    seed : int
        Seed of everything random in the trial.
    replications : int
        How many independent replications to simulate.
    alpha : float
        Probability with which the trial may reject a right formula.
    tolerance : float, [-]
        Relative error that the sample must be able to show.
    more : int, [-]
        `replications` over those of a first look. A judge that counts its sample otherwise, in
        jobs or failures, multiplies its own count by it.
    """

    seed: int
    replications: int
    alpha: float
    tolerance: float = TOLERANCE
    more: int = 1


@dataclass(frozen=True, slots=True)
class Case:
    """One formula, one way to judge it, and the points at which to do so.

    Parameters
    ----------
    function : callable
        The public function or class that predicts.
    judge : callable
        ``judge(predict, budget, **point) -> Verdict``; `predict` is `function`, or a mutant of it.
    points : tuple of mappings
        Arguments of the judge. Those that reject most mutants come first, because a mutant is
        dropped at its first rejection.
    effort : float
        Multiplies the replications; variances need more of them than means.
    chance : bool
        False for a comparison without random numbers, which has no false alarms.
    gate : float, [-]
        Relative error that a verdict must be able to show, except one of kind "distance". Whole
        replays are too few for `TOLERANCE` and state what they reach; a test lists them.
    """

    function: Callable[..., Any]
    judge: Judge
    points: tuple[Point, ...]
    effort: float = 1.0
    chance: bool = True
    gate: float = TOLERANCE

    @property
    def formula(self) -> str:
        """Name of the function judged."""
        return self.function.__name__

    @property
    def check(self) -> str:
        """Name of the judge, in words."""
        return self.judge.__name__.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Trial:
    """A case at one of its points."""

    case: Case
    point: Point

    @property
    def label(self) -> str:
        """Name of the trial, unique among all trials."""
        return f"{self.case.formula}: {self.case.check} [{describe(self.point)}]"

    def budget(self, *, seed: int, replications: int, alpha: float, look: int = 0) -> Budget:
        """Return what this trial may use; it does not depend on the other trials of the run.

        Trials at equal points get equal seeds, so that they share their replications. So do the
        parts of one point, which differ in its entry `part` alone. Every look but the first has
        a seed of its own and `MORE` times the sample.
        """
        name = describe({k: v for k, v in self.point.items() if k != "part"})
        labels = (name, f"look {look}") if look else (name,)
        more = MORE if look else 1
        usual = int(self.case.effort * replications)
        return Budget(
            seed=seed_of(seed, *labels),
            replications=max(usual, min(more * usual, _MOST)),
            alpha=alpha,
            tolerance=self.case.gate,
            more=more,
        )

    def run(self, budget: Budget, predict: Callable[..., Any] | None = None) -> Verdict:
        """Judge the formula, or `predict` in its place, and name the trial in the verdict."""
        verdict = self.case.judge(predict or self.case.function, budget, **self.point)
        return self.named(self._gated(verdict))

    def named(self, verdict: Verdict) -> Verdict:
        """Return the verdict with the formula, the comparison and the point of this trial."""
        return replace(
            verdict,
            formula=self.case.formula,
            check=self.case.check,
            point=describe(self.point),
        )

    def _gated(self, verdict: Verdict) -> Verdict:
        """Replace a pass by "no answer" if its resolution is coarser than the case's gate."""
        if not verdict.passed or verdict.kind == "distance" or verdict.resolution <= self.case.gate:
            return verdict
        note = f"resolves {verdict.resolution:.2g}, not the {self.case.gate:g} of the case"
        return replace(verdict, passed=False, answered=False, note=note)


def trials(cases: Iterable[Case]) -> tuple[Trial, ...]:
    """Return every case at every one of its points."""
    return tuple(Trial(case, point) for case in cases for point in case.points)


def alpha_for(comparisons: int) -> float:
    """Return the probability of a false alarm of each look at one of `comparisons`.

    A share of `FALSE_ALARM_PROBABILITY`, but never less than that of |z| > 4.
    """
    return max(FALSE_ALARM_PROBABILITY / max(comparisons, 1), STRICTEST)


def spent(comparisons: int) -> float:
    """Return the probability that a run of right formulas shows any failure.

    A trial fails when two looks with seeds of their own reject it, each by chance with
    probability alpha.
    """
    return false_alarms(alpha_for(comparisons) ** 2, comparisons)


def seed_of(seed: int, *labels: str) -> int:
    """Return a seed that depends on the run's `seed` and on `labels` alone."""
    key = tuple(zlib.crc32(label.encode()) for label in labels)
    state = np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)
    return int(state[0]) >> 1


def table(
    names: tuple[str, ...], *rows: tuple[Any, ...], **more: Any
) -> tuple[dict[str, Any], ...]:
    """Return points written as rows under the `names` of their arguments; all have `more`."""
    return tuple({**dict(zip(names, row, strict=True)), **more} for row in rows)


def describe(point: Point) -> str:
    """Write a point's numbers as `name=value`, with six digits."""
    return " ".join(f"{name}={_brief(value)}" for name, value in point.items())


def _brief(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
