"""Describe a job log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import finite, whole
from ..._shown import facts_html, span
from .jobs import FloatArray, known_jobs
from .measures import DAY, measures, weekly

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class JobLogDescription:
    """What a job log is like.

    Parameters
    ----------
    jobs, left_out : int
        Jobs that are described, and those whose submission, size or length is not known.
    processors : int or None
        Of the machine.
    span : float, [s]
        From the first submission to the last.
    measures : mapping
        Name in `MEASURES` -> its value over the whole log; nan where it is unknown.
    weeks : DataFrame
        The same measures for every whole week of 50 jobs or more, counted from the first
        submission.
    by_hour : ndarray, shape (24,)
        Jobs per hour of the day, mean over days.
    by_weekday : ndarray, shape (7,)
        Jobs per day of the week, Monday first, mean over days.
    days : DataFrame
        For each calendar day of the clock: `jobs`, and `load`, the processor time of jobs
        submitted on it over what the machine has; nan where its processors are not known.
    sizes : DataFrame
        `processors`, `share` of jobs and `load_share` of processor time, by size.
    """

    jobs: int
    left_out: int
    processors: int | None
    span: float
    measures: Mapping[str, float]
    weeks: pd.DataFrame
    by_hour: FloatArray
    by_weekday: FloatArray
    days: pd.DataFrame
    sizes: pd.DataFrame

    def __reduce__(self) -> tuple[Any, ...]:
        values = {name: getattr(self, name) for name in self.__slots__}
        return _unpickled, (values | {"measures": dict(self.measures)},)

    def __repr__(self) -> str:
        facts = self._facts()
        return f"<job log: {', '.join(f'{name} {value}' for name, value in facts.items())}>"

    def _repr_html_(self) -> str:
        return facts_html("Job log", self._facts())

    def _facts(self) -> dict[str, str]:
        """Return what tells this log from others, in words."""
        facts = {"jobs": f"{self.jobs:,}", "submitted over": span(self.span)}
        for name, words in (("load", "load"), ("gap_cv", "CV of gaps")):
            if np.isfinite(self.measures[name]):
                facts[words] = f"{self.measures[name]:.2f}"
        return facts


def describe_jobs(
    frame: pd.DataFrame, *, processors: int | None = None, clock: float = 0.0
) -> JobLogDescription:
    """Describe a job log: arrivals, sizes, lengths, requests, users, sessions, load over time.

    Parameters
    ----------
    frame : DataFrame
        As `read_jobs` returns it; -1 is unknown. Sizes are those allocated, else requested.
    processors : int, optional, [-]
        Of the machine, in the unit of the log; without it the load is unknown.
    clock : float, [s]
        Local time of second 0 of the log, in seconds since 1970-01-01 00:00; hours and days of the
        week are counted by it.

    Returns
    -------
    JobLogDescription
        Over the whole log, and over its weeks: what differs between weeks is the spread that a
        log like it may have.

    Raises
    ------
    ValueError
        If fewer than two jobs ran, all were submitted at once, `processors` is < 1 or `clock` not
        finite.
    TypeError
        If a number is of the wrong kind.

    Notes
    -----
    A session is what one user submits with at most 20 minutes between two submissions; jobs of a
    user are equal if they have the same size and requested time. The offered load of some time is
    the processor time of the jobs submitted in it, wherever they ran.

    Examples
    --------
    >>> import numpy as np
    >>> from sim.traces import intrepid_like
    >>> found = describe_jobs(intrepid_like(np.random.default_rng(1)), processors=163_840)
    >>> found.jobs, round(found.measures["runtime_mean_s"])
    (7630, 4456)
    """
    size = None if processors is None else whole("processors", processors)
    begin = finite("clock", clock)
    jobs = known_jobs(frame)
    length = float(jobs.submit[-1] - jobs.submit[0])
    local = jobs.submit + begin
    day = np.floor(local / DAY).astype(np.int64)
    number = int(day[-1] - day[0]) + 1
    by_hour = np.bincount((local % DAY // 3600.0).astype(np.int64), minlength=24) / number
    # 1970-01-01 was a Thursday.
    weekday = (day + 3) % 7
    dates = (np.arange(day[0], day[-1] + 1) + 3) % 7
    met = np.maximum(np.bincount(dates, minlength=7), 1)
    return JobLogDescription(
        jobs=len(jobs),
        left_out=len(frame) - len(jobs),
        processors=size,
        span=length,
        measures=MappingProxyType(measures(jobs, processors=size, span=length)),
        weeks=weekly(jobs, processors=size),
        by_hour=by_hour,
        by_weekday=np.bincount(weekday, minlength=7) / met,
        days=_by_day(day - day[0], jobs.area, size),
        sizes=_by_size(jobs.processors, jobs.area),
    )


def _by_day(day: Any, area: FloatArray, processors: int | None) -> pd.DataFrame:
    import pandas as pd

    work = np.bincount(day, weights=area)
    load = np.full(work.size, np.nan) if processors is None else work / (processors * DAY)
    return pd.DataFrame({"jobs": np.bincount(day), "load": load}).rename_axis("day")


def _by_size(size: Any, area: FloatArray) -> pd.DataFrame:
    import pandas as pd

    sizes, place = np.unique(size, return_inverse=True)
    total = max(float(area.sum()), np.finfo(np.float64).tiny)
    return pd.DataFrame(
        {
            "processors": sizes,
            "share": np.bincount(place) / size.size,
            "load_share": np.bincount(place, weights=area) / total,
        }
    )


def _unpickled(values: dict[str, Any]) -> JobLogDescription:
    return JobLogDescription(**values | {"measures": MappingProxyType(values["measures"])})
