"""Transforms of one repair, and their complements: 1 - E[exp(-s T)] without the subtraction.

Near s = 0 the transform is 1 less |s| times the mean. A job that hardly ever succeeds is decided
there, and the subtraction would leave it no digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._complement_table import complement
from ._narrow_repairs import is_narrow, narrow_repair
from ._record import Record
from ._special import log1p
from .lifetimes import (
    AbstractLifetime,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)

__all__ = ["RepairTransform", "record_of", "repair_transform"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]


@dataclass(frozen=True, slots=True)
class RepairTransform:
    """The transform of one repair.

    Parameters
    ----------
    transform, complement : callable
        E[exp(-s T)] and E[1 - exp(-s T)], each relatively accurate, for Re s > -abscissa.
    abscissa : float, [1/time]
        0 for a heavy tail.
    """

    transform: Transform
    complement: Transform
    abscissa: float


def repair_transform(law: AbstractLifetime) -> RepairTransform:
    """Return the transform, also left of 0 where it exists."""
    match law:
        case Deterministic():
            value = law.value
            return RepairTransform(
                lambda s: np.exp(-s * value), lambda s: -np.expm1(-s * value), np.inf
            )
        case Exponential():
            mean = law.mean
            return RepairTransform(
                lambda s: 1.0 / (1.0 + mean * s), lambda s: mean * s / (1.0 + mean * s), 1.0 / mean
            )
        case Gamma():
            shape, scale = law.shape, law.scale
            return RepairTransform(
                lambda s: np.exp(-shape * np.log(1.0 + scale * s)),
                lambda s: -np.expm1(-shape * log1p(scale * s)),
                1.0 / scale,
            )
        case HyperExponential():
            p, m = np.array(law.probabilities), np.array(law.means)
            live = p > 0.0
            p, m = p[live], m[live]
            return RepairTransform(
                lambda s: np.sum(p / (1.0 + m * s[..., None]), axis=-1),
                lambda s: s * np.sum(p * m / (1.0 + m * s[..., None]), axis=-1),
                float(1.0 / m.max()),
            )
        case Empirical():
            lasting = last_kept(record_of(law).complement)
            return RepairTransform(lambda s: 1.0 - lasting(s), lasting, np.inf)
        case _:
            lasting = last_kept(_integrated(law))
            return RepairTransform(lambda s: 1.0 - lasting(s), lasting, 0.0)


def record_of(law: Deterministic | Empirical) -> Record:
    """Return the different values with their shares."""
    if isinstance(law, Deterministic):
        return Record(np.array([law.value]), np.ones(1))
    values, counts = np.unique(law.samples, return_counts=True)
    return Record(values, counts / counts.sum())


def _integrated(law: AbstractLifetime) -> Transform:
    if not isinstance(law, LogNormal | Weibull):
        return lambda s: np.asarray(1.0 - law.laplace(s), dtype=np.complex128)
    return narrow_repair(law).complement if is_narrow(law) else partial(complement, law)


def last_kept(transform: Transform) -> Transform:
    """Return the same; asked again for the same array, it is not computed again.

    An inversion needs it twice on its line: in the whole law and in that of the first failures.
    """
    kept: tuple[ComplexArray, ComplexArray] | None = None

    def quick(s: ComplexArray) -> ComplexArray:
        nonlocal kept
        found = kept
        if found is None or found[0] is not s:
            kept = found = (s, transform(s))
        return found[1]

    return quick


def tabulated(transform: Transform) -> Transform:
    """Return the same; for many points of one line by a spline in the log of the height."""

    def quick(s: ComplexArray) -> ComplexArray:
        flat = s.reshape(-1)
        height = flat.imag
        if flat.size <= 1024 or np.ptp(flat.real) > 0.0 or height.min() < 0.0:
            return transform(s)
        from scipy.interpolate import make_interp_spline

        low = max(float(np.min(height[height > 0.0])), 1e-9 * float(height.max()))
        knots = np.geomspace(low, 1.001 * float(height.max()), 1000)
        heights: Any = transform(flat.real[0] + 1j * knots)  # older stubs know of real ones only
        spline = make_interp_spline(np.log(knots), heights, k=7)
        result = np.empty(flat.size, dtype=np.complex128)
        inside = height >= low
        result[inside] = spline(np.log(height[inside]))
        result[~inside] = transform(flat[~inside])
        return result.reshape(s.shape)

    return quick
