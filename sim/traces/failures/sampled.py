"""Outages of something that was looked at again and again, and was up or down each time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["down_runs"]


def down_runs(
    down: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where runs of True begin, and where the next False stands (the length: nowhere).

    Examples
    --------
    >>> begins, ends = down_runs(np.array([True, False, True, True]))
    >>> begins.tolist(), ends.tolist()
    ([0, 2], [1, 4])
    """
    edges = np.diff(np.concatenate([[0], down.astype(np.int8), [0]]))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
