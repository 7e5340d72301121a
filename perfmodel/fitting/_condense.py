"""Few weighted durations in place of many, with the same sums of smooth functions of log t."""

from __future__ import annotations

import math

import numpy as np

from .._checks import FloatArray
from .._special import chebyshev

_NODES = 12
_CHEBYSHEV, _SIGNS = chebyshev(_NODES)


def condense(values: FloatArray, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return points and weights with the same sum for every smooth function of log t.

    On each of many short pieces of the logarithmic axis the function is replaced by its
    interpolant through Chebyshev points; the weights are sums of the Lagrange polynomials.
    `values` are sorted and > 0.
    """
    logs = np.log(values)
    span = logs[-1] - logs[0]
    pieces = max(16, math.ceil(span / 0.25))
    if values.size <= 2 * pieces * _NODES:
        return values, counts
    half = 0.5 * span / pieces
    piece = np.minimum(((logs - logs[0]) / (2.0 * half)).astype(np.intp), pieces - 1)
    centres = logs[0] + half * (2.0 * np.arange(pieces) + 1.0)
    gap = ((logs - centres[piece]) / half)[:, None] - _CHEBYSHEV
    shares = _SIGNS / np.where(gap == 0.0, 1e-300, gap)
    shares *= (counts / shares.sum(axis=1))[:, None]
    weights = np.zeros((pieces, _NODES))
    np.add.at(weights, piece, shares)
    used = np.bincount(piece, minlength=pieces) > 0
    points = np.exp(centres[:, None] + half * _CHEBYSHEV)
    return points[used].ravel(), weights[used].ravel()
