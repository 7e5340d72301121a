"""Numbers that tell how the jobs of a log follow each other, and how large and long they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..._libm import exp, log
from .jobs import FloatArray, KnownJobs

if TYPE_CHECKING:
    import pandas as pd

DAY, WEEK = 86_400.0, 604_800.0
THINK_TIME = 1_200.0  # [s] between two submissions of one user beyond which a session ends
_FEWEST = 50  # jobs in a week that is described

# Name -> words and unit. A name that ends in `_s` is in seconds.
MEASURES = {
    "jobs_per_day": "jobs a day",
    "gap_mean_s": "mean gap between submissions",
    "gap_cv": "gaps: standard deviation over mean",
    "gap_correlation": "gaps: correlation with the next",
    "load": "offered load",
    "size_mean": "mean size",
    "size_median": "median size",
    "equal_size": "jobs of the size of the one before",
    "equal_size_independent": "the same, if sizes were independent",
    "runtime_mean_s": "mean runtime",
    "runtime_median_s": "median runtime",
    "runtime_correlation": "log runtime: correlation with the next",
    "overestimate_median": "requested over running time, median",
    "accuracy_mean": "running over requested time, mean",
    "overestimate_correlation": "log over-estimate: correlation with the next",
    "overrun": "jobs that ran longer than requested",
    "users": "users",
    "session_jobs": "jobs in a session of a user",
    "equal_to_last": "jobs equal to the user's last one",
    "equal_run": "length of a run of equal jobs",
}


def measures(jobs: KnownJobs, *, processors: int | None, span: float) -> dict[str, float]:
    """Return every measure of some jobs within a time `span` [s]; nan where it is unknown."""
    gaps = np.diff(jobs.submit)
    size = jobs.processors
    ran = np.maximum(jobs.runtime, 1.0)
    length = log(ran)
    asked = jobs.walltime > 0.0
    over = log(jobs.walltime[asked]) - length[asked]
    shares = np.unique(size, return_counts=True)[1] / size.size
    last = previous_of_user(jobs)
    follows = last >= 0
    near = follows & (jobs.submit - jobs.submit[last] <= THINK_TIME)
    alike = follows & (size == size[last]) & (jobs.walltime == jobs.walltime[last])
    known = bool((jobs.user != -1).any())
    work = float(jobs.area.sum())
    return {
        "jobs_per_day": len(jobs) / (span / DAY),
        "gap_mean_s": _mean(gaps),
        "gap_cv": _variation(gaps),
        "gap_correlation": _lag_one(gaps),
        "load": np.nan if processors is None else work / (processors * span),
        "size_mean": _mean(size),
        "size_median": _median(size),
        "equal_size": _mean(size[1:] == size[:-1]),
        "equal_size_independent": float(np.sum(shares**2)),
        "runtime_mean_s": _mean(jobs.runtime),
        "runtime_median_s": _median(jobs.runtime),
        "runtime_correlation": _lag_one(length),
        "overestimate_median": exp(_median(over)),
        "accuracy_mean": _mean(np.minimum(ran[asked] / jobs.walltime[asked], 1.0)),
        "overestimate_correlation": _lag_one(over),
        "overrun": _mean(over < 0.0),
        "users": float(np.unique(jobs.user).size) if known else np.nan,
        "session_jobs": len(jobs) / float(np.sum(~near)) if known else np.nan,
        "equal_to_last": _mean(alike) if known else np.nan,
        "equal_run": len(jobs) / float(np.sum(~alike)) if known else np.nan,
    }


def weekly(jobs: KnownJobs, *, processors: int | None) -> pd.DataFrame:
    """Return the measures of every whole week, from the first submission on, of 50 jobs or more."""
    import pandas as pd

    age = jobs.submit - jobs.submit[0]
    week = (age // WEEK).astype(np.int64)
    whole = int(age[-1] // WEEK)
    rows = {}
    for number in range(whole):
        mine = week == number
        if int(mine.sum()) >= _FEWEST:
            rows[number] = measures(jobs.take(mine), processors=processors, span=WEEK)
    table = pd.DataFrame.from_dict(rows, orient="index", columns=list(MEASURES), dtype=np.float64)
    return table.rename_axis("week")


def previous_of_user(jobs: KnownJobs) -> npt.NDArray[np.int64]:
    """Return the place of the job before of the same user, -1 for the first of each."""
    order = np.argsort(jobs.user, kind="stable")
    same = jobs.user[order][1:] == jobs.user[order][:-1]
    last = np.full(len(jobs), -1, dtype=np.int64)
    last[order[1:][same]] = order[:-1][same]
    return last


def _mean(values: npt.NDArray[Any]) -> float:
    return float(np.mean(values)) if values.size else np.nan


def _median(values: npt.NDArray[Any]) -> float:
    return float(np.median(values)) if values.size else np.nan


def _variation(values: FloatArray) -> float:
    mean = _mean(values)
    return float(np.std(values)) / mean if mean > 0.0 else np.nan


def _lag_one(values: FloatArray) -> float:
    """Return the correlation of each value with the next; nan where values do not differ."""
    if values.size < 3 or np.ptp(values[1:]) == 0.0 or np.ptp(values[:-1]) == 0.0:
        return np.nan
    return float(np.corrcoef(values[:-1], values[1:])[0, 1])
