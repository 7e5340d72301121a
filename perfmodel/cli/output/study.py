"""What a study answers: a table of means with intervals, JSON, one row per cell and seed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.answers import Plan, StudyAnswer, StudyRequest

from .cells import cells_of, compared_with, unit_of
from .measures import engine_words
from .provenance import with_provenance
from .tables import print_facts, print_json, print_lines, print_table
from .whole_file import whole_file

if TYPE_CHECKING:
    from sim.study import Study


def show_study(
    found: StudyAnswer, *, out: Path | None, as_json: bool, plot: Path | None = None
) -> None:
    """Print what a study answers; exit code 130 where it was interrupted."""
    if out is not None:
        with whole_file(out) as part:
            found.rows().to_csv(part, index=False)
    if plot is not None and len(found.study.rows):
        from ..figures.cells import plot_cells

        plot_cells(found.to_dict()["results"], [*found.plan.headings], found.plan.measures, plot)
    if as_json:
        print_json(plain_study(found))
    else:
        lines = [("log" if not place else "", note) for place, note in enumerate(found.notes)]
        print_facts([*lines, *found.facts, *_course(found), *_engine(found)])
        if len(found.study.rows):
            _show(found)
    if not found.study.complete:
        raise click.Abort(_rest(found))


def _rest(found: StudyAnswer) -> str:
    """Return how to go on with the seeds that an interrupted study did not come to."""
    done = set(found.study.rows["seed"].tolist()) if len(found.study.rows) else set()
    left = [seed for seed in found.asked.seeds or () if seed not in done]
    if not left or not done:
        return ""
    runs: list[list[int]] = []
    for seed in left:
        if runs and seed == runs[-1][-1] + 1:
            runs[-1][1:] = [seed]
        else:
            runs.append([seed])
    return f"--seeds {','.join(':'.join(map(str, run)) for run in runs)} plays the rest"


def refuse_with_study(study: StudyRequest, **given: object) -> None:
    """Refuse what a command writes or measures of one replay, where there is a study."""
    for name, value in given.items():
        if study.wanted and value:
            raise click.UsageError(
                f"--{name} must be left out with --seeds, --until or several values"
            )


def plain_study(found: StudyAnswer) -> dict[str, Any]:
    """Return what JSON has of a study."""
    asked = found.asked
    answer = with_provenance(found.to_dict(), found.request, files=found.files)
    options = answer["options"]
    for name in asked.varied:
        key = next(key for key in (f"{name}_s", name) if key in options)
        options[key] = list(asked.varied[name])
    options["seeds"] = None if asked.seeds is None else str(asked.seeds)
    options |= {"until": asked.until, "metric": asked.metric}
    return answer


def _course(found: StudyAnswer) -> list[tuple[str, str]]:
    """Return in words what was played, and whether it is what was asked for."""
    study, until, cells = found.study, found.asked.until, len(found.plan.cells)
    facts = [("study", f"{cells:,} cell{'s' * (cells > 1)} x {_of_seeds(study)}")]
    if not study.complete:
        kept = "none of its seeds was" if not found.seeds else "the table has the seeds that were"
        facts.append(("", f"interrupted: {kept} complete"))
    elif until is not None:
        reach = found.reach
        words = f"{found.metric} is known to {_percent(reach)} of its mean in every cell"
        more = "" if reach <= until else f"; {_percent(until)} takes more seeds"
        if not math.isfinite(reach):
            words, more = f"{found.metric} is unknown in a cell, or its mean is 0", ""
        facts.append(("", words + more))
    return facts


def _engine(found: StudyAnswer) -> list[tuple[str, str]]:
    """Return in words what played the cells."""
    rows = [{"policy": cell, "engine": engine} for cell, engine in found.engines().items()]
    return [("engine", engine_words(rows))] if rows else []


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


def _show(found: StudyAnswer) -> None:
    plan, means = found.plan, found.means()
    units = {
        m.metric: unit_of(m, [row[m.metric]["mean"] for row in means.values()])
        for m in plan.measures
    }
    print_lines("")
    _table(plan, means, units, signed=False)
    if found.seeds > 1:
        print_lines("", "Means over the seeds, ± half of their 95 % intervals (Student).")
    gaps = found.differences()
    if gaps:
        others = [plan.cells[other].items() for other in plan.baselines.values()]
        first = compared_with([{name: factor.text for name, factor in each} for each in others])
        print_lines("", f"Difference to {first}, seed by seed:", "")
        _table(plan, gaps, units, signed=True)


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
        columns.append(cells_of(means, reaches, signed=signed))
    print_table(headings, list(zip(*columns, strict=True)), words=len(plan.headings))
