"""A sweep on a page: what was varied, means over it as figures and a table, how it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from asking.units import human_count

from ..output.cells import Row, factor_words, named_factor
from ..output.tables import print_facts, print_heading, print_lines, print_table
from ..sweeps.cells import measures_of_sweep, varied_of
from .page import Page
from .studies import show_cells

if TYPE_CHECKING:
    from ...answers.sweeps.study_file import StudyFile

_MOST = 50  # rows of a table


def show_sweep(page: Page, study: StudyFile, cells: Sequence[Row]) -> None:
    """Add the cells of a sweep."""
    failed = [cell for cell in cells if not cell["metrics"]]
    said = []
    if any(each["half_width"] is not None for cell in cells for each in cell["metrics"].values()):
        said.append("Means over the replications, ± half of their 95 % intervals (Student).")
    names = varied_of(study)
    if len(failed) < len(cells):
        show_cells(cells, names, measures_of_sweep(study, cells), page, said=said)
    if failed:
        print_heading("What could not be computed")
        print_lines(f"{len(failed):,} of {len(cells):,} cells.")
        why = [*names, "remark"]
        print_table(
            [*map(named_factor, why)],
            [[factor_words(name, cell[name]) for name in why] for cell in failed[:_MOST]],
            words=len(why),
        )
    print_heading("How it was asked")
    same = {key: value for key, value in cells[0].items() if key not in {*names, "metrics"}}
    words = {named_factor(key): factor_words(key, value) for key, value in same.items() if value}
    words.pop("remark", None)
    print_facts([("cells", f"{len(cells):,}"), ("of each", _often(study)), *words.items()])


def _often(study: StudyFile) -> str:
    """Return how often a cell is played."""
    if study.kind == "formula":
        return f"the formula {study.subject}"
    rule = study.rule
    jobs = f" of {human_count(study.jobs, 'job')}" if study.kind == "simulate" else ""
    if rule.until is None:
        return f"{rule.replications:,} replications{jobs}"
    return f"replications{jobs} until {rule.metric} is known to {100.0 * rule.until:g} %"
