"""The classes by which `qsim` breaks its metrics down: job length and job scale."""

from __future__ import annotations

import numpy as np

from ..records import FloatArray, IntArray

LENGTH_CLASSES = ("< 10 min", "10 min - 1 h", "1 h - 4 h", "> 4 h")
SCALE_CLASSES = ("<= 64", "128 - 512", "1024 - 2048", ">= 4096")


def length_class(runtime: FloatArray) -> IntArray:
    """Return the class of `qsim` Table III, 0 to 3, by running time [s].

    Parameters
    ----------
    runtime : ndarray, [s]
        Of each job.

    Returns
    -------
    ndarray of int, [-]
        Position in `LENGTH_CLASSES`; an end belongs to the longer class.
    """
    return np.searchsorted([600.0, 3600.0, 14_400.0], runtime, side="right")


def scale_class(nodes: IntArray) -> IntArray:
    """Return the class of `qsim` Table IV, 0 to 3, by partition size [node].

    Parameters
    ----------
    nodes : ndarray of int, [node]
        Of each job's partition.

    Returns
    -------
    ndarray of int, [-]
        Position in `SCALE_CLASSES`; sizes between two classes count with the larger.
    """
    return np.searchsorted([64, 512, 2048], nodes, side="left")


def mean_by_class(values: FloatArray, classes: IntArray, count: int = 4) -> list[float]:
    """Return the mean of the known values of each class; nan for a class without any.

    Parameters
    ----------
    values : ndarray, [any]
        One per job; nan is unknown.
    classes : ndarray of int
        The class of each, from 0.
    count : int
        How many classes there are.

    Returns
    -------
    list of float
        One per class, in the unit of `values`.
    """
    known = ~np.isnan(values)
    total = np.bincount(classes[known], weights=values[known], minlength=count)
    number = np.bincount(classes[known], minlength=count)
    with np.errstate(invalid="ignore"):
        return [float(mean) for mean in total / number]
