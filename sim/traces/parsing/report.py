"""What a reader returns: the rows it could use, and every problem it met on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..._shown import facts_html

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Effect", "Findings", "Problem", "Report", "Trace"]

_LONGEST = 200

Effect: TypeAlias = Literal["dropped", "repaired", "kept", "skipped", "noted"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a log.

    `line` counts from 1, comments and blank lines included. `effect` is what was done with the row:
    `dropped` (left out), `repaired` (a value replaced, as `reason` says), `kept` (malformed but
    used as it stands); and, which ``strict`` lets pass, `skipped` (well-formed, but not what was
    asked for) or `noted` (worth knowing).
    """

    line: int
    rule: str
    reason: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Report:
    """Every problem of one log: `records` were found, `rows` of them are in the frame."""

    source: str
    records: int
    rows: int
    problems: tuple[Problem, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How often each rule was broken."""
        return dict(Counter(problem.rule for problem in self.problems))

    @property
    def dropped(self) -> dict[str, int]:
        """How many records each rule left out."""
        left_out = ("dropped", "skipped")
        return dict(Counter(p.rule for p in self.problems if p.effect in left_out))

    def refuse(self) -> None:
        """Raise ValueError on the first malformed line."""
        for problem in self.problems:
            if problem.effect not in ("noted", "skipped"):
                raise ValueError(f"line {problem.line}: {problem.reason}")

    @property
    def words(self) -> tuple[str, ...]:
        """What was found, a line for each rule: how often, and first in which line and why."""
        kinds = Counter((p.rule, p.effect) for p in self.problems)
        first: dict[tuple[str, Effect], Problem] = {}
        for problem in self.problems:
            first.setdefault((problem.rule, problem.effect), problem)
        return tuple(
            f"{rule}: {count:,} {effect}; first at line {first[rule, effect].line}: "
            f"{first[rule, effect].reason}"
            for (rule, effect), count in kinds.items()
        )

    def __str__(self) -> str:
        head = f"{self.source}: {self.records:,} records, {self.rows:,} in the frame"
        return "\n".join([head, *(f"  {line}" for line in self.words)])


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A log that was read: a pair, ``frame, report = read_...(source)``, with a header.

    `header` holds what the log says about itself (``Key: value`` comments; a key that comes
    several times has its values joined by newlines).
    """

    frame: pd.DataFrame
    report: Report
    header: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<trace of {self.report.source}: {self.report.rows:,} rows>"

    def _repr_html_(self) -> str:
        facts = {"source": self.report.source, "records": self.report.records}
        met = {f"{rule}": f"{count:,}" for rule, count in self.report.counts.items()}
        rows = self.frame.to_html(border=0, max_rows=10)
        return facts_html("Trace", {**facts, **met, "rows": self.report.rows}) + rows

    def __iter__(self) -> Iterator[pd.DataFrame | Report]:
        yield self.frame
        yield self.report

    def __getitem__(self, place: int) -> pd.DataFrame | Report:
        return (self.frame, self.report)[place]

    def __len__(self) -> int:
        return 2


class Findings:
    """Collects problems while a log is read."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def add(self, effect: Effect, line: int, rule: str, reason: str) -> None:
        """Record that `line` broke `rule`; a reason that quotes much of it is cut."""
        if len(reason) > _LONGEST:
            reason = f"{reason[:_LONGEST]}..."
        self._problems.append(Problem(int(line), rule, reason, effect))

    def report(self, source: str, *, records: int, rows: int, strict: bool) -> Report:
        """Return everything found, in the order of lines; with `strict`, raise on the first."""
        problems = tuple(sorted(self._problems, key=lambda problem: problem.line))
        report = Report(source, records, rows, problems)
        if strict:
            report.refuse()
        return report
