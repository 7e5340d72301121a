"""The format of a log, told by its first lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, get_args

from .failures.sacctmgr import is_event
from .failures.understanding.lists import ANY_JSON, JSON_LISTS, NO_XID
from .jobs.sacct_columns import SACCT_NAMES, is_header
from .jobs.slurm_words import SACCT_COMMAND, STATES, state_of
from .jobs.table_columns import job_table_layout, tells_ends
from .parsing.json_records import json_keys
from .parsing.report import Findings
from .parsing.sources import Source, content_pieces

__all__ = ["FailureFormat", "JobFormat", "failure_format_of", "job_format_of", "log_kind_of"]

# Job logs that say how jobs ended, and on how many nodes: they tell an MTBF.
StatedJobs: TypeAlias = Literal["sacct", "sacct-json", "pbs", "lsf", "table", "acme", "helios"]
FailureFormat: TypeAlias = (
    StatedJobs
    | Literal["lanl", "sacctmgr", "fta", "metacentrum", "bgl-ras", "mira-ras", "infinitehbd", "csv"]
    | Literal["prometheus", "skypilot", "xid"]
)
JobFormat: TypeAlias = (
    StatedJobs
    | Literal["batsim", "philly", "alibaba-gpu"]
    | Literal["gwf", "mwf", "row-number", "placement", "no-walltime", "swf"]
)

_Tables: TypeAlias = Literal["table", "acme", "helios", "alibaba-gpu"]
_SEP_LINE = re.compile(r'"?sep=', re.IGNORECASE)
_STATED: tuple[StatedJobs, ...] = get_args(StatedJobs)
_HEAD = 1 << 16  # bytes that are looked at
_SWF = 18  # columns
_OF_JOBS = re.compile(r"\b(job_?id|submit|submit_?time)\b", re.IGNORECASE)  # in a header
_PBS = re.compile(r"[0-9]{2}/[0-9]{2}/[0-9]{4} [0-9:]{8};[A-Za-z]{1,2};[^;]*+;")
_LSF = re.compile(r'"[A-Z][A-Z0-9_]*+" "[0-9.]++" [0-9]')
# Of a JSON file: what stands in it, and nowhere else.
_JSON: tuple[tuple[JobFormat, re.Pattern[str]], ...] = (
    ("batsim", re.compile(r'"subtime"|"nb_res"')),
    ("philly", re.compile(r'"(?:jobid|submitted_time)"')),
    ("sacct-json", re.compile(r'"(?:job_id|allocation_nodes|time_limit)"')),
)
# The keys of which one stands in a failure log in JSON, and in no other.
_JSON_KEYS: dict[FailureFormat, tuple[str, ...]] = {
    "infinitehbd": ("event_type", "node_id"),
    "prometheus": ("metric", "resultType"),
    "skypilot": ("gap_seconds",),
}
_LINES = 30  # in which a header may stand after lines of another kind
_BETWEEN = re.compile(r"[|,;\t]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]")
_JOB = re.compile(r"[0-9]{1,15}(?:[_+.]\S*+)?")
_SACCT = frozenset(SACCT_NAMES)
_SLURM_SAYS = re.compile(r"(?:sacct|srun|slurm\w*): ")
_BGL = re.compile(
    r"(?:[!-~]+ [0-9]{9,10} [0-9]{4}\.[0-9]{2}\.[0-9]{2} [!-~]+ )?"
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{2}\.[0-9]{2}"
)
_BEGINS_JSON = re.compile(r"""\s*(?:\{|\[\s*(?:["{\[\]]|$|-?[0-9.]{1,8}\s*[,\]]))""")
# What squeue prints, and scontrol show job or the plugin jobcomp/filetxt.
_SQUEUE = re.compile(r" *JOBID +PARTITION |JobId=[0-9]+ ")
_XID = b"NVRM: Xid"
# A kernel log: seconds since the boot or a date in brackets, or who wrote the line, as in syslog.
_KERNEL = re.compile(
    r"(?:<[0-9]{1,3}>|[a-z]{1,8} *:[a-z]{1,8} *: )?\[ *[0-9]{1,12}\.[0-9]{6}\] |"
    r"\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [0-9]{4}\] |[^,;|\t]{,200} kernel: |"
    r"(?:[A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}|[0-9-]{10}T[0-9:.,+Z-]{8,22}) [^ ,;|\t]{1,80} "
    r"[\w./()-]{1,80}(?:\[[0-9]{1,9}\])?: "
)


class _Head(NamedTuple):
    """The beginning of a log: its first line, its first that is no comment, and all of it.

    `xid` says whether an Xid error stands in it, or further down in a kernel log.
    """

    first: str
    record: str
    text: str
    xid: bool


def failure_format_of(source: Source) -> FailureFormat:
    r"""Return the format of a failure log, told by its first lines.

    Parameters
    ----------
    source : path or file object
        The log; a file object is read from, and must be opened again to be read whole.

    Returns
    -------
    str
        A name in `FAILURE_FORMATS`, or of a format of jobs that say which of them lost a node;
        ``csv`` for whatever has no mark of another.

    Raises
    ------
    ValueError
        If it is JSON without the keys of a format, or a kernel log without an Xid error.
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
    return _failure_format(_head(source))


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
    ValueError
        If it is what Slurm says of jobs that need not have ended, such as what squeue prints.
    TypeError
        If `source` is neither a path nor a file object.

    Examples
    --------
    >>> import io
    >>> job_format_of(io.StringIO("JobID|Submit|Elapsed|NNodes|State\n"))
    'sacct'
    """
    return _job_format(_head(source))


def log_kind_of(source: Source) -> Literal["failures", "jobs"]:
    r"""Return whether a log is one of failures or of jobs, told by its first lines.

    Parameters
    ----------
    source : path or file object
        The log; a file object is read from, and must be opened again to be read whole.

    Returns
    -------
    str
        ``jobs`` for what has the mark of a job log; ``failures`` for whatever has none.

    Raises
    ------
    ValueError
        If it is JSON without the keys of a log, or as of `job_format_of`.
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
    head = _head(source)
    jobs = _job_format(head)
    if _is_json(head) and jobs != "swf":
        return "jobs"
    failures = _failure_format(head)
    if failures not in {"csv", *_STATED}:
        return "failures"
    of_jobs = (
        head.first.startswith(";")
        or len(head.record.split()) >= _SWF
        or bool(_OF_JOBS.search(head.first))
    )
    return "jobs" if failures != "csv" or jobs != "swf" or of_jobs else "failures"


def _failure_format(head: _Head) -> FailureFormat:
    if head.xid:
        return "xid"
    if _KERNEL.match(head.first):
        raise ValueError(f"line 1: {NO_XID}")
    jobs = _job_format(head)
    stated = next((name for name in _STATED if name == jobs), None)
    if stated == "table" and not tells_ends(_table_header(head)):
        stated = None
    if stated is not None:
        return stated
    if _is_json(head):
        return _of_json(json_keys(head.text))
    first = head.first
    marks: tuple[tuple[FailureFormat, Callable[[str], object]], ...] = (
        ("lanl", lambda line: "nodenumz" in line and "Prob Started" in line),
        ("sacctmgr", _is_sacctmgr),
        ("fta", lambda line: line.startswith("# event_id") and "event_start_time" in line),
        ("bgl-ras", _BGL.match),
        ("mira-ras", lambda line: line.startswith(("#count=", "event "))),
        ("metacentrum", _is_metacentrum),
    )
    return next((name for name, fits in marks if fits(first)), "csv")


def _of_json(keys: tuple[str, ...]) -> FailureFormat:
    for name, marks in _JSON_KEYS.items():
        if any(mark in keys for mark in marks):
            return name
    for key, command in JSON_LISTS.items():
        if key in keys:
            raise ValueError(f"line 1: JSON must be a failure log, got {key}: {command}")
    known = ", ".join(f"{name} ({' or '.join(marks)})" for name, marks in _JSON_KEYS.items())
    got = ", ".join(keys)[:200] or "none"
    raise ValueError(f"line 1: JSON must have the keys of {known}, got keys {got}: {ANY_JSON}")


def _job_format(head: _Head) -> JobFormat:
    first, record = head.first, head.record
    if _SQUEUE.match(record):
        raise ValueError(
            f"line 1: a log must hold the jobs that ended, got what Slurm says of those of now or "
            f"of one each; the command is: {SACCT_COMMAND}"
        )
    if _is_json(head):
        return next((name for name, mark in _JSON if mark.search(head.text)), "swf")
    columns, tabbed = len(record.split()), record.split("\t")
    marks: tuple[tuple[JobFormat, object], ...] = (
        ("sacct", _is_sacct(head)),
        ("pbs", _PBS.match(record)),
        ("lsf", _LSF.match(record)),
        ("no-walltime", first.split()[:3] == ["Job_name", "Submit", "Runtime"]),
        ("mwf", len(tabbed) == 14 and tabbed[5].startswith("[")),
        ("gwf", 29 in (columns, len(tabbed))),
        ("row-number", columns == 19),
        ("placement", columns == 21 and "{" in record),
    )
    found = next((name for name, fits in marks if fits), None)
    return found or _table_format(head) or "swf"


def _table_format(head: _Head) -> JobFormat | None:
    """Return the layout of a table whose header names what a table of jobs has."""
    layout = job_table_layout(_table_header(head))
    return next((name for name in get_args(_Tables) if name == layout), None)


def _table_header(head: _Head) -> list[str]:
    """Return the names of the columns of a table of jobs, none if it is not one."""
    line = head.record if _SEP_LINE.match(head.first) is None else head.text.split("\n", 2)[1]
    for mark in ("\t", ";", "|", ","):
        names = [name.strip().strip('"') for name in line.split(mark)]
        if len(names) > 2 and job_table_layout(names) is not None:
            return names
    return []


def _head(source: Source) -> _Head:
    head, pieces = b"", content_pieces(source, Findings())
    for piece in pieces:
        head += piece
        if len(head) >= _HEAD:
            break
    rest, head = head, head[:_HEAD]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = head.decode("utf-16", "ignore")
    else:
        text = head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    lines = text.splitlines() or [""]
    # What Slurm writes to standard error may stand before what it prints.
    while len(lines) > 1 and _SLURM_SAYS.match(lines[0]):
        del lines[0]
    said = (line for line in lines if line.strip() and not line.lstrip().startswith((";", "#")))
    xid = _XID in rest
    if not xid and _KERNEL.match(lines[0]):
        for piece in pieces:
            rest = rest[-len(_XID) :] + piece
            if xid := _XID in rest:
                break
    return _Head(lines[0], next(said, ""), text, xid)


def _is_json(head: _Head) -> bool:
    return _BEGINS_JSON.match(head.record) is not None


def _is_sacct(head: _Head) -> bool:
    """Whether there is a header of sacct, or rows of it without one: an id, a date, a state."""
    if head.first.startswith(("#", ";")):
        return False
    if re.search(r"\bJobID(Raw)?\b", head.first):
        return True
    for line in head.text.split("\n", _LINES)[:_LINES]:
        fields = _BETWEEN.split(line)
        if is_header(fields) and sum(name in _SACCT for name in fields) > 2:
            return True
    fields = [field.strip('"') for field in _BETWEEN.split(head.record)]
    dates = sum(bool(_DATE.match(field)) for field in fields)
    ended = any(state_of(field) in STATES for field in fields)
    return dates > 1 and ended and bool(_JOB.fullmatch(fields[0]))


def _is_sacctmgr(line: str) -> bool:
    return ("NodeName" in line and "TimeStart" in line) or is_event(line)


def _is_metacentrum(line: str) -> bool:
    fields = line.split("\t")
    whole = len(fields) in (4, 5) and all(fields[place].strip().isdigit() for place in (0, 2))
    return whole and not fields[1].strip().isdigit()
