"""A failure log as a history that forecasts learn from."""

from __future__ import annotations

import numpy as np

from ...forecasts import FailureHistory
from .failures import Log


def history_of(log: Log, machine: int | None = None) -> FailureHistory | None:
    """Return when what failed, of a `machine` of so many nodes; None where times are not known.

    Of a single node time runs while it is up, as its job then does not.
    """
    from sim.traces import outages

    if log.read is None or log.read.counted or log.systems > 1 or log.read.failures.empty:
        return None
    frame = outages(log.read.failures).frame.sort_values("time", kind="stable")
    times, repairs = (frame[name].to_numpy(np.float64) for name in ("time", "repair"))
    first, last = log.since, log.until
    if first is None and last is None and log.read.watch is not None:
        first, last = log.read.watch.start, log.read.watch.end
    last = times[-1] if last is None else last
    # As of uptimes: where nothing says when the observation began, it is with a failure.
    inside = (times <= last) & (times > times[0] if first is None else times >= first)
    first = times[0] if first is None else first
    if not inside.any():
        return None
    ended = times + np.nan_to_num(repairs)
    back_at_first = float(np.max(ended[times <= first], initial=first)) - first
    node = frame["node"].astype(str)
    codes = node.where(~node.isin(["-1", ""])).factorize()[0][inside]
    times, repairs, observed = times[inside] - first, repairs[inside], last - first
    if log.of_one_node:
        back = np.maximum.accumulate(np.append(back_at_first, times + np.nan_to_num(repairs)))
        up = np.maximum(times - back[:-1], 0.0)
        times = np.cumsum(up)
        observed = float(times[-1]) + max(observed - float(back[-1]), 0.0)
    return FailureHistory.of(
        times, float(observed), repairs=repairs, nodes=codes, machine=machine or 0
    )
