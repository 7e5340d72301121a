"""What every job reader returns: the columns of SWF, whatever names the log has for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ..parsing.numbers import LARGEST, numbered
from ..parsing.report import Findings
from .swf_dialects import SWF_COLUMNS, WHOLE_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

OPEN = frozenset({"PENDING", "RUNNING", "SUSPENDED", "RESIZING", "CONFIGURING", "COMPLETING"})
_UNFINISHED = frozenset({"", "PENDING", "RUNNING", "SUSPENDED", "REQUEUED", "RESIZING"})
_STATUS = {"COMPLETED": 1, "CANCELLED": 5}
_BACKWARDS = {"wait": ("started", "it was submitted"), "runtime": ("ended", "it started")}
_TEXT = ("job_id", "state", "user_name", "account", "partition_name")


def job_frame(given: Mapping[str, Any]) -> pd.DataFrame:
    """Build a frame: the 18 columns of SWF, -1 where not given; then the others in their order.

    `line` has to be among them; columns of text or tuples become objects. Those that are unknown
    everywhere share their memory until they are written to, where pandas sees to that.
    """
    import pandas as pd

    lines = np.asarray(given["line"], dtype=np.int64)
    shared = int(pd.__version__.partition(".")[0]) >= 3
    unknown: dict[type, Any] = {}
    columns: dict[str, Any] = {}
    for name in SWF_COLUMNS:
        kind = np.int64 if name in WHOLE_COLUMNS else np.float64
        if given.get(name) is not None:
            columns[name] = np.asarray(given[name], kind)
            continue
        if kind not in unknown or not shared:
            unknown[kind] = pd.Series(np.full(lines.size, -1, kind), copy=False)
        columns[name] = unknown[kind]
    for name, values in given.items():
        if name not in columns:
            columns[name] = values if hasattr(values, "dtype") else _objects(values)
    return pd.DataFrame(columns | {"line": lines}, copy=False)


def attempts_frame(
    rows: Iterable[Mapping[str, Any]], more: tuple[str, ...] = ("nodes",)
) -> pd.DataFrame:
    """Build a frame of attempts of jobs, of one mapping each; what it lacks is unknown.

    `more` are whole numbers beside the columns of SWF; then come `job_id`, `state` (in Slurm's
    words), `user_name`, `account` and `partition_name`. `status` follows from the state.
    """
    kept = list(rows)
    given: dict[str, Any] = {}
    for name in SWF_COLUMNS:
        if any(name in row for row in kept):
            given[name] = [row.get(name, -1) for row in kept]
    for name in more:
        given[name] = np.array([row.get(name, -1) for row in kept], dtype=np.int64)
    for name in _TEXT:
        given[name] = [str(row.get(name, "")) for row in kept]
    given["status"] = [status_of(state) for state in given["state"]]
    for name in ("user", "partition"):
        given[name] = numbered(given[f"{name}_name"])
    return job_frame(given | {"line": [row["line"] for row in kept]})


def status_of(state: str) -> int:
    """Return the status of SWF for a state of Slurm: 1 done, 0 failed, 5 cancelled, -1 not over."""
    return -1 if state in _UNFINISHED else _STATUS.get(state, 0)


def known_length(
    what: Literal["wait", "runtime"], length: float, name: str, line: int, findings: Findings
) -> float:
    """Return a length of time of the job `name`; one below 0 is reported, and unknown, -1."""
    if length >= 0.0:
        return length
    did, first = _BACKWARDS[what]
    reason = f"{name} {did} {-length:g} s before {first}: {what} unknown"
    findings.add("repaired", line, f"negative-{what}", reason)
    return -1.0


def job_number(text: str, ordinal: int) -> int:
    """Return the number that a job's name begins with, else its place in the log."""
    digits = len(text) - len(text.lstrip("0123456789"))
    number = int(text[:digits]) if 0 < digits <= 16 and text.isascii() else LARGEST + 1
    return number if number <= LARGEST else ordinal


def _objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    # One by one, because NumPy would make a table of tuples of equal length.
    column = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        column[place] = value
    return column
