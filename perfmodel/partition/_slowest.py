"""Mean and standard deviation of the slowest of many subtasks that are all different."""

from __future__ import annotations

import numpy as np
from scipy import special

from .._checks import FloatArray
from .._special import legendre
from .machines import Subtasks

__all__ = ["farthest", "log_cdfs", "panels", "slowest_moments"]

_NODES, _WEIGHTS = legendre(8)
_EVEN = 8  # panels of equal width around the bulk
_GROWTH = 1.5
_PANELS = 60
_CELLS = 1 << 11
_DEPTH = 30.0  # e^-30 of the scale: below it nothing can add up to a digit
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
    number = np.ones(tasks.start.shape) if counts is None else counts
    present = number > 0.0
    failing = np.where(present, tasks.failing, 0.0)
    start = np.max(np.where(present, tasks.start, 0.0), axis=-1)
    total = np.sum(number, axis=-1)
    top = farthest(tasks, failing, total, start)
    lossy = top > 0.0
    unit = np.where(lossy, top, 1.0)
    edges = _edges(np.where(failing > 0.0, tasks.shape, 0.0))
    first, second = np.zeros(start.shape), np.zeros(start.shape)
    some = max(1, _CELLS // tasks.start.size)  # panels at a time, to spare small sets the loop
    for at in range(0, edges.size - 1, some):
        lower = edges[at + 1 : at + 1 + some, None]
        upper = edges[at : at + len(lower), None]
        half = 0.5 * (upper - lower)
        x = np.exp(lower + half * (1.0 + _NODES)).ravel()
        weights = (half * _WEIGHTS).ravel() * x
        log_cdf = _log_cdf(tasks, failing, number, start, unit * x.reshape(-1, *[1] * start.ndim))
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
    mean = start + np.where(lossy, unit * first, 0.0)
    variance = np.where(lossy, unit**2 * np.maximum(second - first * first, 0.0), 0.0)
    return mean, np.sqrt(variance)


def _edges(shape: FloatArray) -> FloatArray:
    """Return ends of panels in the logarithm of the excess, from 0 down to `_DEPTH`."""
    width = min(0.5, 5.0 / np.sqrt(max(1.0, float(np.max(shape)))))
    widths = width * _GROWTH ** np.maximum(0.0, np.arange(_PANELS) - _EVEN)
    edges = -np.concatenate([[0.0], np.cumsum(widths)])
    return edges[: 1 + np.argmax(edges < -_DEPTH)]


def panels(shape: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Return all nodes, as shares of the farthest excess, their weights, and the last end."""
    edges = _edges(shape)
    half = 0.5 * (edges[:-1] - edges[1:])[:, None]
    x = np.exp(edges[1:, None] + half * (1.0 + _NODES))
    # Nodes fall from panel to panel, and the last one is the nearest to the start.
    return x[:, ::-1].ravel(), (half * _WEIGHTS * x)[:, ::-1].ravel(), float(np.exp(edges[-1]))


def farthest(
    tasks: Subtasks, failing: FloatArray, total: FloatArray, start: FloatArray
) -> FloatArray:
    """Return an excess that is exceeded with probability 1e-14 at most.

    By the Chernoff bound a Gamma law of shape a exceeds a + sqrt(2 a L) + L with e^-L at most.
    """
    with np.errstate(divide="ignore"):
        level = np.log(failing * total[..., None] / 1e-14)
    level = np.maximum(level, 0.0)
    reach = tasks.scale * (tasks.shape + np.sqrt(2.0 * tasks.shape * level) + level)
    beyond = np.where(failing > 0.0, tasks.start - start[..., None] + reach, 0.0)
    return np.asarray(np.maximum(np.max(beyond, axis=-1), 0.0))


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
