"""A study of many seeds on a page: means with intervals, differences, figures, then the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from ...answers.shown import plain
from ...figures import draw_numbers
from ..figures import axes_in
from ..output.study import cells_of, unit_of
from ..output.tables import print_facts, print_heading, print_lines, print_table
from .page import Page

__all__ = ["is_study", "show_study_answer"]

_OF_NO_CELL = {"engine", "metrics", "difference_to", "differences"}
_MOST = 12  # bars of a figure
_Numbers = Mapping[str, float | None]


def is_study(rows: Any) -> TypeGuard[list[dict[str, Any]]]:
    """Return whether these are the cells of a study, each with the mean of every number."""
    return (
        isinstance(rows, list)
        and bool(rows)
        and all(
            isinstance(row, dict)
            and _are_means(row.get("metrics"))
            and _are_means(row.get("differences", {}))
            and isinstance(row.get("difference_to", {}), dict)
            for row in rows
        )
    )


def _are_means(found: Any) -> bool:
    return isinstance(found, dict) and all(
        isinstance(each, dict)
        and all(isinstance(each.get(name), int | float | None) for name in ("mean", "half_width"))
        for each in found.values()
    )


def show_study_answer(
    answers: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], page: Page
) -> None:
    """Add what the command of the study prints, a figure of each number, and all others folded."""
    from sim.answers import measures_of_study

    names = [name for name in rows[0] if name not in _OF_NO_CELL]
    measures = measures_of_study(rows[0]["metrics"])
    print_heading("Means")
    _table(rows, "metrics", names, measures, signed=False)
    seeds = answers.get("seeds")
    if isinstance(seeds, int) and seeds > 1:
        print_lines(f"Means over {seeds:,} seeds, ± half of their 95 % intervals (Student).")
    if answers.get("complete") is False:
        print_lines("Interrupted: these are the seeds that were complete.")
    compared = [row for row in rows if row.get("differences") and row.get("difference_to")]
    if compared:
        others = dict.fromkeys(
            _cell(row["difference_to"], row["difference_to"]) for row in compared
        )
        print_lines(f"Difference to {', '.join(others)}, seed by seed:")
        _table(compared, "differences", names, measures, signed=True)
    _draw(rows, names, measures, page)
    print_heading("All numbers")
    every = list(dict.fromkeys(metric for row in rows for metric in row["metrics"]))
    heads = [_cell(row, names) for row in rows]
    with page.folded(f"{len(every)} numbers of each cell"):
        print_table(
            ["", *heads],
            [
                [metric.replace("_", " "), *(_plain(row["metrics"].get(metric)) for row in rows)]
                for metric in every
            ],
        )
    options = answers.get("options")
    given = {
        key: value
        for key, value in (options if isinstance(options, dict) else {}).items()
        if value not in (None, False, [])
    }
    print_heading("How it was asked")
    print_facts([(key.replace("_", " "), str(value)) for key, value in given.items()])
    if isinstance(notes := answers.get("notes"), list):
        print_lines(*map(str, notes))


def _table(
    rows: Sequence[Mapping[str, Any]],
    field: str,
    names: Sequence[str],
    measures: Iterable[Any],
    *,
    signed: bool,
) -> None:
    headings = [name.replace("_", " ") for name in names]
    columns = [[_word(row.get(name)) for row in rows] for name in names]
    for each in measures:
        unit, size = unit_of(
            each, [_number(row["metrics"].get(each.metric, {}), "mean") for row in rows]
        )
        found = [row[field].get(each.metric, {}) for row in rows]
        headings.append(f"{each.heading}\n[{unit}]" if unit else each.heading)
        columns.append(
            cells_of(
                [_number(one, "mean") / size for one in found],
                [_number(one, "half_width") / size for one in found],
                signed=signed,
            )
        )
    print_table(headings, list(zip(*columns, strict=True)), words=len(names))


def _draw(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], measures: Iterable[Any], page: Page
) -> None:
    if len(rows) > _MOST:
        return
    with page.columns():
        for each in measures:
            found = {_cell(row, names, "\n"): row["metrics"].get(each.metric, {}) for row in rows}
            unit, size = unit_of(each, [_number(one, "mean") for one in found.values()])
            means = {name: _number(one, "mean") / size for name, one in found.items()}
            if not any(means.values()):
                continue
            reach = {name: _number(one, "half_width") / size for name, one in found.items()}
            limits = {
                name: (mean - _reached(reach[name]), mean + _reached(reach[name]))
                for name, mean in means.items()
            }
            words = each.heading.replace("\n", " ")
            up = f"{words} [{unit}]" if unit else words

            def draw(path: Path, *, means: Any = means, limits: Any = limits, up: str = up) -> None:
                with axes_in(path) as axes:
                    draw_numbers(means, up=up, limits=limits, ax=axes)

            page.figure(f"{words[0].upper()}{words[1:]}, with 95 % intervals of the mean.", draw)


def _reached(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def _number(value: _Numbers, name: str) -> float:
    found = value.get(name)
    return math.nan if found is None else float(found)


def _cell(row: Mapping[str, Any], names: Iterable[str], between: str = ", ") -> str:
    return between.join(_word(row.get(name)) for name in names)


def _word(value: Any) -> str:
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else plain(str(value))


def _plain(value: _Numbers | None) -> str:
    if value is None or value.get("mean") is None:
        return "-"
    reach = value.get("half_width")
    text = _digits(_number(value, "mean"))
    return text if not reach else f"{text} ± {reach:.2g}"


def _digits(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:.4g}"
