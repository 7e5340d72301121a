"""The cells of a study, played with every seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from asking.refusals import Field, Refused

from ..progress import Progress
from .request import StudyRequest

if TYPE_CHECKING:
    from ...study import Study

__all__ = ["Factor", "Measure", "Plan", "plain_numbers", "played"]

Kind: TypeAlias = Literal["time", "number", "share", "node_h"]


class Factor(NamedTuple):
    """What a cell is in one respect: the value, and how a table shows it."""

    value: Any
    text: str


class Measure(NamedTuple):
    """A column of the table: a metric, its heading and how it is shown."""

    metric: str
    heading: str
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is played, and how it is shown what came out.

    `play` is as `sim.study.play_cells` takes it. `cells` has by name what each is, by heading of
    the table and name in JSON; `baselines` has the cell that each of some cells is compared with.
    """

    play: Any
    cells: Mapping[str, Mapping[str, Factor]]
    headings: Mapping[str, str]
    measures: tuple[Measure, ...]
    baselines: Mapping[str, str] = field(default_factory=dict)


def played(plan: Plan, asked: StudyRequest, *, seed: int, progress: Progress) -> Study:
    """Play all cells with all seeds; after Ctrl-C the study has those that were complete."""
    from ...study import StudyInterrupted, play_cells

    metric = asked.metric or plan.measures[0].metric
    try:
        with progress.study() as report:
            return play_cells(
                plan.play,
                plan.cells,
                seeds=asked.seeds_from(seed),
                until=asked.until,
                metric=metric,
                workers=asked.workers,
                progress=report,
            )
    except StudyInterrupted as interrupted:
        return interrupted.study
    except ValueError as error:
        if not str(error).startswith("metric must be "):
            raise
        raise Refused("{} {}", Field("metric"), str(error).removeprefix("metric ")) from None


def plain_numbers(row: Mapping[str, Any], *left_out: str) -> dict[str, int | float | str]:
    """Return the numbers of a row of results that are known, by name, and the engine."""
    return {
        name: value
        for name, value in row.items()
        if (isinstance(value, int | float) or name == "engine") and name not in left_out
    }
