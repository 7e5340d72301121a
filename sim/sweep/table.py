"""The table of a sweep: one row per cell, in the order of the cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

from .cells import Cell, Numbers
from .ledger import Ledger
from .rule import Rule, half_width, mean_of

Row: TypeAlias = "dict[str, str | int | float | bool]"

_CELLS = 500


def sweep_rows(cells: Callable[[], Iterable[Cell]], *, rule: Rule, ledger: Ledger) -> Iterator[Row]:
    """Yield the rows of the cells, all with the same columns.

    Parameters
    ----------
    cells : callable
        Gives the cells from the first on; called twice, because columns are known at the end only.
    rule : Rule
        Which replications count.
    ledger : Ledger
        In which every cell is done.

    Returns
    -------
    iterator of dict
        Parameters by name and each metric: its value, or with several replications their number,
        the mean and half of its 95 % interval (Student); ``remark`` says what a formula warned of,
        or why there are no numbers. What is not known is an empty text.

    Raises
    ------
    RuntimeError
        If a cell is not done.
    """
    columns: dict[str, None] = {}
    for row in _rows(cells(), rule, ledger):
        columns.update(dict.fromkeys(row))
    names = [*(name for name in columns if name != "remark"), "remark"]
    for row in _rows(cells(), rule, ledger):
        yield {name: _known(row.get(name, "")) for name in names}


def _known(value: str | int | float | bool) -> str | int | float | bool:
    return "" if isinstance(value, float) and math.isnan(value) else value


def _rows(cells: Iterable[Cell], rule: Rule, ledger: Ledger) -> Iterator[Row]:
    waiting = iter(cells)
    while group := list(islice(waiting, _CELLS)):
        names = [cell.name for cell in group]
        done: dict[str, dict[int, tuple[Numbers | None, str]]] = {name: {} for name in names}
        for each in ledger.played(names):
            done[each.cell][each.replication] = (each.numbers, each.remark)
        for cell in group:
            yield {**cell.parameters, **_summary(cell, done[cell.name], rule)}


def _summary(cell: Cell, done: Mapping[int, tuple[Numbers | None, str]], rule: Rule) -> Row:
    state = rule.state({number: numbers for number, (numbers, _) in done.items()})
    if state.missing:
        raise RuntimeError(f"cells must be done, got {dict(cell.parameters)} that is not")
    counted = [done[number] for number in range(state.replications) if number in done]
    remark = next((words for numbers, words in counted if numbers is None), None)
    if remark is not None:
        return {"remark": remark}
    found: Any = [numbers for numbers, _ in counted]
    remark = next((words for _, words in counted if words), "")
    if rule.until is None and rule.replications == 1:
        return {**found[0], "remark": remark}
    row: Row = {"replications": len(found)}
    for name in dict.fromkeys(name for numbers in found for name in numbers):
        values = [numbers[name] for numbers in found if name in numbers]
        if any(isinstance(value, str) for value in values):
            row[name] = values[0] if len(set(values)) == 1 else "several"
            continue
        numbers = [float(value) for value in values]
        row[name], row[f"{name}_half_width"] = mean_of(numbers), half_width(numbers)
    return {**row, "remark": remark}
