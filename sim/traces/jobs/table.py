"""Read tables of jobs with named columns: CSV or Parquet of any site, and public logs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..parsing.delimited import Column, Delimited, Shape, read_delimited
from ..parsing.numbers import finite, numbered
from ..parsing.report import Argument, BoolArray, Findings, FloatArray, IntArray, LogRefused, Trace
from ..parsing.sources import Source, open_source
from ..parsing.values import (
    UNITS,
    counts,
    duration_of,
    each,
    instants,
    number_reader,
    order_in,
    unit_in_name,
)
from .frame import OPEN, job_frame, job_number, status_of
from .repeated import told_once
from .slurm_words import NEVER, count_of, length_of, note_selection, state_of
from .table_columns import LAYOUTS, asked_columns, job_table_layout, role_of_names

_TIMES = ("submit", "start", "end")
_SIZES = ("nodes", "processors", "gpus")
_COLUMNS = Argument("columns")
_SOME = 200  # fields that tell what a column holds
_THOUSANDS = re.compile("[1-9][0-9]{,2}(?:[.,][0-9]{3})+(?:[.,]0{1,2})?")
_SILENT = NEVER | {"UNLIMITED", "INFINITE", "unlimited", "infinite", "Partition_Limit"}
_STATES = {
    **dict.fromkeys(("SUCCEEDED", "SUCCESS", "PASS", "PASSED", "DONE", "FINISHED"), "COMPLETED"),
    **dict.fromkeys(("ABGESCHLOSSEN", "BEENDET", "FERTIG", "ERFOLGREICH"), "COMPLETED"),
    **{"FEHLER": "FAILED", "FEHLGESCHLAGEN": "FAILED", "ABGEBROCHEN": "CANCELLED"},
    **{"KNOTENAUSFALL": "NODE_FAIL", "ZEITLIMIT": "TIMEOUT", "ZEITÜBERSCHREITUNG": "TIMEOUT"},
    **dict.fromkeys(("COMPLETE", "OK", "CD"), "COMPLETED"),
    **dict.fromkeys(("FAIL", "ERROR", "FAILURE", "F"), "FAILED"),
    **dict.fromkeys(("KILLED", "CANCELED", "STOPPED", "ABORTED", "TERMINATED", "CA"), "CANCELLED"),
    **dict.fromkeys(("NODEFAIL", "NODE_FAILURE", "NODE_FAILED", "NF", "HOST_LOST"), "NODE_FAIL"),
    **dict.fromkeys(("TIMED_OUT", "TIME_LIMIT", "WALLTIME", "TO"), "TIMEOUT"),
    **dict.fromkeys(("OOM", "OUTOFMEMORY", "OOMKILLED"), "OUT_OF_MEMORY"),
    **dict.fromkeys(("EVICTED", "PREEMPT", "PR"), "PREEMPTED"),
}


def read_job_table(
    source: Source,
    *,
    columns: Mapping[str, str] | None = None,
    strict: bool = False,
    layout: str | None = None,
    date_order: str | None = None,
) -> Trace:
    """Read a table of jobs with named columns.

    Parameters
    ----------
    source : path or file object
        CSV with any delimiter and encoding, or Parquet.
    columns : mapping, optional
        What a column holds -> its name: `job`, `submit`, `start`, `end`, `duration`, `walltime`,
        `nodes`, `processors`, `gpus`, `state`, `user`, `account`, `partition`. What is not named
        is found by the usual names.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.
    layout : {"acme", "helios", "alibaba-gpu"}, optional
        A public log whose columns are known.
    date_order : {"day-first", "month-first"}, optional
        As of `read_sacct`.

    Returns
    -------
    Trace
        ``frame`` has the columns of `read_sacct`, and `gpus` (-1 where unknown). Times are Unix
        seconds where dates name their zone, else the wall clock read as if it were UTC, or the
        seconds of the log; `processors` are CPUs, else GPUs, else nodes, and in the public logs
        GPUs; `state` is in Slurm's words.

    Raises
    ------
    ValueError, TypeError
        As of `read_jobs`; also if a length or a size has no column, a column is missing, or two
        have equal claims.

    Notes
    -----
    Numbers that count from 1970 in ms, us or ns are told by their size. Lengths of time are
    texts (``1-02:00:00``, ``4.5h``) or numbers, in the unit that the name of the column states,
    else in the one that agrees with start and end, else in seconds.

    Rows are repeated if job, submission, start, end and state are the same; where jobs of one id
    and submission have several starts, as those of an array, no row is taken for another's.

    Rules. Dropped: `wrong-columns`, `bad-time`, `not-a-number`, `empty`. Repaired, to -1:
    `negative-wait`, `negative-runtime`. Skipped: `repeated-header`. Merged: `repeated`,
    `seen-running`. Noted: those of the table, `columns` (which were used), `unit`, `date-order`,
    `not-started`, `no-processors`, `submit-is-start`, `only-failures`.
    """
    findings = Findings()
    content = open_source(source, findings)
    asked = asked_columns(columns or {})
    known = {**(LAYOUTS[layout] if layout is not None else {}), **asked}
    shape = Shape(partial(_is_header, known=known), joins=False)
    table = read_delimited(content.whole, findings, shape, signs=content.signs)
    jobs = _Table(table, _roles(table, known), findings, date_order)
    frame = job_frame(jobs.columns())
    return findings.trace(content.name, frame, records=table.records, of="job", strict=strict)


def _is_header(fields: Sequence[str], known: Mapping[str, str]) -> bool:
    names = {name.strip() for name in fields}
    if known:
        return set(known.values()) <= names
    return job_table_layout(fields) is not None


def _roles(table: Delimited, known: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each role that has one; refuse what can be read in two ways."""
    header, line = table.header, max(table.header_line, 1)
    if not header and not len(table):
        return {}
    if not header:
        first = [column.taken(np.array([0])).texts()[0] for column in table.columns]
        wanted = ", ".join(known.values()) if known else "start, end or duration, nodes, state"
        raise LogRefused(
            f"line {line}: the header must name {wanted}, got {','.join(first)[:120]!r}: ",
            *(_COLUMNS, " start=NAME,... says which column holds what"),
        )
    found = dict(known)
    taken = set(known.values())
    for role in ("submit", "start", "end", "duration", "walltime", *_SIZES, *_WORDS):
        if role in found:
            continue
        names = [name for name in role_of_names(header, role) if name not in taken]
        if len(names) > 1 and len({tuple(_first(table, name)) for name in names}) > 1:
            raise LogRefused(
                f"line {line}: the header must name one column for {role}, got "
                f"{' and '.join(map(repr, names[:2]))}: ",
                *(_COLUMNS, f" {role}=NAME says which"),
            )
        # A queue of numbers alone is the time that a job waited.
        if names and not (role == "partition" and _is_numeric(_first(table, names[0]))):
            found[role] = names[0]
            taken.add(names[0])
    if "duration" not in found and not {"start", "end"} <= set(found):
        raise LogRefused(
            f"line {line}: the header must name a duration, or start and end, got "
            f"{','.join(header)[:120]!r}: ",
            *(_COLUMNS, " duration=NAME says which"),
        )
    if not set(found) & set(_SIZES):
        raise LogRefused(
            f"line {line}: the header must name nodes, processors or gpus, got "
            f"{','.join(header)[:120]!r}: ",
            *(_COLUMNS, " nodes=NAME says which"),
        )
    return found


_WORDS = ("job", "state", "user", "account", "partition")


def _first(table: Delimited, name: str) -> list[str]:
    column = table.column(name)
    return [] if column is None else column.taken(np.arange(min(len(table), _SOME))).texts()


def _is_numeric(texts: Sequence[str]) -> bool:
    return any(texts) and all(finite(text) is not None for text in texts if text)


class _Table:
    """The rows of a table as columns of jobs; what cannot be read is dropped on the way."""

    def __init__(
        self,
        table: Delimited,
        roles: Mapping[str, str],
        findings: Findings,
        date_order: str | None,
    ) -> None:
        self._table, self._roles, self._findings = table, roles, findings
        self._dates = date_order
        self._good = np.ones(len(table), dtype=np.bool_)

    def columns(self) -> dict[str, Any]:
        """Return the columns of the frame."""
        times = self._times()
        length = self._length("duration", times["end"] - times["start"])
        gap = times["end"] - times["start"]
        length = np.where(np.isnan(length), gap, length)
        limit = self._length("walltime", None, least=length)
        start = np.where(np.isnan(times["start"]), times["end"] - length, times["start"])
        submit = times["submit"] if "submit" in self._roles else start
        sizes = {role: self._sizes(role) for role in _SIZES}
        states, state = self._words("state", _meaning)
        ended = times["end"] if "end" in self._roles else length
        kept = self._told_once((submit, start, ended), states, state)
        read = {"submit": submit, "start": start, "length": length, "limit": limit, **sizes}
        self._table = self._table.taken(kept)
        return self._built({name: values[kept] for name, values in read.items()})

    def _built(self, read: dict[str, FloatArray]) -> dict[str, Any]:
        submit, start, length = (read[name] for name in ("submit", "start", "length"))
        lines = self._table.lines
        if lines.size:
            used = ", ".join(f"{role} {name!r}" for role, name in self._roles.items())
            self._findings.add("noted", int(lines[0]), "columns", used)
        wait = start - submit
        for bad, rule, words in (
            (wait < 0.0, "negative-wait", "it started before it was submitted: wait unknown"),
            (length < 0.0, "negative-runtime", "it ended before it started: runtime unknown"),
        ):
            for line in lines[bad].tolist():
                self._findings.add("repaired", line, rule, words)
        if "submit" not in self._roles:
            reason = "no submission is logged: the start stands in, so that waits are 0"
            self._findings.add_lines("noted", lines, "submit-is-start", reason)
        if "start" in self._roles:
            never = lines[np.isnan(start)]
            self._findings.add_lines("noted", never, "not-started", "it never started")
        size = read["processors"]
        for role in ("gpus", "nodes"):
            size = np.where(np.isnan(size), read[role], size)
        self._findings.add_lines("noted", lines[np.isnan(size)], "no-processors", "of unknown size")
        states, state = self._words("state", _meaning)
        note_selection([states[code] for code in np.unique(state).tolist()], lines, self._findings)
        names, codes = self._words("job", str)
        numbers = np.array([job_number(name, 0) for name in names], dtype=np.int64)[codes]
        given: dict[str, Any] = {
            "job": np.where(numbers > 0, numbers, np.arange(1, lines.size + 1)),
            "submit": _or_unknown(submit),
            "wait": _or_unknown(np.where(wait < 0.0, np.nan, wait)),
            "runtime": _or_unknown(np.where(length < 0.0, np.nan, length)),
            "processors": _or_unknown(size),
            "walltime": _or_unknown(np.where(read["limit"] > 0.0, read["limit"], np.nan)),
            "status": np.array([status_of(name) for name in states], dtype=np.int64)[state],
            "nodes": _or_unknown(read["nodes"]).astype(np.int64),
            "gpus": _or_unknown(read["gpus"]).astype(np.int64),
            "job_id": _objects(names)[codes],
            "state": _objects(states)[state],
        }
        for role in ("user", "account", "partition"):
            texts, codes = self._words(role, str)
            given[role if role == "account" else f"{role}_name"] = _objects(texts)[codes]
            if role != "account":
                given[role] = numbered(texts)[codes]
        return given | {"line": lines}

    def _column(self, role: str) -> Column | None:
        return self._table.column(self._roles[role]) if role in self._roles else None

    def _times(self) -> dict[str, FloatArray]:
        """Return submission, start and end, [s], nan where unknown."""
        columns = {role: self._column(role) for role in _TIMES}
        given = {role: column for role, column in columns.items() if column is not None}
        order = order_in(given.values(), self._table.lines, self._dates, self._findings)
        found = {role: np.full(len(self._table), np.nan) for role in _TIMES}
        for role, column in given.items():
            found[role], _ = instants(column, order=order)
        for role in given:
            self._drop(role, np.isnan(found[role]), "bad-time", "is no time")
        return found

    def _length(
        self, role: str, gaps: FloatArray | None, least: FloatArray | None = None
    ) -> FloatArray:
        """Return lengths of time, [s], nan where unknown, in the unit that fits."""
        column = self._column(role)
        if column is None:
            return np.full(len(self._table), np.nan)
        numbers = counts(column, finite)
        rest = np.flatnonzero(np.isnan(numbers) & column.said)
        if rest.size:  # as 24,5 is
            marked = column.taken(rest)
            read = number_reader(marked.coded()[1], commas=self._table.delimiter == ",")
            numbers[rest] = each(marked, read)
        texts = np.full(len(self._table), np.nan)
        rest = np.flatnonzero(np.isnan(numbers) & column.said)
        if rest.size:
            texts[rest] = each(column.taken(rest), _length_of)
        unit = self._unit(self._roles[role], numbers, gaps, least)
        length = np.where(np.isnan(numbers), texts, numbers * UNITS[unit])
        self._drop(role, np.isnan(length), "bad-time", "is no length of time")
        return length

    def _unit(
        self,
        name: str,
        numbers: FloatArray,
        gaps: FloatArray | None,
        least: FloatArray | None,
    ) -> str:
        told = unit_in_name(name)
        if told is not None or not len(self._table):
            return told or "s"
        known = np.isfinite(numbers) & (numbers > 0.0)
        if gaps is not None and (known & (gaps > 0.0)).any():
            rows = known & (gaps > 0.0)
            ratio = float(np.median(gaps[rows] / numbers[rows]))
            unit = min(UNITS, key=lambda one: abs(math.log(UNITS[one] / ratio)))
        else:
            unit = "s"
            if least is not None and (known & (least > 0.0)).any():
                rows = known & (least > 0.0)
                unit = "min" if np.mean(numbers[rows] < least[rows]) > 0.5 else "s"
        if unit != "s" and known.any():
            reason = f"{name!r} is taken in {unit}, as times in the log say"
            self._findings.add("noted", int(self._table.lines[0]), "unit", reason)
        return unit

    def _sizes(self, role: str) -> FloatArray:
        column = self._column(role)
        if column is None:
            return np.full(len(self._table), np.nan)
        values = counts(column, self._marked(column) or count_of)
        self._drop(role, np.isnan(values), "not-a-number", "is no whole number >= 0")
        return values

    def _marked(self, column: Column) -> Callable[[str], float | None] | None:
        """Return what reads numbers of which some have marks of thousands, None if none has."""
        texts = column.taken(np.flatnonzero(column.lengths > 4)).coded()[1]
        if not any(map(_THOUSANDS.fullmatch, texts)):
            return None
        try:
            read = number_reader(texts, commas=self._table.delimiter == ",")
        except ValueError as error:
            raise ValueError(
                f"line {self._table.lines[0]}: numbers must have one reading, got {error}: write "
                "them without marks of thousands"
            ) from None
        return lambda text: count_of(text if (number := read(text)) is None else repr(number))

    def _words(self, role: str, meaning: Any) -> tuple[list[str], IntArray]:
        column = self._column(role)
        if column is None:
            return [""], np.zeros(len(self._table), dtype=np.int64)
        codes, texts = column.coded()
        return [meaning(text) for text in texts], codes

    def _told_once(
        self,
        times: tuple[FloatArray, FloatArray, FloatArray],
        states: list[str],
        state: IntArray,
    ) -> BoolArray:
        """Return which rows are kept; without names of jobs none is another's."""
        kept = self._good.copy()
        rows = np.flatnonzero(kept)
        if "job" not in self._roles:
            return kept
        _, codes = self._words("job", str)
        is_open = np.array([word in OPEN for word in states], dtype=np.bool_)[state[rows]]
        if _shared(codes[rows][~is_open], times[0][rows][~is_open], times[1][rows][~is_open]):
            return kept  # an id of several jobs, as those of an array
        different = {word: place for place, word in enumerate(dict.fromkeys(states))}
        kept[rows] = told_once(
            codes[rows],
            np.array([different[word] for word in states], dtype=np.int64)[state[rows]],
            (times[0][rows], times[1][rows], times[2][rows]),
            is_open=is_open,
            lines=self._table.lines[rows],
            findings=self._findings,
        )
        return kept

    def _drop(self, role: str, bad: BoolArray, rule: str, words: str) -> None:
        column = self._column(role)
        if column is None:
            return
        rows = np.flatnonzero(bad & self._good & column.said)
        for row, text in zip(rows.tolist(), column.taken(rows).texts(), strict=True):
            if text not in _SILENT:
                reason = f"{self._roles[role]} {text[:60]!r} {words}"
                self._findings.add("dropped", self._table.lines[row], rule, reason)
                self._good[row] = False


def _shared(job: IntArray, submit: FloatArray, start: FloatArray) -> bool:
    """Whether jobs of one id and submission have several starts."""
    first = np.lexsort((start, submit, job))
    job, submit, start = job[first], submit[first], start[first]
    same = (job[1:] == job[:-1]) & (submit[1:] == submit[:-1])
    return bool((same & (start[1:] != start[:-1])).any())


def _length_of(text: str) -> float | None:
    found = length_of(text)
    return duration_of(text) if found is None else found


def _meaning(text: str) -> str:
    """Return a state in Slurm's words."""
    word = state_of(text.strip().upper().replace("NODE FAIL", "NODE_FAIL"))
    return _STATES.get(word.replace("-", "_"), word)[:60]


def _objects(texts: Sequence[str]) -> npt.NDArray[Any]:
    return np.array(list(texts), dtype=object)


def _or_unknown(values: FloatArray) -> FloatArray:
    return np.where(np.isnan(values), -1.0, values)
