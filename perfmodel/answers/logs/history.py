"""A failure log as a history that forecasts learn from."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._checks import IntArray
from ...forecasts import FailureHistory
from ...forecasts.part import chance_to_strike
from .failures import Log


def history_of(log: Log, machine: int | None = None) -> FailureHistory | None:
    """Return when what failed, of a `machine` of so many nodes; None where times are not known.

    Of a single node time runs while it is up, as its job then does not.
    """
    from sim.traces import outages

    if log.read is None or not _has_times(log):
        return None
    frame = outages(log.read.failures).frame.sort_values("time", kind="stable")
    times, repairs = (frame[name].to_numpy(np.float64) for name in ("time", "repair"))
    first, last = _window(log)
    last = times[-1] if last is None else last
    # As of uptimes: where nothing says when the observation began, it is with a failure.
    inside = (times <= last) & (times > times[0] if first is None else times >= first)
    first = times[0] if first is None else first
    if not inside.any():
        return None
    ended = times + np.nan_to_num(repairs)
    back_at_first = float(np.max(ended[times <= first], initial=first)) - first
    codes = _numbered(frame["node"])[inside]
    times, repairs, observed = times[inside] - first, repairs[inside], last - first
    if log.of_one_node:
        back = np.maximum.accumulate(np.append(back_at_first, times + np.nan_to_num(repairs)))
        up = np.maximum(times - back[:-1], 0.0)
        times = np.cumsum(up)
        observed = float(times[-1]) + max(observed - float(back[-1]), 0.0)
    return FailureHistory.of(
        times, float(observed), repairs=repairs, nodes=codes, machine=machine or 0
    )


def strikes_of(log: Log, nodes: int, size: int, window: float | None) -> tuple[int, float] | None:
    """Return how often nodes failed together, and the chance that random ones of a job are struck.

    A job on `nodes` of `size` nodes is struck once by failures at one instant, or within a `window`
    [s] of each other. None where each failure comes alone, or times are not known.
    """
    if log.read is None or not _has_times(log):
        return None
    frame = log.read.failures.sort_values("time", kind="stable")
    first, last = _window(log)
    times = frame["time"].to_numpy(np.float64)
    inside = times >= (-np.inf if first is None else first)
    inside &= times <= (np.inf if last is None else last)
    times, codes = times[inside], _numbered(frame["node"])[inside]
    heads = np.diff(times, prepend=-np.inf) > (window or 0.0) * (1.0 + 1e-9)
    if heads.all():
        return None
    which = np.cumsum(heads) - 1
    if (codes >= 0).all():
        which = np.unique(np.column_stack([which, codes]), axis=0)[:, 0]
    hit = np.bincount(which)[int(first is None) :]  # as of uptimes, the first begins it
    if not hit.size:
        return None
    return hit.size, float(chance_to_strike(hit, nodes, size).mean())


def _has_times(log: Log) -> bool:
    read = log.read
    return read is not None and not (read.counted or log.systems > 1 or read.failures.empty)


def _window(log: Log) -> tuple[float | None, float | None]:
    """Return when the observation begins and ends, [s]; None where nothing says so."""
    watch = None if log.read is None else log.read.watch
    if log.since is None and log.until is None and watch is not None:
        return watch.start, watch.end
    return log.since, log.until


def _numbered(node: Any) -> IntArray:
    """Return numbers for the names of nodes, -1 for none."""
    names = node.astype(str)
    return np.asarray(names.where(~names.isin(["-1", ""])).factorize()[0])
