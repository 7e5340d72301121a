"""Read job logs in the Standard Workload Format."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import one_of
from ..parsing.numbers import LARGEST, whole
from ..parsing.report import Findings, Trace
from ..parsing.sources import Source, open_source
from ..parsing.table import Table, read_table
from .swf_dialects import DIALECTS, SWF_COLUMNS, WHOLE_COLUMNS, Dialect

if TYPE_CHECKING:
    import pandas as pd

# "Key: value", but not the address in "; http://...".
_COPIES = 2  # of a column: as it was read, and as it is in the frame
_KEY = re.compile(r"\s*+([A-Za-z]\w*+)\s*+:(?!//)")


def read_swf(
    source: Source,
    *,
    strict: bool = False,
    dialect: str = "standard",
    member: str | None = None,
) -> Trace:
    """Read a job log.

    Parameters
    ----------
    source : path or file object
        Plain, gz, xz, bz2, zip or tar; recognised by content.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.
    dialect : str
        `standard`, `walltime-in-6`, `placement`, `row-number` or `no-walltime`; see
        `DIALECTS`.
    member : str, optional
        Which file of a zip or tar that holds several.

    Returns
    -------
    Trace
        ``frame`` has, in the order of the log and with -1 for what is missing:

        - float64 [s]: `submit`, `wait`, `runtime`, `average_cpu`, `walltime` (requested time),
          `think_time`; [KB]: `memory`, `requested_memory`;
        - int64: `job`, `processors` (allocated), `requested_processors`, `status`, `user`,
          `group`, `executable`, `queue`, `partition`, `preceding_job`;
        - int64 `line`, and the further columns of the dialect.

        Processors are what the log records: cores, or nodes where its author counted nodes.
        ``header`` has the ``; Key: value`` fields; comments without a key are under ``""``.

    Raises
    ------
    ValueError
        If the dialect or member is unknown; with `strict`, on the first malformed line.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `not-a-number`, `not-whole` (in an int64 column), `empty`
    (no record at all). Repaired: `negative` (below 0, and not -1; it becomes -1, unknown). Kept:
    `duplicate-job`, `unsorted` (submitted before the line above), `truncated-archive`. Noted:
    `crlf`, `latin-1`, `byte-order-mark`, `no-final-newline`, `no-submit`, `job-count` (differs
    from MaxJobs).
    """
    layout = DIALECTS[one_of("dialect", dialect, DIALECTS)]
    findings = Findings()
    content = open_source(source, findings, member=member)
    data = _note_encoding(content.data, findings)
    content.hold(2 * len(data) + _COPIES * 8 * len(layout.columns) * data.count(b"\n"))
    shift = 0
    if layout.titled and data[:1].isalpha():
        data, shift = data.partition(b"\n")[2], 1
    table = read_table(data, len(layout.columns), findings, text=len(layout.text), shift=shift)
    frame = _frame(table, layout, findings)
    header = _header(table.comments, findings)
    _judge(frame, findings)
    if table.records == 0:
        findings.add("dropped", 1, "empty", "the file holds no job")
    _compare_count(header, table.records, findings)
    report = findings.report(content.name, records=table.records, rows=len(frame), strict=strict)
    return Trace(frame, report, header)


def _note_encoding(data: bytes, findings: Findings) -> bytes:
    if data.startswith(b"\xef\xbb\xbf"):
        findings.add("noted", 1, "byte-order-mark", "the file starts with a byte order mark")
        data = data[3:]
    # One byte is found ten times faster than two, and in most logs it is not there.
    if b"\r" in data and (first := data.find(b"\r\n")) >= 0:
        findings.add("noted", data.count(b"\n", 0, first) + 1, "crlf", "lines end in CR LF")
    if data and not data.endswith(b"\n"):
        last = data.count(b"\n") + 1
        findings.add("noted", last, "no-final-newline", "the last line does not end")
    return data


def _frame(table: Table, layout: Dialect, findings: Findings) -> pd.DataFrame:
    import pandas as pd

    given = dict(zip(layout.columns, table.values, strict=True))
    lines = table.lines
    good = np.ones(lines.size, dtype=np.bool_)
    columns: dict[str, Any] = {}
    extra = [name for name in layout.columns if name not in SWF_COLUMNS]
    for name in (*SWF_COLUMNS, *extra):
        whole = name in WHOLE_COLUMNS or name in extra
        if name not in given:
            columns[name] = np.full(lines.size, -1, dtype=np.int64 if whole else np.float64)
            continue
        values = given[name]
        if not whole:
            columns[name] = values
            continue
        bad = ~((values == np.floor(values)) & (np.abs(values) <= LARGEST))
        for row in np.flatnonzero(bad & good).tolist():
            reason = f"{name} is {float(values[row])!r}, not a whole number below 2^53"
            findings.add("dropped", lines[row], "not-whole", reason)
        good &= ~bad
        columns[name] = np.where(bad, -1.0, values).astype(np.int64)
    columns |= {
        name: np.array([words[place] for words in table.text], dtype=object)
        for place, name in enumerate(layout.text)
    }
    columns["line"] = lines
    frame = pd.DataFrame(columns, copy=False)
    return frame if good.all() else frame[good].reset_index(drop=True)


def _judge(frame: pd.DataFrame, findings: Findings) -> None:
    """Report rows that are readable but break a rule of the format; all of them are kept.

    What is below 0 becomes -1, unknown.
    """
    lines = frame["line"].to_numpy()
    for name in SWF_COLUMNS:
        values = frame[name].to_numpy()
        below = (values < 0) & (values != -1)
        for row in np.flatnonzero(below).tolist():
            reason = f"{name} is {values[row]:.17g}: unknown"
            findings.add("repaired", lines[row], "negative", reason)
        if below.any():
            frame[name] = np.where(below, values.dtype.type(-1), values)
    job, submit = frame["job"], frame["submit"].to_numpy()
    for row in np.flatnonzero(job.duplicated().to_numpy()).tolist():
        findings.add("kept", lines[row], "duplicate-job", f"job {job.iat[row]} came before")
    for row in np.flatnonzero(submit[1:] < submit[:-1]).tolist():
        reason = f"submit {submit[row + 1]:.17g} comes after {submit[row]:.17g}"
        findings.add("kept", lines[row + 1], "unsorted", reason)
    for row in np.flatnonzero(submit == -1.0).tolist():
        findings.add("noted", lines[row], "no-submit", "the submission time is missing")


def _header(comments: list[tuple[int, bytes]], findings: Findings) -> dict[str, str]:
    header: dict[str, list[str]] = {}
    noted = False
    for line, raw in comments:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            text = raw.decode("latin-1")
            if not noted:
                byte = raw[error.start]
                reason = f"byte 0x{byte:02x} is not UTF-8; read as latin-1"
                findings.add("noted", line, "latin-1", reason)
            noted = True
        key = _KEY.match(text)
        name, value = (key[1], text[key.end() :].strip()) if key else ("", text.rstrip())
        header.setdefault(name, []).append(value)
    return {key: "\n".join(values) for key, values in header.items()}


def _compare_count(header: dict[str, str], records: int, findings: Findings) -> None:
    announced = header.get("MaxJobs", "").strip()
    count = whole(announced) if announced.isdecimal() else None
    if announced and count is None:
        reason = f"the header announces {announced[:40]!r} jobs, which is not a number"
        findings.add("noted", 1, "job-count", reason)
    elif announced and count != records:
        reason = f"the header announces {count} jobs, the file has {records}"
        findings.add("noted", 1, "job-count", reason)
