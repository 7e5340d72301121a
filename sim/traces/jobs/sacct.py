"""Read the tables that Slurm's ``sacct`` prints, as they are or after a detour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..machines.node_lists import nodes_in
from ..parsing.dates import DateOrder
from ..parsing.delimited import Column, Delimited, Shape, read_delimited
from ..parsing.limits import room_for
from ..parsing.numbers import numbered
from ..parsing.report import Findings, Trace
from ..parsing.signs import WORTH_COMPILING
from ..parsing.sources import Content, Source, open_source
from ..parsing.values import (
    Plain,
    counts,
    each,
    instants,
    kind_of_instants,
    order_in,
    plainly,
    words_of,
)
from .frame import OPEN, job_frame, status_of
from .repeated import told_once
from .sacct_columns import FREE, is_header, known_names, named_fields, names_by_values, plausible
from .slurm_words import (
    NEVER,
    SACCT_COMMAND,
    count_of,
    length_of,
    limit_of,
    memory_of,
    note_selection,
    state_of,
    tres_of,
)

__all__ = ["read_sacct"]

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_DATED = 1e8  # [s]; no Slurm is older
_DIGITS, _DOTTED = 15, 2  # of a job's number; what has a dot behind it
_TIMES = ("Submit", "Start", "End")
_DATES = (*_TIMES, "Eligible")
_ROW, _FIELD = 400, 32  # [byte] in memory
_HEAD, _SEPARATORS = 1 << 16, (b"|", b",", b";", b"\t")
_NODES = ("AllocNodes", "NNodes")
_PROCESSORS = ("AllocCPUS", "NCPUS")
_NO_COUNT = "is not a whole number >= 0"
_COUNTS = ("ElapsedRaw", *_NODES, *_PROCESSORS, "ReqCPUS")


def read_sacct(
    source: Source,
    *,
    strict: bool = False,
    fields: str | None = None,
    date_order: str | None = None,
) -> Trace:
    """Read Slurm accounting records as jobs.

    Parameters
    ----------
    source : path or file object
        Output of ``sacct --parsable2``, with any ``--delimiter``, or of ``sacct`` alone; a table
        made of it, such as CSV with quotes, an index column, or in UTF-16. Needed are a job id
        (`JobIDRaw` or `JobID`), a length (`ElapsedRaw`, `Elapsed`, or `Start` and `End`) and a
        size (`AllocCPUS`, `NCPUS`, `AllocNodes`, `NNodes`, `AllocTRES` or `NodeList`). Used where
        present: `Submit`, `Start`, `End`, `ReqCPUS`, `ReqMem`, `TimelimitRaw` or `Timelimit`,
        `State`, `User`, `Account`, `Partition`, `Restarts`.
    strict : bool
        Raise ValueError on the first malformed line instead of reporting it.
    fields : str, optional
        Names of the columns of output without its header line, as given to ``--format``. Without
        them the values tell the columns, as far as they can be read in one way only.
    date_order : {"day-first", "month-first"}, optional
        Of dates such as 1/2/2026; without it days above 12 show it, or the log is refused.

    Returns
    -------
    Trace
        ``frame`` has the columns of `read_swf` (-1 where unknown), in the order of the output:
        times in seconds, `submit` the cluster's wall clock read as if it were UTC, Unix time
        where the log has that; `processors` are CPUs, or nodes where no CPUs are listed;
        `status` 1 completed, 0 failed, 5 cancelled, -1 not finished; `user` and `partition` are
        numbered in order of appearance. Also `nodes` (-1 where unknown) and, as text, `job_id`,
        `state`, `user_name`, `account`, `partition_name`.

    Raises
    ------
    ValueError
        If the header lacks a column that is needed, or there is none and values do not tell it;
        with `strict`, at the first malformed line.
    TypeError
        If `source` is neither a path nor a file object.

    Notes
    -----
    Rules. Dropped: `wrong-columns`, `bad-time`, `not-a-number`, `empty`. Repaired, each to -1:
    `negative-wait`, `negative-runtime`, `no-request` (of 0 processors), `bad-memory` (not a size
    such as ``64Gn``, ``4000Mc`` or ``64G``: of a node, a CPU, the job). Skipped: `job-step`
    (``123.batch``), `repeated-header`. Merged: `repeated` (the same job, submission, start, end
    and state), `seen-running` (another row tells the end of the attempt). Noted: `line-break`
    (inside a field, which took several lines), `free-text` (bars in it), `before-header`,
    `no-header` (columns told by their values), `not-started` (pending, or cancelled before it
    ran; wait -1), `no-processors` (none of the columns has a number; -1), `approximate` (such as
    ``9.41K`` nodes), `submit-is-start` (no submission is logged: the start stands in, so that
    waits are 0), `date-order`, `only-failures` and `no-attempts` (asked for in a way that hides
    what an MTBF needs).
    """
    findings = Findings()
    content = open_source(source, findings)
    _hold(content, content.check_lines(of_line=200, of_field=40))
    names = () if fields is None else named_fields(fields)
    shape = Shape(is_header, free=FREE, fits=plausible, joins=True, names=names)
    table = read_delimited(content.whole, findings, shape, signs=content.signs)
    if not table.records:
        findings.add("dropped", 1, "empty", "the file holds no job")
    jobs, numbers, more = _without_steps(_with_names(table, findings), findings)
    frame = job_frame(_Jobs(jobs, numbers, more, findings, date_order).columns())
    report = findings.report(content.name, records=table.records, rows=len(frame), strict=strict)
    return Trace(frame, report)


def _hold(content: Content, lines: int) -> None:
    """Refuse a table that would take more memory than the limits: places of fields, and rows."""
    first = content.whole[:_HEAD].tobytes().partition(b"\n")[0]
    fields = max(map(first.count, _SEPARATORS)) + 1
    content.hold(2 * content.whole.size + lines * (_ROW + _FIELD * fields))


def _with_names(table: Delimited, findings: Findings) -> Delimited:
    """Return the table with Slurm's names; refuse one that lacks what is needed."""
    names = known_names(table.header)
    if not names and len(table):
        names = names_by_values(table)
        told = ", ".join(f"{place} {name}" for place, name in enumerate(names, start=1) if name)
        reason = f"columns told by their values: {told}; others can be named"
        findings.add("noted", int(table.lines[0]), "no-header", reason)
    elif not names:
        return table
    needs = [("JobIDRaw", "JobID"), (*_PROCESSORS, *_NODES, "AllocTRES", "NodeList")]
    if "Start" not in names:
        needs.append(("ElapsedRaw", "Elapsed"))
    else:
        needs.append(("ElapsedRaw", "Elapsed", "End"))
    for choice in needs:
        if not any(name in names for name in choice):
            raise ValueError(
                f"line {max(table.header_line, 1)}: the header must name {' or '.join(choice)}, "
                f"got {'|'.join(table.header)[:200]!r}: take what {SACCT_COMMAND} prints"
            )
    return replace(table, header=names)


def _without_steps(table: Delimited, findings: Findings) -> tuple[Delimited, IntArray, BoolArray]:
    """Return the rows of jobs, their numbers, -1 without one, and whether they are called more."""
    column = table.column("JobIDRaw", "JobID")
    if column is None:
        return table, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
    numbers, rests = _identities(column)
    if not (steps := rests == _DOTTED).any():
        return table, numbers, rests > 0
    findings.add_lines("skipped", table.lines[steps], "job-step", "a step of a job")
    jobs = np.flatnonzero(~steps)
    return table.taken(jobs), numbers[jobs], rests[jobs] > 0


def _identities(column: Column) -> tuple[IntArray, npt.NDArray[np.uint8]]:
    """Return the number that each id begins with, -1 without one, and what else it has.

    That is 0 for nothing, 1 for something, and `_DOTTED`.
    """
    numbers, rests = room_for(len(column), np.int64), np.empty(len(column), np.uint8)
    if column.data.size > WORTH_COMPILING:
        from ..parsing.text_kernels import leading_wholes

        leading_wholes(column.data, column.starts, column.stops, numbers, rests)
        return numbers, rests
    for row, name in enumerate(column.texts()):
        rest = name.lstrip("0123456789")
        digits = name[: len(name) - len(rest)]
        plain = 0 < len(digits) <= _DIGITS
        numbers[row] = int(digits) if plain else -1
        rests[row] = _DOTTED if "." in rest else bool(rest) or not plain
    return numbers, rests


class _Jobs:
    """The rows of a table as columns of jobs; what cannot be read is dropped on the way."""

    def __init__(
        self,
        table: Delimited,
        numbers: IntArray,
        more: BoolArray,
        findings: Findings,
        date_order: str | None,
    ) -> None:
        self._table, self._numbers, self._findings = table, numbers, findings
        self._dates = date_order
        self._good = np.ones(len(table), dtype=np.bool_)
        self._names = self._named(more) if more.any() else None  # where they are not plain numbers
        columns = {name: table.column(name) for name in (*_TIMES, *_COUNTS)}
        known = {name: column for name, column in columns.items() if column is not None}
        kinds: list[Plain] = [
            kind_of_instants(column) if name in _TIMES else "wholes"
            for name, column in known.items()
        ]
        found = plainly(zip(known.values(), kinds, strict=True))
        self._plain = dict(zip(known, found, strict=True))

    def columns(self) -> dict[str, Any]:
        """Return the columns of the frame."""
        self._drop(self._numbers < 0, "not-a-number", self._id, "does not begin with a number")
        read: dict[str, Any] = {"job": self._numbers}
        read |= {name: self._instants(name) for name in _TIMES}
        if self._has("Submit"):
            bad = np.isnan(read["Submit"])
            self._drop(bad, "bad-time", "Submit", "is not a date and time from 1970")
        else:
            read["Submit"] = read["Start"]
        read["length"] = self._lengths(read["Start"], read["End"])
        read["walltime"] = self._limits()
        read["nodes"], read["processors"] = self._sizes()
        read["asked"] = self._counts("ReqCPUS")
        states, read["state"] = self._words("State", state_of)
        kept = self._told_once(read, states)
        if not kept.all():
            self._table, self._good = self._table.taken(kept), self._good[kept]
            read = {name: values[kept] for name, values in read.items()}
            if self._names is not None:
                self._names = self._names.taken(kept)
        self._warn(read["state"], states)
        return self._built(read, states)

    def _built(self, read: dict[str, Any], states: list[str]) -> dict[str, Any]:
        """Return the columns of the frame, of what was read of the rows that are kept."""
        submit, start, length = read["Submit"], read["Start"], read["length"]
        nodes, processors, asked = read["nodes"], read["processors"], read["asked"]
        self._note(np.isnan(nodes) & np.isnan(processors), "no-processors", "of unknown size")
        if self._has("Start"):
            self._note(np.isnan(start), "not-started", "it never started")
        if not self._has("Submit"):
            reason = "Submit is not logged: the start stands in, so that waits are 0"
            self._note(np.ones(len(self._table), dtype=np.bool_), "submit-is-start", reason)
        wait, short = start - submit, length < 0.0
        early = wait < 0.0
        self._repair(asked == 0.0, "no-request", "asks for 0 CPUs: unknown")
        words = "started {:g} s before it was submitted: wait unknown"
        self._repair(early, "negative-wait", words, wait)
        words = "ended {:g} s before it started: runtime unknown"
        self._repair(short, "negative-runtime", words, length)
        limits, memory = read["walltime"], self._memory(nodes, processors)
        given: dict[str, Any] = {
            "job": read["job"],
            "submit": _or_unknown(submit),
            "wait": _or_unknown(wait, early),
            "runtime": _or_unknown(length, short),
            "processors": _or_unknown(_either(processors, nodes)),
            "requested_processors": _or_unknown(asked, asked == 0.0),
            "walltime": _or_unknown(limits, limits < 0.0),
            "requested_memory": _or_unknown(memory, memory < 0.0),
            "status": np.array([status_of(name) for name in states], np.int64)[read["state"]],
            "nodes": np.asarray(_either(nodes, -1.0), np.int64),
            "job_id": self._texts(read["job"]),
            "state": words_of(states, read["state"]),
        }
        for name, source in (
            ("user_name", "User"),
            ("account", "Account"),
            ("partition_name", "Partition"),
        ):
            texts, codes = self._words(source, str)
            given[name] = words_of(texts, codes)
            if name != "account" and self._has(source):
                given[name.removesuffix("_name")] = numbered(texts)[codes]
        return given | {"line": self._table.lines}

    def _texts(self, numbers: IntArray) -> Any:
        """Return what the log calls each job."""
        column = self._table.column("JobID")
        if self._names is None and (column is None or not self._has("JobIDRaw")):
            column = self._table.column("JobIDRaw", "JobID")
            if column is None or (column.lengths[column.data[column.starts] == ord("0")] > 1).any():
                return words_of(list(map(str, numbers.tolist())))
        column = self._names if column is None else column
        return words_of([]) if column is None else column.words()

    def _has(self, *names: str) -> bool:
        return self._table.column(*names) is not None

    @property
    def _id(self) -> str:
        return "JobIDRaw" if self._has("JobIDRaw") else "JobID"

    def _named(self, more: BoolArray) -> Column | None:
        """Return what jobs are called; fill in numbers of those that one column alone names."""
        column, other = self._table.column(self._id), self._table.column("JobID")
        if column is not None and other is not None:
            column = column.filled(other)
            self._numbers[more] = _identities(column.taken(more))[0]
        return column

    def _instants(self, name: str) -> FloatArray:
        """Return times, [s], nan where there is none; drop rows where it is no time."""
        column = self._table.column(name)
        if column is None:
            return self._everywhere(np.nan)
        found = self._plain.pop(name)
        seconds, zoned = instants(column, order=self._order, found=found)
        numbers = np.flatnonzero(zoned & (seconds < _DATED))
        unread = np.flatnonzero(np.isnan(seconds))
        unread = unread[column.taken(unread).said]
        bad = seconds < 0.0
        bad[numbers] = True
        said = column.taken(unread).texts()
        bad[unread] = np.array([text not in NEVER for text in said], dtype=np.bool_)
        self._drop(bad, "bad-time", name, "is not a date and time")
        return seconds

    @cached_property
    def _order(self) -> DateOrder:
        """Return whether day or month comes first, and say so where dates leave it open."""
        dates = (column for name in _DATES if (column := self._table.column(name)) is not None)
        return order_in(dates, self._table.lines, self._dates, self._findings)

    def _lengths(self, start: FloatArray, end: FloatArray) -> FloatArray:
        """Return how long jobs ran, [s], nan where unknown."""
        said = self._first(
            ("ElapsedRaw", count_of, "not-a-number", _NO_COUNT),
            ("Elapsed", length_of, "bad-time", "is not a duration"),
            nothing=NEVER,
        )
        return _either(said, end - start) if np.isnan(said).any() else said

    def _limits(self) -> FloatArray:
        """Return the requested time, [s]; -1 for none."""
        limits = self._everywhere(-1.0)
        for name in ("TimelimitRaw", "Timelimit"):
            column = self._table.column(name)
            if column is not None and (limits < 0.0).any():
                limits = np.require(limits, requirements="W")
                silent = limits < 0.0
                values = each(column, limit_of)
                self._drop(silent & np.isnan(values), "bad-time", name, "is not a duration")
                limits[silent] = values[silent]
        return limits

    def _counts(self, *names: str) -> FloatArray:
        return self._first(*((name, count_of, "not-a-number", _NO_COUNT) for name in names))

    def _first(
        self,
        *sources: tuple[str, Callable[[str], float | None], str, str],
        nothing: frozenset[str] = frozenset(),
    ) -> FloatArray:
        """Return what the first of some columns says that says anything, nan where none does.

        `sources` are names, what reads them, and rule and words of what cannot be read; texts
        that say `nothing` are as if they were empty.
        """
        found: FloatArray | None = None
        silent = np.ones(len(self._table), dtype=np.bool_)
        for name, parse, rule, words in sources:
            column = self._table.column(name)
            if column is None or not silent.any():
                continue
            plain = self._plain.pop(name, None)
            values = counts(column, parse, plain) if parse is count_of else each(column, parse)
            unread, mine = np.flatnonzero(np.isnan(values)), silent.copy()
            said = unread[column.taken(unread).said]
            mine[unread] = False
            texts = column.taken(said).texts()
            mine[said] = silent[said] & np.array([text not in nothing for text in texts], np.bool_)
            self._drop(mine & np.isnan(values), rule, name, words)
            if mine.all():
                return values
            found = np.full(mine.size, np.nan) if found is None else found
            np.copyto(found, values, where=mine)
            silent &= ~mine
        return self._everywhere(np.nan) if found is None else found

    def _everywhere(self, value: float) -> FloatArray:
        """Return one value for all rows, without memory of its own."""
        return np.broadcast_to(value, len(self._table))

    def _sizes(self) -> tuple[FloatArray, FloatArray]:
        """Return nodes and processors, nan where unknown; exact ones before rounded ones."""
        return (
            self._settled(
                _NODES, ("AllocTRES", partial(tres_of, kind="node")), ("NodeList", nodes_in)
            ),
            self._settled(_PROCESSORS, ("AllocTRES", partial(tres_of, kind="cpu"))),
        )

    def _settled(
        self, names: tuple[str, ...], *exact: tuple[str, Callable[[str], float | None]]
    ) -> FloatArray:
        """Return counts as stated, but exact ones where those are missing or rounded."""
        stated, column = self._counts(*names), self._table.column(*names)
        rounded = np.zeros(len(self._table), dtype=np.bool_)
        if column is not None and (stated >= 1_000.0).any():
            ends = np.maximum(column.stops - 1, 0)
            rounded = column.said & np.isin(column.data[ends], list(b"KMG"))
        asked = np.flatnonzero(np.isnan(stated) | rounded)
        for name, parse in exact:
            other = self._table.column(name)
            if other is None or not asked.size:
                continue
            found = each(other.taken(asked), parse)
            known = ~np.isnan(found)
            stated = np.require(stated, requirements="W")
            stated[asked[known]], rounded[asked[known]] = found[known], False
            asked = asked[~known]
        left = rounded & self._good
        self._note(left, "approximate", f"{names[-1]} is rounded to three figures, such as 9.41K")
        return stated

    def _words(self, name: str, meaning: Callable[[str], str]) -> tuple[list[str], IntArray]:
        """Return the different words of a column, and which each row has; "" without a column."""
        column = self._table.column(name)
        if column is None:
            return [""], np.broadcast_to(np.int64(0), len(self._table))
        codes, texts = column.coded()
        return [meaning(text) for text in texts], codes

    def _told_once(self, read: dict[str, Any], states: list[str]) -> BoolArray:
        """Return which rows are kept."""
        import pandas as pd

        kept = self._good.copy()
        rows: slice | IntArray = slice(None) if kept.all() else np.flatnonzero(kept)
        jobs = read["job"][rows]
        if (jobs[1:] > jobs[:-1]).all():
            return kept  # each comes once
        if self._names is not None:
            jobs, _ = self._names.taken(np.flatnonzero(kept)).coded()
        elif int(jobs.max()) - (least := int(jobs.min())) > 4 * jobs.size:
            jobs, _ = pd.factorize(jobs)
        else:
            jobs = jobs - least
        state = read["state"][rows]
        meant, _ = pd.factorize(np.array(states, dtype=object))
        ended = read["End" if self._has("End") else "length"]
        kept[rows] = told_once(
            jobs.astype(np.int64, copy=False),
            meant.astype(np.int64)[state],
            (read["Submit"][rows], read["Start"][rows], ended[rows]),
            is_open=np.array([word in OPEN for word in states], dtype=np.bool_)[state],
            lines=self._table.lines[rows],
            findings=self._findings,
        )
        return kept

    def _warn(self, state: IntArray, states: list[str]) -> None:
        """Warn of a log that does not hold what an MTBF needs."""
        met = [states[code] for code in np.flatnonzero(np.bincount(state)).tolist()]
        note_selection(met, self._table.lines, self._findings)
        again = np.array([word == "REQUEUED" for word in states], dtype=np.bool_)[state]
        if (restarts := self._table.column("Restarts")) is not None:
            again |= each(restarts, count_of) > 0.0
        column = self._table.column(self._id)
        if column is None or not again.any():
            return
        if len(column.coded()[1]) == len(column):
            reason = (
                f"{int(again.sum()):,} jobs were requeued and none has more than one row: attempts "
                f"that a failure ended are missing; {SACCT_COMMAND} asks for them"
            )
            self._note(np.cumsum(again) * again == 1, "no-attempts", reason)

    def _memory(self, nodes: FloatArray, processors: FloatArray) -> FloatArray:
        """Return the requested memory per processor, [KB]; -1 for none or unknown."""
        column = self._table.column("ReqMem")
        if column is None:
            return self._everywhere(-1.0)
        codes, texts = column.coded()
        parsed = [memory_of(text) for text in texts]
        strange = [
            one is None and text not in NEVER for one, text in zip(parsed, texts, strict=True)
        ]
        for row in np.flatnonzero(np.array(strange, dtype=np.bool_)[codes]).tolist():
            reason = f"ReqMem {texts[codes[row]][:60]!r} is not a size such as 64Gn: unknown"
            self._findings.add("repaired", self._table.lines[row], "bad-memory", reason)
        amount = np.array([0.0 if one is None else one[0] for one in parsed])[codes]
        of = np.array([" " if one is None else one[1] or "j" for one in parsed], dtype="U1")[codes]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(of == "n", nodes, 1.0) / np.where(of == "c", 1.0, processors)
            memory = amount * share
        return np.where(np.isfinite(memory) & (memory > 0.0), memory, -1.0)

    def _drop(self, bad: BoolArray, rule: str, name: str, words: str) -> None:
        rows = np.flatnonzero(bad & self._good)
        column = self._table.column(name)
        if column is None or not rows.size:
            return
        lines = self._table.lines[rows].tolist()
        for line, text in zip(lines, column.taken(rows).texts(), strict=True):
            self._findings.add("dropped", line, rule, f"{name} {text[:60]!r} {words}")
        self._good[rows] = False

    def _note(self, where: BoolArray, rule: str, reason: str) -> None:
        if where.any():
            self._findings.add_lines("noted", self._table.lines[where], rule, reason)

    def _repair(
        self, bad: BoolArray, rule: str, words: str, values: FloatArray | None = None
    ) -> None:
        if not bad.any():
            return
        rows, column = np.flatnonzero(bad), self._table.column(self._id)
        names = [""] * rows.size if column is None else column.taken(rows).texts()
        for row, name in zip(rows.tolist(), names, strict=True):
            reason = f"{name} {words.format(0.0 if values is None else -values[row])}"
            self._findings.add("repaired", self._table.lines[row], rule, reason)


def _either(values: FloatArray, others: FloatArray | float) -> FloatArray:
    """Return values, or the others where those are nan; memory is only had for what differs."""
    missing = np.isnan(values)
    return np.where(missing, others, values) if missing.any() else values


def _or_unknown(values: FloatArray, also: BoolArray | None = None) -> FloatArray | None:
    """Return values with -1 for what is unknown, None where everything is."""
    missing = np.isnan(values) if also is None else np.isnan(values) | also
    if missing.all():
        return None
    return np.where(missing, -1.0, values) if missing.any() else values
