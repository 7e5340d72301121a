"""Search a formula's domain for a point at which simulation contradicts it.

Hundreds of points are judged, so chance alone would reject some. Each point is first judged with
few replications and an `alpha` of 1 %; a point rejected there is judged again, independently,
with many more replications and at `FALSE_ALARM_PROBABILITY` divided by the number of all points.
So a run of right formulas fails with at most that probability, also while hypothesis shrinks.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.strategies import SearchStrategy

from perfmodel.validity import ValidityWarning

from .. import ROOT
from .trial import FALSE_ALARM_PROBABILITY, Budget, Judge, Point, describe, seed_of
from .verdict import Verdict, raised

__all__ = [
    "EXAMPLES_KEPT",
    "Property",
    "PropertyRun",
    "SearchResult",
    "search",
    "search_all",
    "settle",
]

EXAMPLES_KEPT = ROOT / "validation" / ".examples"

SUSPICION = 0.01  # alpha of the first look
REPLICATIONS = 20_000
CLOSER = 16  # how many times as many replications the second look takes
TOLERANCE = 0.05


@dataclass(frozen=True, slots=True)
class Property:
    """A formula that must pass at every point of its domain.

    Parameters
    ----------
    function : callable
        The public function.
    judge : callable
        ``judge(predict, budget, **point) -> Verdict``, as in a case.
    points : SearchStrategy
        Draws points, the simplest first.
    effort : float
        Multiplies the replications.
    part : str
        Name that distinguishes properties of the same formula and judge.
    chance : bool
        False for a judge without random numbers, which needs no second look.
    """

    function: Callable[..., Any]
    judge: Judge
    points: SearchStrategy[Point]
    effort: float = 1.0
    part: str = ""
    chance: bool = True

    @property
    def formula(self) -> str:
        """Name of the function."""
        return self.function.__name__

    @property
    def check(self) -> str:
        """Name of the judge, in words, and the part."""
        return f"{self.judge.__name__.replace('_', ' ')} {self.part}".strip()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search over the points of one property.

    Parameters
    ----------
    judged, unresolved : int
        Number of points judged, and of those among them without an answer.
    failure : Verdict or None
        The verdict at the simplest failing point.
    """

    formula: str
    check: str
    judged: int
    unresolved: int
    failure: Verdict | None

    @property
    def passed(self) -> bool:
        """Whether no point failed and nearly all of them had an answer."""
        return self.failure is None and 10 * self.unresolved <= self.judged

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {
            "formula": self.formula,
            "check": self.check,
            "judged": self.judged,
            "unresolved": self.unresolved,
            "passed": self.passed,
            "failure": None if self.failure is None else self.failure.as_json(),
        }


@dataclass(frozen=True, slots=True)
class PropertyRun:
    """The searches of one run."""

    seed: int
    examples: int
    results: tuple[SearchResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every search passed."""
        return all(result.passed for result in self.results)


class _RejectedError(AssertionError):
    """Raised at a point at which the formula fails, so that hypothesis shrinks the point."""


def search(
    subject: Property,
    *,
    seed: int,
    examples: int,
    alpha: float,
    database: Path = EXAMPLES_KEPT,
) -> SearchResult:
    """Judge points kept from earlier failures, then fresh ones; shrink and keep one that fails."""
    verdicts: list[Verdict] = []

    def examine(point: Point) -> None:
        verdicts.append(settle(subject, point, seed=seed, alpha=alpha))
        if verdicts[-1].rejected:
            raise _RejectedError

    # By this name hypothesis finds the kept examples of this property.
    name = f"{subject.formula}_{subject.check}".replace(" ", "_")
    examine.__name__ = examine.__qualname__ = name
    run = seeded(seed)(
        _settings(examples, DirectoryBasedExampleDatabase(database))(given(subject.points)(examine))
    )
    failure = None
    try:
        run()
    except _RejectedError:
        failure = verdicts[-1]  # hypothesis ends with the simplest point
    unresolved = sum(not verdict.answered for verdict in verdicts)
    return SearchResult(subject.formula, subject.check, len(verdicts), unresolved, failure)


def search_all(
    subjects: Iterable[Property], *, only: str | None = None, seed: int, examples: int
) -> PropertyRun:
    """Search every formula whose name contains `only`.

    All searches together give a false alarm with at most `FALSE_ALARM_PROBABILITY`.
    """
    subjects = tuple(subjects)
    alpha = FALSE_ALARM_PROBABILITY / (examples * sum(subject.chance for subject in subjects))
    return PropertyRun(
        seed,
        examples,
        tuple(
            search(subject, seed=seed, examples=examples, alpha=alpha)
            for subject in subjects
            if only is None or only in subject.formula
        ),
    )


def settle(subject: Property, point: Point, *, seed: int, alpha: float) -> Verdict:
    """Judge one point with few replications and, if it did not pass, with many."""
    few = int(subject.effort * REPLICATIONS)
    name = describe(point)
    looks = (
        Budget(seed_of(seed, name), few, SUSPICION, TOLERANCE),
        Budget(seed_of(seed, name, "closer"), CLOSER * few, alpha, TOLERANCE),
    )
    for budget in looks:
        verdict = _judge(subject, budget, point)
        if verdict.passed or not subject.chance:
            break
    return replace(verdict, formula=subject.formula, check=subject.check, point=name)


def _judge(subject: Property, budget: Budget, point: Point) -> Verdict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        try:
            return subject.judge(subject.function, budget, **point)
        except (ArithmeticError, ValueError, TypeError, RuntimeError) as error:
            return raised(error)


def _settings(examples: int, database: ExampleDatabase) -> settings:
    return settings(
        max_examples=examples,
        database=database,
        deadline=None,
        phases=(Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )
