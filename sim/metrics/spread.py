"""Percentiles: what most jobs met, and what the unlucky ones did."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..records import FloatArray

PERCENTILES = (50, 90, 99)


def percentiles(values: FloatArray, at: Sequence[int] = PERCENTILES) -> list[float]:
    """Return percentiles of the values that are not nan, between two of them linearly.

    Parameters
    ----------
    values : ndarray, [any]
        One per job, such as `wait`; nan is unknown.
    at : sequence of int, [%]
        Between 0 and 100.

    Returns
    -------
    list of float
        One for each of `at`, in the unit of `values`; nan where no value is known.

    Examples
    --------
    >>> import numpy as np
    >>> percentiles(np.array([3.0, 1.0, np.nan, 2.0]), at=(0, 50, 75))
    [1.0, 2.0, 2.5]
    """
    known = values[~np.isnan(values)]
    if known.size == 0:
        return [float("nan")] * len(at)
    return [float(value) for value in np.percentile(known, at)]
