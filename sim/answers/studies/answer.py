"""What a study answers: means with intervals, differences, one row per cell and seed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asking.plain import strict

from ..progress import Progress
from .plan import Plan, played
from .request import StudyRequest

if TYPE_CHECKING:
    import pandas as pd

    from ...study import Study
    from ..grids.request import GridRequest
    from ..replays.requests import JobsRequest


@dataclass(frozen=True, slots=True, eq=False)
class StudyAnswer:
    """Many replays: what was played, its rows, and in words what was assumed.

    `study.complete` is False where it was interrupted: the rows are of the seeds that were
    complete then. `facts` say what the machine is and how many jobs there are, a name and a text
    each.
    """

    request: JobsRequest | GridRequest
    plan: Plan
    study: Study
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    files: tuple[Path, ...]

    @property
    def asked(self) -> StudyRequest:
        """What made it a study."""
        return self.request.study

    @property
    def metric(self) -> str:
        """Of which number a goal is."""
        return self.asked.metric or self.plan.measures[0].metric

    @property
    def seeds(self) -> int:
        """How many seeds were complete."""
        return int(self.study.rows["seed"].nunique())

    @property
    def reach(self) -> float:
        """Half of the widest interval of the metric, as a share of its mean; inf if unknown."""
        reach = self.study.reach(self.metric)
        return reach if math.isfinite(reach) else math.inf

    def engines(self) -> dict[str, str]:
        """Return what played each cell."""
        rows = self.study.rows
        if "engine" not in rows:
            return {}
        return dict(zip(rows["cell"], rows["engine"], strict=True))

    def to_frame(self) -> pd.DataFrame:
        """Return the mean of each metric in each cell, with an interval."""
        return self._with_factors(self.study.means())

    def rows(self) -> pd.DataFrame:
        """Return every metric of each cell and seed."""
        return self._with_factors(self.study.rows)

    def means(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the mean of each metric with half of its interval, by cell and metric."""
        return _by_cell(self.study.means())

    def differences(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return differences to baselines, by cell and metric; none where no seed was complete."""
        study = self.study
        return _by_cell(study.differences(self.plan.baselines)) if len(study.rows) else {}

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data: of each cell means, half-widths and differences."""
        plan, means = self.plan, self.means()
        gaps, engines = self.differences(), self.engines()
        results = []
        for cell, factors in plan.cells.items():
            if cell not in means:
                continue  # interrupted before the first seed was complete
            row = {name: factor.value for name, factor in factors.items()}
            if cell in engines:
                row["engine"] = engines[cell]
            row["metrics"] = means[cell]
            if cell in gaps:
                other = plan.cells[plan.baselines[cell]]
                difference_to = {name: factor.value for name, factor in other.items()}
                row |= {"difference_to": difference_to, "differences": gaps[cell]}
            results.append(row)
        found: dict[str, Any] = strict(
            {
                "results": results,
                "seeds": self.seeds,
                "complete": self.study.complete,
                "seed": self.request.seed,
                "notes": self.notes,
            }
        )
        return found

    def _with_factors(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a table with a column for each factor in place of the name of the cell."""
        rows = table.copy()
        for place, name in enumerate(self.plan.headings):
            rows.insert(place, name, [self.plan.cells[cell][name].value for cell in rows["cell"]])
        return rows.drop(columns="cell")


def study_answer(
    request: JobsRequest | GridRequest,
    plan: Plan,
    *,
    facts: Iterable[tuple[str, str]],
    notes: Iterable[str],
    files: Iterable[Path],
    progress: Progress,
) -> StudyAnswer:
    """Play a plan with every seed."""
    study = played(plan, request.study, seed=request.seed, progress=progress)
    if study.rows["seed"].nunique() > 1:  # what is drawn was described for the first
        drawn = re.compile(r", seed \d+$")
        notes = (f"{note} and each other anew" if drawn.search(note) else note for note in notes)
    return StudyAnswer(request, plan, study, tuple(facts), tuple(notes), tuple(files))


def _by_cell(table: pd.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Return the numbers of a table of means, by cell and metric."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for row in table.to_dict("records"):
        numbers = {key: row[key] for key in ("mean", "half_width", "seeds")}
        found.setdefault(str(row["cell"]), {})[str(row["metric"])] = numbers
    return found
