"""What those lose who keep one interval: some of them know what nobody knows before."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from perfmodel.interval import optimal_interval

from .plays import lost_by
from .windows import Window

__all__ = ["RIVALS", "Constant", "Knowing", "best_smoothed", "lost_by_constant"]

FloatArray = npt.NDArray[np.float64]

_HOUR = 3600.0
_SMEAR = 0.2  # of each gap, to either side
_STEP = 1.12  # from one constant tried to the next
_LEAST = 0.05 * _HOUR


def exact_of_the_log(window: Window) -> float:
    """Return the exact optimum for the MTBF of the whole log, [s]."""
    return _exact(window.mtbf, window.cost)


def young_of_the_log(window: Window) -> float:
    """Return Young's interval for the MTBF of the whole log, [s]."""
    return math.sqrt(2.0 * window.cost * window.mtbf)


def exact_of_the_window(window: Window) -> float:
    """Return the exact optimum for the failures of the window itself, [s]."""
    return _exact(window.own_mtbf, window.cost)


def hourly(window: Window) -> float:
    """Return an hour, [s]."""
    del window
    return _HOUR


def best_smoothed(window: Window) -> float:
    """Return the constant that is best in hindsight if each gap may be 20 % longer or shorter, [s].

    Without that, the best constant fits the instants of its checkpoints to those of the failures.
    """
    begins, ends = window.gaps()
    steps = math.ceil(math.log(max(window.duration / _LEAST, 2.0)) / math.log(_STEP))
    tried = _LEAST * _STEP ** np.arange(steps + 1)
    dearer = 1.0 + (window.growth - 1.0) * 0.5 * (begins + ends) / window.duration
    costs, lengths = window.cost * dearer, ends - begins
    kept = np.zeros(tried.size)
    failed = lengths.size
    if not window.struck.size or begins[-1] > window.struck[-1]:  # the end stops the last one
        failed -= 1
        periods = tried + costs[-1]
        whole = np.floor(lengths[-1] / periods)
        kept += whole * tried + np.minimum(lengths[-1] - whole * periods, tried)
    for length, cost in zip(lengths[:failed].tolist(), costs[:failed].tolist(), strict=True):
        periods = tried + cost
        high, low = (1.0 + _SMEAR) * length, (1.0 - _SMEAR) * length
        if high > low:
            counted = _counted(high, periods) - _counted(low, periods)
            kept += tried * counted / (high - low)
    return float(tried[np.argmax(kept)])


def _counted(time: float, periods: FloatArray) -> FloatArray:
    """Return the integral from 0 to `time` of the number of whole periods in it."""
    whole = np.floor(time / periods)
    return np.asarray(whole * (time - periods * (0.5 * whole + 0.5)))


def _exact(mtbf: float, cost: float) -> float:
    return float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))


# Letter or name in the table -> interval that is kept through the window.
RIVALS = {
    "a": best_smoothed,
    "b": exact_of_the_log,
    "c": young_of_the_log,
    "d": hourly,
    "own": exact_of_the_window,
}


def lost_by_constant(window: Window, interval: float) -> float:
    """Return the time lost in the window by a job that keeps one interval, [s].

    The same as `simulate_advised_job` finds for it, by a search for each gap.
    """
    if window.growth != 1.0:
        return lost_by(Constant(interval), window)
    count = min(int(window.duration / interval) + window.struck.size + 2, window.costs.size)
    # Work and costs of the first n checkpoints, as if no failure struck.
    spent = np.concatenate([[0.0], np.cumsum(window.costs[:count] + interval)])
    done, kept = 0, 0.0
    begins, ends = window.gaps()
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        length = end - begin
        upto = int(np.searchsorted(spent, length + spent[done], side="right")) - 1
        kept += (upto - done) * interval
        rest = length - (spent[upto] - spent[done])
        if end == window.duration:
            kept += min(rest, interval)
        done = upto + (rest > interval)  # one that a failure cut short had its cost drawn, too
    return window.duration - kept


class Constant:
    """The advice to keep one interval for ever."""

    def __init__(self, interval: float) -> None:
        self.interval, self.begin = interval, 0.0

    def next_checkpoint(self) -> float:
        """Return when the next checkpoint is due."""
        return self.begin + self.interval

    def started(self, now: float) -> None:
        """Begin a segment at `now`."""
        self.begin = now

    restored = checkpoint_done = started

    def failed(self, now: float) -> None:
        """Hear of a failure."""

    checkpoint_begun = failed


class Knowing:
    """The advice to keep the exact interval for what the rate is, and what a checkpoint costs.

    Parameters
    ----------
    window : Window
        The job.
    mtbfs : tuple of float, [s]
        In the first and in the second half of the window.
    """

    def __init__(self, window: Window, mtbfs: tuple[float, float]) -> None:
        self.window, self.mtbfs, self.due = window, mtbfs, 0.0

    def next_checkpoint(self) -> float:
        """Return when the next checkpoint is due."""
        return self.due

    def started(self, now: float) -> None:
        """Begin a segment at `now`."""
        mtbf = self.mtbfs[now >= 0.5 * self.window.duration]
        self.due = now + _exact(mtbf, self.window.cost * self.window.dearer(now))

    restored = checkpoint_done = started

    def failed(self, now: float) -> None:
        """Hear of a failure."""

    checkpoint_begun = failed
