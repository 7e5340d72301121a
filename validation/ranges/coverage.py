"""The span of every ratio at which each formula is judged, beside its documented range.

`python -m validation --map` prints it. Fixed points are those of the cases; random ones are those
that a full run and a search with hypothesis draw with the run's seed. No formula is called here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from perfmodel.formula import Ends, Formula
from perfmodel.registry import FORMULAS

from ..judge.trial import Point, trials
from ..subjects import CASES, FULL, PROPERTIES, SWEEPS
from .ratios import ratios_of
from .sweeps import drawn

__all__ = ["Span", "as_json", "print_map", "spans"]

EXAMPLES, BATCHES = 40, 5  # points that hypothesis draws of each property at a time, how often
_ROUNDING = 1e-6  # relative; a ratio of two rounded numbers differs from the ratio drawn


@dataclass(frozen=True, slots=True)
class Span:
    """One ratio of one formula: its documented range and the span of the points.

    Parameters
    ----------
    formula, ratio : str
        The public function and the ratio, as in the catalogue.
    documented : (float, float), [-]
        Lowest and highest value in the documentation of the formula.
    fixed, random : (float, float) or None, [-]
        Lowest and highest value at which the formula is judged.
    """

    formula: str
    ratio: str
    documented: Ends
    fixed: Ends | None
    random: Ends | None

    @property
    def judged(self) -> bool:
        """Whether the points span the whole documented range."""
        ends = [part for part in (self.fixed, self.random) if part is not None]
        if not ends:
            return False
        low, high = min(end[0] for end in ends), max(end[1] for end in ends)
        least, most = self.documented
        return low <= least * (1.0 + _ROUNDING) and high >= most * (1.0 - _ROUNDING)

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {
            "formula": self.formula,
            "ratio": self.ratio,
            "documented": list(self.documented),
            "fixed": None if self.fixed is None else list(self.fixed),
            "random": None if self.random is None else list(self.random),
            "judged": self.judged,
        }


def spans(*, only: str | None = None, seed: int = 1, enough: bool = False) -> tuple[Span, ...]:
    """Return the span of every ratio of every formula whose name contains `only`.

    With `enough`, no more points of a formula are drawn once all its ratios are judged.
    """
    found: list[Span] = []
    for row in FORMULAS:
        if only is not None and only not in row.name:
            continue
        fixed = _Spans(row)
        for point in _fixed(row.function):
            fixed.widen(point)
        random = _Spans(row)
        for point in _random(row.function, seed):
            random.widen(point)
            if enough and all(span.judged for span in _beside(fixed, random)):
                break
        found += _beside(fixed, random)
    return tuple(found)


class _Spans:
    """Lowest and highest value of each ratio of a formula at the points so far."""

    def __init__(self, row: Formula) -> None:
        self.row = row
        self.ends: dict[str, Ends | None] = dict.fromkeys(row.ranges)

    def widen(self, point: Point) -> None:
        """Take one more point."""
        several: Any = point.get("jobs")
        of_jobs = isinstance(several, tuple) and isinstance(several[0], dict)
        for part in several if of_jobs else (point,):
            for ratio, ends in self.ends.items():
                values = [*ratios_of(ratio, part), *(ends or ())]
                if values:
                    self.ends[ratio] = min(values), max(values)


def _beside(fixed: _Spans, random: _Spans) -> list[Span]:
    row = fixed.row
    return [
        Span(row.name, ratio, documented, fixed.ends[ratio], random.ends[ratio])
        for ratio, documented in row.ranges.items()
    ]


def _fixed(function: Callable[..., Any]) -> Iterator[Point]:
    for trial in trials((*CASES, *FULL)):
        if trial.case.function is function:
            yield trial.point


def _random(function: Callable[..., Any], seed: int) -> Iterator[Point]:
    for sweep in SWEEPS:
        if sweep.function is function:
            yield from (drawn(sweep, seed, index) for index in range(sweep.full))
    for subject in PROPERTIES:
        if subject.function is function and subject.chance:
            for batch in range(BATCHES):
                yield from _examples(subject.points, seed + batch)


def _examples(points: SearchStrategy[Point], seed: int) -> list[Point]:
    seen: list[Point] = []

    def look(point: Point) -> None:
        seen.append(point)

    quiet = settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    seeded(seed)(quiet(given(points)(look)))()
    return seen


def as_json(found: Iterable[Span]) -> str:
    """Return the map as one JSON array."""
    return json.dumps([span.as_json() for span in found], indent=2)


def print_map(console: Console, found: Iterable[Span]) -> None:
    """Print one line per ratio, and the line that sums them up."""
    table = Table(title="What was judged", title_justify="left", box=SIMPLE_HEAD)
    for name in ("formula and ratio", "documented", "fixed points", "random points", ""):
        table.add_column(name, overflow="fold")
    formula, total, wide = None, 0, 0
    for span in found:
        if span.formula != formula:
            formula = span.formula
            table.add_row(f"[bold]{formula}[/]")
        table.add_row(
            f"  {span.ratio}",
            _ends(span.documented),
            _ends(span.fixed),
            _ends(span.random),
            "[green]judged[/]" if span.judged else "[bold red]wider than judged[/]",
        )
        total, wide = total + 1, wide + (not span.judged)
    console.print(table)
    console.print(
        f"{total} ratios, {wide} documented wider than judged",
        style="bold red" if wide else "green",
        highlight=False,
    )


def _ends(ends: Ends | None) -> str:
    return "" if ends is None else f"{ends[0]:.3g} to {ends[1]:.3g}"
