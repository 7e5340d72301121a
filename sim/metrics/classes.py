"""Means by size and by length of the jobs, which one mean over all of them hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._units import HOUR
from .replay import mean_of_known

if TYPE_CHECKING:
    import pandas as pd

JOB_SIZES = ("1", "2 - 8", "9 - 64", "65 - 512", "513 - 4096", "> 4096")
JOB_LENGTHS = ("< 10 min", "10 min - 1 h", "1 h - 4 h", "4 h - 1 d", ">= 1 d")
ALL_CLASSES = "all"

_LARGEST = (1, 8, 64, 512, 4096)
_SHORTEST = (HOUR / 6.0, HOUR, 4.0 * HOUR, 24.0 * HOUR)
_MEASURES = ("wait", "response", "bounded_slowdown")
_UNITS = {"wait": "_s", "response": "_s", "bounded_slowdown": ""}


def means_by_class(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean wait, response and bounded slowdown of each class of jobs.

    Parameters
    ----------
    table : DataFrame
        One row per job, as `Replay.jobs`: ``processors`` and ``executed`` [s], which make the
        classes, and ``wait`` [s], ``response`` [s] and ``bounded_slowdown``, nan where unknown.

    Returns
    -------
    DataFrame
        One row for each of `JOB_SIZES` (processors of a job) and each of `JOB_LENGTHS` (what it
        executes; a job of an end belongs to the longer class), both also as `ALL_CLASSES`:
        ``size``, ``length``, ``jobs``, ``mean_wait_s``, ``mean_response_s``,
        ``mean_bounded_slowdown``. A mean of nothing is nan.

    Raises
    ------
    ValueError
        If the table lacks one of these columns.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"processors": [1, 4, 4], "executed": [60.0, 60.0, 7200.0],
    ...                       "wait": [0.0, 30.0, 90.0], "response": [60.0, 90.0, 7290.0],
    ...                       "bounded_slowdown": [1.0, 1.5, 1.0125]})
    >>> found = means_by_class(table).set_index(["size", "length"])
    >>> float(found.loc[("2 - 8", "all"), "mean_wait_s"])
    60.0
    """
    import pandas as pd

    for name in ("processors", "executed", *_MEASURES):
        if name not in table.columns:
            raise ValueError(
                f"table must have a column {name!r}, got {', '.join(map(str, table.columns))}"
            )
    size = np.searchsorted(_LARGEST, table["processors"].to_numpy(), side="left")
    length = np.searchsorted(_SHORTEST, table["executed"].to_numpy(), side="right")
    values = {name: table[name].to_numpy(np.float64) for name in _MEASURES}
    rows = []
    for row, of_size in enumerate((*JOB_SIZES, ALL_CLASSES)):
        sized = (size == row) | (of_size == ALL_CLASSES)
        for column, of_length in enumerate((*JOB_LENGTHS, ALL_CLASSES)):
            inside = sized & ((length == column) | (of_length == ALL_CLASSES))
            means = {
                f"mean_{name}{_UNITS[name]}": mean_of_known(value[inside])
                for name, value in values.items()
            }
            rows.append({"size": of_size, "length": of_length, "jobs": int(inside.sum()), **means})
    return pd.DataFrame(rows)
