"""Five weeks of Intrepid that begin with the real jobs, and have what the paper `qsim` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..resampled.condition import Condition
from ..resampled.resample import resample_jobs
from .intrepid_like import CORES_PER_NODE, DAYS, JOBS, MEAN_RUNTIME, requests
from .jobs import generated_frame

if TYPE_CHECKING:
    import pandas as pd

# Upper limits of the classes of Tables III [s] and IV [node], and their shares; the last class has
# the rest.
_LENGTHS = ((600.0, 0.199), (3_600.0, 0.467), (14_400.0, 0.295))
_SIZES = ((65.0, 0.143), (513.0, 0.545), (2_049.0, 0.225))
_ROUNDED = 0.0005  # half a unit of the last printed digit of a share
# One in 16 meets all: a burst of 436 of the known jobs has to stand four or five times, and where
# too few were drawn no exchange with others comes nearer.
_SEARCHES = 400


def intrepid_month(first: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Draw the rest of Intrepid's first five weeks of 2009 after the jobs that are known.

    Whole days of the known jobs are drawn, their inner order kept, and exchanged piece by piece
    until known and drawn jobs together have the printed number of jobs, shares of Tables III and IV
    and mean running time. They follow the last known job at once, up to the printed 35 days.

    Parameters
    ----------
    first : DataFrame
        The beginning of the log, as `read_swf` returns it, with ``processors`` in nodes.
    rng : numpy Generator
        Decides which days are drawn, and requested times where none is recorded.

    Returns
    -------
    DataFrame
        The columns of `read_swf`; processors are cores, 4 per node, requested times from 5 min to
        12 h as `intrepid_like` draws them.

    Raises
    ------
    ValueError
        If `first` has 7,630 jobs or 35 days, or more, or the printed numbers cannot be met with
        its days.
    """
    known = first.sort_values("submit", kind="stable")
    submit = known["submit"].to_numpy(dtype=np.float64)
    begun = (submit[-1] - submit[0]) / 86_400.0
    if len(known) >= JOBS or begun >= DAYS:
        raise ValueError(
            f"first must have less than {JOBS:,} jobs and {DAYS:g} days, got {len(known):,} and "
            f"{begun:.4g}"
        )
    rest = _drawn(known, rng, DAYS - begun)
    after = rest["submit"].to_numpy(dtype=np.float64)
    runtime = np.concatenate([part["runtime"].to_numpy(np.float64) for part in (known, rest)])
    asked = np.concatenate([part["walltime"].to_numpy(np.float64) for part in (known, rest)])
    nodes = np.concatenate([part["processors"].to_numpy(np.int64) for part in (known, rest)])
    return generated_frame(
        submit=np.floor(np.concatenate([submit, submit[-1] + (after - after[0])]) - submit[0]),
        processors=CORES_PER_NODE * nodes,
        runtime=runtime,
        walltime=np.where(asked > 0.0, asked, requests(rng, runtime)),
    )


def _drawn(known: pd.DataFrame, rng: np.random.Generator, days: float) -> pd.DataFrame:
    """Return jobs of whole days with what is left of the printed numbers."""
    like = tuple(_left(known))
    for search in range(_SEARCHES):
        try:
            return resample_jobs(known, rng, by="day", days=days, like=like)
        except ValueError:
            if search == _SEARCHES - 1:
                raise
    raise AssertionError


def _left(known: pd.DataFrame) -> Iterator[Condition]:
    """Yield what the jobs after the known ones must have for all to have the printed numbers."""
    count = JOBS - len(known)
    yield Condition("jobs", float(count), 0.5)
    for measure, classes in (("processors", _SIZES), ("runtime", _LENGTHS)):
        values, low = known[measure].to_numpy(dtype=np.float64), 0.0
        for high, share in (*classes, (np.inf, 1.0 - sum(share for _, share in classes))):
            inside = int(np.count_nonzero((values >= low) & (values < high)))
            yield Condition(
                "processors" if measure == "processors" else "runtime",
                (share * JOBS - inside) / count,
                _ROUNDED * JOBS / count,
                at_least=low,
                below=high,
            )
            low = high
    total = MEAN_RUNTIME * JOBS - float(known["runtime"].sum())
    yield Condition("runtime", total / count, 0.5 * JOBS / count)
