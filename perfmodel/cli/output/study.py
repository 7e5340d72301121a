"""What a study answers: a table of means with intervals, JSON, one row per cell and seed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...answers.shown import shared_unit
from ..answers.replays import Measure, Plan, engine_words, played
from ..requests.study import StudyRequest
from .provenance import provenance
from .tables import print_facts, print_json, print_lines, print_table
from .whole_file import whole_file

if TYPE_CHECKING:
    import pandas as pd

    from sim.study import Study

__all__ = ["answer_study"]

_MOST_DECIMALS = 4
_ROUNDING = 1e-9  # of a mean: what an interval of equal numbers may have


def answer_study(
    plan: Plan,
    asked: StudyRequest,
    *,
    request: Any,
    facts: Sequence[tuple[str, str]],
    notes: Iterable[str],
    files: Iterable[Path],
    out: Path | None,
    as_json: bool,
) -> None:
    """Play the plan and print what came out; exit code 130 where it was interrupted."""
    study = played(plan, asked, first_seed=request.seed)
    if study.rows["seed"].nunique() > 1:  # what is drawn was described for the first
        notes = (re.sub(r"(, seed \d+)$", r"\1 and each other anew", note) for note in notes)
    notes = tuple(notes)
    if out is not None:
        with whole_file(out) as part:
            _rows(plan, study).to_csv(part, index=False)
    if as_json:
        _print_json(plan, asked, study, provenance(request, notes, files=files))
    else:
        lines = [("log" if not place else "", note) for place, note in enumerate(notes)]
        print_facts([*lines, *facts, *_course(plan, asked, study), *_engine(study)])
        if len(study.rows):
            _show(plan, study)
    if not study.complete:
        raise click.Abort


def _rows(plan: Plan, study: Study) -> pd.DataFrame:
    """Return the rows with a column for each factor in place of the name of the cell."""
    rows = study.rows.copy()
    for place, name in enumerate(plan.headings):
        values = [plan.cells[cell][name].value for cell in rows["cell"]]
        rows.insert(place, name, values)
    return rows.drop(columns="cell")


def _print_json(plan: Plan, asked: StudyRequest, study: Study, about: dict[str, Any]) -> None:
    means, gaps = _by_cell(study.means()), _gaps(plan, study)
    engines = {}
    if "engine" in study.rows:
        engines = dict(zip(study.rows["cell"], study.rows["engine"], strict=True))
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
    options = about["options"]
    for name in asked.varied:
        key = next(key for key in (f"{name}_s", name) if key in options)
        options[key] = list(asked.varied[name])
    options["seeds"] = None if asked.seeds is None else str(asked.seeds)
    options |= {"until": asked.until, "metric": asked.metric}
    answer = {"results": results, "seeds": study.rows["seed"].nunique()}
    print_json({**answer, "complete": study.complete, **about})


def _gaps(plan: Plan, study: Study) -> dict[str, dict[str, dict[str, float]]]:
    """Return the differences to baselines; none where no seed was complete."""
    return _by_cell(study.differences(plan.baselines)) if len(study.rows) else {}


def _by_cell(table: pd.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for row in table.to_dict("records"):
        numbers = {key: row[key] for key in ("mean", "half_width", "seeds")}
        found.setdefault(str(row["cell"]), {})[str(row["metric"])] = numbers
    return found


def _course(plan: Plan, asked: StudyRequest, study: Study) -> list[tuple[str, str]]:
    """Return in words what was played, and whether it is what was asked for."""
    seeds = study.rows["seed"].nunique()
    cells = len(plan.cells)
    facts = [("study", f"{cells:,} cell{'s' * (cells > 1)} x {_of_seeds(study)}")]
    if not study.complete:
        kept = "none of its seeds was" if not seeds else "the table has the seeds that were"
        facts.append(("", f"interrupted: {kept} complete"))
    elif asked.until is not None:
        metric = asked.metric or plan.measures[0].metric
        reach = study.reach(metric)
        found = f"{metric} is known to {_percent(reach)} of its mean in every cell"
        more = "" if reach <= asked.until else f"; {_percent(asked.until)} takes more seeds"
        if not math.isfinite(reach):
            found, more = f"{metric} is unknown in a cell, or its mean is 0", ""
        facts.append(("", found + more))
    return facts


def _engine(study: Study) -> list[tuple[str, str]]:
    """Return in words what played the cells."""
    if "engine" not in study.rows:
        return []
    cells = study.rows[["cell", "engine"]].drop_duplicates()
    rows = [{"policy": cell, "engine": engine} for cell, engine in cells.itertuples(index=False)]
    return [("engine", engine_words(rows))]


def _percent(share: float) -> str:
    return f"{100.0 * share:.3g} %"


def _of_seeds(study: Study) -> str:
    """Return how many seeds there are, and which if they follow each other."""
    seeds = study.rows["seed"].drop_duplicates().tolist()
    count = f"{len(seeds):,} seed{'s' * (len(seeds) != 1)}"
    if not seeds:
        return count
    first, last = min(seeds), max(seeds)
    if last - first + 1 != len(seeds):
        return count
    return f"{count}, {first} to {last}" if last > first else f"{count}, {first}"


def _show(plan: Plan, study: Study) -> None:
    means = _by_cell(study.means())
    units = {
        m.metric: _unit(m, [row[m.metric]["mean"] for row in means.values()]) for m in plan.measures
    }
    print_lines("")
    _table(plan, means, units, signed=False)
    if study.rows["seed"].nunique() > 1:
        print_lines("", "Means over the seeds, ± half of their 95 % intervals (Student).")
    gaps = _gaps(plan, study)
    if gaps:
        names = dict.fromkeys(
            next(iter(plan.cells[other].values())).text for other in plan.baselines.values()
        )
        print_lines("", f"Difference to {', '.join(names)}, seed by seed:", "")
        _table(plan, gaps, units, signed=True)


def _unit(measure: Measure, means: list[float]) -> tuple[str, float]:
    if measure.kind == "time":
        return shared_unit(means)
    return {"number": ("", 1.0), "share": ("%", 0.01), "node_h": ("node h", 3600.0)}[measure.kind]


def _table(
    plan: Plan,
    found: dict[str, dict[str, dict[str, float]]],
    units: dict[str, tuple[str, float]],
    *,
    signed: bool,
) -> None:
    headings = list(plan.headings.values())
    columns = [[plan.cells[cell][name].text for cell in found] for name in plan.headings]
    for metric, heading, _ in plan.measures:
        unit, factor = units[metric]
        headings.append(f"{heading}\n[{unit}]" if unit else heading)
        numbers = [row[metric] for row in found.values()]
        means = [number["mean"] / factor for number in numbers]
        reaches = [number["half_width"] / factor for number in numbers]
        columns.append(_cells(means, reaches, signed=signed))
    print_table(headings, list(zip(*columns, strict=True)), words=len(plan.headings))


def _cells(means: list[float], reaches: list[float], *, signed: bool) -> list[str]:
    """Return numbers of one column, all to two digits of the widest interval and one of each."""
    known = [
        reach
        for mean, reach in zip(means, reaches, strict=True)
        if _ROUNDING * abs(mean) < reach < math.inf
    ]
    decimals = 2
    if known:
        widest, narrowest = (math.floor(math.log10(find(known))) for find in (max, min))
        decimals = max(1 - widest, -narrowest)
    decimals = min(max(decimals, 0), _MOST_DECIMALS)
    sign = "+" if signed else ""
    return [
        _number(mean, f"{sign},.{decimals}f")
        + ("" if math.isnan(reach) else f" ± {_number(reach, f',.{decimals}f')}")
        for mean, reach in zip(means, reaches, strict=True)
    ]


def _number(value: float, style: str) -> str:
    return "-" if math.isnan(value) else format(value, style)
