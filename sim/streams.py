"""Independent random streams, numbered so that results do not depend on the order of runs.

A run has one seed, and each thing that is drawn in it a stream of its own, so that what one draws
does not depend on the others. Things alike have one number: node k of a machine that fails, block k
of replications. All else has a name below, ``stream(seed, *LOCAL_SEARCH)``, and no two share one.
"""

from __future__ import annotations

import numpy as np

from ._checks import whole

__all__ = [
    "BOOTSTRAP",
    "BURSTS",
    "DETECTABILITY",
    "FALSE_ALARMS",
    "GRID_FAILURES",
    "JOB_LOG",
    "LEMONS",
    "LOAD_BALANCING",
    "LOCAL_SEARCH",
    "RECOVERY_OPTIONS",
    "STATED_ALARMS",
    "stream",
    "streams",
]

RECOVERY_OPTIONS = (0, 1)  # that jobs have chosen
JOB_LOG = (0, 2)  # drawn for the run; a third number for what is changed in it
LOCAL_SEARCH = (0, 3)  # moves
LOAD_BALANCING = (0, 4)  # clusters taken by FCFS-LB
GRID_FAILURES = (0, 5)  # of all machines together
DETECTABILITY = (0, 6)  # of failures, by a forecaster
FALSE_ALARMS = (0, 7)  # of a forecaster; an hour each
BURSTS = (0, 8)  # of failures of nodes: sizes, times and places
LEMONS = (0, 9)  # nodes that fail more often
BOOTSTRAP = (0, 10)  # resamples of a study
STATED_ALARMS = (0, 11)  # of a forecaster, true and false, and what they state


def stream(seed: int, *key: int) -> np.random.Generator:
    """Return the generator number `key` of `seed`; equal arguments give equal draws.

    Parameters
    ----------
    seed : int
        Of a whole run; >= 0.
    *key : int
        Which of its streams; >= 0.

    Returns
    -------
    numpy.random.Generator
        At its beginning.

    Raises
    ------
    ValueError
        If `seed` or `key` is negative.
    TypeError
        If `seed` is not a number.
    """
    checked = whole("seed", seed, least=0)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(checked, spawn_key=key)))


def streams(seed: int, count: int) -> list[np.random.Generator]:
    """Return `count` independent generators, the same for any number of workers.

    Parameters
    ----------
    seed : int
        Of a whole run; >= 0.
    count : int
        How many.

    Returns
    -------
    list of numpy.random.Generator
        Those of keys 0 to count - 1.

    Raises
    ------
    ValueError
        If `seed` is negative.
    """
    return [stream(seed, index) for index in range(count)]
