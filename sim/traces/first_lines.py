"""The format of a log, told by its first lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from .parsing.report import Findings
from .parsing.sources import Source, content_pieces

__all__ = ["FailureFormat", "JobFormat", "failure_format_of", "job_format_of", "log_kind_of"]

FailureFormat: TypeAlias = Literal[
    "lanl", "sacct", "sacctmgr", "fta", "metacentrum", "bgl-ras", "mira-ras", "infinitehbd", "csv"
]
JobFormat: TypeAlias = Literal[
    "sacct", "gwf", "mwf", "row-number", "placement", "no-walltime", "swf"
]

_HEAD = 1 << 16  # bytes that are looked at
_SWF = 18  # columns
_OF_JOBS = re.compile(r"\b(job_?id|submit|submit_?time)\b", re.IGNORECASE)  # in a header
_BGL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{2}\.[0-9]{2}")


def failure_format_of(source: Source) -> FailureFormat:
    r"""Return the format of a failure log, told by its first lines.

    Parameters
    ----------
    source : path or file object
        The log; a file object is read from, and must be opened again to be read whole.

    Returns
    -------
    str
        A name in `FAILURE_FORMATS`, or ``sacct`` for jobs that say which of them lost a node;
        ``csv`` for whatever has no mark of another.

    Raises
    ------
    TypeError
        If `source` is neither a path nor a file object.

    Examples
    --------
    >>> import io
    >>> failure_format_of(io.StringIO("node,down,up\nn7,2026-03-01,2026-03-02\n"))
    'csv'
    >>> failure_format_of(io.StringIO("NodeName|TimeStart|TimeEnd|State\n"))
    'sacctmgr'
    """
    first, _ = _first_lines(source)
    return _failure_format(first)


def job_format_of(source: Source) -> JobFormat:
    r"""Return the format of a job log, told by its first lines.

    Parameters
    ----------
    source : path or file object
        The log; a file object is read from, and must be opened again to be read whole.

    Returns
    -------
    str
        A name in `JOB_FORMATS` or `DIALECTS`; ``swf`` for whatever has no mark of another.
        ``walltime-in-6`` has none: it must be named.

    Raises
    ------
    TypeError
        If `source` is neither a path nor a file object.

    Examples
    --------
    >>> import io
    >>> job_format_of(io.StringIO("JobID|Submit|Elapsed|NNodes|State\n"))
    'sacct'
    """
    return _job_format(*_first_lines(source))


def log_kind_of(source: Source) -> Literal["failures", "jobs"]:
    r"""Return whether a log is one of failures or of jobs, told by its first lines.

    Parameters
    ----------
    source : path or file object
        The log; a file object is read from, and must be opened again to be read whole.

    Returns
    -------
    str
        ``jobs`` for what has the mark of a job log, and for ``sacct``; ``failures`` for whatever
        has none.

    Raises
    ------
    TypeError
        If `source` is neither a path nor a file object.

    Examples
    --------
    >>> import io
    >>> log_kind_of(io.StringIO("; MaxProcs: 64\n1 0 0 9 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n"))
    'jobs'
    >>> log_kind_of(io.StringIO("node,down,up\nn7,2026-03-01,2026-03-02\n"))
    'failures'
    """
    first, record = _first_lines(source)
    failures, jobs = _failure_format(first), _job_format(first, record)
    if failures not in {"csv", "sacct"}:
        return "failures"
    of_jobs = first.startswith(";") or len(record.split()) >= _SWF or bool(_OF_JOBS.search(first))
    return "jobs" if failures == "sacct" or jobs != "swf" or of_jobs else "failures"


def _failure_format(first: str) -> FailureFormat:
    marks: tuple[tuple[FailureFormat, Callable[[str], object]], ...] = (
        ("lanl", lambda line: "nodenumz" in line and "Prob Started" in line),
        ("sacct", _is_sacct),
        ("sacctmgr", lambda line: "NodeName" in line and "TimeStart" in line and "|" in line),
        ("fta", lambda line: line.startswith("# event_id") and "event_start_time" in line),
        ("bgl-ras", _BGL.match),
        ("mira-ras", lambda line: line.startswith(("#count=", "event "))),
        ("infinitehbd", lambda line: line.lstrip().startswith(("[", "{"))),
        ("metacentrum", _is_metacentrum),
    )
    return next((name for name, fits in marks if fits(first)), "csv")


def _job_format(first: str, record: str) -> JobFormat:
    columns, tabbed = len(record.split()), record.split("\t")
    marks: tuple[tuple[JobFormat, bool], ...] = (
        ("sacct", _is_sacct(first)),
        ("no-walltime", first.split()[:3] == ["Job_name", "Submit", "Runtime"]),
        ("mwf", len(tabbed) == 14 and tabbed[5].startswith("[")),
        ("gwf", 29 in (columns, len(tabbed))),
        ("row-number", columns == 19),
        ("placement", columns == 21 and "{" in record),
    )
    return next((name for name, fits in marks if fits), "swf")


def _first_lines(source: Source) -> tuple[str, str]:
    """Return the first line, and the first that is neither blank nor a comment."""
    head = b""
    for piece in content_pieces(source, Findings()):
        head += piece
        if len(head) >= _HEAD:
            break
    lines = head[:_HEAD].removeprefix(b"\xef\xbb\xbf").decode("latin-1").splitlines() or [""]
    said = (line for line in lines if line.strip() and not line.lstrip().startswith((";", "#")))
    return lines[0], next(said, "")


def _is_sacct(line: str) -> bool:
    return bool(re.search(r"\bJobID(Raw)?\b", line)) and not line.startswith(("#", ";"))


def _is_metacentrum(line: str) -> bool:
    fields = line.split("\t")
    whole = len(fields) in (4, 5) and all(fields[place].strip().isdigit() for place in (0, 2))
    return whole and not fields[1].strip().isdigit()
