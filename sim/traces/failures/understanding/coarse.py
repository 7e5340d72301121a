"""Times that a log rounds to days or hours: which failures they hide, and where these may lie."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

DAY, HOUR = 86_400.0, 3600.0
_DATES = 5  # on which all failures come at one time of day, so that it is none
_MANY = 30  # failures at whole hours that are no chance
_BEGINNING = 1_000  # of a log, which shows that its times have minutes
_NEAR = 20  # failures, over which a rate hardly changes
_SEED = 0  # what is not known is drawn, alike at each reading
_SURE = 2.3263  # deviations: chance brings more ties with 0.01
_IN_ORDER = 0.1  # of the rows, before which a time is earlier; above, a log has no order


def step_of(times: FloatArray) -> float:
    """Return the step to which times are rounded, [s]: a day, an hour, or 0 for none of these.

    Local days over a change of summer time begin at two hours of UTC.
    """
    if times.size < 2 or (times.size > _BEGINNING and not step_of(times[:_BEGINNING])):
        return 0.0
    clocks = np.unique(times % DAY)
    if clocks.size == 1 and clocks[0] == 0.0:
        return DAY
    summer = clocks.size == 2 and clocks[1] - clocks[0] in (HOUR, DAY - HOUR)
    if (clocks.size == 1 or summer) and np.unique(times // DAY).size >= _DATES:
        return DAY
    hours = times.size >= _MANY and bool((times % HOUR == times[0] % HOUR).all())
    return HOUR if hours else 0.0


def rule_of(step: float) -> str:
    """Return the name of the rule by which failures within a step of each other count."""
    return "same-hour" if step == HOUR else "same-day"


def told_apart(times: FloatArray) -> tuple[FloatArray, int, float]:
    """Place failures at random in the day or hour that is all that is known of them.

    Those of a day are taken for different failures. Those of an hour are if chance explains how
    many there are; else they are failures of one instant, as of a lost rack. A log without ties,
    and the first failures of the first and the last step, stay where they are.

    Parameters
    ----------
    times : ndarray, [s], shape (n,)
        Ascending times of different outages.

    Returns
    -------
    ndarray, [s], shape (n,)
        Ascending times, the same at each call.
    int
        How many follow another within a step.
    float, [s]
        The step.
    """
    step = step_of(times)
    again = int((times[1:] == times[:-1]).sum())
    if not again or not step or times[0] == times[-1]:
        return times, 0, step
    if step < DAY and again > _ties_by_chance(times, step):
        return times, 0, step
    placed = np.sort(times + step * np.random.default_rng(_SEED).random(times.size))
    for same in (times == times[0], times == times[-1]):
        placed[same] -= placed[same][0] - times[same][0]
    return placed, again, step


def _ties_by_chance(times: FloatArray, step: float) -> float:
    """Return how many ties failures at random have in steps, at most."""
    expected = 0.0
    for some in np.array_split(times, max(times.size // _NEAR, 1)):
        steps = float((some[-1] - some[0]) / step + 1.0)
        expected += some.size - steps * (1.0 - (1.0 - 1.0 / steps) ** some.size)
    return expected + _SURE * math.sqrt(expected)


def occurrences(times: FloatArray, lines: IntArray, alike: IntArray) -> IntArray:
    """Return how many equal rows stand before each in the same run of ascending lines.

    A second copy of a log begins a run, so that its rows get the numbers of the first. A log in no
    order is one run.
    """
    order = np.argsort(lines, kind="stable")
    steps = np.diff(times[order])
    back = steps < 0.0 if (steps < 0.0).sum() <= (steps > 0.0).sum() else steps > 0.0
    run = np.zeros(times.size, dtype=np.int64)
    if back.sum() <= _IN_ORDER * times.size:
        run[order[1:]] = np.cumsum(back)
    by_row = np.lexsort((lines, alike, run))
    new = np.append(True, (np.diff(run[by_row]) != 0) | (np.diff(alike[by_row]) != 0))
    first = np.flatnonzero(new)
    found = np.empty_like(run)
    found[by_row] = np.arange(run.size) - np.repeat(first, np.diff(np.append(first, run.size)))
    return found
