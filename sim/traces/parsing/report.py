"""What a reader returns: the rows it could use, and every problem on the way; or refuses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from ..._shown import facts_html

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Argument",
    "Effect",
    "Findings",
    "LogRefused",
    "Problem",
    "Report",
    "Several",
    "Trace",
    "Watch",
]

_LONGEST = 200

Effect: TypeAlias = Literal["dropped", "repaired", "kept", "skipped", "merged", "noted"]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a log.

    `line` counts from 1, comments and blank lines included. `effect` is what was done with the row:
    `dropped` (left out), `repaired` (a value replaced, as `reason` says), `kept` (malformed but
    used as it stands); and, which ``strict`` lets pass, `skipped` (well-formed, but not what was
    asked for), `merged` (part of what another record tells) or `noted` (worth knowing).
    """

    line: int
    rule: str
    reason: str
    effect: Effect


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """The same of many lines: `lines` ascend, `reason` is that of the first."""

    lines: IntArray
    rule: str
    reason: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Report:
    """Every problem of one log: `records` were found, `rows` of them are in the frame.

    What concerns many lines alike stands in `several`, a line each in `problems`. A line of some
    formats may hold several records (`shared`).
    """

    source: str
    records: int
    rows: int
    problems: tuple[Problem, ...] = ()
    several: tuple[Several, ...] = ()
    shared: bool = False

    @property
    def counts(self) -> dict[str, int]:
        """How often each rule was broken."""
        return self._counted(get_args(Effect))

    @property
    def dropped(self) -> dict[str, int]:
        """How many records each rule left out."""
        return self._counted(("dropped", "skipped"))

    def lines(self, *effects: Effect) -> IntArray:
        """Return the lines with one of these effects, ascending: each once, if no two share one."""
        alone = [problem.line for problem in self.problems if problem.effect in effects]
        many = [group.lines for group in self.several if group.effect in effects]
        found = np.concatenate([np.array(alone, dtype=np.int64), *many])
        found.sort()
        return found if self.shared else found[np.diff(found, prepend=-1) > 0]

    def _counted(self, effects: tuple[Effect, ...]) -> dict[str, int]:
        found = Counter(problem.rule for problem in self.problems if problem.effect in effects)
        for group in self.several:
            if group.effect in effects:
                found[group.rule] += group.lines.size
        return dict(found)

    def refuse(self) -> None:
        """Raise ValueError on the first malformed line."""
        for problem in self.problems:
            if problem.effect not in ("noted", "skipped", "merged"):
                raise ValueError(f"line {problem.line}: {problem.reason}")

    @property
    def words(self) -> tuple[str, ...]:
        """What was found, a line for each rule: how often, and first in which line and why."""
        kinds: Counter[tuple[str, Effect]] = Counter()
        first: dict[tuple[str, Effect], tuple[int, str]] = {}
        for problem in self.problems:
            kinds[problem.rule, problem.effect] += 1
            first.setdefault((problem.rule, problem.effect), (problem.line, problem.reason))
        for group in self.several:
            kinds[group.rule, group.effect] += group.lines.size
            first.setdefault((group.rule, group.effect), (int(group.lines[0]), group.reason))
        return tuple(
            f"{rule}: {count:,} {effect}; first at line {line}: {reason}"
            for ((rule, effect), count), (line, reason) in zip(
                kinds.items(), first.values(), strict=True
            )
        )

    def __str__(self) -> str:
        records = f"{self.records:,} record{'' if self.records == 1 else 's'}"
        head = f"{self.source}: {records}, {self.rows:,} in the frame"
        return "\n".join([head, *(f"  {line}" for line in self.words)])


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """What a failure log says of its own observation; None of what it does not say.

    Parameters
    ----------
    start, end : float, [s]
        When it began and ended.
    nodes : int
        How many nodes were watched, failed or not.
    failures : int
        How many were counted, in a log of counts that has no instants.
    time : float, [s]
        In which the machine was watched while these were counted.
    node_time : float, [node s]
        Of all nodes together.
    lines : ndarray of int64
        Of the records with these counts.
    """

    start: float | None = None
    end: float | None = None
    nodes: int | None = None
    failures: int | None = None
    time: float | None = None
    node_time: float | None = None
    lines: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A log that was read: a pair, ``frame, report = read_...(source)``, with a header.

    `header` holds what the log says about itself (``Key: value`` comments; a key that comes
    several times has its values joined by newlines). `understood` says in words what a reader
    that had to find out took its columns for, and `watch` what a failure log says of its own
    observation.
    """

    frame: pd.DataFrame
    report: Report
    header: Mapping[str, str] = field(default_factory=dict)
    understood: str = ""
    watch: Watch | None = None

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
    """Collects problems while a log is read, and counts its `records`."""

    def __init__(self) -> None:
        self.records = 0
        self._problems: list[Problem] = []
        self._several: list[Several] = []
        self._most: float = math.inf
        self._refuse: Callable[[], object] = lambda: None

    def at_most(self, most: int, refuse: Callable[[], object]) -> None:
        """Call `refuse`, which raises, once there are more problems than `most`."""
        self._most, self._refuse = most, refuse

    def add(self, effect: Effect, line: int, rule: str, reason: str) -> None:
        """Record that `line` broke `rule`; a reason that quotes much of it is cut."""
        if len(reason) > _LONGEST:
            reason = f"{reason[:_LONGEST]}..."
        if len(self._problems) >= self._most:
            self._refuse()
        self._problems.append(Problem(int(line), rule, reason, effect))

    def met(self, rule: str) -> bool:
        """Whether a line broke `rule`."""
        return any(problem.rule == rule for problem in self._problems)

    def add_lines(self, effect: Effect, lines: IntArray, rule: str, reason: str) -> None:
        """Record the same of many lines, if there are any; the reason is that of the first."""
        if lines.size:
            self._several.append(Several(np.sort(lines), rule, reason[:_LONGEST], effect))

    def report(
        self, source: str, *, records: int, rows: int, strict: bool, shared: bool = False
    ) -> Report:
        """Return everything found, in the order of lines; with `strict`, raise on the first."""
        problems = tuple(sorted(self._problems, key=lambda problem: problem.line))
        report = Report(source, records, rows, problems, tuple(self._several), shared)
        if strict:
            report.refuse()
        return report

    def trace(
        self,
        source: str,
        frame: pd.DataFrame,
        *,
        records: int | None = None,
        of: str = "record",
        strict: bool,
        shared: bool = False,
        **said: Any,
    ) -> Trace:
        """Return a frame with its report; `said` are fields of the trace.

        Without records, which are of a kind named by `of`, the log is `empty`. Not given, they are
        those that were counted.
        """
        count = self.records if records is None else records
        if count == 0:
            self.add("dropped", 1, "empty", f"the file holds no {of}")
        report = self.report(source, records=count, rows=len(frame), strict=strict, shared=shared)
        return Trace(frame, report, **said)


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a reader, as ``columns.time``, which others may know by another name."""

    name: str


class LogRefused(ValueError):  # noqa: N818
    """A log that cannot be read, or in two ways; ``str()`` names the arguments of readers.

    Parameters
    ----------
    *parts : str or Argument
        The words, one after the other.
    """

    def __init__(self, *parts: str | Argument) -> None:
        super().__init__(*parts)
        self.parts = parts

    def by(self, name_of: Callable[[str], str]) -> str:
        """Return the words with the names that `name_of` gives to arguments."""
        return "".join(name_of(p.name) if isinstance(p, Argument) else p for p in self.parts)

    def followed_by(self, words: str) -> Self:
        """Return the same refusal with more words at its end."""
        return type(self)(*self.parts, words)

    def __str__(self) -> str:
        return self.by(str)
