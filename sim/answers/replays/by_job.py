"""Rows of a CSV file that tell something of single jobs of a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from asking.refusals import Refused

if TYPE_CHECKING:
    from ...traces import Limits, Trace


def rows_by_job(
    path: Path, trace: Trace, columns: Sequence[str], *, limits: Limits, optional: int = 0
) -> dict[int, tuple[int, Mapping[str, str]]]:
    """Return by the line of a job in the log the number of its row, and what stands there.

    Parameters
    ----------
    path : Path
        Of a file that begins with a line of `columns`, the first of which is ``job``.
    trace : Trace
        The log.
    columns : sequence of str
        Of which the last `optional` may be left out.
    limits : Limits
        Of what is read.
    optional : int
        How many.

    Returns
    -------
    dict

    Raises
    ------
    Refused, ValueError
        If it begins otherwise; if a row has other columns, or tells of no job of the log or of
        one that another has told of.
    """
    named = "job_id" if "job_id" in trace.frame.columns else "job"
    names = [str(name) for name in trace.frame[named].tolist()]
    found = _read(path, frozenset(names), columns, optional, limits)
    lines = zip(trace.frame["line"].tolist(), names, strict=True)
    return {line: found[name] for line, name in lines if name in found}


def _read(
    path: Path, known: frozenset[str], columns: Sequence[str], optional: int, limits: Limits
) -> dict[str, tuple[int, Mapping[str, str]]]:
    from ...traces.parsing import Findings, Limited, open_source, split_csv, text_lines

    findings = Findings()
    content = open_source(Limited(path, limits), findings)
    rows = [
        (number, [cell.strip() for cell in split_csv(text)])
        for number, line in enumerate(text_lines(content, findings), start=1)
        if (text := line.partition("#")[0]).strip()
    ]
    findings.report(content.name, records=len(rows), rows=len(rows), strict=False)
    header = [cell.lower() for cell in rows[0][1]] if rows else []
    needed = columns[: len(columns) - optional]
    wrong = set(header) - set(columns) or set(needed) - set(header)
    if wrong or len(set(header)) != len(header):
        more = f" and, where known, {', '.join(columns[len(needed) :])}," if optional else ","
        raise Refused(
            "{} must begin with a line {}{} got {!r}",
            *(path.name, ",".join(needed), more, ",".join(header)[:60]),
        )
    found: dict[str, tuple[int, Mapping[str, str]]] = {}
    for number, cells in rows[1:]:
        if len(cells) != len(header):
            raise ValueError(f"line {number}: must have {len(header)} columns, got {len(cells)}")
        row = dict(zip(header, cells, strict=True))
        job = row["job"]
        job = str(int(job)) if job.isascii() and job.isdigit() and len(job) < 19 else job
        if job not in known:
            raise ValueError(f"line {number}: job must be one of LOG, got {row['job'][:60]!r}")
        if job in found:
            raise ValueError(
                f"line {number}: job must be one of its own, got {job!r} as in line {found[job][0]}"
            )
        found[job] = number, row
    return found
