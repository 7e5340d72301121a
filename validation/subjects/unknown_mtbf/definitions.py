"""Bayes' theorem and averages over MTBFs, by quadrature over rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from validation.judge.chance import FloatArray

__all__ = ["average", "posterior_cdf"]

_REACH = 9.0  # around the root of the failures: 18 deviations


def posterior_cdf(mtbf: float, *, failures: int, observed_time: float, truncation: str) -> float:
    """Return P(MTBF <= mtbf): likelihood times prior, over the rates above 1/mtbf and over all."""
    least = math.sqrt(observed_time / mtbf)
    weights = [
        _integral(lambda root: _density(root, failures, truncation), low, failures)
        for low in (least, 0.0)
    ]
    return weights[0] / weights[1]


def average(
    value: Callable[[FloatArray], FloatArray], *, failures: int, observed_time: float
) -> float:
    """Return the mean of a function of the MTBF after a time of observation fixed beforehand."""
    whole = _integral(lambda root: _density(root, failures, "time"), 0.0, failures)

    def weighted(root: FloatArray) -> FloatArray:
        mtbf = observed_time / np.maximum(root, 1e-9) ** 2
        return np.asarray(value(mtbf) * _density(root, failures, "time"))

    return _integral(weighted, 0.0, failures) / whole


def _density(root: FloatArray, failures: int, truncation: str) -> FloatArray:
    """Return likelihood times prior of the root of the expected failures, up to a constant.

    Jeffreys' prior for a time is even in the root; that for a number of failures in the logarithm.
    """
    expected = np.maximum(root, 1e-150) ** 2
    most = float(failures) * math.log(max(failures, 1)) - failures
    likelihood = np.exp(failures * np.log(expected) - expected - most)
    return np.asarray(likelihood if truncation == "time" else likelihood / np.maximum(root, 1e-150))


@cache
def _rule() -> tuple[FloatArray, FloatArray]:
    rule: Any = np.polynomial.legendre.leggauss  # without types before numpy 2.2
    nodes, weights = rule(400)
    return nodes, weights


def _integral(value: Callable[[FloatArray], FloatArray], low: float, failures: int) -> float:
    centre = math.sqrt(failures)
    ends = max(low, centre - _REACH, 0.0), max(low, centre) + _REACH
    nodes, weights = _rule()
    half = 0.5 * (ends[1] - ends[0])
    return float(half * (weights * value(ends[0] + half * (1.0 + nodes))).sum())
