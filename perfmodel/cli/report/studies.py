"""Cells with means on a page: tables with intervals, differences, figures, then all numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from ...answers.shown import plain
from ..figures import axes_in
from ..figures.cells import Panel, baseline_of, panels_of
from ..output.cells import Row, factor_words, means_table, named_factor
from ..output.tables import print_facts, print_heading, print_lines, print_parts, print_table
from .page import Page

_OF_NO_CELL = {"engine", "metrics", "difference_to", "differences"}
_MOST_FIGURES = 16
_LONG = 12  # rows of a table, beyond which figures come first
_MOST = 200  # rows of a table
_MOST_HEADS = 12  # cells whose every number is shown
_UNITS = {"_bytes_per_s": "B/s", "_bytes": "B", "_per_node_s": "per node and s"}


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


def show_study_answer(answers: Mapping[str, Any], rows: Sequence[Row], page: Page) -> None:
    """Add what the command of the study prints, a figure of each number, and all others folded."""
    from sim.answers import measures_of_study

    names = [name for name in rows[0] if name not in _OF_NO_CELL]
    seeds = answers.get("seeds")
    said = []
    if isinstance(seeds, int) and seeds > 1:
        said.append(f"Means over {seeds:,} seeds, ± half of their 95 % intervals (Student).")
    if answers.get("complete") is False:
        said.append("Interrupted: these are the seeds that were complete.")
    show_cells(rows, names, measures_of_study(rows[0]["metrics"]), page, said=said)
    print_heading("How it was asked")
    options = answers.get("options")
    print_facts(asked_facts(options if isinstance(options, dict) else {}))
    if isinstance(notes := answers.get("notes"), list):
        print_lines(*map(str, notes))


def show_cells(
    rows: Sequence[Row],
    names: Sequence[str],
    measures: Sequence[Any],
    page: Page,
    *,
    said: Sequence[str] = (),
) -> None:
    """Add the means of cells and their differences, a figure of each number, and all numbers."""
    print_heading("Means")
    several = len(rows) > 1  # of one there is nothing to compare
    panels = list(panels_of(rows, names, measures))[:_MOST_FIGURES] if several else []
    if long := len(rows) > _LONG:
        _draw(panels, page)
    print_parts([means_table(rows[:_MOST], "metrics", names, measures)])
    print_lines(*said)
    if len(rows) > _MOST:
        print_lines(f"And {len(rows) - _MOST:,} more cells.")
    compared = [row for row in rows if row.get("differences") and row.get("difference_to")]
    if compared:
        print_lines(f"Difference to {baseline_of(compared)}, seed by seed:")
        print_parts([means_table(compared[:_MOST], "differences", names, measures, signed=True)])
    if not long:
        _draw(panels, page)
    every = list(dict.fromkeys(metric for row in rows for metric in row["metrics"]))
    if len(rows) > _MOST_HEADS or len(every) <= len(measures):
        return
    print_heading("All numbers")
    with page.folded(f"{len(every)} numbers{' of each cell' * several}"):
        print_table(
            ["", *(", ".join(factor_words(name, row.get(name)) for name in names) for row in rows)],
            [
                [metric.replace("_", " "), *(_plain(row["metrics"].get(metric)) for row in rows)]
                for metric in every
            ],
        )


def _draw(panels: Sequence[Panel], page: Page) -> None:
    if not panels:
        return
    with page.columns():
        for panel in panels:

            def draw(path: Path, *, panel: Panel = panel) -> None:
                with axes_in(path, height=max(4.5, 1.4 + 0.5 * panel.names)) as axes:
                    panel.draw(axes)

            page.figure(panel.words, draw)


def asked_facts(asked: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Return what was asked for, a name and a text with its unit each."""
    for key, value in asked.items():
        if value in (None, False, [], ""):
            continue
        unit = next((end for end in _UNITS if key.endswith(end)), "")
        every = value if isinstance(value, list) else [value]
        words = ", ".join(plain(factor_words(key if not unit else "", each)) for each in every)
        name = named_factor(key.removesuffix(unit))
        yield name, f"{words} {_UNITS[unit]}" if unit else words


def _plain(value: Mapping[str, float | None] | None) -> str:
    if value is None or (mean := value.get("mean")) is None:
        return "-"
    reach = value.get("half_width")
    text = f"{mean:,.0f}" if abs(mean) >= 1000.0 else f"{mean:.4g}"
    return f"{text} ± {reach:.2g}" if reach and math.isfinite(reach) else text
