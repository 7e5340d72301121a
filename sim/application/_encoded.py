"""Samplers as numbers, from which the compiled loops of `kernels` can draw."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..samplers import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    FloatArray,
    Gamma,
    HyperExponential,
    LogNormal,
    Recorded,
    Sampler,
    Weibull,
)
from ._arguments import Never

EXPONENTIAL, WEIBULL, GAMMA, LOGNORMAL, HYPEREXPONENTIAL = range(5)
DETERMINISTIC, EMPIRICAL, RECORDED, RECORDED_THEN_NEVER = range(5, 9)
BATHTUB = 9
_UNKNOWN = -1


class Law(NamedTuple):
    """A sampler as numbers: what kind, its two parameters, its list."""

    kind: int
    first: float
    second: float
    table: FloatArray


def encode(sampler: Sampler) -> Law | None:
    """Return the sampler as numbers, or None for one that only Python can draw from."""
    kind, first, second, table = _UNKNOWN, 0.0, 0.0, np.empty(0)
    match sampler:
        case Exponential(mean):
            kind, first = EXPONENTIAL, mean
        case Weibull(shape, scale):
            kind, first, second = WEIBULL, 1.0 / shape, scale
        case Gamma(shape, scale):
            kind, first, second = GAMMA, shape, scale
        case LogNormal(mu, sigma):
            kind, first, second = LOGNORMAL, mu, sigma
        case HyperExponential(probabilities, means):
            kind, table = HYPEREXPONENTIAL, np.array(probabilities + means)
        case Bathtub(share, early, late, turn):
            kind, first, second = BATHTUB, share, sampler.longest
            table = np.array((early, late, turn))
        case Deterministic(value):
            kind, first = DETERMINISTIC, value
        case Never():
            kind, first = DETERMINISTIC, math.inf
        case Empirical(samples):
            kind, table = EMPIRICAL, samples.copy()
        case Recorded(then="error"):
            kind, table = RECORDED, sampler.durations.copy()
        case Recorded():
            kind, table = RECORDED_THEN_NEVER, sampler.durations.copy()
    return None if kind == _UNKNOWN else Law(kind, first, second, table)
