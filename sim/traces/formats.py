"""Readers by the name of their format, as a user states it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from .._checks import one_of
from .failures.csv import read_failures_csv
from .failures.fta import read_fta
from .failures.infinitehbd import read_infinitehbd
from .failures.lanl import read_lanl
from .failures.metacentrum import read_metacentrum_failures
from .failures.prometheus import read_prometheus
from .failures.ras import read_bgl_ras, read_mira_ras
from .failures.sacctmgr import read_sacctmgr
from .failures.skypilot import read_skypilot
from .failures.xid import read_xid
from .jobs.batsim import read_batsim
from .jobs.gwf import read_gwf
from .jobs.lsf import read_lsf
from .jobs.mwf import read_mwf
from .jobs.pbs import read_pbs
from .jobs.philly import read_philly
from .jobs.sacct import read_sacct
from .jobs.sacct_json import read_sacct_json
from .jobs.swf import read_swf
from .jobs.swf_dialects import DIALECTS
from .jobs.table import read_job_table
from .jobs.table_columns import LAYOUTS
from .parsing.report import Trace
from .parsing.sources import Source

__all__ = ["FAILURE_FORMATS", "JOB_FORMATS", "failure_reader", "read_failures", "read_jobs"]

FAILURE_FORMATS: dict[str, Callable[..., Trace]] = {
    "lanl": read_lanl,
    "csv": read_failures_csv,
    "fta": read_fta,
    "metacentrum": read_metacentrum_failures,
    "bgl-ras": read_bgl_ras,
    "mira-ras": read_mira_ras,
    "infinitehbd": read_infinitehbd,
    "sacctmgr": read_sacctmgr,
    "prometheus": read_prometheus,
    "skypilot": read_skypilot,
    "xid": read_xid,
}
# Whose columns and delimiter may be stated; whose wall clocks may be given a time zone.
TABLES = frozenset({"csv"})
ZONED = frozenset({"sacctmgr"})
JOB_FORMATS: dict[str, Callable[..., Trace]] = {
    "swf": read_swf,
    "gwf": read_gwf,
    "mwf": read_mwf,
    "sacct": read_sacct,
    "sacct-json": read_sacct_json,
    "pbs": read_pbs,
    "lsf": read_lsf,
    "batsim": read_batsim,
    "table": read_job_table,
    **{name: partial(read_job_table, layout=name) for name in LAYOUTS},
    "philly": read_philly,
}


def read_failures(source: Source, format: str, *, strict: bool = False, **selection: Any) -> Trace:  # noqa: A002
    """Read a failure log in one of `FAILURE_FORMATS`; `selection` goes to its reader.

    Parameters
    ----------
    source : path or file object
        The log.
    format : str
        A name in `FAILURE_FORMATS`, or one that an installed package adds.
    strict : bool
        Raise ValueError on the first malformed record instead of reporting it.
    **selection
        What the reader of that format takes besides. Of most these are `system` and `node`, a value
        or several, to keep these only, and `since` and `until`, seconds, an ISO date or a datetime,
        to keep what begins in [since, until).

    Returns
    -------
    Trace
        As that reader returns it.

    Raises
    ------
    ValueError
        If there is no such format, a selection is not in the log or its window is empty; with
        `strict`, at the first malformed record; else as its reader.
    TypeError
        If `source` is neither a path nor a file object, an end of the window no time, or a
        selection one that the reader does not know.
    """
    return failure_reader(format)(source, strict=strict, **selection)


def read_jobs(
    source: Source,
    format: str = "swf",  # noqa: A002
    *,
    strict: bool = False,
    **reading: Any,
) -> Trace:
    """Read a job log in one of `JOB_FORMATS`, or in one of the `DIALECTS` of SWF.

    Parameters
    ----------
    source : path or file object
        The log.
    format : str
        A name in `JOB_FORMATS` or `DIALECTS`, or one that an installed package adds.
    strict : bool
        Raise ValueError on the first malformed record instead of reporting it.
    **reading
        What the reader of that format takes besides: `fields` of ``sacct``, `columns` of ``table``
        and of public logs.

    Returns
    -------
    Trace
        As the reader of that format returns it.

    Raises
    ------
    ValueError
        If there is no such format; with `strict`, at the first malformed record; else as its
        reader.
    TypeError
        If `source` is neither a path nor a file object, or the reader does not know an argument.
    """
    if format in DIALECTS:
        return read_swf(source, strict=strict, dialect=format)
    reader = _reader("job format", format, JOB_FORMATS, DIALECTS)
    return reader(source, strict=strict, **reading)


def failure_reader(format: str) -> Callable[..., Trace]:  # noqa: A002
    """Return the reader of a failure format, of an installed package too; raise ValueError."""
    return _reader("failure format", format, FAILURE_FORMATS)


def _reader(
    kind: str, name: str, readers: dict[str, Callable[..., Trace]], others: Iterable[str] = ()
) -> Callable[..., Trace]:
    words = (*readers, *others)
    if not isinstance(name, str) or name in readers:
        return readers[one_of("format", name, words)]
    from asking.plugins import loaded

    reader: Callable[..., Trace] | None = loaded(kind, name, words)
    return readers[one_of("format", name, words)] if reader is None else reader
