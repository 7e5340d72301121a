"""Which numbers a study shows first, told by those that it has."""

from __future__ import annotations

from collections.abc import Collection

from ..deadlines.question import MEASURES as DEADLINES
from ..grids.study import MEASURES as GRIDS
from ..recoveries.question import MEASURES as RECOVERIES
from ..replays.question import MEASURES as REPLAYS
from .plan import Measure


def measures_of_study(known: Collection[str]) -> tuple[Measure, ...]:
    """Return the numbers that the command shows whose study has these metrics.

    Parameters
    ----------
    known : collection of str
        Metrics of a study, by the names of JSON.

    Returns
    -------
    tuple of Measure
        Of replays those that are known, where no study has all of its own.
    """
    for each in (DEADLINES, GRIDS, RECOVERIES, REPLAYS):
        if all(one.metric in known for one in each):
            return each
    return tuple(one for one in REPLAYS if one.metric in known)
