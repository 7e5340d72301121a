"""Where each thing stands in a table of failures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...parsing.delimited import Delimited
from . import words
from .kinds import (
    Meaning,
    Values,
    counts_of,
    kind_of,
    leave_out,
    node_of_turns,
    planned_flag,
    planned_words,
    refuse_counts,
    refuse_turns,
)
from .sheet import CAUSE, Column, Columns, Sheet
from .times import end_of, number_unit, repair_of, time_of

_SHARE = re.compile("[0-9.,]+ ?%?")


@dataclass(frozen=True, slots=True)
class Understood:
    """Where each thing stands in a table of failures; places count from 0.

    Parameters
    ----------
    meaning : {"rows", "events", "states", "counts"}
        What a row is: an outage; one where `kind` says so, else no failure; the state of a node at
        an instant, as `kind` says; a number of failures in the time up to the next row.
    time, clock, end, end_clock, repair, node, system, cause, kind, planned, counts, machine : int
        Columns, None where there is none.
    number_unit, repair_unit : float, [s]
        Of plain numbers that are instants, and that are durations.
    number_origin : float, [s]
        Since 1970, from when on such instants count.
    down, planned_kinds, others : frozenset of str
        Values of `kind`, in lower case, that are failures, that are planned work, and that are
        neither down nor up.
    no_failures, planned_words : tuple of (int, frozenset of str)
        Columns, and their values that say that a row is no failure, or planned work.
    dated : bool
        Whether the times are in a column that is called a date.
    unused : tuple of str
        Names of the columns that are used for nothing.
    words : str
        All of it in words.
    """

    meaning: Meaning
    time: int
    words: str
    clock: int | None = None
    end: int | None = None
    end_clock: int | None = None
    repair: int | None = None
    node: int | None = None
    system: int | None = None
    cause: int | None = None
    kind: int | None = None
    planned: int | None = None
    planned_when: bool = True
    counts: int | None = None
    machine: int | None = None
    number_unit: float = 1.0
    number_origin: float = 0.0
    repair_unit: float | None = 1.0
    down: frozenset[str] = frozenset()
    planned_kinds: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    no_failures: Values = ()
    planned_words: Values = ()
    dated: bool = False
    unused: tuple[str, ...] = ()

    def is_true(self, text: str) -> bool:
        """Whether a flag is set."""
        return words.is_set(text)


def understand(table: Delimited, given: Columns) -> Understood:
    """Say what each column of a table with a header holds.

    Raises
    ------
    ValueError
        If no column is a time, a column that is `given` is not there, or the table can be read in
        two ways that differ; the message says both, and the option that decides.
    """
    sheet = Sheet(table, given)
    no_failures = leave_out(sheet)
    time, clock = time_of(sheet)
    unit, origin = number_unit(sheet, time)
    counted = {"number_unit": unit, "number_origin": origin or 0.0}
    end, end_clock = end_of(sheet, time, clocked=clock is not None)
    node = sheet.named("node") or sheet.by_name("node")
    system = sheet.by_name("system")
    if system is not None and node is None and len(system.known) > 1:
        sheet.said.append(f'each "{system.name}" by itself (if they are nodes, name it so)')
    counts, machine = counts_of(sheet, time, node, end)
    if counts is not None:
        roles = {"time": time, "clock": clock, "counts": counts, "machine": machine}
        roles |= {"node": None if node is machine else node}
        none = (*no_failures, *planned_words(sheet))
        return _answer(sheet, "counts", roles, **counted, no_failures=none)
    repair, repair_unit = repair_of(sheet, time, end, since_1970=origin is not None)
    planned, when = planned_flag(sheet)
    cause = sheet.named("cause")
    lasting = end is not None or repair is not None
    kind = kind_of(sheet, time, node, lasting=lasting)
    if kind.meaning == "rows":
        _refuse_sums(sheet, time, lasting=lasting, ended=end is not None)
        if not lasting:
            refuse_counts(sheet, time, node)
    if kind.meaning == "states" and node is None:
        node = node_of_turns(sheet, kind, time)
    cause = cause or sheet.by_name("cause", "words", "number")
    if cause is None and kind.column is not None and kind.column.kind == "words":
        cause = kind.column
    if kind.meaning == "rows" and not lasting and sheet.given.cause is None:
        refuse_turns(sheet, time, node, cause)
    roles = {"time": time, "clock": clock, "end": end, "end_clock": end_clock, "repair": repair}
    roles |= {"node": node, "system": system, "cause": cause, "kind": kind.column}
    roles |= {"planned": planned}
    values: dict[str, Any] = {"no_failures": no_failures, "planned_words": planned_words(sheet)}
    values |= {"down": kind.down, "planned_kinds": kind.planned, "others": kind.others}
    units = {**counted, "repair_unit": repair_unit}
    return _answer(sheet, kind.meaning, roles, planned_when=when, **units, **values)


def _refuse_sums(sheet: Sheet, time: Column, *, lasting: bool, ended: bool) -> None:
    """Refuse rows of which each sums up a time, and says nothing of one failure."""
    if time.plain == "year":
        sheet.refuse(f'each row must have a date or count failures, got "{time.name}" alone')
    for column in sheet.free():
        what = ""
        if column.says(words.MEANS) and column.kind in ("number", "duration") and not ended:
            what, how = "a mean of many", "perfmodel interval --mtbf takes it"
        elif column.says(words.SHARES) and _are_shares(column) and not lasting:
            what = "the share of a time that was up"
            how = "export the outages, a row for each with its start and end"
        if what:
            sheet.refuse(
                f'each row must be a failure, or count them, got "{column.name}", {what}: {how}; ',
                *(CAUSE, f" {column.name!r} takes each for a failure"),
            )


def _are_shares(column: Column) -> bool:
    return column.unit is None and all(map(_SHARE.fullmatch, column.known))


def _answer(
    sheet: Sheet, meaning: Meaning, roles: dict[str, Column | None], **more: Any
) -> Understood:
    places: dict[str, Any] = {role: c.place for role, c in roles.items() if c is not None}
    unused = tuple(c.name for c in sheet.columns if c.place not in places.values())
    dated = sheet.columns[places["time"]].plain in words.DATES
    told: dict[str, Any] = {"words": "; ".join(sheet.said), "dated": dated, "unused": unused}
    return Understood(meaning, **told, **places, **more)
