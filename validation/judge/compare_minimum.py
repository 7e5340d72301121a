"""Comparison of a predicted minimiser with the minimum of a simulated mean."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .chance import FloatArray, mean_and_stderr, refused, replications, too_few, z_limit
from .verdict import Verdict

__all__ = ["STEP", "compare_minimiser"]

STEP = 0.2  # distance of the points on the logarithmic scale

# Derivatives at the middle of seven points a step apart, exact for polynomials of sixth degree:
# those of five points moved a minimum by 0.4 % at steps of 0.4, which large samples see.
_POINTS = np.arange(-3.0, 4.0)
_FIRST = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
_SECOND = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0


def compare_minimiser(
    predicted: float,
    sample: Callable[[float, int], FloatArray],
    *,
    alpha: float,
    tolerance: float,
    step: float = STEP,
) -> Verdict:
    """Judge the place of the minimum of a mean by the simulated slope there.

    ``sample(x, k)`` returns independent replications at x, from stream k of seven. At the
    minimum the slope is zero: z is the simulated slope in standard errors. Slope over curvature,
    both simulated, is the distance of the minimum; its standard error gives the resolution.
    """
    if not 0.0 < predicted < np.inf:
        return refused(predicted, float("nan"), f"no sample can be simulated at {predicted}")
    values = [
        replications(sample(predicted * float(np.exp(step * point)), index))
        for index, point in enumerate(_POINTS)
    ]
    means, errors = np.array([mean_and_stderr(column) for column in values]).T
    slope, noise = float(_FIRST @ means) / step, float(np.linalg.norm(_FIRST * errors)) / step
    curvature = float(_SECOND @ means) / step**2
    unsure = float(np.linalg.norm(_SECOND * errors)) / step**2
    limit = z_limit(alpha)
    z = -slope / noise
    bent = curvature > limit * unsure
    # Only the error of the slope: near the minimum that of the curvature is of second order.
    resolution = limit * noise / curvature if bent else float("inf")
    note, answered = "", True
    if not abs(z) <= limit:
        note = f"the mean is not at its minimum there: its slope is {-z:+.1f} standard errors"
    elif not resolution <= tolerance:
        note, answered = too_few(values[0].size, resolution, tolerance), False
    return Verdict(
        "exact",
        predicted,
        predicted * float(np.exp(-slope / curvature)) if bent else float("nan"),
        predicted * noise / curvature if bent else float("nan"),
        z,
        resolution,
        passed=not note,
        note=note,
        answered=answered,
    )
