"""Failures of a log by their cause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..._checks import BoolArray, FloatArray

if TYPE_CHECKING:
    from .failures import Log

_UNKNOWN = ("", "unknown", "undetermined")


@dataclass(frozen=True, slots=True)
class Cause:
    """Failures of one cause: how many, which share of all, the mean time between them, [s].

    `mttr_s` is None where no repair of them is known.
    """

    cause: str
    failures: int
    share: float
    mtbf_s: float
    mttr_s: float | None


def causes_of(log: Log, *, window: float | None = None) -> tuple[Cause, ...]:
    """Return the causes that a log names, the most frequent first; none where it names none.

    Failures without a cause are "unknown". Each cause has its share of the rate of all failures, so
    that the rates add up to it also where the first failure begins the observation. With a `window`
    [s], failures that follow one within it do not count: bursts have the cause of their first.
    """
    if log.read is None or log.read.failures.empty or not log.uptimes.failures:
        return ()
    frame = log.read.failures
    time = frame["time"].to_numpy(dtype=np.float64)
    firsts = np.diff(time, prepend=-np.inf) > (-1.0 if window is None else window)
    frame = frame[firsts & _between(time, log.since, log.until)]
    time = frame["time"].to_numpy(dtype=np.float64)
    said = frame["cause"].fillna("").astype(str).str.strip()
    names = [name if name.lower() not in _UNKNOWN else "unknown" for name in said]
    if set(names) <= {"unknown"}:
        return ()
    repairs = frame["repair"].to_numpy(dtype=np.float64)
    mtbf = float(log.uptimes.observed) / log.uptimes.failures
    found = []
    for name in dict.fromkeys(names):
        its = np.array([one == name for one in names])
        known = repairs[its][np.isfinite(repairs[its]) & (repairs[its] >= 0.0)]
        count = int(its.sum())
        mean = float(known.mean()) if known.size else None
        share = count / time.size
        found.append(Cause(str(name), count, share, mtbf / share, mean))
    return tuple(sorted(found, key=lambda cause: (-cause.failures, cause.cause)))


def _between(time: FloatArray, since: float | None, until: float | None) -> BoolArray:
    """Return which failures an observation from an instant to another holds."""
    return (time >= (-np.inf if since is None else since)) & (
        time <= (np.inf if until is None else until)
    )
