"""Jobs that a log tells twice, as exports that overlap do."""

from __future__ import annotations

import numpy as np

from ..parsing.report import BoolArray, Findings, FloatArray, IntArray


def told_once(
    job: IntArray,
    state: IntArray,
    times: tuple[FloatArray, FloatArray, FloatArray],
    *,
    is_open: BoolArray,
    lines: IntArray,
    findings: Findings,
) -> BoolArray:
    """Return which rows count: one of equal ones, and of an attempt seen running its end.

    `job` and `state` are numbers that are equal where they are; `times` are submission, start and
    end (or the length, where the end is not logged), nan where unknown; `is_open` says which rows
    had not ended. Rules, merged: `repeated`, `seen-running`.
    """
    import pandas as pd

    kept = np.ones(job.size, dtype=np.bool_)
    times_told = np.bincount(job)
    if times_told.max(initial=0) < 2:
        return kept
    several = np.flatnonzero(times_told[job] > 1)
    submit, start, end = (np.nan_to_num(column[several], nan=-1.0) for column in times)
    among = pd.DataFrame(
        {"job": job[several], "submit": submit, "start": start, "end": end, "state": state[several]}
    )
    again = among.duplicated().to_numpy()
    kept[several[again]] = False
    reason = "the same job, submission, start, end and state came before"
    findings.add_lines("merged", lines[several[again]], "repeated", reason)
    opened = is_open[several]
    if not (opened & ~again).any():
        return kept
    # What is open is the same attempt as one with its start or, while that is not known, with its
    # submission; of several the one that ended counts, else the last seen.
    place = np.empty(among.shape[0], dtype=np.int64)
    place[np.lexsort((np.arange(place.size), end, ~opened))] = np.arange(place.size)
    among["place"] = place
    among["begun"] = start >= 0.0
    last = among.groupby(["job", "submit", "start"])["place"].transform("max").to_numpy()
    begun = among.groupby(["job", "submit"])["begun"].transform("max").to_numpy(dtype=np.bool_)
    over = opened & ~again & ((place < last) | (begun & (start < 0.0)))
    kept[several[over]] = False
    reason = "another row tells how the attempt went on"
    findings.add_lines("merged", lines[several[over]], "seen-running", reason)
    return kept
