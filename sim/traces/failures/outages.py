"""From rows of a failure log to outages of nodes: what touches or overlaps is one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..._checks import nonnegative, shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Outages", "outage_numbers", "outages"]

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_UNKNOWN = frozenset({"", "-1", -1, None})


@dataclass(frozen=True, slots=True, eq=False)
class Outages:
    """Outages of nodes, and what became of each row of the log.

    Parameters
    ----------
    frame : DataFrame
        A row per failure, in the order of time: the columns of the log's rows, as those of the
        first of its rows that is a failure; `repair` [s] lasts to the end of the last, nan where
        that is not known; `rows` is how many there are.
    merged, filtered : ndarray of int64
        Lines of rows that are part of another row's failure, and of those that are of none.
    """

    frame: pd.DataFrame
    merged: IntArray
    filtered: IntArray


def outages(frame: pd.DataFrame, *, within: float = 0.0) -> Outages:
    r"""Merge the rows of one node that touch, overlap or lie close together.

    Parameters
    ----------
    frame : DataFrame
        `time` [s], `node`, `repair` [s] (nan where unknown, as of what still lasts), `system`,
        `cause`, `line`; `fails`, if it is there, is False for rows that alone are no failure, such
        as planned work.
    within : float, [s]
        Rows of one node with at most this between the end of one and the next are one outage.

    Returns
    -------
    Outages
        Those with at least one row that is a failure; they begin with the first such row.

    Raises
    ------
    ValueError
        If `within` is negative or not finite.
    TypeError
        If `frame` is not a failure frame, or `within` not a number.

    Notes
    -----
    Rows that name no node are merged with equal ones only (time, repair and cause), as the same
    row of two exports.

    Examples
    --------
    >>> import io
    >>> from sim.traces import read_failures_csv
    >>> text = "node,down,up\nn1,100,200\nn1,200,900\nn2,500,600\n"
    >>> found = outages(read_failures_csv(io.StringIO(text)).frame)
    >>> found.frame[["time", "repair", "rows"]].values.tolist(), found.merged.tolist()
    ([[100.0, 800.0, 2.0], [500.0, 100.0, 1.0]], [3])
    """
    if not hasattr(frame, "groupby") or not {"time", "node", "repair", "line"} <= set(frame):
        raise TypeError(f"frame must be a failure frame, got {shown(frame)}")
    within = nonnegative("within", within)
    if frame.empty:
        none = np.zeros(0, dtype=np.int64)
        return Outages(frame.drop(columns="fails", errors="ignore").assign(rows=none), none, none)
    order, new = _groups(frame, within)
    time = frame["time"].to_numpy(dtype=np.float64)[order]
    repair = frame["repair"].to_numpy(dtype=np.float64)[order]
    fails = _fails(frame)[order]
    ends = np.where(np.isnan(repair), time, time + repair)
    first = np.flatnonzero(new)
    number = np.cumsum(new) - 1
    starts = np.minimum.reduceat(np.where(fails, time, np.inf), first)
    last = np.maximum.reduceat(ends, first)
    lasting = _still_out(time, repair, number, last)
    kept = np.isfinite(starts)
    # The first row of an outage that is a failure stands for it.
    head = fails & (time == starts[number])
    rows = np.flatnonzero(head)
    rows = rows[np.diff(number[rows], prepend=-1) > 0]
    back = np.argsort(starts[kept], kind="stable")
    found = frame.iloc[order[rows[back]]].drop(columns="fails", errors="ignore")
    found = found.reset_index(drop=True)
    length = np.where(lasting | ~_known(repair, number), np.nan, last - starts)
    found["repair"] = length[kept][back]
    found["rows"] = np.bincount(number, minlength=first.size)[kept][back]
    lines = frame["line"].to_numpy(dtype=np.int64)[order]
    others = kept[number]
    others[rows] = False
    return Outages(
        found,
        np.sort(lines[others]),
        np.sort(lines[~kept[number]]),
    )


def outage_numbers(frame: pd.DataFrame, *, within: float) -> IntArray:
    """Return the number of the outage that each row of a failure frame belongs to."""
    order, new = _groups(frame, within)
    number = np.empty(order.size, dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return number


def _groups(frame: pd.DataFrame, within: float) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return rows by node and time, and which of them begin an outage."""
    unit = _units(frame)
    time = frame["time"].to_numpy(dtype=np.float64)
    order = np.lexsort((time, unit))
    time, unit = time[order], unit[order]
    repair = frame["repair"].to_numpy(dtype=np.float64)[order]
    reach = _reach(np.where(np.isnan(repair), time, time + repair), unit)
    new = np.ones(time.size, dtype=np.bool_)
    new[1:] = (unit[1:] != unit[:-1]) | (time[1:] > reach[:-1] + within)
    return order, new


def _fails(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    if "fails" not in frame:
        return np.ones(len(frame), dtype=np.bool_)
    return frame["fails"].to_numpy(dtype=np.bool_)


def _units(frame: pd.DataFrame) -> IntArray:
    """Return a number for the node of each row, and one for all equal rows that name none."""
    import pandas as pd

    nodes, names = pd.factorize(frame["node"])
    systems = pd.factorize(frame["system"])[0] if "system" in frame else np.zeros_like(nodes)
    unit: IntArray = systems.astype(np.int64) * (len(names) + 1) + nodes
    nameless = np.array([name in _UNKNOWN for name in names], dtype=np.bool_)
    unknown = (nodes < 0) | np.append(nameless, True)[nodes]
    if unknown.any():
        rows = frame.loc[unknown, [name for name in ("time", "repair", "cause") if name in frame]]
        alike = rows.groupby(list(rows.columns), dropna=False, sort=False).ngroup()
        unit[unknown] = unit.max() + 1 + alike.to_numpy()
    return unit


def _reach(ends: FloatArray, unit: IntArray) -> FloatArray:
    """Return the latest end of a unit's rows so far."""
    import pandas as pd

    reach: FloatArray = np.asarray(pd.Series(ends).groupby(unit, sort=False).cummax(), np.float64)
    return reach


def _known(repair: FloatArray, number: IntArray) -> npt.NDArray[np.bool_]:
    """Return whether any row of an outage says how long it lasted."""
    return np.bincount(number, weights=~np.isnan(repair)) > 0


def _still_out(
    time: FloatArray, repair: FloatArray, number: IntArray, last: FloatArray
) -> npt.NDArray[np.bool_]:
    """Return of each outage whether its last row does not say when it ends."""
    opened = np.isnan(repair) & (time >= last[number])
    return np.bincount(number, weights=opened, minlength=last.size) > 0
