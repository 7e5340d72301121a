"""From rows of a failure log to outages of nodes: what touches or overlaps is one of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..._checks import nonnegative, shown
from .understanding.coarse import DAY, occurrences, step_of, told_apart

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Outages", "outage_numbers", "outages"]

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_WORTH_COMPILING = 30_000  # rows
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
    nodes : int
        How many nodes with a name fail.
    within_step : int
        How many fail in the day or hour of the failure before, in a log that tells no finer
        times: they were placed at random in it.
    step : float, [s]
        A day, an hour, or 0 where times are finer.
    """

    frame: pd.DataFrame
    merged: IntArray
    filtered: IntArray
    nodes: int = 0
    within_step: int = 0
    step: float = 0.0


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
    row of two exports; of a log of days, with those of another copy of it. Failures of different
    nodes on one such day are different ones, as many of one hour are as chance explains: they are
    placed at random in it, alike at each call.

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
    return outages_of(frame, numbered_nodes(frame), within=nonnegative("within", within))


def outages_of(frame: pd.DataFrame, nodes: Nodes, *, within: float) -> Outages:
    """Do what `outages` does, of rows whose nodes are numbered."""
    if frame.empty:
        none = np.zeros(0, dtype=np.int64)
        return Outages(frame.drop(columns="fails", errors="ignore").assign(rows=none), none, none)
    import pandas as pd

    unit, time = _units(frame, nodes), frame["time"].to_numpy(dtype=np.float64)
    walk = _walked(frame, unit, within)
    # The first row of an outage that is a failure stands for it.
    fails = walk.first >= 0
    rows, counts, repair = (
        values if fails.all() else values[fails] for values in (walk.first, walk.rows, walk.repair)
    )
    starts = time[rows]
    if not _ascend(starts):
        by_time = np.argsort(starts, kind="stable")
        rows, counts, repair, starts = (v[by_time] for v in (rows, counts, repair, starts))
    alike = np.flatnonzero(starts[1:] == starts[:-1])
    if alike.size:
        alike = np.union1d(alike, alike + 1)
        by_node = alike[np.lexsort((unit[rows[alike]], starts[alike]))]
        for values in (rows, counts, repair):
            values[alike] = values[by_node]
    starts, within_step, step = told_apart(starts)
    known = {"time": starts, "repair": repair}
    kept = (name for name in frame if name != "fails")
    columns = {n: known[n] if n in known else frame[n].array.take(rows) for n in kept}
    found = pd.DataFrame(columns | {"rows": counts}, copy=False)
    others = np.ones(time.size, dtype=np.bool_)
    others[rows] = False
    left = np.flatnonzero(others)
    lines, alone = frame["line"].to_numpy(dtype=np.int64)[left], ~fails[walk.number[left]]
    merged, filtered = np.sort(lines[~alone]), np.sort(lines[alone])
    failing = _fails(frame)
    named = nodes.named[:-1]
    if not failing.all():
        named &= np.bincount(nodes.codes[failing] + 1, minlength=named.size + 1)[1:] > 0
    count = int(named.sum())
    if "system" in frame and not _is_one(frame["system"]):  # which may have nodes of one name
        count = np.unique(unit[failing & np.append(named, False)[nodes.codes]]).size
    return Outages(found, merged, filtered, count, within_step, step)


def numbered_nodes(frame: pd.DataFrame, *, as_read: bool = False) -> Nodes:
    """Return the numbers of the nodes of a failure frame, as they come.

    Of a frame `as_read`, whose texts may be categories, these are in that order already.
    """
    import pandas as pd

    column = frame["node"].array
    if as_read and isinstance(column, pd.Categorical):
        return Nodes(column.codes.astype(np.int64), column.categories.tolist())
    codes, names = pd.factorize(frame["node"])
    return Nodes(codes, names.tolist())


def outage_numbers(frame: pd.DataFrame, *, within: float) -> IntArray:
    """Return the number of the outage that each row of a failure frame belongs to."""
    return _walked(frame, _units(frame, numbered_nodes(frame)), within).number


class Nodes(NamedTuple):
    """The number of each row's node, -1 for none, and their names."""

    codes: IntArray
    names: list[Any]

    @property
    def named(self) -> npt.NDArray[np.bool_]:
        """Whether each number is that of a node with a name; the last is of -1."""
        return np.array([*(name not in _UNKNOWN for name in self.names), False])


class _Walk(NamedTuple):
    """The number of each row's outage, and what is known of these, in the order of time.

    `first` is the row that is the first failure of an outage, -1 where none is; `repair` [s] lasts
    from its start to the end of the last, nan where that is not known; `rows` is how many it has.
    """

    number: IntArray
    first: IntArray
    rows: IntArray
    repair: FloatArray


def _ascend(times: FloatArray) -> bool:
    return bool((times[1:] >= times[:-1]).all())


def _walked(frame: pd.DataFrame, unit: IntArray, within: float) -> _Walk:
    time = frame["time"].to_numpy(dtype=np.float64)
    repair = frame["repair"].to_numpy(dtype=np.float64)
    order = np.arange(time.size) if _ascend(time) else np.argsort(time, kind="stable")
    if int(unit.max()) > 4 * unit.size or int(unit.min()) < 0:
        unit = np.unique(unit, return_inverse=True)[1]
    number, first, count = np.empty((3, time.size), dtype=np.int64)
    last, opened = np.empty((2, time.size))
    now, reach = np.full(int(unit.max()) + 1, -1), np.full(int(unit.max()) + 1, -np.inf)
    rows, units = (order, unit, time, repair, _fails(frame)), (now, reach)
    found = number, first, count, last, opened
    if time.size > _WORTH_COMPILING:
        outages = _compiled_walk()(rows, units, found, within)
    else:  # lists are quicker to walk
        lists = [[array.tolist() for array in arrays] for arrays in (rows, units, found)]
        outages = walk_rows(lists[0], lists[1], lists[2], within)
        number, first, count, last, opened = map(np.array, lists[-1])
    return _Walk(number, first[:outages], count[:outages], last[:outages])


def walk_rows(rows: Any, units: Any, found: Any, within: float) -> int:
    """Give each row the number of its outage, and return how many there are.

    `rows` are order, unit, time, repair and whether they fail; `units` the last outage of each and
    the latest end of its rows. `found` is filled in: the outage of each row; of each outage the
    first row that fails, how many there are, and how long it lasts; the last is room for its latest
    start without an end. All are arrays, compiled, or lists.
    """
    order, unit, time, repair, fails = rows
    now, reach = units
    number, first, count, last, opened = found
    outages = 0
    for row in order:
        of, begin, length = unit[row], time[row], repair[row]
        outage, lasts = now[of], math.isnan(length)
        end = begin if lasts else begin + length
        if outage < 0 or begin > reach[of] + within:
            outage, now[of] = outages, outages
            first[outage], count[outage] = -1, 0
            last[outage], opened[outage] = -np.inf, -np.inf
            outages += 1
        number[row] = outage
        count[outage] += 1
        reach[of] = max(reach[of], end)
        if lasts:
            opened[outage] = max(opened[outage], begin)
        else:
            last[outage] = max(last[outage], end)
        if fails[row] and first[outage] < 0:
            first[outage] = row
    for outage in range(outages):
        ends = last[outage] > opened[outage]
        last[outage] = last[outage] - time[first[outage]] if ends else math.nan
    return outages


@cache
def _compiled_walk() -> Callable[..., int]:
    from ..._compiled import compiled

    return compiled()(walk_rows)


def _fails(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    if "fails" not in frame:
        return np.ones(len(frame), dtype=np.bool_)
    return frame["fails"].to_numpy(dtype=np.bool_)


def _units(frame: pd.DataFrame, nodes: Nodes) -> IntArray:
    """Return a number for the node of each row, and one for all equal rows that name none."""
    import pandas as pd

    unit: IntArray = nodes.codes.astype(np.int64, copy=False)
    if "system" in frame and not _is_one(frame["system"]):
        unit = unit + pd.factorize(frame["system"])[0].astype(np.int64) * (len(nodes.names) + 1)
    named = nodes.named
    if not named[:-1].all() or int(nodes.codes.min()) < 0:
        unknown = ~named[nodes.codes]
        rows = frame.loc[unknown, [name for name in ("time", "repair", "cause") if name in frame]]
        groups = rows.groupby(list(rows.columns), dropna=False, sort=False).ngroup()
        alike: IntArray = np.asarray(groups, dtype=np.int64)
        time = rows["time"].to_numpy(dtype=np.float64)
        if step_of(time) == DAY:
            lines = frame.loc[unknown, "line"].to_numpy(dtype=np.int64)
            number = occurrences(time, lines, alike)
            alike = alike + number * (alike.max() + 1)
        unit = unit.copy()
        unit[unknown] = unit.max() + 1 + alike
    return unit


def _is_one(column: pd.Series[Any]) -> bool:
    """Whether all rows hold the same."""
    held = getattr(column.array, "categories", None)
    return len(held) == 1 if held is not None else column.nunique(dropna=False) < 2
