"""From the states of nodes at instants to outages: from the first row down to the next row up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..parsing.report import Argument, BoolArray, Findings, FloatArray, IntArray, LogRefused

if TYPE_CHECKING:
    import pandas as pd

_SEVERAL, _HOUR = 10, 3600.0  # gaps that are not equal but alike, and their longest median, s
_TOLD_AGAIN = 900.0  # s: what is said again of a node so soon is of the same outage


def outages_of_states(
    frame: pd.DataFrame,
    down: BoolArray,
    findings: Findings,
    *,
    within: float | None = None,
) -> pd.DataFrame:
    """Return a row for each run of rows of one node that is down.

    Parameters
    ----------
    frame : DataFrame
        A failure frame with a row for each state of a node at an instant; repairs are not read.
    down : ndarray of bool
        Whether the node is down in that row.
    findings : Findings
        Receives `back-up` and `still-down` (merged) and `no-failure` (skipped).
    within : float, [s], optional
        A node that is down already fails again if it was last said to be down longer ago.

    Raises
    ------
    ValueError
        If `within` is not given, and nodes only come up from down but go down from down.

    Returns
    -------
    DataFrame
        The first row of each run, with the time to the next row of that node that is up as its
        repair, nan where none follows; in the order of the log.
    """
    import pandas as pd

    unit = pd.factorize(pd.MultiIndex.from_frame(frame[["system", "node"]].astype(str)))[0]
    time = frame["time"].to_numpy(dtype=np.float64)
    # Of a node that is down and up at one instant, the row that comes later in the log is later.
    order = np.lexsort((np.arange(time.size), time, unit))
    unit, time, down = unit[order], time[order], down[order]
    same = np.append(False, unit[1:] == unit[:-1])
    before = np.append(False, down[:-1]) & same
    first, back = down & ~before, ~down & before
    again = np.append(False, np.diff(time)) * (down & before)
    doubtful = again[again > _TOLD_AGAIN]
    if within is not None:
        first |= again > within
    elif (
        doubtful.size > 0.03 * first.sum()
        and not at_one_step(doubtful, least=2)
        and not (~down & ~before & same).any()
    ):
        lines = frame["line"].to_numpy()[order]
        row = int(np.argmax(again > _TOLD_AGAIN))
        option = Argument("merge_within")
        raise LogRefused(
            f"line {lines[row]}: a node must come up before it goes down again, got down as in "
            f"line {lines[row - 1]}: ",
            *(option, " 0s counts it as another failure, "),
            *(option, f" {again.max() / 86_400.0 + 1.0:.0f}d as the same"),
        )
    place = np.arange(time.size)
    following = np.minimum.accumulate(np.where(back, place, time.size)[::-1])[::-1]
    starts = np.flatnonzero(first)
    end = following[starts]
    ends = end < time.size
    ends[ends] = unit[end[ends]] == unit[starts[ends]]
    later = np.append(starts[1:], time.size)
    ends &= end < later
    repair = np.full(starts.size, np.nan)
    repair[ends] = time[end[ends]] - time[starts[ends]]
    lines = frame["line"].to_numpy(dtype=np.int64)[order]
    findings.add_lines("merged", lines[down & ~first], "still-down", "the node was down already")
    findings.add_lines("merged", lines[back], "back-up", "the node is up again")
    findings.add_lines("skipped", lines[~down & ~back], "no-failure", "the node is up")
    found = frame.iloc[order[starts]].copy()
    found["repair"] = repair
    return found.sort_index().reset_index(drop=True)


def at_one_step(gaps: FloatArray, *, least: int) -> bool:
    """Whether nearly all of at `least` some gaps are equal, as of a message told again."""
    if gaps.size < least:
        return False
    step = np.median(gaps)
    return bool((np.abs(gaps - step) <= 0.02 * step).mean() >= 0.8)


def told_again(gaps: FloatArray) -> FloatArray:
    """Return the gaps that a message told again leaves: at one step, or ten and more about it.

    Of random gaps a third is so near the median; four fifths of ten are in one log of 300, played.
    """
    near = np.abs(gaps - np.median(gaps)) <= 0.4 * np.median(gaps)
    about = gaps.size >= _SEVERAL and np.median(gaps) <= _HOUR and near.mean() >= 0.8
    return gaps[near] if about or at_one_step(gaps, least=3) else gaps[:0]


def down_runs(down: BoolArray) -> tuple[IntArray, IntArray]:
    """Return where runs of True begin, and where the next False stands (the length: nowhere).

    Examples
    --------
    >>> begins, ends = down_runs(np.array([True, False, True, True]))
    >>> begins.tolist(), ends.tolist()
    ([0, 2], [1, 4])
    """
    edges = np.diff(np.concatenate([[0], down.astype(np.int8), [0]]))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
