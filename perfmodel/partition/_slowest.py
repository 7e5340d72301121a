"""Mean and standard deviation of the slowest of many subtasks that are all different."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from .._checks import FloatArray
from .._special import chebyshev, legendre
from .machines import Subtasks

_NODES, _WEIGHTS = legendre(8)
_EVEN = 8  # panels of equal width around the bulk
_GROWTH = 1.5
_MOST_PANELS = 4000
_ALIKE = 0.05  # in the logarithm of the excess
_CELLS = 1 << 11
_DEPTH = 30.0  # e^-30 of the scale: below it nothing can add up to a digit
_DEEPEST = 640.0  # where repairs may outlast the work by as much as floats hold
_LARGE = 256  # subtasks from which on points are spared
_STEEP = 1e6  # minus the log of a cdf beyond which rounding has left no smooth function
_POINTS = 12
_CLOSE = 1e-7  # how near the interpolated cdf must be at the points between
_CHEBYSHEV, _SIGNS = chebyshev(_POINTS)
_BETWEEN = np.cos(np.pi * np.array([1.0, 8.0]) / _POINTS)
_NEVER = -32.0  # log of a cdf that adds no digit


def slowest_moments(
    tasks: Subtasks, counts: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation of the slowest subtask, wsj eq. (8), [time].

    The last axis runs over different subtasks, of which there are `counts`; with 0 one is left
    out. Before the largest `start` the cdf is 0. Beyond it the sf is integrated in y, the
    logarithm of the excess, where Gamma laws of any shape are smooth: by Gauss-Legendre panels
    from the far tail down to where the cdf is 0 and the rest of the integral is known.
    """
    with np.errstate(all="ignore"):  # what a float cannot hold is inf
        return _moments(tasks, np.ones(tasks.start.shape) if counts is None else counts)


def _moments(tasks: Subtasks, number: FloatArray) -> tuple[FloatArray, FloatArray]:
    present = number > 0.0
    failing = np.where(present, tasks.failing, 0.0)
    start = np.max(np.where(present, tasks.start, 0.0), axis=-1)
    total = np.sum(number, axis=-1)
    top = farthest(tasks, failing, total, start)
    top = np.where(np.isfinite(top), top, np.inf)
    lossy = (top > 0.0) & np.isfinite(top)
    unit = np.where(lossy, top, 1.0)
    edges = _edges(tasks, failing, total, start, np.where(lossy, top, 0.0))
    first, second = np.zeros(start.shape), np.zeros(start.shape)
    large = start.ndim == 0 and tasks.start.size >= _LARGE
    # Panels at a time, to spare small sets the loop, and large ones points.
    some = 4 if large else max(1, _CELLS // tasks.start.size)

    def log_cdf_at(x: FloatArray) -> FloatArray:
        return _log_cdf(tasks, failing, number, start, unit * x.reshape(-1, *[1] * start.ndim))

    for at in range(0, edges.size - 1, some):
        lower = edges[at + 1 : at + 1 + some, None]
        upper = edges[at : at + len(lower), None]
        half = 0.5 * (upper - lower)
        places = (lower + half * (1.0 + _NODES)).ravel()
        x = np.exp(places)
        weights = (half * _WEIGHTS).ravel() * x
        log_cdf = None
        if large:
            log_cdf = _smooth(log_cdf_at, float(lower[-1, 0]), float(upper[0, 0]), places)
        if log_cdf is None:
            log_cdf = log_cdf_at(x)
        with np.errstate(under="ignore"):
            sf = -np.expm1(log_cdf)
        first += np.tensordot(weights, sf, axes=1)
        second += np.tensordot(2.0 * weights * x, sf, axes=1)
        end = float(np.exp(lower[-1, 0]))
        if bool(np.all(log_cdf[-_NODES.size :] < _NEVER)):
            break
    # Below the last panel the cdf is that of its end, 0 where the loop was left early.
    rest = end * sf[-_NODES.size]
    first += rest
    second += end * rest
    mean = start + np.where(lossy, unit * first, top)
    std = unit * np.sqrt(np.maximum(second - first * first, 0.0))
    return mean, np.where(lossy, std, top)


def _smooth(
    log_cdf_at: Callable[[FloatArray], FloatArray], low: float, high: float, places: FloatArray
) -> FloatArray | None:
    """Return log cdf at many logarithms of the excess from fewer; None where that is not accurate.

    The log of minus the log of the cdf is smooth, and falls like a Gamma tail: what is summed over
    all subtasks is interpolated through Chebyshev points.
    """
    if _POINTS + _BETWEEN.size >= places.size:
        return None
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    few = -log_cdf_at(np.exp(middle + half * np.append(_CHEBYSHEV, _BETWEEN)))
    if not (np.all(few > 0.0) and np.all(few < _STEEP)):
        return None
    gaps = np.append((places - middle) / half, _BETWEEN)[:, None] - _CHEBYSHEV
    shares = _SIGNS / np.where(gaps == 0.0, 1e-300, gaps)
    shares /= shares.sum(axis=1)[:, None]
    found = -np.exp(shares @ np.log(few[:_POINTS]))
    with np.errstate(under="ignore"):
        off = np.abs(np.exp(found[-_BETWEEN.size :]) - np.exp(-few[_POINTS:]))
    return np.asarray(found[: places.size]) if np.all(off <= _CLOSE) else None


def _edges(
    tasks: Subtasks, failing: FloatArray, total: FloatArray, start: FloatArray, top: FloatArray
) -> FloatArray:
    """Return ends of panels in the logarithm of the excess over `top`, falling from 0.

    Below the top of each law they are as narrow as it is, and then widen until the next top.
    """
    beyond = _beyond(tasks, failing, total, start)
    whole = np.broadcast_to(np.maximum(top, 1e-300)[..., None], beyond.shape)
    alive = beyond > 0.0
    tops = np.log(np.minimum(beyond[alive] / whole[alive], 1.0))
    shape = np.maximum(tasks.shape[alive], 1.0)
    spread = tasks.scale[alive] / whole[alive] * np.sqrt(shape)
    width = np.minimum(0.5, 5.0 / np.sqrt(shape))
    if tops.size > _LARGE:  # of tops that are near each other the narrowest law
        place = np.floor(tops / _ALIKE)
        order = np.argsort(place, kind="stable")
        first = np.flatnonzero(np.diff(place[order], prepend=-np.inf))
        tops = np.maximum.reduceat(tops[order], first)
        spread = np.minimum.reduceat(spread[order], first)
        width = np.minimum.reduceat(width[order], first)
    with np.errstate(divide="ignore"):
        early = float(np.log(np.min(start / np.maximum(top, 1e-300), initial=1.0)))
    depth = min(_DEPTH - min(early, 0.0), _DEEPEST)
    found, at = [0.0], 0.0
    while at > -depth and len(found) < _MOST_PANELS:
        passed = tops >= at
        bulk = np.minimum(0.5, 5.0 * spread[passed] * math.exp(-at))
        grown = np.maximum(0.0, tops[passed] - at - _EVEN * width[passed]) * (1.0 - 1.0 / _GROWTH)
        step = float(np.min(np.maximum(width[passed], bulk) + grown, initial=_DEPTH))
        # The first panel of a law further below may begin a little above its top.
        at = max(at - step, float(np.max(tops[~passed] - width[~passed], initial=-np.inf)))
        found.append(at)
    return np.array(found)


def panels(
    tasks: Subtasks, failing: FloatArray, total: FloatArray, start: FloatArray, top: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """Return all nodes, as shares of `top`, their weights, and the last end."""
    edges = _edges(tasks, failing, total, start, top)
    half = 0.5 * (edges[:-1] - edges[1:])[:, None]
    x = np.exp(edges[1:, None] + half * (1.0 + _NODES))
    # Nodes fall from panel to panel, and the last one is the nearest to the start.
    return x[:, ::-1].ravel(), (half * _WEIGHTS * x)[:, ::-1].ravel(), float(np.exp(edges[-1]))


def farthest(
    tasks: Subtasks, failing: FloatArray, total: FloatArray, start: FloatArray
) -> FloatArray:
    """Return an excess that is exceeded with probability 1e-14 at most, given that any is."""
    return np.asarray(np.maximum(np.max(_beyond(tasks, failing, total, start), axis=-1), 0.0))


def _beyond(
    tasks: Subtasks, failing: FloatArray, total: FloatArray, start: FloatArray
) -> FloatArray:
    """Return this excess for each subtask.

    By the Chernoff bound a Gamma law of shape a exceeds a + sqrt(2 a L) + L with e^-L at most.
    """
    # However rare a failure is, what it costs decides the deviation.
    level = np.log(np.maximum(failing * total[..., None], 1.0) / 1e-14)
    reach = tasks.scale * (tasks.shape + np.sqrt(2.0 * tasks.shape * level) + level)
    return np.where(failing > 0.0, tasks.start - start[..., None] + reach, 0.0)


def _log_cdf(
    tasks: Subtasks, failing: FloatArray, number: FloatArray, start: FloatArray, excess: FloatArray
) -> FloatArray:
    lost = (start + excess)[..., None] - tasks.start
    return np.asarray(np.sum(number * _logs(tasks, failing, lost), axis=-1))


def log_cdfs(tasks: Subtasks, times: FloatArray) -> FloatArray:
    """Return log P(subtask <= time), [-].

    `times` has one row for each row of `tasks`; last axis machines, the times before it.
    """
    each = Subtasks(
        *(column[:, None, :] for column in (tasks.start, tasks.failing, tasks.shape, tasks.scale))
    )
    return _logs(each, each.failing, times[..., None] - each.start)


def _logs(tasks: Subtasks, failing: FloatArray, lost: FloatArray) -> FloatArray:
    shape, x = np.broadcast_arrays(tasks.shape, np.maximum(lost, 0.0) / tasks.scale)
    # Below its bulk the upper function is a hundred times slower than 1 minus the lower one.
    low = x < np.maximum(shape, 1.1)
    upper = np.empty(x.shape)
    # By masks: with `where` and `out` these ufuncs were seen to crash.
    upper[low] = 1.0 - special.gammainc(shape[low], x[low])
    upper[~low] = special.gammaincc(shape[~low], x[~low])
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-failing * upper))
