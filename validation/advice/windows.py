"""Windows of time in which a job asks an advisor: cut out of logs, or drawn."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .logs import FailureLog

__all__ = ["COST", "RECOVERY", "Window", "cut_out", "drawn_costs"]

FloatArray = npt.NDArray[np.float64]

_HOUR, _DAY = 3600.0, 86400.0
COST, RECOVERY = 0.1 * _HOUR, 0.2 * _HOUR
_LEAD = 90.0 * _DAY  # before the first window, seen by priors alone
_PLACES = 40  # windows of a log
_DEVIATION = float(np.sqrt(np.log(1.09)))  # of the logarithm of a cost: a cv of 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A job that runs for some time, the failures that strike it, and what it knows before.

    Parameters
    ----------
    struck : ndarray, [s]
        Instants of the failures, from the start of the window on.
    duration : float, [s]
        Of the window.
    costs : ndarray, [s]
        Of the first, second, ... checkpoint, more than there can be.
    before : ndarray, [s]
        Instants of the failures in the time `lead` before the window, negative.
    lead : float, [s]
        That time.
    cost, recovery : float, [s]
        Mean cost of a checkpoint at first, and cost to read one back.
    growth : float, [-]
        How many times dearer a checkpoint is at the end than at the beginning, rising evenly.
    mtbf : float, [s]
        Long-run MTBF of the machine.
    """

    struck: FloatArray
    duration: float
    costs: FloatArray
    before: FloatArray
    lead: float
    mtbf: float
    cost: float = COST
    recovery: float = RECOVERY
    growth: float = 1.0

    @property
    def own_mtbf(self) -> float:
        """MTBF of the window itself; twice the window if there was no failure, [s]."""
        return self.duration / max(self.struck.size, 0.5)

    def history(self, now: float) -> tuple[int, float]:
        """Return how many failures there were until `now`, in how long a time, [s]."""
        since = now - self.lead
        known = np.count_nonzero(self.before >= since)
        return int(known + ((self.struck >= since) & (self.struck <= now)).sum()), self.lead

    def gaps(self) -> tuple[FloatArray, FloatArray]:
        """Return when work begins or goes on, and when a failure or the end stops it, [s]."""
        begins, ends, begin = [], [], 0.0
        for strike in self.struck.tolist():
            if strike >= begin:
                begins.append(begin)
                ends.append(strike)
            begin = strike + self.recovery
        if begin < self.duration:
            begins.append(begin)
            ends.append(self.duration)
        return np.array(begins), np.array(ends)

    def dearer(self, instant: float) -> float:
        """Return how many times dearer than at first a checkpoint is at an instant."""
        return 1.0 + (self.growth - 1.0) * instant / self.duration


def drawn_costs(
    rng: np.random.Generator, duration: float, failures: int, cost: float
) -> FloatArray:
    """Return costs of mean `cost` and coefficient of variation 0.3, enough for any advisor."""
    count = int(duration / cost) + failures + 10
    return rng.lognormal(np.log(cost) - 0.5 * _DEVIATION**2, _DEVIATION, count)


def cut_out(log: FailureLog, duration: float, *, growth: float = 1.0) -> list[Window]:
    """Return windows of a log, spread evenly over it; none if the log is too short.

    The first begins after 90 days, or a quarter of a shorter log.
    """
    times = log.times
    lead = min(_LEAD, 0.25 * log.span)
    begins = np.linspace(times[0] + lead, times[-1] - duration, _PLACES)
    if not begins[-1] > begins[0]:
        return []
    found = []
    for place, begin in enumerate(begins.tolist()):
        struck = times[(times >= begin) & (times < begin + duration)] - begin
        before = times[(times >= begin - lead) & (times < begin)] - begin
        rng = np.random.default_rng([zlib.crc32(log.name.encode()), place])
        costs = drawn_costs(rng, duration, struck.size, COST)
        found.append(Window(struck, duration, costs, before, lead, log.mtbf, growth=growth))
    return found
