"""Where attempts ran on a grid: in words for a table, in processors for a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attempts import attempt_table, ranges

if TYPE_CHECKING:
    import pandas as pd

    from ...cluster import Grid, Replay
    from ...records import AttemptRecords


def grid_attempts(result: Replay, grid: Grid) -> pd.DataFrame:
    """Return one row per attempt; `cluster` and `place`, the machines in it, say where it ran.

    Parameters
    ----------
    result : Replay
        With the placements of its attempts.
    grid : Grid
        On which it was played.

    Returns
    -------
    DataFrame
        Times in [s].
    """
    names, first = [cluster.name for cluster in grid.clusters], grid.first_machines

    def place(placement: Any) -> str:
        machines = np.array(placement.machines) - first[placement.cluster]
        return f"{placement.cluster} {ranges(machines)}"

    table = attempt_table(result, place)
    where = [words.partition(" ") for words in table["place"]]
    table["place"] = [machines for _, _, machines in where]
    clusters = [names[int(number)] if number else "" for number, _, _ in where]
    table.insert(list(table.columns).index("place"), "cluster", clusters)
    return table


def first_processors(grid: Grid) -> list[int]:
    """Return the first processor of each machine, numbered over the grid, and their number.

    Parameters
    ----------
    grid : Grid
        Clusters of machines.

    Returns
    -------
    list of int
        One more than there are machines.
    """
    counts = (count for cluster in grid.clusters for count in cluster.per_machine)
    return list(accumulate(counts, initial=0))


def processors_of_attempts(
    attempts: AttemptRecords, grid: Grid
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield the index of every attempt and its processors, as runs (first, count).

    A placement says how many processors of each machine: each gets the lowest that are free at
    its start, an assignment as true as any other.

    Parameters
    ----------
    attempts : AttemptRecords
        With placements.
    grid : Grid
        On which they ran.

    Returns
    -------
    iterator of tuple
        In the order in which they start; processors are numbered over the grid.
    """
    assert attempts.placement is not None
    first = first_processors(grid)
    free = np.ones(grid.size, dtype=bool)
    held: dict[int, list[tuple[int, int]]] = {}
    # Ends before starts at one instant; an attempt that lasts no time holds nothing.
    lasting = np.flatnonzero(attempts.end > attempts.start).tolist()
    events = sorted(
        [(attempts.end[index], 0, index) for index in lasting]
        + [(attempts.start[index], 1, index) for index in lasting]
    )
    for _, is_start, index in events:
        if not is_start:
            for begin, count in held.pop(index):
                free[begin : begin + count] = True
            continue
        placement = attempts.placement[index]
        mine: list[int] = []
        for machine, count in zip(placement.machines, placement.processors, strict=True):
            inside = np.flatnonzero(free[first[machine] : first[machine + 1]])[:count]
            mine += (first[machine] + inside).tolist()
        free[mine] = False
        held[index] = _runs(mine)
        yield index, held[index]


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Return (first, count) of what is consecutive in ascending numbers."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs
