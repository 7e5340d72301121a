"""Drawn machines whose law is known, forecasters that are wrong, and who is told from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy import stats

from perfmodel.forecasts import forecast_failures

from ..advice.logs import FailureLog
from .entries import FUTURES, drawn_under, forecasts, mixture, played
from .scores import Score
from .table import Seer, told
from .windows import DAY, History, Job, Window, asked_of, windows

__all__ = ["CONTROLS", "WRONG", "drawn_windows", "faults"]

FloatArray = npt.NDArray[np.float64]
_YEARS = 3.0
_ALARM = 1e-3  # that a forecaster that holds what it states is found at fault, at the most
_COVERED = (0.87, 0.96)  # which it may hold of 90 % intervals
_PLACE = 0.05  # by which its outcomes may lie off its median, as mean probability


def constant(days: float, rng: np.random.Generator) -> FloatArray:
    """Return failures of a constant rate, [s], one every so many days."""
    return np.cumsum(rng.exponential(days * DAY, int(2.0 * _YEARS * 365.0 / days) + 100))


def drifting(days: float, rng: np.random.Generator) -> FloatArray:
    """Return failures whose log rate walks by 0.03 a day."""
    rates = np.exp(np.cumsum(rng.normal(0.0, 0.03, int(_YEARS * 365.0)))) / days
    each = rng.poisson(np.minimum(rates, 100.0))
    starts = np.repeat(np.arange(len(rates)), each)
    return np.sort(starts + rng.uniform(size=len(starts))) * DAY


def renewed(days: float, rng: np.random.Generator) -> FloatArray:
    """Return failures with uptimes of Weibull's law of shape 0.6, the mean of so many days."""
    law = stats.weibull_min(0.6)
    count = int(3.0 * _YEARS * 365.0 / days) + 100
    return np.cumsum(law.rvs(count, random_state=rng) * days * DAY / law.mean())


CONTROLS: Mapping[str, Callable[[float, np.random.Generator], FloatArray]] = {
    "constant rate": constant,
    "drifting rate": drifting,
    "Weibull 0.6": renewed,
}


def drawn_windows(
    control: str, seed: int, *, machines: int = 6, works_d: Sequence[float] = (7.0, 30.0, 90.0)
) -> Iterator[Window]:
    """Yield the windows of drawn machines that fail every half to three days."""
    number = list(CONTROLS).index(control)
    for machine in range(machines):
        rng = np.random.default_rng([seed, number, machine])
        times = CONTROLS[control]((machine + 1) / 2.0, rng)
        log = FailureLog(f"{control} {machine + 1}", times[times < _YEARS * 365.0 * DAY])
        asked = (each for each in asked_of(log, shifts=(0.0,)) if each.work_d in works_d)
        yield from windows(log, asked)


def faults(scores: Iterable[Score]) -> list[str]:
    """Return what is wrong with a forecaster, by work, at a total false alarm of 0.001.

    Outcomes of one work in one control do not overlap, so that for who holds what it states they
    are independent: counts of 90 % intervals that hold are compared with binomial limits about 87
    to 96 %, the mean probability stated of what came with a half and 0.05 about it.
    """
    found: dict[tuple[str, float], list[Score]] = {}
    for each in scores:
        found.setdefault((each.log.rsplit(" ", 1)[0], each.work), []).append(each)
    alarm = _ALARM / (4 * len(found)) if found else _ALARM
    said = []
    for (control, work), group in found.items():
        where, count = f"{control}, {work / DAY:g} days", len(group)
        hits = sum(each.covered(0.9) for each in group)
        if stats.binom.cdf(np.ceil(hits - 1e-9), count, _COVERED[0]) < alarm:
            said.append(f"{where}: holds {hits / count:.0%}, too few")
        if stats.binom.sf(np.floor(hits + 1e-9) - 1, count, _COVERED[1]) < alarm:
            said.append(f"{where}: holds {hits / count:.0%}, too many")
        place = float(np.mean([(each.below + each.up_to) / 2.0 for each in group]))
        if abs(place - 0.5) > _PLACE + stats.norm.isf(alarm) / np.sqrt(12.0 * count):
            said.append(f"{where}: mean place {place:.2f}")
    return said


def halved_spread(history: History, job: Job) -> FloatArray:
    """State half the spread of the mixture about its median."""
    draws = mixture(history, job)
    middle = float(np.median(draws))
    return middle + 0.5 * (draws - middle)


def faster(history: History, job: Job) -> FloatArray:
    """State the mixture of failures that come 1.5 times as often."""
    found = [replace(each, means=1.5 * each.means) for each in forecasts(history, job)]
    return drawn_under(found, job)


def nothing_forgotten(history: History, job: Job) -> FloatArray:
    """State the mixture without memory of different lengths, and without drift to come."""
    found = forecast_failures(
        history.struck(job.nodes)[0],
        observed_time=history.observed,
        window=job.work,
        half_lives=(np.inf,),
        spreads=(0.0,),
    )
    return drawn_under([found], job)


def peeks(window: Window) -> FloatArray:
    """State a constant rate at the mean of the coming year."""
    job = window.job
    span = min(365.0 * DAY, max(window.future, default=job.work))
    count = int((window.future <= span).sum())
    rng = np.random.default_rng(job.seed)
    counts = rng.poisson(max(count, 0.5) / span * job.longest, FUTURES)
    return played(job, [np.sort(rng.uniform(0.0, job.longest, each)) for each in counts])


def true_rate(window: Window) -> FloatArray:
    """State the law of a constant rate that is known, as nobody is at fault who does."""
    job = window.job
    mtbf = int(window.log.rsplit(" ", 1)[1]) / 2.0 * DAY
    rng = np.random.default_rng(job.seed)
    counts = rng.poisson(job.longest / mtbf, FUTURES)
    return played(job, [np.sort(rng.uniform(0.0, job.longest, each)) for each in counts])


WRONG: Mapping[str, Seer] = {
    "half the spread": told(halved_spread),
    "rate times 1.5": told(faster),
    "forgets nothing": told(nothing_forgotten),
    "peeks at the coming year": peeks,
}
