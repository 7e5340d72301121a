"""What every failure reader returns: one row per failure, in the order of the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .times import Instant, instant

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "failure_frame", "select"]

# time [s]: Unix time, or from the origin of the log; repair [s]: nan where unknown.
COLUMNS = ("time", "node", "repair", "system", "cause", "line")


def failure_frame(
    *,
    time: Sequence[float],
    node: Sequence[Any],
    repair: Sequence[float],
    system: Sequence[Any],
    cause: Sequence[str],
    line: Sequence[int],
    **more: Sequence[Any],
) -> pd.DataFrame:
    """Build the common frame: time, node, repair, system, cause, line; then `more` columns."""
    import pandas as pd

    columns: dict[str, Any] = {
        "time": np.asarray(time, dtype=np.float64),
        "node": _names(node),
        "repair": np.asarray(repair, dtype=np.float64),
        "system": _names(system),
        "cause": np.asarray(cause, dtype=object),
        "line": np.asarray(line, dtype=np.int64),
    }
    for name, values in more.items():
        columns[name] = _names(values)
    return pd.DataFrame(columns)


def select(
    frame: pd.DataFrame,
    chosen: Mapping[str, Any],
    *,
    since: Instant = None,
    until: Instant = None,
) -> pd.DataFrame:
    """Keep the rows whose columns hold a `chosen` value and whose time lies in [since, until).

    `chosen` maps a column to None (everything), one value, or several. A value that the column
    does not hold is refused: it is a slip more often than an answer.
    """
    begin, end = instant("since", since), instant("until", until)
    if begin is not None and end is not None and not begin < end:
        raise ValueError(f"until must be > since, got {end!r} for since={begin!r}")
    keep = np.ones(len(frame), dtype=np.bool_)
    for column, wanted in chosen.items():
        if wanted is None or frame.empty:
            continue
        several = isinstance(wanted, Iterable) and not isinstance(wanted, str)
        values = list(wanted) if several else [wanted]
        held = frame[column].unique()
        for value in values:
            if value not in held:
                some = ", ".join(map(str, np.sort(held)[:30]))
                raise ValueError(f"{column} must be one of {some}, got {value!r}")
        keep &= frame[column].isin(values).to_numpy()
    time = frame["time"].to_numpy()
    if begin is not None:
        keep &= time >= begin
    if end is not None:
        keep &= time < end
    return frame[keep].reset_index(drop=True)


def _names(values: Sequence[Any]) -> Any:
    """Integers stay integers; anything else is kept as it is."""
    if isinstance(values, np.ndarray):
        return values
    if all(isinstance(value, int) for value in values):
        return np.asarray(values, dtype=np.int64)
    return np.asarray(values, dtype=object)
