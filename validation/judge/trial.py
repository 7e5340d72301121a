"""A case, the trials it consists of, and what a run grants to each of them."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .chance import alpha_of, false_alarms
from .verdict import Verdict

__all__ = [
    "BUDGET",
    "TOLERANCE",
    "Case",
    "Grant",
    "Point",
    "Trial",
    "alpha_for",
    "describe",
    "seed_of",
    "spent",
    "table",
    "trials",
]

BUDGET = 0.001  # probability that a whole run of right formulas shows any failure
STRICTEST = alpha_of(4.0)  # no exact formula is let off at |z| > 4, however many cases there are
MORE = 10  # times the sample at a second look
_MOST = 80_000_000  # replications that fit into memory, whatever the second look asks for
TOLERANCE = 0.01  # resolution every comparison by chance must reach

Point = Mapping[str, Any]
Judge = Callable[..., Verdict]


@dataclass(frozen=True, slots=True)
class Grant:
    """What a run grants to one trial.

    Parameters
    ----------
    seed : int
        Seed of everything random in the trial.
    replications : int
        How many independent replications to play.
    alpha : float
        Probability of a false alarm the trial may spend.
    tolerance : float, [-]
        Relative error that the sample must be able to show.
    more : int, [-]
        How many times the usual sample `replications` are already; for samples of another kind.
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
        ``judge(predict, grant, **point) -> Verdict``; `predict` is `function`, or a mutant of it.
    points : tuple of mappings
        Arguments of the judge, the harshest first: a mutant is dropped at the first rejection.
    effort : float
        Multiplies the replications; variances need more of them than means.
    chance : bool
        False for a comparison without random numbers, which spends no false alarms.
    gate : float, [-]
        Relative error that a verdict must be able to show, a mere distance apart. Whole replays
        are too few for `TOLERANCE`, and state what they reach; a test keeps the list.
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
        """Name that no other trial has."""
        return f"{self.case.formula}: {self.case.check} [{describe(self.point)}]"

    def grant(self, *, seed: int, replications: int, alpha: float, look: int = 0) -> Grant:
        """Return this trial's own share, the same whichever other trials run beside it.

        Trials of one point look at the same replications: their errors then depend on each
        other, which wastes no false alarms and saves playing them again. So do the parts of one
        point, named by its entry `part`. Every look but the first has a seed of its own and
        `MORE` times the sample.
        """
        name = describe({k: v for k, v in self.point.items() if k != "part"})
        labels = (name, f"look {look}") if look else (name,)
        more = MORE if look else 1
        usual = int(self.case.effort * replications)
        return Grant(
            seed=seed_of(seed, *labels),
            replications=max(usual, min(more * usual, _MOST)),
            alpha=alpha,
            tolerance=self.case.gate,
            more=more,
        )

    def run(self, grant: Grant, predict: Callable[..., Any] | None = None) -> Verdict:
        """Judge the formula, or `predict` in its place, and sign the verdict."""
        verdict = self.case.judge(predict or self.case.function, grant, **self.point)
        return replace(
            self._gated(verdict),
            formula=self.case.formula,
            check=self.case.check,
            point=describe(self.point),
        )

    def _gated(self, verdict: Verdict) -> Verdict:
        """Take back a pass that is coarser than the case says, whatever its judge asked for."""
        if not verdict.passed or verdict.kind == "distance" or verdict.resolution <= self.case.gate:
            return verdict
        note = f"resolves {verdict.resolution:.2g}, not the {self.case.gate:g} of the case"
        return replace(verdict, passed=False, answered=False, note=note)


def trials(cases: Iterable[Case]) -> tuple[Trial, ...]:
    """Return every case at every one of its points."""
    return tuple(Trial(case, point) for case in cases for point in case.points)


def alpha_for(comparisons: int) -> float:
    """Return what each look at one of `comparisons` may spend.

    A share of `BUDGET`, but never less than |z| = 4 is worth.
    """
    return max(BUDGET / max(comparisons, 1), STRICTEST)


def spent(comparisons: int) -> float:
    """Return the probability that a run of right formulas shows any failure.

    A trial fails when two looks with seeds of their own reject it, each by chance with
    probability alpha.
    """
    return false_alarms(alpha_for(comparisons) ** 2, comparisons)


def seed_of(seed: int, *labels: str) -> int:
    """Return a seed that depends on the run's `seed` and on what it is for, on nothing else."""
    key = tuple(zlib.crc32(label.encode()) for label in labels)
    state = np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)
    return int(state[0]) >> 1


def table(
    names: tuple[str, ...], *rows: tuple[Any, ...], **more: Any
) -> tuple[dict[str, Any], ...]:
    """Return points written as rows under the `names` of their arguments; all have `more`."""
    return tuple({**dict(zip(names, row, strict=True)), **more} for row in rows)


def describe(point: Point) -> str:
    """Write a point's numbers as `name=value`, briefly."""
    return " ".join(f"{name}={_brief(value)}" for name, value in point.items())


def _brief(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
